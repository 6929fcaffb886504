package notify_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
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

// audienceSuite is a database with one environment and a viewer of it who may do everything.
type audienceSuite struct {
	*notify.Services
	db    *postgres.DB
	ctx   context.Context //nolint:containedctx // every call of a test has the same viewer
	scope viewer.Scope
	now   time.Time
}

func newAudience(t *testing.T) *audienceSuite {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	a := &audienceSuite{db: pgtest.New(t), now: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
	registry, err := vendors.Registry()
	require.NoError(t, err)
	a.Services = notify.New(usecase.Config{DB: a.db, Now: func() time.Time { return a.now }, Secrets: keeper, Providers: registry})
	made, err := a.Bootstrap(t.Context(), access.BootstrapInput{})
	require.NoError(t, err)
	a.scope = viewer.Scope{OrganizationID: made.Organization.ID, EnvironmentID: made.Environment.ID}
	a.ctx = viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "key"})
	return a
}

// subscribers makes subscribers u0, u1, …
func (a *audienceSuite) subscribers(t *testing.T, n int) []*ent.Subscriber {
	t.Helper()
	made := make([]*ent.Subscriber, n)
	for i := range made {
		var err error
		made[i], err = a.Subscribers.Create(a.ctx, audience.CreateSubscriberInput{SubscriberID: fmt.Sprintf("u%d", i)})
		require.NoError(t, err)
	}
	return made
}

// workflow makes a workflow that was never published.
func (a *audienceSuite) workflow(t *testing.T, identifier string, change func(*ent.WorkflowCreate, *workflow.Definition)) *ent.Workflow {
	t.Helper()
	draft := &workflow.Definition{}
	create := a.db.Ent.Workflow.Create().SetIdentifier(identifier).SetName(identifier).SetDraft(draft)
	if change != nil {
		change(create, draft)
	}
	made, err := create.Save(a.ctx)
	require.NoError(t, err)
	return made
}

// messages makes in-app messages of a subscriber and counts them.
func (a *audienceSuite) messages(t *testing.T, of *ent.Subscriber, n int, keys ...string) []id.ID {
	t.Helper()
	set := workflow.NewContextSet(keys...)
	ids := id.Batch(a.now, n)
	err := a.db.Tx(a.ctx, func(ctx context.Context, tx *postgres.Tx) error {
		deltas := make([]postgres.InboxDelta, n)
		for i, messageID := range ids {
			err := tx.Ent.Message.Create().SetID(messageID).SetNotificationID(id.New(a.now)).SetEventID(id.New(a.now)).
				SetTransactionID("t").SetWorkflowID(id.New(a.now)).SetWorkflowIdentifier("w").SetStepID("s").
				SetSubscriberID(of.ID).SetChannel(workflow.ChannelInApp).SetTarget("inbox").SetStatus(workflow.MessageSent).
				SetContextKeys(set).SetScope(set.Scope()).Exec(ctx)
			if err != nil {
				return err
			}
			deltas[i] = postgres.InboxDelta{
				EnvironmentID: a.scope.EnvironmentID, SubscriberID: of.ID, Scope: set.Scope(), ContextKeys: set,
				Total: 1, Unread: 1, Unseen: 1,
			}
		}
		_, err := postgres.BumpInbox(ctx, tx.Pgx, deltas)
		return err
	})
	require.NoError(t, err)
	return ids
}

func requireKind(t *testing.T, kind fault.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, fault.KindOf(err), err.Error())
}

func yes() *bool { return new(true) }
func no() *bool  { return new(false) }
