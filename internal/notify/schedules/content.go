package schedules

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/recurrence"
)

// CreateTriggerScheduleInput describes a new schedule.
type CreateTriggerScheduleInput struct {
	Name             string
	Workflow         string
	To               []*triggers.RecipientInput // nil: every subscriber
	Payload          map[string]any
	Overrides        map[string]any
	ActorID          *string
	TenantIdentifier *string
	Contexts         []*triggers.TriggerContextInput
	PerSecond        *int
	StartsAt         string
	TimeZone         *string
	RecipientsZone   *bool
	RRule            *string
	Exceptions       []string
	Enabled          *bool
}

// UpdateTriggerScheduleInput changes a schedule; absent fields stay as they are, null clears.
type UpdateTriggerScheduleInput struct {
	ID               string
	Name             *string
	To               graphql.Omittable[[]*triggers.RecipientInput]
	Payload          graphql.Omittable[map[string]any]
	Overrides        graphql.Omittable[map[string]any]
	ActorID          graphql.Omittable[*string]
	TenantIdentifier graphql.Omittable[*string]
	Contexts         graphql.Omittable[[]*triggers.TriggerContextInput]
	PerSecond        graphql.Omittable[*int]
	StartsAt         *string
	TimeZone         graphql.Omittable[*string]
	RecipientsZone   *bool
	RRule            graphql.Omittable[*string]
	Exceptions       graphql.Omittable[[]string]
	Enabled          *bool
}

// content is what a schedule triggers, and when.
type content struct {
	name, workflow  string                       // workflow is its trigger identifier
	to              []workflow.ScheduleRecipient // nil: every subscriber
	payload         map[string]any
	overrides       map[string]any
	actorID, tenant *string
	contexts        []workflow.ScheduleContext
	perSecond       *int
	startsAt        string
	timeZone        string
	recipientsZone  bool
	rule            *string
	exceptions      []string
	enabled         bool
}

func (in *CreateTriggerScheduleInput) content() content {
	return content{
		name: in.Name, to: recipientsOf(in.To), payload: in.Payload, overrides: in.Overrides, actorID: in.ActorID, tenant: in.TenantIdentifier,
		contexts: contextsOf(in.Contexts), perSecond: in.PerSecond, startsAt: in.StartsAt, timeZone: orUTC(in.TimeZone),
		recipientsZone: in.RecipientsZone != nil && *in.RecipientsZone, rule: given(in.RRule), exceptions: in.Exceptions, enabled: in.Enabled == nil || *in.Enabled,
	}
}

// contentOf is the content of a schedule, the webhook URLs of its overrides in clear.
func (s *Schedules) contentOf(of *ent.TriggerSchedule) (c content, err error) {
	c = storedContent(of)
	c.overrides, err = s.urls.OpenOverrides(of.EnvironmentID, of.Overrides)
	return c, err
}

func storedContent(s *ent.TriggerSchedule) content {
	return content{
		name: s.Name, to: s.Recipients, payload: s.Payload, overrides: s.Overrides, actorID: s.ActorID, tenant: s.TenantIdentifier,
		contexts: s.Contexts, perSecond: s.PerSecond, startsAt: s.StartsAt, timeZone: s.TimeZone,
		recipientsZone: s.RecipientsZone, rule: s.Rrule, exceptions: s.Exceptions, enabled: s.Enabled,
	}
}

func (in *UpdateTriggerScheduleInput) change(c *content) {
	setIf(&c.name, in.Name)
	setIf(&c.startsAt, in.StartsAt)
	setIf(&c.recipientsZone, in.RecipientsZone)
	setIf(&c.enabled, in.Enabled)
	setGiven(&c.payload, in.Payload)
	if overrides, set := in.Overrides.ValueOK(); set {
		c.overrides = audience.KeepMasked(overrides, c.overrides)
	}
	setGiven(&c.actorID, in.ActorID)
	setGiven(&c.tenant, in.TenantIdentifier)
	setGiven(&c.perSecond, in.PerSecond)
	setGiven(&c.rule, in.RRule)
	setGiven(&c.exceptions, in.Exceptions)
	c.rule = given(c.rule)
	if to, set := in.To.ValueOK(); set {
		c.to = recipientsOf(to)
	}
	if contexts, set := in.Contexts.ValueOK(); set {
		c.contexts = contextsOf(contexts)
	}
	if zone, set := in.TimeZone.ValueOK(); set {
		c.timeZone = orUTC(zone)
	}
}

func setIf[V any](to *V, value *V) {
	if value != nil {
		*to = *value
	}
}

func setGiven[V any](to *V, value graphql.Omittable[V]) {
	if v, set := value.ValueOK(); set {
		*to = v
	}
}

func orUTC(zone *string) string {
	if zone == nil {
		return "UTC"
	}
	return *zone
}

// given is a text that is not empty, else nil.
func given(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	return text
}

func recipientsOf(in []*triggers.RecipientInput) []workflow.ScheduleRecipient {
	if in == nil {
		return nil
	}
	to := make([]workflow.ScheduleRecipient, len(in))
	for i, r := range in {
		if r == nil {
			continue
		}
		to[i] = workflow.ScheduleRecipient{SubscriberID: r.SubscriberID, Audience: r.Audience}
		if r.Topic != nil {
			to[i].Topic = &workflow.TopicRecipient{Exclude: textsOf(r.Topic["exclude"])}
			to[i].Topic.TopicKey, _ = r.Topic["topicKey"].(string)
		}
	}
	return to
}

// textsOf are the texts of a list as GraphQL reads it.
func textsOf(list any) (texts []string) {
	switch list := list.(type) {
	case []string:
		return list
	case []any:
		for _, item := range list {
			text, _ := item.(string)
			texts = append(texts, text)
		}
	}
	return texts
}

func contextsOf(in []*triggers.TriggerContextInput) []workflow.ScheduleContext {
	contexts := []workflow.ScheduleContext{}
	for _, c := range in {
		if c != nil {
			contexts = append(contexts, workflow.ScheduleContext{Type: c.Type, ID: c.ID, Data: c.Data})
		}
	}
	return contexts
}

// plan reads when the schedule runs.
func (c *content) plan(p *fault.Problems) *recurrence.Plan {
	if _, known := workflow.Location(c.timeZone); !known {
		p.Add("timeZone", c.timeZone, "must be the IANA name of a time zone, such as Europe/Berlin")
	}
	spec := recurrence.Spec{StartsAt: c.startsAt, Exceptions: c.exceptions}
	if c.rule != nil {
		spec.Rule = *c.rule
	}
	plan := recurrence.Parse(p, spec)
	if plan != nil && c.recipientsZone && !plan.Local() {
		p.Add("recipientsZone", true, "needs a rule that repeats daily or less often")
	}
	return plan
}

// check reports every problem of a schedule.
func (s *Schedules) check(ctx context.Context, c *content) (*recurrence.Plan, error) {
	var problems fault.Problems
	if c.name = strings.TrimSpace(c.name); c.name == "" {
		problems.Add("name", c.name, "must not be empty")
	}
	usecase.CheckText(&problems, "name", &c.name, usecase.MaxNameLength)
	plan := c.plan(&problems)
	if c.to != nil && len(c.to) == 0 {
		problems.Add("to", nil, "must hold at least one recipient; leave it out for every subscriber")
	}
	for _, r := range c.to {
		if r.Topic != nil && c.recipientsZone {
			problems.Add("recipientsZone", true, "is not possible with topics: name an audience of the topic instead")
			break
		}
	}
	if _, files := c.payload["attachments"]; files {
		problems.Add("payload.attachments", nil, "cannot be kept by a schedule")
	}
	if audience.IsMasked(c.overrides) {
		problems.Add("overrides", nil, "holds a webhook URL whose path is masked, which none is stored for at this place: give the whole URL")
	}
	in, kind := c.event()
	if err := problems.Merge("", s.triggers.Check(ctx, in, kind)); err != nil {
		return nil, err
	}
	problems.Rename(scheduledPath)
	return plan, problems.Err()
}

// scheduledPath is where a schedule has what its event has at path.
func scheduledPath(path string) string {
	field, rest, _ := strings.Cut(path, ".")
	switch field {
	case "actor":
		return "actorId"
	case "context":
		return strings.TrimSuffix("contexts."+rest, ".")
	}
	return path
}

// event is what the schedule triggers.
func (c *content) event() (triggers.TriggerInput, event.Kind) {
	in := triggers.TriggerInput{
		Name: c.workflow, Payload: c.payload, Overrides: c.overrides, TenantIdentifier: c.tenant, PerSecond: c.perSecond,
	}
	if in.Payload == nil {
		in.Payload = map[string]any{}
	}
	if c.actorID != nil {
		in.Actor = map[string]any{"subscriberId": *c.actorID}
	}
	for i := range c.contexts {
		in.Context = append(in.Context, &triggers.TriggerContextInput{Type: c.contexts[i].Type, ID: c.contexts[i].ID, Data: c.contexts[i].Data})
	}
	if c.to == nil {
		return in, event.KindBroadcast
	}
	for _, r := range c.to {
		to := &triggers.RecipientInput{SubscriberID: r.SubscriberID, Audience: r.Audience}
		if r.Topic != nil {
			to.Topic = map[string]any{"topicKey": r.Topic.TopicKey}
			if len(r.Topic.Exclude) > 0 {
				to.Topic["exclude"] = r.Topic.Exclude
			}
		}
		in.To = append(in.To, to)
	}
	return in, event.KindTrigger
}

// set stores the content.
func (c *content) set(m *ent.TriggerScheduleMutation) {
	m.SetName(c.name)
	m.SetContexts(c.contexts)
	m.SetStartsAt(c.startsAt)
	m.SetTimeZone(c.timeZone)
	m.SetRecipientsZone(c.recipientsZone)
	m.SetExceptions(append([]string{}, c.exceptions...))
	m.SetEnabled(c.enabled)
	setOrClear(c.to != nil, c.to, m.SetRecipients, m.ClearRecipients)
	setOrClear(c.payload != nil, c.payload, m.SetPayload, m.ClearPayload)
	setOrClear(c.overrides != nil, c.overrides, m.SetOverrides, m.ClearOverrides)
	setPointer(c.actorID, m.SetActorID, m.ClearActorID)
	setPointer(c.tenant, m.SetTenantIdentifier, m.ClearTenantIdentifier)
	setPointer(c.rule, m.SetRrule, m.ClearRrule)
	setPointer(c.perSecond, m.SetPerSecond, m.ClearPerSecond)
}

func setOrClear[V any](is bool, value V, set func(V), unset func()) {
	if is {
		set(value)
	} else {
		unset()
	}
}

func setPointer[V any](value *V, set func(V), unset func()) {
	if value != nil {
		set(*value)
	} else {
		unset()
	}
}

// changes are what the audit keeps of a schedule.
func (c *content) changes() map[string]any {
	return map[string]any{
		"name": c.name, "workflow": c.workflow, "startsAt": c.startsAt, "timeZone": c.timeZone, "recipientsZone": c.recipientsZone, "rrule": c.rule,
		"exceptions": c.exceptions, "enabled": c.enabled, "everyone": c.to == nil, "recipients": len(c.to),
	}
}
