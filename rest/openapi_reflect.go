package rest

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// components are the schemas of the document. Those of responses are read from the types that are sent, so that they cannot
// differ: a member with omitempty may be left out, a pointer without it may be null, anything else is always there.
type components struct {
	*shape.Document
	providers *integrations.Providers
}

// The names of schemas that requests use as well.
const (
	nameSettingProviders = "SubscriberChannelProviderId"
	nameChannel          = "Channel"
	nameChannels         = "ChannelPreferences"
	nameStatus           = "WorkflowStatus"
)

func newComponents(providers *integrations.Providers) *components {
	c := &components{Document: &shape.Document{Schemas: map[string]schema{}}, providers: providers}
	for _, t := range []reflect.Type{
		reflect.TypeFor[workflow.Channel](), reflect.TypeFor[workflow.ChannelPreferences](), reflect.TypeFor[workflow.Severity](), reflect.TypeFor[workflow.Status](),
	} {
		c.of(t)
	}
	c.subscriberProviderID()
	given := slices.Concat(c.shown(providers.IDs()), providers.IDs()) // svc is always understood
	slices.Sort(given)
	c.Enums = map[string][]string{enumProviders: slices.Compact(given)}
	return c
}

// enumProviders are the providers that a request may name.
const enumProviders = "providers"

// enumerations are the closed ones, by type.
func (c *components) enumeration(t reflect.Type) (schema, bool) {
	switch t {
	case reflect.TypeFor[workflow.Channel]():
		return c.Named(nameChannel, func() schema { return enum("A channel of delivery.", workflow.Channels()...) }), true
	case reflect.TypeFor[workflow.Severity]():
		return workflow.SeverityShape.Schema(c.Document), true
	case reflect.TypeFor[workflow.Status]():
		return c.Named(nameStatus, func() schema {
			return enum("INACTIVE when switched off, else ERROR when a step has an issue, else ACTIVE. A workflow in ERROR is still triggered.", workflow.StatusActive.Values()...)
		}), true
	case reflect.TypeFor[workflow.StepType]():
		return c.Named("StepType", func() schema { return enum("The kind of a step.", workflow.StepTypes()...) }), true
	case reflect.TypeFor[workflow.TriggerStatus]():
		return c.Named("TriggerStatus", func() schema {
			return enum("What became of an event. processed means accepted, not delivered: sending is asynchronous.", workflow.TriggerError,
				workflow.TriggerNotActive, workflow.TriggerNoActiveSteps, workflow.TriggerNoSteps, workflow.TriggerProcessed,
				workflow.TriggerNoTenant, workflow.TriggerInvalidRecipients)
		}), true
	case reflect.TypeFor[workflow.EndpointType]():
		return c.Named("ChannelEndpointType", func() schema {
			return enum("The kind of a channel endpoint, which decides the fields of endpoint.", workflow.EndpointWebhook.Values()...)
		}), true
	case reflect.TypeFor[workflow.MessageStatus](): // pending ones are not visible here
		return enum("sent once it is stored or accepted by the provider, warning when accepted with a complaint, error when every attempt failed.",
			workflow.MessageSent, workflow.MessageError, workflow.MessageWarning), true
	case reflect.TypeFor[workflow.ActionStatus]():
		return enum("done once the subscriber used a button.", workflow.ActionPending, workflow.ActionDone), true
	case reflect.TypeFor[workflow.PreferenceSource]():
		return enum("Who decided.", workflow.SourceSubscriber, workflow.SourceTemplate, workflow.SourceWorkflowOverride), true
	case reflect.TypeFor[audience.PreferenceLevelName]():
		return enum("What the preference speaks for.", audience.LevelGlobal, audience.LevelTemplate), true
	}
	return nil, false
}

// providerID is the closed list of providers, as this server writes it.
func (c *components) providerID() schema {
	return c.Named("ProviderId", func() schema { return enum("A provider of a channel.", c.shown(c.providers.IDs())...) })
}

func (c *components) subscriberProviderID() schema {
	return c.Named(nameSettingProviders, func() schema {
		return enum("A provider that a subscriber's channel settings may name.", c.shown(c.providers.SettingIDs())...)
	})
}

func (c *components) shown(ids []string) []string {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = c.providers.ShownID(id)
	}
	return shown
}

// timestamp has no pattern: generated clients hold an instant as a date, and fail to hold a date against a pattern of texts.
func (c *components) timestamp() schema {
	return c.Named("Timestamp", func() schema {
		return schema{"type": "string", "format": "date-time", "description": "An instant: UTC, in milliseconds."}
	})
}

// of is the schema of a type that is sent.
func (c *components) of(t reflect.Type) schema {
	if known, ok := c.enumeration(t); ok {
		return known
	}
	switch t {
	case reflect.TypeFor[moment]():
		return c.timestamp()
	case reflect.TypeFor[workflow.EndpointData]():
		return c.endpoint()
	case reflect.TypeFor[stepIssues]():
		return c.issues()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return c.of(t.Elem())
	case reflect.Interface:
		return schema{}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int:
		return schema{"type": "integer", "minimum": 0}
	case reflect.Slice:
		return schema{"type": "array", "items": c.of(t.Elem())}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return free()
		}
		return schema{"type": "object", "additionalProperties": c.of(t.Elem())}
	case reflect.Struct:
		return c.Named(componentName(t), func() schema { return c.object(t) })
	}
	panic("the OpenAPI document has no word for " + t.String())
}

// free is an object that is kept as it is.
func free() schema { return schema{"type": "object", "additionalProperties": true} }

// componentName is the name of a view's schema: that of api.md where the type's differs.
func componentName(t reflect.Type) string {
	name := t.Name()
	if documented := documentedNames[name]; documented != "" {
		return documented
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

var documentedNames = map[string]string{
	"subscriptionView": "Subscription", "topicView": "Topic", "messageCTA": "MessageCTA", "CTAData": "MessageCTAData",
	"CTAResult": "MessageActionResult", "stepItem": "StepListItem", "workflowItem": "WorkflowListItem", "integration": "Integration",
	"configurations": "IntegrationConfigurations", "fullSubscriber": "Subscriber",
}

// object is the schema of a struct by its tags: json says what there is, doc what it means; that of a blank field is of the
// struct.
func (c *components) object(t reflect.Type) schema {
	name := componentName(t)
	description := schemaTexts[name]
	properties, required := schema{}, []string{}
	for field := range t.Fields() {
		if field.Name == "_" {
			description = field.Tag.Get("doc")
			continue
		}
		member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		optional := strings.HasPrefix(options, "omit")
		value, special := c.special(name, member)
		if !special {
			value = c.of(field.Type)
		}
		if field.Type.Kind() == reflect.Pointer && !optional {
			value = nullable(value)
		}
		properties[member] = describedAs(value, cmp.Or(field.Tag.Get("doc"), propertyText(name, member)))
		if !optional {
			required = append(required, member)
		}
	}
	out := schema{"type": "object", "description": description, "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func nullable(s schema) schema {
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
		return s
	}
	return schema{"anyOf": []schema{s, {"type": "null"}}}
}

// describedAs says what a property means; a schema's own words stay.
func describedAs(s schema, text string) schema {
	if _, there := s["description"]; !there && text != "" {
		s["description"] = text
	}
	return s
}

// special are members whose Go type says less than the API.
func (c *components) special(name, member string) (schema, bool) {
	text := func(values ...string) (schema, bool) { return schema{"type": "string", "enum": values}, true }
	switch name + "." + member {
	case "ChannelEndpoint.providerId":
		return c.providerID(), true
	case "ChannelSettings.providerId":
		return c.subscriberProviderID(), true
	case "WorkflowListItem.origin":
		return text(c.providers.ShownOrigin(workflow.OriginCloud), c.providers.ShownOrigin(workflow.OriginCloudV1), c.providers.ShownOrigin(workflow.OriginExternal))
	case "StepFilter.type":
		return text(condition.FilterTypes()...)
	case "StepFilter.value":
		return text("AND", "OR")
	case "FieldFilterPart.operator":
		return text(condition.FilterOperators()...)
	case "FieldFilterPart.on":
		return text(condition.OnSubscriber, condition.OnPayload)
	case "MessageCTA.type":
		return text("redirect")
	case "MessageButton.type", "MessageActionResult.type":
		return text("primary", "secondary")
	case "EmailBlock.type":
		return text("button", "text")
	case "EmailBlockStyles.textAlign":
		return text("center", "left", "right")
	case "Message.content":
		return schema{"oneOf": []schema{{"type": "string"}, {"type": "array", "items": c.of(reflect.TypeFor[workflow.EmailBlock]())}}}, true
	case "Message.deliveredAt":
		return schema{"type": "array", "items": c.timestamp()}, true
	case "Schedule.weeklySchedule":
		return c.week(), true
	case "TimeRange.start", "TimeRange.end":
		return schema{"type": "string", "pattern": `^(0[1-9]|1[0-2]):[0-5][0-9] (AM|PM)$`}, true
	case "Integration.credentials":
		return c.credentials(), true
	case "StepIssue.issueType":
		return text(workflow.IssueTypes()...)
	}
	return nil, false
}

func (c *components) week() schema {
	days := schema{}
	for _, day := range calendar.Weekdays() {
		days[day] = c.of(reflect.TypeFor[calendar.DaySchedule]())
	}
	return schema{"type": "object", "properties": days}
}

func (c *components) issues() schema {
	list := func(text string) schema {
		return schema{
			"type": "object", "description": text,
			"additionalProperties": schema{"type": "array", "items": c.of(reflect.TypeFor[stepIssue]())},
		}
	}
	return schema{"type": "object", "properties": schema{
		workflow.IssueGroupControls: list("Faults of the content, by control."), workflow.IssueGroupIntegration: list("Missing integrations, by channel."),
	}}
}

// endpoint is what a channel endpoint's type makes of it; exactly the named fields are there.
func (c *components) endpoint() schema {
	variant := func(name, text string, fields ...string) schema {
		return c.Named(name, func() schema {
			properties, required := schema{}, []string{}
			for _, field := range fields {
				member, optional := strings.CutSuffix(field, "?")
				properties[member] = schema{"type": "string", "description": propertyText(name, member)}
				if !optional {
					required = append(required, member)
				}
			}
			return schema{"type": "object", "description": text, "properties": properties, "required": required, "additionalProperties": false}
		})
	}
	return schema{"oneOf": []schema{
		variant("ChannelTarget", "A channel of a workspace (slack_channel).", "channelId"),
		variant("UserTarget", "A user of a workspace (slack_user, ms_teams_user).", "userId"),
		variant("WebhookTarget", "An address that is called (webhook).", "url", "channel?"),
		variant("PhoneTarget", "A telephone number (phone).", "phoneNumber"),
		variant("TeamChannelTarget", "A channel of a team (ms_teams_channel).", "teamId", "channelId"),
	}}
}

// credentialTexts and credentialFlags are the members of Credentials (api.md); tlsOptions is never shown.
var (
	credentialTexts = strings.Fields(`apiKey user secretKey domain password host port region accountSid messageProfileId token from
		senderName projectName applicationId clientId baseUrl webhookUrl redirectUrl serviceAccount ipPoolName apiKeyRequestHeader
		secretKeyRequestHeader idPath datePath apiToken authenticationTokenKey instanceId alertUid title imageUrl state externalLink
		channelId phoneNumberIdentification accessKey appSid senderId tenantId AppIOBaseUrl`)
	credentialFlags = []string{"secure", "requireTls", "ignoreTls", "hmac", "authenticateByToken"}
)

func (c *components) credentials() schema {
	return c.Named("Credentials", func() schema {
		properties := schema{}
		for _, name := range credentialTexts {
			properties[name] = schema{"type": "string"}
		}
		for _, name := range credentialFlags {
			properties[name] = schema{"type": "boolean"}
		}
		return schema{
			"type": "object", "properties": properties,
			"description": "What an integration logs in with, as far as it is set. Secrets read " + usecase.Mask + "; tlsOptions is left out.",
		}
	})
}

// without is a copy of an object's schema that lacks some members, and needs some that may else be missing.
func without(s schema, dropped ...string) schema {
	properties := schema{}
	for name, value := range s["properties"].(schema) { //nolint:forcetypeassert // of object
		if !slices.Contains(dropped, name) {
			properties[name] = value
		}
	}
	required := slices.DeleteFunc(slices.Clone(s["required"].([]string)), func(name string) bool { return slices.Contains(dropped, name) }) //nolint:forcetypeassert // of object
	return schema{"type": "object", "description": s["description"], "properties": properties, "required": required}
}
