package authoring

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// ReportSecrets adds the secret variables that the content of a layout or snippet names, itself or by snippets that it renders:
// messages show nothing in their place. A snippet in a header of an HTTP step is given a secret as an argument. Of scope it reads
// Variables and Snippets.
func ReportSecrets(templates usecase.TemplateChecker, problems *fault.Problems, content string, scope workflow.TemplateScope) {
	if templates == nil {
		return
	}
	scope.HTML = true
	for _, f := range templates.Analyze(content, scope) {
		if f.Secret {
			problems.Add("content", f.Variable, "%s", f.Message)
		}
	}
}

// checkSecrets refuses the content of a layout or snippet that names secret variables.
func checkSecrets(ctx context.Context, db *ent.Client, templates usecase.TemplateChecker, content string) error {
	if !strings.Contains(content, "env") && !strings.Contains(content, "render") {
		return nil
	}
	var scope workflow.TemplateScope
	var err error
	if scope.Variables, err = variableNames(ctx, db); err != nil || !anySecret(scope.Variables) {
		return err
	}
	if scope.Snippets, err = snippetSources(ctx, db); err != nil {
		return err
	}
	var problems fault.Problems
	ReportSecrets(templates, &problems, content, scope)
	return problems.Err()
}

func anySecret(variables map[string]bool) bool {
	return slices.Contains(slices.Collect(maps.Values(variables)), true)
}

// refuseShown refuses to make a variable secret that templates show.
func (v *Variables) refuseShown(ctx context.Context, db *ent.Client, name string, isSecret bool) error {
	if !isSecret {
		return nil
	}
	var shown []VariableUsage
	err := eachTemplate(ctx, db, name, func(t template) {
		if !t.secrets && slices.Contains(v.NamedIn(t.text, t.html), name) {
			shown = append(shown, VariableUsage{VariableUser(t.owner), t.name, t.path})
		}
	})
	if err != nil || len(shown) == 0 {
		return err
	}
	return fault.Conflictf("VARIABLE_IS_SHOWN", "Messages show the variable %s, by %s: it cannot be secret.", name, describedUsages(shown))
}
