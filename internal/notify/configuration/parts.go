package configuration

import (
	"context"
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/render"
)

// Part is one resource of a configuration.
type Part struct {
	Kind Kind
	Name string // its identifier, key or locale
}

// Dependency is a resource that a promoted one refers to.
type Dependency struct {
	Part
	NeededBy []Part
	Included bool // it is promoted as well
	Missing  bool // the target did not hold it before
}

// needs are the resources of a document that one of them refers to.
func needs(d *Document, p Part) (out []Part) {
	add := func(k Kind, names ...string) {
		for _, name := range names {
			if part := (Part{k, name}); name != "" && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	switch p.Kind { //nolint:exhaustive // the others refer to nothing
	case KindNotificationGroup:
		add(KindNotificationGroup, d.NotificationGroups[p.Name].Parent)
	case KindSnippet:
		add(KindSnippet, render.SnippetsOf(d.Snippets[p.Name].Content)...)
	case KindLayout:
		add(KindSnippet, render.SnippetsOf(d.Layouts[p.Name].Content)...)
	case KindWorkflow:
		w := d.Workflows[p.Name]
		add(KindNotificationGroup, w.NotificationGroup)
		add(KindFeed, w.Definition.Feeds()...)
		add(KindSnippet, slices.Sorted(maps.Keys(authoring.SnippetsNamed(&w.Definition)))...)
		for i := range w.Steps {
			if mail := w.Steps[i].Email; mail != nil {
				add(KindLayout, mail.LayoutID)
			}
			for j := range w.Steps[i].Variants {
				if mail := w.Steps[i].Variants[j].Email; mail != nil {
					add(KindLayout, mail.LayoutID)
				}
			}
		}
	}
	return out
}

// partsOf lists the resources of a document, in the order in which they are applied.
func partsOf(d *Document) (out []Part) {
	for _, s := range sections {
		for _, name := range s.names(d) {
			out = append(out, Part{s.kind, name})
		}
	}
	return out
}

// namesOf are the names of parts by kind.
func namesOf(parts []Part) map[Kind][]string {
	out := map[Kind][]string{}
	for _, p := range parts {
		if !slices.Contains(out[p.Kind], p.Name) {
			out[p.Kind] = append(out[p.Kind], p.Name)
		}
	}
	return out
}

func has(d *Document, p Part) bool {
	i := slices.IndexFunc(sections, func(s section) bool { return s.kind == p.Kind })
	_, known := sections[i].get(d, p.Name)
	return known
}

// readChosen reads what is promoted from the environment of ctx: the chosen parts, or all that the caller may read (nil), and
// then what they refer to. Workflows are read as they are published there.
func (c *Configurations) readChosen(ctx context.Context, chosen []Part) (*current, []Part, error) {
	from := &current{ids: map[Kind]map[string]string{}, asPublished: true}
	handlers := c.handlers(nil)
	if chosen == nil {
		for _, s := range sections {
			if s.kind == KindVariable {
				continue // each environment has its own
			}
			if err := handlers[s.kind].read(ctx, nil, from); err != nil && fault.KindOf(err) != fault.Forbidden {
				return nil, nil, err
			}
		}
	} else if err := c.loadInto(ctx, namesOf(chosen), from); err != nil {
		return nil, nil, err
	}
	if err := tooLarge(from); err != nil {
		return nil, nil, err
	}
	for name, record := range from.stored {
		if integrations.BuiltIn(record) {
			delete(from.Integrations, name)
		}
	}
	if err := c.showCredentials(ctx, from); err != nil {
		return nil, nil, err
	}
	var problems fault.Problems
	for _, p := range chosen {
		if p.Kind == KindVariable {
			problems.Add("parts", p.Name, "%s is not taken over: each environment has its own variables", described(p))
		} else if !has(&from.Document, p) {
			problems.Add("parts", p.Name, "the source does not hold %s, or has not published it", described(p))
		}
	}
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	if chosen == nil {
		chosen = partsOf(&from.Document)
	}
	return from, chosen, c.readNeeded(ctx, from)
}

// readNeeded adds to a document what its resources refer to, and what that refers to.
func (c *Configurations) readNeeded(ctx context.Context, from *current) error {
	asked := map[Part]bool{}
	for {
		var missing []Part
		for _, p := range partsOf(&from.Document) {
			for _, needed := range needs(&from.Document, p) {
				if !has(&from.Document, needed) && !asked[needed] {
					asked[needed] = true
					missing = append(missing, needed)
				}
			}
		}
		if len(missing) == 0 {
			return nil
		}
		if err := c.loadInto(ctx, namesOf(missing), from); err != nil {
			return err
		}
	}
}

// dependencies are the resources that parts refer to, directly or through others, and that are not among the parts.
func dependencies(d *Document, parts []Part) (out []Dependency) {
	at := map[Part]int{}
	for queue := slices.Clone(parts); len(queue) > 0; queue = queue[1:] {
		for _, needed := range needs(d, queue[0]) {
			if slices.Contains(parts, needed) || !has(d, needed) {
				continue
			}
			i, known := at[needed]
			if !known {
				i = len(out)
				at[needed] = i
				out = append(out, Dependency{Part: needed})
				queue = append(queue, needed)
			}
			out[i].NeededBy = append(out[i].NeededBy, queue[0])
		}
	}
	return out
}

// only is a document with some of its resources.
func only(d *Document, parts []Part) *Document {
	out := &Document{}
	for _, p := range parts {
		switch p.Kind {
		case KindVariable: // never taken over
		case KindNotificationGroup:
			set(&out.NotificationGroups, p.Name, d.NotificationGroups[p.Name])
		case KindFeed:
			set(&out.Feeds, p.Name, d.Feeds[p.Name])
		case KindSnippet:
			set(&out.Snippets, p.Name, d.Snippets[p.Name])
		case KindLayout:
			set(&out.Layouts, p.Name, d.Layouts[p.Name])
		case KindTranslation:
			set(&out.Translations, p.Name, d.Translations[p.Name])
		case KindIntegration:
			set(&out.Integrations, p.Name, d.Integrations[p.Name])
		case KindTopic:
			set(&out.Topics, p.Name, d.Topics[p.Name])
		case KindWorkflow:
			set(&out.Workflows, p.Name, d.Workflows[p.Name])
		}
	}
	return out
}
