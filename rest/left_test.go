package rest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/rest"
)

// leaving is a body at whose end the connection is closed: before the length that was promised when err says so.
type leaving struct {
	io.Reader
	leave context.CancelFunc
	err   error
}

func (l leaving) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if err == io.EOF {
		l.leave()
		err = l.err
	}
	return n, err
}

// observed is a bundle with the statuses that its server counts.
func observed(t *testing.T) (b *bundle, counted *[]int) {
	t.Helper()
	counted = new([]int)
	b = setup(t, func(cfg *rest.Config) {
		cfg.Observe = func(_, _ string, status int, _ time.Duration) { *counted = append(*counted, status) }
	})
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	*counted = nil // setup reads the document
	return b, counted
}

// leave sends a body and closes the connection behind it, which ends the request's context as net/http does. It returns the answer,
// which a caller reads who has closed its own side only, and the line of the log.
func (b *bundle) leave(t *testing.T, target, body string, end error, headers ...string) (w *httptest.ResponseRecorder, line map[string]any) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, target, leaving{strings.NewReader(body), cancel, end})
	r.ContentLength = 100
	r.Header.Set("Authorization", "ApiKey "+b.key)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	b.log.Reset()
	w = httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	require.NoError(t, json.Unmarshal(b.log.Bytes(), &line), b.log)
	return w, line
}

const markPath = "/v1/subscribers/u1/messages/mark-as"

// TestTruncatedBodies: a body that ends before its promised length is malformed, whether its sender is known already or not, and
// whether its credential still counts is asked all the same (decisions.md §3).
func TestTruncatedBodies(t *testing.T) {
	t.Parallel()
	b, counted := observed(t)
	ask := func(status int, says, target string, headers ...string) {
		w, line := b.leave(t, target, `{"name":"order-shipped"`, io.ErrUnexpectedEOF, headers...)
		require.Equal(t, status, w.Code, w.Body)
		require.Contains(t, w.Body.String(), says)
		require.Equal(t, "INFO", line["level"], line)
	}
	for range 2 { // first unknown, then known
		ask(http.StatusBadRequest, "MALFORMED_BODY", triggerPath)
		ask(http.StatusBadRequest, "MALFORMED_BODY", triggerPath, "Idempotency-Key", "k")
		ask(http.StatusBadRequest, "MALFORMED_BODY", markPath)
		ask(http.StatusBadRequest, "MALFORMED_BODY", markPath, "Content-Encoding", "gzip")
	}
	exec(t, b, `UPDATE api_keys SET revoked_at = '2020-01-01'`)
	ask(http.StatusUnauthorized, "not valid", triggerPath)
	require.Equal(t, []int{400, 400, 400, 400, 400, 400, 400, 400, 401}, *counted)
}

// TestCallersWhoLeave: what fails because its caller has left is no failure of the service, in the log and in the figures.
func TestCallersWhoLeave(t *testing.T) {
	t.Parallel()
	b, counted := observed(t)
	for range 2 {
		_, line := b.leave(t, markPath, `{"messageId":"`+fixed(0x701)+`","markAs":"read"}`, io.EOF)
		require.Equal(t, "INFO", line["level"], line)
		require.InDelta(t, telemetry.StatusLeft, line["status"], 0)
	}
	require.Equal(t, []int{telemetry.StatusLeft, telemetry.StatusLeft}, *counted)

	// One whose statement is under way has it cancelled.
	lock, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, lock.Rollback(context.WithoutCancel(t.Context()))) }()
	_, err = lock.Exec(t.Context(), `LOCK TABLE subscribers IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	ctx, leave := context.WithCancel(t.Context())
	b.log.Reset()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/v2/subscribers/u1/preferences", nil)
		r.Header.Set("Authorization", "ApiKey "+b.key)
		b.handler.ServeHTTP(httptest.NewRecorder(), r)
	}()
	require.Eventually(t, func() (waits bool) {
		err := lock.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'subscribers'::regclass)`).Scan(&waits)
		return err == nil && waits
	}, 30*time.Second, 5*time.Millisecond)
	leave()
	<-answered
	require.Contains(t, b.log.String(), `"level":"INFO"`)
	require.Equal(t, telemetry.StatusLeft, (*counted)[2])

	require.NoError(t, b.acceptor.Stop(t.Context()))
	require.Equal(t, http.StatusServiceUnavailable, b.ask(http.MethodPost, triggerPath, oneTrigger).Code)
	require.Equal(t, http.StatusServiceUnavailable, (*counted)[3], "who has not left gets what is counted")
}
