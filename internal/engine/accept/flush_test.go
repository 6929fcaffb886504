package accept_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// stuck runs statements in a transaction of another process that stays open until it is released.
func (b *acceptBundle) stuck(t *testing.T, sql string, args ...any) (release func()) {
	t.Helper()
	other, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	release = func() { _ = other.Rollback(context.WithoutCancel(t.Context())) }
	t.Cleanup(release)
	_, err = other.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
	return release
}

// TestStuckTransactionID: while another transaction holds a transactionId, only the requests that name it fail, and they may be repeated.
func TestStuckTransactionID(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	b.publish(t, b.older, "calm", oneStep)
	a := b.acceptor(t)
	calm := generated(of(b.older, b.item("calm", "txn_calm")))
	release := b.stuck(t, `INSERT INTO transaction_claims (id, created_at, updated_at, environment_id, transaction_id, event_id)
		VALUES ('elsewhere', now(), now(), $1, 't1', 'elsewhere')`, b.environment)
	outcomes, errs := b.together(t, a, b.item("good", "t1"), calm, b.item("good", "t2"), b.item("good", "t1"))
	require.Equal(t, []fault.Kind{fault.Unavailable, fault.Unavailable}, []fault.Kind{fault.KindOf(errs[0]), fault.KindOf(errs[3])})
	for _, i := range []int{1, 2} {
		require.NoError(t, errs[i])
		require.NotEmpty(t, outcomes[i].EventID)
	}
	release()
	require.NotEmpty(t, acceptAll(t, a, b.item("good", "t1"))[0].EventID)
}

// TestStuckPlan: where a plan changes a row that another transaction holds, the events of its environment are fanned out once they are
// stored, and the planner hears of it. Those of other environments are stored as they were planned.
func TestStuckPlan(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	b.publish(t, b.older, "calm", oneStep)
	a := b.acceptor(t)
	p := b.planning(a)
	p.store = func(q *pgx.Batch, transactionID string) {
		if transactionID == "inbox" {
			q.Queue(`SELECT pg_advisory_xact_lock(1)`)
		}
	}
	calm := of(b.older, b.item("calm", "c1"))
	acceptAll(t, a, calm)
	acceptAll(t, a, b.item("good", "g1")) // the workflows are known from here on
	b.stuck(t, `SELECT pg_advisory_xact_lock(1)`)
	calm.TransactionID = "c2"
	outcomes, errs := b.together(t, a, b.item("good", "inbox"), calm, b.item("good", "g2"))
	require.Equal(t, make([]error, 3), errs)
	require.Equal(t, []string{b.environment}, p.held)
	require.ElementsMatch(t, []string{outcomes[0].EventID, outcomes[2].EventID}, p.unplanned)
	require.Equal(t, 6, b.count(t, "events"))
}

// TestStoredUnplannedIsLoggedWhenItIs: a plan that cannot be stored costs its event nothing but the plan, which the log says. Of a database
// that stores nothing each request tells.
func TestStoredUnplannedIsLoggedWhenItIs(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	var logged bytes.Buffer
	a := b.acceptor(t, func(cfg *accept.Config) { cfg.Logger = slog.New(slog.NewTextHandler(&logged, nil)) })
	p := b.planning(a)
	acceptAll(t, a, b.item("good", "first")) // the workflow is known from here on
	p.store = func(q *pgx.Batch, _ string) { q.Queue(`SELECT 1 / 0`) }
	require.NotEmpty(t, acceptAll(t, a, b.item("good", "unplanned"))[0].EventID)
	require.Contains(t, logged.String(), "events are stored before they are planned")
	require.Contains(t, logged.String(), "22012")

	logged.Reset()
	p.store = nil
	_, err := b.db.Pool.Exec(t.Context(), `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
		AS $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()`)
	require.NoError(t, err)
	_, err = a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "refused")}})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.Empty(t, logged.String())
}

// TestPanicFailsAlone: a request whose plan or reply panics does not fail those that are committed with it.
func TestPanicFailsAlone(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	b.planning(a).store = func(_ *pgx.Batch, transactionID string) {
		if transactionID == "bad" {
			panic("a fault of ours")
		}
	}
	acceptAll(t, a, b.item("good", "g1")) // the workflow is known from here on
	outcomes, errs := b.together(t, a, b.item("good", "g2"), b.item("good", "bad"), b.item("good", "g3"))
	require.Equal(t, make([]error, 3), errs)
	for i := range outcomes {
		require.NotEmpty(t, outcomes[i].EventID, "also that of the plan, without which it is stored")
	}
	key := b.keyOf(t, "bad", "bad")
	key.Reply = func([]accept.Outcome) (*pgaccept.KeyReply, error) { panic("a fault of ours") }
	_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "g4")}, Key: key})
	require.ErrorContains(t, err, "a fault of ours")
	require.Equal(t, 5, b.count(t, "events"))
}
