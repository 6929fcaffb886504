// Package retry sends the requests of the clients of both doors: with the API key, with an idempotency key where one
// counts, and again when an attempt had no answer or one that asks for another try. It uses the standard library only.
package retry

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	randv2 "math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

// The defaults of a Sender.
const (
	DefaultAttempts = 5
	DefaultBackoff  = 200 * time.Millisecond
	DefaultMaxWait  = 30 * time.Second
)

// IdempotencyKey is the header that makes a POST or PATCH of the REST API repeatable (decisions.md §15).
const IdempotencyKey = "Idempotency-Key"

// Sender sends requests. The zero value works without a key.
type Sender struct {
	// Key is an API key of an environment.
	Key string
	// HTTP sends single attempts; nil: http.DefaultClient.
	HTTP *http.Client
	// Attempts is how often a request is sent at most, the first time included; 0: DefaultAttempts.
	Attempts int
	// Backoff bounds the wait before the second attempt, and doubles with each further one; 0: DefaultBackoff. The wait is a
	// random part of its bound (full jitter).
	Backoff time.Duration
	// MaxWait bounds every wait. An answer that asks for a longer one by Retry-After is returned; 0: DefaultMaxWait.
	MaxWait time.Duration
}

// Do sends a request whose repetition does no harm: one that only reads, that deletes, or that carries an idempotency key,
// which Do adds to each POST and PATCH that has none. It repeats the request after a network error and after the statuses
// 409 with Retry-After (the first attempt is still being processed), 429, 502, 503 and 504. It returns the last answer, or
// the last error when there was no answer.
func (s *Sender) Do(req *http.Request) (*http.Response, error) {
	if (req.Method == http.MethodPost || req.Method == http.MethodPatch) && req.Header.Get(IdempotencyKey) == "" {
		req.Header.Set(IdempotencyKey, rand.Text())
	}
	return s.send(req, true)
}

// DoOnce sends a request that must not run twice: it is repeated only where it cannot have run, which is when there was no
// connection, or the answer is 429.
func (s *Sender) DoOnce(req *http.Request) (*http.Response, error) { return s.send(req, false) }

func (s *Sender) send(req *http.Request, harmless bool) (*http.Response, error) {
	if s.Key != "" {
		req.Header.Set("Authorization", "ApiKey "+s.Key)
	}
	for attempt := 1; ; attempt++ {
		resp, err := s.attempt(req)
		if attempt == cmp.Or(s.Attempts, DefaultAttempts) || !repeatable(req.Context(), resp, err, harmless) {
			return resp, err
		}
		wait, ok := s.wait(attempt, resp)
		if !ok || req.Body != nil && req.GetBody == nil {
			return resp, err
		}
		if err := sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// attempt sends the request once, with a body of its own, and reads the answer: a success that breaks off is lost like one that never
// came. Of a failure the status says enough.
func (s *Sender) attempt(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("read the body again: %w", err)
		}
		req.Body = body
	}
	resp, err := cmp.Or(s.HTTP, http.DefaultClient).Do(req)
	if err != nil {
		return nil, err //nolint:wrapcheck // a url.Error names method and address
	}
	raw, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil && resp.StatusCode/100 == 2 {
		return nil, fmt.Errorf("%s %s: read the answer: %w", req.Method, req.URL, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	return resp, nil
}

// repeatable reports whether another attempt may end better, and may be made.
func repeatable(ctx context.Context, resp *http.Response, err error, harmless bool) bool {
	if err != nil {
		var dial *net.OpError
		return ctx.Err() == nil && (harmless || errors.As(err, &dial) && dial.Op == "dial")
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusConflict:
		return harmless && resp.Header.Get("Retry-After") != ""
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return harmless
	}
	return false
}

// wait is how long to wait before the next attempt; ok is false when the answer asks for more than MaxWait.
func (s *Sender) wait(attempt int, resp *http.Response) (wait time.Duration, ok bool) {
	most := cmp.Or(s.MaxWait, DefaultMaxWait)
	bound := min(cmp.Or(s.Backoff, DefaultBackoff)<<min(attempt-1, 20), most)
	wait = randv2.N(bound) + 1 //nolint:gosec // jitter, not a secret
	if resp == nil {
		return wait, true
	}
	if asked := After(resp.Header); asked > 0 {
		return asked + wait, asked <= most
	}
	return wait, true
}

// After is how long an answer asks to wait before the next try (Retry-After in seconds); 0: it does not.
func After(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the next attempt: %w", context.Cause(ctx))
	}
}
