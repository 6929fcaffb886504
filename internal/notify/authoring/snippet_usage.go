package authoring

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/ent/snippet"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// SnippetUsage is what renders a snippet, of each kind the oldest MaxPage.
type SnippetUsage struct {
	Workflows []*ent.Workflow // whose draft or published version does
	Layouts   []*ent.Layout
	Snippets  []*ent.Snippet
}

// Usage is what renders a snippet, read from the templates that name it. Cost: four queries.
func (s *Snippets) Usage(ctx context.Context, identifier string) (*SnippetUsage, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*SnippetUsage, error) {
		renders := func(content string) bool { return slices.Contains(render.SnippetsOf(content), identifier) }
		layouts, err := db.Layout.Query().Where(layout.ContentContains(identifier)).Order(layout.ByID()).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read layouts that name a snippet: %w", err)
		}
		snippets, err := db.Snippet.Query().Where(snippet.ContentContains(identifier)).Order(snippet.ByID()).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read snippets that name a snippet: %w", err)
		}
		workflows, err := workflowsRendering(ctx, db, identifier)
		return &SnippetUsage{
			Workflows: workflows,
			Layouts:   firstOf(layouts, func(l *ent.Layout) bool { return renders(l.Content) }),
			Snippets:  firstOf(snippets, func(s *ent.Snippet) bool { return renders(s.Content) }),
		}, err
	})
}

// workflowsRendering are the workflows whose draft or published version renders a snippet.
func workflowsRendering(ctx context.Context, db *ent.Client, identifier string) ([]*ent.Workflow, error) {
	var ids []string
	err := eachDefinition(ctx, db, identifier, func(w *ent.Workflow, d *workflow.Definition) {
		if SnippetsNamed(d)[identifier] != nil {
			ids = append(ids, w.ID)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := db.Workflow.Query().Where(entworkflow.IDIn(usecase.Distinct(ids)...)).Order(entworkflow.ByID()).Limit(usecase.MaxPage).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read workflows that render a snippet: %w", err)
	}
	return found, nil
}

func firstOf[T any](list []*T, keep func(*T) bool) []*T {
	list = slices.DeleteFunc(list, func(one *T) bool { return !keep(one) })
	return list[:min(len(list), usecase.MaxPage)]
}

// refusal is the conflict of deleting a snippet that is used, nil of one that is not.
func (u *SnippetUsage) refusal(identifier string) error {
	var users []string
	for _, w := range u.Workflows {
		users = append(users, "workflow "+w.Identifier)
	}
	for _, l := range u.Layouts {
		users = append(users, "layout "+l.Identifier)
	}
	for _, s := range u.Snippets {
		users = append(users, "snippet "+s.Identifier)
	}
	if len(users) == 0 {
		return nil
	}
	const shown = 10
	more := ""
	if len(users) > shown {
		more = fmt.Sprintf(" and %d more", len(users)-shown)
	}
	return fault.Conflictf("SNIPPET_USED", "Snippet %s is used by %s%s. Change them first, or delete it by force.",
		identifier, strings.Join(users[:min(len(users), shown)], ", "), more)
}
