package authoring

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// VariableUser is a kind of record that uses variables.
type VariableUser string

// The kinds.
const (
	VariableUserWorkflow                 = VariableUser(TemplateOwnerWorkflow)
	VariableUserLayout                   = VariableUser(TemplateOwnerLayout)
	VariableUserSnippet                  = VariableUser(TemplateOwnerSnippet)
	VariableUserIntegration VariableUser = "INTEGRATION"
)

// VariableUsage is one text that names a variable.
type VariableUsage struct {
	Kind VariableUser
	Name string // identifier of the record
	Path string // of the text in the record; of a workflow, in its draft or in the version that triggers use
}

// Usages lists where a variable is used. It reads the drafts and published versions, layouts and snippets that have its name
// somewhere, and all integrations of the environment, whose credentials are encrypted. Texts of translations use none: they are
// shown as they are.
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

func (v *Variables) usages(ctx context.Context, db *ent.Client, name string) (usages []VariableUsage, err error) {
	err = eachTemplate(ctx, db, name, func(t template) {
		if slices.Contains(v.NamedIn(t.text, t.html), name) {
			usages = append(usages, VariableUsage{VariableUser(t.owner), t.name, t.path})
		}
	})
	if err != nil {
		return nil, err
	}
	using, err := v.integrationsUsing(ctx, db, name)
	for _, i := range using {
		usages = append(usages, VariableUsage{VariableUserIntegration, i.Identifier, "credentials"})
	}
	slices.SortFunc(usages, func(a, b VariableUsage) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	return slices.Compact(usages), err
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
