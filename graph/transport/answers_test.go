package transport_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// unread is what a caller is answered with who does not read it before release is closed.
type unread struct {
	*httptest.ResponseRecorder
	writing, release chan struct{}
}

func (u *unread) Write(p []byte) (int, error) {
	close(u.writing)
	<-u.release
	return u.ResponseRecorder.Write(p)
}

// TestAnswersTakeMemory: answers that are not read hold memory, of which one caller has a part; what has no room is refused if it changed
// nothing.
func TestAnswersTakeMemory(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 64 << 10})
	d := newDoor()
	d.exec.answer = func(context.Context) *graphql.Response {
		return &graphql.Response{Data: json.RawMessage(`{"echo":"` + strings.Repeat("x", 6<<10) + `"}`)}
	}
	ask := func(w http.ResponseWriter, query string) {
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"`+query+`"}`))
		r.Header.Set("Content-Type", "application/json")
		ctx := viewer.WithAddress(r.Context(), "192.0.2.1")
		r = r.WithContext(viewer.NewContext(ctx, viewer.Viewer{Scope: viewer.Scope{OrganizationID: "o", EnvironmentID: "e"}, Role: viewer.RoleAdmin}))
		meter.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			carriers := transport.New(d.cfg)
			carriers[len(carriers)-1].Do(w, r, &d.exec)
		})).ServeHTTP(w, r)
	}
	slow := &unread{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask(slow, "{ echo }")
	}()
	<-slow.writing
	rec := httptest.NewRecorder()
	ask(rec, "{ echo }")
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)
	require.Equal(t, "503 OVERLOADED Too many answers are waiting to be read. Retry later.", refused(t, rec))
	require.Equal(t, "1", rec.Header().Get("Retry-After"))
	rec = httptest.NewRecorder()
	ask(rec, "mutation { rename }")
	require.Equal(t, http.StatusOK, rec.Code, "it has happened")
	close(slow.release)
	<-done
	require.Equal(t, http.StatusOK, slow.Code)
	rec = httptest.NewRecorder()
	ask(rec, "{ echo }")
	require.Equal(t, http.StatusOK, rec.Code)
}
