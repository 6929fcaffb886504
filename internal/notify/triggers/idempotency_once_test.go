package triggers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// TestOnce holds what a repetition of a write is answered with that commits before it has its reply.
func TestOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = time.Now().UTC()
	const secretReply = `{"token":"secret"}`
	ran := 0
	commits := func(ctx context.Context) ([]byte, bool) {
		ran++
		err := a.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Pgx.Exec(ctx, `UPDATE organizations SET updated_at = now()`)
			return err
		})
		require.NoError(t, err)
		return []byte(secretReply), false
	}
	reads := func(context.Context) ([]byte, bool) { ran++; return []byte("refused"), true }
	once := func(key, hash string, write func(context.Context) ([]byte, bool)) (reply string, replayed bool, err error) {
		body, held, replayed, err := a.Idempotency.Once(a.Ctx, key, []byte(hash), write)
		require.True(t, held)
		return string(body), replayed, err
	}
	for i := range 2 {
		reply, replayed, err := once("k", "h", commits)
		require.NoError(t, err)
		require.Equal(t, []any{secretReply, i == 1, 1}, []any{reply, replayed, ran})
	}
	record, err := a.Idempotency.ByKey(a.Ctx, "k")
	require.NoError(t, err)
	require.NotContains(t, string(record.Body), "secret", "a reply may hold a new key")
	_, _, err = once("k", "other", commits)
	require.Equal(t, fault.Invalid, fault.KindOf(err))

	for range 2 {
		_, replayed, err := once("refused", "h", reads)
		require.NoError(t, err)
		require.False(t, replayed, "nothing was done, so it may be tried again")
	}
	reply, _, err := once("partly", "h", func(ctx context.Context) ([]byte, bool) { commits(ctx); return []byte("partly"), true })
	require.NoError(t, err)
	ran = 0
	again, replayed, err := once("partly", "h", commits)
	require.NoError(t, err)
	require.Equal(t, []any{reply, true, 0}, []any{again, replayed, ran}, "what was done in part is not done again")
}

// TestOnceReplyLost: the process that runs a write dies, at best after a commit.
func TestOnceReplyLost(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = time.Now().UTC()
	begun := a.Now
	_, _, _, err := a.Idempotency.Once(a.Ctx, "long", []byte("h"), func(ctx context.Context) ([]byte, bool) {
		return make([]byte, 1<<20+1), a.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Pgx.Exec(ctx, `UPDATE organizations SET updated_at = now()`)
			return err
		}) != nil
	})
	require.NoError(t, err)
	dies := func(does string) func(context.Context) ([]byte, bool) {
		return func(ctx context.Context) ([]byte, bool) {
			require.NoError(t, a.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
				if does == "" {
					return nil
				}
				_, err := tx.Pgx.Exec(ctx, does)
				return err
			}))
			panic("dies")
		}
	}
	once := func(key string) error {
		_, _, _, err := a.Idempotency.Once(a.Ctx, key, []byte("h"), func(context.Context) ([]byte, bool) { return nil, false })
		return err
	}
	for key, does := range map[string]string{"nothing": "", "something": `UPDATE organizations SET updated_at = now()`} {
		require.Panics(t, func() { _, _, _, _ = a.Idempotency.Once(a.Ctx, key, []byte("h"), dies(does)) })
		require.Equal(t, "IDEMPOTENCY_KEY_IN_USE", notifytest.Code(once(key)), "it may be running yet")
	}
	a.Now = begun.Add(6 * time.Minute)
	require.NoError(t, once("nothing"), "a repetition does it")
	require.Equal(t, "IDEMPOTENCY_REPLY_LOST", notifytest.Code(once("something")), "a repetition would do it again")
	require.Equal(t, "IDEMPOTENCY_REPLY_LOST", notifytest.Code(once("long")), "so long a reply is not kept")
	a.Now = begun.Add(25 * time.Hour)
	require.NoError(t, once("something"))
}

// TestOnceWithoutKeys: an organization that does without keys runs writes as if none had one.
func TestOnceWithoutKeys(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.DB.Ent.Organization.UpdateOneID(a.Scope.OrganizationID).SetIdempotency(false).ExecX(viewer.SystemContext(t.Context()))
	ran := 0
	for range 2 {
		reply, held, replayed, err := a.Idempotency.Once(a.Ctx, "k", nil, func(context.Context) ([]byte, bool) { ran++; return []byte("r"), false })
		require.NoError(t, err)
		require.Equal(t, []any{"r", false, false}, []any{string(reply), held, replayed})
	}
	require.Equal(t, 2, ran)
}
