package triggers_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestIdempotencyKeys holds what the second of two requests with one key is answered with.
func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = time.Now().UTC()
	take := func(key, body string) (*triggers.KeyUse, bool, error) {
		use, err := a.Idempotency.Claim(a.Ctx, key, []byte(body))
		if err != nil {
			return nil, false, err
		}
		held, err := use.Take(a.Ctx)
		return use, held, err
	}
	met := func(err error) *triggers.ReplayError {
		t.Helper()
		var replay *triggers.ReplayError
		require.ErrorAs(t, err, &replay)
		return replay
	}
	first, held, err := take("k", "body")
	require.NoError(t, err)
	require.True(t, held)
	_, _, err = take("k", "body")
	require.Equal(t, fault.Conflict, fault.KindOf(met(err).Reason), "it is still being processed")
	require.Equal(t, "IDEMPOTENCY_KEY_IN_USE", notifytest.Code(err))
	_, held, err = take("other", "body")
	require.NoError(t, err)
	require.True(t, held, "another key")

	refusal := errors.New("refused")
	_, err = first.Run(a.Ctx, func(context.Context) (triggers.StoredReply, error) { return triggers.StoredReply{}, refusal })
	require.ErrorIs(t, err, refusal)
	_, _, err = take("k", "body")
	require.Nil(t, met(err).Reply, "nothing is stored of what failed")
	require.NoError(t, first.Keep(a.Ctx, triggers.StoredReply{Status: 201, Body: []byte("made")}))
	_, _, err = take("k", "body")
	require.Equal(t, &triggers.StoredReply{Status: 201, Body: []byte("made")}, met(err).Reply)
	_, _, err = take("k", "another body")
	require.Equal(t, fault.Invalid, fault.KindOf(met(err).Reason))
	require.Nil(t, met(err).Reply)
	require.NoError(t, first.Release(a.Ctx))
	_, _, err = take("k", "body")
	require.NotNil(t, met(err).Reply, "a reply that was stored stays")

	second, _, err := take("released", "body")
	require.NoError(t, err)
	require.NoError(t, second.Release(a.Ctx))
	_, held, err = take("released", "another body")
	require.NoError(t, err)
	require.True(t, held, "a key that was given back is free")

	for name, c := range map[string]struct {
		filter *triggers.IdempotencyRecordFilter
		want   int
	}{
		"none":        {nil, 3},
		"keys":        {&triggers.IdempotencyRecordFilter{KeyIn: []string{"k", "none"}}, 1},
		"status":      {&triggers.IdempotencyRecordFilter{StatusCodeIn: []int{201}}, 1},
		"in progress": {&triggers.IdempotencyRecordFilter{InProgress: notifytest.Yes()}, 2},
		"answered":    {&triggers.IdempotencyRecordFilter{InProgress: notifytest.No()}, 1},
	} {
		list, err := a.Idempotency.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	record, err := a.Idempotency.ByKey(a.Ctx, "k")
	require.NoError(t, err)
	same, err := a.Idempotency.Get(a.Ctx, record.GlobalID())
	require.NoError(t, err)
	require.Equal(t, record.ID, same.ID)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Idempotency.ByKey(a.Ctx, "none")))
}

// TestLongIdempotencyKeys holds the longest key, which an organization that does without keys may exceed.
func TestLongIdempotencyKeys(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	claim := func(key string) error { return notifytest.Err(a.Idempotency.Claim(a.Ctx, key, nil)) }
	long := strings.Repeat("ü", triggers.MaxIdempotencyKey)
	require.NoError(t, claim(long))
	err := claim(long + "x")
	require.Equal(t, "IDEMPOTENCY_KEY_TOO_LONG", notifytest.Code(err))
	require.NotContains(t, err.Error(), long, "the answer quotes its beginning only")
	organization := func(on bool) *ent.Organization {
		return a.DB.Ent.Organization.UpdateOneID(a.Scope.OrganizationID).SetIdempotency(on).SaveX(viewer.SystemContext(t.Context()))
	}
	organization(false)
	require.NoError(t, claim(long+"x"))
	use, err := a.Idempotency.Claim(a.Ctx, "k", nil)
	require.NoError(t, err)
	held, err := use.Take(a.Ctx)
	require.NoError(t, err)
	require.False(t, held, "nothing is taken where keys do not count")
	require.Zero(t, a.DB.Ent.IdempotencyRecord.Query().CountX(a.Ctx))
	notifytest.RequireKind(t, fault.Unauthenticated, notifytest.Err(a.Idempotency.Claim(t.Context(), "k", nil)))
}

// TestTriggerPermissions holds who may trigger, cancel, explain and look at idempotency records.
func TestTriggerPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantTrigger, viewer.RoleEditor, map[string]notifytest.Call{
		"trigger":   func(c context.Context) error { return notifytest.Err(a.Triggers.Trigger(c, triggers.TriggerInput{})) },
		"broadcast": func(c context.Context) error { return notifytest.Err(a.Triggers.Broadcast(c, triggers.TriggerInput{})) },
		"bulk": func(c context.Context) error {
			return notifytest.Err(a.Triggers.Bulk(c, []*triggers.TriggerInput{triggers.NewTriggerInput([]byte(`{`), nil)}))
		},
		"cancelTransaction": func(c context.Context) error { return notifytest.Err(a.Cancellations.Transaction(c, "none")) },
		"cancelNotification": func(c context.Context) error {
			return notifytest.Err(a.Cancellations.Notification(c, strings.Repeat("a", 24)))
		},
	})
	permissions.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"explain": func(c context.Context) error {
			return notifytest.Err(a.Triggers.Explain(c, triggers.TriggerInput{}, new(0), nil))
		},
		"explainBroadcast": func(c context.Context) error {
			return notifytest.Err(a.Triggers.ExplainBroadcast(c, triggers.TriggerInput{}, new(0), nil))
		},
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleAdmin, map[string]notifytest.Call{
		"idempotencyRecords":     func(c context.Context) error { return notifytest.Err(a.Idempotency.List(c, usecase.Page{}, nil, nil)) },
		"idempotencyRecordByKey": func(c context.Context) error { return notifytest.Err(a.Idempotency.ByKey(c, "none")) },
	})
	notifytest.RequirePermissions(t, a.Scope, permissions)
}
