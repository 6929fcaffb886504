package dashboard

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	sessionPath = Prefix + "/session"
	// cookieName holds the token of a log-in. No script can read it, and no other site's page makes a browser send it.
	cookieName = "carillon_session"
	maxLogIn   = 16 << 10
)

// sessions is the log-in of the page: GET tells whether there is one, POST begins it, PUT moves it to another environment,
// DELETE ends it.
type sessions struct{ Config }

// state is how a log-in stands. It is no failure that nobody has logged in yet.
type state struct {
	Active  bool   `json:"active"`
	OIDC    bool   `json:"oidc"`              // whether a person can log in by OpenID Connect, at /dashboard/oidc
	Refused string `json:"refused,omitempty"` // why that was refused just now
}

// ServeHTTP answers with 204, a failure with its reason as {"message"}, and GET with the state.
func (s sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	var err error
	switch r.Method {
	case http.MethodGet:
		_, err := s.authenticated(r)
		out := state{Active: err == nil, OIDC: s.OIDC != nil, Refused: s.refused(w, r)}
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
	var in struct{ Email, Password string }
	if err := decode(w, r, &in); err != nil {
		return err
	}
	out, err := s.Sessions.LogIn(viewer.FromAddress(r).Context(), notify.LogInInput{Email: in.Email, Password: in.Password})
	if err != nil {
		return err
	}
	s.setCookie(w, out.Token, out.ExpiresAt)
	return nil
}

func (s sessions) move(w http.ResponseWriter, r *http.Request) error {
	var in struct{ EnvironmentID string }
	if err := decode(w, r, &in); err != nil {
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

// authenticated is the request with the viewer that its cookie stands for.
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

var statuses = map[fault.Kind]int{
	fault.Invalid: http.StatusUnprocessableEntity, fault.BadRequest: http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized, fault.Forbidden: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.RateLimited: http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable,
}

func (s sessions) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, message := s.shown(r, err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message}) // a client that left needs no answer
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

func decode(w http.ResponseWriter, r *http.Request, target any) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return fault.BadRequestf("UNSUPPORTED_MEDIA_TYPE", "Only application/json is accepted.")
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxLogIn)).Decode(target) != nil {
		return fault.BadRequestf("MALFORMED_BODY", "The body is not the JSON object that is expected.")
	}
	return nil
}

// Credential lets the page's cookie stand for a log-in where a request carries no credential of its own. It counts for
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

// ownPage tells whether a WebSocket was opened by a page of this server.
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
