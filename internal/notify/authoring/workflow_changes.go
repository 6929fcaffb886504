package authoring

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/triggerschedule"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// CreateWorkflowInput describes a new workflow.
type CreateWorkflowInput struct {
	Identifier        *string // made from the name when nil
	Name              string
	Description       *string
	Active            *bool   // nil: true
	NotificationGroup *string // id or identifier
	Definition        workflow.Definition
	Publish           *bool // nil: true
}

// Create makes a workflow and, unless asked not to, its first version (semantics.md §2.13).
func (w *Workflows) Create(ctx context.Context, in CreateWorkflowInput) (*ent.Workflow, error) {
	draft := &in.Definition
	Complete(draft, nil, w.NewID)
	problems := fault.Problems{}
	usecase.CheckName(&problems, "name", in.Name)
	usecase.CheckText(&problems, "description", in.Description, usecase.MaxTextLength)
	if in.Identifier != nil && !workflow.ValidWorkflowIdentifier(*in.Identifier) {
		problems.Add("identifier", *in.Identifier, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
	publish := in.Publish == nil || *in.Publish
	return usecase.WriteNamed(ctx, w.Deps, usecase.WriteContent, in.Identifier, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		if err := w.check(ctx, db, draft, &problems); err != nil {
			return nil, err
		}
		identifier, err := w.identifierFor(ctx, db, in)
		if err != nil {
			return nil, err
		}
		active := in.Active == nil || *in.Active
		create := db.Workflow.Create().SetIdentifier(identifier).SetName(in.Name).SetNillableDescription(in.Description).
			SetActive(active).SetDraft(draft).SetNillableUpdatedBy(usecase.ActingUser(ctx)).
			SetCritical(draft.Critical).SetSeverity(draft.Severity).SetTags(draft.Tags).SetData(draft.Data)
		if in.NotificationGroup != nil {
			group, err := notificationGroupRef(ctx, db, "notificationGroup", *in.NotificationGroup)
			if err != nil {
				return nil, err
			}
			create.SetNotificationGroupID(group.ID)
		}
		issues, err := w.issues(ctx, db, draft)
		if err != nil {
			return nil, err
		}
		created, err := create.SetIssues(issues).SetStatus(statusOf(active, issues)).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Workflow %s exists already.", identifier)
		}
		if publish {
			if created, err = w.publish(ctx, db, created); err != nil {
				return nil, err
			}
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier, "published": publish})
	})
}

// identifierFor is the identifier asked for, else one made from the name that is not taken.
func (w *Workflows) identifierFor(ctx context.Context, db *ent.Client, in CreateWorkflowInput) (string, error) {
	if in.Identifier != nil {
		return *in.Identifier, nil
	}
	return usecase.FreeIdentifier(in.Name, "workflow", w.Now(), func(candidate string) (bool, error) {
		return db.Workflow.Query().Where(entworkflow.Identifier(candidate), entworkflow.Deleted(false)).Exist(ctx)
	})
}

// UpdateWorkflowInput changes a workflow; absent fields stay as they are, null clears.
type UpdateWorkflowInput struct {
	ID                string // id, slug or trigger identifier
	Name              *string
	Description       *string
	Active            *bool
	NotificationGroup graphql.Omittable[*string]
	Definition        *workflow.Definition // the whole draft
	DraftRevision     *string              // that the change is based on; nil: any
	Publish           *bool                // nil: false
}

// Update changes a workflow. A definition becomes the draft; triggers keep the published version until publishing.
func (w *Workflows) Update(ctx context.Context, in UpdateWorkflowInput) (*ent.Workflow, error) {
	return usecase.Write(ctx, w.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := w.lock(ctx, db, in.ID)
		if err != nil {
			return nil, err
		}
		problems := fault.Problems{}
		usecase.CheckGivenName(&problems, "name", in.Name)
		usecase.CheckText(&problems, "description", in.Description, usecase.MaxTextLength)
		draft := found.Draft
		if in.Definition != nil {
			draft = in.Definition
			Complete(draft, found.Draft, w.NewID)
		}
		stored, wanted := editedWorkflow(found.Name, found.Description, found.Draft), editedWorkflow(given(in.Name, found.Name), given(in.Description, found.Description), draft)
		if err := checkBase(in.DraftRevision, stored, wanted, errWorkflowChanged); err != nil {
			return nil, err
		}
		if err := w.check(ctx, db, draft, &problems); err != nil {
			return nil, err
		}
		change := found.Update().SetDraft(draft).SetNillableName(in.Name).SetNillableDescription(in.Description).
			SetNillableActive(in.Active).SetNillableUpdatedBy(usecase.ActingUser(ctx))
		if err := w.setGroup(ctx, db, change, in.NotificationGroup); err != nil {
			return nil, err
		}
		if found.PublishedVersionID == nil {
			change.SetCritical(draft.Critical).SetSeverity(draft.Severity).SetTags(draft.Tags).SetData(draft.Data)
		}
		issues, err := w.issues(ctx, db, draft)
		if err != nil {
			return nil, err
		}
		active := found.Active
		if in.Active != nil {
			active = *in.Active
		}
		updated, err := change.SetIssues(issues).SetStatus(statusOf(active, issues)).Save(ctx)
		if err != nil {
			return nil, err
		}
		publish := in.Publish != nil && *in.Publish
		if publish {
			if updated, err = w.publish(ctx, db, updated); err != nil {
				return nil, err
			}
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"draft": in.Definition != nil, "published": publish})
	})
}

func (w *Workflows) setGroup(ctx context.Context, db *ent.Client, change *ent.WorkflowUpdateOne, field graphql.Omittable[*string]) error {
	ref, given := field.ValueOK()
	switch {
	case !given:
	case ref == nil:
		change.ClearNotificationGroupID()
	default:
		group, err := notificationGroupRef(ctx, db, "notificationGroup", *ref)
		if err != nil {
			return err
		}
		change.SetNotificationGroupID(group.ID)
	}
	return nil
}

// Publish makes the draft the next immutable version, which triggers use from then on.
func (w *Workflows) Publish(ctx context.Context, ref string) (*ent.Workflow, error) {
	return usecase.Write(ctx, w.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := w.lock(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		published, err := w.publish(ctx, db, found)
		if err != nil {
			return nil, err
		}
		return published, usecase.Audit(ctx, db, "publish", published, map[string]any{"number": published.PublishedNumber})
	})
}

// publish expects the row locked.
func (w *Workflows) publish(ctx context.Context, db *ent.Client, found *ent.Workflow) (*ent.Workflow, error) {
	draft := found.Draft
	if err := Publishable(w.settings, draft); err != nil {
		return nil, err
	}
	if err := w.checkVariables(ctx, db, draft); err != nil {
		return nil, err
	}
	feeds, err := feedsOf(ctx, db, draft)
	if err != nil {
		return nil, err
	}
	user := usecase.ActingUser(ctx)
	version, err := db.WorkflowVersion.Create().SetWorkflowID(found.ID).SetNumber(found.PublishedNumber + 1).
		SetDefinition(draft.WithFeeds(feeds)).SetSeverity(draft.Severity).SetNillablePublishedBy(user).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("publish workflow %s: %w", found.Identifier, err)
	}
	change := found.Update().SetPublishedVersionID(version.ID).SetPublishedNumber(version.Number).
		SetLastPublishedAt(version.CreatedAt).SetCritical(draft.Critical).SetSeverity(draft.Severity).
		SetTags(draft.Tags).SetData(draft.Data)
	if user == nil {
		change.ClearLastPublishedBy()
	} else {
		change.SetLastPublishedBy(*user)
	}
	return change.Save(ctx)
}

// SetActive switches a workflow on or off; off, its triggers answer trigger_not_active.
func (w *Workflows) SetActive(ctx context.Context, ref string, active bool) (*ent.Workflow, error) {
	return usecase.Write(ctx, w.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := w.lock(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		updated, err := found.Update().SetActive(active).SetStatus(statusOf(active, found.Issues)).
			SetNillableUpdatedBy(usecase.ActingUser(ctx)).Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"active": active})
	})
}

// Delete hides a workflow from everything but history. Its identifier is free again; runs that wait end at their next
// step (semantics.md §11.15).
func (w *Workflows) Delete(ctx context.Context, ref string) (*ent.Workflow, error) {
	return usecase.Write(ctx, w.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := w.lock(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		if err := unscheduled(ctx, db, found); err != nil {
			return nil, err
		}
		deleted, err := found.Update().SetDeleted(true).SetDeletedAt(w.Now()).SetNillableDeletedBy(usecase.DeletingActor(ctx)).
			SetActive(false).SetStatus(workflow.StatusInactive).Save(ctx)
		if err != nil {
			return nil, err
		}
		return deleted, usecase.Audit(ctx, db, "delete", deleted, map[string]any{"identifier": deleted.Identifier})
	})
}

// unscheduled refuses the deletion of a workflow that schedules trigger: they would fail at each run.
func unscheduled(ctx context.Context, db *ent.Client, found *ent.Workflow) error {
	first, err := db.TriggerSchedule.Query().Where(triggerschedule.WorkflowID(found.ID)).Order(triggerschedule.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for schedules of workflow %s: %w", found.Identifier, err)
	}
	return fault.Conflictf("WORKFLOW_IS_SCHEDULED", "Workflow %s has schedules, such as %q (%s). Delete them first.", found.Identifier, first.Name, first.ID)
}

// Duplicate copies a workflow's draft under a new name and identifier. The copy is not published.
func (w *Workflows) Duplicate(ctx context.Context, ref string, name, identifier *string) (*ent.Workflow, error) {
	return usecase.Write(ctx, w.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := usecase.WorkflowRef(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		copied := *found.Draft
		copied.Steps = append([]workflow.Step(nil), copied.Steps...)
		in := CreateWorkflowInput{
			Identifier: identifier, Name: found.Name + " (copy)", Description: &found.Description,
			NotificationGroup: found.NotificationGroupID, Definition: copied, Publish: new(bool),
		}
		if name != nil {
			in.Name = *name
		}
		return w.Create(ctx, in)
	})
}

// lock reads a workflow for a change, so that two changes of one workflow follow each other.
func (w *Workflows) lock(ctx context.Context, db *ent.Client, ref string) (*ent.Workflow, error) {
	found, err := usecase.WorkflowRef(ctx, db, ref)
	if err != nil {
		return nil, err
	}
	locked, err := db.Workflow.Query().Where(entworkflow.ID(found.ID), entworkflow.Deleted(false)).ForUpdate().Only(ctx)
	return locked, usecase.NotFound(err, "Workflow %s was not found.", strings.TrimSpace(ref))
}

func statusOf(active bool, issues []workflow.StepIssue) workflow.Status {
	switch {
	case !active:
		return workflow.StatusInactive
	case len(issues) > 0:
		return workflow.StatusError
	}
	return workflow.StatusActive
}
