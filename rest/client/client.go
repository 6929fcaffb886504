// Package client calls the documented routes of a Carillon from Go. Its types and the method for each route are generated
// from the OpenAPI document; this part adds the address, the key, idempotency keys, retries and typed errors. It needs the
// standard library only.
//
// Every POST and PATCH carries an idempotency key, the same on each retry, so that a request whose answer was lost is never
// carried out twice. Pass one of your own with WithIdempotencyKey when the program itself may start again.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/carillon/carillon/graph/client/retry"
)

// Client calls one Carillon with one key of an environment. It may be used concurrently.
type Client struct {
	base   string
	sender retry.Sender
}

// Option changes how a Client works.
type Option func(*Client)

// WithHTTPClient sends single attempts through h; http.DefaultClient without it.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.sender.HTTP = h } }

// WithRetries replaces the attempts and the waits between them; the key and the HTTP client of policy do not count.
func WithRetries(policy retry.Sender) Option {
	return func(c *Client) {
		c.sender.Attempts, c.sender.Backoff, c.sender.MaxWait = policy.Attempts, policy.Backoff, policy.MaxWait
	}
}

// New returns a client of the Carillon at address, such as https://notify.example.com, with an API key of an environment.
func New(address, key string, opts ...Option) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address %q is not like https://notify.example.com", address)
	}
	c := &Client{base: strings.TrimSuffix(address, "/"), sender: retry.Sender{Key: key}}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

// CallOption changes a single call.
type CallOption func(*http.Request)

// WithIdempotencyKey makes a POST or PATCH repeatable under a key of the caller's, at most 255 characters and unique within
// the organization. Without it each call has a new one.
func WithIdempotencyKey(key string) CallOption { return WithHeader(retry.IdempotencyKey, key) }

// WithHeader adds a header, such as X-Request-Id or traceparent.
func WithHeader(name, value string) CallOption {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// request is a call of a route.
type request struct {
	method    string
	path      string // with parameters in braces
	arguments []string
	query     url.Values
	body      any // nil: none
}

// target is the address of the request below base.
func (r request) target(base string) string {
	path := r.path
	for _, argument := range r.arguments {
		before, after, _ := strings.Cut(path, "{")
		_, after, _ = strings.Cut(after, "}")
		path = before + url.PathEscape(argument) + after
	}
	if len(r.query) > 0 {
		path += "?" + r.query.Encode()
	}
	return base + path
}

// call sends a request and reads the answer into a T.
func call[T any](ctx context.Context, c *Client, r request, opts []CallOption) (answer T, err error) {
	var body io.Reader
	if r.body != nil {
		raw, err := json.Marshal(r.body)
		if err != nil {
			return answer, fmt.Errorf("encode the request: %w", err)
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.target(c.base), body)
	if err != nil {
		return answer, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, o := range opts {
		o(req)
	}
	resp, err := c.sender.Do(req)
	if err != nil {
		return answer, err //nolint:wrapcheck // names the method and the address
	}
	raw, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return answer, fmt.Errorf("%s %s: read the answer: %w", r.method, r.path, err)
	}
	if resp.StatusCode/100 != 2 {
		return answer, newAPIError(r, resp, raw)
	}
	if err := json.Unmarshal(withoutEnvelope(raw), &answer); err != nil {
		return answer, fmt.Errorf("%s %s: read the answer: %w", r.method, r.path, err)
	}
	return answer, nil
}

// withoutEnvelope takes the envelope {"data": …} from an answer, into which a service puts all of them that is told so by its setting
// CARILLON_RESPONSE_WRAPPER. No answer has data as its only member by itself.
func withoutEnvelope(raw []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) == nil && len(members) == 1 && members["data"] != nil {
		return members["data"]
	}
	return raw
}

// addQuery adds a parameter, once for each item of a list.
func addQuery(q url.Values, name string, value any) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		q.Add(name, fmt.Sprint(value))
		return
	}
	for i := range v.Len() {
		q.Add(name, fmt.Sprint(v.Index(i)))
	}
}
