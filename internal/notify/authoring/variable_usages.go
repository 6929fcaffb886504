package authoring

import (
	"context"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/ent/snippet"
	"github.com/carillon/carillon/ent/translation"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// VariableUser is a kind of record that uses variables.
type VariableUser string

// The kinds.
const (
	VariableUserWorkflow    VariableUser = "WORKFLOW"
	VariableUserLayout      VariableUser = "LAYOUT"
	VariableUserSnippet     VariableUser = "SNIPPET"
	VariableUserTranslation VariableUser = "TRANSLATION"
	VariableUserIntegration VariableUser = "INTEGRATION"
)

// VariableUsage is one text that names a variable.
type VariableUsage struct {
	Kind VariableUser
	Name string // identifier of the record, or its locale
	Path string // of the text in the record; of a workflow, in its draft or in the version that triggers use
}

// Usages lists where a variable is used. It reads the drafts and published versions, layouts, snippets and translations that
// have its name somewhere, and all integrations of the environment, whose credentials are encrypted.
func (v *Variables) Usages(ctx context.Context, globalID string) ([]*VariableUsage, error) {
	return usecase.Read(ctx, v.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) ([]*VariableUsage, error) {
		found, err := v.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		usages, err := v.usages(ctx, db, found.Name)
		out := make([]*VariableUsage, len(usages))
		for i := range usages {
			out[i] = &usages[i]
		}
		return out, err
	})
}

func (v *Variables) usages(ctx context.Context, db *ent.Client, name string) ([]VariableUsage, error) {
	usages, err := v.workflowUsages(ctx, db, name)
	if err != nil {
		return nil, err
	}
	add := func(kind VariableUser, record, path, text string, html bool) {
		if slices.Contains(v.NamedIn(text, html), name) {
			usages = append(usages, VariableUsage{kind, record, path})
		}
	}
	layouts, err := db.Layout.Query().Where(layout.ContentContains(name)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range layouts {
		add(VariableUserLayout, l.Identifier, "content", l.Content, true)
	}
	snippets, err := db.Snippet.Query().Where(snippet.ContentContains(name)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range snippets {
		add(VariableUserSnippet, s.Identifier, "content", s.Content, true)
	}
	translations, err := db.Translation.Query().Where(func(s *sql.Selector) { s.Where(jsonContains(s.C(translation.FieldContent), name)) }).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range translations {
		for key, text := range t.Content {
			add(VariableUserTranslation, t.Locale, key, text, false)
		}
	}
	using, err := v.integrationsUsing(ctx, db, name)
	for _, i := range using {
		usages = append(usages, VariableUsage{VariableUserIntegration, i.Identifier, "credentials"})
	}
	slices.SortFunc(usages, func(a, b VariableUsage) int {
		return strings.Compare(string(a.Kind)+"\x00"+a.Name+"\x00"+a.Path, string(b.Kind)+"\x00"+b.Name+"\x00"+b.Path)
	})
	return slices.Compact(usages), err
}

// workflowUsages looks at drafts and at the versions that triggers use.
func (v *Variables) workflowUsages(ctx context.Context, db *ent.Client, name string) (usages []VariableUsage, err error) {
	drafts, versions, err := definitionsWith(ctx, db, name)
	if err != nil {
		return nil, err
	}
	look := func(identifier string, d *workflow.Definition) {
		for i := range d.Steps {
			for _, text := range d.Steps[i].Texts() {
				if slices.Contains(v.NamedIn(text.Text, text.HTML), name) {
					usages = append(usages, VariableUsage{VariableUserWorkflow, identifier, d.Steps[i].StepID + "." + text.Path})
				}
			}
		}
	}
	for _, w := range drafts {
		look(w.Identifier, w.Draft)
	}
	ids := make([]string, len(versions))
	for i, version := range versions {
		ids[i] = version.WorkflowID
	}
	workflows, err := db.Workflow.Query().Where(entworkflow.IDIn(ids...)).Select(entworkflow.FieldIdentifier).All(ctx)
	identifiers := make(map[string]string, len(workflows))
	for _, w := range workflows {
		identifiers[w.ID] = w.Identifier
	}
	for _, version := range versions {
		look(identifiers[version.WorkflowID], version.Definition)
	}
	return usages, err
}

// NamedIn lists the variables that a template names: those that it may not name when there are none.
func (v *Variables) NamedIn(text string, html bool) (names []string) {
	if v.templates == nil || !strings.Contains(text, "env") {
		return nil
	}
	for _, f := range v.templates.Analyze(text, workflow.TemplateScope{HTML: html, Variables: map[string]bool{}}) {
		if below, named := strings.CutPrefix(f.Variable, "env."); named {
			name, _, _ := strings.Cut(below, ".")
			names = append(names, name)
		}
	}
	return names
}

// integrationsUsing are the integrations whose credentials name a variable.
func (v *Variables) integrationsUsing(ctx context.Context, db *ent.Client, name string) (using []*ent.Integration, err error) {
	all, err := db.Integration.Query().Where(integration.Deleted(false)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		credentials, err := provider.OpenCredentials(v.secrets, i.ID, i.Credentials)
		if err != nil {
			return nil, err
		}
		if slices.Contains(credentials.Variables(), name) {
			using = append(using, i)
		}
	}
	return using, nil
}
