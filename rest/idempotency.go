package rest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
)

// The headers of idempotency keys (decisions.md §15).
const (
	headerKey    = "Idempotency-Key"
	headerReplay = "Idempotency-Replay"
)

// idempotencyKey is the key of a request to which keys apply; "" when it has none or none applies.
func idempotencyKey(r *request) string {
	if r.viewer.APIKeyID == "" || r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return ""
	}
	key := strings.Trim(r.Header.Get(headerKey), " \t")
	if utf8.ValidString(key) {
		return key
	}
	var latin strings.Builder // what a header of bytes has always meant
	for _, b := range []byte(key) {
		latin.WriteRune(rune(b))
	}
	return latin.String()
}

// underKey runs the operation at most once for its key, and answers a repetition with the reply of the first request.
func (s *server) underKey(r *request, key string) (*Reply, error) {
	use, replay, err := s.Resolvers.Services.Idempotency.Take(r.Context(), key, fingerprint(r.in))
	if k := fault.KindOf(err); use != nil || replay != nil || k == fault.Conflict || k == fault.Invalid {
		r.header.Set(headerKey, strings.Trim(r.Header.Get(headerKey), " \t"))
	}
	switch {
	case err != nil:
		return nil, err
	case replay != nil:
		r.header.Set(headerReplay, "true")
		return &Reply{Status: replay.Status, raw: replay.Body}, nil
	case use == nil: // the organization does without keys
		return r.route.run(s, r.Context(), r.in)
	}
	// The caller may leave: the write is finished all the same, so that a repetition finds its reply.
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.Context()), notify.MaxRun, fmt.Errorf("not done within %s", notify.MaxRun))
	defer cancel()
	reply, err := call(func() (*Reply, error) { return s.once(ctx, r, use) })
	if err == nil {
		return reply, nil
	}
	return s.failedUnderKey(ctx, r, use, err)
}

// once runs the operation; its reply commits with its effect.
func (s *server) once(ctx context.Context, r *request, use *notify.KeyUse) (*Reply, error) {
	if !r.route.accepts() {
		stored, err := use.Run(ctx, func(ctx context.Context) (notify.StoredReply, error) {
			reply, err := r.route.run(s, ctx, r.in)
			if err != nil {
				return notify.StoredReply{}, err
			}
			return s.rendered(reply)
		})
		return &Reply{Status: stored.Status, raw: stored.Body}, err
	}
	r.in.use = use
	reply, err := r.route.run(s, ctx, r.in)
	if err != nil {
		return nil, err
	}
	stored := use.Stored()
	if stored == nil { // no event came so far as to be accepted
		body, err := s.rendered(reply)
		if err != nil {
			return nil, err
		}
		if err := use.Keep(ctx, body); err != nil {
			return nil, err
		}
		stored = &body
	}
	return &Reply{Status: stored.Status, raw: stored.Body}, nil
}

// failedUnderKey stores the answer of an operation that changed nothing, when it is one that a repetition would get again
// (decisions.md §15, Stored); else the key is free again.
func (s *server) failedUnderKey(ctx context.Context, r *request, use *notify.KeyUse, err error) (*Reply, error) {
	switch fault.KindOf(err) {
	case fault.Internal, fault.Invalid, fault.BadRequest, fault.NotFound:
		status, body := s.present(r, err)
		if kept := use.Keep(ctx, notify.StoredReply{Status: status, Body: body}); kept != nil {
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
func (s *server) rendered(reply *Reply) (notify.StoredReply, error) {
	body, err := s.encode(reply)
	return notify.StoredReply{Status: reply.Status, Body: body}, err
}

// accepting lets events be stored together with the reply that tells of them, when the request has a key.
func (in *Input) accepting(ctx context.Context, reply func([]*notify.TriggerResult) *Reply) context.Context {
	if in.use == nil {
		return ctx
	}
	return in.use.Accepting(ctx, func(results []*notify.TriggerResult) (notify.StoredReply, error) {
		return in.request.server.rendered(reply(results))
	})
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// fingerprint tells requests under one key apart: a hash over method, path, environment and the body as parsed.
func fingerprint(in *Input) []byte {
	parts := []any{in.request.Method, in.request.route.Pattern, in.request.viewer.EnvironmentID}
	for _, name := range pathParameter.FindAllStringSubmatch(in.request.route.Pattern, -1) {
		parts = append(parts, in.Param(name[1]))
	}
	decoder := json.NewDecoder(bytes.NewReader(in.Body))
	decoder.UseNumber()
	var body any
	_ = decoder.Decode(&body)                                           // an object: readInput saw to it
	canonical, _ := json.Marshal(append(parts, canonicalNumbers(body))) // decoded JSON always encodes
	sum := sha256.Sum256(canonical)
	return sum[:]
}

// canonicalNumbers spells equal numbers of a document equally: 1, 1.0 and 1e0.
func canonicalNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = canonicalNumbers(member)
		}
	case []any:
		for i, item := range v {
			v[i] = canonicalNumbers(item)
		}
	case json.Number:
		return canonicalNumber(v)
	}
	return v
}

// canonicalNumber is a number as its digits and a power of ten, exact however long it is: payloads keep every digit, so
// numbers that differ in one are different bodies.
func canonicalNumber(n json.Number) json.Number {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	unsigned := strings.TrimPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power, err := strconv.Atoi(cmp.Or(exponent, "0"))
	switch {
	case digits == "":
		return "0"
	case err != nil: // no number that could be stored
		return n
	}
	short := strings.TrimRight(digits, "0")
	power += len(digits) - len(short) - len(fraction)
	return json.Number(mantissa[:len(mantissa)-len(unsigned)] + short + "e" + strconv.Itoa(power))
}
