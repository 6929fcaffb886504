package access_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestDemoQuota(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	sms, mail := a.Integration(t, "acme-sms"), a.Integration(t, "acme-email")
	now := time.Now().UTC()
	at := now
	quota := access.NewDemoQuota(a.DB, func() time.Time { return at }, map[string]int{"svc-sms": 2})
	takes := func(message string) bool {
		ok, err := quota.Take(a.Ctx, "svc-sms", message)
		require.NoError(t, err)
		return ok
	}
	called := func(message, integration string, outcome workflow.AttemptOutcome) {
		now = now.Add(time.Millisecond)
		attempt := a.DB.Ent.Attempt.Create().SetID(id.New(now)).SetMessageID(message).SetNumber(1).SetIntegrationID(integration).
			SetProviderID("svc").SetOutcome(outcome)
		if outcome == workflow.AttemptAccepted {
			attempt.SetProviderMessageID("of " + message)
		}
		attempt.ExecX(a.Ctx)
	}
	messages := id.Batch(now, 6)

	require.True(t, takes(messages[0]))
	called(messages[0], sms.ID, workflow.AttemptAccepted)
	called(messages[5], mail.ID, workflow.AttemptAccepted)
	called(messages[4], sms.ID, workflow.AttemptRejected)
	require.True(t, takes(messages[1]), "neither another provider's message counts nor one that was refused")

	called(messages[1], sms.ID, workflow.AttemptAccepted)
	require.True(t, takes(messages[1]), "a message counts once, however often it is tried")
	require.False(t, takes(messages[2]))

	larger := access.NewDemoQuota(a.DB, func() time.Time { return at }, map[string]int{"svc-sms": 3})
	called(messages[2], sms.ID, workflow.AttemptIntent)
	called(messages[3], sms.ID, workflow.AttemptIntent)
	for message, want := range map[string]bool{messages[2]: true, messages[3]: false} {
		ok, err := larger.Take(a.Ctx, "svc-sms", message)
		require.NoError(t, err)
		require.Equal(t, want, ok, "of messages on their way the earlier ones count")
	}

	at = now.AddDate(10, 0, 0) // far ahead of ids of other tests, whose clocks are ahead: ids of one process never go back
	require.True(t, takes(messages[3]), "another month")
	at = now
	other := notifytest.NewAuthoring(t)
	ok, err := quota.Take(other.Ctx, "svc-sms", messages[3])
	require.NoError(t, err)
	require.True(t, ok, "another organization")
	ok, err = quota.Take(a.Ctx, "svc-email", messages[3])
	require.NoError(t, err)
	require.True(t, ok, "without a cap")
}
