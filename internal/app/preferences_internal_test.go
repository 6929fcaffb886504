package app

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/workflow"
)

// TestReadChoices: each workflow that was shown is one choice, and what the page does not offer is refused.
func TestReadChoices(t *testing.T) {
	t.Parallel()
	read := func(body string) ([]integrations.PreferenceChoice, error) {
		return readChoices([]byte(body))
	}
	got, err := read(url.Values{"shown": {"a", "b", "a"}, "on": {"b:email", "b:in_app"}}.Encode())
	require.NoError(t, err)
	require.Equal(t, []integrations.PreferenceChoice{{WorkflowID: "a"}, {WorkflowID: "b", On: []workflow.Channel{"email", "in_app"}}}, got)
	for body, kind := range map[string]fault.Kind{
		"on=c:email": fault.BadRequest, "shown=a&on=a:fax": fault.BadRequest, "shown=a&on=a": fault.BadRequest, "shown=%zz": fault.BadRequest,
	} {
		_, err := read(body)
		require.Equal(t, kind, fault.KindOf(err), "%.20s", body)
	}
}

// TestLongChoices: a form above the bound is refused before it is read.
func TestLongChoices(t *testing.T) {
	t.Parallel()
	a := &App{cfg: &config.Config{}, log: slog.New(slog.DiscardHandler)}
	w := httptest.NewRecorder()
	a.savePreferences(w, httptest.NewRequest(http.MethodPost, "/v1/preferences/x", strings.NewReader("shown="+strings.Repeat("a", maxPreferenceForm))))
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
}

// TestPreferencePages: what a reader sees, escaped, under the rules of pages whose address is a credential.
func TestPreferencePages(t *testing.T) {
	t.Parallel()
	off, on := false, true
	page := &integrations.PreferencePage{More: true, Saved: true, Workflows: []*audience.WorkflowPreference{{
		Workflow: &audience.WorkflowSummary{ID: "w1", Name: "<b>News</b>"}, Channels: workflow.ChannelPreferences{Email: &on, SMS: &off},
	}}}
	write := func(found *integrations.PreferencePage, err error) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		(&App{log: slog.New(slog.DiscardHandler)}).writePreferences(rec, httptest.NewRequest(http.MethodGet, "/v1/preferences/x", nil), found, err)
		require.Equal(t, "no-store", rec.Header().Get("Cache-Control"))
		require.Equal(t, "no-referrer", rec.Header().Get("Referrer-Policy"))
		require.Contains(t, rec.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
		return rec
	}
	rec := write(page, nil)
	require.Equal(t, http.StatusOK, rec.Code)
	text := rec.Body.String()
	require.Contains(t, text, "&lt;b&gt;News&lt;/b&gt;")
	require.NotContains(t, text, "<b>News")
	require.Contains(t, text, `value="w1:email" checked>`)
	require.Contains(t, text, `value="w1:sms">`)
	require.Contains(t, text, "Your choice is saved.")
	require.Contains(t, text, "more than this page shows")
	require.Contains(t, write(&integrations.PreferencePage{}, nil).Body.String(), "There is nothing to choose.")
	for err, status := range map[error]int{
		fault.NotFoundf("This link does not count."):             http.StatusNotFound,
		fault.BadRequestf("BAD", "Not a form."):                  http.StatusBadRequest,
		&fault.Error{Kind: fault.TooLarge, Message: "at most 5"}: http.StatusRequestEntityTooLarge,
		errors.New("10.0.0.1 refused"):                           http.StatusInternalServerError,
	} {
		rec := write(nil, err)
		require.Equal(t, status, rec.Code)
		require.NotContains(t, rec.Body.String(), "<form")
		require.NotContains(t, rec.Body.String(), "10.0.0.1")
	}
}
