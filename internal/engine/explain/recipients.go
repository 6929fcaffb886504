package explain

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// add adds recipients whose runs are at their end.
func (x *explaining) add(runs []run.TrialRun) {
	for i := range runs {
		r := &runs[i]
		out := &ExplainedRecipient{
			SubscriberID: r.SubscriberID, Created: r.Created, Topics: r.Topics, Reached: true, Status: r.Status,
		}
		for d := range r.Decisions {
			out.Steps = append(out.Steps, x.explained(&r.Decisions[d]))
		}
		if out.Status == workflow.RunPending { // nothing is left but sends, which succeed
			out.Status = workflow.RunCompleted
			out.Steps = append(out.Steps, &ExplainedStep{Decision: plan.DecideComplete, At: r.EndedAt, Reason: workflow.ReasonCompleted})
		}
		x.out.Recipients = append(x.out.Recipients, out)
	}
}

// explained is a decision with what it would send.
func (x *explaining) explained(d *run.TrialDecision) *ExplainedStep {
	m := d.Message
	step := &ExplainedStep{
		Step: d.Step, Decision: d.Kind, At: d.At, Until: d.Until, Channel: d.Channel, Reason: d.Reason, Reasons: d.Reasons,
		Detail: d.Detail, Why: d.Why, Variant: d.Variant,
	}
	if m == nil {
		if d.Kind == plan.DecideSend { // its content cannot be made, or nothing may be sent to where it would go
			step.Decision = plan.DecideSkip
		}
		return step
	}
	if m.Channel == workflow.ChannelInApp {
		step.Reason = workflow.ReasonSent
	}
	step.Message = messageOf(m)
	if i := x.trial.Integration(m.IntegrationID); i != nil {
		step.Message.IntegrationIdentifier = i.Identifier
	}
	return step
}

// messageOf is what a message row would send, where to and through which provider.
func messageOf(m *pgmessage.MessageRow) *ExplainedMessage {
	out := &ExplainedMessage{
		IntegrationID: m.IntegrationID, ProviderID: m.ProviderID, Target: m.Target, Subject: m.Subject, Title: m.Title, Avatar: m.Avatar,
	}
	var env state.Envelope
	_ = jsonnum.Unmarshal(m.Envelope, &env) // of our own making
	_ = json.Unmarshal(m.Content, &out.Content)
	_ = json.Unmarshal(m.CTA, &out.CTA)
	_ = jsonnum.Unmarshal(m.Data, &out.Data)
	out.To = slices.Concat(env.To, m.DeviceTokens)
	if env.Phone != "" {
		out.To = append(out.To, env.Phone)
	}
	if out.Data == nil {
		out.Data = env.Data
	}
	return out
}

// stream explains the next recipients of topics or a broadcast, as many as the page still holds.
func (x *explaining) stream(ctx context.Context) error {
	if err := x.trial.FindActor(ctx); err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	skip := x.trial.LeftOut()
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

// readCursor reads where the page begins; a cursor that was made for other recipients does not fit the event.
func (x *explaining) readCursor(ev *pgfanout.EventRow) error {
	if x.page.After == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(x.page.After)
	if err != nil || json.Unmarshal(raw, &x.cursor) != nil || !x.fits(ev) {
		return fault.Invalidf("after", "is not a cursor of this explanation")
	}
	return nil
}

// fits reports whether the cursor can be one of an event's explanation.
func (x *explaining) fits(ev *pgfanout.EventRow) bool {
	topics := 1 // a broadcast is read as one
	if ev.Kind != "broadcast" && streamed(ev) {
		topics = len(ev.Recipients.Topics)
	}
	at := &x.cursor
	return streamed(ev) && at.Started && at.Topic >= 0 && at.Topic < topics && (at.After == "" || id.Valid(at.After))
}

// next reads the rows behind the cursor, of at most as many subscribers as the page still holds, and moves it.
func (x *explaining) next(ctx context.Context) (rows []pgfanout.PageRow, last bool, err error) {
	s, at, room := x.event, &x.cursor, x.page.Limit-len(x.out.Recipients)
	want := pgfanout.PageQuery{
		EnvironmentID: s.EnvironmentID, Scope: s.Scope, WorkflowID: s.WorkflowID, After: at.After, Max: "~", EventID: s.ID,
		Limit: room, Earlier: []string{},
	}
	if s.Kind == "broadcast" {
		rows, err = pgfanout.BroadcastPage(ctx, x.tx, want)
		if len(rows) > 0 {
			at.After = rows[len(rows)-1].ID
		}
		return rows, len(rows) < want.Limit, err
	}
	want.Topic, want.Limit = s.Recipients.Topics[at.Topic].TopicKey, room+maxSubscriptions
	if rows, err = pgfanout.TopicPage(ctx, x.tx, want); err != nil {
		return nil, false, err
	}
	more := len(rows) == want.Limit
	if more {
		rows = run.WholeSubscribers(rows)
	}
	if n := firstSubscribers(rows, room); n < len(rows) {
		rows, more = rows[:n], true
	}
	if err := x.elsewhere(ctx, rows, at.Topic); err != nil {
		return nil, false, err
	}
	if more {
		at.After = rows[len(rows)-1].ID
	} else {
		at.Topic, at.After = at.Topic+1, ""
	}
	return rows, at.Topic == len(s.Recipients.Topics), nil
}

// maxSubscriptions is how many subscriptions of one topic a subscriber can have (decisions.md §16); a page holds at least
// one subscriber with all of them.
const maxSubscriptions = 10

// firstSubscribers is how many rows the first subscribers of a page have.
func firstSubscribers(rows []pgfanout.PageRow, subscribers int) int {
	for i := range rows {
		if i == 0 || rows[i].ID != rows[i-1].ID {
			subscribers--
		}
		if subscribers < 0 {
			return i
		}
	}
	return len(rows)
}

// elsewhere marks the subscribers of a topic who are explained with another one of the event: those whom an earlier topic
// reaches, and those whom this one keeps out when they are in a later one as well.
func (x *explaining) elsewhere(ctx context.Context, rows []pgfanout.PageRow, topic int) error {
	own := bySubscriber(rows)
	for at, other := range x.event.Recipients.Topics {
		if at == topic || len(own) == 0 {
			continue
		}
		subscriptions, err := pgfanout.TopicSubscriptions(ctx, x.tx, pgfanout.PageQuery{
			EnvironmentID: x.event.EnvironmentID, Topic: other.TopicKey, Scope: x.event.Scope, WorkflowID: x.event.WorkflowID,
		}, slices.Collect(maps.Keys(own)))
		if err != nil {
			return err
		}
		others := bySubscriber(subscriptions)
		for i := range rows {
			who := rows[i].ID
			earlier := at < topic && x.trial.Passes(others[who])
			later := at > topic && len(others[who]) > 0 && !x.trial.Passes(own[who])
			rows[i].Reached = rows[i].Reached || earlier || later
		}
	}
	return nil
}

func bySubscriber(rows []pgfanout.PageRow) map[string][]pgfanout.PageRow {
	grouped := map[string][]pgfanout.PageRow{}
	for i := range rows {
		grouped[rows[i].ID] = append(grouped[rows[i].ID], rows[i])
	}
	return grouped
}

// pageOf explains the subscribers of a page, those whom their subscriptions keep out included.
func (x *explaining) pageOf(ctx context.Context, rows []pgfanout.PageRow, skip map[string]bool) error {
	runs, err := x.trial.Page(ctx, rows, skip)
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	x.add(runs)
	passed := map[string]bool{}
	for i := range runs {
		passed[runs[i].SubscriberID] = true
	}
	for i := range rows {
		row := &rows[i]
		if passed[row.SubscriberID] || skip[row.SubscriberID] || row.Reached || row.Gone {
			continue
		}
		passed[row.SubscriberID] = true
		out := &ExplainedRecipient{SubscriberID: row.SubscriberID, Reason: new(workflow.ReasonSubscription), Status: workflow.RunSkipped}
		if row.Condition != nil {
			out.Condition = x.trial.Condition(row)
		}
		x.out.Recipients = append(x.out.Recipients, out)
	}
	return nil
}
