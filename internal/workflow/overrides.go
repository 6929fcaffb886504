package workflow

import (
	"cmp"
	"strings"
	"time"

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

// ReplyAddress is where replies go: ReplyTo, else the header of that name; "" when neither is there.
func (e *EmailOverrides) ReplyAddress() string {
	return cmp.Or(e.ReplyTo, ReplyHeader(e.Headers))
}

// ReplyHeader is the value of the header Reply-To, however it is spelt; "" without one.
func ReplyHeader(headers map[string]string) string {
	for _, name := range jsonvalue.SortedKeys(headers) {
		if strings.EqualFold(name, "Reply-To") {
			return headers[name]
		}
	}
	return ""
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
