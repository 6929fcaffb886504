package triggers

import (
	"encoding/json"
	"fmt"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// The requests that events come in (api.md, Trigger request body).
var (
	// TriggerShape is an event for the recipients that it names.
	TriggerShape = shape.Object("TriggerRequest", "An event for the recipients that it names.", append(
		eventMembers(shape.Optional[triggerParser, json.RawMessage]),
		shape.Required("to", workflow.RecipientsShape, "The recipients; invalid ones are dropped, unless all are.", (*triggerParser).recipients),
		actorMember, tenantMember, contextMember)...)

	// BroadcastShape is an event for all subscribers.
	BroadcastShape = shape.Object("BroadcastRequest", "An event for all subscribers.", append(
		eventMembers(shape.Required[triggerParser, json.RawMessage]),
		actorMember, tenantMember, contextMember)...)

	// BulkShape are several events, of which each is read alone.
	BulkShape = shape.Object("BulkTriggerRequest", "Several events, each accepted or refused alone.",
		shape.Expected("events", shape.List(TriggerShape.Type, shape.Between(1, MaxBulkEvents)),
			"The events. What is wrong inside one fails only that one.", func(*struct{}, []triggerParser) {}))
)

func shapeOf(kind event.Kind) shape.ObjectType[triggerParser] {
	if kind == event.KindBroadcast {
		return BroadcastShape
	}
	return TriggerShape
}

type payloadMember func(string, shape.Type[json.RawMessage], string, func(*triggerParser, json.RawMessage)) shape.Member[triggerParser]

var (
	eventText   = fmt.Sprintf("%s bytes of compact JSON", shape.Grouped(MaxEventBytes))
	payloadText = fmt.Sprintf("Attachments ({name, file in base64, mime}, %d MiB of decoded files together, at most %s bytes besides) do not count towards the event's %s. ", MaxAttachmentBytes>>20, shape.Grouped(MaxEventBytes), eventText)
	schemaText  = fmt.Sprintf(" A payload that takes more than %s steps to be held against its workflow's schema is refused.", shape.Grouped(payload.MaxPayloadSteps))
)

// eventMembers are the first members of an event, in the order in which their problems are reported.
func eventMembers(payload payloadMember) []shape.Member[triggerParser] {
	return []shape.Member[triggerParser]{
		shape.Required("name", shape.ID().As(shape.Matching(`^[A-Za-z0-9._-]{1,255}$`).Schema).
			Where(workflow.ValidWorkflowIdentifier, "must be 1 to 255 letters, digits, '-', '_' or '.'"),
			"The trigger identifier of the workflow.", func(p *triggerParser, v string) { p.Workflow = v }),
		shape.Optional("transactionId", shape.Parsed(shape.Text(shape.Between(1, workflow.MaxIdentifier)),
			fmt.Sprintf("must be a text of 1 to %d characters without U+0000", workflow.MaxIdentifier),
			func(text string) (string, bool) { return text, workflow.ValidTransactionID(text) }),
			"Identifies this event: one that was used before is acknowledged and has no effect. Generated when left out.",
			func(p *triggerParser, v string) { p.TransactionID = v }),
		payload("payload", shape.RawObject(), "What templates and conditions see. "+payloadText+shape.StorableText+schemaText,
			func(p *triggerParser, v json.RawMessage) { p.Payload = p.storable("payload", v) }),
		shape.Optional("overrides", shape.Any(workflow.OverridesShape.Schema), "", (*triggerParser).overrides),
	}
}

var (
	actorMember = shape.Optional("actor", workflow.ActorShape, "Who caused the event; created or updated like a recipient, and left out of topics.",
		func(p *triggerParser, v workflow.SubscriberInput) { p.Actor = p.stored("actor", &v) })

	tenantMember = shape.Optional("tenant", workflow.TenantShape, "The tenant by its identifier, or with what to store of it.",
		func(p *triggerParser, v workflow.TenantInput) {
			if p.Tenant = &v; v.Inline {
				p.stored("tenant", v)
			}
		})

	contextMember = shape.Optional("context", workflow.ContextShape, "", func(p *triggerParser, v []workflow.ContextRef) {
		if p.Contexts = v; len(v) > 0 {
			p.stored("context", v)
		}
	})
)
