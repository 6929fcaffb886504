package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// editing changes workflows at random while their runs wait. Events come at whole minutes, versions at half ones.
type editing struct {
	*bundle
	rand *rand.Rand
	made int // steps
}

// edited is a workflow with what its runs should come to.
type edited struct {
	published
	number int
	steps  []workflow.Step
	runs   []*expected
}

// expected plays one run by the letter of semantics.md §11.30, without digests.
type expected struct {
	n       int
	reached []workflow.StepRef
	wakes   int // minute
	sent    []string
}

const never = -1

// goOn takes the run on when its minute has come.
func (x *expected) goOn(minute int, steps []workflow.Step) {
	if x.wakes != minute {
		return
	}
	x.wakes = never
	from := 0
	for _, passed := range slices.Backward(x.reached) {
		if i := slices.IndexFunc(steps, func(s workflow.Step) bool { return s.Ref() == passed }); i >= 0 {
			from = i + 1
			break
		}
	}
	for i := from; i < len(steps); i++ {
		s := &steps[i]
		if slices.Contains(x.reached, s.Ref()) {
			continue
		}
		x.reached = append(x.reached, s.Ref())
		if s.Type == workflow.StepDelay {
			x.wakes = minute + s.Delay.Amount
			return
		}
		x.sent = append(x.sent, fmt.Sprintf("%d %s %d", minute, s.StepID, x.n))
	}
}

func (e *editing) step(kinds ...string) workflow.Step {
	e.made++
	return script(fmt.Sprintf("s%d:%s", e.made, kinds[e.rand.IntN(len(kinds))]))[0]
}

// edit inserts, removes, swaps, moves, renames or retypes steps, or replaces all of them.
func (e *editing) edit(steps []workflow.Step, kinds ...string) []workflow.Step {
	steps = slices.Clone(steps)
	for range 1 + e.rand.IntN(3) {
		n := len(steps)
		switch change := e.rand.IntN(12); {
		case n == 0 || change < 4:
			steps = slices.Insert(steps, e.rand.IntN(n+1), e.step(kinds...))
		case change < 7:
			i := e.rand.IntN(n)
			steps = slices.Delete(steps, i, i+1)
		case change < 9:
			i, j := e.rand.IntN(n), e.rand.IntN(n)
			steps[i], steps[j] = steps[j], steps[i]
		case change < 10:
			steps[e.rand.IntN(n)].Name = "renamed"
		case change < 11:
			i := e.rand.IntN(n)
			steps[i] = script(steps[i].StepID + ":" + kinds[e.rand.IntN(len(kinds))])[0]
		default:
			steps = []workflow.Step{e.step(kinds...), e.step(kinds...)}
		}
	}
	return steps
}

func (e *editing) workflows(n int, kinds ...string) []*edited {
	list := make([]*edited, n)
	for i := range list {
		w := &edited{published: e.workflow(workflow.Definition{}), number: 2}
		for range 1 + e.rand.IntN(5) {
			w.steps = append(w.steps, e.step(kinds...))
		}
		e.publish(&w.published, w.number, w.steps)
		list[i] = w
	}
	return list
}

// play lets minutes pass in which events come and versions are published. tick hears of each minute before its events,
// until nothing can be waiting any more.
func (e *editing) play(list []*edited, minutes int, kinds []string, tick func(minute int), came func(minute int, w *edited, n int)) {
	n := 0
	for minute := 1; minute < minutes; minute++ {
		tick(minute)
		e.until(float64(minute))
		for _, w := range list {
			for e.rand.IntN(4) == 0 {
				n++
				e.triggered(w.published, to("u1"), happened(year25.Add(time.Duration(minute)*time.Minute)), func(c *ent.EventCreate) {
					c.SetPayload(map[string]any{"n": n})
				})
				came(minute, w, n)
			}
		}
		e.until(float64(minute) + 0.5)
		for _, w := range list {
			for e.rand.IntN(5) == 0 {
				w.number++
				w.steps = e.edit(w.steps, kinds...)
				e.publish(&w.published, w.number, w.steps)
			}
		}
	}
	for minute := minutes; minute < minutes+300; minute++ {
		tick(minute)
	}
	e.until(float64(minutes + 300))
}

func editings(t *testing.T, run func(*testing.T, *editing)) {
	t.Helper()
	cases := 4
	if os.Getenv("CARILLON_SOAK") != "" {
		cases = 400
	}
	for n := range cases {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if cases < 10 {
				t.Parallel()
			}
			e := &editing{bundle: setup(t), rand: rand.New(rand.NewPCG(30, uint64(n)))} //nolint:gosec // cases, not secrets
			e.virtual(year25)
			e.subscriber("u1")
			run(t, e)
		})
	}
}

// TestEditedWhileRunsWait compares runs with the rule, step by step: nothing twice, nothing lost, nothing at another time.
func TestEditedWhileRunsWait(t *testing.T) {
	t.Parallel()
	kinds := []string{"", "", "", "delay=1", "delay=3", "delay=7"}
	editings(t, func(t *testing.T, e *editing) {
		t.Helper()
		list := e.workflows(12, kinds...)
		var want []string
		e.play(list, 25, kinds, func(minute int) {
			for _, w := range list {
				for _, x := range w.runs {
					x.goOn(minute, w.steps)
				}
			}
		}, func(minute int, w *edited, n int) {
			x := &expected{n: n, wakes: minute}
			w.runs = append(w.runs, x)
			x.goOn(minute, w.steps)
		})
		for _, w := range list {
			for _, x := range w.runs {
				require.Equal(t, never, x.wakes)
				want = append(want, x.sent...)
			}
		}
		require.NotEmpty(t, want)
		require.ElementsMatch(t, want, e.inbox())
		for _, run := range e.db.Ent.Notification.Query().AllX(e.ctx) {
			require.Equal(t, workflow.RunCompleted, run.Status, "%+v", run.Trace)
		}
	})
}

// TestEditedDigests: each event that comes to a digest is in exactly one of its windows, whatever becomes of the step, and
// what a window holds agrees with its count.
func TestEditedDigests(t *testing.T) {
	t.Parallel()
	kinds := []string{"", "", "delay=2", "digest=4", "digest=6", "backoff=3", "updating=5"}
	editings(t, func(t *testing.T, e *editing) {
		t.Helper()
		list := e.workflows(8, kinds...)
		e.play(list, 25, kinds, func(int) {}, func(int, *edited, int) {})
		require.Zero(t, e.db.Ent.Digest.Query().Where(digest.StatusEQ(digest.StatusOpen)).CountX(e.ctx))

		inWindows := map[string][]int{} // by workflow and step: the numbers of the events
		for _, w := range e.db.Ent.Digest.Query().Where(digest.StatusEQ(digest.StatusClosed)).AllX(e.ctx) {
			held, err := pgrun.LoadCollected(e.ctx, e.db.Pool, []string{w.ID})
			require.NoError(t, err)
			require.Len(t, held[0].Events, held[0].Total, "items and count agree")
			for _, event := range held[0].Events {
				n, _ := event.(map[string]any)["n"].(float64)
				inWindows[w.WorkflowID+w.StepID] = append(inWindows[w.WorkflowID+w.StepID], int(n))
			}
		}
		require.NotEmpty(t, inWindows)
		for step, numbers := range inWindows {
			slices.Sort(numbers)
			require.Equal(t, slices.Compact(slices.Clone(numbers)), numbers, "no event is in two windows of %s", step)
		}
		for _, run := range e.db.Ent.Notification.Query().AllX(e.ctx) {
			require.Contains(t, []workflow.RunStatus{workflow.RunCompleted, workflow.RunMerged}, run.Status, "%+v", run.Trace)
			payload := e.db.Ent.Event.GetX(e.ctx, run.EventID).Payload
			n, _ := payload["n"].(float64)
			sent := map[string]int{}
			for _, entry := range run.Trace {
				into := entry.Reason == workflow.ReasonMerged && entry.Detail != ""
				if into || entry.Reason == workflow.ReasonWaiting && entry.Detail == "for the end of the digest window" {
					require.Contains(t, inWindows[run.WorkflowID+entry.StepID], int(n), "an event that came to a digest is in it")
				}
				if entry.Reason == workflow.ReasonSent {
					sent[entry.StepID+string(entry.Channel)]++
				}
			}
			for step, times := range sent {
				require.Equal(t, 1, times, "%s is sent once", step)
			}
		}
	})
}
