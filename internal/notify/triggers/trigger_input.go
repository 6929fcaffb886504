package triggers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TriggerInput is one event: the typed fields that GraphQL fills in, or the documented JSON form that NewTriggerInput
// takes. The typed fields are turned into that form first, so that every door meets the same rules.
type TriggerInput struct {
	Name             string
	To               []*RecipientInput
	Payload          map[string]any
	Overrides        map[string]any
	TransactionID    *string
	Actor            map[string]any
	TenantIdentifier *string
	Tenant           map[string]any
	Context          []*TriggerContextInput

	document []byte
	fields   map[string]json.RawMessage // of document; nil until they are read
}

// RecipientInput is one typed recipient: exactly one of its fields is set. The maps hold what the caller gave, so that
// null and absent stay apart.
type RecipientInput struct {
	SubscriberID *string        `json:"subscriberId"`
	Subscriber   map[string]any `json:"subscriber"`
	Topic        map[string]any `json:"topic"`
}

// TriggerContextInput is one typed context of an event.
type TriggerContextInput struct {
	Type string         `json:"type"`
	ID   string         `json:"id"`
	Data map[string]any `json:"data"`
}

// NewTriggerInput takes the JSON of an event in the form of api.md's trigger request body, and its members if the caller
// has them already. It keeps both.
func NewTriggerInput(document []byte, fields map[string]json.RawMessage) *TriggerInput {
	return &TriggerInput{document: document, fields: fields}
}

// CheckEventSizes refuses a request of which one event in the documented form is too large (decisions.md §3, Event size).
// bulk reports whether it holds several events, by position.
func CheckEventSizes(in []*TriggerInput, bulk bool) error {
	for i, event := range in {
		size := event.size()
		subject := "The event"
		if bulk {
			subject = fmt.Sprintf("Event %d (workflow %s)", i, event.workflowName())
		}
		switch {
		case size.event > MaxEventBytes:
			return tooLarge("%s has %d bytes, at most %d are allowed; attachments do not count.", subject, size.event, MaxEventBytes)
		case size.files > MaxAttachmentBytes:
			return tooLarge("%s has %d bytes of attachments, at most %d are allowed.", subject, size.files, MaxAttachmentBytes)
		case size.names > MaxEventBytes:
			return tooLarge("%s has attachments with %d bytes besides their files, at most %d are allowed.", subject, size.names, MaxEventBytes)
		}
	}
	return nil
}

func tooLarge(format string, args ...any) error {
	return &fault.Error{Kind: fault.TooLarge, Message: fmt.Sprintf(format, args...)}
}

func (in *TriggerInput) workflowName() string {
	var fields struct {
		Name any `json:"name"`
	}
	_ = json.Unmarshal(in.document, &fields)
	if name, ok := fields.Name.(string); ok {
		return name
	}
	return "unnamed"
}

// triggerParser reads the fields of one event and collects every problem.
type triggerParser struct {
	*trigger
	fields map[string]json.RawMessage
	known  workflow.KnownProviders
	prefix string
}

// general is the path of problems of no single field (decisions.md §14).
const general = "general"

// parseTrigger reads an event for a trigger or broadcast; without a problem it is valid. prefix is how callers
// write the operator's own providers.
func parseTrigger(in *TriggerInput, kind event.Kind, known workflow.KnownProviders, prefix string) *trigger {
	p := triggerParser{&trigger{}, in.fields, known, prefix}
	p.Kind = kind
	if p.fields == nil {
		if err := json.Unmarshal(in.document, &p.fields); err != nil || p.fields == nil {
			p.problems.Add(general, nil, "the event must be an object")
			return p.trigger
		}
	}
	p.Workflow = p.name()
	p.TransactionID = p.transactionID()
	p.Payload = p.payload()
	p.overrides()
	p.recipients()
	if actor := workflow.ParseActor(&p.problems, "actor", workflow.CanonicalRecipients(prefix, p.any("actor")), known); actor != nil {
		p.Actor = p.stored("actor", actor)
	}
	if p.Tenant = workflow.ParseTenant(&p.problems, "tenant", p.any("tenant")); p.Tenant != nil && p.Tenant.Inline {
		p.stored("tenant", p.Tenant)
	}
	if p.Contexts = workflow.ParseContext(&p.problems, "context", p.any("context")); len(p.Contexts) > 0 {
		p.stored("context", p.Contexts)
	}
	return p.trigger
}

// raw is a field's JSON; nil when absent or null.
func (p *triggerParser) raw(field string) []byte {
	raw := p.fields[field]
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (p *triggerParser) any(field string) any {
	raw := p.raw(field)
	if raw == nil {
		return nil
	}
	var v any
	_ = usecase.DecodeJSON(raw, &v) // part of a valid document
	return v
}

func (p *triggerParser) name() string {
	name, ok := p.any("name").(string)
	switch {
	case p.raw("name") == nil:
		p.problems.Add("name", nil, "is required")
	case !ok:
		p.problems.Add("name", p.any("name"), "must be a string")
	case !workflow.ValidWorkflowIdentifier(name):
		p.problems.Add("name", name, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
	return name
}

func (p *triggerParser) transactionID() string {
	if p.raw("transactionId") == nil {
		return ""
	}
	given, ok := p.any("transactionId").(string)
	if !ok || !workflow.ValidTransactionID(given) {
		p.problems.Add("transactionId", p.any("transactionId"), "must be a text of 1 to %d characters without U+0000", workflow.MaxIdentifier)
		return ""
	}
	return given
}

func (p *triggerParser) payload() []byte {
	raw := p.raw("payload")
	switch {
	case raw == nil && p.Kind == event.KindBroadcast:
		p.problems.Add("payload", nil, "is required")
	case raw == nil:
		return []byte("{}")
	case raw[0] != '{':
		p.problems.Add("payload", p.any("payload"), "must be an object")
	default:
		return p.storable("payload", raw)
	}
	return nil
}

func (p *triggerParser) overrides() {
	raw := p.raw("overrides")
	if raw == nil {
		return
	}
	overrides := p.any("overrides")
	if p.prefix != workflow.OwnPrefix {
		overrides = workflow.CanonicalOverrides(p.prefix, overrides)
		raw = p.stored("overrides", overrides)
	}
	p.Severity = workflow.ParseOverrides(&p.problems, "overrides", overrides, p.known).Severity()
	p.Overrides = p.storable("overrides", raw)
}

func (p *triggerParser) recipients() {
	if p.Kind == event.KindBroadcast {
		p.Reachable = true
		return
	}
	recipients := workflow.ParseRecipients(&p.problems, "to", workflow.CanonicalRecipients(p.prefix, p.any("to")), p.known)
	p.Reachable, p.Topics = !recipients.Empty(), len(recipients.Topics) > 0
	p.Recipients = p.stored("to", recipients)
}

// stored is a parsed field as the JSON to store.
func (p *triggerParser) stored(field string, v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		p.problems.Add(field, nil, "cannot be stored")
		return nil
	}
	storable, err := usecase.StorableJSON(raw)
	if err != nil && !p.unstorableParts(field, p.any(field)) {
		p.problems.Add(field, nil, "%s", err.Error())
	}
	return storable
}

// unstorableParts records a problem at each part of a given field that the database could not hold, and reports whether
// one is known, be it under another problem of that part.
func (p *triggerParser) unstorableParts(path string, given any) (found bool) {
	switch v := given.(type) {
	case []any:
		for i, item := range v {
			found = p.unstorableParts(path+"."+strconv.Itoa(i), item) || found
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			part := path + "." + name
			if !slices.Contains(openParts, name) {
				found = p.isReported(part) || p.unstorableParts(part, v[name]) || found
				continue
			}
			raw, _ := json.Marshal(v[name]) // decoded from JSON
			if _, err := usecase.StorableJSON(raw); err != nil {
				if !p.isReported(part) {
					p.problems.Add(part, nil, "%s", err.Error())
				}
				found = true
			}
		}
	}
	return found
}

// isReported reports whether a problem of a part, or within it, is known.
func (p *triggerParser) isReported(path string) bool {
	var known *fault.Error
	return errors.As(p.problems.Err(), &known) && slices.ContainsFunc(known.Fields, func(f fault.Field) bool {
		return f.Path == path || strings.HasPrefix(f.Path, path+".")
	})
}

// openParts are the members of recipients, actors, tenants and contexts that hold more than one text.
var openParts = []string{"data", "channels", "exclude"}

// storable records a problem when the database could not hold raw.
func (p *triggerParser) storable(path string, raw []byte) []byte {
	raw, err := usecase.StorableJSON(raw)
	if err != nil {
		p.problems.Add(path, nil, "%s", err.Error())
	}
	return raw
}
