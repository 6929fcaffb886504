package importer

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/configfiles"
)

const kindSchedule = "schedule"

// wishes are what a subscriber stored on one level.
type wishes struct {
	Enabled  *bool           `json:"enabled,omitempty"`
	Channels map[string]bool `json:"channels,omitempty"`
}

// globalWishes are the global part of the documented form.
type globalWishes struct {
	wishes

	Schedule map[string]any `json:"schedule,omitempty"`
}

// workflowWishes are an item of the documented form.
type workflowWishes struct {
	wishes

	Overrides []struct {
		Channel string `json:"channel"`
		Source  string `json:"source"`
	} `json:"overrides,omitempty"`
	Workflow struct {
		Identifier string `json:"identifier"`
	} `json:"workflow"`
}

// preferences is a line of preferences.ndjson: the documented answer, with whose it is and in which contexts.
type preferences struct {
	SubscriberID string           `json:"subscriberId"`
	ContextKeys  []string         `json:"contextKeys,omitempty"`
	Global       *globalWishes    `json:"global,omitempty"`
	Workflows    []workflowWishes `json:"workflows,omitempty"`
}

// own are the wishes of an item that are the subscriber's: the others are the workflow's defaults, which are taken over with
// the workflow. An item without sources holds the subscriber's alone.
func (w workflowWishes) own() wishes {
	if len(w.Overrides) == 0 {
		return w.wishes
	}
	own := wishes{Enabled: w.Enabled, Channels: map[string]bool{}}
	for _, o := range w.Overrides {
		if value, ok := w.Channels[o.Channel]; ok && o.Source == "subscriber" {
			own.Channels[o.Channel] = value
		}
	}
	return own
}

// effective is what the target answers.
type effective struct {
	Global    effectiveLevel
	Workflows []struct {
		effectiveLevel

		Workflow struct {
			Identifier string
			Critical   bool
		}
	}
}

type effectiveLevel struct {
	Enabled   bool
	Channels  map[string]*bool
	Schedule  map[string]any
	Overrides []struct{ Channel, Source string }
}

// decided reports whether a channel is as it is by the subscriber's wish, not by a default, which its author may change. A level
// without sources knows no defaults.
func (l effectiveLevel) decided(channel string) bool {
	for _, o := range l.Overrides {
		if strings.EqualFold(o.Channel, channel) {
			return o.Source == "SUBSCRIBER"
		}
	}
	return true
}

const effectiveSelection = `enabled channels { email sms in_app: inApp chat push }`

// missing are the wishes that a level does not have already, as GraphQL takes them; nil when it has all.
func (l effectiveLevel) missing(w wishes) map[string]any {
	in, channels := map[string]any{}, map[string]any{}
	if w.Enabled != nil && *w.Enabled != l.Enabled {
		in["enabled"] = *w.Enabled
	}
	// While a level is switched off, its channels are shown off whatever is stored for them.
	for name, value := range w.Channels {
		if was := l.Channels[name]; (was == nil || *was != value || !l.decided(name)) && (w.Enabled == nil || *w.Enabled) {
			channels[map[bool]string{true: "inApp", false: name}[name == "in_app"]] = value
		}
	}
	if len(in)+len(channels) == 0 {
		return nil
	}
	in["channels"] = channels
	return in
}

// putPreference stores what a subscriber wishes. The global wishes come first: they replace those of workflows.
func putPreference(ctx context.Context, t *Target, l Line) (items []Item, err error) {
	var p preferences
	err = l.decode(&p)
	if err == nil {
		err = checkNames(p.SubscriberID)
	}
	if err != nil {
		return []Item{malformed(kindPreference, l, err)}, nil
	}
	now, err := t.effective(ctx, p)
	if err != nil {
		item, err := settled(kindPreference, p.SubscriberID, err)
		return []Item{item}, err
	}
	if p.Global != nil {
		if items, err = t.putGlobal(ctx, p, now); err != nil {
			return nil, err
		}
		if now, err = t.effective(ctx, p); err != nil {
			return nil, err
		}
	}
	for some := range slices.Chunk(p.Workflows, 100) {
		put, err := t.putWorkflows(ctx, p, some, now)
		if err != nil {
			return nil, err
		}
		items = append(items, put...)
	}
	return items, nil
}

func (t *Target) effective(ctx context.Context, p preferences) (*effective, error) {
	var answer struct{ Effective effective }
	query := `query($s: String!, $c: [String!]) { effective: subscriberPreferences(subscriberId: $s, criticality: ALL, contextKeys: $c) {
		global { ` + effectiveSelection + ` ` + scheduleSelection + ` } workflows { ` + effectiveSelection + ` overrides { channel source } workflow { identifier critical } } } }` + dayFragment
	variables := map[string]any{"s": p.SubscriberID}
	if len(p.ContextKeys) > 0 {
		variables["c"] = p.ContextKeys
	}
	return &answer.Effective, t.do(ctx, query, variables, &answer)
}

func (t *Target) putGlobal(ctx context.Context, p preferences, now *effective) (items []Item, err error) {
	item := Item{Kind: kindPreference, Name: p.SubscriberID + " global", Result: Unchanged}
	if in := now.Global.missing(p.Global.wishes); in != nil {
		p.address(in)
		err := t.do(ctx, `mutation($in: SetGlobalPreferencesInput!) { setGlobalPreferences(input: $in) { preference { level } } }`, map[string]any{"in": in}, nil)
		if item, err = settled(item.Kind, item.Name, err); err != nil {
			return nil, err
		}
	}
	items = append(items, item)
	if p.Global.Schedule == nil {
		return items, nil
	}
	item = Item{Kind: kindSchedule, Name: p.SubscriberID, Result: Unchanged}
	if !configfiles.Same(clean(p.Global.Schedule), clean(now.Global.Schedule)) {
		in := map[string]any{"subscriberId": p.SubscriberID, "schedule": p.Global.Schedule}
		err := t.do(ctx, `mutation($in: SetScheduleInput!) { setSchedule(input: $in) { subscriber { id } } }`, map[string]any{"in": in}, nil)
		if item, err = settled(item.Kind, item.Name, err); err != nil {
			return nil, err
		}
	}
	return append(items, item), nil
}

// address says whose wishes an input holds, and in which contexts.
func (p preferences) address(in map[string]any) {
	in["subscriberId"] = p.SubscriberID
	if len(p.ContextKeys) > 0 {
		in["context"] = contextOf(p.ContextKeys)
	}
}

// putWorkflows stores wishes for workflows in one call.
func (t *Target) putWorkflows(ctx context.Context, p preferences, some []workflowWishes, now *effective) (items []Item, err error) {
	levels := map[string]effectiveLevel{}
	for _, w := range now.Workflows {
		if w.Workflow.Critical {
			w.Overrides = nil // wishes for it are refused: what matters is that it is on
		}
		levels[w.Workflow.Identifier] = w.effectiveLevel
	}
	inputs := []map[string]any{}
	for _, w := range some {
		item := Item{Kind: kindPreference, Name: p.SubscriberID + " " + w.Workflow.Identifier, Result: Unchanged}
		level, known := levels[w.Workflow.Identifier]
		own := w.own()
		switch in := level.missing(own); {
		case len(own.Channels) == 0 && (own.Enabled == nil || *own.Enabled):
			continue // nothing of it is the subscriber's
		case !known:
			item.Result, item.Reason = Refused, "the target has no such active workflow"
		case in != nil:
			item.Result, in["workflowId"] = Taken, w.Workflow.Identifier
			inputs = append(inputs, in)
		}
		items = append(items, item)
	}
	if len(inputs) == 0 {
		return items, nil
	}
	in := map[string]any{"preferences": inputs}
	p.address(in)
	err = t.do(ctx, `mutation($in: UpdatePreferencesInput!) { updatePreferences(input: $in) { preferences { level } } }`, map[string]any{"in": in}, nil)
	if err == nil {
		return items, nil
	}
	if refusalOf(err) == nil {
		return nil, err
	}
	if len(some) > 1 { // one of them is refused, and with it all
		items = nil
		for _, w := range some {
			one, err := t.putWorkflows(ctx, p, []workflowWishes{w}, now)
			if err != nil {
				return nil, err
			}
			items = append(items, one...)
		}
		return items, nil
	}
	items[0].Result, items[0].Reason = Refused, reasonOf(refusalOf(err))
	return items, nil
}
