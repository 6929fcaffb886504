package app

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify/integrations"
)

// TestLinksOfMovedOrganizations: the cell that has the organization now answers in the place of the one that sent the mail.
func TestLinksOfMovedOrganizations(t *testing.T) {
	t.Parallel()
	cell := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // compared below
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path+" "+string(body))
	}))
	t.Cleanup(cell.Close)
	a := &App{cfg: &config.Config{}, log: slog.New(slog.DiscardHandler)}

	w := httptest.NewRecorder()
	a.writeUnsubscribe(w, httptest.NewRequest(http.MethodPost, "/v1/unsubscribe/token", strings.NewReader("List-Unsubscribe=One-Click")), nil, &integrations.Elsewhere{URL: cell.URL})
	require.Equal(t, http.StatusTeapot, w.Code)
	require.Equal(t, "POST /v1/unsubscribe/token List-Unsubscribe=One-Click", w.Body.String())

	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	w = httptest.NewRecorder()
	a.writeUnsubscribe(w, httptest.NewRequest(http.MethodGet, "/v1/unsubscribe/token", nil), nil, &integrations.Elsewhere{URL: gone.URL})
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Contains(t, w.Body.String(), pagesByLanguage["en"].Later)

	w = httptest.NewRecorder()
	a.writePreferences(w, httptest.NewRequest(http.MethodGet, "/v1/preferences/token", nil), nil, &integrations.Elsewhere{URL: cell.URL + "/"})
	require.Equal(t, http.StatusTemporaryRedirect, w.Code)
	require.Equal(t, cell.URL+"/v1/preferences/token", w.Header().Get("Location"))
	w = httptest.NewRecorder()
	sent := unread(httptest.NewRequest(http.MethodPost, "/v1/preferences/token", nil), []byte("shown=a"))
	a.writePreferences(w, sent, nil, &integrations.Elsewhere{URL: cell.URL})
	require.Equal(t, "POST /v1/preferences/token shown=a", w.Body.String(), "a page that was open before the move")
}
