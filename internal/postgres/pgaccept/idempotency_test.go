package pgaccept_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestTakeKeys(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE organizations SET idempotency = id = $1`, s.Here.Scope.OrganizationID)
	claim := func(id string, minutes int) pgaccept.KeyClaim {
		return pgaccept.KeyClaim{
			ID: id, OrganizationID: s.Here.Scope.OrganizationID, EnvironmentID: s.Here.Scope.EnvironmentID, Key: "key", RequestHash: []byte(id),
			Now: *pgtest.At(minutes), ExpiresAt: *pgtest.At(minutes + 10),
		}
	}
	take := func(claims ...pgaccept.KeyClaim) []pgaccept.KeyState {
		states, err := pgaccept.TakeKeys(s.Ctx, s.DB, claims)
		require.NoError(t, err)
		return states
	}
	off := claim("off", 0)
	off.OrganizationID = s.There.Scope.OrganizationID
	states := take(claim("first", 0), off, claim("twin", 0))
	require.Equal(t, []bool{true, false, false}, []bool{states[0].Taken, states[1].Taken, states[2].Taken}, "of twins the first counts")
	require.Equal(t, []bool{false, true, false}, []bool{states[0].Off, states[1].Off, states[2].Off})
	running := take(claim("second", 5))[0]
	require.False(t, running.Taken)
	require.Nil(t, running.StatusCode, "it still runs")

	reply := func(id string, code int) error {
		b := &pgx.Batch{}
		pgaccept.QueueOwnReply(b, s.Here.Scope, pgaccept.KeyReply{ID: id, StatusCode: code, Body: []byte("body"), Now: pgtest.Noon, ExpiresAt: *pgtest.At(20)})
		return s.Pool.SendBatch(s.Ctx, b).Close()
	}
	require.True(t, pgaccept.Overtaken(reply("second", 201)), "who does not hold the key cannot reply under it")
	require.NoError(t, reply("first", 201))
	done := take(claim("third", 15))[0]
	require.Equal(t, []any{false, 201, "body", "first"}, []any{done.Taken, *done.StatusCode, string(done.Body), string(done.RequestHash)})
	require.NoError(t, pgaccept.ReleaseKey(s.Ctx, s.DB, s.Here.Scope, "first", *pgtest.At(60)))
	require.False(t, take(claim("fourth", 16))[0].Taken, "a reply is not given up")
	require.True(t, take(claim("fifth", 21))[0].Taken, "until it expires")
	require.NoError(t, pgaccept.ReleaseKey(s.Ctx, s.DB, s.There.Scope, "fifth", *pgtest.At(60)))
	require.False(t, take(claim("sixth", 22))[0].Taken, "another organization cannot release it")
	require.NoError(t, pgaccept.ReleaseKey(s.Ctx, s.DB, s.Here.Scope, "fifth", *pgtest.At(60)))
	require.True(t, take(claim("sixth", 22))[0].Taken)

	keep := func(id string) error {
		b := &pgx.Batch{}
		pgaccept.QueueKeptKey(b, s.Here.Scope, id, *pgtest.At(600))
		return s.Pool.SendBatch(s.Ctx, b).Close()
	}
	require.True(t, pgaccept.Overtaken(keep("fifth")), "the key is another request's now")
	require.NoError(t, keep("sixth"))
	require.NoError(t, pgaccept.ReleaseKey(s.Ctx, s.DB, s.Here.Scope, "sixth", *pgtest.At(60)))
	kept := take(claim("seventh", 500))[0]
	require.False(t, kept.Taken, "what was done keeps the key")
	require.Equal(t, []time.Time{*pgtest.At(22), *pgtest.At(600)}, []time.Time{kept.Since.UTC(), kept.ExpiresAt.UTC()})
}
