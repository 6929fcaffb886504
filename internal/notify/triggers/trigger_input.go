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
	"github.com/carillon/carillon/internal/shape"
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
	PerSecond        *int // pace of the fan-out to topics, or of a broadcast; the documented form has none

	audiences map[int]string                        // identifiers of audiences by their positions in To; the documented form has none
	resolved  map[string]workflow.AudienceRecipient // those of them that exist
	zones     []string                              // see Narrow; nil: all
	document  []byte
	fields    map[string]json.RawMessage // of document; nil until they are read
}

// RecipientInput is one typed recipient: exactly one of its fields is set. The maps hold what the caller gave, so that
// null and absent stay apart.
type RecipientInput struct {
	SubscriberID *string        `json:"subscriberId"`
	Subscriber   map[string]any `json:"subscriber"`
	Topic        map[string]any `json:"topic"`
	Audience     *string        `json:"audience"` // identifier
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

// triggerParser is an event that is being read, member by member, with every problem that was found.
type triggerParser struct {
	trigger
	in     *TriggerInput
	fields map[string]json.RawMessage
	*knownProviders
}

// knownProviders are the providers that events may name.
type knownProviders struct {
	known  workflow.KnownProviders
	prefix string // of the operator's own providers (decisions.md §1)
	lists  shape.Lists
}

func newKnownProviders(known workflow.KnownProviders, prefix string) *knownProviders {
	return &knownProviders{known, prefix, workflow.ProviderLists(known, prefix)}
}

// general is the path of problems of no single field (decisions.md §14).
const general = "general"

// parseTrigger reads an event for a trigger or broadcast; without a problem it is valid.
func parseTrigger(in *TriggerInput, kind event.Kind, providers *knownProviders) *trigger {
	p := &triggerParser{in: in, fields: in.fields, knownProviders: providers}
	p.Kind, p.Reachable = kind, kind == event.KindBroadcast
	if p.fields == nil {
		if err := json.Unmarshal(in.document, &p.fields); err != nil || p.fields == nil {
			p.problems.Add(general, nil, "the event must be an object")
			return &p.trigger
		}
	}
	shapeOf(kind).ReadMembers(p, p.lists, &p.problems, p.fields)
	if p.Payload == nil {
		p.Payload = []byte("{}")
	}
	p.pace(in.PerSecond)
	p.problems.Rename(in.typedPath)
	return &p.trigger
}

// pace takes the pace of the fan-out.
func (p *triggerParser) pace(perSecond *int) {
	p.PerSecond = perSecond
	switch {
	case usecase.CheckPace(perSecond) != nil:
		p.problems.Add("perSecond", *perSecond, "must be from 1 to %d", usecase.MaxPerSecond)
	case perSecond != nil && p.Kind == event.KindTrigger && !p.Topics:
		p.problems.Add("perSecond", *perSecond, "needs a topic or an audience among the recipients: those named directly are notified at once")
	}
}

func (p *triggerParser) overrides(given any) {
	raw := []byte(p.fields["overrides"])
	if p.prefix != workflow.OwnPrefix {
		given = workflow.CanonicalOverrides(p.prefix, given)
		raw = p.stored("overrides", given)
	}
	p.Severity = workflow.ParseOverrides(&p.problems, "overrides", given, p.known).Severity()
	p.Overrides = p.storable("overrides", raw)
}

func (p *triggerParser) recipients(to workflow.Recipients) {
	p.addAudiences(&to)
	p.Reachable, p.Topics = !to.Empty(), len(to.Topics)+len(to.Audiences) > 0
	p.Recipients = p.stored("to", to)
}

// given is a field as it came, decoded.
func (p *triggerParser) given(field string) (v any) {
	_ = usecase.DecodeJSON(p.fields[field], &v) // part of a valid document
	return v
}

// stored is a parsed field as the JSON to store.
func (p *triggerParser) stored(field string, v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		p.problems.Add(field, nil, "cannot be stored")
		return nil
	}
	storable, err := shape.StorableJSON(raw)
	if err != nil && !p.unstorableParts(field, p.given(field)) {
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
			if _, err := shape.StorableJSON(raw); err != nil {
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
	raw, err := shape.StorableJSON(raw)
	if err != nil {
		p.problems.Add(path, nil, "%s", err.Error())
	}
	return raw
}
