package dashboard

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
)

const (
	oidcPath     = Prefix + "/oidc"
	oidcCallback = oidcPath + "/callback"
	// attemptCookie keeps a log-in by OpenID Connect while the browser is at the issuer's, from where it must come along.
	attemptCookie = "carillon_oidc"
	attemptTTL    = 10 * time.Minute
	// refusedCookie holds for the page why a log-in was refused. It is no part of the address: whoever makes a link cannot write
	// what the page says.
	refusedCookie = "carillon_refused"
	refusedTTL    = time.Minute
	// exchangesAtOnce is how many codes the issuer is asked about at a time: whoever can send a request can send a code.
	exchangesAtOnce = 32
)

// beginOIDC sends the browser to the issuer.
func (s sessions) beginOIDC(w http.ResponseWriter, r *http.Request) {
	attempt, to, err := s.OIDC.Begin(r.Context(), s.callback(r))
	if err != nil {
		s.backWith(w, r, err)
		return
	}
	kept, err := json.Marshal(attempt)
	if err != nil {
		s.backWith(w, r, err)
		return
	}
	s.setAttempt(w, base64.RawURLEncoding.EncodeToString(kept), int(attemptTTL.Seconds()))
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// finishOIDC begins a session for the person whom the issuer sent back, and shows the page.
func (s sessions) finishOIDC(w http.ResponseWriter, r *http.Request) {
	s.setAttempt(w, "", -1) // it counts once
	var attempt auth.OIDCAttempt
	if cookie, err := r.Cookie(attemptCookie); err == nil {
		if kept, err := base64.RawURLEncoding.DecodeString(cookie.Value); err == nil {
			_ = json.Unmarshal(kept, &attempt) // one that is spoiled has no state and is refused
		}
	}
	query := r.URL.Query()
	if query.Get("error") != "" {
		s.backWith(w, r, fault.Unauthenticatedf("The OpenID Connect server refused the log-in."))
		return
	}
	leave, err := s.exchanges.Enter(r.Context(), admission.StrangersRequest(r.Context()))
	if err != nil {
		s.backWith(w, r, err)
		return
	}
	defer leave()
	email, err := s.OIDC.Finish(r.Context(), attempt, s.callback(r), query.Get("state"), query.Get("code"))
	if err != nil {
		s.backWith(w, r, err)
		return
	}
	out, err := s.Sessions.LogInVerified(r.Context(), email)
	if err != nil {
		s.backWith(w, r, err)
		return
	}
	s.setCookie(w, out.Token, out.ExpiresAt)
	http.Redirect(w, r, Prefix, http.StatusSeeOther)
}

// callback is where the issuer sends browsers back to. The issuer knows the addresses that it may use.
func (s sessions) callback(r *http.Request) string {
	if s.PublicURL != "" {
		return s.PublicURL + oidcCallback
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + oidcCallback
}

// backWith shows the log-in page with the reason of a failure.
func (s sessions) backWith(w http.ResponseWriter, r *http.Request, err error) {
	_, message := s.shown(r, err)
	s.setRefused(w, base64.RawURLEncoding.EncodeToString([]byte(message)), int(refusedTTL.Seconds()))
	http.Redirect(w, r, Prefix, http.StatusSeeOther)
}

// refused is the reason that backWith left, once; "" without one.
func (s sessions) refused(w http.ResponseWriter, r *http.Request) string {
	cookie, err := r.Cookie(refusedCookie)
	if err != nil {
		return ""
	}
	s.setRefused(w, "", -1)
	message, _ := base64.RawURLEncoding.DecodeString(cookie.Value) // one that is spoiled gives no reason
	return string(message)
}

func (s sessions) setRefused(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: refusedCookie, Value: value, Path: sessionPath, MaxAge: age, HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteStrictMode,
	})
}

func (s sessions) setAttempt(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: attemptCookie, Value: value, Path: oidcPath, MaxAge: age, HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode,
	})
}
