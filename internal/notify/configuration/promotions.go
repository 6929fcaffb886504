package configuration

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Promotions are the use cases of taking resources of one environment over into another of the same organization.
type Promotions struct {
	usecase.Deps
	configurations *Configurations
}

// PromotionConnection is a page of promotions.
type PromotionConnection = usecase.Connection[ent.Promotion]

// PromotionEdge is one promotion of a page.
type PromotionEdge = usecase.Edge[ent.Promotion]

// PromotionInput says what is promoted, and from where to where.
type PromotionInput struct {
	Source           *string // id or identifier of the environment; nil: that of SourceKey
	SourceKey        *string // API key of the source: for a caller whose own credential does not reach it
	Target           *string // id or identifier; nil: the viewer's environment
	Parts            []Part  // nil: all that the caller may read in the source
	WithDependencies *bool   // promotes what the parts refer to and the target does not hold; nil: false
	// Fingerprint is that of a plan: when source or target has changed since, nothing is promoted. nil: not compared.
	Fingerprint *string
}

// PromotionPlan is what a promotion does.
type PromotionPlan struct {
	Plan
	Source       *ent.Environment
	Target       *ent.Environment
	Dependencies []Dependency // of the parts, that are not among them
}

// Promoted is the answer to Promote and Undo.
type Promoted struct {
	Promotion *ent.Promotion // nil: there was nothing to change
	Plan      *Plan
}

// List is a page of the promotions into the viewer's environment.
func (p *Promotions) List(ctx context.Context, page usecase.Page, order *usecase.Order) (*PromotionConnection, error) {
	return usecase.Read(ctx, p.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*PromotionConnection, error) {
		return usecase.Paginate(ctx, db.Promotion.Query(), nil, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one promotion by its global or internal id.
func (p *Promotions) Get(ctx context.Context, globalID string) (*ent.Promotion, error) {
	recordID, err := usecase.RecordID("Promotion", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, p.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Promotion, error) {
		found, err := db.Promotion.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Promotion %s was not found.", globalID)
	})
}

// Plan returns what Promote would do, having tried it in a transaction that is given up.
func (p *Promotions) Plan(ctx context.Context, in PromotionInput) (*PromotionPlan, error) {
	ctx, from, err := p.open(ctx, in)
	if err != nil {
		return nil, err
	}
	var plan *PromotionPlan
	_, err = usecase.WriteOnce(ctx, p.Deps, usecase.WriteContent, func(ctx context.Context, _ *ent.Client) (_ struct{}, err error) {
		if plan, _, err = p.carryOver(ctx, in, from); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, errPlanned
	})
	switch {
	case errors.Is(err, errPlanned):
		return plan, nil
	case postgres.Retryable(err):
		return nil, moved("environment")
	}
	return nil, err
}

// Promote takes the parts over into the target in one transaction, and records it. Promoted again it changes nothing.
func (p *Promotions) Promote(ctx context.Context, in PromotionInput) (*Promoted, error) {
	ctx, from, err := p.open(ctx, in)
	if err != nil {
		return nil, err
	}
	return unlessMoved(func() (*Promoted, error) {
		return usecase.WriteOnce(ctx, p.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*Promoted, error) {
			plan, found, err := p.carryOver(ctx, in, from)
			if err != nil {
				return nil, err
			}
			if len(plan.Changes) == 0 {
				return &Promoted{Plan: &plan.Plan}, nil
			}
			recorded, err := p.record(ctx, db, &plan.Plan, found, origin{from.source.ID, from.source.Identifier, from.held.versions, nil})
			return &Promoted{recorded, &plan.Plan}, err
		})
	})
}

// passage is a source that has been read, and a target.
type passage struct {
	source, target *ent.Environment
	held           *current // what the source holds of the parts and of what they refer to
	parts          []Part
}

// open checks both ends and reads the source. The context it returns is the caller's in the target.
func (p *Promotions) open(ctx context.Context, in PromotionInput) (context.Context, *passage, error) {
	v, err := usecase.Require(ctx, usecase.WriteContent)
	if err != nil {
		return nil, nil, err
	}
	from := &passage{}
	target := v.EnvironmentID
	if in.Target != nil {
		target = *in.Target
	}
	if from.target, err = p.environment(ctx, "target", target); err != nil {
		return nil, nil, err
	}
	sourceCtx, err := p.source(ctx, v, in, from)
	if err != nil {
		return nil, nil, err
	}
	if from.source.ID == from.target.ID {
		return nil, nil, fault.Invalidf("source", "is the target")
	}
	if from.held, from.parts, err = p.configurations.readChosen(sourceCtx, in.Parts); err != nil {
		return nil, nil, err
	}
	return inside(ctx, v, from.target), from, nil
}

// source finds the source, and who reads it: the caller, or the API key that the caller has of it.
func (p *Promotions) source(ctx context.Context, v viewer.Viewer, in PromotionInput, from *passage) (_ context.Context, err error) {
	reader := v
	var ref string
	switch {
	case in.SourceKey != nil:
		reader, err = auth.KeyViewer(ctx, p.DB, *in.SourceKey, usecase.RecordTime())
		if err != nil || reader.OrganizationID != v.OrganizationID || reader.EnvironmentID == "" {
			return nil, fault.Invalidf("sourceKey", "is not an API key of an environment of this organization that may be used now")
		}
		ctx, ref = viewer.NewContext(ctx, reader), reader.EnvironmentID
		if in.Source != nil {
			ref = *in.Source
		}
	case in.Source != nil:
		ref = *in.Source
	default:
		return nil, fault.Invalidf("source", "is required, or sourceKey")
	}
	if from.source, err = p.environment(ctx, "source", ref); err != nil {
		return nil, err
	}
	return inside(ctx, reader, from.source), nil
}

// environment finds one that the viewer reaches, by its id or identifier.
func (p *Promotions) environment(ctx context.Context, field, ref string) (*ent.Environment, error) {
	return usecase.Read(ctx, p.Deps, usecase.AnyCredential, func(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
		by := environment.Identifier(ref)
		if recordID, err := usecase.RecordID("Environment", ref); err == nil {
			by = environment.Or(by, environment.ID(recordID))
		}
		found, err := db.Environment.Query().Where(by).First(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.Invalidf(field, "is no environment that this credential reaches; of another environment send an API key")
		}
		return found, err
	})
}

// inside acts with a viewer's rights in an environment of the same organization.
func inside(ctx context.Context, v viewer.Viewer, env *ent.Environment) context.Context {
	v.Scope = viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
	return viewer.NewContext(ctx, v)
}

// carryOver changes the target, in its transaction.
func (p *Promotions) carryOver(ctx context.Context, in PromotionInput, from *passage) (*PromotionPlan, *current, error) {
	if err := begin(ctx); err != nil {
		return nil, nil, err
	}
	held := &from.held.Document
	depended := dependencies(held, from.parts)
	there, err := p.configurations.load(ctx, namesOf(slices.Concat(from.parts, partsIn(depended))))
	if err != nil {
		return nil, nil, err
	}
	parts := slices.Clone(from.parts)
	var problems fault.Problems
	for i := range depended {
		d := &depended[i]
		d.Missing = !has(&there.Document, d.Part)
		switch d.Included = d.Missing && in.WithDependencies != nil && *in.WithDependencies; {
		case d.Included:
			parts = append(parts, d.Part)
		case d.Missing:
			problems.Add("parts", d.Name, "%s needs %s, which the target does not hold: choose it as well, or set withDependencies", described(d.NeededBy...), described(d.Part))
		}
	}
	if err := p.configurations.missingVariables(ctx, only(held, parts), &problems); err != nil {
		return nil, nil, err
	}
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	wanted := withoutCredentials(only(held, parts), there)
	plan, found, err := p.configurations.settle(ctx, wanted, extent{names: namesOf(parts)}, func(plan *Plan, found *current) (err error) {
		target, err := fingerprint(&found.Document)
		if err != nil {
			return err
		}
		source, err := fingerprint(only(held, parts))
		plan.Fingerprint = source + "-" + target
		if err != nil {
			return err
		}
		if in.Fingerprint != nil && !strings.HasPrefix(*in.Fingerprint, source+"-") {
			return moved("source environment")
		}
		return unmoved(in.Fingerprint, plan)
	})
	if err != nil {
		return nil, nil, err
	}
	return &PromotionPlan{*plan, from.source, from.target, depended}, found, nil
}

func partsIn(list []Dependency) (parts []Part) {
	for _, d := range list {
		parts = append(parts, d.Part)
	}
	return parts
}

func described(parts ...Part) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = strings.ToLower(strings.ReplaceAll(string(p.Kind), "_", " ")) + " " + p.Name
	}
	return strings.Join(names, ", ")
}

// withoutCredentials leaves the credentials of the target as they are: the address of a server is never taken over while its
// password stays. So are the switch and the place of an integration, which say through what the target sends. An integration that the
// target lacks has the settings of the source without secrets, and waits switched off.
func withoutCredentials(d *Document, there *current) *Document {
	for name, one := range d.Integrations {
		if stays, known := there.Integrations[name]; known {
			one.Credentials, one.Active, one.Primary = nil, stays.Active, stays.Primary
		} else {
			one.Active, one.Primary = new(false), new(false)
		}
		d.Integrations[name] = one
	}
	return d
}

// origin is where changes come from.
type origin struct {
	environmentID, identifier string
	versions                  map[string]*ent.WorkflowVersion // of the workflows there; nil: none
	undone                    *ent.Promotion
}

// record writes down a promotion that was carried out, in its transaction: what was there before, and what is there now.
func (p *Promotions) record(ctx context.Context, db *ent.Client, plan *Plan, before *current, from origin) (*ent.Promotion, error) {
	parts := changed(plan.Changes)
	used, err := p.published(ctx, parts)
	if err != nil {
		return nil, err
	}
	resources := make([]workflow.PromotedResource, len(plan.Changes))
	var made []string // versions
	for i, change := range plan.Changes {
		resources[i] = workflow.PromotedResource{Kind: string(change.Kind), Name: change.Name, Action: string(change.Action)}
		if change.Kind != KindWorkflow {
			continue
		}
		if v := from.versions[change.Name]; v != nil {
			resources[i].SourceVersion = &v.Number
		}
		if v := used.versions[change.Name]; v != nil {
			resources[i].Version = &v.Number
			if old := before.versions[change.Name]; old == nil || old.ID != v.ID {
				made = append(made, v.ID)
			}
		}
	}
	after, err := p.configurations.load(ctx, namesOf(undoable(resources)))
	if err != nil {
		return nil, err
	}
	mark, err := fingerprint(&after.Document)
	if err != nil {
		return nil, err
	}
	held, published, err := stored(before, parts)
	if err != nil {
		return nil, err
	}
	who := usecase.NewAuditEntry(ctx, "promote", "Promotion", "", nil)
	create := db.Promotion.Create().SetSourceID(from.environmentID).SetSourceIdentifier(from.identifier).SetResources(resources).
		SetActorType(who.ActorType).SetActorID(who.ActorID).SetActorName(who.ActorName).
		SetBefore(held).SetPublished(published).SetFingerprintAfter(mark)
	action := "promote"
	if from.undone != nil {
		action = "undo"
		create.SetUndoesID(from.undone.ID)
	}
	promoted, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.WorkflowVersion.Update().Where(workflowversion.IDIn(made...)).SetPromotionID(promoted.ID).Exec(ctx); err != nil {
		return nil, err
	}
	return promoted, usecase.Audit(ctx, db, action, promoted, map[string]any{"source": from.identifier, "resources": resources})
}
