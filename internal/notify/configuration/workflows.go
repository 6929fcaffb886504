package configuration

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func (c *Configurations) workflowHandler(plan *Plan) handler {
	workflows := c.areas.Authoring.Workflows
	return handler{
		read: c.readWorkflows,
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.Workflows[name]
			created, err := workflows.Create(ctx, authoring.CreateWorkflowInput{
				Identifier: &name, Name: in.Name, Description: &in.Description, Active: in.Active,
				NotificationGroup: given(in.NotificationGroup), Definition: in.Definition, Publish: in.Published,
			})
			return plan.saved(created, err)
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Workflows[name]
			updated, err := workflows.Update(ctx, authoring.UpdateWorkflowInput{
				ID: recordID, Name: &in.Name, Description: &in.Description, Active: in.Active,
				NotificationGroup: graphql.OmittableOf(given(in.NotificationGroup)), Definition: &in.Definition, Publish: in.Published,
			})
			return plan.saved(updated, err)
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(workflows.Delete(ctx, recordID)) },
	}
}

// readWorkflows reads workflows with the definitions that are published of them, in a number of statements that does not
// grow with the workflows of a page.
func (c *Configurations) readWorkflows(ctx context.Context, names []string, into *current) error {
	into.feeds = map[id.ID]string{}
	var rows []*ent.Workflow
	truncated, err := readAll(func(page usecase.Page) (*authoring.WorkflowConnection, error) {
		return c.areas.Authoring.Workflows.List(ctx, page, nil, &authoring.WorkflowFilter{IdentifierIn: names})
	}, func(w *ent.Workflow) { rows = append(rows, w) })
	if err != nil {
		return err
	}
	if truncated {
		into.truncated = append(into.truncated, KindWorkflow)
	}
	for page := range slices.Chunk(rows, usecase.MaxPage) {
		if err := c.addWorkflows(ctx, page, into); err != nil {
			return err
		}
	}
	return nil
}

func (c *Configurations) addWorkflows(ctx context.Context, page []*ent.Workflow, into *current) error {
	var ids []string
	groupIDs := make([]*id.ID, len(page))
	for i, w := range page {
		groupIDs[i] = w.NotificationGroupID
		if w.PublishedVersionID != nil {
			ids = append(ids, *w.PublishedVersionID)
		}
	}
	versions, err := c.areas.Authoring.Workflows.VersionBatch(ctx, ids)
	if err != nil {
		return err
	}
	groups, err := c.groupNames(ctx, groupIDs)
	if err != nil {
		return err
	}
	if err := c.addFeedNames(ctx, page, versions, into); err != nil {
		return err
	}
	for _, w := range page {
		own, published := into.portable(w.Draft), false
		if version := publishedOf(w, versions); version != nil {
			used := into.portable(version.Definition)
			published = into.asPublished || usecase.SameJSON(used, own)
			if into.asPublished {
				own = used
			}
			set(&into.versions, w.Identifier, version)
		} else if into.asPublished {
			continue
		}
		one := Workflow{Name: w.Name, Description: w.Description, Active: &w.Active, Published: &published, Definition: *own}
		if w.NotificationGroupID != nil {
			one.NotificationGroup = groups[*w.NotificationGroupID]
		}
		set(&into.Workflows, w.Identifier, one)
		into.record(KindWorkflow, w.Identifier, w.ID)
	}
	return nil
}

// publishedOf is the version that triggers use; nil: none.
func publishedOf(w *ent.Workflow, versions map[string]*ent.WorkflowVersion) *ent.WorkflowVersion {
	if w.PublishedVersionID == nil {
		return nil
	}
	return versions[*w.PublishedVersionID]
}

// addFeedNames reads the identifiers of the feeds that workflows and their published versions name by id. Cost: one query.
func (c *Configurations) addFeedNames(ctx context.Context, page []*ent.Workflow, versions map[string]*ent.WorkflowVersion, into *current) error {
	var refs []string
	for _, w := range page {
		refs = append(refs, w.Draft.Feeds()...)
	}
	for _, v := range versions {
		refs = append(refs, v.Definition.Feeds()...)
	}
	found, err := c.areas.Feeds.Batch(ctx, usecase.PlainIDs("Feed", usecase.Distinct(refs)))
	for feedID, f := range found {
		into.feeds[feedID] = f.Identifier
	}
	return err
}

// portable is a definition without what means something in one environment only: record ids of steps, and feeds are named
// by their identifiers.
func (c *current) portable(d *workflow.Definition) *workflow.Definition {
	names := map[string]string{}
	for _, ref := range d.Feeds() {
		names[ref] = ref
		if recordID, err := usecase.RecordID("Feed", ref); err == nil && c.feeds[recordID] != "" {
			names[ref] = c.feeds[recordID]
		}
	}
	out := withoutIDs(d.WithFeeds(names))
	authoring.SetDefaults(out)
	return out
}

func withoutIDs(d *workflow.Definition) *workflow.Definition {
	out := *d
	out.Steps = slices.Clone(d.Steps)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.ID = ""
		s.Variants = slices.Clone(s.Variants)
		for j := range s.Variants {
			s.Variants[j].ID = ""
		}
	}
	return &out
}

// saved adds what is wrong with a workflow that was saved all the same.
func (p *Plan) saved(w *ent.Workflow, err error) error {
	if err != nil {
		return err
	}
	for _, i := range w.Issues {
		p.Issues = append(p.Issues, Issue{Workflow: w.Identifier, StepID: i.StepID, Message: i.Message})
	}
	return nil
}

// completed is a wanted document with what was left out, so that it compares with what is stored.
func completed(d *Document, found *current) *Document {
	out := *d
	out.Workflows = maps.Clone(d.Workflows)
	for name, w := range out.Workflows {
		complete(&w)
		w.Definition = *found.portable(&w.Definition)
		if stored, known := found.Workflows[name]; known && !*w.Published && usecase.SameJSON(stored.Definition, w.Definition) {
			w.Published = stored.Published // what triggers use is never taken back, only followed by another version
		}
		out.Workflows[name] = w
	}
	out.Integrations = maps.Clone(d.Integrations)
	for name, i := range out.Integrations {
		stored := found.Integrations[name]
		i.Active = orTrue(i.Active)
		i.Name = cmp.Or(i.Name, stored.Name)
		if i.Primary == nil {
			i.Primary = stored.Primary
		}
		out.Integrations[name] = i
	}
	return &out
}

func orTrue(b *bool) *bool {
	if b == nil {
		return new(true)
	}
	return b
}
