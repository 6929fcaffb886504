package rest

import (
	"fmt"

	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// What events hold. They are read below, by rules that drop what is wrong with a recipient and keep the event, for triggers
// over GraphQL as well; so this is written down, and a test sends what it allows and what it forbids. Overrides are declared
// where they are read (workflow.OverridesShape).

var (
	eventText   = fmt.Sprintf("%s bytes of compact JSON", shape.Grouped(triggers.MaxEventBytes))
	payloadText = fmt.Sprintf("Attachments ({name, file in base64, mime}, %d MiB of decoded files together, at most %s bytes besides) do not count towards the event's %s. ", triggers.MaxAttachmentBytes>>20, shape.Grouped(triggers.MaxEventBytes), eventText)
	schemaText  = fmt.Sprintf(" A payload that takes more than %s steps to be held against its workflow's schema is refused.", shape.Grouped(payload.MaxPayloadSteps))
)

// described documents a body that is read below.
type described func(d *shape.Document) schema

// Schema returns the schema of the body.
func (b described) Schema(d *shape.Document) schema { return b(d) }

var (
	triggerBody described = func(d *shape.Document) schema {
		return d.Named("TriggerRequest", func() schema { return event(d, false) })
	}
	broadcastBody described = func(d *shape.Document) schema {
		return d.Named("BroadcastRequest", func() schema { return event(d, true) })
	}
	bulkBody described = func(d *shape.Document) schema {
		return d.Named("BulkTriggerRequest", func() schema {
			return shape.Record("Several events, each accepted or refused alone.", schema{
				"events": list("The events. What is wrong inside one fails only that one.", triggerBody(d), shape.Between(1, triggers.MaxBulkEvents)),
			}, "events")
		})
	}
)

// profile are the members of a subscriber in a trigger; null clears what is stored.
func profile(d *shape.Document) schema {
	properties := schema{
		"subscriberId": subscriberID.Schema(d), "data": orNull(anything("The subscriber's own data; replaced as a whole. " + shape.StorableText)),
		"channels": list("Settings for the subscriber's chat and push channels; merged by provider and integration.",
			d.Named("ChannelSettingsInput", func() schema {
				return shape.Record("A subscriber's settings for one integration.", schema{
					"providerId": shape.Ref(nameSettingProviders), "integrationIdentifier": text("The integration; without it the provider's only one."),
					"credentials": d.Named("ChannelCredentialsInput", func() schema {
						return shape.Record("Where to reach the subscriber.", schema{
							"webhookUrl":   text("The address that chat messages are posted to: http or https, without user name and password.", shape.Between(0, workflow.MaxAddress)),
							"deviceTokens": list("The tokens of push devices, united with the stored ones; the oldest beyond 100 leave.", text("A token, without control characters.", shape.Between(1, workflow.MaxAddress)), shape.AtMost(workflow.MaxDeviceTokens)),
						})
					}),
				}, "providerId", "credentials")
			}), shape.AtMost(workflow.MaxChannels)),
	}
	for _, t := range workflow.ProfileTexts() {
		properties[t.Name] = orNull(text(t.Words + " null clears it."))
	}
	return properties
}

func subscriberRecipient(d *shape.Document) schema {
	return d.Named("SubscriberRecipient", func() schema {
		properties := profile(d)
		properties["type"] = schema{"type": "string", "enum": []string{"Subscriber"}, "description": "May be left out."}
		return shape.Record("A subscriber, created or updated by the trigger: given members overwrite, absent ones stay.", properties, "subscriberId")
	})
}

func recipient(d *shape.Document) schema {
	return d.Named("Recipient", func() schema {
		topic := d.Named("TopicRecipient", func() schema {
			return shape.Record("The subscribers of a topic whose subscriptions let the workflow pass.", schema{
				"type": schema{"type": "string", "enum": []string{"Topic"}, "description": "May be left out."}, "topicKey": text("The topic; an unknown one has no subscribers.", shape.AtLeast(1)),
				"exclude": list("Subscribers whom no topic of this trigger reaches.", schema{"type": "string"}, shape.AtMost(workflow.MaxExclude)),
			}, "topicKey")
		})
		return schema{"anyOf": []schema{subscriberID.Schema(d), subscriberRecipient(d), topic}, "description": "Whom an event is for: a subscriberId, a subscriber or a topic."}
	})
}

func event(d *shape.Document, broadcast bool) schema {
	properties := schema{
		"name":          shape.Matching(`^[A-Za-z0-9._-]{1,255}$`).Describe("The trigger identifier of the workflow.").Schema(d),
		"payload":       anything("What templates and conditions see. " + payloadText + shape.StorableText + schemaText),
		"overrides":     workflow.OverridesShape.Schema(d),
		"transactionId": text("Identifies this event: one that was used before is acknowledged and has no effect. Generated when left out.", shape.Between(1, workflow.MaxIdentifier)),
		"actor": oneOf("Who caused the event; created or updated like a recipient, and left out of topics.", subscriberID.Schema(d),
			d.Named("Actor", func() schema {
				return shape.Record("The subscriber who caused an event.", profile(d), "subscriberId")
			})),
		"tenant": oneOf("The tenant by its identifier, or with what to store of it.", tenantIdentifier.Schema(d), d.Named("TenantInput", func() schema {
			return shape.Record("A tenant, created or updated by the trigger.", schema{
				"identifier": tenantIdentifier.Schema(d), "name": orNull(text("The tenant's name.")), "data": orNull(anything("The tenant's data. " + shape.StorableText)),
			}, "identifier")
		})),
		"context": contextMap(d),
	}
	if broadcast {
		return shape.Record("An event for all subscribers.", properties, "name", "payload")
	}
	properties["to"] = schema{"anyOf": []schema{recipient(d), list("Several recipients; a topic counts one.", recipient(d), shape.Between(0, workflow.MaxRecipients))}, "description": "The recipients; invalid ones are dropped, unless all are."}
	return shape.Record("An event for the recipients that it names.", properties, "name", "to")
}
