package engine_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// publish makes steps the newest version of a workflow that continues with the latest.
func (b *bundle) publish(wf *published, number int, steps []workflow.Step) {
	b.tb.Helper()
	d := workflow.Definition{Versioning: workflow.VersionLatest, HoldSchedule: true, Steps: steps}
	for i := range d.Steps {
		d.Steps[i].ID, d.Steps[i].Active = id.New(time.Now()), true
	}
	v := b.db.Ent.WorkflowVersion.Create().SetWorkflowID(wf.workflow).SetNumber(number).SetDefinition(&d).
		SetSeverity(workflow.SeverityNone).SaveX(b.ctx)
	b.db.Ent.Workflow.UpdateOneID(wf.workflow).SetDraft(&d).SetPublishedVersionID(v.ID).ExecX(b.ctx)
	wf.version = v.ID
}

// script reads steps such as "a wait:delay=10 dig:digest=10 m:email": in-app steps that say their name and number unless
// another type is given, the amounts in minutes. Steps called sees… tell what the digest dig holds.
func script(text string) (steps []workflow.Step) {
	for word := range strings.FieldsSeq(text) {
		name, kind, _ := strings.Cut(word, ":")
		kind, amount, _ := strings.Cut(kind, "=")
		minutes := 0
		for _, digit := range amount {
			minutes = 10*minutes + int(digit-'0')
		}
		s := workflow.Step{StepID: name, Type: workflow.StepType(kind)}
		switch s.Type {
		case "":
			s.Type, s.InApp = workflow.StepInApp, &workflow.InAppControls{Body: name + " {{payload.n}}"}
			if strings.HasPrefix(name, "sees") {
				s.InApp.Body = name + " {{steps.dig.total_count}}:{% for e in steps.dig.events %} {{e.n}}{% endfor %}"
			}
		case workflow.StepEmail:
			s.Email = &workflow.EmailControls{Subject: name + " {{payload.n}}", HTML: "x"}
		case workflow.StepDelay:
			s.Delay = &workflow.DelayControls{Type: workflow.DelayRegular, Amount: minutes, Unit: workflow.UnitMinutes}
		case workflow.StepDigest:
			s.Digest = &workflow.DigestControls{Type: workflow.DigestRegular, Amount: minutes, Unit: workflow.UnitMinutes}
		case "backoff":
			s.Type = workflow.StepDigest
			s.Digest = &workflow.DigestControls{Type: workflow.DigestBackoff, Amount: minutes, Unit: workflow.UnitMinutes, BackoffAmount: 60, BackoffUnit: workflow.UnitMinutes}
		case "timed":
			s.Type = workflow.StepDigest
			s.Digest = &workflow.DigestControls{Type: workflow.DigestTimed, Unit: workflow.UnitDays, Timed: &workflow.DigestTimedAt{AtTime: "09:10"}}
		case "updating":
			s.Type = workflow.StepDigest
			s.Digest = &workflow.DigestControls{Type: workflow.DigestRegular, Amount: minutes, Unit: workflow.UnitMinutes, UpdateMode: true}
		case workflow.StepThrottle:
			s.Throttle = &workflow.ThrottleControls{Threshold: new(1), Amount: minutes, Unit: workflow.UnitMinutes}
		}
		steps = append(steps, s)
	}
	return steps
}

// TestLatestGoesOnByStep publishes other versions while events wait. The clock starts at nine; events come at minutes 0 and
// 2, unless a case says otherwise, and versions are published at minutes 1 and 3.
func TestLatestGoesOnByStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		versions []string // separated by hand, oldest first
		events   int      // default 1
		inbox    []string
		over     []string // steps that the first run passes over
	}{
		"InsertedBehind":         {[]string{"w:delay=10 a", "w:delay=10 a b"}, 1, []string{"10 a 1", "10 b 1"}, nil},
		"InsertedBefore":         {[]string{"w:delay=10 a", "x w:delay=10 a"}, 1, []string{"10 a 1"}, []string{"x"}},
		"WaitInsertedBefore":     {[]string{"w:delay=10 a", "v:delay=5 w:delay=10 a"}, 1, []string{"10 a 1"}, []string{"v"}},
		"AnotherLength":          {[]string{"w:delay=10 a", "w:delay=90 a"}, 1, []string{"10 a 1"}, nil},
		"WaitRemoved":            {[]string{"a w:delay=10 b c", "a b c"}, 1, []string{"0 a 1", "10 b 1", "10 c 1"}, nil},
		"SentStepRemoved":        {[]string{"a w:delay=10 b", "w:delay=10 b"}, 1, []string{"0 a 1", "10 b 1"}, nil},
		"StepAndWaitRemoved":     {[]string{"a b w:delay=10 c", "a c"}, 1, []string{"0 a 1", "0 b 1", "10 c 1"}, nil},
		"AllReplaced":            {[]string{"a w:delay=10 b", "x y"}, 1, []string{"0 a 1", "10 x 1", "10 y 1"}, nil},
		"AllBehindRemoved":       {[]string{"a w:delay=10 b c", "a w:delay=10"}, 1, []string{"0 a 1"}, nil},
		"AllRemoved":             {[]string{"a w:delay=10 b c", ""}, 1, []string{"0 a 1"}, nil},
		"Reordered":              {[]string{"a w:delay=10 b c", "c w:delay=10 a b"}, 1, []string{"0 a 1", "10 b 1"}, []string{"c"}},
		"SentStepMovedBehind":    {[]string{"a b w:delay=10 c", "w:delay=10 b c a"}, 1, []string{"0 a 1", "0 b 1", "10 c 1"}, nil},
		"WaitOfAnotherType":      {[]string{"a w:delay=10 b", "a w b"}, 1, []string{"0 a 1", "10 b 1", "10 w 1"}, nil},
		"SentStepOfAnotherType":  {[]string{"a w:delay=10 b", "w:delay=10 a:delay=5 b"}, 1, []string{"0 a 1", "15 b 1"}, nil},
		"Twice":                  {[]string{"w:delay=10 a", "x w:delay=10 b", "y w:delay=10 x c"}, 1, []string{"10 x 1", "10 c 1"}, []string{"y"}},
		"TwoWaits":               {[]string{"w:delay=10 v:delay=10 a", "x w:delay=10 b v:delay=10 a"}, 1, []string{"10 b 1", "20 a 1"}, []string{"x"}},
		"WaitsSwapped":           {[]string{"w:delay=10 a v:delay=20 b", "v:delay=20 b w:delay=10 a"}, 1, []string{"10 a 1"}, []string{"v", "b"}},
		"OnlyNewEventsPassIt":    {[]string{"w:delay=10 a", "x w:delay=10 a"}, 2, []string{"2 x 2", "10 a 1", "12 a 2"}, []string{"x"}},
		"Throttle":               {[]string{"t:throttle=60 w:delay=10 a", "w:delay=10 t:throttle=60 a"}, 2, []string{"10 a 1"}, nil},
		"ThrottleInserted":       {[]string{"w:delay=10 a", "t:throttle=60 w:delay=10 a"}, 2, []string{"10 a 1", "12 a 2"}, []string{"t"}},
		"DigestInsertedBefore":   {[]string{"dig:digest=10 sees", "x dig:digest=10 sees"}, 2, []string{"2 x 2", "10 sees 2: 1 2"}, []string{"x"}},
		"WaitBeforeADigest":      {[]string{"dig:digest=10 sees", "w:delay=1 dig:digest=10 sees"}, 2, []string{"10 sees 2: 1 2"}, []string{"w"}},
		"DigestRemoved":          {[]string{"a dig:digest=10 b", "a sees b"}, 1, []string{"0 a 1", "10 b 1", "10 sees 1: 1"}, nil},
		"DigestOfAnotherType":    {[]string{"dig:digest=10 a", "dig:delay=5 sees a"}, 1, []string{"15 a 1", "15 sees 1: 1"}, nil},
		"DigestReplaced":         {[]string{"a dig:digest=10 b", "a other:digest=20 sees"}, 1, []string{"0 a 1", "30 sees 1: 1"}, nil},
		"TimedDigest":            {[]string{"dig:timed sees", "x dig:timed sees"}, 2, []string{"2 x 2", "10 sees 2: 1 2"}, []string{"x"}},
		"TimedBecomesRegular":    {[]string{"dig:timed sees", "x dig:digest=60 sees"}, 2, []string{"2 x 2", "10 sees 2: 1 2"}, []string{"x"}},
		"BackoffBecomesRegular":  {[]string{"dig:backoff=10 sees", "dig:digest=10 sees"}, 2, []string{"0 sees 1: 1", "12 sees 1: 2"}, nil},
		"RegularBecomesBackoff":  {[]string{"dig:digest=10 sees", "x dig:backoff=10 sees"}, 2, []string{"2 x 2", "10 sees 2: 1 2"}, []string{"x"}},
		"SecondDigestInserted":   {[]string{"dig:digest=10 sees", "dig:digest=10 two:digest=10 sees"}, 2, []string{"20 sees 2: 1 2"}, nil},
		"DigestBehindADigest":    {[]string{"dig:digest=10 two:digest=10 sees", "x dig:digest=10 sees"}, 2, []string{"2 x 2", "10 sees 2: 1 2"}, []string{"x"}},
		"ShownStepWasSent":       {[]string{"a w:delay=10 b", "w:delay=10 dig:updating=10 a b"}, 1, []string{"0 a 1", "10 b 1"}, nil},
		"ShownStepMovedBehind":   {[]string{"dig:updating=10 sees a", "dig:updating=10 x sees a"}, 1, []string{"0 a 1", "0 sees 1: 1", "10 x 1"}, nil},
		"ShownStepOfAnotherType": {[]string{"dig:updating=10 a", "dig:updating=10 a:delay=5 b"}, 1, []string{"0 a 1", "15 b 1"}, nil},
	} {
		for _, old := range []bool{false, true} {
			label := name
			if old {
				label += "WrittenBefore" // by a process that kept no list of steps
			}
			t.Run(label, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				b.virtual(year25)
				b.subscriber("u1")
				wf := b.workflow(workflow.Definition{})
				b.publish(&wf, 2, script(c.versions[0]))
				first := b.numbered(wf, 0, 1)
				for i, version := range c.versions[1:] {
					b.until(float64(2*i + 1))
					if old {
						b.exec(`UPDATE notifications SET state = (state - 'reached') #- '{waited,type}' WHERE position > 0`)
					}
					b.publish(&wf, 3+i, script(version))
				}
				if c.events == 2 {
					b.numbered(wf, 2, 2)
				}
				b.until(1000)
				require.ElementsMatch(t, c.inbox, b.inbox())
				run := b.runs(first)[0]
				require.Equal(t, workflow.RunCompleted, run.Status, "%+v", run.Trace)
				if run.FinishedAt.After(year25) {
					require.Equal(t, wf.version, run.WorkflowVersionID, "the version used is recorded")
				}
				var over []string
				for _, e := range entries(run, workflow.ReasonPassedOver) {
					over = append(over, e.StepID)
				}
				require.ElementsMatch(t, c.over, over)
			})
		}
	}
}

// TestLatestWhileSomethingElseIsWaitedFor: the run rests at a step, or for the outcome of one.
func TestLatestWhileSomethingElseIsWaitedFor(t *testing.T) {
	t.Parallel()

	t.Run("Hours", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			to      string
			inbox   []string
			subject []string
		}{
			"InsertedBefore": {"a x m:email b", []string{"0 a 1", "120 b 1"}, []string{"m 1"}},
			"InsertedBehind": {"a m:email x b", []string{"0 a 1", "120 x 1", "120 b 1"}, []string{"m 1"}},
			"Removed":        {"a x b", []string{"0 a 1", "120 x 1", "120 b 1"}, nil},
			"MovedBehind":    {"a b m:email", []string{"0 a 1"}, []string{"m 1"}},
			"Replaced":       {"a m b", []string{"0 a 1", "120 m 1", "120 b 1"}, nil},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				b.virtual(year25)
				b.subscriber("u1").Update().SetSchedule(opensAt(11)).ExecX(b.ctx)
				wf := b.workflow(workflow.Definition{})
				b.publish(&wf, 2, script("a m:email b"))
				b.numbered(wf, 0, 1)
				b.publish(&wf, 3, script(c.to))
				b.until(1000)
				require.ElementsMatch(t, c.inbox, b.inbox())
				var subjects []string
				for _, m := range b.vendor.messages() {
					subjects = append(subjects, m.Content.Title)
				}
				require.Equal(t, c.subject, subjects)
			})
		}
	})

	t.Run("Outcome", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503, RetryAfter: 10 * time.Minute}, 1)
		after := func(text string) []workflow.Step {
			steps := script(text)
			last := &steps[len(steps)-1]
			last.Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{{On: "step", Field: "m.sent", Operator: "EQUAL", Value: "true"}}}}
			return steps
		}
		wf := b.workflow(workflow.Definition{})
		b.publish(&wf, 2, after("m:email b"))
		b.numbered(wf, 0, 1)
		b.publish(&wf, 3, after("x m:email y b"))
		b.until(60)
		require.ElementsMatch(t, []string{"10 y 1", "10 b 1"}, b.inbox())
		require.Len(t, b.vendor.messages(), 2, "one failed call and one that worked")
	})

	t.Run("RetriesGoOnWhileTheRunMovesOn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 503, RetryAfter: 20 * time.Minute}, 1)
		wf := b.workflow(workflow.Definition{})
		b.publish(&wf, 2, script("m:email w:delay=10 b"))
		ev := b.numbered(wf, 0, 1)
		steps := script("w:delay=10 m:email b")
		steps[2].Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{{On: "step", Field: "m.sent", Operator: "EQUAL", Value: "true"}}}}
		b.publish(&wf, 3, steps)
		b.until(60)
		require.Equal(t, []string{"20 b 1"}, b.inbox(), "only the new version looks at the outcome, which is waited for")
		require.Len(t, b.vendor.messages(), 2)
		require.Len(t, b.messages(ev), 2)
	})

	t.Run("HTTPStep", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			to       string
			inbox    []string
			requests int
		}{
			"InsertedBefore": {"a x ask:custom b", []string{"a 1", "b 1"}, 2},
			"Removed":        {"a x b", []string{"a 1", "x 1", "b 1"}, 1},
			"MovedBehind":    {"a b ask:custom c", []string{"a 1", "c 1"}, 2},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				b.withHTTPSteps()
				b.virtual(year25)
				address := listen(t, func(n int, w http.ResponseWriter) {
					if n == 1 {
						w.WriteHeader(http.StatusServiceUnavailable)
					}
				})
				steps := func(text string) []workflow.Step {
					list := script(text)
					for i := range list {
						if list[i].Type == workflow.StepCustom {
							list[i].Custom = customStep(address.URL).Custom
						}
					}
					return list
				}
				wf := b.workflow(workflow.Definition{})
				b.publish(&wf, 2, steps("a ask:custom b"))
				b.numbered(wf, 0, 1)
				require.Equal(t, 1, b.wake(pgdue.DueHTTPSteps))
				b.publish(&wf, 3, steps(c.to))
				b.stand(year25.Add(time.Hour))
				b.wake(pgdue.DueHTTPSteps)
				b.settle()
				var said []string
				for _, line := range b.inbox() {
					_, text, _ := strings.Cut(line, " ")
					said = append(said, text)
				}
				require.Len(t, address.keys, c.requests)
				require.ElementsMatch(t, c.inbox, said)
			})
		}
	})

	t.Run("Snooze", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{})
		b.publish(&wf, 2, script("a w:delay=10 b"))
		ev := b.numbered(wf, 0, 1)
		b.exec(`UPDATE messages SET snoozed_until = $1`, year25.Add(5*time.Minute))
		b.exec(`UPDATE inbox_states SET total = 0, unread = 0, unseen = 0`)
		b.publish(&wf, 3, script("w:delay=10 c"))
		b.until(60)
		require.ElementsMatch(t, []string{"5 a 1", "10 c 1"}, b.inbox(), "a message that was sent comes back also when its step is gone")
		require.Equal(t, workflow.RunCompleted, b.runs(ev)[0].Status)
	})

	t.Run("TheHeirOfAWindow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{})
		b.publish(&wf, 2, script("dig:digest=10 sees"))
		one := b.numbered(wf, 0, 1)
		b.publish(&wf, 3, script("x dig:digest=10 sees"))
		b.numbered(wf, 2, 2)
		b.publish(&wf, 4, script("y x dig:digest=10 z sees"))
		require.Len(t, b.cancel(one), 1)
		b.until(60)
		require.ElementsMatch(t, []string{"2 x 2", "10 z 2", "10 sees 1: 2"}, b.inbox())
	})

	t.Run("MailsOfTheNewVersionAreThoseOfTheNewVersion", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.config.OptOut = func(workflow.OptOut) string { return "https://leave.example" }
		b.virtual(year25)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{})
		b.publish(&wf, 2, script("w:delay=10 m:email"))
		b.numbered(wf, 0, 1)
		b.publish(&wf, 3, script("w:delay=10 m:email n:email"))
		v := b.db.Ent.WorkflowVersion.GetX(b.ctx, wf.version)
		d := *v.Definition
		d.Critical = true
		critical := b.db.Ent.WorkflowVersion.Create().SetWorkflowID(wf.workflow).SetNumber(4).SetDefinition(&d).SetSeverity(workflow.SeverityNone).SaveX(b.ctx)
		b.db.Ent.Workflow.UpdateOneID(wf.workflow).SetPublishedVersionID(critical.ID).ExecX(b.ctx)
		b.until(60)
		require.Len(t, b.vendor.messages(), 2)
		for _, m := range b.vendor.messages() {
			require.Empty(t, m.Email.Headers["List-Unsubscribe"], "it is critical now")
		}
	})

	t.Run("PinnedStaysWhereItIs", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: script("w:delay=10 a")})
		b.numbered(wf, 0, 1)
		b.publish(&wf, 2, script("w:delay=10 b"))
		b.until(60)
		require.Equal(t, []string{"10 a 1"}, b.inbox())
	})
}
