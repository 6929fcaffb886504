package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/alerts"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgalert"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// pauses are the kinds of pauses that hold what rules watch.
var pauses = map[pgalert.Scope]workflow.PauseKind{
	pgalert.ScopeEnvironment: workflow.PauseEnvironment, pgalert.ScopeWorkflow: workflow.PauseWorkflow,
	pgalert.ScopeIntegration: workflow.PauseIntegration, pgalert.ScopeChannel: workflow.PauseChannel,
}

var crowded = fmt.Sprintf("Nothing was paused: %d pauses of the environment last, or %d of subscribers.", pgdue.MaxPauses, pgdue.MaxPausedSubscribers)

// pause wants a pause of what the rule watches while its incident is open and has none, and of every subscriber who comes above the
// threshold meanwhile. It lasts until people resume it, who judge what was held. What was deleted while it was evaluated is not paused.
func (d *decision) pause() {
	scope, of, missing := d.rule.Scope()
	kind, targets := pauses[scope], []string{of}
	if d.rule.Condition == workflow.AlertSubscriberVolume {
		kind, targets = workflow.PauseSubscriber, nil
		for _, s := range d.above {
			targets = append(targets, s.ID)
		}
	} else if d.rule.PauseID != nil {
		return
	}
	if missing || len(targets) == 0 {
		return
	}
	reason := fmt.Sprintf("Alert rule %s: %s", d.rule.Name, alerts.Describe(d.rule.Condition, d.Value, d.rule.Window))
	for i, made := range id.Batch(time.Now(), len(targets)) {
		d.pauses = append(d.pauses, pgdue.NewPause{
			ID: made, EnvironmentID: d.EnvironmentID, Kind: kind, Target: targets[i], Reason: reason, Since: d.OpenedAt,
		})
	}
}

// begin begins the pauses that decisions want. An incident names the pause of the first: of what it watches, or of the subscriber with
// most messages.
func begin(ctx context.Context, tx pgx.Tx, decided []decision, now time.Time) error {
	var all []pgdue.NewPause
	for i := range decided {
		all = append(all, decided[i].pauses...)
	}
	if len(all) == 0 {
		return nil
	}
	lasting, err := pgdue.Begin(ctx, tx, all, now)
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	for i := range decided {
		d := &decided[i]
		for _, wanted := range d.pauses {
			if made, ok := lasting[wanted.ID]; ok {
				d.PauseID = &made
				break
			}
		}
		if problem := d.unpaused(); problem != nil {
			d.Problem = problem
		}
	}
	return nil
}

// unpaused says that the rule should have paused something by now, and nothing is.
func (d *decision) unpaused() *string {
	if len(d.pauses) == 0 || d.PauseID != nil || d.rule.PauseID != nil {
		return nil
	}
	return state.NotEmpty(crowded)
}
