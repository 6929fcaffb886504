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
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
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

// NewAudience returns an Audience whose clock is fixed.
func NewAudience(t *testing.T) *Audience {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	a := &Audience{DB: pgtest.New(t), Now: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
	registry, err := vendors.Registry()
	require.NoError(t, err)
	a.Services = notify.New(usecase.Config{DB: a.DB, Now: func() time.Time { return a.Now }, Secrets: keeper, Providers: registry})
	made, err := a.Bootstrap(t.Context(), access.BootstrapInput{})
	require.NoError(t, err)
	a.Scope = viewer.Scope{OrganizationID: made.Organization.ID, EnvironmentID: made.Environment.ID}
	a.Ctx = viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.Scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "key"})
	return a
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

// MakeMessages makes in-app messages of a subscriber and counts them.
func (a *Audience) MakeMessages(t *testing.T, of *ent.Subscriber, n int, keys ...string) []id.ID {
	t.Helper()
	set := workflow.NewContextSet(keys...)
	ids := id.Batch(a.Now, n)
	err := a.DB.Tx(a.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		deltas := make([]postgres.InboxDelta, n)
		for i, messageID := range ids {
			err := tx.Ent.Message.Create().SetID(messageID).SetNotificationID(id.New(a.Now)).SetEventID(id.New(a.Now)).
				SetTransactionID("t").SetWorkflowID(id.New(a.Now)).SetWorkflowIdentifier("w").SetStepID("s").
				SetSubscriberID(of.ID).SetChannel(workflow.ChannelInApp).SetTarget("inbox").SetStatus(workflow.MessageSent).
				SetContextKeys(set).SetScope(set.Scope()).Exec(ctx)
			if err != nil {
				return err
			}
			deltas[i] = postgres.InboxDelta{
				EnvironmentID: a.Scope.EnvironmentID, SubscriberID: of.ID, Scope: set.Scope(), ContextKeys: set,
				Total: 1, Unread: 1, Unseen: 1,
			}
		}
		_, err := postgres.BumpInbox(ctx, tx.Pgx, deltas)
		return err
	})
	require.NoError(t, err)
	return ids
}
