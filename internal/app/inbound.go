package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/provider"
)

// How many requests of vendors and readers work at a time, and how long one waits for that: whoever is given a mail has links of
// it, and all others need the same database. Some vendors send a report once, so that it waits longer than other requests.
const (
	inboundAtOnce = 32
	inboundWait   = 5 * time.Second
)

func newInboundGate() *admission.Gate {
	return admission.New(admission.Config{Least: inboundAtOnce, Most: inboundAtOnce, Wait: inboundWait})
}

// inTurn does the work of a vendor's or reader's request, whose body has arrived, when its turn comes.
func inTurn[T any](a *App, r *http.Request, work func(context.Context) (T, error)) (out T, err error) {
	leave, err := a.outside.Enter(r.Context(), admission.StrangersRequest(r.Context()))
	if err != nil {
		return out, err
	}
	defer leave()
	return work(r.Context())
}

// inbound are the addresses that vendors and readers of mails call: they carry their own proof, and no credential.
func (a *App) inbound() http.Handler {
	r := chi.NewRouter()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		r.Method(method, "/v1/inbound/{token}", http.HandlerFunc(a.receipt))
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} { // scanners of mails look at links without reading them
		r.Method(method, "/v1/unsubscribe/{token}", http.HandlerFunc(a.showUnsubscribe))
		r.Method(method, "/v1/preferences/{token}", http.HandlerFunc(a.showPreferences))
	}
	r.Post("/v1/unsubscribe/{token}", a.unsubscribe)
	r.Post("/v1/preferences/{token}", a.savePreferences)
	return r
}

func isInbound(path string) bool {
	return strings.HasPrefix(path, "/v1/inbound/") || strings.HasPrefix(path, "/v1/unsubscribe/") || strings.HasPrefix(path, "/v1/preferences/")
}

// receipt takes what a vendor reports. Vendors follow no redirects, so that a report for an organization that has moved is passed on.
func (a *App) receipt(w http.ResponseWriter, r *http.Request) {
	body, err := intake.ReadAll(r, integrations.MaxInbound)
	if err != nil {
		a.answerInbound(w, r, err)
		return
	}
	_, err = inTurn(a, r, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, a.services.Receipts.Accept(ctx, r.PathValue("token"), provider.Inbound{
			URLs: addressesOf(a.cfg.PublicURL, r), Header: r.Header, Query: r.URL.Query(), Body: body,
		})
	})
	if moved := (*integrations.Elsewhere)(nil); errors.As(err, &moved) {
		a.passOn(w, unread(r, body), moved, func(w http.ResponseWriter) { a.answerInbound(w, r, fault.Unavailablef(err, "Try again later.")) })
		return
	}
	a.logRefusedReceipt(r.Context(), r.PathValue("token"), err)
	a.answerInbound(w, r, err)
}

// logRefusedReceipt tells of receipts that were sent to an integration's own address and do not count: otherwise it looks as if the vendor
// sent none. The vendor repeats them, so that not each is logged.
func (a *App) logRefusedReceipt(ctx context.Context, token string, err error) {
	var cure string
	switch fault.KindOf(err) {
	case fault.Unauthenticated:
		cure = "give the integration the key that the provider signs with (inboundWebhookSigningKey)"
	case fault.Invalid:
		cure = "see what the provider sends to this address"
	default:
		return
	}
	integrationID, _, _ := strings.Cut(token, ".")
	if left, ok := a.refusedReceipts.Say(fmt.Errorf("integration %s: %s", integrationID, err), time.Now()); ok { //nolint:errorlint // a cause of its own
		a.log.WarnContext(ctx, "receipt refused", "integration_id", integrationID, "error", err.Error(), "cure", cure, "left_out", left)
	}
}

// addressesOf are the addresses under which the vendor may have called: it knows the public one, of this cell or of one that has
// passed the request on. Whoever forges the header gains nothing that the Host header does not give: the path is the secret.
func addressesOf(public string, r *http.Request) []string {
	_, before := forwards(r.Header)
	list := append(origins(public, r.Host), before...)
	for i, address := range list {
		list[i] = address + r.RequestURI
	}
	return list
}

func (a *App) answerInbound(w http.ResponseWriter, r *http.Request, err error) {
	var known *fault.Error
	switch {
	case err == nil:
		answer(w, http.StatusOK, "ok")
	case !errors.As(err, &known):
		a.log.ErrorContext(r.Context(), "inbound request failed", "error", err.Error())
		answer(w, http.StatusInternalServerError, "try again later")
	case known.Kind == fault.NotFound:
		answer(w, http.StatusNotFound, known.Message)
	case known.Kind == fault.Unauthenticated:
		answer(w, http.StatusUnauthorized, known.Message)
	case known.Kind == fault.TooLarge:
		answer(w, http.StatusRequestEntityTooLarge, "the report is too large")
	case known.Kind == fault.TooSlow:
		answer(w, http.StatusRequestTimeout, known.Message)
	case known.Kind == fault.Unavailable:
		w.Header().Set("Retry-After", "1")
		answer(w, http.StatusServiceUnavailable, "try again later")
	default:
		answer(w, http.StatusBadRequest, known.Message)
	}
}
