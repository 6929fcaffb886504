package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// agreeBatch is how many generated cases share a database and a clock.
const agreeBatch = 125

// TestExplainAgreesWithTheRealRun explains generated events and then lets them happen: both must come to the same, step
// for step.
func TestExplainAgreesWithTheRealRun(t *testing.T) {
	t.Parallel()
	batches := 16
	if os.Getenv("CARILLON_SOAK") != "" {
		batches = 100_000 / agreeBatch
	}
	for n := range batches {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if batches < 10 {
				t.Parallel()
			}
			g := &generator{bundle: setup(t), rand: rand.New(rand.NewPCG(1, uint64(n)))} //nolint:gosec // cases, not secrets
			g.agree()
		})
	}
}

// generator makes workflows, subscribers, preferences, schedules and clocks.
type generator struct {
	*bundle
	rand *rand.Rand
}

// agreeCase is one event with what it was explained to do.
type agreeCase struct {
	identifier string
	definition workflow.Definition
	event      string
	want       []string
}

func (g *generator) agree() {
	g.tb.Helper()
	at := time.Date(2025, time.Month(1+g.rand.IntN(12)), 1+g.rand.IntN(28), g.rand.IntN(24), g.rand.IntN(60), 0, 0, time.UTC)
	g.virtual(at)
	g.integration("generic-sms", workflow.ChannelSMS, true)
	g.integration("nodemailer", workflow.ChannelEmail, false)
	g.integration("push-webhook", workflow.ChannelPush, false)
	g.exec(`UPDATE integrations SET conditions = '[{"type":"TEXT","value":"AND","children":[{"on":"payload","field":"tier","operator":"EQUAL","value":"gold"}]}]'
	WHERE provider_id = 'nodemailer'`)
	cases := make([]agreeCase, agreeBatch)
	var events []string
	explainer := g.explainer()
	for i := range cases {
		c := &cases[i]
		c.identifier = fmt.Sprintf("case-%d", i)
		c.definition = g.definition()
		wf := g.named(c.identifier, c.definition)
		who := g.person(i)
		g.preferences(who, wf.workflow)
		payload := g.payload()
		item := g.item(c.identifier, to(who.SubscriberID))
		item.Payload = asRaw(payload)
		overrides := g.overrides()
		if overrides != nil {
			item.Overrides = asRaw(overrides)
		}
		x, err := explainer.Explain(g.ctx, item, explain.Page{Limit: 100})
		require.NoError(g.tb, err)
		require.Equal(g.tb, workflow.TriggerProcessed, x.Status)
		c.want = explainedLines(x.Recipients[0])
		c.event = g.triggered(wf, to(who.SubscriberID), happened(at), func(e *ent.EventCreate) {
			e.SetPayload(payload)
			if overrides != nil {
				e.SetOverrides(overrides)
			}
		})
		events = append(events, c.event)
	}
	g.fanOut(events...)
	g.stand(at.AddDate(10, 0, 0)) // the fifth Friday of every fourth month may be years away
	g.settle()
	for i := range cases {
		c := &cases[i]
		definition, _ := json.Marshal(c.definition)
		require.Equal(g.tb, c.want, g.realLines(c.event), "case %d at %s\n%s", i, at, definition)
	}
}

func asRaw(v any) []byte {
	raw, _ := json.Marshal(v)
	return raw
}

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.rand.IntN(len(list))] }

func (g *generator) definition() workflow.Definition {
	d := workflow.Definition{
		Critical: g.chance(15), HoldSchedule: g.chance(30), Severity: workflow.SeverityNone, Versioning: pick(g, workflow.VersionPinned, workflow.VersionLatest),
		Preferences: g.channels(15),
	}
	if g.chance(10) {
		d.Conditions = g.filters(nil)
	}
	var earlier []string
	for i := range 1 + g.rand.IntN(5) {
		s := g.step(fmt.Sprintf("s%d", i))
		if g.chance(35) {
			s.Filters = g.filters(earlier)
		}
		s.ShouldStopOnFail = g.chance(15)
		earlier = append(earlier, s.StepID)
		d.Steps = append(d.Steps, s)
	}
	return d
}

func (g *generator) step(stepID string) workflow.Step {
	types := []workflow.StepType{workflow.StepInApp, workflow.StepEmail, workflow.StepSMS, workflow.StepPush}
	types = append(types, workflow.StepDelay, workflow.StepDelay, workflow.StepDigest, workflow.StepThrottle)
	s := workflow.Step{StepID: stepID, Type: pick(g, types...)}
	text := pick(g, "plain", "{{payload.tier}} for {{subscriber.firstName}}", "{% if payload.n > 3 %}many{% else %}few{% endif %}",
		"{% for x in payload.list %}{{x}},{% endfor %}", "{{payload.n | divided_by: payload.zero}}", "{{steps.s0.sent}} {{steps.s0.skipped}}",
		"{{step.total_count}}{% for e in step.events %} {{e.tier}}{% endfor %}")
	switch s.Type {
	case workflow.StepInApp:
		s.InApp = &workflow.InAppControls{Subject: "{{payload.tier}}", Body: text}
		if g.chance(30) {
			s.Variants = []workflow.Variant{{ID: "v", Name: "v", Filters: g.filters(nil), InApp: &workflow.InAppControls{Body: "variant " + text}}}
		}
	case workflow.StepEmail:
		s.Email = &workflow.EmailControls{Subject: text, HTML: "<p>" + text + "</p>"}
	case workflow.StepSMS:
		s.SMS = &workflow.TextControls{Body: text}
	case workflow.StepPush:
		s.Push = &workflow.PushControls{Subject: "x", Body: text}
	case workflow.StepDigest:
		s.Digest = g.digest()
	case workflow.StepThrottle:
		s.Throttle = &workflow.ThrottleControls{
			Threshold: new(max(1, g.rand.IntN(3))), Amount: 1 + g.rand.IntN(5), Unit: pick(g, workflow.UnitMinutes, workflow.UnitHours, workflow.UnitDays),
			ThrottleKey: pick(g, "", "tier", "none"), WindowPath: pick(g, "", "", "until", "n"), Invalid: pick(g, "", "pass", "skip"),
		}
	case workflow.StepDelay:
		if g.chance(30) {
			s.Delay = &workflow.DelayControls{
				Type: workflow.DelayScheduled, DelayPath: pick(g, "until", "payload.until", "tier", "none"), Past: pick(g, "", "continue", "fail", "skip"),
				ExtendToSchedule: g.chance(20),
			}
			break
		}
		s.Delay = &workflow.DelayControls{
			Type: workflow.DelayRegular, Amount: 1 + g.rand.IntN(5),
			Unit: pick(g, workflow.UnitMinutes, workflow.UnitHours, workflow.UnitDays, workflow.UnitWeeks, workflow.UnitMonths), ExtendToSchedule: g.chance(20),
		}
	}
	return s
}

func (g *generator) digest() *workflow.DigestControls {
	d := &workflow.DigestControls{
		Type: pick(g, workflow.DigestRegular, workflow.DigestBackoff, workflow.DigestTimed), Amount: 1 + g.rand.IntN(4),
		Unit:      pick(g, workflow.UnitMinutes, workflow.UnitHours, workflow.UnitDays, workflow.UnitWeeks, workflow.UnitMonths),
		DigestKey: pick(g, "", "tier"), UpdateMode: g.chance(30), ExtendToSchedule: g.chance(20),
	}
	switch d.Type {
	case workflow.DigestBackoff:
		d.BackoffAmount, d.BackoffUnit = 1+g.rand.IntN(5), workflow.UnitHours
	case workflow.DigestTimed:
		d.Unit = pick(g, workflow.UnitDays, workflow.UnitWeeks, workflow.UnitMonths)
		d.Timed = &workflow.DigestTimedAt{AtTime: fmt.Sprintf("%02d:%02d", g.rand.IntN(24), g.rand.IntN(60))}
		switch d.Unit {
		case workflow.UnitWeeks:
			d.Timed.WeekDays = []string{pick(g, "monday", "thursday", "sunday")}
		case workflow.UnitMonths:
			d.Timed.MonthlyType = pick(g, "each", "on")
			d.Timed.MonthDays = []string{pick(g, "1", "15", "31")}
			d.Timed.Ordinal, d.Timed.OrdinalValue = pick(g, "1", "5", "last"), pick(g, "day", "weekday", "weekend", "friday")
		}
	}
	return d
}

func (g *generator) filters(earlier []string) []condition.StepFilter {
	f := condition.StepFilter{Type: "TEXT", Value: pick(g, "AND", "OR"), IsNegated: g.chance(20)}
	for range 1 + g.rand.IntN(2) {
		p := condition.FieldFilterPart{On: "payload", Field: pick(g, "tier", "none"), Operator: pick(g, "EQUAL", "NOT_EQUAL", "LIKE"), Value: pick(g, "gold", "tin")}
		switch {
		case len(earlier) > 0 && g.chance(40):
			p = condition.FieldFilterPart{On: "step", Field: pick(g, earlier...) + "." + pick(g, "sent", "skipped", "failed", "read"), Operator: "EQUAL", Value: pick(g, "true", "false")}
		case g.chance(30):
			p = condition.FieldFilterPart{On: "subscriber", Field: pick(g, "firstName", "data.plan"), Operator: pick(g, "EQUAL", "NOT_EQUAL"), Value: "Ann"}
		}
		f.Children = append(f.Children, p)
	}
	return []condition.StepFilter{f}
}

func (g *generator) payload() map[string]any {
	return map[string]any{
		"tier": pick(g, "gold", "tin"), "n": float64(g.rand.IntN(8)), "zero": 0.0, "list": []any{"a", "b"},
		"until": pick[any](g, "2025-06-01T10:00:00Z", "2025-06-01T10:00:00", "2019-01-01T00:00:00+02:00", "P1D", map[string]any{"amount": 2.0, "unit": "days"}),
	}
}

func (g *generator) overrides() map[string]any {
	switch g.rand.IntN(9) {
	case 3:
		return map[string]any{"delay": map[string]any{"amount": 3.0, "unit": "hours"}}
	case 0:
		return map[string]any{"email": map[string]any{"to": []any{"other@example.com"}, "replaceToRecipient": g.chance(50)}}
	case 1:
		return map[string]any{"sms": map[string]any{"to": "+15550109999", "content": "over"}}
	case 2:
		return map[string]any{"email": map[string]any{"integrationIdentifier": "nobody"}}
	}
	return nil
}

func (g *generator) channels(percent int) (p workflow.ChannelPreferences) {
	for _, c := range workflow.Channels() {
		if g.chance(percent) {
			p.Set(c, new(g.chance(40)))
		}
	}
	return p
}

func (g *generator) person(i int) *ent.Subscriber {
	create := g.db.Ent.Subscriber.Create().SetSubscriberID(fmt.Sprintf("p%d", i))
	if g.chance(80) {
		create.SetEmail(pick(g, "a@example.com", "not an address"))
	}
	if g.chance(80) {
		create.SetPhone(pick(g, "+15550101234", "12"))
	}
	if g.chance(60) {
		create.SetFirstName(pick(g, "Ann", "Bob"))
	}
	if g.chance(70) {
		create.SetTimezone(pick(g, "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Nowhere/Land"))
	}
	if g.chance(50) {
		create.SetSchedule(g.schedule())
	}
	who := create.SaveX(g.ctx)
	if g.chance(50) {
		g.db.Ent.SubscriberChannel.Create().SetSubscriberID(who.ID).SetProviderID("push-webhook").
			SetCredentials(workflow.ChannelCredentials{DeviceTokens: []string{"t1", "t2"}[:1+g.rand.IntN(2)]}).SaveX(g.ctx)
	}
	return who
}

func (g *generator) schedule() *calendar.Schedule {
	s := &calendar.Schedule{IsEnabled: g.chance(90), WeeklySchedule: map[string]calendar.DaySchedule{}}
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		d := calendar.DaySchedule{IsEnabled: g.chance(75)}
		if g.chance(80) {
			d.Hours = []calendar.TimeRange{{Start: calendar.FormatClock(15 * g.rand.IntN(96)), End: calendar.FormatClock(15 * g.rand.IntN(96))}}
		}
		s.WeeklySchedule[day] = d
	}
	return s
}

func (g *generator) preferences(who *ent.Subscriber, workflowID string) {
	for _, level := range []string{"", workflowID} {
		if !g.chance(40) {
			continue
		}
		create := g.db.Ent.Preference.Create().SetSubscriberID(who.ID).SetWorkflowID(level).SetChannels(g.channels(30))
		if g.chance(20) {
			create.SetEnabled(g.chance(50))
		}
		create.SaveX(g.ctx)
	}
}

// explainedLines are the decisions of an explanation, one line each, in a form in which they can be compared. That all
// steps were reached goes without saying. A trace counts what repeats on its first entry.
func explainedLines(r *explain.ExplainedRecipient) (lines []string) {
	counted := map[string]bool{}
	for _, s := range r.Steps {
		if s.Decision == plan.DecideComplete {
			continue
		}
		step, message := "", ""
		if s.StepID() != nil {
			step = *s.StepID()
		}
		if repeated := step + " " + string(s.Reason); s.Message == nil && (workflow.TraceEntry{Reason: s.Reason}).Repeats() {
			if counted[repeated] {
				continue
			}
			counted[repeated] = true
		}
		if m := s.Message; m != nil {
			message = fmt.Sprint(m.IntegrationID, m.Target, text(m.Subject), text(m.Title), m.Content.Text, m.Content.HTML)
		}
		lines = append(lines, traceLine(step, s.Channel, s.At, s.Until, s.Reason, s.Reasons, message))
	}
	return append(lines, string(r.Status))
}

func traceLine(step string, c workflow.Channel, at time.Time, until *time.Time, reason workflow.Reason, reasons []workflow.Reason, message string) string {
	ends := ""
	if until != nil {
		ends = until.UTC().Format(time.RFC3339)
	}
	return strings.Join([]string{step, string(c), at.UTC().Format(time.RFC3339), ends, string(reason), fmt.Sprint(reasons), message}, " ")
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// realLines are the same of what really happened: what sending added to the trace is left out.
func (g *generator) realLines(eventID string) (lines []string) {
	messages := map[string]*ent.Message{}
	for _, m := range g.messages(eventID) {
		messages[m.ID] = m
	}
	run := g.runs(eventID)[0]
	for _, e := range run.Trace {
		sending := e.Attempt > 0
		if sending || e.Reason == workflow.ReasonCompleted {
			continue
		}
		message := ""
		if m := messages[e.MessageID]; m != nil {
			message = fmt.Sprint(text(m.IntegrationID), m.Target, text(m.Subject), text(m.Title), m.Content.Text, m.Content.HTML)
		}
		lines = append(lines, traceLine(e.StepID, e.Channel, e.At, e.Until, e.Reason, e.Reasons, message))
	}
	return append(lines, string(run.Status))
}
