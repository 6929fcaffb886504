package access

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Environments are the use cases of environments, the inner bound of tenancy. Every viewer sees all environments of
// its organization; its role decides whether it may change them.
type Environments struct {
	usecase.Deps
	defaults []environmentDefault
}

// environmentDefault makes some of the records that a new environment starts with. ctx acts inside the new environment.
type environmentDefault func(ctx context.Context, db *ent.Client, env *ent.Environment) error

// EnvironmentConnection is a page of environments.
type EnvironmentConnection = usecase.Connection[ent.Environment]

// EnvironmentEdge is one environment of a page.
type EnvironmentEdge = usecase.Edge[ent.Environment]

// EnvironmentFilter narrows a list of environments; the fields that are set combine with AND.
type EnvironmentFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	Type          *environment.Type
	Suspended     *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *EnvironmentFilter) predicates() (ps []predicate.Environment) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, environment.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, environment.NameContainsFold)
	ps = usecase.WithFilter(ps, f.Type, environment.TypeEQ)
	ps = usecase.WithFilter(ps, f.Suspended, environment.SuspendedEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, environment.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, environment.CreatedAtLT)
}

// List is a page of the organization's environments.
func (e *Environments) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *EnvironmentFilter) (*EnvironmentConnection, error) {
	return usecase.Read(ctx, e.Deps, usecase.AnyCredential, func(ctx context.Context, db *ent.Client) (*EnvironmentConnection, error) {
		return usecase.Paginate(ctx, db.Environment.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one environment by its global or internal id.
func (e *Environments) Get(ctx context.Context, globalID string) (*ent.Environment, error) {
	recordID, err := usecase.RecordID("Environment", globalID)
	if err != nil {
		return nil, err
	}
	return e.one(ctx, environment.ID(recordID), globalID)
}

// ByIdentifier is one environment by its identifier.
func (e *Environments) ByIdentifier(ctx context.Context, identifier string) (*ent.Environment, error) {
	return e.one(ctx, environment.Identifier(identifier), identifier)
}

// Current is the environment that the viewer's credential belongs to.
func (e *Environments) Current(ctx context.Context) (*ent.Environment, error) {
	v, err := usecase.Require(ctx, usecase.AnyCredential)
	if err != nil {
		return nil, err
	}
	return e.one(ctx, environment.ID(v.EnvironmentID), v.EnvironmentID)
}

func (e *Environments) one(ctx context.Context, p predicate.Environment, name string) (*ent.Environment, error) {
	return usecase.Read(ctx, e.Deps, usecase.AnyCredential, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		found, err := db.Environment.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Environment %s was not found.", name)
	})
}

// enter acts with the viewer's own rights inside another environment of its organization; nil stays where it is.
func (e *Environments) enter(ctx context.Context, globalID *string) (context.Context, error) {
	if globalID == nil {
		return ctx, nil
	}
	found, err := e.Get(ctx, *globalID)
	if err != nil {
		return nil, err
	}
	return inside(ctx, found), nil
}

func inside(ctx context.Context, env *ent.Environment) context.Context {
	v, _ := viewer.FromContext(ctx)
	v.Scope = viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
	return viewer.NewContext(ctx, v)
}

// CreateEnvironmentInput describes a new environment.
type CreateEnvironmentInput struct {
	Identifier    string // 1 to 64 lower-case letters, digits, '-' or '_'; fixed for ever
	Name          *string
	Type          *environment.Type // nil: development
	DefaultLocale *string           // nil: en
}

var environmentIdentifier = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

func (in *CreateEnvironmentInput) validate() error {
	var problems fault.Problems
	if !environmentIdentifier.MatchString(in.Identifier) {
		problems.Add("identifier", in.Identifier, "must be 1 to 64 lower-case letters, digits, '-' or '_', and begin with a letter or digit")
	}
	usecase.CheckGivenName(&problems, "name", in.Name)
	checkLocale(&problems, in.DefaultLocale)
	return problems.Err()
}

// Create makes an environment of the viewer's organization, with the records every environment starts with.
func (e *Environments) Create(ctx context.Context, in CreateEnvironmentInput) (*ent.Environment, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	name := in.Identifier
	if in.Name != nil {
		name = *in.Name
	}
	return usecase.Write(ctx, e.Deps, usecase.CreateEnvironment, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		created, err := db.Environment.Create().SetIdentifier(in.Identifier).SetName(name).
			SetNillableType(in.Type).SetNillableDefaultLocale(in.DefaultLocale).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Environment %s exists already.", in.Identifier)
		}
		ctx = inside(ctx, created)
		for _, step := range e.defaults {
			if err := step(ctx, db, created); err != nil {
				return nil, fmt.Errorf("set up environment %s: %w", in.Identifier, err)
			}
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": in.Identifier})
	})
}

// UpdateEnvironmentInput changes an environment; absent fields stay as they are.
type UpdateEnvironmentInput struct {
	ID            string
	Name          *string
	Type          *environment.Type
	DefaultLocale *string
	Suspended     *bool // a suspended environment refuses every request (decisions.md §13)
}

// Update changes an environment. A viewer cannot suspend the one it is in, because it could not be lifted again with
// the same credential.
func (e *Environments) Update(ctx context.Context, in UpdateEnvironmentInput) (*ent.Environment, error) {
	var problems fault.Problems
	usecase.CheckGivenName(&problems, "name", in.Name)
	checkLocale(&problems, in.DefaultLocale)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, e.Deps, usecase.ChangeEnvironments, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		found, err := e.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if in.Suspended != nil && *in.Suspended {
			if err := elsewhere(ctx, found, "suspended"); err != nil {
				return nil, err
			}
		}
		if in.Type != nil && *in.Type != found.Type {
			if err := ownersOf(ctx, found, "change the type of"); err != nil {
				return nil, err
			}
		}
		change := found.Update()
		changes := map[string]any{}
		usecase.SetIf(changes, "name", in.Name, change.SetName)
		usecase.SetIf(changes, "type", in.Type, change.SetType)
		usecase.SetIf(changes, "defaultLocale", in.DefaultLocale, change.SetDefaultLocale)
		usecase.SetIf(changes, "suspended", in.Suspended, change.SetSuspended)
		if in.Suspended != nil {
			e.Publish(ctx, realtime.Access(found.ID))
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// openTime is how long a deletion waits for transactions that began before it.
const openTime = 5 * time.Second

// Delete removes an environment, not the viewer's own, with everything in it but its audit. Whoever asks types its name. Its
// size bounds what that costs. It is suspended first, so that nothing is accepted meanwhile and left behind; a deletion that was
// interrupted leaves it so, and can be repeated. What is delivered meanwhile may lock rows in another order, and stores attempts for
// messages that the deletion has not found; they are deleted behind it.
func (e *Environments) Delete(ctx context.Context, globalID, name string) (found *ent.Environment, err error) {
	if err := e.close(ctx, globalID, name); err != nil {
		return nil, err
	}
	found, err = e.remove(ctx, globalID, name)
	if _, joined := postgres.TxFromContext(ctx); err == nil && !joined {
		_ = e.clear(ctx, found) // it is deleted; rows that are left belong to nothing, and the doctor names them
	}
	return found, err
}

func (e *Environments) remove(ctx context.Context, globalID, name string) (*ent.Environment, error) {
	return usecase.Write(ctx, e.Deps, usecase.ChangeEnvironments, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		found, err := e.deletable(ctx, globalID, name)
		if err != nil {
			return nil, err
		}
		tx, _ := postgres.TxFromContext(ctx)
		if err := pgaccess.DeleteEnvironmentRows(ctx, tx, scopeOf(found)); err != nil {
			return nil, err
		}
		if err := db.Environment.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		e.Publish(ctx, realtime.Access(found.ID))
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier, "name": found.Name, "type": found.Type})
	})
}

// clear deletes what transactions store in a deleted environment that were open when it was.
func (e *Environments) clear(ctx context.Context, gone *ent.Environment) error {
	if err := pgaccess.AwaitTransactions(ctx, e.DB, openTime); err != nil {
		return err
	}
	return e.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgaccess.DeleteEnvironmentRows(ctx, tx, scopeOf(gone))
	})
}

func scopeOf(env *ent.Environment) viewer.Scope {
	return viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
}

// close suspends an environment that is to be deleted, and returns once what was being accepted for it is stored.
func (e *Environments) close(ctx context.Context, globalID, name string) error {
	_, err := usecase.Write(ctx, e.Deps, usecase.ChangeEnvironments, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		found, err := e.deletable(ctx, globalID, name)
		if err != nil || found.Suspended {
			return found, err
		}
		e.Publish(ctx, realtime.Access(found.ID))
		if err := db.Environment.UpdateOne(found).SetSuspended(true).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "update", found, map[string]any{"suspended": true})
	})
	if _, joined := postgres.TxFromContext(ctx); err != nil || joined {
		return err
	}
	return pgaccess.AwaitTransactions(ctx, e.DB, openTime)
}

// deletable is an environment that the viewer may delete, and has named.
func (e *Environments) deletable(ctx context.Context, globalID, name string) (*ent.Environment, error) {
	found, err := e.Get(ctx, globalID)
	if err != nil {
		return nil, err
	}
	if err := elsewhere(ctx, found, "deleted"); err != nil {
		return nil, err
	}
	if err := ownersOf(ctx, found, "delete"); err != nil {
		return nil, err
	}
	if name != found.Name {
		return nil, fault.Invalidf("name", "must be the name of the environment, letter by letter, so that no other one is deleted by mistake")
	}
	return found, nil
}

// ownersOf keeps what may cost the most to the owners: a production environment.
func ownersOf(ctx context.Context, env *ent.Environment, what string) error {
	v, _ := viewer.FromContext(ctx)
	if env.Type != environment.TypeProduction || v.At(viewer.RoleOwner) {
		return nil
	}
	return fault.Forbiddenf("Only an owner may %s an environment of type PRODUCTION.", what)
}

// elsewhere refuses what would lock the viewer out of its own environment.
func elsewhere(ctx context.Context, env *ent.Environment, what string) error {
	if v, _ := viewer.FromContext(ctx); v.EnvironmentID == env.ID {
		return fault.Conflictf("OWN_ENVIRONMENT", "The environment of this request's own credential cannot be %s.", what)
	}
	return nil
}

func checkLocale(problems *fault.Problems, locale *string) {
	if locale != nil && !workflow.ValidLocale(*locale) {
		problems.Add("defaultLocale", *locale, "must be a locale such as en or pt-BR")
	}
}
