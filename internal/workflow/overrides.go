package workflow

import (
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// Overrides are the parsed overrides of a trigger (decisions.md §12). Unknown keys are kept by the event and ignored
// here. Objects are as the caller gave them; parsing has checked the types of every known key.
type Overrides struct {
	steps        map[string]stepOverrides
	channels     map[Channel]layoutChoice
	providers    map[string]map[string]any
	topLevel     map[string]map[string]any
	email        *EmailOverrides
	sms          *SMSOverrides
	legacy       map[Channel]map[string]any // push and chat
	legacyLayout string                     // layoutIdentifier
	delay        *DelayOverride
	severity     Severity
	deadline     *time.Time
}

type stepOverrides struct {
	providers map[string]map[string]any
	layout    layoutChoice
}

type layoutChoice = Optional[string]

// EmailOverrides are the keys of overrides.email; they reach all e-mail steps.
type EmailOverrides struct {
	To, CC, BCC           []string
	From                  string
	SenderName            string
	ReplyTo               string
	Text                  string
	ReplaceToRecipient    bool // To replaces the subscriber's address instead of adding to it
	IntegrationIdentifier string
	Headers               map[string]string
	CustomData            map[string]any
	IPPoolName            string
}

// SMSOverrides are the keys of overrides.sms; they reach all SMS steps.
type SMSOverrides struct {
	To, From, Content     string
	IntegrationIdentifier string
}

// DelayOverride replaces amount and unit of regular delays and regular digests.
type DelayOverride struct {
	Amount int  `json:"amount"`
	Unit   Unit `json:"unit"`
}

// Passthrough is merged last into the outgoing provider request.
type Passthrough struct {
	Body    map[string]any
	Headers map[string]any
	Query   map[string]any
}

// PassthroughKey is the member of a provider object that goes into the vendor's request untouched.
const PassthroughKey = "_passthrough"

// StepOverrides are the overrides that reach one send.
type StepOverrides struct {
	Interpreted           map[string]any   // overrides.<providerId>: the adapter reads the keys it knows and merges the rest
	Merge                 map[string]any   // deep-merged into the vendor's request, over the rest of Interpreted
	Passthrough           Passthrough      // merged last, untouched
	Email                 *EmailOverrides  // nil unless the step is an e-mail
	SMS                   *SMSOverrides    // nil unless the step is an SMS
	Legacy                map[string]any   // push and chat: handed to the provider, below everything else
	IntegrationIdentifier string           // integration to send with; "" leaves the choice
	Layout                Optional[string] // layout identifier; null: no layout; absent: the step's own
}

// Severity replaces the workflow's severity on the messages of this trigger; "" leaves it.
func (o *Overrides) Severity() Severity {
	if o == nil {
		return ""
	}
	return o.severity
}

// Delay replaces amount and unit of regular delays and digests; nil leaves them.
func (o *Overrides) Delay() *DelayOverride {
	if o == nil {
		return nil
	}
	return o.delay
}

// Deadline is the instant after which nothing of the trigger is sent any more; nil: there is none. It is a key of ours
// beyond the document.
func (o *Overrides) Deadline() *time.Time {
	if o == nil {
		return nil
	}
	return o.deadline
}

// IntegrationFor is the integration identifier that the overrides demand for a channel, "" for none. It is asked before
// the provider is known.
func (o *Overrides) IntegrationFor(c Channel) string {
	switch {
	case o == nil:
		return ""
	case c == ChannelEmail && o.email != nil:
		return o.email.IntegrationIdentifier
	case c == ChannelSMS && o.sms != nil:
		return o.sms.IntegrationIdentifier
	default:
		id, _ := o.legacy[c]["integrationIdentifier"].(string)
		return id
	}
}

// ForStep resolves what reaches one send: steps › channels › providers › top-level provider id › legacy keys; objects
// merge deeply, arrays replace. A nil receiver has no overrides.
func (o *Overrides) ForStep(stepID string, c Channel, providerID string) StepOverrides {
	if o == nil {
		return StepOverrides{}
	}
	step := o.steps[stepID]
	merge := jsonvalue.MergeDeep(o.providers[providerID], step.providers[providerID])
	interpreted, topPass := splitPassthrough(o.topLevel[providerID])
	merge, pass := splitPassthrough(merge)
	out := StepOverrides{
		Interpreted: interpreted, Merge: merge, Passthrough: passthrough(jsonvalue.MergeDeep(topPass, pass)),
		IntegrationIdentifier: o.IntegrationFor(c),
	}
	switch c {
	case ChannelEmail:
		out.Email = o.email
		out.Layout = o.layout(step)
	case ChannelSMS:
		out.SMS = o.sms
	case ChannelPush, ChannelChat:
		out.Legacy = without(o.legacy[c], "integrationIdentifier")
	}
	return out
}

// All are the overrides of the provider in one object, what is nearer to the step on top.
func (s StepOverrides) All() map[string]any {
	return jsonvalue.MergeDeep(jsonvalue.MergeDeep(s.Legacy, s.Interpreted), s.Merge)
}

func (o *Overrides) layout(step stepOverrides) Optional[string] {
	switch channel := o.channels[ChannelEmail]; {
	case step.layout.Set:
		return step.layout
	case channel.Set:
		return channel
	case o.legacyLayout != "":
		return Given(o.legacyLayout)
	}
	return Optional[string]{}
}

func splitPassthrough(object map[string]any) (rest, pass map[string]any) {
	pass, ok := object[PassthroughKey].(map[string]any)
	if !ok {
		return object, nil
	}
	return without(object, PassthroughKey), pass
}

func passthrough(pass map[string]any) Passthrough {
	member := func(name string) map[string]any {
		m, _ := pass[name].(map[string]any)
		return m
	}
	return Passthrough{Body: member("body"), Headers: member("headers"), Query: member("query")}
}

func without(object map[string]any, key string) map[string]any {
	if _, there := object[key]; !there {
		return object
	}
	out := make(map[string]any, len(object))
	for k, v := range object {
		if k != key {
			out[k] = v
		}
	}
	return out
}

// ParseOverrides reads the decoded overrides of a trigger; nil gives none. Paths of problems start with path, such as
// overrides.email.to. Of the members beside the sections only known providers count.
func ParseOverrides(p *fault.Problems, path string, raw any, known KnownProviders) *Overrides {
	object := objectOf(p, path, raw)
	if object == nil {
		return nil
	}
	o := &Overrides{topLevel: map[string]map[string]any{}, legacy: map[Channel]map[string]any{}}
	o.steps = parseStepOverrides(p, jsonvalue.Join(path, "steps"), object["steps"])
	o.channels = parseChannelOverrides(p, jsonvalue.Join(path, "channels"), object["channels"])
	o.providers = parseProviderOverrides(p, jsonvalue.Join(path, "providers"), object["providers"])
	for _, key := range jsonvalue.SortedKeys(object) {
		if known.Has(key) {
			o.topLevel[key] = parseProvider(p, jsonvalue.Join(path, key), object[key])
		}
	}
	o.email = parseEmailOverrides(p, jsonvalue.Join(path, "email"), object["email"])
	o.sms = parseSMSOverrides(p, jsonvalue.Join(path, "sms"), object["sms"])
	for _, c := range []Channel{ChannelPush, ChannelChat} {
		legacy := objectOf(p, jsonvalue.Join(path, string(c)), object[string(c)])
		plainText(p, jsonvalue.Join(path, string(c), "integrationIdentifier"), legacy["integrationIdentifier"])
		o.legacy[c] = legacy
	}
	o.legacyLayout = plainText(p, jsonvalue.Join(path, "layoutIdentifier"), object["layoutIdentifier"])
	o.delay = parseDelayOverride(p, jsonvalue.Join(path, "delay"), object["delay"])
	o.severity = parseSeverity(p, jsonvalue.Join(path, "severity"), object["severity"])
	o.deadline = parseDeadline(p, jsonvalue.Join(path, "deadline"), object["deadline"])
	return o
}

func parseStepOverrides(p *fault.Problems, path string, raw any) map[string]stepOverrides {
	steps := objectOf(p, path, raw)
	out := make(map[string]stepOverrides, len(steps))
	for _, id := range jsonvalue.SortedKeys(steps) {
		object := objectOf(p, jsonvalue.Join(path, id), steps[id])
		out[id] = stepOverrides{
			providers: parseProviderOverrides(p, jsonvalue.Join(path, id, "providers"), object["providers"]),
			layout:    optionalText(p, jsonvalue.Join(path, id), "layoutId", object),
		}
	}
	return out
}

func parseChannelOverrides(p *fault.Problems, path string, raw any) map[Channel]layoutChoice {
	channels := objectOf(p, path, raw)
	email := objectOf(p, jsonvalue.Join(path, "email"), channels["email"])
	return map[Channel]layoutChoice{ChannelEmail: optionalText(p, jsonvalue.Join(path, "email"), "layoutId", email)}
}

func parseProviderOverrides(p *fault.Problems, path string, raw any) map[string]map[string]any {
	providers := objectOf(p, path, raw)
	out := make(map[string]map[string]any, len(providers))
	for _, id := range jsonvalue.SortedKeys(providers) {
		out[id] = parseProvider(p, jsonvalue.Join(path, id), providers[id])
	}
	return out
}

func parseProvider(p *fault.Problems, path string, raw any) map[string]any {
	object := objectOf(p, path, raw)
	path = jsonvalue.Join(path, PassthroughKey)
	pass := objectOf(p, path, object[PassthroughKey])
	for _, part := range []string{"body", "headers", "query"} {
		objectOf(p, jsonvalue.Join(path, part), pass[part])
	}
	return object
}

// MaxOverrideAddresses bounds the address lists of overrides.email.
const MaxOverrideAddresses = 100

func parseEmailOverrides(p *fault.Problems, path string, raw any) *EmailOverrides {
	object := objectOf(p, path, raw)
	if object == nil {
		return nil
	}
	field := func(name string) string { return plainText(p, jsonvalue.Join(path, name), object[name]) }
	list := func(name string) []string {
		return textList(p, jsonvalue.Join(path, name), object[name], MaxOverrideAddresses)
	}
	e := &EmailOverrides{
		To: list("to"), CC: list("cc"), BCC: list("bcc"),
		From: field("from"), SenderName: field("senderName"), ReplyTo: field("replyTo"), Text: field("text"),
		IntegrationIdentifier: field("integrationIdentifier"), IPPoolName: field("ipPoolName"),
		CustomData: objectOf(p, jsonvalue.Join(path, "customData"), object["customData"]),
	}
	replace, isBool := object["replaceToRecipient"].(bool)
	if !isBool && object["replaceToRecipient"] != nil {
		p.Add(jsonvalue.Join(path, "replaceToRecipient"), object["replaceToRecipient"], "must be a boolean")
	}
	e.ReplaceToRecipient = replace
	headers := objectOf(p, jsonvalue.Join(path, "headers"), object["headers"])
	for _, name := range jsonvalue.SortedKeys(headers) {
		if e.Headers == nil {
			e.Headers = make(map[string]string, len(headers))
		}
		e.Headers[name] = plainText(p, jsonvalue.Join(path, "headers", name), headers[name])
	}
	return e
}

func parseSMSOverrides(p *fault.Problems, path string, raw any) *SMSOverrides {
	object := objectOf(p, path, raw)
	if object == nil {
		return nil
	}
	field := func(name string) string { return plainText(p, jsonvalue.Join(path, name), object[name]) }
	return &SMSOverrides{
		To: field("to"), From: field("from"), Content: field("content"), IntegrationIdentifier: field("integrationIdentifier"),
	}
}

func parseDelayOverride(p *fault.Problems, path string, raw any) *DelayOverride {
	object := objectOf(p, path, raw)
	if object == nil {
		return nil
	}
	amount, ok := jsonvalue.WholeNumber(object["amount"])
	unit, _ := object["unit"].(string)
	if most := Unit(unit).Most(); !ok || amount < 1 || amount > most {
		p.Add(jsonvalue.Join(path, "amount"), object["amount"], "must be a whole number from 1 to %d", most)
	}
	if !Unit(unit).Valid() {
		p.Add(jsonvalue.Join(path, "unit"), object["unit"], "must be one of seconds, minutes, hours, days, weeks, months")
	}
	return &DelayOverride{Amount: amount, Unit: Unit(unit)}
}

func parseSeverity(p *fault.Problems, path string, raw any) Severity {
	if raw == nil {
		return ""
	}
	s, _ := raw.(string)
	if !Severity(s).Valid() {
		p.Add(path, raw, "must be one of high, medium, low, none")
	}
	return Severity(s)
}

func parseDeadline(p *fault.Problems, path string, raw any) *time.Time {
	if raw == nil {
		return nil
	}
	text, _ := raw.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.Add(path, raw, "must be a date-time such as 2027-01-31T12:00:00Z")
		return nil
	}
	at = at.UTC()
	return &at
}

// objectOf is raw as an object; nil for null and absent, and a problem for anything else.
func objectOf(p *fault.Problems, path string, raw any) map[string]any {
	object, ok := raw.(map[string]any)
	if !ok && raw != nil {
		p.Add(path, raw, "must be an object")
	}
	return object
}
