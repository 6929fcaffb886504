package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/docs"
	"github.com/carillon/carillon/internal/inboxclient"
)

// TestRefusals asks the doors that are not the documented API for what they do not have.
func TestRefusals(t *testing.T) {
	t.Parallel()
	doors := http.NewServeMux()
	doors.Handle(docs.Prefix+"/", docs.New())
	doors.Handle(inboxclient.Prefix, inboxclient.New())
	doors.HandleFunc("GET /graphql/schema.graphql", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		answer(w, http.StatusOK, "type Query")
	})
	ask := func(method, target, accept string) *httptest.ResponseRecorder {
		req := httptest.NewRequestWithContext(t.Context(), method, target, nil)
		req.Header.Set("Accept", accept)
		rec := httptest.NewRecorder()
		refusals(doors).ServeHTTP(rec, req)
		return rec
	}
	for _, c := range []struct {
		method, target string
		status         int
		allow          string
	}{
		{http.MethodGet, "/graphql/nothing?q=1", http.StatusNotFound, ""},
		{http.MethodPost, "/graphql/schema.graphql", http.StatusMethodNotAllowed, "GET, HEAD"},
		{http.MethodGet, "/docs/nothing", http.StatusNotFound, ""},
		{http.MethodDelete, "/docs/api", http.StatusMethodNotAllowed, "GET, HEAD"},
		{http.MethodGet, "/inbox/nothing.js", http.StatusNotFound, ""},
	} {
		rec := ask(c.method, c.target, "*/*")
		require.Equal(t, c.status, rec.Code, c.target)
		require.Equal(t, "application/json; charset=utf-8", rec.Header().Get("Content-Type"), c.target)
		require.Equal(t, c.allow, rec.Header().Get("Allow"), c.target)
		var body struct {
			StatusCode               int
			Timestamp, Path, Message string
		}
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &body), c.target)
		require.Equal(t, c.status, body.StatusCode)
		require.Equal(t, c.target, body.Path)
		require.NotEmpty(t, body.Timestamp)
		require.NotEmpty(t, body.Message)
	}
	require.Equal(t, "type Query\n", ask(http.MethodGet, "/graphql/schema.graphql", "*/*").Body.String())
	page := ask(http.MethodGet, "/docs/nothing", "text/html,*/*;q=0.8")
	require.Equal(t, http.StatusNotFound, page.Code)
	require.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
}
