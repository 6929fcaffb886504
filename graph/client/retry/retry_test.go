package retry_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/client/retry"
)

// script answers attempts in turn: a status, whose body breaks off where it is negative, or an error for 0.
type script struct {
	answers []int
	after   string // Retry-After of failures
	err     error
	keys    []string
	bodies  []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
	}
	s.bodies, s.keys = append(s.bodies, body), append(s.keys, r.Header.Get("Idempotency-Key"))
	status := s.answers[len(s.bodies)-1]
	if status == 0 {
		return nil, s.err
	}
	answer := io.Reader(strings.NewReader("answer"))
	if status < 0 {
		status, answer = -status, io.MultiReader(strings.NewReader("ans"), iotest.ErrReader(s.err))
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(answer)}
	if s.after != "" && status != http.StatusOK {
		resp.Header.Set("Retry-After", s.after)
	}
	return resp, nil
}

var (
	errLost    = errors.New("the connection broke")
	errNoRoute = &net.OpError{Op: "dial", Err: errors.New("refused")}
)

func TestWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method   string
		once     bool
		after    string
		answers  []int
		err      error
		attempts int
	}{
		"success":                     {http.MethodPost, false, "", []int{201}, nil, 1},
		"lost answer":                 {http.MethodPost, false, "", []int{0, 201}, errLost, 2},
		"an answer that breaks off":   {http.MethodGet, false, "", []int{-200, 200}, errLost, 2},
		"all answers break off":       {http.MethodPost, false, "", []int{-201, -201, -201, -201, -201, 201}, errLost, 5},
		"a failure that breaks off":   {http.MethodPost, false, "", []int{-503, 201}, errLost, 2},
		"proxies and maintenance":     {http.MethodPatch, false, "", []int{502, 503, 504, 200}, nil, 4},
		"rate limit":                  {http.MethodGet, false, "0", []int{429, 200}, nil, 2},
		"still being processed":       {http.MethodPost, false, "1", []int{409, 409, 201}, nil, 3},
		"a conflict":                  {http.MethodPost, false, "", []int{409}, nil, 1},
		"a failure that is stored":    {http.MethodPost, false, "", []int{500}, nil, 1},
		"a refusal":                   {http.MethodPost, false, "", []int{422}, nil, 1},
		"the bound":                   {http.MethodDelete, false, "", []int{503, 503, 503, 503, 503, 200}, nil, 5},
		"a wait that is too long":     {http.MethodPost, false, "3", []int{429, 200}, nil, 1},
		"once: lost answer":           {http.MethodPost, true, "", []int{0, 200}, errLost, 1},
		"once: broken-off answer":     {http.MethodPost, true, "", []int{-200, 200}, errLost, 1},
		"once: unavailable":           {http.MethodPost, true, "", []int{503, 200}, nil, 1},
		"once: rate limit":            {http.MethodPost, true, "", []int{429, 200}, nil, 2},
		"once: there is no way to it": {http.MethodPost, true, "", []int{0, 200}, errNoRoute, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: c.answers, after: c.after, err: c.err}
			sender := retry.Sender{Key: "KEY", HTTP: &http.Client{Transport: s}, Backoff: time.Microsecond, MaxWait: 2 * time.Second}
			req, err := http.NewRequestWithContext(t.Context(), c.method, "http://x/", strings.NewReader("question"))
			require.NoError(t, err)
			do := sender.Do
			if c.once {
				do = sender.DoOnce
			}
			resp, err := do(req)
			if last := c.answers[c.attempts-1]; last <= 0 {
				require.ErrorIs(t, err, c.err)
			} else {
				require.NoError(t, err)
				require.Equal(t, last, resp.StatusCode)
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.Equal(t, "answer", string(body))
				require.NoError(t, resp.Body.Close())
			}
			require.Len(t, s.bodies, c.attempts)
			for i, body := range s.bodies {
				require.Equal(t, "question", body)
				require.Equal(t, s.keys[0], s.keys[i])
			}
			require.Equal(t, !c.once && (c.method == http.MethodPost || c.method == http.MethodPatch), s.keys[0] != "")
			require.Equal(t, "ApiKey KEY", req.Header.Get("Authorization"))
		})
	}
}

func TestKeysOfTheCallerStay(t *testing.T) {
	t.Parallel()
	s := &script{answers: []int{201}}
	sender := retry.Sender{HTTP: &http.Client{Transport: s}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/", nil)
	require.NoError(t, err)
	req.Header.Set(retry.IdempotencyKey, "mine")
	resp, err := sender.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, []string{"mine"}, s.keys)
	require.Empty(t, req.Header.Get("Authorization"))
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &script{answers: []int{503, 200}, after: "29"}
	sender := retry.Sender{HTTP: &http.Client{Transport: s}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x/", nil)
	require.NoError(t, err)
	time.AfterFunc(10*time.Millisecond, func() { cancel(reason) })
	_, err = sender.Do(req) //nolint:bodyclose // an error
	require.ErrorIs(t, err, reason)
	require.Len(t, s.bodies, 1)
}
