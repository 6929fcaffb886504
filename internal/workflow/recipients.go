package workflow

import (
	"slices"

	"github.com/carillon/carillon/internal/workflow/condition"
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

// AudienceRecipient reaches the subscribers that an audience chooses; it holds the audience's filter as it was when the event was
// accepted.
type AudienceRecipient struct {
	Identifier string         `json:"identifier"`
	TopicKey   string         `json:"topicKey,omitempty"` // "": all subscribers
	Rule       map[string]any `json:"rule,omitempty"`     // JSON Logic; empty: all of the topic
}

// Chooses reports whether the audience's rule chooses a subscriber, as templates see it.
func (a *AudienceRecipient) Chooses(subscriber map[string]any) bool {
	if len(a.Rule) == 0 {
		return true
	}
	chosen, _ := condition.EvaluateRule(a.Rule, condition.RuleData{Subscriber: subscriber})
	return chosen
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

	Audiences []AudienceRecipient `json:"audiences,omitempty"` // GraphQL only
	// Depth is how many trigger steps lie between the caller's event and this one.
	Depth int `json:"depth,omitempty"`
}

// Empty reports whether no valid recipient was named, which answers invalid_recipients.
func (r *Recipients) Empty() bool {
	return len(r.Direct) == 0 && len(r.Topics) == 0 && len(r.Audiences) == 0
}

// Excluded are the subscriberIds left out of all topics of the trigger, sorted.
func (r *Recipients) Excluded() []string {
	var all []string
	for _, t := range r.Topics {
		all = append(all, t.Exclude...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// recipientList collects recipients without duplicates.
type recipientList struct {
	Recipients
	direct, topics map[string]int // positions
}

func (l *recipientList) drop(path, reason string) {
	l.Invalid = append(l.Invalid, InvalidRecipient{Path: path, Reason: reason})
}

func (l *recipientList) addSubscriber(s SubscriberInput) {
	if i, seen := l.direct[s.SubscriberID]; seen {
		l.Direct[i].Overlay(s)
		return
	}
	if l.direct == nil {
		l.direct = map[string]int{}
	}
	l.direct[s.SubscriberID] = len(l.Direct)
	l.Direct = append(l.Direct, s)
}

func (l *recipientList) addTopic(t TopicRecipient) {
	if i, seen := l.topics[t.TopicKey]; seen {
		l.Topics[i].Exclude = append(l.Topics[i].Exclude, t.Exclude...)
		return
	}
	if l.topics == nil {
		l.topics = map[string]int{}
	}
	l.topics[t.TopicKey] = len(l.Topics)
	l.Topics = append(l.Topics, t)
}

// Overlay collapses a subscriber named twice: what the later mention gives wins over the earlier, so an object always
// wins over a bare string.
func (s *SubscriberInput) Overlay(later SubscriberInput) {
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

// TenantInput is the tenant of a trigger. Inline is false for a bare identifier, which must exist already.
type TenantInput struct {
	Identifier string         `json:"identifier"`
	Name       *string        `json:"name,omitempty"` // nil: what is stored stays
	Data       map[string]any `json:"data,omitzero"`  // replaced as a whole; nil: what is stored stays
	Inline     bool           `json:"inline,omitempty"`
}
