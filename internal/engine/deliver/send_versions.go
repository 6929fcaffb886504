package deliver

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// eventVersion is an event with the version that some of its runs follow.
type eventVersion struct{ eventID, versionID string }

// sourcesOfRuns gives each run of the deliveries its event with the version that made its messages. That is the event's,
// or, with the version policy latest, the newest version at the run's last wait.
func (w *Worker) sourcesOfRuns(ctx context.Context, tx pgx.Tx, deliveries []*Delivery, started []*run.EventContext) (map[string]*run.EventContext, error) {
	byEvent := make(map[string]*run.EventContext, len(started))
	for _, s := range started {
		byEvent[s.ID] = s
	}
	byRun := make(map[string]*run.EventContext, len(deliveries))
	var moving []string
	for _, d := range deliveries {
		s := byEvent[d.EventID]
		byRun[d.NotificationID] = s
		if s != nil && s.Published().Versioning == workflow.VersionLatest {
			moving = state.AddNew(moving, d.NotificationID)
		}
	}
	if len(moving) == 0 {
		return byRun, nil
	}
	versions, err := pgrun.LoadRunVersions(ctx, tx, moving)
	if err != nil {
		return nil, err
	}
	var events []pgfanout.EventRow
	seen := map[eventVersion]bool{}
	for runID, versionID := range versions {
		s := byRun[runID]
		key := eventVersion{s.ID, versionID}
		if versionID == s.VersionID || seen[key] {
			continue
		}
		seen[key] = true
		ev := s.EventRow
		ev.VersionID = versionID
		events = append(events, ev)
	}
	if len(events) == 0 {
		return byRun, nil
	}
	moved, _, err := w.executor.LoadEventContexts(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	for _, s := range moved {
		for runID, versionID := range versions {
			if byRun[runID].ID == s.ID && versionID == s.VersionID {
				byRun[runID] = s
			}
		}
	}
	return byRun, nil
}
