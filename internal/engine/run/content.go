package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// content is the rendered part of a step's messages, in the form in which rows hold it.
type content struct {
	subject, title *string
	body           json.RawMessage // workflow.MessageContent
	cta            json.RawMessage
	avatar         *string
	feedID         string
	data           json.RawMessage
	mail           state.MailParts
	push           map[string]any
}

// content renders a step for one recipient; steps that are the same for all recipients are rendered once per event.
func (e *Executor) content(ctx context.Context, r *run, d *plan.Decision) (*content, error) {
	s, stepID := r.event, d.Step.StepID
	kept, known := s.rendered[stepID]
	if kept != nil {
		return kept, nil
	}
	c, err := e.render(ctx, r, d)
	if err == nil && !known && s.definition.Shared[stepID] {
		if !s.hasPersonalLayout(d) {
			kept = c
		}
		s.rendered[stepID] = kept
	}
	return c, err
}

// hasPersonalLayout reports whether the layout of a step's e-mails differs between the recipients of the event.
func (s *EventContext) hasPersonalLayout(d *plan.Decision) bool {
	if d.Channel != workflow.ChannelEmail {
		return false
	}
	layout, err := s.layout(d.Controls().Email, s.overrides.ForStep(d.Step.StepID, d.Channel, "").Layout)
	return err == nil && definition.IsPersonal(layout)
}

// safeLink is a stored URL, unless no device should load it.
func safeLink(link string) string {
	if !workflow.SafeLink(link) {
		return ""
	}
	return link
}

func (e *Executor) render(ctx context.Context, r *run, d *plan.Decision) (*content, error) {
	step := d.Controls()
	vars := r.vars(r.plan.Results())
	switch d.Channel {
	case workflow.ChannelInApp:
		out, err := e.Render.InApp(ctx, step.InApp, vars)
		if err != nil {
			return nil, err
		}
		cta, data := out.CTA(), json.RawMessage(nil)
		if len(out.Data) > 0 {
			data = state.AsJSON(out.Data)
		}
		return &content{
			subject: state.NotEmpty(out.Subject), body: state.AsJSON(workflow.MessageContent{Text: out.Body}), cta: state.AsJSON(cta),
			avatar: state.NotEmpty(cmp.Or(out.Avatar, safeLink(r.event.actorAvatar))), feedID: step.InApp.FeedID, data: data,
		}, nil
	case workflow.ChannelEmail:
		return e.renderEmail(ctx, r, d, step)
	case workflow.ChannelPush:
		out, err := e.Render.Push(ctx, step.Push, vars)
		if err != nil {
			return nil, err
		}
		return &content{title: state.NotEmpty(out.Subject), body: state.AsJSON(workflow.MessageContent{Text: out.Body}), push: out.Data}, nil
	}
	if d.Channel == workflow.ChannelChat {
		text, err := e.Render.Chat(ctx, step.Chat, vars)
		if err != nil {
			return nil, err
		}
		return &content{body: state.AsJSON(workflow.MessageContent{Text: text})}, nil
	}
	text, err := e.Render.SMS(ctx, step.SMS, vars)
	if err != nil {
		return nil, err
	}
	if over := r.event.overrides.ForStep(d.Step.StepID, d.Channel, d.Targets[0].ProviderID).SMS; over != nil {
		text = cmp.Or(over.Content, text)
	}
	return &content{body: state.AsJSON(workflow.MessageContent{Text: text})}, nil
}

func (e *Executor) renderEmail(ctx context.Context, r *run, d *plan.Decision, step workflow.Step) (*content, error) {
	over := r.event.overrides.ForStep(d.Step.StepID, d.Channel, d.Targets[0].ProviderID)
	layout, err := r.event.layout(step.Email, over.Layout)
	if err != nil {
		return nil, err
	}
	out, err := e.Render.Email(ctx, step.Email, layout, r.vars(r.plan.Results()))
	if err != nil {
		return nil, err
	}
	c := &content{
		subject: state.NotEmpty(out.Subject),
		mail:    state.MailParts{From: out.From, SenderName: out.SenderName, ReplyTo: out.ReplyTo},
	}
	if over.Email != nil {
		out.Text = cmp.Or(over.Email.Text, out.Text)
		c.mail.From = cmp.Or(over.Email.From, c.mail.From)
		c.mail.SenderName = cmp.Or(over.Email.SenderName, c.mail.SenderName)
		c.mail.ReplyTo = cmp.Or(over.Email.ReplyAddress(), c.mail.ReplyTo)
	}
	c.body = state.AsJSON(workflow.MessageContent{Text: out.Text, HTML: out.HTML, Blocks: out.Blocks})
	return c, nil
}

// layout is the source of the layout to use: the override's, else the step's, else the environment's default.
func (s *EventContext) layout(c *workflow.EmailControls, over workflow.Optional[string]) (string, error) {
	identifier := c.LayoutID
	switch {
	case over.Null, c.NoLayout && !over.Set:
		return "", nil
	case over.Set:
		identifier = over.Value
	}
	for _, l := range s.env.Layouts {
		if l.Identifier == identifier || identifier == "" && l.Default {
			return l.Content, nil
		}
	}
	if identifier != "" {
		return "", fmt.Errorf("there is no layout %q", identifier)
	}
	return "", nil
}

// pushWebhook is the provider whose receiver is sent all of the subscriber and of the digest, which no other provider needs.
const pushWebhook = "push-webhook"

// digestView is the digest that the run came to last; nil without one.
func (r *run) digestView() map[string]any {
	if r.collected == nil {
		return nil
	}
	view := r.collected.View()
	view["digest"] = true
	return view
}

// channelViews are channel settings as the API shows them.
func channelViews(settings []plan.ChannelSetting) []any {
	out := make([]any, len(settings))
	for i, s := range settings {
		view := map[string]any{"providerId": s.ProviderID, "credentials": s.Credentials}
		if s.IntegrationIdentifier != "" {
			view["integrationIdentifier"] = s.IntegrationIdentifier
		}
		if s.IntegrationID != "" {
			view["_integrationId"] = s.IntegrationID
		}
		out[i] = view
	}
	return out
}

// due is when the step at hand was due: when the run's wait ended, however late it was taken up (semantics.md §11.14).
func (r *run) due() time.Time {
	if r.stored && r.row.DueAt != nil && r.row.DueAt.Before(r.event.now) {
		return r.row.DueAt.UTC()
	}
	return r.event.now
}

// message makes the row of one target's message.
func (r *run) message(id string, d *plan.Decision, t *plan.Target, c *content) pgmessage.MessageRow {
	s := r.event
	m := pgmessage.MessageRow{
		ID: id, EnvironmentID: s.EnvironmentID, CreatedAt: r.due(), ContextKeys: s.ContextKeys, Scope: s.Scope,
		NotificationID: r.row.ID, EventID: s.ID, TransactionID: s.TransactionID, WorkflowID: s.WorkflowID,
		WorkflowIdentifier: s.Workflow, StepID: d.Step.StepID, SubscriberID: r.subscriber.ID, Channel: d.Channel, Target: t.Key,
		IntegrationID: t.IntegrationID, ProviderID: t.ProviderID, Status: workflow.MessagePending,
		Subject: c.subject, Content: c.body, CTA: c.cta, Title: c.title, Avatar: c.avatar, FeedID: c.feedID,
		Severity: s.severity, Tags: s.tags, Data: c.data, Lane: s.Lane,
	}
	if d.Channel == workflow.ChannelInApp {
		m.Status = workflow.MessageSent
		m.DeliveredAt = s.delivered()
		return m
	}
	m.DueAt = &s.now
	m.DeadlineAt = s.overrides.Deadline()
	if d.Step.DeadlineSeconds > 0 {
		if own := after(r.due(), d.Step.DeadlineSeconds); m.DeadlineAt == nil || own.Before(*m.DeadlineAt) {
			m.DeadlineAt = own
		}
	}
	env := state.Envelope{
		To: t.To, Mail: c.mail, Phone: t.Phone, DeviceToken: t.DeviceToken, RegisteredAt: t.RegisteredAt, SettingID: t.SettingID,
		EndpointType: t.EndpointType, Endpoint: t.Endpoint, EndpointID: t.EndpointID, ConnectionID: t.ConnectionID,
		Setting: t.Setting,
		Data:    c.push, Alternatives: t.Alternatives, Waited: r.stored, Unknown: d.Step.UnknownOutcome, AllowDuplicate: d.Step.AllowDuplicate,
	}
	if t.ProviderID == pushWebhook {
		env.Step, env.Channels = r.digestView(), channelViews(r.settings)
	}
	if d.Channel == workflow.ChannelEmail {
		env.Copies = state.CopiesOf(s.StepOverrides(d.Step.StepID, d.Channel, t.ProviderID).Email, t.To)
	}
	m.Envelope = state.AsJSON(env)
	switch d.Channel {
	case workflow.ChannelEmail:
		m.Email = state.NotEmpty(t.To[0])
	case workflow.ChannelPush:
		if t.DeviceToken != "" {
			m.DeviceTokens = []string{t.DeviceToken}
		}
	case workflow.ChannelChat:
		m.DirectWebhookURL = state.NotEmpty(t.Endpoint.URL)
		m.Phone = state.NotEmpty(t.Endpoint.PhoneNumber)
	case workflow.ChannelSMS:
		m.Phone = state.NotEmpty(t.Phone)
	}
	return m
}

// sealURLs seals the webhook URLs that a step's messages are about to store: those of overrides and payloads, and those of
// settings and endpoints that were stored before URLs were sealed.
func (r *run) sealURLs(d *plan.Decision) (err error) {
	s := r.event
	for i := range d.Targets {
		u := &d.Targets[i].Endpoint.URL
		if *u, err = s.secrets.SealURL(s.EnvironmentID, *u); err != nil {
			return err
		}
		if d.Targets[i].ProviderID != pushWebhook {
			continue
		}
		for k := range r.settings {
			u := &r.settings[k].Credentials.WebhookURL
			if *u, err = s.secrets.SealURL(s.EnvironmentID, *u); err != nil {
				return err
			}
		}
	}
	return nil
}
