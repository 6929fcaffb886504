package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/integrations"
)

// TestAnswersToVendors: a vendor tries again by the status, and learns nothing of what went wrong here.
func TestAnswersToVendors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		status int
		text   string
		logged bool
	}{
		"Taken":       {nil, http.StatusOK, "ok\n", false},
		"Unknown":     {fault.NotFoundf("No such address."), http.StatusNotFound, "No such address.\n", false},
		"Forged":      {fault.Unauthenticatedf("The signature is wrong."), http.StatusUnauthorized, "The signature is wrong.\n", false},
		"Large":       {&fault.Error{Kind: fault.TooLarge, Message: "at most 5"}, http.StatusRequestEntityTooLarge, "the report is too large\n", false},
		"Slow":        {&fault.Error{Kind: fault.TooSlow, Message: "Late."}, http.StatusRequestTimeout, "Late.\n", false},
		"Unavailable": {fault.Unavailablef(errors.New("10.0.0.1 refused"), "The database is away."), http.StatusServiceUnavailable, "try again later\n", false},
		"Malformed":   {fault.BadRequestf("BAD", "Not a report."), http.StatusBadRequest, "Not a report.\n", false},
		"Fault":       {errors.New("10.0.0.1 refused"), http.StatusInternalServerError, "try again later\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			a := &App{log: slog.New(slog.NewTextHandler(&log, nil))}
			rec := httptest.NewRecorder()
			err := c.err
			if err != nil {
				err = fmt.Errorf("receive: %w", err)
			}
			a.answerInbound(rec, httptest.NewRequest(http.MethodPost, "/v1/inbound/secret-token", nil), err)
			require.Equal(t, c.status, rec.Code)
			require.Equal(t, c.text, rec.Body.String())
			require.Equal(t, c.logged, log.Len() > 0)
			require.NotContains(t, log.String(), "secret-token", "the address is a credential")
			require.Equal(t, c.status == http.StatusServiceUnavailable, rec.Header().Get("Retry-After") != "")
		})
	}
}

// TestRefusedReceiptsAreLogged: a receipt that does not count is logged with its integration and what to do, and not each time that the vendor
// repeats it.
func TestRefusedReceiptsAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := &App{log: slog.New(slog.NewTextHandler(&log, nil))}
	forged := fault.Unauthenticatedf("The signature is missing or wrong.")
	for range 3 {
		a.logRefusedReceipt(t.Context(), "one.secret", forged)
	}
	a.logRefusedReceipt(t.Context(), "two.secret", forged)
	a.logRefusedReceipt(t.Context(), "two.secret", fault.Invalidf("body", "cannot be read"))
	for _, err := range []error{nil, fault.NotFoundf("This address receives nothing."), fault.Unavailablef(nil, "Later."), errors.New("x")} {
		a.logRefusedReceipt(t.Context(), "three.secret", err)
	}
	said := log.String()
	require.Equal(t, 3, strings.Count(said, "receipt refused"), said)
	require.Equal(t, 1, strings.Count(said, "integration_id=one"))
	require.Contains(t, said, "inboundWebhookSigningKey")
	require.Contains(t, said, "left_out=2")
	require.NotContains(t, said, "three")
	require.NotContains(t, said, "secret", "the address is a credential")
}

// TestUnsubscribePages: what a reader sees, escaped, and a page that no other page may frame, keep or refer from.
func TestUnsubscribePages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		found  *integrations.Unsubscription
		err    error
		status int
		says   string
	}{
		"Asks":      {&integrations.Unsubscription{Workflow: "<b>News</b>"}, nil, http.StatusOK, "&lt;b&gt;News&lt;/b&gt;"},
		"Done":      {&integrations.Unsubscription{Workflow: "News", Done: true}, nil, http.StatusOK, "News"},
		"Unknown":   {nil, fault.NotFoundf("This link does not count."), http.StatusNotFound, "This link is not complete, or not ours."},
		"Malformed": {nil, fault.BadRequestf("BAD", "Not a link."), http.StatusBadRequest, "This form cannot be read."},
		"Fault":     {nil, errors.New("10.0.0.1 refused"), http.StatusInternalServerError, "Please try again later."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &App{log: slog.New(slog.DiscardHandler)}
			rec := httptest.NewRecorder()
			a.writeUnsubscribe(rec, httptest.NewRequest(http.MethodGet, "/v1/unsubscribe/x", nil), c.found, c.err)
			require.Equal(t, c.status, rec.Code)
			require.Contains(t, rec.Body.String(), c.says)
			require.NotContains(t, rec.Body.String(), "10.0.0.1")
			require.NotContains(t, rec.Body.String(), "<b>News")
			asks := c.err == nil && !c.found.Done
			require.Equal(t, asks, bytes.Contains(rec.Body.Bytes(), []byte("<form")), "a button only where there is something to do")
			require.Equal(t, "no-store", rec.Header().Get("Cache-Control"))
			require.Equal(t, "no-referrer", rec.Header().Get("Referrer-Policy"))
			require.Contains(t, rec.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
		})
	}
}

// TestAddressesOf: a vendor signs the address that it knows, which is the public one where there is one.
func TestAddressesOf(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "http://10.0.0.5:8080/v1/inbound/t?a=b", nil)
	r.RequestURI = "/v1/inbound/t?a=b"
	direct := []string{"https://10.0.0.5:8080/v1/inbound/t?a=b", "http://10.0.0.5:8080/v1/inbound/t?a=b"}
	require.Equal(t, direct, addressesOf("", r))
	require.Equal(t, append([]string{"https://notify.example/base/v1/inbound/t?a=b"}, direct...), addressesOf("https://notify.example/base/", r))
	r.Header.Set(forwardedFrom, "https://eu.example/base http://10.0.0.9")
	require.Equal(t, append(direct, "https://eu.example/base/v1/inbound/t?a=b", "http://10.0.0.9/v1/inbound/t?a=b"), addressesOf("", r))
	for path, want := range map[string]bool{
		"/v1/inbound/t": true, "/v1/unsubscribe/t": true, "/v1/inbound": false, "/v1/inboundx/t": false, "/x/v1/inbound/t": false,
	} {
		require.Equal(t, want, isInbound(path), path)
	}
}

// TestVendorsAndReadersTakeTurns: what they ask for begins when its turn comes, whatever their address; until then nothing is looked
// for.
func TestVendorsAndReadersTakeTurns(t *testing.T) {
	t.Parallel()
	a := &App{cfg: &config.Config{}, log: slog.New(slog.DiscardHandler), outside: admission.New(admission.Config{Least: 1, Most: 1, Wait: time.Nanosecond})}
	leave, err := a.outside.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	defer leave()
	door := a.inbound()
	for path, methods := range map[string][]string{
		"/v1/inbound/x":     {http.MethodGet, http.MethodPost},
		"/v1/unsubscribe/x": {http.MethodGet, http.MethodHead, http.MethodPost},
		"/v1/preferences/x": {http.MethodGet, http.MethodHead, http.MethodPost},
	} {
		for _, method := range methods {
			rec := httptest.NewRecorder()
			door.ServeHTTP(rec, httptest.NewRequest(method, path, nil))
			require.Equal(t, http.StatusServiceUnavailable, rec.Code, "%s %s", method, path)
		}
	}
}
