package run

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// runs takes runs to their end and adds what becomes of them.
func (x *explaining) runs(ctx context.Context, runs []*run) error {
	if err := x.batch.starts.load(ctx, x.tx, runs); err != nil {
		return err
	}
	for _, r := range runs {
		out := &ExplainedRecipient{
			SubscriberID: r.subscriber.SubscriberID, Created: x.created[r.subscriber.SubscriberID], Topics: r.row.Topics, Reached: true,
		}
		r.watch = func(d *plan.Decision, m *pgmessage.MessageRow) { out.Steps = append(out.Steps, r.explained(d, m)) }
		if err := x.toEnd(ctx, r); err != nil {
			return err
		}
		out.Status = r.row.Status
		if out.Status == workflow.RunPending { // nothing is left but sends, which succeed
			out.Status = workflow.RunCompleted
			out.Steps = append(out.Steps, &ExplainedStep{
				Decision: plan.DecideComplete, At: r.event.now, Reason: workflow.ReasonCompleted,
			})
		}
		x.out.Recipients = append(x.out.Recipients, out)
	}
	return nil
}

// toEnd plans a run again and again, each time as if its wait were over and its sends had succeeded.
func (x *explaining) toEnd(ctx context.Context, r *run) error {
	if err := x.advance(ctx, r); err != nil {
		return err
	}
	for rests := 0; rests < 3*len(r.event.definition.Definition.Steps); rests++ {
		if r.row.Status.Final() || r.row.DueAt == nil && len(r.row.State) == 0 {
			return nil
		}
		if due := r.row.DueAt; due != nil && due.After(r.event.now) {
			later := *r.event
			later.now, later.deliveredAt = *due, nil
			r.event = &later
		}
		r.restoreState()
		r.track(r.event.definition.Definition)
		if r.results == nil {
			r.results = map[string]plan.StepResult{}
		}
		for stepID, result := range r.results {
			if result.Pending {
				result.Pending, result.Sent = false, true
				r.results[stepID] = result
			}
		}
		if r.digest != nil {
			r.digest.Closed = true
		}
		for _, d := range r.digests() {
			r.setDigest(d.StepID, r.digestContent())
		}
		if step := r.currentHTTPStep(); step != nil {
			r.setResult(step.StepID, plan.StepResult{Sent: true})
			r.passHTTPStep(step)
		}
		if err := x.advance(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// advance takes the run on, past digests and throttles in their present state.
func (x *explaining) advance(ctx context.Context, r *run) error {
	x.batch.advance(ctx, r)
	return x.batch.applySharedSteps(ctx, readRows{x.tx})
}

// explained is a decision with what it would send.
func (r *run) explained(d *plan.Decision, m *pgmessage.MessageRow) *ExplainedStep {
	step := &ExplainedStep{
		Step: d.Step, Decision: d.Kind, At: r.event.now, Until: d.Until, Channel: d.Channel, Reason: d.Reason, Reasons: d.Reasons,
		Detail: d.Detail, Why: d.Why, Variant: d.Variant,
	}
	if m == nil {
		return step
	}
	if m.Channel == workflow.ChannelInApp {
		step.Reason = workflow.ReasonSent
	}
	out := &ExplainedMessage{
		IntegrationID: m.IntegrationID, ProviderID: m.ProviderID, Target: m.Target, Subject: m.Subject, Title: m.Title, Avatar: m.Avatar,
	}
	if i := r.event.Integration(m.IntegrationID); i != nil {
		out.IntegrationIdentifier = i.Identifier
	}
	var env state.Envelope
	_ = json.Unmarshal(m.Envelope, &env) // of our own making
	_ = json.Unmarshal(m.Content, &out.Content)
	_ = json.Unmarshal(m.CTA, &out.CTA)
	_ = json.Unmarshal(m.Data, &out.Data)
	out.To = slices.Concat(env.To, m.DeviceTokens)
	if env.Phone != "" {
		out.To = append(out.To, env.Phone)
	}
	if out.Data == nil {
		out.Data = env.Data
	}
	step.Message = out
	return step
}

// stream explains the next recipients of topics or a broadcast, as many as the page still holds.
func (x *explaining) stream(ctx context.Context) error {
	s := x.source
	if err := x.executor.findActor(ctx, x.tx, s); err != nil && s.actor == nil {
		return err
	}
	skip := s.leftOut()
	for len(x.out.Recipients) < x.page.Limit {
		rows, last, err := x.next(ctx)
		if err != nil {
			return err
		}
		if err := x.pageOf(ctx, rows, skip); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
	raw, err := json.Marshal(x.cursor)
	x.out.Next = new(base64.RawURLEncoding.EncodeToString(raw))
	return err
}

func (x *explaining) readCursor() error {
	if x.page.After == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(x.page.After)
	if err != nil || json.Unmarshal(raw, &x.cursor) != nil || !x.cursor.Started {
		return fault.Invalidf("after", "is not a cursor of an explanation")
	}
	return nil
}

// next reads the rows behind the cursor and moves it.
func (x *explaining) next(ctx context.Context) (rows []pgfanout.PageRow, last bool, err error) {
	s, at := x.source, &x.cursor
	want := pgfanout.PageQuery{
		EnvironmentID: s.EnvironmentID, Scope: s.Scope, WorkflowID: s.WorkflowID, After: at.After, Max: "~", EventID: s.ID,
		Limit: x.page.Limit, Earlier: []string{},
	}
	if s.Kind == "broadcast" {
		rows, err = pgfanout.BroadcastPage(ctx, x.tx, want)
		if len(rows) > 0 {
			at.After = rows[len(rows)-1].ID
		}
		return rows, len(rows) < want.Limit, err
	}
	want.Topic, want.Limit = s.Recipients.Topics[at.Topic].TopicKey, want.Limit+maxSubscriptions
	if rows, err = pgfanout.TopicPage(ctx, x.tx, want); err != nil {
		return nil, false, err
	}
	full := len(rows) == want.Limit
	if full {
		rows = wholeSubscribers(rows)
		at.After = rows[len(rows)-1].ID
	}
	if err := x.reached(ctx, rows, at.Topic); err != nil {
		return nil, false, err
	}
	if !full {
		at.Topic, at.After = at.Topic+1, ""
	}
	return rows, at.Topic == len(s.Recipients.Topics), nil
}

// maxSubscriptions is how many subscriptions of one topic a subscriber can have (decisions.md §16); a page holds at least
// one subscriber with all of them.
const maxSubscriptions = 10

// reached marks the subscribers whom an earlier topic of the event reaches.
func (x *explaining) reached(ctx context.Context, rows []pgfanout.PageRow, topic int) error {
	s := x.source
	for _, earlier := range s.Recipients.Topics[:topic] {
		var ids []string
		for i := range rows {
			ids = state.AddNew(ids, rows[i].ID)
		}
		subscriptions, err := pgfanout.TopicSubscriptions(ctx, x.tx, pgfanout.PageQuery{
			EnvironmentID: s.EnvironmentID, Topic: earlier.TopicKey, Scope: s.Scope, WorkflowID: s.WorkflowID,
		}, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			var own []pgfanout.PageRow
			for _, sub := range subscriptions {
				if sub.ID == rows[i].ID {
					own = append(own, sub)
				}
			}
			if _, passes := s.passing(&Recipient{SubscriberRow: rows[i].SubscriberRow}, own); passes {
				rows[i].Reached = true
			}
		}
	}
	return nil
}

// pageOf explains the subscribers of a page, those whom their subscriptions keep out included.
func (x *explaining) pageOf(ctx context.Context, rows []pgfanout.PageRow, skip map[string]bool) error {
	s := x.source
	runs := x.batch.runsOf(s, rows, skip)
	if runs := runs; len(runs) > 0 && s.definition.settings {
		own, global := make([]*workflow.PreferenceLevel, len(runs)), make([]*workflow.PreferenceLevel, len(runs))
		for i, r := range runs {
			own[i], global[i] = r.own, r.global
		}
		if err := x.executor.loadPersonal(ctx, x.tx, runs); err != nil {
			return err
		}
		for i, r := range runs {
			r.own, r.global = own[i], global[i]
		}
	}
	if err := x.runs(ctx, runs); err != nil {
		return err
	}
	passed := map[string]bool{}
	for _, r := range runs {
		passed[r.subscriber.SubscriberID] = true
	}
	for i := range rows {
		row := &rows[i]
		if passed[row.SubscriberID] || skip[row.SubscriberID] || row.Reached {
			continue
		}
		passed[row.SubscriberID] = true
		out := &ExplainedRecipient{SubscriberID: row.SubscriberID, Reason: new(workflow.ReasonSubscription), Status: workflow.RunSkipped}
		if len(row.Condition) > 0 {
			_, out.Condition = condition.EvaluateRule(row.Condition, condition.RuleData{
				Payload: s.Payload, Subscriber: (&Recipient{SubscriberRow: row.SubscriberRow}).View(), Actor: s.actor, Context: s.contextIDs,
			})
		}
		x.out.Recipients = append(x.out.Recipients, out)
	}
	return nil
}
