// Package notifytest is what tests of the use cases share: databases with viewers, records to begin with, and checks of
// failures.
package notifytest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Audience is a database with one environment and a viewer of it who may do everything.
type Audience struct {
	*notify.Services
	DB    *postgres.DB
	Ctx   context.Context //nolint:containedctx // every call of a test has the same viewer
	Scope viewer.Scope
	Now   time.Time // the present; a test may move it
}

// NewAudience returns an Audience whose clock is fixed. changes complete what its use cases are built of.
func NewAudience(t *testing.T, changes ...func(*usecase.Config)) *Audience {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	a := &Audience{DB: pgtest.New(t), Now: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
	registry, err := vendors.Registry()
	require.NoError(t, err)
	cfg := usecase.Config{DB: a.DB, Now: func() time.Time { return a.Now }, Secrets: keeper, Providers: registry}
	for _, change := range changes {
		change(&cfg)
	}
	a.Services = notify.New(cfg)
	made, err := a.Bootstrap(t.Context(), access.BootstrapInput{})
	require.NoError(t, err)
	a.Scope = viewer.Scope{OrganizationID: made.Organization.ID, EnvironmentID: made.Environment.ID}
	a.Ctx = a.As(t, viewer.Viewer{Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "key"})
	return a
}

// As returns the context of a viewer of the environment, or of the one that v names.
func (a *Audience) As(t *testing.T, v viewer.Viewer) context.Context {
	t.Helper()
	if v.Scope == (viewer.Scope{}) {
		v.Scope = a.Scope
	}
	return viewer.NewContext(t.Context(), v)
}

// OtherEnvironment makes another environment of the organization and returns the context of its key.
func (a *Audience) OtherEnvironment(t *testing.T) context.Context {
	t.Helper()
	made, err := a.DB.Ent.Environment.Create().SetOrganizationID(a.Scope.OrganizationID).SetIdentifier("other").SetName("Other").
		Save(viewer.SystemContext(t.Context()))
	require.NoError(t, err)
	return a.As(t, viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: a.Scope.OrganizationID, EnvironmentID: made.ID},
		Role:  viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "other key",
	})
}

// MakeSubscribers makes subscribers u0, u1, …
func (a *Audience) MakeSubscribers(t *testing.T, n int) []*ent.Subscriber {
	t.Helper()
	made := make([]*ent.Subscriber, n)
	for i := range made {
		var err error
		made[i], err = a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: fmt.Sprintf("u%d", i)})
		require.NoError(t, err)
	}
	return made
}

// MakeWorkflow makes a workflow that was never published.
func (a *Audience) MakeWorkflow(t *testing.T, identifier string, change func(*ent.WorkflowCreate, *workflow.Definition)) *ent.Workflow {
	t.Helper()
	draft := &workflow.Definition{}
	create := a.DB.Ent.Workflow.Create().SetIdentifier(identifier).SetName(identifier).SetDraft(draft)
	if change != nil {
		change(create, draft)
	}
	made, err := create.Save(a.Ctx)
	require.NoError(t, err)
	return made
}

// MakeEvent makes an event of a workflow that is not there, whose recipients are still to be found; change completes it.
func (a *Audience) MakeEvent(t *testing.T, transactionID string, change ...func(*ent.EventCreate)) *ent.Event {
	t.Helper()
	none := workflow.NewContextSet()
	create := a.DB.Ent.Event.Create().SetTransactionID(transactionID).SetWorkflowID("w").SetWorkflowVersionID("v").SetKind(event.KindTrigger).
		SetPayload(map[string]any{}).SetContextKeys(none).SetScope(none.Scope()).SetDueAt(a.Now)
	for _, c := range change {
		c(create)
	}
	made, err := create.Save(a.Ctx)
	require.NoError(t, err)
	return made
}

// MakeRun makes a notification of an event, which has a status.
func (a *Audience) MakeRun(t *testing.T, of *ent.Event, subscriberID string, status workflow.RunStatus) *ent.Notification {
	t.Helper()
	create := a.DB.Ent.Notification.Create().SetEventID(of.ID).SetTransactionID(of.TransactionID).SetWorkflowID(of.WorkflowID).
		SetWorkflowVersionID(of.WorkflowVersionID).SetSubscriberID(subscriberID).SetStatus(status).SetTrace([]workflow.TraceEntry{}).
		SetContextKeys(of.ContextKeys).SetScope(of.Scope)
	if status == workflow.RunWaiting {
		create.SetDueAt(a.Now.Add(time.Hour))
	}
	made, err := create.Save(a.Ctx)
	require.NoError(t, err)
	return made
}

// MakeMessages makes in-app messages of a subscriber and counts them.
func (a *Audience) MakeMessages(t *testing.T, of *ent.Subscriber, n int, keys ...string) []id.ID {
	t.Helper()
	set := workflow.NewContextSet(keys...)
	ids := id.Batch(a.Now, n)
	err := a.DB.Tx(a.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		deltas := make([]pginbox.InboxDelta, n)
		for i, messageID := range ids {
			err := tx.Ent.Message.Create().SetID(messageID).SetNotificationID(id.New(a.Now)).SetEventID(id.New(a.Now)).
				SetTransactionID("t").SetWorkflowID(id.New(a.Now)).SetWorkflowIdentifier("w").SetStepID("s").
				SetSubscriberID(of.ID).SetChannel(workflow.ChannelInApp).SetTarget("inbox").SetStatus(workflow.MessageSent).
				SetContextKeys(set).SetScope(set.Scope()).Exec(ctx)
			if err != nil {
				return err
			}
			deltas[i] = pginbox.InboxDelta{
				EnvironmentID: a.Scope.EnvironmentID, SubscriberID: of.ID, Scope: set.Scope(), ContextKeys: set,
				Total: 1, Unread: 1, Unseen: 1,
			}
		}
		_, err := pginbox.BumpInbox(ctx, tx.Pgx, deltas)
		return err
	})
	require.NoError(t, err)
	return ids
}
