// Package importer moves a deployment of the documented API into a Carillon (migrate.md). What is moved passes through an
// export folder: the files of a configuration (package configfiles), and one file of lines of JSON for each kind of record
// that there may be many of, in the forms of the documented routes.
//
// Read fills a folder from a deployment, Export from a Carillon, and Import makes a Carillon hold a folder. Each works page
// by page, notes after each page how far it has come, and continues there when it is run again.
package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"
)

// The kinds of records, and of parts of records, as they are reported. The resources of a configuration have kinds of their
// own, such as layout.
const (
	kindWorkflow     = "workflow"
	kindSubscriber   = "subscriber"
	kindField        = "subscriber field"
	kindChannel      = "channel setting"
	kindSubscription = "subscription"
	kindEndpoint     = "channel endpoint"
	kindPreference   = "preference"
	kindSecret       = "secret"
)

// Result is what became of an item.
type Result string

// The results.
const (
	Taken     Result = "taken"     // written to the target
	Unchanged Result = "unchanged" // the target held it already
	Refused   Result = "refused"   // not taken, for the reason
)

// Item is what became of one record, or of a part of one.
type Item struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Result Result `json:"-"`
	Reason string `json:"reason"`
}

// Options are what Import needs.
type Options struct {
	Folder *Folder
	State  *State
	Target *Target
	// Secret returns the value of a credential that a file names as ${NAME}.
	Secret func(name string) (value string, ok bool)
	// Concurrency is how many records of a page are written at the same time; 0: 8.
	Concurrency int
	// Progress is called after each page with what became of the kind so far.
	Progress func(kind string, counts Counts)
}

// Import makes the target hold what the folder holds. Called again it continues after the last page that it noted in the
// state; what it meets twice is unchanged the second time. An error of a single record is reported and does not end it; an
// error of the target as a whole does.
func Import(ctx context.Context, o Options) error {
	if err := o.importConfiguration(ctx); err != nil {
		return fmt.Errorf("import the configuration: %w", err)
	}
	if err := o.Target.loadWorkflows(ctx); err != nil {
		return fmt.Errorf("read the workflows of the target: %w", err)
	}
	// Subscriptions, endpoints and preferences belong to subscribers, and refer to workflows and integrations. What people wrote
	// comes behind what was read, and so it is what stays.
	for _, step := range []struct {
		file file
		kind string
		put  func(context.Context, Options, []Line) ([]Item, error)
	}{
		{workflowsRead, kindWorkflow, checkWorkflows},
		{subscribersRead, kindSubscriber, putSubscribers},
		{subscribers, kindSubscriber, putSubscribers},
		{subscriptionsRead, kindSubscription, putSubscriptions},
		{subscriptions, kindSubscription, putSubscriptions},
		{endpointsRead, kindEndpoint, each(putEndpoint)},
		{endpoints, kindEndpoint, each(putEndpoint)},
		{preferencesRead, kindPreference, each(putPreference)},
		{preferencesFile, kindPreference, each(putPreference)},
	} {
		if err := o.pages(ctx, step.file, step.kind, step.put); err != nil {
			return fmt.Errorf("import %s: %w", step.file, err)
		}
	}
	return nil
}

// pages puts the lines of one file page by page.
func (o Options) pages(ctx context.Context, from file, kind string, put func(context.Context, Options, []Line) ([]Item, error)) error {
	p := o.State.progress(o.State.Import, string(from))
	for !p.Done {
		if err := ctx.Err(); err != nil {
			return err
		}
		lines, next, err := o.Folder.page(from, p.Position)
		if err != nil {
			return err
		}
		items := []Item(nil)
		if len(lines) > 0 {
			if items, err = put(ctx, o, lines); err != nil {
				return err
			}
		}
		p.Position, p.Done = next, len(lines) < pageSize
		if err := o.State.note(items); err != nil {
			return err
		}
		if o.Progress != nil && len(lines) > 0 {
			o.Progress(kind, o.State.Counts[kind])
		}
	}
	return nil
}

// each makes a function for pages of one for single lines, several of which are put at the same time.
func each(put func(context.Context, *Target, Line) ([]Item, error)) func(context.Context, Options, []Line) ([]Item, error) {
	return func(ctx context.Context, o Options, lines []Line) ([]Item, error) {
		return parallel(ctx, o.Concurrency, lines, func(ctx context.Context, l Line) ([]Item, error) { return put(ctx, o.Target, l) })
	}
}

// parallel calls do for each value, several at the same time, and returns all results in the order of the values.
func parallel[T, R any](ctx context.Context, concurrency int, values []T, do func(context.Context, T) ([]R, error)) ([]R, error) {
	results := make([][]R, len(values))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(concurrency, 8))
	for i, value := range values {
		group.Go(func() (err error) {
			results[i], err = do(ctx, value)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err //nolint:wrapcheck // do wraps
	}
	var all []R
	for _, r := range results {
		all = append(all, r...)
	}
	return all, nil
}

// settled is the item of a record that was written: refused when err is about the record, an error when it is about the
// target as a whole.
func settled(kind, name string, err error) (Item, error) {
	if err == nil {
		return Item{Kind: kind, Name: name, Result: Taken}, nil
	}
	if refusal := refusalOf(err); refusal != nil {
		return Item{Kind: kind, Name: name, Result: Refused, Reason: reasonOf(refusal)}, nil
	}
	return Item{}, err
}

// malformed is the item of a line that cannot be read.
func malformed(kind string, l Line, err error) Item {
	return Item{Kind: kind, Name: fmt.Sprintf("%s line %d", l.file, l.Number), Result: Refused, Reason: err.Error()}
}

var (
	errNoIdentifier = errors.New("it names no subscriber, topic or identifier")
	errNulCharacter = errors.New("it names a subscriber, topic or identifier with the character U+0000, which none may hold")
)

// checkNames refuses a line by what it names, before the target is asked for any of it: a question with U+0000 is refused as a whole,
// with all the others of its page.
func checkNames(names ...string) error {
	for _, name := range names {
		switch {
		case name == "":
			return errNoIdentifier
		case strings.ContainsRune(name, 0):
			return errNulCharacter
		}
	}
	return nil
}
