package authoring

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/snippet"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// SnippetGraph has for each snippet those that it renders, by identifier.
type SnippetGraph map[string][]string

// Depths are the numbers of snippets on the longest way down from each, itself included. MaxSnippetDepth and one more
// means: too many, as in a circle.
func (g SnippetGraph) Depths() map[string]int {
	known := make(map[string]int, len(g))
	for name := range g {
		g.depth(name, known)
	}
	return known
}

func (g SnippetGraph) depth(name string, known map[string]int) int {
	const tooDeep = workflow.MaxSnippetDepth + 1
	if depth, seen := known[name]; seen {
		return depth
	}
	known[name] = tooDeep // whoever comes here again meanwhile goes in a circle
	depth := 1
	for _, below := range g[name] {
		depth = max(depth, min(1+g.depth(below, known), tooDeep))
	}
	known[name] = depth
	return depth
}

// Check adds the fault of a snippet that renders itself, through others as well, or too many within each other.
func (g SnippetGraph) Check(problems *fault.Problems, name string) {
	seen := map[string]bool{}
	for queue := slices.Clone(g[name]); len(queue) > 0; queue = queue[1:] {
		if queue[0] == name {
			problems.Add("content", name, "must not render itself, nor through other snippets")
			return
		}
		if !seen[queue[0]] {
			seen[queue[0]] = true
			queue = append(queue, g[queue[0]]...)
		}
	}
	if g.depth(name, map[string]int{}) > workflow.MaxSnippetDepth {
		problems.Add("content", name, "must not have more than %d snippets within each other", workflow.MaxSnippetDepth)
	}
}

// checkGraph reports what is wrong with the snippets that a snippet of the given content would render, and with those that
// render it.
func checkGraph(ctx context.Context, db *ent.Client, identifier, content string) error {
	if err := checkSnippetsOf(ctx, db, &content); err != nil {
		return err
	}
	rows, err := db.Snippet.Query().Where(snippet.ContentContains("render")).All(ctx)
	if err != nil {
		return fmt.Errorf("read snippets that render others: %w", err)
	}
	graph := SnippetGraph{}
	for _, row := range rows {
		graph[row.Identifier] = render.SnippetsOf(row.Content)
	}
	graph[identifier] = render.SnippetsOf(content)
	problems := fault.Problems{}
	if graph.Check(&problems, identifier); problems.Any() {
		return problems.Err()
	}
	for name, depth := range graph.Depths() {
		if depth > workflow.MaxSnippetDepth {
			problems.Add("content", identifier, "must not have more than %d snippets within each other, which it would below %s", workflow.MaxSnippetDepth, name)
			break
		}
	}
	return problems.Err()
}

// SnippetsNamed lists the snippets that templates of a definition render, each with the paths that do.
func SnippetsNamed(d *workflow.Definition) map[string][]string {
	named := map[string][]string{} // identifier → paths
	for i := range d.Steps {
		for _, text := range d.Steps[i].Texts() {
			for _, name := range render.SnippetsOf(text.Text) {
				named[name] = append(named[name], fmt.Sprintf("definition.steps.%d.%s", i, text.Path))
			}
		}
	}
	return named
}

// ReportSnippet adds the fault of a template that renders a snippet which does not exist.
func ReportSnippet(problems *fault.Problems, path, name string) {
	problems.Add(path, name, "no snippet has this identifier")
}

// checkSnippets adds the faults of templates that render snippets which do not exist: identifier → paths.
func checkSnippets(ctx context.Context, db *ent.Client, problems *fault.Problems, wanted map[string][]string) error {
	if len(wanted) == 0 {
		return nil
	}
	known, err := db.Snippet.Query().Where(snippet.IdentifierIn(slices.Collect(maps.Keys(wanted))...)).Select(snippet.FieldIdentifier).Strings(ctx)
	if err != nil {
		return fmt.Errorf("look for snippets: %w", err)
	}
	for name, paths := range wanted {
		if slices.Contains(known, name) {
			continue
		}
		for _, path := range paths {
			ReportSnippet(problems, path, name)
		}
	}
	return nil
}

// checkSnippetsOf reports the snippets that a layout's or snippet's content renders and that do not exist; nil content is
// not changed.
func checkSnippetsOf(ctx context.Context, db *ent.Client, content *string) error {
	if content == nil {
		return nil
	}
	wanted, problems := map[string][]string{}, fault.Problems{}
	for _, name := range render.SnippetsOf(*content) {
		wanted[name] = []string{"content"}
	}
	if err := checkSnippets(ctx, db, &problems, wanted); err != nil {
		return err
	}
	return problems.Err()
}

// snippetSources are the sources of an environment's snippets by identifier, as the renderer takes them.
func snippetSources(ctx context.Context, db *ent.Client) (map[string]string, error) {
	rows, err := db.Snippet.Query().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read snippets: %w", err)
	}
	sources := make(map[string]string, len(rows))
	for _, row := range rows {
		sources[row.Identifier] = row.Content
	}
	return sources, nil
}
