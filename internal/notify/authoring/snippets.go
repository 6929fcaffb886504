package authoring

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/snippet"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Snippets are the use cases of snippets: parts of templates that several of them render.
type Snippets struct {
	usecase.Deps
	templates usecase.TemplateChecker
}

// SnippetConnection is a page of snippets.
type SnippetConnection = usecase.Connection[ent.Snippet]

// SnippetEdge is one snippet of a page.
type SnippetEdge = usecase.Edge[ent.Snippet]

// SnippetFilter narrows a list of snippets; the fields that are set combine with AND.
type SnippetFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *SnippetFilter) predicates() (ps []predicate.Snippet) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, snippet.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, snippet.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, snippet.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, snippet.CreatedAtLT)
}

// List is a page of snippets.
func (s *Snippets) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SnippetFilter) (*SnippetConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*SnippetConnection, error) {
		return usecase.Paginate(ctx, db.Snippet.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one snippet by its global or internal id.
func (s *Snippets) Get(ctx context.Context, globalID string) (*ent.Snippet, error) {
	recordID, err := usecase.RecordID("Snippet", globalID)
	if err != nil {
		return nil, err
	}
	return s.one(ctx, snippet.ID(recordID), globalID)
}

// ByIdentifier is one snippet by its identifier.
func (s *Snippets) ByIdentifier(ctx context.Context, identifier string) (*ent.Snippet, error) {
	return s.one(ctx, snippet.Identifier(identifier), identifier)
}

func (s *Snippets) one(ctx context.Context, p predicate.Snippet, name string) (*ent.Snippet, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Snippet, error) {
		found, err := db.Snippet.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Snippet %s was not found.", name)
	})
}

// lock is one snippet, which no other transaction changes until this one ends.
func (s *Snippets) lock(ctx context.Context, db *ent.Client, globalID string) (*ent.Snippet, error) {
	recordID, err := usecase.RecordID("Snippet", globalID)
	if err != nil {
		return nil, err
	}
	found, err := db.Snippet.Query().Where(snippet.ID(recordID)).ForUpdate().Only(ctx)
	return found, usecase.NotFound(err, "Snippet %s was not found.", globalID)
}

// CreateSnippetInput describes a new snippet.
type CreateSnippetInput struct {
	Identifier *string // made from the name when nil
	Name       string
	Content    string // Liquid; its variables are env and the arguments of the tag that renders it
}

// Create makes a snippet.
func (s *Snippets) Create(ctx context.Context, in CreateSnippetInput) (*ent.Snippet, error) {
	problems := fault.Problems{}
	if in.Identifier != nil {
		CheckSnippetIdentifier(&problems, *in.Identifier)
	}
	CheckSnippet(s.templates, &problems, &in.Name, &in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.WriteNamed(ctx, s.Deps, usecase.WriteContent, in.Identifier, func(ctx context.Context, db *ent.Client) (*ent.Snippet, error) {
		identifier, err := usecase.GivenOrFree(in.Identifier, in.Name, "snippet", s.Now(), func(candidate string) (bool, error) {
			return db.Snippet.Query().Where(snippet.Identifier(candidate)).Exist(ctx)
		})
		if err != nil {
			return nil, err
		}
		if err := checkGraph(ctx, db, identifier, in.Content); err != nil {
			return nil, err
		}
		if err := checkSecrets(ctx, db, s.templates, in.Content); err != nil {
			return nil, err
		}
		created, err := db.Snippet.Create().SetIdentifier(identifier).SetName(in.Name).SetContent(in.Content).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Snippet %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

// UpdateSnippetInput changes a snippet; absent fields stay as they are.
type UpdateSnippetInput struct {
	ID       string
	Name     *string
	Content  *string
	Revision *string // that the change is based on; nil: any
}

// Update changes a snippet. Messages rendered from then on use it.
func (s *Snippets) Update(ctx context.Context, in UpdateSnippetInput) (*ent.Snippet, error) {
	problems := fault.Problems{}
	CheckSnippet(s.templates, &problems, in.Name, in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Snippet, error) {
		found, err := s.lock(ctx, db, in.ID)
		if err != nil {
			return nil, err
		}
		stored, wanted := editedSnippet(found.Name, found.Content), editedSnippet(given(in.Name, found.Name), given(in.Content, found.Content))
		if err := checkBase(in.Revision, stored, wanted, errSnippetChanged); err != nil {
			return nil, err
		}
		if in.Content != nil {
			if err := checkGraph(ctx, db, found.Identifier, *in.Content); err != nil {
				return nil, err
			}
			if err := checkSecrets(ctx, db, s.templates, *in.Content); err != nil {
				return nil, err
			}
		}
		change, changes := found.Update(), map[string]any{}
		usecase.SetIf(changes, "name", in.Name, change.SetName)
		change.SetNillableContent(in.Content)
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// Delete removes a snippet. One that is used is refused unless forced; messages whose templates render it then fail.
func (s *Snippets) Delete(ctx context.Context, globalID string, force bool) (*ent.Snippet, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Snippet, error) {
		found, err := s.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if !force {
			usage, err := s.Usage(ctx, found.Identifier)
			if err != nil {
				return nil, err
			}
			if err := usage.refusal(found.Identifier); err != nil {
				return nil, err
			}
		}
		if err := db.Snippet.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier})
	})
}

// CheckSnippetIdentifier adds the fault of an identifier that templates could not name.
func CheckSnippetIdentifier(problems *fault.Problems, identifier string) {
	if !workflow.ValidWorkflowIdentifier(identifier) {
		problems.Add("identifier", identifier, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
}

// CheckSnippet adds the faults of a snippet's fields that are given.
func CheckSnippet(templates usecase.TemplateChecker, problems *fault.Problems, name, content *string) {
	checkNamedTemplate(templates, problems, name, content, true)
}
