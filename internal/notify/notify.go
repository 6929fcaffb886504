// Package notify owns the use cases, one file per noun. Every door (GraphQL, REST, the command line) calls them, so
// permissions, validation and transactions live here and nowhere above.
package notify

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what the use cases stand on.
type Config struct {
	DB  *postgres.DB
	Now func() time.Time // real time, for records and expiry
	// Secrets seals what must be stored and read back; Providers are the adapters of this server.
	Secrets   *secret.Keeper
	Providers *provider.Registry
	// RefuseUnknown keeps a subscriber token from making a subscriber that is not known yet.
	RefuseUnknown bool
	// ProviderDeps lets credentials be judged by the adapter itself; nil: by the provider's definition alone.
	ProviderDeps *provider.Deps
	// TestSend sends a test message, usually *engine.Engine; nil: there are no tests.
	TestSend func(context.Context, IntegrationTest) (*ent.Attempt, error)
	// PublicURL is where readers of mails reach this server; empty: mails carry no links to it.
	PublicURL string
	// Passwords hashes and compares passwords; nil: with a bound of this server's own.
	Passwords *auth.Passwords
	// Mail sends letters of Carillon's own, to its people; nil: none are sent.
	Mail func(context.Context, Mail) error
	// InboundDomain is the mail domain that receives replies; empty: none does.
	InboundDomain string
	Prefix        string // VALUE_PREFIX (decisions.md §1); empty: svc
	Workflows     WorkflowSettings
	// Accept stores events, usually *engine.Acceptor. Only Triggers needs it.
	Accept acceptor
	Logger *slog.Logger // nil: none
	// Live tells those who watch of changes; nil: nobody watches.
	Live *realtime.Hub
	// Count hears of triggers by the status they were answered with; nil: nobody does.
	Count func(status string, n int)
	// CountRuns hears of notifications by the status that a use case brought them to; nil: nobody does.
	CountRuns func(status string, n int)
}

// Services are the use cases of all nouns.
type Services struct {
	base
	Audience
	Deliveries

	Organizations *Organizations
	Environments  *Environments
	APIKeys       *APIKeys
	// OrganizationKeys do the organization's own work.
	OrganizationKeys *OrganizationKeys
	Users            *Users
	Members          *Members
	Sessions         *Sessions
	SecondFactors    *SecondFactors
	Invitations      *Invitations
	Operator         *Operator
	Audit            *AuditEntries
	Idempotency      *IdempotencyRecords

	Workflows          *Workflows
	Layouts            *Layouts
	NotificationGroups *NotificationGroups
	Translations       *Translations
	Providers          *Providers
	Integrations       *Integrations
	ChannelConnections *ChannelConnections
	ChannelEndpoints   *ChannelEndpoints
	CaughtMessages     *CaughtMessages
	WebhookURLs        *WebhookURLs
	Suppressions       *Suppressions
	Receipts           *Receipts
	Replies            *Replies
	Unsubscribes       *Unsubscribes

	Triggers *Triggers
}

// New builds the use cases.
func New(cfg Config) *Services {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	b := base{db: cfg.DB, now: cfg.Now, live: cfg.Live}
	providers := &Providers{cfg.Providers, cfg.Prefix}
	members := &Members{b}
	sessions := newSessions(b, cfg, members)
	s := &Services{
		base:             b,
		Audience:         newAudience(b, cfg),
		Deliveries:       newDeliveries(b, cfg.CountRuns),
		Organizations:    &Organizations{b},
		Environments:     &Environments{base: b},
		OrganizationKeys: &OrganizationKeys{b},
		Users:            &Users{b, members},
		Members:          members,
		Sessions:         sessions,
		SecondFactors:    &SecondFactors{sessions},
		Invitations:      &Invitations{b, sessions, sessions.letters},
		Operator:         &Operator{b, sessions, members},
		Audit:            &AuditEntries{b},
		Idempotency:      newIdempotencyRecords(b),

		Workflows:          &Workflows{b, cfg.Workflows},
		Layouts:            &Layouts{b, cfg.Workflows.Templates},
		NotificationGroups: &NotificationGroups{b},
		Translations:       &Translations{b},
		Providers:          providers,
		Integrations:       &Integrations{b, cfg.Providers, cfg.Secrets, cfg.Prefix, cfg.ProviderDeps, cfg.TestSend},
		ChannelConnections: &ChannelConnections{b, cfg.Secrets},
		ChannelEndpoints:   &ChannelEndpoints{b, providers, cfg.Secrets},
		CaughtMessages:     &CaughtMessages{b, cfg.Prefix},
		WebhookURLs:        &WebhookURLs{cfg.Secrets},
		Suppressions:       &Suppressions{b},
		Receipts:           &Receipts{base: b, secrets: cfg.Secrets, providers: cfg.Providers},
		Replies:            &Replies{b, cfg.Secrets, cfg.InboundDomain},

		Triggers: newTriggers(cfg),
	}
	if cfg.ProviderDeps != nil {
		s.Receipts.vendor, s.Receipts.roots = cfg.ProviderDeps.Vendor, cfg.ProviderDeps.Roots
	}
	s.Unsubscribes = &Unsubscribes{b, cfg.Secrets, s.Preferences, cfg.PublicURL}
	s.APIKeys = &APIKeys{b, s.Environments}
	// What a new environment starts with. Each noun that has such records adds its step.
	s.Environments.defaults = []environmentDefault{s.Integrations.EnvironmentDefaults}
	return s
}

// Close waits for what no request waited for, at the longest until ctx ends.
func (s *Services) Close(ctx context.Context) { s.Sessions.letters.wait(ctx) }

// base is what every noun's use cases share.
type base struct {
	db   *postgres.DB
	now  func() time.Time
	live *realtime.Hub // nil: nobody watches
}

// tell says that what can be watched has changed, once the transaction that ctx runs in has committed.
func (b base) tell(ctx context.Context, topic realtime.Topic) {
	if b.live != nil {
		postgres.AfterCommit(ctx, func() { b.live.Tell(topic) })
	}
}

// accessChanged has the environment's open connections judged anew: a credential may have ended.
func (b base) accessChanged(ctx context.Context) {
	v, _ := viewer.FromContext(ctx)
	b.tell(ctx, realtime.Access(v.EnvironmentID))
}

// accessOfChanged does the same wherever a person is logged in, in whichever environment that is.
func (b base) accessOfChanged(ctx context.Context, db *ent.Client, userID string) error {
	var environments []string
	err := db.Session.Query().Where(session.UserID(userID), session.RevokedAtIsNil(), session.ExpiresAtGT(b.stamp())).
		Unique(true).Select(session.FieldEnvironmentID).Scan(viewer.SystemContext(ctx), &environments)
	if err != nil {
		return fmt.Errorf("log-ins of a person: %w", err)
	}
	for _, environmentID := range environments {
		b.tell(ctx, realtime.Access(environmentID))
	}
	return nil
}

// read runs a read-only use case for a viewer who meets a need.
func read[T any](ctx context.Context, b base, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := authorize(ctx, need); err != nil {
		return *new(T), err
	}
	out, err := fn(ctx, b.db.Client(ctx))
	return out, postgres.Translate(err)
}

// write runs a use case in one transaction, for a viewer who meets a need. A use case called from another one joins the
// transaction that is there.
func write[T any](ctx context.Context, b base, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := authorize(ctx, need); err != nil {
		return *new(T), err
	}
	var out T
	err := b.db.InTx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		var err error
		out, err = fn(ctx, tx.Ent)
		return err
	})
	return out, postgres.Translate(err)
}

// audit records who changed what, in the transaction of the change.
func audit(ctx context.Context, db *ent.Client, action string, record ent.Node, changes map[string]any) error {
	typ, recordID, _ := splitGlobal(record.GlobalID())
	e := auditEntry(ctx, action, typ, recordID, changes)
	err := db.AuditEntry.Create().SetActorType(e.ActorType).SetActorID(e.ActorID).SetAction(e.Action).
		SetRecordType(e.RecordType).SetRecordID(e.RecordID).SetChanges(e.Changes).SetOrganizationID(e.OrganizationID).SetActorName(e.ActorName).SetAddress(e.Address).Exec(ctx)
	if err != nil {
		return fmt.Errorf("audit %s %s: %w", action, typ, err)
	}
	return nil
}

// auditEntry tells that the viewer changes a record now.
func auditEntry(ctx context.Context, action, recordType, recordID string, changes map[string]any) postgres.AuditEntry {
	v, _ := viewer.FromContext(ctx)
	e := postgres.AuditEntry{
		Scope: v.Scope, ActorType: "user", ActorID: v.UserID, Action: action, RecordType: recordType, RecordID: recordID,
		Changes: changes, At: recordTime(), ActorName: v.Name, Address: viewer.Address(ctx),
	}
	switch {
	case v.APIKeyID != "":
		e.ActorType, e.ActorID = "api_key", v.APIKeyID
	case v.OrganizationKeyID != "":
		e.ActorType, e.ActorID = "organization_key", v.OrganizationKeyID
	}
	if v.System() || e.ActorID == "" {
		e.ActorType = "system"
	}
	return e
}

// recordTime is the present for the timestamps of records: real time, in what the database keeps of it.
func recordTime() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// notFound turns ent's not-found into ours, which names the thing in the caller's words.
func notFound(err error, format string, args ...any) error {
	if ent.IsNotFound(err) {
		return fault.NotFoundf(format, args...)
	}
	return err
}

// taken turns a violated unique key into a conflict in the caller's words.
func taken(err error, format string, args ...any) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("ALREADY_EXISTS", format, args...)
	}
	return err
}

// setOrClear applies a field of an update: absent leaves it, null clears it, a value sets it.
func setOrClear[V, B any](field graphql.Omittable[*V], set func(V) B, unset func() B) {
	switch value, given := field.ValueOK(); {
	case !given:
	case value == nil:
		unset()
	default:
		set(*value)
	}
}
