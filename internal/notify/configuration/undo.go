package configuration

import (
	"context"
	"maps"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/promotion"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

func changed(changes []Change) (parts []Part) {
	for _, c := range changes {
		parts = append(parts, Part{c.Kind, c.Name})
	}
	return parts
}

// undoable are the resources that undoing a promotion changes: all but the topics and integrations that it made, with which
// would go what no record holds.
func undoable(resources []workflow.PromotedResource) (parts []Part) {
	for _, r := range resources {
		k := Kind(r.Kind)
		if r.Action == string(ActionCreate) && (k == KindTopic || k == KindIntegration) {
			continue
		}
		parts = append(parts, Part{k, r.Name})
	}
	return parts
}

// published reads the workflows among parts as triggers use them.
func (p *Promotions) published(ctx context.Context, parts []Part) (*current, error) {
	names := namesOf(parts)[KindWorkflow]
	used := &current{asPublished: true, ids: map[Kind]map[string]string{}}
	if len(names) == 0 {
		return used, nil
	}
	return used, p.configurations.loadInto(ctx, map[Kind][]string{KindWorkflow: names}, used)
}

// stored is what a target held of the parts, as it is recorded: once with drafts, once with published definitions. Credentials
// are not recorded: a promotion leaves them as they are.
func stored(before *current, parts []Part) (held, published map[string]any, err error) {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return !has(&before.Document, p) })
	if held, err = short(only(&before.Document, parts)); err != nil {
		return nil, nil, err
	}
	used := &Document{}
	for name, version := range before.versions {
		w, known := before.Workflows[name]
		if !known || !slices.Contains(parts, Part{KindWorkflow, name}) {
			continue
		}
		w.Definition, w.Published = *before.portable(version.Definition), new(true)
		set(&used.Workflows, name, w)
	}
	published, err = short(used)
	return held, published, err
}

// Undo makes the target hold again what it held before a promotion, in one transaction, and records it as another promotion,
// which can be undone as well. It refuses when what it would change is not as the promotion left it.
func (p *Promotions) Undo(ctx context.Context, globalID string) (*Promoted, error) {
	recordID, err := usecase.RecordID("Promotion", globalID)
	if err != nil {
		return nil, err
	}
	done, err := usecase.WriteOnce(ctx, p.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*Promoted, error) {
		if err := begin(ctx); err != nil {
			return nil, err
		}
		of, err := db.Promotion.Query().Where(promotion.ID(recordID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Promotion %s was not found.", globalID)
		}
		if of.UndoneByID != nil {
			return nil, fault.Conflictf("PROMOTION_UNDONE", "This promotion has been undone already.")
		}
		plan, found, err := p.restore(ctx, of)
		if err != nil {
			return nil, err
		}
		recorded, err := p.record(ctx, db, plan, found, origin{of.SourceID, of.SourceIdentifier, nil, of})
		if err != nil {
			return nil, err
		}
		return &Promoted{recorded, plan}, of.Update().SetUndoneByID(recorded.ID).Exec(ctx)
	})
	if postgres.Retryable(err) {
		return nil, overtaken()
	}
	return done, err
}

func overtaken() error {
	return fault.Conflictf("PROMOTION_OVERTAKEN", "What was promoted has changed since. Undo the later changes first.")
}

// restore brings back what a promotion changed. First workflows are published as they were, then their drafts are as they were.
func (p *Promotions) restore(ctx context.Context, of *ent.Promotion) (*Plan, *current, error) {
	drafts, err := decode(of.Before)
	if err != nil {
		return nil, nil, err
	}
	used, err := decode(of.Published)
	if err != nil {
		return nil, nil, err
	}
	wanted := *drafts
	wanted.Workflows = maps.Clone(drafts.Workflows)
	maps.Copy(wanted.Workflows, used.Workflows)
	for name, w := range wanted.Workflows {
		if _, wasUsed := used.Workflows[name]; !wasUsed {
			w.Active = new(false) // triggers did not use it, and a published version is never taken back
			wanted.Workflows[name] = w
		}
	}
	compared := extent{names: namesOf(undoable(of.Resources))}
	for k, h := range p.configurations.handlers(nil) {
		if h.remove != nil && len(compared.names[k]) > 0 {
			compared.pruned = append(compared.pruned, k)
		}
	}
	plan, found, err := p.configurations.settle(ctx, &wanted, compared, func(plan *Plan, found *current) (err error) {
		if plan.Fingerprint, err = fingerprint(&found.Document); err != nil {
			return err
		}
		if plan.Fingerprint != of.FingerprintAfter {
			return overtaken()
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	edited := Document{}
	for name, w := range drafts.Workflows {
		if _, wasUsed := used.Workflows[name]; wasUsed && w.Published != nil && !*w.Published {
			set(&edited.Workflows, name, w)
		}
	}
	if len(edited.Workflows) == 0 {
		return plan, found, nil
	}
	_, _, err = p.configurations.settle(ctx, &edited, extent{names: map[Kind][]string{KindWorkflow: (sections[len(sections)-1]).names(&edited)}},
		func(*Plan, *current) error { return nil })
	return plan, found, err
}
