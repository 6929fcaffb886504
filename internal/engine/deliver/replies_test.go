package deliver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
)

// TestReplyIsPosted: whatever a callback answers is tried again, as often as an e-mail, unless the address is gone.
func TestReplyIsPosted(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM replies`)
	bodies := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body) + " " + r.Header.Get("Idempotency-Key")
		w.WriteHeader(map[string]int{"/ok": 200, "/bad": 400, "/down": 503, "/gone": 410, "/nul": 500}[r.URL.Path])
		if r.URL.Path == "/nul" {
			_, _ = io.WriteString(w, "out\x00of order") // the database takes no such byte
		}
	}))
	t.Cleanup(server.Close)
	shared := newWorker(t, func(cfg *state.Config) {
		cfg.DB, cfg.Deps = s.DB, provider.Deps{Chosen: http.DefaultTransport}
	}).Shared
	p := &ReplyPoster{shared}
	for _, c := range []struct {
		path     string
		attempts int
		status   string
		again    bool
	}{
		{"/ok", 0, "delivered", false},
		{"/bad", 0, "pending", true},
		{"/down", 0, "pending", true},
		{"/nul", 0, "pending", true},
		{"/down", 2, "pending", true}, // as long as e-mails
		{"/down", 29, "failed", false},
		{"/gone", 0, "failed", false},
	} {
		id := s.Add(s.Here, "replies", pgtest.Values{
			"url": server.URL + c.path, "body": `{"text": "thanks"}`, "status": "pending", "attempts": c.attempts, "due_at": time.Now().Add(-time.Minute),
			"leased_until": nil, "error_text": nil, "created_at": time.Now(),
		})
		claimed, err := p.Claim(s.Ctx)
		require.NoError(t, err)
		require.Len(t, claimed, 1, c)
		again, err := p.Claim(s.Ctx)
		require.NoError(t, err)
		require.Empty(t, again, "it is leased")
		require.NoError(t, p.Post(s.Ctx, claimed))
		require.Equal(t, `{"text": "thanks"} `+id, <-bodies)
		row := s.Record("replies", id)
		require.Equal(t, c.status, row["status"], c)
		require.Equal(t, c.again, row["due_at"] != nil, c)
		require.Equal(t, c.path == "/ok", row["error_text"] == nil, c)
		s.Exec(`DELETE FROM replies`)
	}
}
