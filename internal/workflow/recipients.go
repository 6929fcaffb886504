package workflow

import (
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// Limits of a trigger's recipients (api.md, Limits; decisions.md §16).
const (
	MaxRecipients   = 100
	MaxDeviceTokens = 100
	MaxChannels     = 100    // channel settings of one recipient
	MaxExclude      = 10_000 // subscribers whom one topic leaves out
)

// SubscriberInput is a subscriber named in a trigger. Absent fields keep what is stored, null clears them.
type SubscriberInput struct {
	SubscriberID string `json:"subscriberId"`
	Profile[Optional[string]]
	Data     Optional[map[string]any] `json:"data,omitzero"` // replaced as a whole
	Channels []ChannelInput           `json:"channels,omitempty"`
}

// ChannelInput is one channel setting of a recipient; it merges by provider and integration.
type ChannelInput struct {
	ProviderID            string             `json:"providerId"`
	IntegrationIdentifier string             `json:"integrationIdentifier,omitempty"`
	Credentials           ChannelCredentials `json:"credentials"`
}

// Bare reports whether only the id was given, so that an existing subscriber need not be written.
func (s *SubscriberInput) Bare() bool {
	for _, text := range s.Texts() {
		if text.Value.Set {
			return false
		}
	}
	return !s.Data.Set && len(s.Channels) == 0
}

// TopicRecipient reaches the subscribers of a topic.
type TopicRecipient struct {
	TopicKey string   `json:"topicKey"`
	Exclude  []string `json:"exclude,omitempty"`
}

// InvalidRecipient is an element of "to" that was dropped; it is listed in the event's trace.
type InvalidRecipient struct {
	Path   string `json:"path"` // such as to.3
	Reason string `json:"reason"`
}

// Recipients are the parsed "to" of a trigger, without duplicates, in the order given.
type Recipients struct {
	Direct  []SubscriberInput  `json:"direct,omitempty"`
	Topics  []TopicRecipient   `json:"topics,omitempty"`
	Invalid []InvalidRecipient `json:"invalid,omitempty"`
	// Depth is how many trigger steps lie between the caller's event and this one.
	Depth int `json:"depth,omitempty"`
}

// Empty reports whether no valid recipient was named, which answers invalid_recipients.
func (r *Recipients) Empty() bool { return len(r.Direct) == 0 && len(r.Topics) == 0 }

// Excluded are the subscriberIds left out of all topics of the trigger, sorted.
func (r *Recipients) Excluded() []string {
	var all []string
	for _, t := range r.Topics {
		all = append(all, t.Exclude...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ParseRecipients reads the decoded "to" of a trigger. Problems make the whole request invalid; recipients that are
// merely ill-formed are dropped into Invalid (decisions.md §12).
func ParseRecipients(p *fault.Problems, path string, raw any, known KnownProviders) Recipients {
	parser := recipientParser{problems: p, known: known, direct: map[string]int{}, topics: map[string]int{}}
	switch to := raw.(type) {
	case nil:
		p.Add(path, nil, "is required")
	case []any:
		if len(to) > MaxRecipients {
			p.Add(path, nil, "must not hold more than %d recipients", MaxRecipients)
			break
		}
		for i, r := range to {
			parser.one(jsonvalue.JoinIndex(path, i), r)
		}
	default: // one recipient, valid or not
		parser.one(path, to)
	}
	return parser.out
}

type recipientParser struct {
	problems *fault.Problems
	known    KnownProviders
	out      Recipients
	direct   map[string]int
	topics   map[string]int
}

func (r *recipientParser) one(path string, raw any) {
	switch v := raw.(type) {
	case string:
		r.subscriber(path, map[string]any{"subscriberId": v})
	case map[string]any:
		switch kind := v["type"]; {
		case kind != nil && kind != "Topic" && kind != "Subscriber":
			r.invalid(path, "type must be Topic or Subscriber")
		case v["topicKey"] != nil:
			r.topic(path, v)
		default:
			r.subscriber(path, v)
		}
	default:
		r.invalid(path, "must be a string or an object")
	}
}

func (r *recipientParser) invalid(path, reason string) {
	r.out.Invalid = append(r.out.Invalid, InvalidRecipient{Path: path, Reason: reason})
}

func (r *recipientParser) subscriber(path string, object map[string]any) {
	given, _ := object["subscriberId"].(string)
	id, ok := ParseSubscriberID(given)
	if !ok {
		r.invalid(path, "no valid subscriberId")
		return
	}
	s := parseProfile(r.problems, path, id, object, r.known)
	if i, seen := r.direct[id]; seen {
		r.out.Direct[i].overlay(s)
		return
	}
	r.direct[id] = len(r.out.Direct)
	r.out.Direct = append(r.out.Direct, s)
}

func (r *recipientParser) topic(path string, object map[string]any) {
	key, ok := object["topicKey"].(string)
	if !ok || key == "" {
		r.invalid(path, "no valid topicKey")
		return
	}
	// A key that no topic can have is one of an unknown topic. The replacement character keeps it so.
	key = strings.ReplaceAll(key, "\x00", "\uFFFD")
	exclude := textList(r.problems, jsonvalue.Join(path, "exclude"), object["exclude"], MaxExclude)
	for i := range exclude {
		exclude[i] = strings.TrimSpace(exclude[i])
	}
	if i, seen := r.topics[key]; seen {
		r.out.Topics[i].Exclude = append(r.out.Topics[i].Exclude, exclude...)
		return
	}
	r.topics[key] = len(r.out.Topics)
	r.out.Topics = append(r.out.Topics, TopicRecipient{TopicKey: key, Exclude: exclude})
}

// overlay collapses a subscriber named twice: what the later mention gives wins over the earlier, so an object always
// wins over a bare string.
func (s *SubscriberInput) overlay(later SubscriberInput) {
	given := later.Texts()
	for i, text := range s.Texts() {
		if given[i].Value.Set {
			*text.Value = *given[i].Value
		}
	}
	if later.Data.Set {
		s.Data = later.Data
	}
	s.Channels = append(s.Channels, later.Channels...)
}

// ParseActor reads the actor of a trigger: a subscriberId or a subscriber object. nil gives none.
func ParseActor(p *fault.Problems, path string, raw any, known KnownProviders) *SubscriberInput {
	object, ok := raw.(map[string]any)
	idPath := jsonvalue.Join(path, "subscriberId")
	switch v := raw.(type) {
	case nil:
		return nil
	case string:
		object, idPath = map[string]any{"subscriberId": v}, path
	default:
		if !ok {
			p.Add(path, raw, "must be a subscriberId or an object")
			return nil
		}
	}
	given, _ := object["subscriberId"].(string)
	id, ok := ParseSubscriberID(given)
	if !ok {
		p.Add(idPath, object["subscriberId"], "must be a subscriberId")
		return nil
	}
	s := parseProfile(p, path, id, object, known)
	return &s
}

// TenantInput is the tenant of a trigger. Inline is false for a bare identifier, which must exist already.
type TenantInput struct {
	Identifier string                   `json:"identifier"`
	Name       Optional[string]         `json:"name,omitzero"`
	Data       Optional[map[string]any] `json:"data,omitzero"`
	Inline     bool                     `json:"inline,omitempty"`
}

// ParseTenant reads the tenant of a trigger: an identifier or {identifier, name?, data?}. nil gives none.
func ParseTenant(p *fault.Problems, path string, raw any) *TenantInput {
	switch v := raw.(type) {
	case nil:
		return nil
	case string:
		id, ok := ParseTenantIdentifier(v)
		if !ok {
			p.Add(path, v, "must be a tenant identifier")
			return nil
		}
		return &TenantInput{Identifier: id}
	case map[string]any:
		given, _ := v["identifier"].(string)
		id, ok := ParseTenantIdentifier(given)
		if !ok {
			p.Add(jsonvalue.Join(path, "identifier"), v["identifier"], "must be a tenant identifier")
		}
		return &TenantInput{
			Identifier: id, Inline: true,
			Name: optionalText(p, path, "name", v), Data: optionalObject(p, path, "data", v),
		}
	default:
		p.Add(path, raw, "must be an identifier or an object")
		return nil
	}
}

func parseProfile(p *fault.Problems, path, id string, object map[string]any, known KnownProviders) SubscriberInput {
	s := SubscriberInput{SubscriberID: id}
	if len(object) == 1 { // only the id
		return s
	}
	for _, text := range s.Texts() {
		*text.Value = optionalText(p, path, text.Name, object)
	}
	if s.Avatar.Set && !SafeLink(s.Avatar.Value) {
		p.Add(jsonvalue.Join(path, "avatar"), s.Avatar.Value, linkMessage)
	}
	s.Data = optionalObject(p, path, "data", object)
	s.Channels = parseChannels(p, jsonvalue.Join(path, "channels"), object["channels"], known)
	return s
}

func optionalText(p *fault.Problems, path, name string, object map[string]any) Optional[string] {
	switch v, there := object[name]; text := v.(type) {
	case nil:
		return Optional[string]{Set: there, Null: there}
	case string:
		if strings.Contains(text, "\x00") {
			p.Add(jsonvalue.Join(path, name), nil, "must not hold the character U+0000")
		}
		return Given(text)
	default:
		p.Add(jsonvalue.Join(path, name), v, "must be a string")
		return Optional[string]{}
	}
}

func optionalObject(p *fault.Problems, path, name string, object map[string]any) Optional[map[string]any] {
	switch v, there := object[name]; data := v.(type) {
	case nil:
		return Optional[map[string]any]{Set: there, Null: there}
	case map[string]any:
		return Given(data)
	default:
		p.Add(jsonvalue.Join(path, name), v, "must be an object")
		return Optional[map[string]any]{}
	}
}

func parseChannels(p *fault.Problems, path string, raw any, known KnownProviders) []ChannelInput {
	if raw == nil {
		return nil
	}
	list, ok := raw.([]any)
	if !ok {
		p.Add(path, raw, "must be an array")
		return nil
	}
	if len(list) > MaxChannels {
		p.Add(path, nil, "must not hold more than %d items", MaxChannels)
		return nil
	}
	out := make([]ChannelInput, 0, len(list))
	for i, v := range list {
		object, ok := v.(map[string]any)
		if !ok {
			p.Add(jsonvalue.JoinIndex(path, i), v, "must be an object")
			continue
		}
		out = append(out, parseChannel(p, jsonvalue.JoinIndex(path, i), object, known))
	}
	return out
}

func parseChannel(p *fault.Problems, path string, object map[string]any, known KnownProviders) ChannelInput {
	provider, _ := object["providerId"].(string)
	if !known.TakesSettings(provider) {
		p.Add(jsonvalue.Join(path, "providerId"), object["providerId"], "must be a provider with channel settings of a subscriber")
	}
	c := ChannelInput{ProviderID: provider}
	c.IntegrationIdentifier = plainText(p, jsonvalue.Join(path, "integrationIdentifier"), object["integrationIdentifier"])
	switch v := object["credentials"].(type) {
	case nil:
	case map[string]any:
		c.Credentials = parseCredentials(p, jsonvalue.Join(path, "credentials"), v)
	default:
		p.Add(jsonvalue.Join(path, "credentials"), v, "must be an object")
	}
	return c
}

func parseCredentials(p *fault.Problems, path string, object map[string]any) ChannelCredentials {
	field := func(name string) string { return plainText(p, jsonvalue.Join(path, name), object[name]) }
	c := ChannelCredentials{
		WebhookURL: field("webhookUrl"), Channel: field("channel"), AlertUID: field("alertUid"), Title: field("title"),
		ImageURL: field("imageUrl"), State: field("state"), ExternalURL: field("externalUrl"),
		DeviceTokens: textList(p, jsonvalue.Join(path, "deviceTokens"), object["deviceTokens"], MaxDeviceTokens),
	}
	c.Validate(p, path)
	return c
}

func plainText(p *fault.Problems, path string, raw any) string {
	s, ok := raw.(string)
	if !ok && raw != nil {
		p.Add(path, raw, "must be a string")
	}
	return s
}

func textList(p *fault.Problems, path string, raw any, limit int) []string {
	if raw == nil {
		return nil
	}
	list, ok := raw.([]any)
	if !ok {
		p.Add(path, raw, "must be an array of strings")
		return nil
	}
	if len(list) > limit {
		p.Add(path, nil, "must not hold more than %d items", limit)
		return nil
	}
	out := make([]string, 0, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			p.Add(jsonvalue.JoinIndex(path, i), v, "must be a string")
			continue
		}
		out = append(out, s)
	}
	return out
}

// Overlay collapses two mentions of one subscriber: what the later one gives wins over the earlier.
func (s *SubscriberInput) Overlay(later SubscriberInput) { s.overlay(later) }
