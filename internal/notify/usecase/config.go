package usecase

import (
	"context"
	"log/slog"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// IntegrationTest is a test message as the engine takes it.
type IntegrationTest struct {
	Integration       *ent.Integration
	To, Subject, Body string
}

// Mail is a letter of Carillon's own, to one of its people.
type Mail struct{ To, Subject, Text string }

// Config is what the use cases need.
type Config struct {
	DB  *postgres.DB
	Now func() time.Time // real time, for records and expiry
	// Secrets seals what must be stored and read back; Providers are the adapters of this server.
	Secrets   *secret.Keeper
	Providers *provider.Registry
	// RefuseUnknown keeps a subscriber token from making a subscriber that is not known yet.
	RefuseUnknown bool
	// ProviderDeps lets credentials be checked by the adapter itself; nil: by the provider's definition alone.
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
	// Cell is what API keys, log-ins and subscriber tokens that are made here name; empty: nothing.
	Cell      auth.Cell
	Prefix    string // VALUE_PREFIX (decisions.md §1); empty: svc
	Workflows WorkflowSettings
	// Accept stores events, usually *accept.Acceptor. Only Triggers needs it.
	Accept Acceptor
	// Explain explains events, usually *explain.Explainer. Only Triggers needs it.
	Explain Explainer
	Logger  *slog.Logger // nil: none
	// Live publishes changes; nil: there are no live updates.
	Live *realtime.Hub
	// Count counts triggers by the status they were answered with; nil: they are not counted.
	Count func(status string, n int)
	// CountRuns counts notifications by the status that a use case set; nil: they are not counted.
	CountRuns func(status string, n int)
	// CountReceipt counts a receipt that a provider sent; nil: they are not counted.
	CountReceipt func(provider, kind string)
}

// stepRenderer makes the content of a step's messages, as sending does.
type stepRenderer interface {
	InApp(context.Context, *workflow.InAppControls, render.Bindings) (render.InAppContent, error)
	Email(ctx context.Context, c *workflow.EmailControls, layout string, b render.Bindings) (render.EmailContent, error)
	SMS(context.Context, *workflow.TextControls, render.Bindings) (string, error)
	Chat(context.Context, *workflow.TextControls, render.Bindings) (string, error)
	Push(context.Context, *workflow.PushControls, render.Bindings) (render.PushContent, error)
}

// Acceptor is *accept.Acceptor.
type Acceptor interface {
	Accept(ctx context.Context, call accept.Request) ([]accept.Outcome, error)
	Urgent(environmentID, trigger string) bool
}

// Explainer is *explain.Explainer.
type Explainer interface {
	Explain(ctx context.Context, item accept.Acceptance, page explain.Page) (*explain.Explanation, error)
}

// WorkflowSettings decide what a definition may hold on this server.
type WorkflowSettings struct {
	// SupportedSteps are the step types that the engine runs; a workflow with others cannot be published.
	SupportedSteps []workflow.StepType
	// InboundDomain says that replies to e-mails can be received.
	InboundDomain bool
	// MaxDelay is how far ahead a delay may reach; 0: there is no bound.
	MaxDelay time.Duration
	// Templates checks the templates of steps, layouts and snippets.
	Templates TemplateChecker
}

// TemplateChecker is what use cases need of the template engine.
type TemplateChecker interface {
	// Check reports that a template cannot be parsed.
	Check(source string, html bool) error
	stepRenderer
	// Analyze lists unknown variables and bad filter arguments.
	Analyze(source string, scope workflow.TemplateScope) []workflow.TemplateFault
}
