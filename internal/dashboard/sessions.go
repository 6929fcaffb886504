package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/version"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	sessionPath = Prefix + "/session"
	// cookieName holds the token of a log-in. No script can read it, and no other site's page makes a browser send it.
	cookieName = "carillon_session"
	// deviceCookie marks a browser in which a person logged in before: there, wrong guesses of others cause no delay.
	deviceCookie = "carillon_device"
	maxLogIn     = 16 << 10
)

// sessions is the log-in of the page: GET reports whether there is one, POST begins it, PUT moves it to another environment,
// DELETE ends it.
type sessions struct {
	Config
	exchanges *admission.Gate // of log-ins by OpenID Connect
}

// state is the state of a log-in. Not being logged in is no failure.
type state struct {
	Active  bool   `json:"active"`
	OIDC    bool   `json:"oidc"`              // whether a person can log in by OpenID Connect, at /dashboard/oidc
	Mail    bool   `json:"mail"`              // whether a person can ask for a new password by mail
	Enrol   bool   `json:"enrol"`             // whether the person must set up a second factor before anything else
	Refused string `json:"refused,omitempty"` // why that was refused just now
	Version string `json:"version,omitempty"` // of the server, for people who are logged in
}

// ServeHTTP answers with 204, a failure with its reason as {"message"}, and GET with the state.
func (s sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	switch r.Method {
	case http.MethodGet:
		known, err := s.authenticated(r)
		if fault.KindOf(err) == fault.Unauthenticated && bearer(r) != "" {
			s.setCookie(w, "", time.Unix(1, 0)) // of a log-in that has ended: it would prevent what needs none
		}
		v, _ := viewer.FromContext(known.Context())
		out := state{Active: err == nil, OIDC: s.OIDC != nil, Mail: s.Sessions.CanMail(), Enrol: v.Enrolling, Refused: s.refused(w, r)}
		if out.Active {
			out.Version = version.Version()
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out) // a client that left needs no answer
		return
	case http.MethodPost:
		err = s.logIn(w, r)
	case http.MethodPut:
		err = s.move(w, r)
	case http.MethodDelete:
		err = s.logOut(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, PUT, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s sessions) logIn(w http.ResponseWriter, r *http.Request) error {
	var in struct{ Email, Password, Code string }
	if err := decode(r, &in); err != nil {
		return err
	}
	ask := access.LogInInput{Email: in.Email, Password: in.Password, Code: &in.Code}
	if cookie, err := r.Cookie(deviceCookie); err == nil {
		ask.Device = &cookie.Value
	}
	leave, err := s.Gates.Enter(r.Context(), admission.StrangersRequest(r.Context()))
	if err != nil {
		return err
	}
	defer leave()
	out, err := s.Sessions.LogIn(r.Context(), ask)
	if err != nil {
		return err
	}
	s.setCookie(w, out.Token, out.ExpiresAt)
	s.setDevice(w, out.Device)
	return nil
}

func (s sessions) move(w http.ResponseWriter, r *http.Request) error {
	var in struct{ EnvironmentID string }
	if err := decode(r, &in); err != nil {
		return err
	}
	r, err := s.authenticated(r)
	if err != nil {
		return err
	}
	out, err := s.Sessions.Move(r.Context(), in.EnvironmentID)
	if err != nil {
		return err
	}
	s.setCookie(w, out.Token, out.ExpiresAt)
	return nil
}

func (s sessions) logOut(w http.ResponseWriter, r *http.Request) error {
	s.setCookie(w, "", time.Unix(1, 0))
	r, err := s.authenticated(r)
	if fault.KindOf(err) == fault.Unauthenticated {
		return nil // it has ended already
	}
	if err != nil {
		return err
	}
	_, err = s.Sessions.LogOut(r.Context(), false)
	return err
}

// authenticated is the request with the viewer that its cookie names.
func (s sessions) authenticated(r *http.Request) (*http.Request, error) {
	v, err := s.Auth.Authenticate(r.Context(), bearer(r))
	return r.WithContext(viewer.NewContext(r.Context(), v)), err
}

func (s sessions) setCookie(w http.ResponseWriter, token string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: token, Path: "/", Expires: expires,
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteStrictMode,
	})
}

func (s sessions) setDevice(w http.ResponseWriter, token string) {
	if token == "" {
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: deviceCookie, Value: token, Path: sessionPath, MaxAge: int(auth.DeviceTTL.Seconds()),
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteStrictMode,
	})
}

var statuses = map[fault.Kind]int{
	fault.Invalid: http.StatusUnprocessableEntity, fault.BadRequest: http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized, fault.Forbidden: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.RateLimited: http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable, fault.TooLarge: http.StatusRequestEntityTooLarge,
	fault.TooSlow: http.StatusRequestTimeout,
}

func (s sessions) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, message := s.shown(r, err)
	w.Header().Set("Content-Type", "application/json")
	if seconds := fault.RetrySeconds(err); seconds > 0 || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(max(seconds, 1)))
	}
	w.WriteHeader(status)
	answer := map[string]string{"message": message}
	var known *fault.Error
	if errors.As(err, &known) && known.Code != "" {
		answer["code"] = known.Code // what the page does next
	}
	_ = json.NewEncoder(w).Encode(answer) // a client that left needs no answer
}

// shown is what a person learns of a failure; what they cannot help is logged.
func (s sessions) shown(r *http.Request, err error) (status int, message string) {
	var known *fault.Error
	status, message = http.StatusInternalServerError, "Internal server error."
	if errors.As(err, &known) && statuses[known.Kind] != 0 {
		status, message = statuses[known.Kind], known.Message
	}
	if status >= http.StatusInternalServerError {
		s.Logger.ErrorContext(r.Context(), "log-in failed", "error", err.Error())
	}
	return status, message
}

func decode(r *http.Request, target any) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return fault.BadRequestf("UNSUPPORTED_MEDIA_TYPE", "Only application/json is accepted.")
	}
	body, err := intake.ReadAll(r, maxLogIn)
	if err != nil {
		return err
	}
	if json.NewDecoder(bytes.NewReader(body)).Decode(target) != nil {
		return fault.BadRequestf("MALFORMED_BODY", "The body is not the JSON object that is expected.")
	}
	return nil
}

// Credential accepts the page's cookie as a log-in where a request carries no credential of its own. It counts for
// POST and for WebSockets alone, and only from pages of this very server: another site's page can neither read nor change
// anything with it.
func Credential(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := bearer(r)
		trusted := r.Method == http.MethodPost && protection.Check(r) == nil ||
			strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && ownPage(r)
		if token != "" && r.Header.Get("Authorization") == "" && trusted {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", token)
		}
		next.ServeHTTP(w, r)
	})
}

// ownPage reports whether a WebSocket was opened by a page of this server.
func ownPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}

// bearer is the credential in the request's cookie; "" without one.
func bearer(r *http.Request) string {
	cookie, err := r.Cookie(cookieName)
	if err != nil || cookie.Value == "" {
		return ""
	}
	return "Bearer " + cookie.Value
}
