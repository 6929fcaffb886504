// Package httpstep renders the HTTP requests of custom steps, sends them and reads the answers. Which run sends one when, and what
// becomes of the run, is decided in package run.
package httpstep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

// Timeout is how long a request may take unless its step says otherwise.
const Timeout = 10 * time.Second

// maxHeaders bounds the rendered headers of a request, in bytes.
const maxHeaders = 64 << 10

// maxResponse is how many bytes of an answer later steps can see.
const maxResponse = 64 << 10

// Call is one request under way.
type Call struct {
	Timeout time.Duration
	Request *provider.Request
	Hide    func(string) string // replaces secret variables, which the server may echo
}

// Source is what the request of a step shows beside what templates see.
type Source struct {
	TransactionID, Workflow string
	Step                    *workflow.Step
}

// Render renders the request of a custom step. env holds the variables with the secret ones, which only its headers see.
func Render(ctx context.Context, texts *render.Engine, of Source, view render.Vars, env map[string]any) (*provider.Request, error) {
	c, vars := of.Step.Custom, view.Bind()
	target, err := texts.URL(ctx, c.URL, vars)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	request := &provider.Request{
		Method: cmp.Or(c.Method, http.MethodPost), URL: strings.ReplaceAll(strings.TrimSpace(target), " ", "%20"), Origin: provider.OriginTarget,
		Header: http.Header{},
	}
	view.Env = env
	headers, left := view.Bind(), maxHeaders
	for name, value := range c.Headers {
		text, err := texts.Text(ctx, value, headers)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", name, err)
		}
		if left -= len(name) + len(text); left < 0 {
			return nil, fmt.Errorf("the headers have more than %d KiB", maxHeaders>>10)
		}
		request.Header.Set(name, text)
	}
	switch {
	case c.Body != "":
		body, err := texts.Text(ctx, c.Body, vars)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		request.Body = provider.Raw{ContentType: "application/json", Data: []byte(body)}
	case request.Method != http.MethodGet:
		request.Body = &provider.JSON{Root: map[string]any{
			"transactionId": of.TransactionID, "workflow": of.Workflow, "stepId": of.Step.StepID,
			"subscriber": view.Subscriber, "payload": view.Payload, "actor": view.Actor, "tenant": view.Tenant,
			"context": view.Context, "steps": view.Steps,
		}}
	}
	return request, nil
}

// read reads an answer. One that is no JSON, or that the database does not take, is nothing: the request has arrived, and would be sent
// again and again if the run could not be stored.
func read(body []byte) (response any) {
	if !json.Valid(body) {
		return nil
	}
	storable, err := shape.StorableJSON(body)
	if err != nil || jsonnum.Unmarshal(storable, &response) != nil {
		return nil
	}
	return response
}

// Send sends one request. The answer is JSON, or nothing.
func (c *Call) Send(ctx context.Context, s *state.Shared) (response any, failure *provider.Error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	started, outcome := time.Now(), workflow.AttemptAccepted
	answer, err := s.Callbacks.Do(ctx, c.Request)
	switch {
	case err != nil:
		failure = state.AsProviderError(err)
	case !answer.OK():
		failure = answer.Failure("", "")
	case answer.Broken || len(answer.Body) > maxResponse:
		failure = provider.Failf(provider.Permanent, "the answer is longer than %d KiB or was cut off", maxResponse>>10)
	default:
		response = read(answer.Body)
	}
	if failure != nil {
		outcome = workflow.AttemptRejected
		if failure.Class == provider.Unknown {
			outcome = workflow.AttemptUnknown
		}
	}
	s.Meter.Attempt("custom", string(outcome), failure.ClassName(), time.Since(started))
	if failure != nil {
		hidden := *failure
		hidden.Text, hidden.Code = c.Hide(failure.Text), c.Hide(failure.Code)
		return nil, &hidden
	}
	return state.MapTexts(response, c.Hide), nil
}
