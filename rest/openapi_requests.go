package rest

import (
	"fmt"
	"strconv"

	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// The bounds of what a caller sends, in words. They are those that are enforced, and tests send what lies at them and beyond.
var (
	storableText  = fmt.Sprintf("Nested at most %d deep, without the character U+0000 and without numbers beyond a double.", notify.MaxJSONDepth)
	eventText     = fmt.Sprintf("%s bytes of compact JSON", thousands(notify.MaxEventBytes))
	payloadText   = fmt.Sprintf("Attachments ({name, file in base64, mime}, %d MiB of decoded files together, at most %s bytes besides) do not count towards the event's %s. ", notify.MaxAttachmentBytes>>20, thousands(notify.MaxEventBytes), eventText)
	schemaText    = fmt.Sprintf(" A payload that takes more than %s steps to be held against its workflow's schema is refused.", thousands(workflow.MaxPayloadSteps))
	conditionText = fmt.Sprintf("JSON Logic over payload, subscriber, actor and context; when given, it decides. At most %d levels deep, %s values and %d KiB of JSON. Without the character U+0000 and without numbers beyond a double.", workflow.MaxRuleDepth, thousands(workflow.MaxRuleValues), notify.MaxDataBytes>>10)
	contextText   = fmt.Sprintf("Contexts by type: an id, or an id with data of at most %d KiB. A context that is not known yet is created; a known one keeps its data.", workflow.MaxContextData>>10)
)

// thousands writes a number as people do.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// What requests hold. The handlers read them member by member, so these are written down; a test sends what they allow
// and what they forbid.

func text(description string, bounds ...int) schema {
	s := schema{"type": "string", "description": description}
	switch len(bounds) {
	case 2:
		s["minLength"], s["maxLength"] = bounds[0], bounds[1]
	case 1:
		s["minLength"] = bounds[0]
	}
	return s
}

func flag(description string) schema { return schema{"type": "boolean", "description": description} }

func list(description string, items schema, bounds ...int) schema {
	s := schema{"type": "array", "description": description, "items": items}
	switch len(bounds) {
	case 2:
		s["minItems"], s["maxItems"] = bounds[0], bounds[1]
	case 1:
		s["maxItems"] = bounds[0]
	}
	return s
}

func record(description string, properties schema, required ...string) schema {
	s := schema{"type": "object", "description": description, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func anything(description string) schema {
	return schema{"type": "object", "additionalProperties": true, "description": description}
}

func oneOf(description string, variants ...schema) schema {
	return schema{"oneOf": variants, "description": description}
}

func orNull(s schema) schema {
	s["type"] = []any{s["type"], "null"}
	return s
}

const (
	identifierText = "1 to 255 letters, digits and - _ . : @ | + = ~ /; blanks at the ends are trimmed."
	workflowRef    = "A workflow by its trigger identifier, its internal id or its slug."
)

// identifierPattern is what identifierText says.
const identifierPattern = `^\s*[A-Za-z0-9_.:@|+=~/-]{1,255}\s*$`

func (c *components) subscriberID() schema {
	return matching("The operator's identifier of a subscriber: "+identifierText, identifierPattern)
}

func (c *components) tenantIdentifier() schema {
	return matching("The tenant's identifier: "+identifierText, identifierPattern)
}

// subscriptionIdentifier is any text without control characters; one that was made from topic, subscriber and context may
// be longer than others.
func (c *components) subscriptionIdentifier(description string) schema {
	s := matching(description, `^([^\x00-\x1f\x7f-\x9f]{1,255}|tk=[^\x00-\x1f\x7f-\x9f]+:si=[^\x00-\x1f\x7f-\x9f]+)$`)
	s["maxLength"] = workflow.MaxSubscriptionIdentifier
	return s
}

func matching(description, pattern string) schema {
	return schema{"type": "string", "pattern": pattern, "description": description}
}

func (c *components) contextMap() schema {
	return c.named("ContextMap", func() schema {
		const part = "^[A-Za-z0-9_-]{1,100}$"
		return schema{
			"type": "object", "minProperties": 1, "maxProperties": workflow.MaxContexts, "propertyNames": schema{"pattern": part},
			"description": contextText,
			"additionalProperties": oneOf("The id of a context, or the context.", schema{"type": "string", "pattern": part},
				record("A context with data.", schema{
					"id": schema{"type": "string", "pattern": part, "description": "The context's id."}, "data": anything("What is kept of a new context. " + storableText),
				}, "id")),
		}
	})
}

// profile are the members of a subscriber in a trigger; null clears what is stored.
func (c *components) profile() schema {
	properties := schema{
		"subscriberId": c.subscriberID(), "data": orNull(anything("The subscriber's own data; replaced as a whole. " + storableText)),
		"channels": list("Settings for the subscriber's chat and push channels; merged by provider and integration.",
			c.named("ChannelSettingsInput", func() schema {
				return record("A subscriber's settings for one integration.", schema{
					"providerId": c.subscriberProviderID(), "integrationIdentifier": text("The integration; without it the provider's only one."),
					"credentials": c.named("ChannelCredentialsInput", func() schema {
						return record("Where to reach the subscriber.", schema{
							"webhookUrl":   text("The address that chat messages are posted to: http or https, without user name and password.", 0, workflow.MaxAddress),
							"deviceTokens": list("The tokens of push devices, united with the stored ones; the oldest beyond 100 leave.", text("A token, without control characters.", 1, workflow.MaxAddress), workflow.MaxDeviceTokens),
						})
					}),
				}, "providerId", "credentials")
			}), workflow.MaxChannels),
	}
	for name, words := range map[string]string{
		"firstName": "First name.", "lastName": "Last name.", "email": "Mail address.", "phone": "Telephone number, E.164.",
		"avatar": "Address of a picture: http, https, mailto or relative.", "locale": "Language tag, such as de-AT.", "timezone": "Time zone, such as Europe/Vienna.",
	} {
		properties[name] = orNull(text(words + " null clears it."))
	}
	return properties
}

func (c *components) subscriber() schema {
	return c.named("SubscriberRecipient", func() schema {
		properties := c.profile()
		properties["type"] = schema{"type": "string", "enum": []string{"Subscriber"}, "description": "May be left out."}
		return record("A subscriber, created or updated by the trigger: given members overwrite, absent ones stay.", properties, "subscriberId")
	})
}

func (c *components) recipient() schema {
	return c.named("Recipient", func() schema {
		topic := c.named("TopicRecipient", func() schema {
			return record("The subscribers of a topic whose subscriptions let the workflow pass.", schema{
				"type": schema{"type": "string", "enum": []string{"Topic"}, "description": "May be left out."}, "topicKey": text("The topic; an unknown one reaches nobody.", 1),
				"exclude": list("Subscribers whom no topic of this trigger reaches.", schema{"type": "string"}, workflow.MaxExclude),
			}, "topicKey")
		})
		return schema{"anyOf": []schema{c.subscriberID(), c.subscriber(), topic}, "description": "Whom an event is for: a subscriberId, a subscriber or a topic."}
	})
}

func (c *components) event(broadcast bool) schema {
	properties := schema{
		"name":          matching("The trigger identifier of the workflow.", `^[A-Za-z0-9._-]{1,255}$`),
		"payload":       anything("What templates and conditions see. " + payloadText + storableText + schemaText),
		"overrides":     c.overrides(),
		"transactionId": text("Tells this event from others: one that was used before is acknowledged and has no effect. Generated when left out.", 1, workflow.MaxIdentifier),
		"actor": oneOf("Who caused the event; created or updated like a recipient, and left out of topics.", c.subscriberID(),
			c.named("Actor", func() schema {
				return record("The subscriber who caused an event.", c.profile(), "subscriberId")
			})),
		"tenant": oneOf("The tenant by its identifier, or with what to store of it.", c.tenantIdentifier(), c.named("TenantInput", func() schema {
			return record("A tenant, created or updated by the trigger.", schema{
				"identifier": c.tenantIdentifier(), "name": orNull(text("The tenant's name.")), "data": orNull(anything("The tenant's data. " + storableText)),
			}, "identifier")
		})),
		"context": c.contextMap(),
	}
	if broadcast {
		return record("An event for all subscribers.", properties, "name", "payload")
	}
	properties["to"] = schema{"anyOf": []schema{c.recipient(), list("Several recipients; a topic counts one.", c.recipient(), 0, workflow.MaxRecipients)}, "description": "The recipients; invalid ones are dropped, unless all are."}
	return record("An event for the recipients that it names.", properties, "name", "to")
}

// bodies are the request bodies by name.
func (c *components) bodies() map[string]schema {
	preferences := c.subscriptionPreferences()
	return map[string]schema{
		"TriggerRequest":   c.named("TriggerRequest", func() schema { return c.event(false) }),
		"BroadcastRequest": c.named("BroadcastRequest", func() schema { return c.event(true) }),
		"BulkTriggerRequest": c.named("BulkTriggerRequest", func() schema {
			return record("Several events, each accepted or refused alone.", schema{
				"events": list("The events. What is wrong inside one fails only that one.", ref("TriggerRequest"), 1, notify.MaxBulkEvents),
			}, "events")
		}),
		"CreateSubscriptionsRequest": c.named("CreateSubscriptionsRequest", func() schema {
			return record("Whom to subscribe to a topic.", schema{
				"subscriptions": list("The new subscriptions; wins over subscriberIds.", oneOf("A subscriberId, or a subscription with an identifier of its own.",
					c.subscriberID(), c.named("SubscriptionInput", func() schema {
						return record("A subscription with an identifier of its own.", schema{
							"identifier": c.subscriptionIdentifier("The subscription's identifier, unique within the topic."), "subscriberId": c.subscriberID(),
							"name": text("The subscription's own name.", 0, notify.MaxNameLength),
						}, "identifier", "subscriberId")
					})), 1, notify.MaxSubscriptionItems),
				"subscriberIds": deprecated(list("Use subscriptions.", c.subscriberID(), 1, notify.MaxSubscriptionItems)),
				"name":          text("The topic's name; renames a topic that exists.", 0, notify.MaxNameLength), "context": c.contextMap(), "preferences": preferences,
			})
		}),
		"UpdateSubscriptionRequest": c.named("UpdateSubscriptionRequest", func() schema {
			return record("What changes of a subscription; what is left out stays.", schema{"name": text("The subscription's name.", 0, notify.MaxNameLength), "preferences": preferences})
		}),
		"DeleteSubscriptionsRequest": c.named("DeleteSubscriptionsRequest", func() schema {
			return record("Which subscriptions of a topic end.", schema{
				"subscriptions": list("A subscriberId ends all of its subscriptions in the topic; wins over subscriberIds.", oneOf("A subscriberId, or which subscription.",
					c.subscriberID(), c.named("SubscriptionRef", func() schema {
						return record("One subscription by its identifier, or all of a subscriber; both: that one if it is the subscriber's.", schema{
							"identifier": c.subscriptionIdentifier("The subscription's identifier."), "subscriberId": c.subscriberID(),
						})
					})), 1, notify.MaxSubscriptionItems),
				"subscriberIds": deprecated(list("Use subscriptions.", c.subscriberID(), 1, notify.MaxSubscriptionItems)),
			})
		}),
		"UpdatePreferencesRequest": c.named("UpdatePreferencesRequest", func() schema {
			return record("A subscriber's wishes for single workflows: all are stored or none.", schema{
				"preferences": list("One wish per workflow; of several the last counts.", c.named("WorkflowPreferenceInput", func() schema {
					return record("A wish for one workflow.", schema{"workflowId": text(workflowRef), "channels": ref("ChannelPreferences")}, "workflowId", "channels")
				}), 1, notify.MaxPreferenceItems), "context": c.contextMap(),
			}, "preferences")
		}),
		"MarkMessagesRequest": c.named("MarkMessagesRequest", func() schema {
			return record("Which messages change, and how.", schema{
				"messageId": oneOf("The messages by their internal ids; unknown ones are skipped.", text("One message.", 1),
					list("Several messages.", schema{"type": "string"}, 1, notify.MaxInboxMessages)),
				"markAs": enum("What the messages become; read ones are seen as well.", "read", "seen", "unread", "unseen"),
			}, "messageId", "markAs")
		}),
	}
}

func deprecated(s schema) schema {
	s["deprecated"] = true
	return s
}

func (c *components) subscriptionPreferences() schema {
	return list("For which workflows the subscription counts; replaces what was stored. Unknown workflows are skipped.",
		c.named("SubscriptionPreferenceInput", func() schema {
			condition := anything(conditionText)
			enabled := flag("Whether the workflows pass; true when left out.")
			return oneOf("A workflow that passes, a workflow with a condition, or a group of workflows.", text(workflowRef),
				c.named("WorkflowPreferenceRef", func() schema {
					return record("One workflow.", schema{"workflowId": text(workflowRef), "condition": condition, "enabled": enabled}, "workflowId")
				}), c.named("GroupPreference", func() schema {
					return record("A group of workflows.", schema{"filter": c.named("GroupFilter", func() schema {
						return record("Every workflow that is named, and every active one with any of the tags.", schema{
							"workflowIds": list("Workflows by name.", text(workflowRef), notify.MaxGroupFilterValues),
							"tags":        list("Tags.", schema{"type": "string"}, notify.MaxGroupFilterValues),
						})
					}), "condition": condition, "enabled": enabled}, "filter")
				}))
		}), notify.MaxSubscriptionPreferences)
}
