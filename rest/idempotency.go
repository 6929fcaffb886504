package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/triggers"
)

// idempotencyKey is the key of a request to which keys apply; "" when it has none or none applies.
func idempotencyKey(r *request) string {
	if r.viewer.APIKeyID == "" || r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return ""
	}
	return intake.IdempotencyKey(r.Header)
}

// underKey runs the operation at most once for its key, and answers a repetition with the reply of the first request.
func (s *server) underKey(r *request, key string) (*Reply, error) {
	use, err := s.Resolvers.Services.Idempotency.Claim(r.Context(), key, fingerprint(r.in))
	if err != nil {
		return nil, err
	}
	// The caller may leave: the write is finished all the same, so that a repetition finds its reply.
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.Context()), triggers.MaxRun, fmt.Errorf("not done within %s", triggers.MaxRun))
	defer cancel()
	run := func(ctx context.Context) (*Reply, error) { return r.route.run(s, ctx, r.in) }
	if r.route.accepts() { // its events take the key in passing
		r.in.use = use
		reply, err := call(func() (*Reply, error) { return run(ctx) })
		var replay *triggers.ReplayError
		switch {
		case errors.As(err, &replay):
			return s.repeated(r, replay)
		case use.Stored() != nil:
			r.echoKey()
			return &Reply{Status: use.Stored().Status, raw: use.Stored().Body}, nil
		case use.Off(), ctx.Err() != nil: // or it may happen yet, together with its reply
			return reply, err
		}
		run = func(context.Context) (*Reply, error) { return reply, err }
	}
	held, err := use.Take(ctx)
	var replay *triggers.ReplayError
	switch {
	case errors.As(err, &replay):
		return s.repeated(r, replay)
	case err != nil:
		return nil, err
	case !held: // the organization does without keys
		return run(r.Context())
	}
	r.echoKey()
	reply, err := call(func() (*Reply, error) { return s.once(ctx, use, run) })
	if err == nil {
		return reply, nil
	}
	return s.failedUnderKey(ctx, r, use, err)
}

// echoKey names the key in the reply.
func (r *request) echoKey() {
	r.header.Set(intake.HeaderKey, intake.SentKey(r.Header))
}

// repeated answers a request whose key another one has: with the reply of that, or with the error that says why not.
func (s *server) repeated(r *request, replay *triggers.ReplayError) (*Reply, error) {
	r.echoKey()
	if replay.Reply == nil {
		return nil, replay.Reason
	}
	r.header.Set(intake.HeaderReplay, "true")
	return &Reply{Status: replay.Reply.Status, raw: replay.Reply.Body}, nil
}

// once runs an operation; its reply commits with its effect.
func (s *server) once(ctx context.Context, use *triggers.KeyUse, run func(context.Context) (*Reply, error)) (*Reply, error) {
	stored, err := use.Run(ctx, func(ctx context.Context) (triggers.StoredReply, error) {
		reply, err := run(ctx)
		if err != nil {
			return triggers.StoredReply{}, err
		}
		return s.rendered(reply)
	})
	return &Reply{Status: stored.Status, raw: stored.Body}, err
}

// failedUnderKey stores the answer of an operation that changed nothing, when it is one that a repetition would get again
// (decisions.md §15, Stored); else the key is free again.
func (s *server) failedUnderKey(ctx context.Context, r *request, use *triggers.KeyUse, err error) (*Reply, error) {
	switch fault.KindOf(err) {
	case fault.Internal, fault.Invalid, fault.BadRequest, fault.NotFound:
		status, body := s.present(r, err)
		if kept := use.Keep(ctx, triggers.StoredReply{Status: status, Body: body}); kept != nil {
			s.Logger.WarnContext(ctx, "reply not stored under its idempotency key", slog.Any("error", kept))
		}
		r.note("error", err.Error())
		return &Reply{Status: status, raw: body}, nil
	default:
		if ctx.Err() != nil { // it may happen yet: the key stays taken until that is over
			return nil, err
		}
		if freed := use.Release(ctx); freed != nil {
			s.Logger.WarnContext(ctx, "idempotency key not released", slog.Any("error", freed))
		}
		return nil, err
	}
}

// rendered is a reply as it is sent and stored.
func (s *server) rendered(reply *Reply) (triggers.StoredReply, error) {
	body, err := s.encode(reply)
	return triggers.StoredReply{Status: reply.Status, Body: body}, err
}

// accepting lets events be stored together with the reply that reports them, when the request has an idempotency key, and once its
// viewer is confirmed, when that is assumed.
func (in *Input) accepting(reply func([]*triggers.TriggerResult) *Reply) (options []triggers.TriggerOption) {
	if in.use != nil {
		options = append(options, triggers.WithIdempotency(in.use, func(results []*triggers.TriggerResult) (triggers.StoredReply, error) {
			return in.request.server.rendered(reply(results))
		}))
	}
	if in.request.assumed != nil {
		options = append(options, triggers.WithCredential(in.request.assumed))
	}
	return options
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// fingerprint distinguishes requests under one key: a hash over method, path, environment and the body as parsed.
func fingerprint(in *Input) []byte {
	parts := []any{in.request.Method, in.request.route.Pattern, in.request.viewer.EnvironmentID}
	for _, name := range pathParameter.FindAllStringSubmatch(in.request.route.Pattern, -1) {
		parts = append(parts, in.Param(name[1]))
	}
	decoder := json.NewDecoder(bytes.NewReader(in.Body))
	decoder.UseNumber()
	var body any
	_ = decoder.Decode(&body) // an object: readInput saw to it
	return intake.Fingerprint(append(parts, body)...)
}
