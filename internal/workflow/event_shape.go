package workflow

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

const (
	// identifierPattern is the format of subscriberIds and tenant identifiers, and identifierText says it.
	identifierPattern = `^\s*[A-Za-z0-9_.:@|+=~/-]{1,255}\s*$`
	identifierText    = "1 to 255 letters, digits and - _ . : @ | + = ~ /; blanks at the ends are trimmed."
	addressableText   = " It is neither . nor .., which no URL can address."

	contextPattern = "^[A-Za-z0-9_-]{1,100}$"
)

// SubscriberIDShape is the operator's identifier of a subscriber.
var SubscriberIDShape = shape.Parsed(shape.Matching(identifierPattern).Describe("The operator's identifier of a subscriber: "+identifierText+addressableText),
	"must be a subscriberId", ParseNewSubscriberID)

// RecipientsShape are whom a trigger is for (decisions.md §12): what is no recipient is dropped, what is wrong with one is
// refused.
var RecipientsShape = shape.Converted(shape.FormList[recipientList]{
	Name: "Recipient", Text: "Whom an event is for: a subscriberId, a subscriber or a topic.",
	Object: "RecipientObject", ObjectText: "A subscriber or a topic.",
	Items: "recipients", ListText: "Several recipients; a topic counts one.", Most: MaxRecipients,
	Forms: []shape.Form[recipientList]{
		shape.FormOf(shape.Object("SubscriberRecipient", "A subscriber, created or updated by the trigger: given members overwrite, absent ones stay.",
			append(subscriberMembers(), shape.Tag[SubscriberInput]("type", "Subscriber", "May be left out."))...), (*recipientList).addSubscriber),
		shape.FormOf(topicShape, (*recipientList).addTopic),
	},
	Drop: (*recipientList).drop,
}.Type(), func(_ *fault.Problems, _ string, l recipientList) (Recipients, bool) { return l.Recipients, true })

var topicShape = shape.Object("TopicRecipient", "The subscribers of a topic whose subscriptions let the workflow pass.",
	shape.Tag[TopicRecipient]("type", "Topic", "May be left out."),
	shape.Key("topicKey", shape.Parsed(shape.Text(shape.AtLeast(1)), "must be a topic key", func(key string) (string, bool) {
		// A key that no topic can have is one of an unknown topic. The replacement character keeps it so.
		return strings.ReplaceAll(key, "\x00", "\uFFFD"), key != ""
	}), "The topic; an unknown one has no subscribers.", func(t *TopicRecipient, v string) { t.TopicKey = v }),
	shape.Optional("exclude", shape.Texts(shape.Unchecked(), MaxExclude), "Subscribers whom no topic of this trigger reaches.", func(t *TopicRecipient, v []string) {
		for i := range v {
			v[i] = strings.TrimSpace(v[i])
		}
		t.Exclude = v
	}),
)

// ActorShape is who caused an event.
var ActorShape = shape.KeyOr(shape.Object("Actor", "The subscriber who caused an event.", subscriberMembers()...), "must be a subscriberId or an object")

// subscriberMembers are the members of a subscriber in a trigger; null clears what is stored.
func subscriberMembers() []shape.Member[SubscriberInput] {
	members := []shape.Member[SubscriberInput]{
		shape.Key("subscriberId", SubscriberIDShape, "", func(s *SubscriberInput, v string) { s.SubscriberID = v }),
	}
	for i, text := range ProfileTexts() {
		t := withinMost(shape.Text(shape.AtMost(text.Most)), text.Most)
		if text.Name == "avatar" {
			t = t.Where(SafeLink, linkMessage)
		}
		members = append(members, shape.Nullable(text.Name, t, text.Words+" null clears it.", func(s *SubscriberInput, v string, null bool) {
			*s.Values()[i] = givenOr(v, null)
		}))
	}
	return append(members,
		shape.Nullable("data", shape.Free(), "The subscriber's own data; replaced as a whole. "+shape.StorableText, func(s *SubscriberInput, v map[string]any, null bool) {
			s.Data = givenOr(v, null)
		}),
		shape.Optional("channels", shape.Few(channelShape.Missing("must be an object"), MaxChannels),
			"Settings for the subscriber's chat and push channels; merged by provider and integration.", func(s *SubscriberInput, v []ChannelInput) { s.Channels = v }),
	)
}

// withinMost is a text of at most so many characters.
func withinMost(t shape.Type[string], most int) shape.Type[string] {
	return t.Where(func(text string) bool { return utf8.RuneCountInString(text) <= most },
		fmt.Sprintf("must not be longer than %d characters", most))
}

// SettingProviders is the name of the list of providers that a subscriber's channel settings may name.
const SettingProviders = "SubscriberChannelProviderId"

// ProviderLists returns the providers that recipients may name, with the operator's own under the prefix that callers write
// or the inner one (decisions.md §1).
func ProviderLists(known KnownProviders, prefix string) shape.Lists {
	return shape.Lists{SettingProviders: func(given string) (string, bool) {
		id := ProviderIDIn(prefix, given)
		return id, known.TakesSettings(id)
	}}
}

var channelShape = shape.Object("ChannelSettingsInput", "A subscriber's settings for one integration.",
	shape.Required("providerId", shape.Listed(SettingProviders, "must be a provider with channel settings of a subscriber"), "",
		func(c *ChannelInput, v string) { c.ProviderID = v }),
	shape.Optional("integrationIdentifier", withinMost(shape.Unchecked(shape.AtMost(MaxIdentifier)), MaxIdentifier),
		"The integration; without it the provider's only one.", func(c *ChannelInput, v string) { c.IntegrationIdentifier = v }),
	shape.Expected("credentials", credentialsShape.Type, "", func(c *ChannelInput, v ChannelCredentials) { c.Credentials = v }),
)

var credentialsShape = shape.Object("ChannelCredentialsInput", "Where to reach the subscriber.",
	shape.Optional("webhookUrl", shape.Unchecked(shape.Between(0, MaxAddress)).Check(checkWebhookURL),
		"The address that chat messages are posted to: http or https, without user name and password. As it is shown, masked, it keeps the stored one.", func(c *ChannelCredentials, v string) { c.WebhookURL = v }),
	shape.Optional("channel", shape.Unchecked(), "The channel there.", func(c *ChannelCredentials, v string) { c.Channel = v }),
	shape.Optional("deviceTokens", shape.Texts(shape.Unchecked(shape.Between(1, MaxAddress)).Describe("A token, without control characters.").Check(checkDeviceToken), MaxDeviceTokens),
		"The tokens of push devices, united with the stored ones; the oldest beyond 100 leave.", func(c *ChannelCredentials, v []string) { c.DeviceTokens = v }),
	shape.Optional("alertUid", shape.Unchecked(), "Id of the alert.", func(c *ChannelCredentials, v string) { c.AlertUID = v }),
	shape.Optional("title", shape.Unchecked(), "Title of the alert.", func(c *ChannelCredentials, v string) { c.Title = v }),
	shape.Optional("imageUrl", shape.Unchecked(shape.Between(0, MaxAddress)).Check(checkLink), "Address of a picture.", func(c *ChannelCredentials, v string) { c.ImageURL = v }),
	shape.Optional("state", shape.Unchecked(), "State of the alert.", func(c *ChannelCredentials, v string) { c.State = v }),
	shape.Optional("externalUrl", shape.Unchecked(shape.Between(0, MaxAddress)).Check(checkLink), "Address that the alert links to.", func(c *ChannelCredentials, v string) { c.ExternalURL = v }),
).Then((*ChannelCredentials).DropMasked)

// TenantShape is the tenant of a trigger.
var TenantShape = shape.KeyOr(shape.Object("TenantInput", "A tenant, created or updated by the trigger.",
	shape.Key("identifier", shape.Parsed(shape.Matching(identifierPattern).Describe("The tenant's identifier: "+identifierText),
		"must be a tenant identifier", ParseTenantIdentifier), "", func(t *TenantInput, v string) { t.Identifier = v }),
	shape.Optional("name", withinMost(shape.Text(shape.AtMost(MaxName)), MaxName), "The tenant's name.", func(t *TenantInput, v string) { t.Name = &v }),
	shape.Optional("data", shape.Free(), "The tenant's data, replaced as a whole. "+shape.StorableText, func(t *TenantInput, v map[string]any) { t.Data = v }),
).Then(func(t *TenantInput) { t.Inline = true }), "must be an identifier or an object")

// ContextShape are the contexts of a request by type.
var ContextShape = shape.Converted(shape.Named("ContextMap", shape.Free().As(func(d *shape.Document) shape.Schema {
	return shape.Schema{
		"type": "object", "minProperties": 1, "maxProperties": MaxContexts, "propertyNames": shape.Schema{"pattern": contextPattern},
		"description":          fmt.Sprintf("Contexts by type: an id, or an id with data of at most %d KiB. A context that is not known yet is created; a known one keeps its data.", MaxContextData>>10),
		"additionalProperties": contextShape.Schema(d),
	}
})), parseContexts)

const notContext = "must be an id or an object with an id"

var contextShape = shape.KeyOr(shape.Group("A context with data.",
	shape.Key("id", shape.Unchecked().As(shape.Matching(contextPattern).Schema).Where(ValidContextPart, "must be 1 to 100 letters, digits, - or _"), "The context's id.",
		func(r *ContextRef, v string) { r.ID = v }),
	shape.Optional("data", shape.Converted(shape.Free(), parseContextData), "What is kept of a new context. "+shape.StorableText,
		func(r *ContextRef, v map[string]any) { r.Data = v }),
), notContext).Describe("The id of a context, or the context.")

func parseContexts(p *fault.Problems, path string, object map[string]any) ([]ContextRef, bool) {
	if len(object) == 0 || len(object) > MaxContexts {
		p.Add(path, nil, "must hold 1 to %d contexts", MaxContexts)
		return nil, false
	}
	refs := make([]ContextRef, 0, len(object))
	for _, kind := range jsonvalue.SortedKeys(object) {
		at := jsonvalue.Join(path, kind)
		switch {
		case !ValidContextPart(kind):
			p.Add(at, nil, "the context type must be 1 to 100 letters, digits, - or _")
		case object[kind] == nil:
			p.Add(at, nil, notContext)
		default:
			ref, _ := contextShape.Parse(p, at, object[kind])
			ref.Type = kind
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b ContextRef) int { return strings.Compare(a.Key(), b.Key()) })
	return refs, true
}

func parseContextData(p *fault.Problems, path string, data map[string]any) (map[string]any, bool) {
	if !FitsJSON(data, MaxContextData) {
		p.Add(path, nil, "must not exceed %d bytes of JSON", MaxContextData)
		return nil, false
	}
	return data, true
}
