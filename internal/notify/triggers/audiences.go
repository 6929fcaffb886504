package triggers

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/audience"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// resolve reads the audiences that typed events name, all of them in one query.
func (t *Triggers) resolve(ctx context.Context, in []*TriggerInput) error {
	var names []string
	for _, one := range in {
		names = slices.AppendSeq(names, maps.Values(one.audiences))
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	found, err := usecase.Read(ctx, t.deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) ([]*ent.Audience, error) {
		return db.Audience.Query().Where(audience.IdentifierIn(slices.Compact(names)...)).All(ctx)
	})
	if err != nil {
		return err
	}
	resolved := make(map[string]workflow.AudienceRecipient, len(found))
	for _, a := range found {
		r := workflow.AudienceRecipient{Identifier: a.Identifier, Rule: a.Rule}
		if a.TopicKey != nil {
			r.TopicKey = *a.TopicKey
		}
		resolved[a.Identifier] = r
	}
	for _, one := range in {
		one.resolved = one.narrowed(resolved)
	}
	return nil
}

// Everybody is the audience of a narrowed event that chooses among all subscribers.
const Everybody = "*"

// Narrow keeps, of the subscribers whom the event's audiences choose, those whose own time zone is one of some; "" is that of those
// without one. Everybody is an audience of such an event.
func (in *TriggerInput) Narrow(zones []string) { in.zones = zones }

func (in *TriggerInput) narrowed(resolved map[string]workflow.AudienceRecipient) map[string]workflow.AudienceRecipient {
	if in.zones == nil {
		return resolved
	}
	zone := map[string]any{"var": "subscriber.timezone"}
	rule := map[string]any{"in": []any{zone, anys(in.zones)}}
	if slices.Contains(in.zones, "") {
		rule = map[string]any{"or": []any{map[string]any{"!": []any{zone}}, rule}}
	}
	narrowed := maps.Clone(resolved)
	narrowed[Everybody] = workflow.AudienceRecipient{Identifier: Everybody}
	for name, a := range narrowed {
		if len(a.Rule) == 0 {
			a.Rule = rule
		} else {
			a.Rule = map[string]any{"and": []any{rule, a.Rule}}
		}
		narrowed[name] = a
	}
	return narrowed
}

func anys(texts []string) (list []any) {
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

// Check reports every problem that an event would have if it were triggered now, and accepts nothing. What its workflow says, such
// as a schema for the payload, is not asked.
func (t *Triggers) Check(ctx context.Context, in TriggerInput, kind event.Kind) error {
	if err := in.encode(); err != nil {
		return err
	}
	list := []*TriggerInput{&in}
	if err := CheckEventSizes(list, false); err != nil {
		return err
	}
	if err := t.resolve(ctx, list); err != nil {
		return err
	}
	return parseTrigger(&in, kind, t.providers).problems.Err()
}

// addAudiences adds the audiences that the event names, each once, and takes their empty places out of what is invalid.
func (p *triggerParser) addAudiences(to *workflow.Recipients) {
	seen := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(p.in.audiences)) {
		name, path := p.in.audiences[at], "to."+strconv.Itoa(at)
		to.Invalid = slices.DeleteFunc(to.Invalid, func(i workflow.InvalidRecipient) bool { return i.Path == path })
		switch r, found := p.in.resolved[name]; {
		case !found:
			p.problems.Add(path+".audience", name, "names no audience")
		case !seen[name]:
			seen[name] = true
			to.Audiences = append(to.Audiences, r)
		}
	}
}
