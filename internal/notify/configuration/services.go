package configuration

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
)

// Services are the use cases of this package.
type Services struct {
	Configurations *Configurations
	Promotions     *Promotions
}

// Areas are the use cases by which resources are read and changed.
type Areas struct {
	Authoring    authoring.Services
	Feeds        *inbox.Feeds
	Topics       *audience.Topics
	Integrations *integrations.Integrations
	Providers    *integrations.Providers
}

// New builds the use cases.
func New(b usecase.Deps, areas Areas) Services {
	configurations := &Configurations{Deps: b, areas: areas}
	return Services{Configurations: configurations, Promotions: &Promotions{Deps: b, configurations: configurations}}
}

// Configurations are the use cases of the environment's configuration as a whole.
type Configurations struct {
	usecase.Deps
	areas Areas
}

// Configuration is what an environment holds.
type Configuration struct {
	Document  map[string]any // a Document as JSON
	Truncated []Kind         // of which there are more than MaxResources, which are not in the document
}

// Read returns the configuration of the viewer's environment, of the given kinds; of none given, of those that the viewer
// may read. Secrets are left out, and so are the integrations that every environment begins with.
func (c *Configurations) Read(ctx context.Context, kinds []Kind) (*Configuration, error) {
	if _, err := usecase.Require(ctx, usecase.ReadContent); err != nil {
		return nil, err
	}
	found := &current{ids: map[Kind]map[string]string{}}
	handlers, read := c.handlers(nil), []Kind{}
	for _, s := range sections {
		if len(kinds) > 0 && !slices.Contains(kinds, s.kind) {
			continue
		}
		switch err := handlers[s.kind].read(ctx, nil, found); {
		case err == nil:
			read = append(read, s.kind)
		case len(kinds) > 0 || fault.KindOf(err) != fault.Forbidden:
			return nil, err
		}
	}
	if err := c.showCredentials(ctx, found); err != nil {
		return nil, err
	}
	document, err := short(&found.Document)
	if err != nil {
		return nil, err
	}
	for _, k := range read {
		if name := sectionOfKind(k); document[name] == nil {
			document[name] = map[string]any{} // read, and empty
		}
	}
	return &Configuration{document, found.truncated}, nil
}

// showCredentials adds the credentials that are no secrets.
func (c *Configurations) showCredentials(ctx context.Context, found *current) error {
	for name, record := range found.stored {
		if integrations.BuiltIn(record) {
			delete(found.Integrations, name)
			continue
		}
		shown, err := c.areas.Integrations.ShownCredentials(ctx, record)
		if err != nil {
			return err
		}
		one := found.Integrations[name]
		one.Credentials = integrations.WithoutSecrets(shown)
		found.Integrations[name] = one
	}
	return nil
}

// load reads what an environment holds: of each kind the resources with the names, or all (nil).
func (c *Configurations) load(ctx context.Context, want map[Kind][]string) (*current, error) {
	into := &current{ids: map[Kind]map[string]string{}}
	return into, c.loadInto(ctx, want, into)
}

func (c *Configurations) loadInto(ctx context.Context, want map[Kind][]string, into *current) error {
	handlers := c.handlers(nil)
	for _, s := range sections {
		names, asked := want[s.kind]
		if !asked {
			continue
		}
		if err := handlers[s.kind].read(ctx, names, into); err != nil {
			return err
		}
	}
	return nil
}

// Input is a configuration that an environment shall hold.
type Input struct {
	Document map[string]any // a Document as JSON
	// Prune deletes the notification groups, feeds, snippets, layouts, translations and workflows that the document does not name, of
	// those kinds that it has a section for. nil: false.
	Prune *bool
	// Fingerprint is that of a plan: when what the plan compared has changed since, nothing is applied. nil: not compared.
	Fingerprint *string
}

// Plan is what applying a document does.
type Plan struct {
	Changes     []Change
	Fingerprint string  // of what the environment holds of the resources that are compared
	Issues      []Issue // of workflows that are saved all the same
}

// Applied is the answer to Apply.
type Applied struct{ Plan *Plan }

// Issue is what is wrong with a workflow that is saved all the same.
type Issue struct {
	Workflow string // trigger identifier
	StepID   string
	Message  string
}

// errPlanned ends the transaction of a plan.
var errPlanned = errors.New("only planned")

// Plan returns what Apply would do, having tried it in a transaction that is given up: it finds every fault that Apply
// would find, needs the same rights, and changes nothing.
func (c *Configurations) Plan(ctx context.Context, in Input) (*Plan, error) {
	var plan *Plan
	_, err := usecase.WriteOnce(ctx, c.Deps, usecase.WriteContent, func(ctx context.Context, _ *ent.Client) (_ struct{}, err error) {
		if plan, err = c.apply(ctx, in); err != nil {
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

// Apply makes the environment hold a document, in one transaction, and returns what it changed. Applied again it changes
// nothing. Other changes of the same resources meanwhile are a conflict.
func (c *Configurations) Apply(ctx context.Context, in Input) (*Plan, error) {
	return unlessMoved(func() (*Plan, error) {
		return usecase.WriteOnce(ctx, c.Deps, usecase.WriteContent, func(ctx context.Context, _ *ent.Client) (*Plan, error) {
			return c.apply(ctx, in)
		})
	})
}

// unlessMoved runs a transaction that changes a configuration. What another transaction has made since this one began is met as
// a duplicate, which says nothing about the plan: then it runs once more, and sees it. Other changes meanwhile are a conflict.
func unlessMoved[T any](change func() (*T, error)) (*T, error) {
	done, err := change()
	var duplicate *fault.Error
	if errors.As(err, &duplicate) && duplicate.Code == "ALREADY_EXISTS" || ent.IsConstraintError(err) {
		done, err = change()
	}
	if postgres.Retryable(err) {
		return nil, moved("environment")
	}
	return done, err
}

func moved(whose string) error {
	return fault.Conflictf("CONFIGURATION_CHANGED", "The configuration of the %s has changed since the plan. Plan again.", whose)
}

func (c *Configurations) apply(ctx context.Context, in Input) (*Plan, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	document, err := decode(in.Document)
	if err != nil {
		return nil, err
	}
	prune := in.Prune != nil && *in.Prune
	compared := extent{names: map[Kind][]string{}}
	handlers := c.handlers(nil)
	for _, s := range sections {
		switch names := s.names(document); {
		case prune && handlers[s.kind].remove != nil && s.given(document):
			compared.names[s.kind] = nil
			compared.pruned = append(compared.pruned, s.kind)
		case len(names) > 0:
			compared.names[s.kind] = names
		}
	}
	plan, _, err := c.settle(ctx, document, compared, func(plan *Plan, found *current) (err error) {
		if plan.Fingerprint, err = fingerprint(&found.Document); err != nil {
			return err
		}
		return unmoved(in.Fingerprint, plan)
	})
	return plan, err
}

// begin makes a transaction fail when others change what it reads, instead of overwriting them. It comes before any query.
func begin(ctx context.Context) error {
	tx, _ := postgres.TxFromContext(ctx)
	if _, err := tx.Pgx.Exec(ctx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"); err != nil {
		return fmt.Errorf("begin to apply a configuration: %w", err)
	}
	return nil
}

// unmoved refuses a fingerprint of another plan; nil: it is not compared.
func unmoved(given *string, plan *Plan) error {
	if given != nil && *given != plan.Fingerprint {
		return moved("environment")
	}
	return nil
}

// extent is which resources are compared.
type extent struct {
	names  map[Kind][]string // nil: all of the kind
	pruned []Kind            // of which those are deleted that are compared and not wanted
}

// settle makes an environment hold a document, once check has agreed to what is there; it returns what was there, too.
func (c *Configurations) settle(ctx context.Context, document *Document, compared extent, check func(*Plan, *current) error) (*Plan, *current, error) {
	plan := &Plan{}
	found, err := c.load(ctx, compared.names)
	if err != nil {
		return nil, nil, err
	}
	if err := tooLarge(found); err != nil {
		return nil, nil, err
	}
	if err := check(plan, found); err != nil {
		return nil, nil, err
	}
	wanted := completed(document, found)
	before, after, err := c.withShownCredentials(ctx, wanted, found)
	if err != nil {
		return nil, nil, err
	}
	if plan.Changes, err = compare(before, after, compared.pruned); err != nil {
		return nil, nil, err
	}
	return plan, found, carryOut(ctx, c.handlers(plan), plan.Changes, wanted, found)
}

func tooLarge(found *current) error {
	if len(found.truncated) == 0 {
		return nil
	}
	return fault.BadRequestf("CONFIGURATION_TOO_LARGE", "There are more than %d resources of the kinds %v. Apply without deleting, or choose resources by name.", MaxResources, found.truncated)
}

// carryOut makes changes. What is wrong with resources is reported of all of them together.
func carryOut(ctx context.Context, handlers map[Kind]handler, changes []Change, wanted *Document, found *current) error {
	var problems fault.Problems
	credentials := make(map[string]map[string]any, len(wanted.Integrations))
	for name, one := range wanted.Integrations {
		credentials[name] = one.Credentials
	}
	ctx = authoring.WithCredentials(ctx, credentials)
	for _, change := range changes {
		h, recordID := handlers[change.Kind], found.ids[change.Kind][change.Name]
		var err error
		switch change.Action {
		case ActionCreate:
			err = h.create(ctx, change.Name, wanted)
		case ActionUpdate:
			err = h.update(ctx, recordID, change.Name, wanted)
		case ActionDelete:
			err = h.remove(ctx, recordID)
		}
		if err := problems.Merge("document."+sectionOfKind(change.Kind)+"."+change.Name, asFieldsOf(change.Name, err)); err != nil {
			return err
		}
	}
	return problems.Err()
}

// asFieldsOf names fields of a use case's input as a document does: definitions are part of their workflows.
func asFieldsOf(name string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	if f.Kind != fault.Invalid {
		out := *f
		out.Message = name + ": " + f.Message
		return &out
	}
	out := *f
	out.Fields = slices.Clone(f.Fields)
	for i := range out.Fields {
		out.Fields[i].Path = strings.TrimPrefix(out.Fields[i].Path, "definition.")
	}
	return &out
}

// withShownCredentials returns what is there and what is wanted with credentials as they are shown, so that they compare
// without a secret in the result.
func (c *Configurations) withShownCredentials(ctx context.Context, wanted *Document, found *current) (before, after *Document, err error) {
	x, y := found.Document, *wanted
	x.Integrations, y.Integrations = maps.Clone(x.Integrations), maps.Clone(y.Integrations)
	for name, record := range found.stored {
		stored, given := x.Integrations[name], y.Integrations[name]
		stored.Credentials, given.Credentials, err = c.areas.Integrations.CompareCredentials(ctx, record, given.Credentials)
		if err != nil {
			return nil, nil, err
		}
		x.Integrations[name] = stored
		y.Integrations[name] = given
	}
	return &x, &y, nil
}
