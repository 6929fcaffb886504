// Package watch evaluates alert rules and tells what package alerts decides: by an event of the workflow that a rule names, and by the
// row of the incident, which outgoing webhooks report.
package watch

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/alerts"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgalert"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// batch is how many rules one look takes.
const batch = 50

// Watch evaluates alert rules.
type Watch struct {
	*state.Shared
	versions *accept.VersionCache
}

// New returns a Watch.
func New(s *state.Shared) *Watch { return &Watch{Shared: s, versions: accept.NewVersionCache()} }

// now is real time: an environment's clock says nothing about when messages fail.
func (w *Watch) now() time.Time { return w.Clocks.Now("").UTC().Truncate(time.Microsecond) }

// Claim returns rules that are to be evaluated.
func (w *Watch) Claim(ctx context.Context) ([]pgalert.Rule, error) {
	return pgalert.Claim(ctx, w.DB, w.now(), batch)
}

// Evaluate counts what rules are judged by, and stores in one transaction what they have come to and what is told of it. What another
// process has evaluated since is left as it is.
func (w *Watch) Evaluate(ctx context.Context, rules []pgalert.Rule) error {
	now := w.now()
	counts, err := pgalert.Count(ctx, w.DB.Pool, rules, now)
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	measured, ids := map[string]measurement{}, make([]string, len(rules))
	for i := range rules {
		ids[i], measured[rules[i].ID] = rules[i].ID, measurement{measure(&rules[i], &counts[i], now), counts[i].Loudest}
	}
	var written []pgaccept.AcceptedEvent
	err = w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		locked, err := pgalert.Lock(ctx, tx, ids)
		if err != nil {
			return err //nolint:wrapcheck // says what it did
		}
		decided := decide(locked, measured, now)
		if err := begin(ctx, tx, decided, now); err != nil {
			return err
		}
		if written, err = w.tell(ctx, tx, decided); err != nil || len(decided) == 0 {
			return err
		}
		evaluations := make([]pgalert.Evaluation, len(decided))
		for i := range decided {
			evaluations[i] = decided[i].Evaluation
		}
		return pgalert.Store(ctx, tx, evaluations, now) //nolint:wrapcheck // says what it did
	})
	if err == nil {
		accept.HandOver(w.Queue, written)
	}
	return err
}

// measurement is what a rule is judged by, with the subscribers who got most messages, where it counts those.
type measurement struct {
	figure  alerts.Figure
	loudest []pgalert.SubscriberVolume
}

func measure(r *pgalert.Rule, c *pgalert.Counts, now time.Time) alerts.Figure {
	messages := c.Messages
	if len(c.Loudest) > 0 {
		messages = c.Loudest[0].Messages
	}
	return alerts.Measure(r.Condition, r.Minimum, alerts.Counts{
		Messages: messages, Finished: c.Finished, Failed: c.Failed, Latest: c.Latest, Unhealthy: c.Unhealthy, OldestDue: c.OldestDue,
		Unknown: c.Unknown, WatchedSince: r.CreatedAt,
	}, now)
}

// decision is what an evaluation of a rule has come to.
type decision struct {
	pgalert.Evaluation
	rule   *pgalert.Rule
	above  []pgalert.SubscriberVolume // the threshold
	notice alerts.Notice
	state  alerts.State
	pauses []pgdue.NewPause // that are to begin
}

const missing = "The workflow or integration that the rule is about does not exist."

func decide(rules []pgalert.Rule, measured map[string]measurement, now time.Time) (decided []decision) {
	for i := range rules {
		r := &rules[i]
		if r.EvaluatedAt != nil && !r.EvaluatedAt.Before(now) {
			continue
		}
		d := decision{rule: r}
		d.state, d.notice = alerts.Decide(terms(r), before(r), measured[r.ID].figure, now)
		d.Evaluation = evaluation(r, d.state)
		for _, s := range measured[r.ID].loudest {
			if float64(s.Messages) >= r.Threshold {
				d.above = append(d.above, s)
			}
		}
		if r.OpenedAt == nil && len(d.above) > 0 {
			d.SubscriberID = &d.above[0].ID
		}
		if r.Pause && d.state.Phase == workflow.AlertFiring {
			d.pause()
		}
		if _, _, gone := r.Scope(); gone {
			d.Problem = state.NotEmpty(missing)
		} else if r.Problem != nil && *r.Problem != missing && *r.Problem != crowded {
			d.Problem = r.Problem // until a notice is told again
		}
		decided = append(decided, d)
	}
	return decided
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

func terms(r *pgalert.Rule) alerts.Rule {
	t := alerts.Rule{
		Condition: r.Condition, Threshold: r.Threshold, RecoverBelow: r.RecoverBelow, Minimum: r.Minimum,
		OpenAfter: minutes(r.OpenAfter), RecoverAfter: minutes(r.RecoverAfter), SilencedUntil: r.SilencedUntil,
	}
	if r.RemindAfter != nil {
		t.RemindAfter = minutes(*r.RemindAfter)
	}
	return t
}

// before is what a rule had come to.
func before(r *pgalert.Rule) alerts.State {
	s := alerts.State{Phase: r.State, BreachingSince: r.BreachingSince, RecoveringSince: r.RecoveringSince}
	if r.OpenedAt != nil {
		s.Incident = &alerts.Incident{
			OpenedAt: *r.OpenedAt, Value: *r.IncidentValue, Peak: *r.IncidentPeak, Notices: *r.Notices, ToldAt: r.ToldAt, LastToldAt: r.LastToldAt,
		}
	}
	return s
}

func evaluation(r *pgalert.Rule, s alerts.State) pgalert.Evaluation {
	e := pgalert.Evaluation{
		ID: r.ID, EnvironmentID: r.EnvironmentID, State: s.Phase, Value: s.Value, BreachingSince: s.BreachingSince,
		RecoveringSince: s.RecoveringSince, Threshold: r.Threshold,
	}
	if i := s.Incident; i != nil {
		if e.IncidentID = r.IncidentID; e.IncidentID == nil {
			made := id.New(time.Now())
			e.IncidentID = &made
		}
		e.OpenedAt, e.Opening, e.Peak, e.Notices, e.ToldAt, e.LastToldAt, e.ClosedAt = &i.OpenedAt, &i.Value, &i.Peak, &i.Notices, i.ToldAt, i.LastToldAt, i.ClosedAt
	}
	return e
}

// tell writes the events of the notices into the transaction. A workflow that cannot be started is a problem of its rule.
func (w *Watch) tell(ctx context.Context, tx pgx.Tx, decided []decision) ([]pgaccept.AcceptedEvent, error) {
	var items []accept.Acceptance
	var of []*decision
	for i := range decided {
		if d := &decided[i]; d.notice != alerts.None && d.rule.NotifyWorkflow != nil {
			items, of = append(items, d.event()), append(of, d)
		}
	}
	if len(items) == 0 {
		return nil, nil
	}
	targets, err := w.versions.Preview(ctx, tx, items, time.Time{})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what it did
	}
	byEnvironment := map[string][]pgaccept.AcceptedEvent{}
	for i := range items {
		outcome, payload := targets.Decide(ctx, &items[i])
		if problem := Refused(outcome); problem != nil {
			of[i].Problem = problem
			continue
		}
		of[i].Problem = of[i].unpaused()
		items[i].Payload = payload
		made := targets.Event(&items[i])
		made.ID = id.New(time.Now())
		byEnvironment[made.EnvironmentID] = append(byEnvironment[made.EnvironmentID], made)
	}
	return w.write(ctx, tx, byEnvironment)
}

// Refused says why an event is not accepted; nil: it is.
func Refused(outcome accept.Outcome) *string {
	switch {
	case outcome.Err != nil:
		return state.NotEmpty(outcome.Err.Error())
	case outcome.Error != "":
		return &outcome.Error
	}
	return state.NotEmpty(string(outcome.Status))
}

func (w *Watch) write(ctx context.Context, tx pgx.Tx, byEnvironment map[string][]pgaccept.AcceptedEvent) (all []pgaccept.AcceptedEvent, err error) {
	now := time.Now()
	for _, environmentID := range slices.Sorted(maps.Keys(byEnvironment)) {
		events := byEnvironment[environmentID]
		slices.SortFunc(events, func(x, y pgaccept.AcceptedEvent) int { return cmp.Compare(x.TransactionID, y.TransactionID) })
		at := pgaccept.AcceptTimes{Now: now, DueAt: now.Add(accept.Grace)}
		if w.DB.VirtualClocks {
			happened, err := w.Clocks.ReadNow(ctx, environmentID)
			if err != nil {
				return nil, err //nolint:wrapcheck // says what it did
			}
			at.Happened = &happened
		}
		written, err := pgaccept.WriteEvents(ctx, tx, events, at)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what it did
		}
		all = append(all, accept.Written(events, written)...)
	}
	return all, nil
}

// event is the event that tells of a decision.
func (d *decision) event() accept.Acceptance {
	r := d.rule
	told := alerts.Told{
		Notice: d.notice, RuleID: r.ID, Name: r.Name, Environment: r.EnvironmentName, Condition: r.Condition, Threshold: r.Threshold,
		WindowMinutes: r.Window, Value: d.Value, Workflow: r.Workflow, Integration: r.Integration, Channel: (*string)(r.Channel),
		IncidentID: *d.IncidentID, Incident: d.state.Incident, Paused: d.PauseID != nil || r.PauseID != nil,
	}
	if len(d.above) > 0 && d.above[0].SubscriberID != "" {
		told.Subscriber = &d.above[0].SubscriberID
	}
	item := Event(r.EnvironmentID, *r.NotifyWorkflow, told.Payload(), r.NotifySubscribers, r.NotifyTopics)
	item.TransactionID, item.Generated = told.TransactionID(), true
	return item
}

// Event is an event that tells recipients of a notice; it has no transactionId.
func Event(environmentID, identifier string, payload map[string]any, subscribers, topics []string) accept.Acceptance {
	return accept.Acceptance{
		EnvironmentID: environmentID, Kind: event.KindTrigger, Workflow: identifier, Payload: state.AsJSON(payload),
		Recipients: state.AsJSON(alerts.Recipients(subscribers, topics)), Reachable: true, Topics: len(topics) > 0,
	}
}
