package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestFloodOfLogIns sends many log-ins at once while no password can be compared: most are refused at once, other callers
// are answered as ever, and a person with the right password is let in first when they use a device that is known.
func TestFloodOfLogIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	passwords := auth.NewPasswords(nil)
	logger := slog.New(slog.NewJSONHandler(b.log, nil))
	b.services = notify.New(usecase.Config{DB: b.db, Now: time.Now, Logger: logger, Secrets: b.keeper, Passwords: passwords})
	door := auth.ClientAddress(nil)(graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: b.auth, Logger: logger, Limits: document.Limits{Timeout: 10 * time.Minute}, Gates: admission.NewGates(0),
	}))
	system := viewer.SystemContext(t.Context())
	const email, password = "ada@example.org", "correct horse battery"
	hash, err := auth.HashPassword(password)
	require.NoError(t, err)
	person := b.db.Ent.User.Create().SetEmail(email).SetPasswordHash(hash).SaveX(system)
	b.db.Ent.Member.Create().SetOrganizationID(b.scope(t).OrganizationID).SetUserID(person.ID).SetRole(member.RoleOwner).ExecX(system)

	type answer struct {
		status int
		reply  reply
		header http.Header
	}
	ask := func(ctx context.Context, address, authorization, query string) (a answer) {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
		r.RemoteAddr = address + ":1000"
		r.Header.Set("Content-Type", "application/json")
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		a.status, a.header = w.Code, w.Header()
		_ = json.Unmarshal(w.Body.Bytes(), &a.reply)
		return a
	}
	logIn := func(ctx context.Context, address, device string) answer {
		return ask(ctx, address, "", fmt.Sprintf(`mutation { logIn(input: {email: %q, password: %q, device: %q}) { token device } }`, email, password, device))
	}
	first := logIn(t.Context(), "198.51.100.7", "")
	require.Empty(t, first.reply.Errors)
	device, _ := at(t, first.reply.Data, "logIn", "device").(string)
	require.NotEmpty(t, device)

	// All cores that compare passwords are busy until busy ends.
	busy := make(chan struct{})
	slots, occupied, freed := max(1, runtime.GOMAXPROCS(0)/2), make(chan struct{}), make(chan error)
	for range slots {
		go func() { freed <- passwords.Do(t.Context(), false, func() { occupied <- struct{}{}; <-busy }) }()
		<-occupied
	}
	const flood, waiting = 200, 32
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	answers := make(chan answer, flood)
	for i := range flood {
		go func() {
			answers <- ask(ctx, fmt.Sprintf("203.0.113.%d", i%250), "", fmt.Sprintf(`mutation { logIn(input: {email: "x%d@example.org", password: "wrong password"}) { token } }`, i))
		}()
	}
	for range flood - waiting {
		a := <-answers
		require.Equal(t, "UNAVAILABLE", a.reply.code())
		require.NotZero(t, a.reply.Errors[0].Extensions["retryAfter"])
	}
	for range 20 {
		a := ask(t.Context(), "203.0.113.9", "ApiKey "+b.key, `{ viewer { role } subscribers { nodes { id } } }`)
		require.Equal(t, http.StatusOK, a.status)
		require.Empty(t, a.reply.Errors, "callers with a credential are answered")
	}
	in := make(chan answer)
	go func() { in <- logIn(t.Context(), "198.51.100.7", device) }()
	displaced := <-answers // the flood gave a place to the person
	require.Equal(t, "UNAVAILABLE", displaced.reply.code())
	close(busy)
	a := <-in
	require.Empty(t, a.reply.Errors)
	require.NotEmpty(t, at(t, a.reply.Data, "logIn", "token"))
	leave()
	for range slots {
		require.NoError(t, <-freed)
	}
	for range waiting - 1 {
		<-answers
	}
}
