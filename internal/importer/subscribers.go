package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	graphclient "github.com/carillon/carillon/graph/client"
	"github.com/carillon/carillon/internal/configfiles"
)

// profile are the members of a subscriber that are taken over: those with which one is created. The others of the documented
// form are the deployment's own: internal ids, times, and who is online.
var profile = func() (members []string) {
	for field := range reflect.TypeFor[graphclient.CreateSubscriberInput]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "subscriberId" {
			members = append(members, name)
		}
	}
	return members
}()

// mask is what Carillon and others show in the place of a secret.
const mask = "********"

// maskedReason is why what is masked is not taken.
const maskedReason = "the address is shown masked; whoever knows it has to give it again"

// channelSetting is a channel setting in the documented form.
type channelSetting struct {
	ProviderID            string         `json:"providerId"`
	IntegrationIdentifier string         `json:"integrationIdentifier,omitempty"`
	Credentials           map[string]any `json:"credentials"`
}

// subscriber is a line of subscribers.ndjson: the documented form, with the hours.
type subscriber struct {
	id       string
	profile  map[string]any
	channels []channelSetting
}

func (s *subscriber) UnmarshalJSON(raw []byte) error {
	var named struct {
		SubscriberID string           `json:"subscriberId"`
		Channels     []channelSetting `json:"channels"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return err
	}
	if err := checkNames(named.SubscriberID); err != nil {
		return err
	}
	var all map[string]any
	if err := (Line{Raw: raw}).decode(&all); err != nil {
		return err
	}
	maps.DeleteFunc(all, func(name string, value any) bool { return value == nil || !slices.Contains(profile, name) })
	s.id, s.profile, s.channels = named.SubscriberID, all, named.Channels
	return nil
}

// presentSubscriber is what the target holds of a subscriber.
type presentSubscriber struct {
	ID       string
	profile  map[string]any
	channels []channelSetting
}

const scheduleSelection = `schedule { isEnabled weeklySchedule { ` +
	`monday { ...day } tuesday { ...day } wednesday { ...day } thursday { ...day } friday { ...day } saturday { ...day } sunday { ...day } } }`

const dayFragment = ` fragment day on DaySchedule { isEnabled hours { start end } }`

const channelSelection = `providerId integrationIdentifier credentials { deviceTokens webhookUrl channel alertUid title imageUrl state externalUrl }`

var subscriberSelection = `id subscriberId ` + strings.ReplaceAll(strings.Join(profile, " "), "schedule", scheduleSelection) +
	` channels(first: 10) { nodes { ` + channelSelection + ` } pageInfo { hasNextPage } }`

// putSubscribers creates the subscribers of a page, changes those that differ, and leaves the others.
func putSubscribers(ctx context.Context, o Options, lines []Line) (items []Item, err error) {
	var given []subscriber
	ids := []string{}
	for _, l := range lines {
		var s subscriber
		if err := l.decode(&s); err != nil {
			items = append(items, malformed(kindSubscriber, l, err))
			continue
		}
		if first := slices.Index(ids, s.id); first >= 0 { // what it says is written with the first line, as if it came behind it
			maps.Copy(given[first].profile, s.profile)
			given[first].channels = append(given[first].channels, s.channels...)
			items = append(items, Item{Kind: kindSubscriber, Name: s.id, Result: Unchanged})
			continue
		}
		ids = append(ids, s.id)
		given = append(given, s)
	}
	present, err := o.Target.subscribers(ctx, ids)
	if err != nil {
		return nil, err
	}
	put, err := parallel(ctx, o.Concurrency, given, func(ctx context.Context, s subscriber) ([]Item, error) {
		return o.Target.putSubscriber(ctx, s, present[s.id])
	})
	return append(items, put...), err
}

// subscribers reads those of a page that the target has.
func (t *Target) subscribers(ctx context.Context, ids []string) (map[string]presentSubscriber, error) {
	present := map[string]presentSubscriber{}
	for some := range slices.Chunk(ids, 50) {
		var answer struct {
			Subscribers struct{ Nodes []map[string]any }
		}
		query := `query($ids: [String!]) { subscribers(first: 50, filter: {subscriberIdIn: $ids}) { nodes { ` + subscriberSelection + ` } } }` + dayFragment
		if err := t.do(ctx, query, map[string]any{"ids": some}, &answer); err != nil {
			return nil, err
		}
		for _, node := range answer.Subscribers.Nodes {
			id, _ := node["subscriberId"].(string)
			global, _ := node["id"].(string)
			settings, _ := node["channels"].(map[string]any)
			p := presentSubscriber{ID: global, profile: node}
			if err := reread(settings["nodes"], &p.channels); err != nil {
				return nil, err
			}
			present[id] = p
		}
	}
	return present, nil
}

// reread reads what was decoded into another form.
func reread(from, into any) error {
	raw, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		return fmt.Errorf("read the answer of the target: %w", err)
	}
	return nil
}

func (t *Target) putSubscriber(ctx context.Context, s subscriber, present presentSubscriber) (items []Item, err error) {
	changes := maps.Clone(s.profile)
	maps.DeleteFunc(changes, func(name string, value any) bool { return configfiles.Same(clean(value), clean(present.profile[name])) })
	item := Item{Kind: kindSubscriber, Name: s.id, Result: Unchanged}
	if present.ID == "" || len(changes) > 0 {
		dropped, err := t.writeSubscriber(ctx, s.id, present.ID, changes)
		items = append(items, dropped...)
		wrote, err := settled(kindSubscriber, s.id, err)
		if err != nil {
			return nil, err
		}
		if present.ID == "" || len(changes) > 0 { // something was left to write
			item = wrote
		}
	}
	items = append(items, item)
	if item.Result == Refused {
		return items, nil
	}
	for _, c := range s.channels {
		item, err := t.putChannel(ctx, s.id, c, present.channels)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// writeSubscriber creates or changes a subscriber. Members that the target refuses are deleted from changes and reported.
func (t *Target) writeSubscriber(ctx context.Context, subscriberID, id string, changes map[string]any) (dropped []Item, err error) {
	for id == "" || len(changes) > 0 {
		in := maps.Clone(changes)
		query := `mutation($in: UpdateSubscriberInput!) { updateSubscriber(input: $in) { subscriber { id } } }`
		in["id"] = id
		if id == "" {
			delete(in, "id")
			in["subscriberId"] = subscriberID
			query = `mutation($in: CreateSubscriberInput!) { createSubscriber(input: $in) { subscriber { id } } }`
		}
		err := t.do(ctx, query, map[string]any{"in": in}, nil)
		refusal := refusalOf(err)
		if refusal != nil && refusal.Code == "ALREADY_EXISTS" && id == "" { // made in between, perhaps by an attempt whose answer was lost
			present, err := t.subscribers(ctx, []string{subscriberID})
			if err != nil {
				return nil, err
			}
			if id = present[subscriberID].ID; id != "" {
				continue
			}
		}
		faulty := map[string]string{}
		if refusal != nil {
			for _, f := range refusal.Fields {
				member, _, _ := strings.Cut(strings.TrimPrefix(f.Path, "input."), ".")
				faulty[member] = f.Message
			}
		}
		if len(faulty) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(faulty)), func(name string) bool { return changes[name] == nil }) {
			return dropped, err
		}
		for _, member := range slices.Sorted(maps.Keys(faulty)) {
			delete(changes, member)
			dropped = append(dropped, Item{Kind: kindField, Name: subscriberID + " " + member, Result: Refused, Reason: faulty[member]})
		}
	}
	return dropped, nil
}

// clean is a value without members that are null, as the documented forms leave them out.
func clean(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, below := range v {
			if below != nil {
				out[name] = clean(below)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = clean(below)
		}
		return out
	}
	return value
}

// channelCredentials are the documented credentials of a channel setting.
var channelCredentials = []string{"deviceTokens", "webhookUrl", "channel", "alertUid", "title", "imageUrl", "state", "externalUrl"}

func (t *Target) putChannel(ctx context.Context, subscriberID string, c channelSetting, present []channelSetting) (Item, error) {
	item := Item{Kind: kindChannel, Name: strings.TrimSuffix(subscriberID+" "+c.ProviderID+" "+c.IntegrationIdentifier, " ")}
	credentials := maps.Clone(c.Credentials)
	maps.DeleteFunc(credentials, func(name string, value any) bool {
		return value == nil || value == "" || !slices.Contains(channelCredentials, name)
	})
	if address, _ := credentials["webhookUrl"].(string); strings.Contains(address, mask) {
		item.Result, item.Reason = Refused, maskedReason
		return item, nil
	}
	if slices.ContainsFunc(present, func(p channelSetting) bool { return c.heldBy(p, credentials) }) {
		item.Result = Unchanged
		return item, nil
	}
	in := map[string]any{"subscriberId": subscriberID, "providerId": c.ProviderID, "credentials": credentials}
	if c.IntegrationIdentifier != "" {
		in["integrationIdentifier"] = c.IntegrationIdentifier
	}
	return settled(item.Kind, item.Name, t.do(ctx, `mutation($in: SetSubscriberChannelInput!) { setSubscriberChannel(input: $in) { subscriberChannel { id } } }`, map[string]any{"in": in}, nil))
}

// heldBy reports whether a stored setting says all that credentials say.
func (c channelSetting) heldBy(p channelSetting, credentials map[string]any) bool {
	if p.ProviderID != c.ProviderID || p.IntegrationIdentifier != c.IntegrationIdentifier {
		return false
	}
	for name, value := range credentials {
		tokens, isList := value.([]any)
		stored, _ := p.Credentials[name].([]any)
		switch {
		case isList && slices.ContainsFunc(tokens, func(token any) bool { return !slices.Contains(stored, token) }):
			return false
		case name == "webhookUrl" && p.Credentials[name] != maskOf(value):
			return false
		case !isList && name != "webhookUrl" && p.Credentials[name] != value:
			return false
		}
	}
	return true
}

// maskOf is how Carillon shows an address whose path is a secret: as far as it can be compared.
func maskOf(address any) string {
	text, _ := address.(string)
	scheme, rest, _ := strings.Cut(text, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + cmp.Or(host, mask) + "/" + mask
}
