package activity

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// The traces of so many notifications are read of one workflow, and of all workflows of a question together.
const (
	tracesOfWorkflow = 5_000
	tracesOfQuestion = 20_000
)

// WorkflowStepStatistics is what became of the steps of a workflow in its newest notifications since an instant.
type WorkflowStepStatistics struct {
	Since         time.Time
	Notifications int
	Capped        bool // there are more
	Steps         []StepStatistics
}

// StepStatistics is what became of one step.
type StepStatistics struct {
	StepID                         string
	Reached, Sent, Failed, Skipped int
	Skips                          []StepSkips
}

// StepSkips is how many notifications a step was skipped for, for one reason.
type StepSkips struct {
	Reason workflow.Reason
	Count  int
}

// Steps returns what became of the steps of workflows in the last hours, by their internal ids. Cost: one query.
func (s *Statistics) Steps(ctx context.Context, workflows []string, hours int) (map[string]*WorkflowStepStatistics, error) {
	if most := int(longestPeriod.Hours()); hours < 1 || hours > most {
		return nil, fault.Invalidf("hours", "must be from 1 to %d", most)
	}
	since := s.Now().Add(-time.Duration(hours) * time.Hour)
	limit := min(tracesOfWorkflow, max(1, tracesOfQuestion/max(1, len(workflows))))
	counts, err := usecase.Read(ctx, s.Deps, usecase.ReadActivity, func(ctx context.Context, _ *ent.Client) ([]pgactivity.StepCount, error) {
		v, _ := viewer.FromContext(ctx)
		// One more than counts says whether there are more.
		return pgactivity.CountSteps(ctx, s.DB.Pool, v.Scope, workflows, id.Floor(since), limit+1, pgactivity.StepOutcomes{
			Sent: texts(workflow.SentReasons()), Failed: texts(workflow.FailedReasons()), Skipped: texts(workflow.SkipReasons()),
		})
	})
	if err != nil {
		return nil, err
	}
	all := make(map[string]*WorkflowStepStatistics, len(workflows))
	for _, workflowID := range workflows {
		all[workflowID] = &WorkflowStepStatistics{Since: since, Steps: []StepStatistics{}}
	}
	for _, c := range counts {
		all[c.Owner].add(c, limit)
	}
	return all, nil
}

func (w *WorkflowStepStatistics) add(c pgactivity.StepCount, limit int) {
	if c.Step == "" {
		w.Notifications, w.Capped = min(c.Count, limit), c.Count > limit
		return
	}
	if n := len(w.Steps); n == 0 || w.Steps[n-1].StepID != c.Step {
		w.Steps = append(w.Steps, StepStatistics{StepID: c.Step, Skips: []StepSkips{}})
	}
	step := &w.Steps[len(w.Steps)-1]
	step.Reached += c.Count
	switch c.Outcome {
	case "":
	case "sent":
		step.Sent += c.Count
	case "failed":
		step.Failed += c.Count
	default:
		step.Skipped += c.Count
		step.Skips = append(step.Skips, StepSkips{workflow.Reason(c.Outcome), c.Count})
	}
}

func texts(reasons []workflow.Reason) []string {
	out := make([]string, len(reasons))
	for i, r := range reasons {
		out[i] = string(r)
	}
	return out
}
