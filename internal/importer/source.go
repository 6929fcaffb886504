package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// cursorPage is the documented envelope of lists by cursor.
type cursorPage struct {
	Data []json.RawMessage
	Next *string
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
