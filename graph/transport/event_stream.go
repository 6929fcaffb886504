package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// eventStream answers an operation with server-sent events, each a response. gqlgen's own writes its signs of life beside the
// events, from another goroutine, and would mix the two.
type eventStream struct{ live }

// Supports is true for operations in a body whose sender accepts nothing but a stream of events. httpTransport hands on those that
// are in the address, and subscriptions of a sender that accepts JSON as well, as urql does for every operation: on a stream there is
// no status, no Retry-After, and no log-in without a credential.
func (eventStream) Supports(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == mediaJSON && r.Method == http.MethodPost && acceptsStream(r) && !acceptsJSON(r)
}

func acceptsStream(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

func acceptsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return slices.ContainsFunc([]string{mediaJSON, mediaGraphQL, "*/*"}, func(media string) bool { return strings.Contains(accept, media) })
}

// Do serves one operation.
func (t eventStream) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.open(w, r, nil, exec)
}

// open serves one operation, which it reads from the body unless params has it.
func (t eventStream) open(w http.ResponseWriter, r *http.Request, params *graphql.RawParams, exec graphql.GraphExecutor) {
	ctx, end := context.WithCancel(r.Context())
	defer end()
	ctx, err := t.admit(ctx, r.Header.Get("Authorization"))
	if err != nil {
		WriteError(w, r, err)
		return
	}
	v, _ := viewer.FromContext(ctx)
	seat, err := t.seats.Viewer(v)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	defer seat.Leave()
	if params == nil {
		params, err = t.params(r)
	}
	if err != nil {
		WriteError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy must not gather events
	s := &eventWriter{w: w, control: http.NewResponseController(w), reading: t.reading, end: end}
	defer s.close()
	s.write(":\n\n")
	alive := time.NewTicker(pingEvery)
	defer alive.Stop()
	go func() {
		for {
			select {
			case <-alive.C:
				s.write(": ping\n\n")
			case <-ctx.Done():
				return
			}
		}
	}()
	t.answer(ctx, s, params, exec)
	if ctx.Err() == nil { // else the credential or the server has ended, and a client must not take the operation for completed
		s.write("event: complete\ndata:\n\n")
	}
}

func (t eventStream) params(r *http.Request) (*graphql.RawParams, error) {
	body, err := readJSON(r, t.maxBody)
	if err != nil {
		return nil, err
	}
	params := &graphql.RawParams{Headers: r.Header}
	if err := decode(body, params); err != nil {
		return nil, malformed(err, "The body is not a JSON object with query, operationName and variables, and nothing else.")
	}
	return params, nil
}

func (t eventStream) answer(ctx context.Context, s *eventWriter, params *graphql.RawParams, exec graphql.GraphExecutor) {
	start := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: start, End: start}
	operation, problems := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, operation)
	if len(problems) > 0 {
		s.next(exec.DispatchError(ctx, problems))
		return
	}
	leave, err := t.entrance.enter(ctx, http.Header{}, operation)
	if err != nil {
		s.next(exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}))
		return
	}
	defer leave()
	stream := operation.Operation.Operation == ast.Subscription
	if !stream {
		limited, cancel := context.WithTimeoutCause(ctx, t.timeout, TimedOut{t.timeout})
		defer cancel()
		ctx = limited
	}
	respond, ctx := exec.DispatchOperation(ctx, operation)
	if stream {
		leave()
	}
	for response := respond(ctx); response != nil; response = respond(ctx) {
		if stream {
			s.next(response)
			continue
		}
		if err := finish(operation, leave, intake.Answer(ctx, len(response.Data))); err != nil {
			response = exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)})
		}
		s.next(response)
		return // a query or mutation has one response
	}
}

// eventWriter writes one thing at a time. It ends the stream when the other end takes nothing.
type eventWriter struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	reading time.Duration
	end     func()
	over    bool
}

func (s *eventWriter) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(s.reading)) // a recorder of a test has none
	if _, err := io.WriteString(s.w, text); err != nil || s.control.Flush() != nil {
		s.end()
	}
}

// close ends the writing: the answer belongs to the HTTP server again.
func (s *eventWriter) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

func (s *eventWriter) next(response *graphql.Response) {
	payload, err := json.Marshal(response)
	if err != nil { // a scalar that wrote something other than JSON
		payload = []byte(`{"errors":[{"message":"Internal server error.","extensions":{"code":"INTERNAL"}}]}`)
	}
	s.write(fmt.Sprintf("event: next\ndata: %s\n\n", payload))
}
