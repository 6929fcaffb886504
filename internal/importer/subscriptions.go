package importer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/configfiles"
)

const kindSubscriptionPreference = "subscription preference"

// subscription is a line of subscriptions.ndjson: the documented list form, with the name and the preferences of the full one.
type subscription struct {
	Identifier string `json:"identifier,omitempty"`
	Name       string `json:"name,omitempty"`
	Topic      struct {
		Key  string `json:"key"`
		Name string `json:"name,omitempty"`
	} `json:"topic"`
	Subscriber struct {
		SubscriberID string `json:"subscriberId"`
	} `json:"subscriber"`
	ContextKeys []string                 `json:"contextKeys,omitempty"`
	Preferences []subscriptionPreference `json:"preferences,omitempty"`
}

type subscriptionPreference struct {
	Workflow struct {
		Identifier string `json:"identifier"`
	} `json:"workflow"`
	Enabled   bool `json:"enabled"`
	Condition any  `json:"condition,omitempty"`
}

// preferenceInputs are preferences as GraphQL takes them.
func preferenceInputs(all []subscriptionPreference) []map[string]any {
	out := []map[string]any{}
	for _, p := range all {
		one := map[string]any{"workflowId": p.Workflow.Identifier, "enabled": p.Enabled}
		if p.Condition != nil {
			one["condition"] = p.Condition
		}
		out = append(out, one)
	}
	return out
}

func (s *subscription) defaultIdentifier() string {
	return "tk=" + s.Topic.Key + ":si=" + s.Subscriber.SubscriberID
}

// shared is what one call can create several subscriptions with.
type shared struct{ topic, topicName, contexts, preferences string }

// putSubscriptions creates the subscriptions of a page, with one call for those that have topic, contexts and preferences in
// common.
func putSubscriptions(ctx context.Context, o Options, lines []Line) (items []Item, err error) {
	groups := map[shared][]subscription{}
	var order []shared
	for _, l := range lines {
		var s subscription
		err := l.decode(&s)
		if err == nil {
			err = checkNames(s.Topic.Key, s.Subscriber.SubscriberID)
		}
		if err != nil {
			items = append(items, malformed(kindSubscription, l, err))
			continue
		}
		if s.Identifier == "" && len(s.ContextKeys) == 0 {
			s.Identifier = s.defaultIdentifier()
		}
		items = append(items, o.Target.dropUnknown(&s)...)
		key := shared{topic: s.Topic.Key, topicName: s.Topic.Name, contexts: text(s.ContextKeys), preferences: text(s.Preferences)}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], s)
	}
	for _, key := range order {
		made, err := o.Target.putGroup(ctx, groups[key])
		if err != nil {
			return nil, err
		}
		items = append(items, made...)
	}
	return items, nil
}

func text(value any) string {
	raw, _ := json.Marshal(value)
	return string(raw)
}

// dropUnknown takes out what a subscription says about workflows that the target lacks: it would skip them in silence.
func (t *Target) dropUnknown(s *subscription) (items []Item) {
	s.Preferences = slices.DeleteFunc(s.Preferences, func(p subscriptionPreference) bool {
		known := t.workflows[p.Workflow.Identifier]
		if !known {
			items = append(items, Item{Kind: kindSubscriptionPreference, Name: s.Identifier + " " + p.Workflow.Identifier, Result: Refused, Reason: "the target has no such workflow"})
		}
		return !known
	})
	return items
}

// putGroup makes subscriptions that have all but their subscribers in common.
func (t *Target) putGroup(ctx context.Context, group []subscription) (items []Item, err error) {
	present, err := t.subscriptions(ctx, group)
	if err != nil {
		return nil, err
	}
	var missing []subscription
	for _, s := range group {
		was, known := present[s.Identifier]
		switch {
		case !known:
			missing = append(missing, s)
		case configfiles.Same(was.Preferences, s.Preferences) || len(was.Preferences)+len(s.Preferences) == 0:
			items = append(items, Item{Kind: kindSubscription, Name: s.Identifier, Result: Unchanged})
		default:
			in := map[string]any{"topicKey": s.Topic.Key, "identifier": s.Identifier, "preferences": preferenceInputs(s.Preferences)}
			item, err := settled(kindSubscription, s.Identifier, t.do(ctx, `mutation($in: UpdateSubscriptionInput!) { updateSubscription(input: $in) { subscription { id } } }`, map[string]any{"in": in}, nil))
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
	}
	if len(missing) == 0 {
		return items, nil
	}
	made, err := t.createSubscriptions(ctx, missing)
	return append(items, made...), err
}

// subscriptions reads which of a group the target has, by identifier.
func (t *Target) subscriptions(ctx context.Context, group []subscription) (map[string]subscription, error) {
	var identifiers []string
	for _, s := range group {
		if s.Identifier != "" {
			identifiers = append(identifiers, s.Identifier)
		}
	}
	present := map[string]subscription{}
	if len(identifiers) == 0 {
		return present, nil
	}
	var answer struct {
		Subscriptions struct{ Nodes []subscription }
	}
	filter := map[string]any{"topicKey": group[0].Topic.Key, "identifierIn": identifiers}
	err := t.do(ctx, `query($f: TopicSubscriptionFilter) { subscriptions(first: 100, filter: $f) { nodes { identifier preferences { workflow { identifier } enabled condition } } } }`, map[string]any{"f": filter}, &answer)
	for _, s := range answer.Subscriptions.Nodes {
		present[s.Identifier] = s
	}
	return present, err
}

func (t *Target) createSubscriptions(ctx context.Context, group []subscription) (items []Item, err error) {
	list := []map[string]any{}
	for _, s := range group {
		one := map[string]any{"subscriberId": s.Subscriber.SubscriberID}
		if s.Identifier != "" {
			one["identifier"] = s.Identifier
		}
		if s.Name != "" {
			one["name"] = s.Name
		}
		list = append(list, one)
	}
	first := group[0]
	in := map[string]any{"topicKey": first.Topic.Key, "subscriptions": list, "preferences": preferenceInputs(first.Preferences)}
	if first.Topic.Name != "" {
		in["name"] = first.Topic.Name
	}
	if len(first.ContextKeys) > 0 {
		in["context"] = contextOf(first.ContextKeys)
	}
	var answer struct {
		CreateSubscriptions struct {
			Subscriptions []struct{ Identifier string }
			Errors        []struct{ SubscriberID, Code, Message string }
		}
	}
	err = t.do(ctx, `mutation($in: CreateSubscriptionsInput!) { createSubscriptions(input: $in) { subscriptions { identifier } errors { subscriberId code message } } }`, map[string]any{"in": in}, &answer)
	switch {
	case err != nil && refusalOf(err) == nil:
		return nil, err
	case err != nil && len(group) > 1: // it is about some of them, and the call made none
		return t.createHalves(ctx, group)
	}
	made := map[string]bool{}
	for _, d := range answer.CreateSubscriptions.Subscriptions {
		made[d.Identifier] = true
	}
	for _, s := range group {
		item := Item{Kind: kindSubscription, Name: s.Identifier, Result: Taken}
		if s.Identifier == "" {
			item.Name = s.defaultIdentifier()
		}
		if err != nil {
			item.Result, item.Reason = Refused, reasonOf(refusalOf(err))
		}
		for _, e := range answer.CreateSubscriptions.Errors {
			if e.SubscriberID == s.Subscriber.SubscriberID && !made[s.Identifier] {
				item.Result, item.Reason = Refused, e.Message
			}
		}
		items = append(items, item)
	}
	return items, nil
}

// createHalves makes the subscriptions of a group that is refused as a whole, each half by itself, so that only the faulty ones are
// left out.
func (t *Target) createHalves(ctx context.Context, group []subscription) (items []Item, err error) {
	for _, half := range [][]subscription{group[:len(group)/2], group[len(group)/2:]} {
		made, err := t.createSubscriptions(ctx, half)
		if err != nil {
			return nil, err
		}
		items = append(items, made...)
	}
	return items, nil
}

// contextOf is a context set as inputs take it: type to id.
func contextOf(keys []string) map[string]any {
	out := map[string]any{}
	for _, key := range keys {
		kind, id, _ := strings.Cut(key, ":")
		out[kind] = id
	}
	return out
}
