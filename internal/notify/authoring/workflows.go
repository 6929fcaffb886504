package authoring

import (
	"context"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqljson"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/user"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// Workflows are the use cases of workflows: a draft that authors edit, and immutable published versions.
type Workflows struct {
	usecase.Deps
	settings usecase.WorkflowSettings
}

// WorkflowConnection is a page of workflows.
type WorkflowConnection = usecase.Connection[ent.Workflow]

// WorkflowEdge is one workflow of a page.
type WorkflowEdge = usecase.Edge[ent.Workflow]

// WorkflowFilter narrows a list of workflows; the fields that are set combine with AND.
type WorkflowFilter struct {
	Query                *string // substring of name or identifier, case-insensitive; empty is none
	IdentifierIn         []string
	TagsAny              []string // carries at least one of these
	StatusIn             []workflow.Status
	SeverityIn           []workflow.Severity
	Critical             *bool
	Active               *bool
	NotificationGroupIDs []string // record or global ids
	Deleted              *bool    // nil and false: the living; true: the deleted
	CreatedAfter         *time.Time
	CreatedBefore        *time.Time
}

func (f *WorkflowFilter) predicates() []predicate.Workflow {
	ps := []predicate.Workflow{entworkflow.Deleted(f != nil && f.Deleted != nil && *f.Deleted)}
	if f == nil {
		return ps
	}
	if f.Query != nil && *f.Query != "" {
		ps = append(ps, searched(*f.Query))
	}
	if f.IdentifierIn != nil {
		ps = append(ps, entworkflow.IdentifierIn(f.IdentifierIn...))
	}
	if f.TagsAny != nil {
		ps = append(ps, tagged(f.TagsAny))
	}
	if f.StatusIn != nil {
		ps = append(ps, entworkflow.StatusIn(f.StatusIn...))
	}
	if f.SeverityIn != nil {
		ps = append(ps, entworkflow.SeverityIn(f.SeverityIn...))
	}
	if f.NotificationGroupIDs != nil {
		ps = append(ps, entworkflow.NotificationGroupIDIn(usecase.PlainIDs("NotificationGroup", f.NotificationGroupIDs)...))
	}
	ps = usecase.WithFilter(ps, f.Critical, entworkflow.CriticalEQ)
	ps = usecase.WithFilter(ps, f.Active, entworkflow.ActiveEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, entworkflow.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, entworkflow.CreatedAtLT)
}

// searched keeps the workflows whose name or identifier contains a text, whatever the case. The index narrows by grams.
func searched(text string) predicate.Workflow {
	return entworkflow.And(entworkflow.SearchContains(strings.ToLower(text)), func(s *sql.Selector) {
		s.Where(sqljson.ValueContains(s.C(entworkflow.FieldSearchGrams), workflow.SearchGrams(text)))
	})
}

// tagged keeps the workflows that carry at least one of the tags; none when no tag is given.
func tagged(tags []string) predicate.Workflow {
	return func(s *sql.Selector) {
		matches := []*sql.Predicate{sql.False()}
		for _, tag := range tags {
			matches = append(matches, sqljson.ValueContains(s.C(entworkflow.FieldTags), tag))
		}
		s.Where(sql.Or(matches...))
	}
}

// List is a page of workflows.
func (w *Workflows) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *WorkflowFilter) (*WorkflowConnection, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*WorkflowConnection, error) {
		return usecase.Paginate(ctx, db.Workflow.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// The bounds of a slice of workflows (decisions.md §11).
const (
	DefaultSlice = 50   // workflows when nothing is asked for
	MaxSlice     = 1000 // workflows at most; who asks for more gets as many
)

// WorkflowSlice is a part of a list that pages by offset, and how many meet the filter in all, up to CountCap.
type WorkflowSlice struct {
	Workflows  []*ent.Workflow
	TotalCount int
}

// CheckSlice reports bounds that no slice has.
func CheckSlice(p *fault.Problems, limit, offset int) {
	if limit < 1 {
		p.Add("limit", limit, "must be at least 1")
	}
	if offset < 0 {
		p.Add("offset", offset, "must be at least 0")
	}
}

// Slice is limit workflows behind the first offset ones: the documented list of workflows pages by offset.
func (w *Workflows) Slice(ctx context.Context, limit, offset int, order *usecase.Order, filter *WorkflowFilter) (*WorkflowSlice, error) {
	var p fault.Problems
	if CheckSlice(&p, limit, offset); p.Any() {
		return nil, p.Err()
	}
	by, wanted := ent.Desc, order.OrElse(usecase.ColumnCreatedAt, usecase.OrderDesc)
	if wanted.Direction == usecase.OrderAsc {
		by = ent.Asc
	}
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*WorkflowSlice, error) {
		q := db.Workflow.Query().Where(filter.predicates()...)
		total, err := usecase.Counted(ctx, q)
		if err != nil {
			return nil, err
		}
		rows, err := q.Order(by(string(wanted.Field), entworkflow.FieldID)).Limit(min(limit, MaxSlice)).Offset(offset).Select(usecase.ShownWorkflowColumns...).All(ctx)
		return &WorkflowSlice{rows, min(total, usecase.CountCap)}, err
	})
}

// Get is one workflow by its global or internal id, deleted or not.
func (w *Workflows) Get(ctx context.Context, globalID string) (*ent.Workflow, error) {
	recordID, err := usecase.RecordID("Workflow", globalID)
	if err != nil {
		return nil, err
	}
	return w.one(ctx, globalID, entworkflow.ID(recordID))
}

// ByIdentifier is one workflow by its trigger identifier.
func (w *Workflows) ByIdentifier(ctx context.Context, identifier string) (*ent.Workflow, error) {
	return w.one(ctx, identifier, entworkflow.Identifier(identifier), entworkflow.Deleted(false))
}

// ByReference is one workflow by id, slug or trigger identifier.
func (w *Workflows) ByReference(ctx context.Context, ref string) (*ent.Workflow, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		return usecase.WorkflowRef(ctx, db, ref)
	})
}

func (w *Workflows) one(ctx context.Context, name string, ps ...predicate.Workflow) (*ent.Workflow, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Workflow, error) {
		found, err := db.Workflow.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Workflow %s was not found.", name)
	})
}

// WorkflowSlug is the workflow's name and id in one readable text (decisions.md §1).
func WorkflowSlug(w *ent.Workflow) string { return id.Slug(w.Name, workflow.SlugWorkflow, w.ID) }

// WorkflowLastTriggeredAt is when the workflow was last triggered; nil when it never was.
func WorkflowLastTriggeredAt(w *ent.Workflow) *time.Time {
	if !w.LastTriggeredAt.After(workflow.NeverTriggered()) {
		return nil
	}
	return &w.LastTriggeredAt
}

// WorkflowVersionConnection is a page of a workflow's versions.
type WorkflowVersionConnection = usecase.Connection[ent.WorkflowVersion]

// WorkflowVersionEdge is one version of a page.
type WorkflowVersionEdge = usecase.Edge[ent.WorkflowVersion]

// Version is one version by its global or internal id.
func (w *Workflows) Version(ctx context.Context, globalID string) (*ent.WorkflowVersion, error) {
	recordID, err := usecase.RecordID("WorkflowVersion", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.WorkflowVersion, error) {
		found, err := db.WorkflowVersion.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Workflow version %s was not found.", globalID)
	})
}

// VersionByNumber is one version of the workflow that ref names.
func (w *Workflows) VersionByNumber(ctx context.Context, ref string, number int) (*ent.WorkflowVersion, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.WorkflowVersion, error) {
		parent, err := usecase.WorkflowRef(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		found, err := db.WorkflowVersion.Query().
			Where(workflowversion.WorkflowID(parent.ID), workflowversion.Number(number)).Only(ctx)
		return found, usecase.NotFound(err, "Workflow %s has no version %d.", ref, number)
	})
}

// Published is the version that triggers use; nil before the first publishing.
func (w *Workflows) Published(ctx context.Context, parent *ent.Workflow) (*ent.WorkflowVersion, error) {
	if parent.PublishedVersionID == nil {
		return nil, nil
	}
	return w.Version(ctx, *parent.PublishedVersionID)
}

// VersionBatch finds versions by internal id, for nested fields. Cost: one query.
func (w *Workflows) VersionBatch(ctx context.Context, ids []string) (map[string]*ent.WorkflowVersion, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (map[string]*ent.WorkflowVersion, error) {
		rows, err := db.WorkflowVersion.Query().Where(workflowversion.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}

// UserBatch finds by internal id the users that workflows name, for nested fields; those who left the organization are
// not among them. People do not exist for an environment's key, so it learns of authors what the documented routes show:
// their ids and names. Cost: one query.
func (w *Workflows) UserBatch(ctx context.Context, ids []string) (map[string]*ent.User, error) {
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (map[string]*ent.User, error) {
		v, _ := viewer.FromContext(ctx)
		rows, err := db.User.Query().Where(user.IDIn(ids...)).All(viewer.InScope(ctx, v.Scope)) // as the organization itself
		authors := make(map[string]*ent.User, len(rows))
		for _, author := range rows {
			if v.InEnvironment() {
				author = &ent.User{ID: author.ID, FirstName: author.FirstName, LastName: author.LastName, ExternalID: author.ExternalID}
			}
			authors[author.ID] = author
		}
		return authors, err
	})
}

// Publishable refuses step types that the engine does not run, and a payload schema that triggers would be refused for:
// a draft may have been saved when more was allowed.
func Publishable(s usecase.WorkflowSettings, d *workflow.Definition) error {
	supported := make(map[workflow.StepType]bool, len(s.SupportedSteps))
	for _, t := range s.SupportedSteps {
		supported[t] = true
	}
	problems := fault.Problems{}
	if err := problems.Merge("definition", d.UnsupportedSteps(supported)); err != nil {
		return err
	}
	if _, err := payload.CompileSchema(d.PayloadSchema); err != nil {
		problems.Add("definition.payloadSchema", nil, "%s", err.Error())
	}
	return problems.Err()
}
