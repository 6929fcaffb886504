package workflow

import (
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// MaxOverrideAddresses bounds the address lists of overrides.email.
const MaxOverrideAddresses = 100

// OverridesShape are the overrides of a trigger (decisions.md §12, Overrides). Members that are not declared are provider
// ids, or stored and ignored. Texts are checked with the whole (see shape.Unchecked).
var OverridesShape = shape.Object("Overrides",
	"Settings for this trigger. A provider id as key holds what its section names and members of its requests. "+shape.StorableText,
	shape.Optional("steps", shape.Map(stepShape), "Settings by step.", func(o *Overrides, v map[string]stepOverrides) { o.steps = v }),
	shape.Optional("channels", channelsShape, "Settings by channel.", func(o *Overrides, v map[Channel]layoutChoice) { o.channels = v }),
	shape.Optional("providers", providersShape, "Settings by provider id.", func(o *Overrides, v map[string]map[string]any) { o.providers = v }),
	shape.Optional("email", emailShape.Type, "", func(o *Overrides, v EmailOverrides) { o.email = &v }),
	shape.Optional("sms", smsShape.Type, "", func(o *Overrides, v SMSOverrides) { o.sms = &v }),
	legacyMember(ChannelPush, "PushOverrides", "Settings for all push messages, handed to the provider."),
	legacyMember(ChannelChat, "ChatOverrides", "Settings for all chat messages, handed to the provider."),
	shape.Optional("layoutIdentifier", shape.Unchecked(), "The layout of all e-mails.", func(o *Overrides, v string) { o.legacyLayout = v }),
	shape.Optional("delay", delayShape, "", func(o *Overrides, v DelayOverride) { o.delay = &v }),
	shape.Optional("severity", shape.Converted(shape.Any(SeverityShape.Schema), parseSeverity), "", func(o *Overrides, v Severity) { o.severity = v }),
	shape.Optional("deadline", deadlineShape, "Nothing is sent from then on.", func(o *Overrides, v time.Time) { o.deadline = &v }),
).Open()

// SeverityShape is how much a workflow matters.
var SeverityShape = shape.Named("WorkflowSeverity",
	shape.Enum(SeverityNone.Values()...).Describe("How much a workflow matters; none when it was not set."))

var (
	stepShape = shape.Object("StepOverrides", "Settings for one step.",
		shape.Optional("providers", providersShape, "Settings by provider id.", func(s *stepOverrides, v map[string]map[string]any) { s.providers = v }),
		layoutMember(func(s *stepOverrides) *layoutChoice { return &s.layout })).Type

	channelsShape = shape.Group("Settings by channel.",
		shape.Optional("email", shape.Group("All e-mails.", layoutMember(func(c *layoutChoice) *layoutChoice { return c })).Type, "All e-mails.",
			func(channels *map[Channel]layoutChoice, v layoutChoice) {
				*channels = map[Channel]layoutChoice{ChannelEmail: v}
			})).Type

	providersShape = shape.Map(providerShape)

	// providerShape is what the caller gives for a provider, kept as it is.
	providerShape = shape.Object("ProviderOverrides", "Settings for one provider, merged into its requests.",
		shape.Optional(PassthroughKey, shape.Group("Merged into the provider's request last and as it is.",
			checked("body", "Members of the body."), checked("headers", "Headers."), checked("query", "Parameters.")).Type,
			"Merged into the provider's request last and as it is.", func(*struct{}, struct{}) {})).Kept()

	emailShape = shape.Object("EmailOverrides", "Settings for all e-mails.",
		shape.Optional("to", addressesShape, "Further recipients.", func(e *EmailOverrides, v []string) { e.To = v }),
		shape.Optional("cc", addressesShape, "Copies.", func(e *EmailOverrides, v []string) { e.CC = v }),
		shape.Optional("bcc", addressesShape, "Blind copies.", func(e *EmailOverrides, v []string) { e.BCC = v }),
		shape.Optional("from", shape.Unchecked(), "The sender's address.", func(e *EmailOverrides, v string) { e.From = v }),
		shape.Optional("senderName", shape.Unchecked(), "The sender's name.", func(e *EmailOverrides, v string) { e.SenderName = v }),
		shape.Optional("replyTo", shape.Unchecked(), "Where replies go.", func(e *EmailOverrides, v string) { e.ReplyTo = v }),
		shape.Optional("text", shape.Unchecked(), "The plain text.", func(e *EmailOverrides, v string) { e.Text = v }),
		shape.Optional("integrationIdentifier", shape.Unchecked(), integrationText, func(e *EmailOverrides, v string) { e.IntegrationIdentifier = v }),
		shape.Optional("ipPoolName", shape.Unchecked(), "The provider's pool of addresses.", func(e *EmailOverrides, v string) { e.IPPoolName = v }),
		shape.Optional("customData", shape.Free(), "Data for the provider.", func(e *EmailOverrides, v map[string]any) { e.CustomData = v }),
		shape.Optional("replaceToRecipient", shape.Flag(), "Whether the addresses in to replace the subscriber's own.", func(e *EmailOverrides, v bool) { e.ReplaceToRecipient = v }),
		shape.Optional("headers", shape.Map(shape.Unchecked()), "Further headers.", func(e *EmailOverrides, v map[string]string) { e.Headers = v }),
	)

	smsShape = shape.Object("SMSOverrides", "Settings for all text messages.",
		shape.Optional("to", shape.Unchecked(), "The recipient's number.", func(s *SMSOverrides, v string) { s.To = v }),
		shape.Optional("from", shape.Unchecked(), "The sender.", func(s *SMSOverrides, v string) { s.From = v }),
		shape.Optional("content", shape.Unchecked(), "The text.", func(s *SMSOverrides, v string) { s.Content = v }),
		shape.Optional("integrationIdentifier", shape.Unchecked(), integrationText, func(s *SMSOverrides, v string) { s.IntegrationIdentifier = v }),
	)

	delayShape = shape.Converted(shape.Object("DelayOverride", "How long regular delays and digests take.",
		shape.Expected("amount", shape.Any(func(*shape.Document) shape.Schema {
			return shape.Schema{"type": "integer", "minimum": 1, "maximum": MaxAmount}
		}), "How many units: "+amounts()+".", func(d *givenDelay, v any) { d.amount = v }),
		shape.Expected("unit", shape.Any(shape.Enum(UnitDays.Values()...).Schema), "The unit.", func(d *givenDelay, v any) { d.unit = v }),
	).Type, parseDelay)

	deadlineShape = shape.Converted(shape.Any(func(*shape.Document) shape.Schema {
		return shape.Schema{"type": "string", "format": "date-time"}
	}), parseDeadline)

	addressesShape = shape.Texts(shape.Unchecked(), MaxOverrideAddresses)
)

const integrationText = "The integration to send through."

// checked is an object that is kept with what it is part of.
func checked(name, description string) shape.Member[struct{}] {
	return shape.Optional(name, shape.Free(), description, func(*struct{}, map[string]any) {})
}

func layoutMember[T any](of func(*T) *layoutChoice) shape.Member[T] {
	return shape.Nullable("layoutId", shape.Text(), "The layout; null: none.", func(into *T, v string, null bool) {
		*of(into) = givenOr(v, null)
	})
}

func legacyMember(c Channel, name, description string) shape.Member[Overrides] {
	legacy := shape.Object(name, description, shape.Optional("integrationIdentifier", shape.Unchecked(), integrationText, func(*struct{}, string) {}))
	return shape.Optional(string(c), legacy.Kept(), description, func(o *Overrides, v map[string]any) {
		if o.legacy == nil {
			o.legacy = map[Channel]map[string]any{}
		}
		o.legacy[c] = v
	})
}

// ParseOverrides reads the decoded overrides of a trigger; nil gives none. Paths of problems start with path, such as
// overrides.email.to. Of the members beside the sections only known providers count.
func ParseOverrides(p *fault.Problems, path string, raw any, known KnownProviders) *Overrides {
	o, ok := OverridesShape.Parse(p, path, raw)
	if !ok {
		return nil
	}
	o.topLevel = map[string]map[string]any{}
	object, _ := raw.(map[string]any)
	for _, key := range jsonvalue.SortedKeys(object) {
		if known.Has(key) {
			o.topLevel[key], _ = providerShape.Parse(p, jsonvalue.Join(path, key), object[key])
		}
	}
	return &o
}

// givenDelay is a DelayOverride as it was given: how many units there may be depends on the unit.
type givenDelay struct{ amount, unit any }

func parseDelay(p *fault.Problems, path string, given givenDelay) (DelayOverride, bool) {
	amount, ok := jsonvalue.WholeNumber(given.amount)
	unit, _ := given.unit.(string)
	if most := Unit(unit).Most(); !ok || amount < 1 || amount > most {
		p.Add(jsonvalue.Join(path, "amount"), given.amount, "must be a whole number from 1 to %d", most)
	}
	if !Unit(unit).Valid() {
		p.Add(jsonvalue.Join(path, "unit"), given.unit, "must be one of seconds, minutes, hours, days, weeks, months")
	}
	return DelayOverride{Amount: amount, Unit: Unit(unit)}, true
}

// amounts says how many of each unit of time there may be.
func amounts() string {
	var parts []string
	for _, unit := range UnitDays.Values() {
		parts = append(parts, shape.Grouped(Unit(unit).Most())+" "+unit)
	}
	return "at most " + strings.Join(parts, ", ")
}

func parseSeverity(p *fault.Problems, path string, given any) (Severity, bool) {
	s, _ := given.(string)
	if !Severity(s).Valid() {
		p.Add(path, given, "must be one of high, medium, low, none")
	}
	return Severity(s), true
}

func parseDeadline(p *fault.Problems, path string, given any) (time.Time, bool) {
	text, _ := given.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.Add(path, given, "must be a date-time such as 2027-01-31T12:00:00Z")
	}
	return at.UTC(), err == nil
}
