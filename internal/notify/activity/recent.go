package activity

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgactivity"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// IntegrationHealth is how the calls of an integration went since an instant, its newest usecase.CountCap ones.
type IntegrationHealth struct {
	Since                                          time.Time
	Attempts, Accepted, Rejected, Unknown, Pending int
}

// WorkflowStatistics is what became of the notifications of a workflow since an instant, its newest usecase.CountCap ones.
type WorkflowStatistics struct {
	Since         time.Time
	Notifications int
	ByStatus      []RunStatusCount
}

// RunStatusCount is how many notifications have a status.
type RunStatusCount struct {
	Status workflow.RunStatus
	Count  int
}

// Health returns how the calls of integrations went in the last minutes, 1 to a day, by their internal ids. Cost: one query.
func (s *Statistics) Health(ctx context.Context, integrations []string, minutes int) (map[string]*IntegrationHealth, error) {
	if most := 24 * 60; minutes < 1 || minutes > most {
		return nil, fault.Invalidf("minutes", "must be from 1 to %d", most)
	}
	since := s.Now().Add(-time.Duration(minutes) * time.Minute)
	counts, err := s.recent(ctx, pgactivity.CountOutcomes, integrations, since)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*IntegrationHealth, len(integrations))
	for _, integrationID := range integrations {
		all[integrationID] = &IntegrationHealth{Since: since}
	}
	for _, c := range counts {
		h := all[c.Owner]
		h.Attempts += c.Count
		switch workflow.AttemptOutcome(c.State) {
		case workflow.AttemptAccepted:
			h.Accepted = c.Count
		case workflow.AttemptRejected:
			h.Rejected = c.Count
		case workflow.AttemptUnknown:
			h.Unknown = c.Count
		case workflow.AttemptIntent:
			h.Pending = c.Count
		}
	}
	return all, nil
}

// Runs returns what became of the notifications of workflows in the last hours, by their internal ids. Cost: one query.
func (s *Statistics) Runs(ctx context.Context, workflows []string, hours int) (map[string]*WorkflowStatistics, error) {
	if most := int(longestPeriod.Hours()); hours < 1 || hours > most {
		return nil, fault.Invalidf("hours", "must be from 1 to %d", most)
	}
	since := s.Now().Add(-time.Duration(hours) * time.Hour)
	counts, err := s.recent(ctx, pgactivity.CountRuns, workflows, since)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*WorkflowStatistics, len(workflows))
	for _, workflowID := range workflows {
		all[workflowID] = &WorkflowStatistics{Since: since, ByStatus: []RunStatusCount{}}
	}
	for _, c := range counts {
		w := all[c.Owner]
		w.Notifications += c.Count
		w.ByStatus = append(w.ByStatus, RunStatusCount{workflow.RunStatus(c.State), c.Count})
	}
	return all, nil
}

type countStates func(ctx context.Context, q postgres.Querier, scope viewer.Scope, owners []id.ID, since id.ID, limit int) ([]pgactivity.StateCount, error)

func (s *Statistics) recent(ctx context.Context, count countStates, owners []string, since time.Time) ([]pgactivity.StateCount, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadActivity, func(ctx context.Context, _ *ent.Client) ([]pgactivity.StateCount, error) {
		v, _ := viewer.FromContext(ctx)
		return count(ctx, s.DB.Pool, v.Scope, owners, id.Floor(since), usecase.CountCap)
	})
}
