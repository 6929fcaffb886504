package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

func TestFailures(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.accept(0, s.event("x"))
	run, final := s.run("x"), s.run("final")
	run.DueAt = at(0)
	s.insertRuns(run, final)
	failure := &postgres.Failure{At: noon, Pause: time.Minute, Limit: 3, Parked: workflow.TraceEntry{At: noon, Reason: workflow.ReasonCancelled}}
	for n, want := range []struct {
		parked      bool
		run, events any // when they are tried again
	}{{false, jsonTime(1), jsonTime(1)}, {false, jsonTime(3), jsonTime(2)}, {true, nil, nil}} {
		parked, err := postgres.FailNotification(s.ctx, s.Pool, "n-x", failure)
		require.NoError(t, err)
		require.Equal(t, want.parked, parked, n)
		parked, err = postgres.FailEvent(s.ctx, s.Pool, "e-x", failure)
		require.NoError(t, err)
		require.Equal(t, want.parked, parked, n)
		require.Equal(t, want.run, s.record("notifications", "n-x")["due_at"], "pauses double with each failure")
		require.Equal(t, want.events, s.record("events", "e-x")["retry_at"])
	}
	for _, table := range []string{"notifications", "events"} {
		require.Equal(t, 1, ask[int](s, `SELECT count(*) FROM `+table+` WHERE status = 'parked' AND jsonb_array_length(trace) = 1 AND failures = 3`), table)
	}
	parked, err := postgres.FailNotification(s.ctx, s.Pool, "n-final", failure)
	require.NoError(t, err)
	require.False(t, parked)
	require.EqualValues(t, 0, ask[int](s, `SELECT failures FROM notifications WHERE id = 'n-final'`), "what is final does not fail")
}

func TestTakeKeys(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.exec(`UPDATE organizations SET idempotency = id = $1`, s.here.Scope.OrganizationID)
	claim := func(id string, minutes int) postgres.KeyClaim {
		return postgres.KeyClaim{
			ID: id, OrganizationID: s.here.Scope.OrganizationID, EnvironmentID: s.here.Scope.EnvironmentID, Key: "key", RequestHash: []byte(id),
			Now: *at(minutes), ExpiresAt: *at(minutes + 10),
		}
	}
	take := func(claims ...postgres.KeyClaim) []postgres.KeyState {
		states, err := s.DB.TakeKeys(s.ctx, claims)
		require.NoError(t, err)
		return states
	}
	off := claim("off", 0)
	off.OrganizationID = s.there.Scope.OrganizationID
	states := take(claim("first", 0), off, claim("twin", 0))
	require.Equal(t, []bool{true, false, false}, []bool{states[0].Taken, states[1].Taken, states[2].Taken}, "of twins the first counts")
	require.Equal(t, []bool{false, true, false}, []bool{states[0].Off, states[1].Off, states[2].Off})
	running := take(claim("second", 5))[0]
	require.False(t, running.Taken)
	require.Nil(t, running.StatusCode, "it still runs")

	reply := func(id string, code int) error {
		b := &pgx.Batch{}
		postgres.QueueOwnReply(b, s.here.Scope, postgres.KeyReply{ID: id, StatusCode: code, Body: []byte("body"), Now: noon, ExpiresAt: *at(20)})
		return s.Pool.SendBatch(s.ctx, b).Close()
	}
	require.True(t, postgres.KeyLost(reply("second", 201)), "who does not hold the key cannot reply under it")
	require.NoError(t, reply("first", 201))
	done := take(claim("third", 15))[0]
	require.Equal(t, []any{false, 201, "body", "first"}, []any{done.Taken, *done.StatusCode, string(done.Body), string(done.RequestHash)})
	require.NoError(t, s.ReleaseKey(s.ctx, s.here.Scope, "first"))
	require.False(t, take(claim("fourth", 16))[0].Taken, "a reply is not given up")
	require.True(t, take(claim("fifth", 21))[0].Taken, "until it expires")
	require.NoError(t, s.ReleaseKey(s.ctx, s.there.Scope, "fifth"))
	require.False(t, take(claim("sixth", 22))[0].Taken, "another organization cannot release it")
	require.NoError(t, s.ReleaseKey(s.ctx, s.here.Scope, "fifth"))
	require.True(t, take(claim("sixth", 22))[0].Taken)
}
