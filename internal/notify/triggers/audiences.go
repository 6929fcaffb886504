package triggers

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// resolve reads the audiences that typed events name, all of them in one query.
func (t *Triggers) resolve(ctx context.Context, in []*TriggerInput) error {
	var names []string
	for _, event := range in {
		names = slices.AppendSeq(names, maps.Values(event.audiences))
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
	for _, event := range in {
		event.resolved = resolved
	}
	return nil
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
