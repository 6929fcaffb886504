package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"net/url"
	"strconv"
)

// ReadOptions are what Read needs.
type ReadOptions struct {
	Folder      *Folder
	State       *State
	Source      *Source
	Concurrency int                          // requests at the same time; 0: 8
	Progress    func(file string, items int) // called after each page
}

// Read copies what the documented routes show of a deployment into a folder, as the routes answer it. Whose subscriptions and
// preferences are read is said by subscribers.ndjson of the folder and by the channel endpoints. Called again it continues.
func Read(ctx context.Context, o ReadOptions) error {
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"workflows", o.readWorkflows},
		{"channel endpoints", o.readEndpoints},
		{"subscribers", func(context.Context) error { return o.findSubscribers() }},
		{"subscriptions and preferences", o.readSubscribers},
	} {
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("read the %s of the deployment: %w", step.what, err)
		}
	}
	return nil
}

// readWorkflows copies the list of workflows, by offset.
func (o ReadOptions) readWorkflows(ctx context.Context) error {
	p := o.State.progress(o.State.Read, string(workflowsRead))
	for !p.Done {
		offset, _ := strconv.Atoi(p.Cursor)
		var answer struct {
			Workflows []json.RawMessage
		}
		query := url.Values{"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(offset)}, "orderBy": {"createdAt"}, "orderDirection": {"ASC"}}
		if err := o.Source.get(ctx, "/v2/workflows", query, &answer); err != nil {
			return err
		}
		if len(answer.Workflows) > 0 && p.Visited.again(fingerprint(answer.Workflows[0])) {
			return errCycle // it does not heed the offset
		}
		next := strconv.Itoa(offset + len(answer.Workflows))
		if err := o.copied(workflowsRead, answer.Workflows, next, len(answer.Workflows) == 0); err != nil {
			return err
		}
	}
	return nil
}

// fingerprint is what the state keeps of an item.
func fingerprint(item json.RawMessage) string {
	sum := sha256.Sum256(item)
	return hex.EncodeToString(sum[:])
}

// errCycle is why a list is not read on.
var errCycle = errors.New("its pages come back to one that was read before, so that the list has no end; " +
	"ask whoever runs the deployment, or import an export folder instead")

func (o ReadOptions) readEndpoints(ctx context.Context) error {
	p := o.State.progress(o.State.Read, string(endpointsRead))
	for !p.Done {
		page, err := o.Source.page(ctx, "/v1/channel-endpoints", p.Cursor)
		if err != nil {
			return err
		}
		next := ""
		if page.Next != nil {
			if next = *page.Next; p.Visited.again(next) {
				return errCycle
			}
		}
		if err := o.copied(endpointsRead, page.Data, next, next == ""); err != nil {
			return err
		}
	}
	return nil
}

// copied appends a page to the file of a kind and notes it.
func (o ReadOptions) copied(to file, lines []json.RawMessage, cursor string, done bool) error {
	if err := o.append(to, lines); err != nil {
		return err
	}
	p := o.State.progress(o.State.Read, string(to))
	p.Cursor, p.Done = cursor, done
	if o.Progress != nil && len(lines) > 0 {
		o.Progress(string(to), len(lines))
	}
	return o.State.store()
}

// findSubscribers writes the subscribers whom the channel endpoints name and subscribers.ndjson does not. Of each it remembers
// eight bytes.
func (o ReadOptions) findSubscribers() error {
	p := o.State.progress(o.State.Read, string(subscribersRead))
	if p.Done {
		return nil
	}
	seed, known := maphash.MakeSeed(), map[uint64]bool{}
	if err := o.eachPage(subscribers, func(lines []Line) error {
		for _, l := range lines {
			known[maphash.String(seed, subscriberOf(l))] = true
		}
		return nil
	}); err != nil {
		return err
	}
	size := int64(0)
	find := func(lines []Line) (err error) {
		var found []json.RawMessage
		for _, l := range lines {
			id := subscriberOf(l)
			if hash := maphash.String(seed, id); id != "" && !known[hash] {
				known[hash] = true
				found = append(found, json.RawMessage(text(map[string]any{"subscriberId": id})))
			}
		}
		if len(found) > 0 {
			size, err = o.Folder.appendAt(subscribersRead, size, found)
		}
		return err
	}
	for _, of := range []file{endpointsRead, endpoints} {
		if err := o.eachPage(of, find); err != nil {
			return err
		}
	}
	p.Size, p.Done = size, true
	return o.State.store()
}

// eachPage passes the lines of a file, page by page.
func (o ReadOptions) eachPage(of file, do func([]Line) error) error {
	for at, done := (Position{}), false; !done; {
		lines, next, err := o.Folder.page(of, at)
		if err != nil {
			return err
		}
		if err := do(lines); err != nil {
			return err
		}
		at, done = next, len(lines) < pageSize
	}
	return nil
}

func subscriberOf(l Line) string {
	var named struct {
		SubscriberID string `json:"subscriberId"`
	}
	_ = l.decode(&named) // what is malformed names no subscriber, and is reported by the import
	return named.SubscriberID
}

// readSubscribers copies the subscriptions and the preferences of each subscriber.
func (o ReadOptions) readSubscribers(ctx context.Context) error {
	for _, of := range []file{subscribers, subscribersRead} {
		p := o.State.progress(o.State.Read, "of "+string(of))
		for !p.Done {
			lines, next, err := o.Folder.page(of, p.Position)
			if err != nil {
				return err
			}
			read, err := parallel(ctx, o.Concurrency, lines, func(ctx context.Context, l Line) ([]ofSubscriber, error) {
				one, err := o.Source.subscriber(ctx, subscriberOf(l))
				return []ofSubscriber{one}, err
			})
			if err != nil {
				return err
			}
			if err := allFailed(read); err != nil {
				return err
			}
			if err := o.keep(ctx, read); err != nil {
				return err
			}
			p.Position, p.Done = next, len(lines) < pageSize
			if err := o.State.note(refusedOf(read)); err != nil {
				return err
			}
			if o.Progress != nil && len(lines) > 0 {
				o.Progress(string(of), len(lines))
			}
		}
	}
	return nil
}

// ofSubscriber is what was read of one subscriber: preferences, and the first page of subscriptions.
type ofSubscriber struct {
	id            string
	failed        error // why not all of it was read
	subscriptions cursorPage
	preferences   []json.RawMessage
}

func refusedOf(read []ofSubscriber) (items []Item) {
	for _, one := range read {
		reason := ""
		switch {
		case one.failed == nil:
			continue
		case unknown(one.failed):
			reason = "the deployment does not know the subscriber"
		default:
			reason = one.failed.Error()
		}
		items = append(items, Item{Kind: "subscriptions and preferences", Name: one.id, Result: Refused, Reason: reason})
	}
	return items
}

// fewSubscribers is up to how many may all fail without a doubt about the deployment.
const fewSubscribers = 10

// allFailed is the error of a page of subscribers of whom none could be read: that is not about them.
func allFailed(read []ofSubscriber) error {
	for _, one := range read {
		if one.failed == nil || unknown(one.failed) {
			return nil
		}
	}
	if len(read) < fewSubscribers {
		return nil
	}
	return read[0].failed
}

// keep appends what was read of a page of subscribers, and reads the further subscriptions of those who have more than a page,
// one page after the other. The state is stored with their position, by the caller.
func (o ReadOptions) keep(ctx context.Context, read []ofSubscriber) (err error) {
	var list, wishes []json.RawMessage
	for _, one := range read {
		list = append(list, one.subscriptions.Data...)
		wishes = append(wishes, one.preferences...)
	}
	if err := o.append(subscriptionsRead, list); err != nil {
		return err
	}
	if err := o.append(preferencesRead, wishes); err != nil {
		return err
	}
	for i, one := range read {
		var cursors visited
		for next := one.subscriptions.Next; next != nil; {
			if cursors.again(*next) {
				return errCycle
			}
			page, err := o.Source.page(ctx, subscriptionsOf(one.id), *next)
			if unknown(err) {
				break // deleted since its first page
			}
			if ofOne(err) {
				read[i].failed = err
				break
			}
			if err != nil {
				return err
			}
			if err := o.append(subscriptionsRead, page.Data); err != nil {
				return err
			}
			next = page.Next
		}
	}
	return nil
}

// append writes lines behind those that were written to a file so far.
func (o ReadOptions) append(to file, lines []json.RawMessage) (err error) {
	p := o.State.progress(o.State.Read, string(to))
	p.Size, err = o.Folder.appendAt(to, p.Size, lines)
	return err
}
