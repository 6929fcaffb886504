package configuration

import (
	"context"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

func (c *Configurations) variableHandler() handler {
	variables := c.areas.Authoring.Variables
	return handler{
		read: reader(KindVariable, func(ctx context.Context, page usecase.Page, names []string) (*authoring.VariableConnection, error) {
			return variables.List(ctx, page, nil, &authoring.VariableFilter{NameIn: names})
		}, func(into *current, v *ent.Variable) {
			one := Variable{Secret: v.Secret}
			if v.Value != nil {
				one.Value = *v.Value
			}
			set(&into.Variables, v.Name, one)
			into.record(KindVariable, v.Name, v.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.Variables[name]
			if in.Secret {
				return fault.Invalidf("secret", "is set, and the environment has no such variable: create it first, its value is in no file")
			}
			return discard(variables.Create(ctx, authoring.CreateVariableInput{Name: name, Value: in.Value}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Variables[name]
			found, err := variables.Get(ctx, recordID)
			if err != nil {
				return err
			}
			var problems fault.Problems
			checkVariable(&problems, name, in)
			if found.Secret != in.Secret {
				problems.Add("secret", in.Secret, "cannot be changed: delete the variable and create it again")
			}
			if err := problems.Err(); err != nil {
				return err
			}
			return discard(variables.Update(ctx, authoring.UpdateVariableInput{ID: recordID, Value: in.Value}))
		},
	}
}

// checkVariable adds the faults of a variable of a document.
func checkVariable(problems *fault.Problems, name string, v Variable) {
	authoring.CheckVariable(problems, name, v.Value)
	if v.Secret && v.Value != "" {
		problems.Add("value", nil, "must be left out: the value of a secret variable is in no file")
	}
}

// missingVariables adds the variables that the templates of a document name and the environment does not have.
func (c *Configurations) missingVariables(ctx context.Context, d *Document, problems *fault.Problems) error {
	named := c.variablesNamed(d)
	if len(named) == 0 {
		return nil
	}
	there, err := c.load(ctx, map[Kind][]string{KindVariable: jsonvalue.SortedKeys(named)})
	if err != nil {
		return err
	}
	for _, name := range jsonvalue.SortedKeys(named) {
		if _, known := there.Variables[name]; !known {
			problems.Add("parts", name, "%s needs the variable %s, which the target does not have: create it there", described(named[name]...), name)
		}
	}
	return nil
}

// variablesNamed are the variables that the templates of a document name, each with the resources that do.
func (c *Configurations) variablesNamed(d *Document) map[string][]Part {
	named := map[string][]Part{}
	add := func(p Part, text string, html bool) {
		for _, name := range c.areas.Authoring.Variables.NamedIn(text, html) {
			if !slices.Contains(named[name], p) {
				named[name] = append(named[name], p)
			}
		}
	}
	for name, layout := range d.Layouts {
		add(Part{KindLayout, name}, layout.Content, true)
	}
	for name, snippet := range d.Snippets {
		add(Part{KindSnippet, name}, snippet.Content, true)
	}
	for locale, texts := range d.Translations {
		for _, text := range texts {
			add(Part{KindTranslation, locale}, text, false)
		}
	}
	for name, w := range d.Workflows {
		for i := range w.Steps {
			for _, text := range w.Steps[i].Texts() {
				add(Part{KindWorkflow, name}, text.Text, text.HTML)
			}
		}
	}
	return named
}
