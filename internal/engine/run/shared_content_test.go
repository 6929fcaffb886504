package run

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// contentFor renders a step for a subscriber.
func contentFor(t *testing.T, e *Executor, s *EventContext, step *workflow.Step, who *Recipient) workflow.MessageContent {
	t.Helper()
	b := e.newBatch()
	r := b.newRun(s, who)
	r.plan = plan.NewRun(b.input(r))
	channel, _ := step.Type.Channel()
	c, err := e.content(t.Context(), r, &plan.Decision{Step: step, Channel: channel, Targets: []plan.Target{{ProviderID: "ses"}}})
	require.NoError(t, err)
	var content workflow.MessageContent
	require.NoError(t, json.Unmarshal(c.body, &content))
	return content
}

// TestPersonalLayout: a layout shows every recipient its own data, also around a text that is the same for all.
func TestPersonalLayout(t *testing.T) {
	t.Parallel()
	for name, layout := range map[string]string{
		"Subscriber":  "{{content}} for {{subscriber.subscriberId}}",
		"Translation": "{{content}} {{ 'greeting' | t }}",
		"Snippet":     "{{content}} {% render 'who' %}",
	} {
		e := newExecutor(t)
		step := mail("mail")
		step.Email.Subject, step.Email.LayoutID = "x", "frame"
		s := eventOf(e, workflow.Definition{Steps: []workflow.Step{step}})
		s.env.Layouts = []pgrun.LayoutRow{{Identifier: "frame", Content: layout}}
		s.env.Translations = map[string]map[string]string{"en": {"greeting": "for ann"}, "de": {"greeting": "for bob"}}
		s.env.Snippets = map[string]string{"who": "{{ 'greeting' | t }}"}
		ann, bob := person("ann"), person("bob")
		bob.Locale = new("de")
		require.Contains(t, contentFor(t, e, s, &step, ann).HTML, "for ann", name)
		require.Contains(t, contentFor(t, e, s, &step, bob).HTML, "for bob", name)
	}
}

// TestReadersFilters: what a filter writes by the locale or in the time zone of its reader is rendered for each recipient.
func TestReadersFilters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"{{ payload.n | number }}":                                 {"1,234.5", "1.234,5"},
		"{{payload.part|percent}}":                                 {"50%", "50\u00a0%"},
		"{{ payload.n | plus: 0 | currency: 'EUR' }}":              {"€1,234.50", "1.234,50\u00a0€"},
		"{{ payload.at | local_date: 'short' }}":                   {"12/31/25", "01.01.26"},
		"{% assign x = payload.at | local_time: 'short' %}{{ x }}": {"11:30 PM", "00:30"},
	} {
		e := newExecutor(t)
		step := inApp("bell", text)
		s := eventOf(e, workflow.Definition{Steps: []workflow.Step{step}})
		s.Payload = map[string]any{"n": 1234.5, "part": 0.5, "at": "2025-12-31T23:30:00Z"}
		ann, bob := person("ann"), person("bob")
		ann.Locale, bob.Locale, bob.Timezone = new("en_US"), new("de"), new("Europe/Berlin")
		require.Equal(t, want, [2]string{contentFor(t, e, s, &step, ann).Text, contentFor(t, e, s, &step, bob).Text}, text)
	}
}

// TestPlainLayout: a layout that shows the same to all is rendered once for an event.
func TestPlainLayout(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	step := mail("mail")
	s := eventOf(e, workflow.Definition{Steps: []workflow.Step{step}})
	s.env.Layouts = []pgrun.LayoutRow{{Identifier: "frame", Content: "{{content}} of {{payload.text}}", Default: true}}
	require.Contains(t, contentFor(t, e, s, &step, person("ann")).HTML, "of hello")
	kept := s.rendered["mail"]
	require.NotNil(t, kept)
	contentFor(t, e, s, &step, person("bob"))
	require.Same(t, kept, s.rendered["mail"])
}
