package authoring

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// Layouts are the use cases of layouts: the frames around e-mails. At most one of an environment is the default.
type Layouts struct {
	usecase.Deps
	templates usecase.TemplateChecker
}

// LayoutConnection is a page of layouts.
type LayoutConnection = usecase.Connection[ent.Layout]

// LayoutEdge is one layout of a page.
type LayoutEdge = usecase.Edge[ent.Layout]

// LayoutFilter narrows a list of layouts; the fields that are set combine with AND.
type LayoutFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	IsDefault     *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *LayoutFilter) predicates() (ps []predicate.Layout) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, layout.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, layout.NameContainsFold)
	ps = usecase.WithFilter(ps, f.IsDefault, layout.IsDefaultEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, layout.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, layout.CreatedAtLT)
}

// List is a page of layouts.
func (l *Layouts) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *LayoutFilter) (*LayoutConnection, error) {
	return usecase.Read(ctx, l.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*LayoutConnection, error) {
		return usecase.Paginate(ctx, db.Layout.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one layout by its global or internal id.
func (l *Layouts) Get(ctx context.Context, globalID string) (*ent.Layout, error) {
	recordID, err := usecase.RecordID("Layout", globalID)
	if err != nil {
		return nil, err
	}
	return l.one(ctx, layout.ID(recordID), globalID)
}

// ByIdentifier is one layout by its identifier.
func (l *Layouts) ByIdentifier(ctx context.Context, identifier string) (*ent.Layout, error) {
	return l.one(ctx, layout.Identifier(identifier), identifier)
}

func (l *Layouts) one(ctx context.Context, p predicate.Layout, name string) (*ent.Layout, error) {
	return usecase.Read(ctx, l.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Layout, error) {
		found, err := db.Layout.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Layout %s was not found.", name)
	})
}

// lock is one layout, which no other transaction changes until this one ends.
func (l *Layouts) lock(ctx context.Context, db *ent.Client, globalID string) (*ent.Layout, error) {
	recordID, err := usecase.RecordID("Layout", globalID)
	if err != nil {
		return nil, err
	}
	found, err := db.Layout.Query().Where(layout.ID(recordID)).ForUpdate().Only(ctx)
	return found, usecase.NotFound(err, "Layout %s was not found.", globalID)
}

// CreateLayoutInput describes a new layout.
type CreateLayoutInput struct {
	Identifier *string // made from the name when nil
	Name       string
	Content    string // Liquid, HTML; the step's output is its variable content
	IsDefault  *bool
}

// Create makes a layout.
func (l *Layouts) Create(ctx context.Context, in CreateLayoutInput) (*ent.Layout, error) {
	problems := fault.Problems{}
	usecase.CheckIdentifier(&problems, in.Identifier)
	CheckLayout(l.templates, &problems, &in.Name, &in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.WriteNamed(ctx, l.Deps, usecase.WriteContent, in.Identifier, func(ctx context.Context, db *ent.Client) (*ent.Layout, error) {
		if err := checkSnippetsOf(ctx, db, &in.Content); err != nil {
			return nil, err
		}
		if err := checkSecrets(ctx, db, l.templates, in.Content); err != nil {
			return nil, err
		}
		identifier, err := usecase.GivenOrFree(in.Identifier, in.Name, "layout", l.Now(), func(candidate string) (bool, error) {
			return db.Layout.Query().Where(layout.Identifier(candidate)).Exist(ctx)
		})
		if err != nil {
			return nil, err
		}
		if in.IsDefault != nil && *in.IsDefault {
			if err := undefault(ctx, db); err != nil {
				return nil, err
			}
		}
		created, err := db.Layout.Create().SetIdentifier(identifier).SetName(in.Name).SetContent(in.Content).
			SetNillableIsDefault(in.IsDefault).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(otherDefault(err), "Layout %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

// UpdateLayoutInput changes a layout; absent fields stay as they are.
type UpdateLayoutInput struct {
	ID        string
	Name      *string
	Content   *string
	IsDefault *bool   // true takes the place of the present default
	Revision  *string // that the change is based on; nil: any
}

// Update changes a layout. Mails rendered from then on use it.
func (l *Layouts) Update(ctx context.Context, in UpdateLayoutInput) (*ent.Layout, error) {
	problems := fault.Problems{}
	CheckLayout(l.templates, &problems, in.Name, in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, l.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Layout, error) {
		found, err := l.lock(ctx, db, in.ID)
		if err != nil {
			return nil, err
		}
		stored := editedLayout(found.Name, found.Content, found.IsDefault)
		wanted := editedLayout(given(in.Name, found.Name), given(in.Content, found.Content), given(in.IsDefault, found.IsDefault))
		if err := checkBase(in.Revision, stored, wanted, errLayoutChanged); err != nil {
			return nil, err
		}
		if err := checkSnippetsOf(ctx, db, in.Content); err != nil {
			return nil, err
		}
		if in.Content != nil {
			if err := checkSecrets(ctx, db, l.templates, *in.Content); err != nil {
				return nil, err
			}
		}
		if in.IsDefault != nil && *in.IsDefault {
			if err := undefault(ctx, db); err != nil {
				return nil, err
			}
		}
		change, changes := found.Update(), map[string]any{}
		usecase.SetIf(changes, "name", in.Name, change.SetName)
		usecase.SetIf(changes, "isDefault", in.IsDefault, change.SetIsDefault)
		change.SetNillableContent(in.Content)
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, otherDefault(err)
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// Delete removes a layout. E-mail steps that name it are sent without one.
func (l *Layouts) Delete(ctx context.Context, globalID string) (*ent.Layout, error) {
	return usecase.Write(ctx, l.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Layout, error) {
		found, err := l.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Layout.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier})
	})
}

// CheckLayout adds the faults of a layout's fields that are given.
func CheckLayout(templates usecase.TemplateChecker, problems *fault.Problems, name, content *string) {
	checkNamedTemplate(templates, problems, name, content, true)
}

// checkNamedTemplate adds the faults of the name and the content of a layout or snippet; nil ones are not changed.
func checkNamedTemplate(templates usecase.TemplateChecker, problems *fault.Problems, name, content *string, html bool) {
	usecase.CheckGivenName(problems, "name", name)
	switch {
	case content == nil:
	case len(*content) > workflow.MaxTemplateBytes:
		problems.Add("content", nil, "must not exceed %d bytes", workflow.MaxTemplateBytes)
	case templates != nil:
		if err := templates.Check(*content, html); err != nil {
			problems.Add("content", nil, "is no valid template: %s", err.Error())
		}
	}
}

// undefault takes the default from the layout that has it; the unique index lets one have it at a time.
func undefault(ctx context.Context, db *ent.Client) error {
	return db.Layout.Update().Where(layout.IsDefault(true)).SetIsDefault(false).Exec(ctx)
}

// otherDefault lets a change run again that met a layout which has become the default since undefault.
func otherDefault(err error) error {
	if postgres.IsUniqueViolation(err, "layout_environment_id") {
		return postgres.Again("another layout has become the default")
	}
	return err
}
