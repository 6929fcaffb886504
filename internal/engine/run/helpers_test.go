package run

import (
	"cmp"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// noon is the time of every environment in these tests.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// minute is an instant after noon.
func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

type clock time.Time

func (c clock) Now(string) time.Time { return time.Time(c) }

// newExecutor returns an executor without a database.
func newExecutor(t *testing.T, changes ...func(*state.Config)) *Executor {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	cfg := state.Config{
		DB: &postgres.DB{}, Queue: queue.New(), Render: render.New(render.DefaultLimits()), Logger: slog.New(slog.DiscardHandler), Secrets: keeper,
		Clock: clock(noon), Jitter: func() float64 { return 0.5 }, Backoff: retry.Backoff{Base: 4 * time.Second, Attempts: 3},
	}
	for _, change := range changes {
		change(&cfg)
	}
	return NewExecutor(state.New(cfg))
}

// eventOf is an event of an environment with one integration per channel, for runs of a definition all of whose steps are on.
func eventOf(e *Executor, definition workflow.Definition) *EventContext {
	definition.Steps = slices.Clone(definition.Steps)
	for i := range definition.Steps {
		definition.Steps[i].Active = true
	}
	env := &pgrun.EnvironmentRow{ID: "env", OrganizationID: "org", DefaultLocale: "en"}
	for _, c := range []workflow.Channel{workflow.ChannelInApp, workflow.ChannelEmail, workflow.ChannelSMS} {
		env.Integrations = append(env.Integrations, pgrun.IntegrationRow{Integration: plan.Integration{
			ID: string(c), Identifier: "own-" + string(c), ProviderID: "vendor-" + string(c), Channel: c, Primary: true,
		}})
	}
	s := NewEventContext(env, &definition)
	s.EventRow = pgfanout.EventRow{
		ID: "event", EnvironmentID: "env", TransactionID: "txn", WorkflowID: "workflow", VersionID: "version", Workflow: "welcome", WorkflowActive: true,
		Kind: "trigger", Lane: "normal", Payload: map[string]any{"text": "hello"},
	}
	s.now, s.secrets, s.rendered, s.translators = noon, e.Secrets, map[string]*content{}, map[string]*render.Translator{}
	for i := range env.Integrations {
		s.choices = append(s.choices, env.Integrations[i].Integration)
	}
	return s
}

// person is a subscriber with all addresses; its internal id is its subscriberId behind a mark.
func person(subscriberID string) *Recipient {
	return &Recipient{SubscriberRow: pgsubscriber.SubscriberRow{
		ID: "id-" + subscriberID, EnvironmentID: "env", SubscriberID: subscriberID,
		Profile: workflow.Profile[*string]{Email: new(subscriberID + "@example.com"), Phone: new("+4930123456")},
	}}
}

// reasons are those on a run's trace, each behind the step that it belongs to.
func reasons(r *run) (list []string) {
	for _, t := range r.row.Trace {
		list = append(list, cmp.Or(t.StepID, "run")+" "+string(t.Reason))
	}
	return list
}

func inApp(stepID, body string) workflow.Step {
	return workflow.Step{ID: "s-" + stepID, StepID: stepID, Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: body}}
}

func mail(stepID string) workflow.Step {
	return workflow.Step{ID: "s-" + stepID, StepID: stepID, Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "{{payload.text}}", HTML: "<p>x</p>"}}
}
