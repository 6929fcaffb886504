package integrations

import (
	"cmp"
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/caughtmessage"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgintegration"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Catcher is where the built-in demo senders deliver; it is the provider.Catcher of a server.
type Catcher struct {
	db  *postgres.DB
	now func() time.Time
}

var _ provider.Catcher = (*Catcher)(nil)

// NewCatcher keeps caught messages in db. now is real time.
func NewCatcher(db *postgres.DB, now func() time.Time) *Catcher { return &Catcher{db, now} }

// Catch stores m in the environment of its message. A second call with the same message and target stores nothing more.
func (c *Catcher) Catch(ctx context.Context, m provider.CaughtMessage) error {
	v, _ := viewer.FromContext(ctx)
	return pgintegration.Catch(ctx, c.db, v.Scope, pgintegration.CaughtMessage{
		ID: id.New(c.now()), MessageID: m.MessageID, ProviderID: m.ProviderID, Channel: m.Channel, Recipient: m.Target,
		Subject: m.Subject, Body: cmp.Or(m.Text, m.HTML), HTML: m.HTML, Details: m.Payload,
	})
}

// CaughtMessages are the use cases of messages that built-in demo senders delivered into the catcher.
type CaughtMessages struct {
	usecase.Deps
	prefix string
}

// CaughtMessageConnection is a page of caught messages.
type CaughtMessageConnection = usecase.Connection[ent.CaughtMessage]

// CaughtMessageEdge is one caught message of a page.
type CaughtMessageEdge = usecase.Edge[ent.CaughtMessage]

// CaughtMessageFilter narrows a list of caught messages; the fields that are set combine with AND.
type CaughtMessageFilter struct {
	ChannelIn     []workflow.Channel
	ProviderIDIn  []string
	MessageIDIn   []string // record or global ids of messages
	Recipient     *string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *CaughtMessageFilter) predicates(prefix string) (ps []predicate.CaughtMessage, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	if f.ChannelIn != nil {
		ps = append(ps, caughtmessage.ChannelIn(f.ChannelIn...))
	}
	if f.ProviderIDIn != nil {
		ps = append(ps, caughtmessage.ProviderIDIn(providerIDsIn(prefix, f.ProviderIDIn)...))
	}
	if f.MessageIDIn != nil {
		ps = append(ps, caughtmessage.MessageIDIn(usecase.PlainIDs("Message", f.MessageIDIn)...))
	}
	ps = usecase.WithFilter(ps, f.Recipient, caughtmessage.Recipient)
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

func providerIDsIn(prefix string, given []string) []string {
	inside := make([]string, len(given))
	for i, providerID := range given {
		inside[i] = workflow.ProviderIDIn(prefix, providerID)
	}
	return inside
}

// List is a page of caught messages.
func (c *CaughtMessages) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *CaughtMessageFilter) (*CaughtMessageConnection, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*CaughtMessageConnection, error) {
		ps, values := filter.predicates(c.prefix)
		return usecase.Paginate(ctx, db.CaughtMessage.Query(), ps, page, c.Newest(order, values))
	})
}

// Get is one caught message by its global or internal id.
func (c *CaughtMessages) Get(ctx context.Context, globalID string) (*ent.CaughtMessage, error) {
	recordID, err := usecase.RecordID("CaughtMessage", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, c.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.CaughtMessage, error) {
		found, err := db.CaughtMessage.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Caught message %s was not found.", globalID)
	})
}

// Clear removes all caught messages of the environment and answers how many there were.
func (c *CaughtMessages) Clear(ctx context.Context) (int, error) {
	return usecase.Write(ctx, c.Deps, usecase.WriteActivity, func(ctx context.Context, db *ent.Client) (int, error) {
		n, err := db.CaughtMessage.Delete().Exec(ctx)
		if err != nil {
			return 0, err
		}
		v, _ := viewer.FromContext(ctx)
		return n, usecase.Audit(ctx, db, "clear_caught_messages", &ent.Environment{ID: v.EnvironmentID}, map[string]any{"deleted": n})
	})
}
