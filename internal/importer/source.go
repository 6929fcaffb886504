package importer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/client"
)

// maxAnswer bounds an answer of a deployment, in bytes.
const maxAnswer = 16 << 20

// Source is a deployment of the documented API.
type Source struct {
	address string
	sender  retry.Sender
}

// NewSource returns the deployment at address, such as https://notify.example.com, with an API key of its environment.
func NewSource(address, key string, patience retry.Sender) (*Source, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address %q of the deployment is not like https://notify.example.com", address)
	}
	patience.Key = key
	return &Source{address: strings.TrimSuffix(address, "/"), sender: patience}, nil
}

// NotDocumented is what no documented route reads (api.md, "Endpoints"). It has to be in the folder.
func NotDocumented() []NotRead {
	return []NotRead{
		{"workflow contents", "the list of workflows names their steps, not what they send; write them as files (files.md)"},
		{"layouts, translations, feeds, notification groups", "no documented route reads them; write them as files (files.md)"},
		{"integrations", "no documented route reads them; write them as files, with credentials as ${NAME}"},
		{"subscribers without a channel endpoint, and all profiles", "no documented route lists subscribers; give them in subscribers.ndjson"},
		{"channel settings", "no documented route reads device tokens and webhook addresses; give them in subscribers.ndjson"},
		{"topics without subscriptions", "topics are read with the subscriptions of each subscriber; name the others in topics.yaml"},
		{"what subscriptions say about workflows", "the list of subscriptions leaves it out; give it in subscriptions.ndjson"},
		{"preferences in contexts", "the route reads one context set at a time and none lists them; give them in preferences.ndjson"},
		{"messages and their history", "no documented route reads them"},
	}
}

// statusError is an answer that is no success.
type statusError struct {
	target string
	status int
	text   string
}

func (e *statusError) Error() string {
	hint := map[int]string{
		http.StatusUnauthorized:    "; is the key one of this deployment?",
		http.StatusTooManyRequests: "; it asks to wait longer than this command does: run it again later, it continues",
	}[e.status]
	return fmt.Sprintf("GET %s: status %d: %s%s", e.target, e.status, e.text, hint)
}

// get reads an answer. One that breaks off, or is an internal error, is asked for again.
func (s *Source) get(ctx context.Context, path string, query url.Values, into any) error {
	target := s.address + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	for attempt := 1; ; attempt++ {
		err := s.once(ctx, target, into)
		var refused *statusError
		var odd *formError
		final := errors.As(err, &refused) && refused.status != http.StatusInternalServerError || errors.As(err, &odd)
		if err == nil || final || ctx.Err() != nil || attempt == cmp.Or(s.sender.Attempts, retry.DefaultAttempts) {
			return err
		}
	}
}

func (s *Source) once(ctx context.Context, target string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := s.sender.Do(req)
	if err != nil {
		return err //nolint:wrapcheck // names the address
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	_ = resp.Body.Close()
	switch {
	case err != nil:
		return fmt.Errorf("GET %s: read the answer: %w", target, err)
	case len(raw) > maxAnswer:
		return fmt.Errorf("GET %s: the answer is longer than %d bytes", target, maxAnswer)
	case resp.StatusCode/100 != 2:
		return &statusError{target, resp.StatusCode, string(raw[:min(len(raw), 200)])}
	}
	if err := json.Unmarshal(client.WithoutEnvelope(raw), into); err != nil {
		return &formError{target, raw[:min(len(raw), 200)]}
	}
	return nil
}

// formError is an answer that is not of the documented form.
type formError struct {
	target string
	begins []byte
}

func (e *formError) Error() string {
	return fmt.Sprintf("GET %s: the answer is not of the documented form: %s", e.target, e.begins)
}

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

// cursorPage is the documented envelope of lists by cursor.
type cursorPage struct {
	Data []json.RawMessage
	Next *string
}

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

func (s *Source) page(ctx context.Context, path, after string) (*cursorPage, error) {
	query := url.Values{"limit": {strconv.Itoa(pageSize)}, "orderDirection": {"ASC"}}
	if after != "" {
		query.Set("after", after)
	}
	page := &cursorPage{}
	err := s.get(ctx, path, query, page)
	if page.Next != nil && (*page.Next == after || *page.Next == "") {
		page.Next = nil // the deployment would answer the same page for ever, or the first one
	}
	return page, err
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

func pathOf(subscriberID string) string { return "/v2/subscribers/" + url.PathEscape(subscriberID) }

func subscriptionsOf(subscriberID string) string { return pathOf(subscriberID) + "/subscriptions" }

func (s *Source) subscriber(ctx context.Context, id string) (read ofSubscriber, err error) {
	read.id = id
	if id == "" {
		return read, nil
	}
	page, err := s.page(ctx, subscriptionsOf(id), "")
	var answer map[string]any
	if err == nil {
		read.subscriptions = *page
		err = s.get(ctx, pathOf(id)+"/preferences", url.Values{"criticality": {"all"}}, &answer)
	}
	if ofOne(err) {
		read.failed = err
		return read, nil
	}
	if err != nil {
		return read, err
	}
	if answer == nil { // the deployment answered null
		return read, nil
	}
	answer["subscriberId"] = id
	read.preferences = append(read.preferences, json.RawMessage(text(answer)))
	return read, nil
}

// ofOne reports whether an error is about the subscriber who was asked for, not about the deployment or the key. The others are
// read all the same.
func ofOne(err error) bool {
	var refused *statusError
	if !errors.As(err, &refused) {
		var odd *formError
		return errors.As(err, &odd)
	}
	switch refused.status {
	case http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false
	}
	return true
}

// unknown reports whether a deployment does not know the subscriber that it was asked for.
func unknown(err error) bool {
	var refused *statusError
	return errors.As(err, &refused) && refused.status == http.StatusNotFound
}
