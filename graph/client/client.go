// Package client runs the common GraphQL operations of a Carillon from Go: triggers, subscribers, topics, tokens for inboxes,
// messages, and why a notification took the way it took. The operations are in operations.graphql, and genqlient makes a typed
// function of each; this part adds the address, the key, retries and typed errors. For operations of your own run genqlient on
// /graphql/schema.graphql and pass a Client to the functions that it makes.
//
// Operations are repeated after network errors and when the service is not available. A mutation carries an idempotency key, so that it
// is carried out once however often it is sent, and each attempt gets the same answer. In an organization that does without keys
// send mutations other than Trigger and Broadcast with one attempt (WithRetries).
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/client/retry"
)

// Client calls one Carillon with one key of an environment. It may be used concurrently. It is a graphql.Client.
type Client struct {
	address string
	sender  retry.Sender
}

var _ graphql.Client = (*Client)(nil)

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
	c := &Client{address: strings.TrimSuffix(address, "/") + "/graphql", sender: retry.Sender{Key: key}}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

// MakeRequest runs an operation. Generated functions call it. Its error is an *Error, or several of them joined, when the
// service answered.
func (c *Client) MakeRequest(ctx context.Context, req *graphql.Request, resp *graphql.Response) error {
	return typed(graphql.NewClient(c.address, doer(c.sender.Do)).MakeRequest(ctx, req, resp))
}

// doer is a graphql.Doer.
type doer func(*http.Request) (*http.Response, error)

// Do sends the request.
func (d doer) Do(req *http.Request) (*http.Response, error) { return d(req) }

// Trigger accepts an event for the recipients it names. An event without a transactionId gets one, so that it is accepted once
// however often it is sent.
func (c *Client) Trigger(ctx context.Context, input TriggerEventInput) (*TriggerOutcome, error) {
	input.TransactionId = cmp.Or(input.TransactionId, new(rand.Text()))
	answer, err := TriggerEvent(ctx, c, &input)
	if err != nil {
		return nil, err
	}
	return answer.TriggerEvent.Result, nil
}

// Broadcast accepts an event for all subscribers that exist now, once, as Trigger does.
func (c *Client) Broadcast(ctx context.Context, input BroadcastEventInput) (*TriggerOutcome, error) {
	input.TransactionId = cmp.Or(input.TransactionId, new(rand.Text()))
	answer, err := BroadcastEvent(ctx, c, &input)
	if err != nil {
		return nil, err
	}
	return answer.BroadcastEvent.Result, nil
}

// UpsertSubscriber creates a subscriber, or changes the one that has its subscriberId: members that are nil stay as they are.
func (c *Client) UpsertSubscriber(ctx context.Context, input CreateSubscriberInput) (*SubscriberProfile, error) {
	created, err := CreateSubscriber(ctx, c, &input)
	if err == nil {
		return created.CreateSubscriber.Subscriber, nil
	}
	if Code(err) != CodeAlreadyExists {
		return nil, err
	}
	known, err := GetSubscriber(ctx, c, input.SubscriberId)
	if err != nil {
		return nil, err
	}
	update := UpdateSubscriberInput{Id: known.SubscriberBySubscriberId.Id}
	raw, err := json.Marshal(input)
	if err == nil {
		same := json.NewDecoder(bytes.NewReader(raw)) // all members but the identifiers have the same names
		same.UseNumber()                              // data may hold whole numbers that a double cannot
		err = same.Decode(&update)
	}
	if err != nil {
		return nil, fmt.Errorf("make the change of the creation: %w", err)
	}
	changed, err := UpdateSubscriber(ctx, c, &update)
	if err != nil {
		return nil, err
	}
	return changed.UpdateSubscriber.Subscriber, nil
}

// The codes of errors that programs ask for.
const (
	CodeNotFound      = "NOT_FOUND"
	CodeAlreadyExists = "ALREADY_EXISTS"
	CodeValidation    = "VALIDATION"
)

// Error is one error of an answer.
type Error struct {
	// Message says what went wrong, in words.
	Message string
	// Code is stable, such as NOT_FOUND; "" when the answer is none of the service's.
	Code string
	// Fields are the problems of the input.
	Fields []FieldError
	// ErrorID names a failure of the service in its log.
	ErrorID string
	// Path is the field of the operation that failed, such as triggerEvent.
	Path string
	// StatusCode is the HTTP status.
	StatusCode int
}

// FieldError is what is wrong with one field of the input.
type FieldError struct{ Path, Message string }

// Error is the field of the operation, the message, the code and the problems of the input that the message does not name.
func (e *Error) Error() string {
	text := e.Message
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	for _, f := range e.Fields {
		if one := f.Path + ": " + f.Message; !strings.Contains(e.Message, one) {
			text += "; " + one
		}
	}
	return text
}

// Code is the code of the first error of an answer; "" when err is none.
func Code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// typed makes Errors of what genqlient reports.
func typed(err error) error {
	status, list := http.StatusOK, gqlerror.List(nil)
	var refused *graphql.HTTPError
	switch {
	case errors.As(err, &refused):
		status, list = refused.StatusCode, refused.Response.Errors
		if len(list) == 0 {
			list = gqlerror.List{{Message: http.StatusText(status)}}
		}
	case !errors.As(err, &list):
		return err
	}
	all := make([]error, len(list))
	for i, e := range list {
		one := &Error{Message: e.Message, Path: e.Path.String(), StatusCode: status}
		one.Code, _ = e.Extensions["code"].(string)
		one.ErrorID, _ = e.Extensions["errorId"].(string)
		fields, _ := e.Extensions["fields"].([]any)
		for _, field := range fields {
			if f, ok := field.(map[string]any); ok {
				one.Fields = append(one.Fields, FieldError{fmt.Sprint(f["path"]), fmt.Sprint(f["message"])})
			}
		}
		all[i] = one
	}
	return errors.Join(all...)
}
