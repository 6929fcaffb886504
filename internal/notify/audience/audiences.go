package audience

import (
	"context"
	"runtime"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/audience"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Audiences are the use cases of audiences: saved filters over subscribers (semantics.md §14).
type Audiences struct {
	usecase.Deps
	previews *admission.Gate // of pages of previews
}

// AudienceConnection is a page of audiences.
type AudienceConnection = usecase.Connection[ent.Audience]

// AudienceEdge is one audience of a page.
type AudienceEdge = usecase.Edge[ent.Audience]

const (
	previewLimit   = 10_000 // subscribers that a preview looks at
	previewPage    = 1_000
	previewSamples = 10
	previewWait    = 10 * time.Second // of a page for its turn; a page of a rule that takes as long as one may holds it for as long
)

// newPreviewGate leaves half of the cores to everything else, because a rule may take a hundredth of a second for each subscriber.
// Environments take turns, page by page.
func newPreviewGate() *admission.Gate {
	slots := max(1, runtime.GOMAXPROCS(0)/2)
	return admission.New(admission.Config{Wait: previewWait, Least: slots, Most: slots})
}

// AudienceFilter narrows a list of audiences; the set fields combine with AND.
type AudienceFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *AudienceFilter) predicates() (ps []predicate.Audience) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, audience.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, audience.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, audience.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, audience.CreatedAtLT)
}

// List is a page of audiences.
func (a *Audiences) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *AudienceFilter) (*AudienceConnection, error) {
	return usecase.Read(ctx, a.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*AudienceConnection, error) {
		return usecase.Paginate(ctx, db.Audience.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one audience by its global or internal id.
func (a *Audiences) Get(ctx context.Context, globalID string) (*ent.Audience, error) {
	recordID, err := usecase.RecordID("Audience", globalID)
	if err != nil {
		return nil, err
	}
	return a.one(ctx, audience.ID(recordID), globalID)
}

// ByIdentifier is one audience by its identifier.
func (a *Audiences) ByIdentifier(ctx context.Context, identifier string) (*ent.Audience, error) {
	return a.one(ctx, audience.Identifier(identifier), identifier)
}

func (a *Audiences) one(ctx context.Context, p predicate.Audience, name string) (*ent.Audience, error) {
	return usecase.Read(ctx, a.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Audience, error) {
		found, err := db.Audience.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Audience %s was not found.", name)
	})
}

// CreateAudienceInput describes a new audience.
type CreateAudienceInput struct {
	Identifier string
	Name       *string
	TopicKey   *string
	Rule       map[string]any
}

// Create makes an audience. An identifier that is taken is a conflict.
func (a *Audiences) Create(ctx context.Context, in CreateAudienceInput) (*ent.Audience, error) {
	var problems fault.Problems
	if !workflow.ValidWorkflowIdentifier(in.Identifier) {
		problems.Add("identifier", in.Identifier, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
	usecase.CheckText(&problems, "name", in.Name, usecase.MaxNameLength)
	checkFilter(&problems, in.TopicKey, in.Rule)
	if problems.Any() {
		return nil, problems.Err()
	}
	return usecase.Write(ctx, a.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Audience, error) {
		create := db.Audience.Create().SetIdentifier(in.Identifier).SetNillableName(in.Name).SetNillableTopicKey(in.TopicKey)
		if in.Rule != nil {
			create.SetRule(in.Rule)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Audience %s exists already.", in.Identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": in.Identifier, "topicKey": in.TopicKey, "rule": in.Rule})
	})
}

// checkFilter records what is wrong with a filter.
func checkFilter(problems *fault.Problems, topicKey *string, rule map[string]any) {
	if topicKey == nil && len(rule) == 0 {
		problems.Add("rule", nil, "is required without a topic: a broadcast reaches everybody")
	}
	if topicKey != nil && !workflow.ValidTopicKey(*topicKey) {
		problems.Add("topicKey", *topicKey, "must be a topic key")
	}
	if rule != nil {
		condition.ValidateRule(problems, "rule", rule)
	}
}

// UpdateAudienceInput changes an audience; absent fields stay as they are, null clears.
type UpdateAudienceInput struct {
	ID       string
	Name     graphql.Omittable[*string]
	TopicKey graphql.Omittable[*string]
	Rule     graphql.Omittable[map[string]any]
}

// Update changes an audience. Events that were accepted keep the filter of then.
func (a *Audiences) Update(ctx context.Context, in UpdateAudienceInput) (*ent.Audience, error) {
	return usecase.Write(ctx, a.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Audience, error) {
		found, err := a.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		topicKey, rule := found.TopicKey, found.Rule
		if given, set := in.TopicKey.ValueOK(); set {
			topicKey = given
		}
		if given, set := in.Rule.ValueOK(); set {
			rule = given
		}
		var problems fault.Problems
		usecase.CheckText(&problems, "name", in.Name.Value(), usecase.MaxNameLength)
		checkFilter(&problems, topicKey, rule)
		if problems.Any() {
			return nil, problems.Err()
		}
		change := found.Update()
		usecase.SetOrClear(in.Name, change.SetName, change.ClearName)
		usecase.SetOrClear(in.TopicKey, change.SetTopicKey, change.ClearTopicKey)
		if rule == nil {
			change.ClearRule()
		} else {
			change.SetRule(rule)
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"topicKey": topicKey, "rule": rule})
	})
}

// Delete removes an audience and answers what was removed. Events that were accepted keep its filter.
func (a *Audiences) Delete(ctx context.Context, globalID string) (*ent.Audience, error) {
	return usecase.Write(ctx, a.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Audience, error) {
		found, err := a.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Audience.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}

// AudiencePreviewInput is a filter that is tried.
type AudiencePreviewInput struct {
	TopicKey *string
	Rule     map[string]any
}

// AudiencePreview is whom a filter chooses now.
type AudiencePreview struct {
	Count    int  // of those examined
	Exact    bool // all were examined
	Examined int  // at most previewLimit
	Samples  []*ent.Subscriber
}

// Preview tries a filter on the subscribers that there are, the oldest first, page by page and at most previewLimit of them.
func (a *Audiences) Preview(ctx context.Context, in AudiencePreviewInput) (*AudiencePreview, error) {
	var problems fault.Problems
	checkFilter(&problems, in.TopicKey, in.Rule)
	if problems.Any() {
		return nil, problems.Err()
	}
	v, err := usecase.Require(ctx, usecase.ReadAudience)
	if err != nil {
		return nil, err
	}
	out, chosen := &AudiencePreview{}, []string{}
	filter := workflow.AudienceRecipient{Rule: in.Rule}
	want := pgfanout.PageQuery{EnvironmentID: v.EnvironmentID, Max: "~", Limit: previewPage, Earlier: []string{}}
	if in.TopicKey != nil {
		want.Topic = *in.TopicKey
	}
	for out.Examined < previewLimit && !out.Exact {
		rows, err := pgfanout.ChosenPage(ctx, a.Reader(ctx), want)
		if err != nil {
			return nil, err
		}
		out.Examined += len(rows)
		if out.Exact = len(rows) < previewPage; len(rows) == 0 {
			break
		}
		want.After = rows[len(rows)-1].ID
		matching, err := a.matching(ctx, v.EnvironmentID, filter, rows)
		if err != nil {
			return nil, err
		}
		out.Count += len(matching)
		chosen = append(chosen, matching[:min(len(matching), previewSamples-len(chosen))]...)
	}
	out.Samples, err = usecase.Read(ctx, a.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) ([]*ent.Subscriber, error) {
		return db.Subscriber.Query().Where(subscriber.IDIn(chosen...)).Order(subscriber.ByID()).All(ctx)
	})
	return out, err
}

// matching are the ids of those of a page whom a filter chooses, in its turn.
func (a *Audiences) matching(ctx context.Context, environmentID string, filter workflow.AudienceRecipient, page []pgfanout.PageRow) (ids []string, err error) {
	leave, err := a.previews.Enter(ctx, admission.Request{Environment: environmentID})
	if err != nil {
		return nil, err //nolint:wrapcheck // classified
	}
	defer leave()
	for i := range page {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !page[i].Gone && filter.Chooses((&run.Recipient{SubscriberRow: page[i].SubscriberRow}).View()) {
			ids = append(ids, page[i].ID)
		}
	}
	return ids, nil
}
