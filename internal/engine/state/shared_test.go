package state_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
)

// callbacks are those of an engine that signs with key and sends through client.
func callbacks(key func(string) string, client http.RoundTripper) *state.Callbacks {
	return state.New(state.Config{DB: &postgres.DB{}, CallbackKey: key, Deps: provider.Deps{Chosen: client, Prefix: "acme"}}).Callbacks
}

func TestCallbacksAreSigned(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a": 1}`)
	signed := callbacks(func(environmentID string) string { return "key of " + environmentID }, nil)
	header := signed.Sign("env", "req-1", 3)(body)
	require.Equal(t, []string{"req-1", "req-1", "3"}, []string{header.Get("Webhook-Id"), header.Get("Idempotency-Key"), header.Get("X-Acme-Attempt")})
	require.Equal(t, provider.HexHMAC("key of env", body), header.Get("X-Acme-Signature"))
	require.NotEmpty(t, header.Get("Webhook-Signature"))
	require.NotEqual(t, header.Get("X-Acme-Signature"), signed.Sign("other", "req-1", 3)(body).Get("X-Acme-Signature"), "each environment has its key")
	require.NotEqual(t, header.Get("Webhook-Signature"), signed.Sign("env", "req-2", 3)(body).Get("Webhook-Signature"), "the id is signed")

	unsigned := callbacks(nil, nil).Sign("env", "req-1", 1)(body)
	require.Equal(t, "req-1", unsigned.Get("Webhook-Id"))
	require.Empty(t, unsigned.Get("Webhook-Signature"))
	require.Empty(t, unsigned.Get("X-Acme-Signature"))

	nameless := state.New(state.Config{DB: &postgres.DB{}}).Callbacks.Sign("env", "req-1", 1)(body)
	require.Equal(t, "1", nameless.Get("X-Svc-Attempt"))
}

// roundTrip is a transport of one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCallbackIsSent(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"path": "` + r.URL.Path + `"}`))
	}))
	t.Cleanup(receiver.Close)
	answer, err := callbacks(nil, receiver.Client().Transport).Do(t.Context(), &provider.Request{
		Method: http.MethodPost, URL: receiver.URL + "/step", Origin: provider.OriginTarget,
		Body: provider.Raw{ContentType: "application/json", Data: []byte(`{}`)},
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.Status)
	require.JSONEq(t, `{"path": "/step"}`, string(answer.Body))
}

func TestPanicOfACallbackIsAnError(t *testing.T) {
	t.Parallel()
	broken := roundTrip(func(*http.Request) (*http.Response, error) { panic("no route") })
	answer, err := callbacks(nil, broken).Do(t.Context(), &provider.Request{Method: http.MethodGet, URL: "http://receiver.example/", Origin: provider.OriginTarget})
	require.ErrorContains(t, err, "no route")
	require.Nil(t, answer)
}

func TestSpansContinueTheEventsTrace(t *testing.T) {
	t.Parallel()
	s := state.New(state.Config{DB: &postgres.DB{}, Tracer: sdktrace.NewTracerProvider().Tracer("test")})
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ctx, span := s.Span(t.Context(), parent, "fan out")
	span.End()
	require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", span.SpanContext().TraceID().String())
	require.Equal(t, span, trace.SpanFromContext(ctx))
	for _, unusable := range []string{"", "00-zz"} {
		_, other := s.Span(t.Context(), unusable, "fan out")
		other.End()
		require.True(t, other.SpanContext().IsValid(), "a trace of its own")
		require.NotEqual(t, span.SpanContext().TraceID(), other.SpanContext().TraceID())
	}
}

func TestBackgroundStopsOnce(t *testing.T) {
	t.Parallel()
	b := state.New(state.Config{DB: &postgres.DB{}}).Background
	ended := make(chan struct{})
	b.Go(func() {
		<-b.Stopping
		close(ended)
	})
	select {
	case <-ended:
		t.Fatal("it ended before it was asked to")
	default:
	}
	b.Stop()
	b.Stop()
	b.Wait()
	<-ended
}

func TestTransactionsTurnPanicsIntoErrors(t *testing.T) {
	t.Parallel()
	store := pgtest.NewStore(t)
	s := state.New(state.Config{DB: store.DB})
	store.Exec(`CREATE TABLE notes (text text)`)
	count := func() (n int) {
		require.NoError(t, store.Pool.QueryRow(store.Ctx, `SELECT count(*) FROM notes`).Scan(&n))
		return n
	}
	insert := func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO notes VALUES ('x')`)
		return err
	}
	require.NoError(t, s.InTx(store.Ctx, insert))
	require.Equal(t, 1, count())

	refused := errors.New("refused")
	require.ErrorIs(t, s.InTx(store.Ctx, func(ctx context.Context, tx pgx.Tx) error { return errors.Join(insert(ctx, tx), refused) }), refused)
	require.ErrorContains(t, s.InTx(store.Ctx, func(ctx context.Context, tx pgx.Tx) error {
		_ = insert(ctx, tx)
		panic("broken")
	}), "broken")
	require.Equal(t, 1, count(), "neither left anything")
}

func TestClocksAreRead(t *testing.T) {
	t.Parallel()
	store := pgtest.NewStore(t)
	noon, midnight := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC), time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	environmentID := store.Here.Scope.EnvironmentID
	store.Exec(`UPDATE environments SET clock_at = $1, type = 'development' WHERE id = $2`, midnight, environmentID)

	s := state.New(state.Config{DB: store.DB, Clock: fixedClock(noon)})
	at, err := s.Clocks.ReadNow(store.Ctx, environmentID)
	require.NoError(t, err)
	require.Equal(t, noon, at, "clocks cannot be set")
	require.False(t, s.Clocks.Moment().Virtual)

	store.DB.VirtualClocks = true
	for _, table := range []string{"events", "notifications", "messages"} {
		store.Exec(`UPDATE ` + table + ` SET due_at = NULL`)
	}
	store.Exec(`UPDATE messages SET snoozed_until = NULL`)
	at, err = s.Clocks.ReadNow(store.Ctx, environmentID)
	require.NoError(t, err)
	require.Equal(t, midnight, at)
	require.Equal(t, midnight, s.Clocks.Now(environmentID).UTC())
	require.Equal(t, noon, s.Clocks.Moment().Now, "due rows are compared by real time")
	require.True(t, s.Clocks.Moment().Virtual)

	store.Exec(`UPDATE environments SET clock_at = NULL WHERE id = $1`, environmentID)
	require.NoError(t, s.Clocks.Read(store.Ctx, store.Pool, []string{environmentID}))
	_, frozen := s.Clocks.FrozenAt(environmentID)
	require.False(t, frozen)
	require.Equal(t, noon, s.Clocks.Now(environmentID))

	s.Clocks.Set(map[string]*pgrun.EnvironmentRow{environmentID: {FrozenAt: &midnight}})
	require.Equal(t, midnight, s.Clocks.Now(environmentID))
}
