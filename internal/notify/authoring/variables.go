package authoring

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/variable"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
)

// Variables are the use cases of an environment's variables, which templates name as env.NAME. The value of a secret one is
// never shown; only credentials of integrations and headers of HTTP steps can use it.
type Variables struct {
	usecase.Deps
	secrets   *secret.Keeper
	templates usecase.TemplateChecker
	providers *provider.Registry
}

// Bounds of variables: all of an environment are read with every batch of runs.
const (
	MaxVariables     = 100
	MaxVariableName  = 64   // characters
	MaxVariableValue = 4096 // characters
)

// variableName is what Liquid takes for the member of an object.
var variableName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// VariableConnection is a page of variables.
type VariableConnection = usecase.Connection[ent.Variable]

// VariableEdge is one variable of a page.
type VariableEdge = usecase.Edge[ent.Variable]

// VariableFilter narrows a list of variables; the fields that are set combine with AND.
type VariableFilter struct {
	NameIn        []string
	Secret        *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *VariableFilter) predicates() (ps []predicate.Variable) {
	if f == nil {
		return nil
	}
	if f.NameIn != nil {
		ps = append(ps, variable.NameIn(f.NameIn...))
	}
	ps = usecase.WithFilter(ps, f.Secret, variable.SecretEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, variable.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, variable.CreatedAtLT)
}

// List is a page of variables.
func (v *Variables) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *VariableFilter) (*VariableConnection, error) {
	return usecase.Read(ctx, v.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*VariableConnection, error) {
		return usecase.Paginate(ctx, db.Variable.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one variable by its global or internal id.
func (v *Variables) Get(ctx context.Context, globalID string) (*ent.Variable, error) {
	recordID, err := usecase.RecordID("Variable", globalID)
	if err != nil {
		return nil, err
	}
	return v.one(ctx, variable.ID(recordID), globalID)
}

// ByName is one variable by its name.
func (v *Variables) ByName(ctx context.Context, name string) (*ent.Variable, error) {
	return v.one(ctx, variable.Name(name), name)
}

func (v *Variables) one(ctx context.Context, p predicate.Variable, name string) (*ent.Variable, error) {
	return usecase.Read(ctx, v.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Variable, error) {
		found, err := db.Variable.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Variable %s was not found.", name)
	})
}

// CreateVariableInput describes a new variable.
type CreateVariableInput struct {
	Name   string
	Value  string
	Secret *bool // nil: false
}

// Create makes a variable.
func (v *Variables) Create(ctx context.Context, in CreateVariableInput) (*ent.Variable, error) {
	problems := fault.Problems{}
	CheckVariable(&problems, in.Name, in.Value)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, v.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Variable, error) {
		isSecret := in.Secret != nil && *in.Secret
		using, err := v.permit(ctx, db, in.Name, isSecret)
		if err != nil {
			return nil, err
		}
		if err := v.keepServers(ctx, db, in.Name, using); err != nil {
			return nil, err
		}
		if err := v.refuseShown(ctx, db, in.Name, isSecret); err != nil {
			return nil, err
		}
		full := fault.BadRequestf("TOO_MANY_VARIABLES", "An environment has at most %d variables.", MaxVariables)
		if err := usecase.CheckRoom(ctx, variable.Table, MaxVariables, db.Variable.Query().Count, full); err != nil {
			return nil, err
		}
		create := db.Variable.Create().SetID(v.NewID()).SetName(in.Name).SetSecret(isSecret)
		recordID, _ := create.Mutation().ID()
		if isSecret {
			sealed, err := provider.SealVariable(v.secrets, recordID, in.Value)
			if err != nil {
				return nil, err
			}
			create.SetSealed(sealed)
		} else {
			create.SetValue(in.Value)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Variable %s exists already.", in.Name)
		}
		return created, v.changed(ctx, db, "create", created, using)
	})
}

// UpdateVariableInput changes the value of a variable. Its name and whether it is secret stay.
type UpdateVariableInput struct {
	ID    string
	Value string
}

// Update changes the value of a variable. Messages that are rendered from then on, and integrations that use it, see it.
func (v *Variables) Update(ctx context.Context, in UpdateVariableInput) (*ent.Variable, error) {
	problems := fault.Problems{}
	usecase.CheckText(&problems, "value", &in.Value, MaxVariableValue)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, v.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Variable, error) {
		found, err := v.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		using, err := v.permit(ctx, db, found.Name, found.Secret)
		if err != nil {
			return nil, err
		}
		if same, err := v.holds(found, in.Value); err != nil {
			return nil, err
		} else if !same {
			if err := v.keepServers(ctx, db, found.Name, using); err != nil {
				return nil, err
			}
		}
		change := found.Update()
		if found.Secret {
			sealed, err := provider.SealVariable(v.secrets, found.ID, in.Value)
			if err != nil {
				return nil, err
			}
			change.SetSealed(sealed)
		} else {
			change.SetValue(in.Value)
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, v.changed(ctx, db, "update", updated, using)
	})
}

// Delete removes a variable. One that is used is removed only when evenIfUsed says so (nil: false).
func (v *Variables) Delete(ctx context.Context, globalID string, evenIfUsed *bool) (*ent.Variable, error) {
	return usecase.Write(ctx, v.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Variable, error) {
		found, err := v.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		using, err := v.permit(ctx, db, found.Name, found.Secret)
		if err != nil {
			return nil, err
		}
		if evenIfUsed == nil || !*evenIfUsed {
			usages, err := v.usages(ctx, db, found.Name)
			if err != nil {
				return nil, err
			}
			if len(usages) > 0 {
				return nil, fault.Conflictf("VARIABLE_IN_USE", "The variable %s is used by %s.", found.Name, describedUsages(usages))
			}
		}
		if err := db.Variable.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, v.changed(ctx, db, "delete", found, using)
	})
}

// permit returns the integrations whose credentials name a variable. Whoever changes where credentials lead, or a secret,
// must be allowed to change integrations.
func (v *Variables) permit(ctx context.Context, db *ent.Client, name string, isSecret bool) ([]*ent.Integration, error) {
	using, err := v.integrationsUsing(ctx, db, name)
	if err != nil {
		return nil, err
	}
	if isSecret || len(using) > 0 {
		if _, err := usecase.Require(ctx, usecase.WriteIntegrations); err != nil {
			return nil, err
		}
	}
	return using, nil
}

// changed records a change and marks the integrations that use the variable as changed, so that every process opens their
// connections anew.
func (v *Variables) changed(ctx context.Context, db *ent.Client, action string, changed *ent.Variable, using []*ent.Integration) error {
	ids := make([]string, len(using))
	for i := range using {
		ids[i] = using[i].ID
	}
	if len(ids) > 0 {
		if err := db.Integration.Update().Where(integration.IDIn(ids...)).SetUpdatedAt(usecase.RecordTime()).Exec(ctx); err != nil {
			return err
		}
	}
	return usecase.Audit(ctx, db, action, changed, map[string]any{"name": changed.Name, "secret": changed.Secret})
}

// CheckVariable adds the faults of a variable.
func CheckVariable(problems *fault.Problems, name, value string) {
	switch {
	case len(name) > MaxVariableName || !variableName.MatchString(name):
		problems.Add("name", name, "must be 1 to %d letters, digits or '_', and begin with a letter", MaxVariableName)
	case render.IsListMember(name):
		problems.Add("name", name, "has a meaning of its own in templates")
	}
	usecase.CheckText(problems, "value", &value, MaxVariableValue)
}

// variableNames are the variables of the viewer's environment, and whether each is secret.
func variableNames(ctx context.Context, db *ent.Client) (map[string]bool, error) {
	rows, err := db.Variable.Query().Select(variable.FieldName, variable.FieldSecret).All(ctx)
	names := make(map[string]bool, len(rows))
	for _, row := range rows {
		names[row.Name] = row.Secret
	}
	return names, err
}

// plainVariables are the variables of the viewer's environment that are not secret, as templates see them.
func plainVariables(ctx context.Context, db *ent.Client) (map[string]any, error) {
	rows, err := db.Variable.Query().Where(variable.Secret(false)).All(ctx)
	values := make(map[string]any, len(rows))
	for _, row := range rows {
		if row.Value != nil {
			values[row.Name] = *row.Value
		}
	}
	return values, err
}

func describedUsages(usages []VariableUsage) string {
	const shown = 5
	names := make([]string, 0, shown)
	for _, u := range usages {
		if text := strings.ToLower(string(u.Kind)) + " " + u.Name; !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	if len(names) > shown {
		names = append(names[:shown], "others")
	}
	return strings.Join(names, ", ")
}
