package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is what a run of requests gave.
type load struct {
	took      time.Duration
	latencies []time.Duration // sorted
	p50, p99  time.Duration
}

// perSecond is the rate of the run.
func (l load) perSecond() float64 { return float64(len(l.latencies)) / l.took.Seconds() }

// request is one request of a run.
type request struct {
	method, path string
	key          string // the API key
	body         []byte
	header       http.Header // besides
}

// post sends POST requests, as send does. body makes the n-th request's body.
func post(ctx context.Context, url, key string, conns, total int, body func(n int) []byte) (load, error) {
	return send(ctx, url, conns, total, func(n int) request { return request{method: http.MethodPost, key: key, body: body(n)} })
}

// send sends requests over conns connections until total are answered with an expected status. nth makes the n-th.
func send(ctx context.Context, url string, conns, total int, nth func(n int) request) (load, error) {
	// Compressed answers would compare a packer with a floor that has none.
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns, DisableCompression: true}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	var next atomic.Int64
	latencies := make([][]time.Duration, conns)
	var all sync.WaitGroup
	began := time.Now()
	for worker := range conns {
		all.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= total || ctx.Err() != nil {
					return
				}
				sent := time.Now()
				if _, err := sendOne(ctx, client, url, nth(n)); err != nil {
					cancel(err)
					return
				}
				latencies[worker] = append(latencies[worker], time.Since(sent))
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if err := context.Cause(ctx); err != nil {
		return load{}, err
	}
	return newLoad(took, slices.Concat(latencies...)), nil
}

// newLoad sums up a run, or several: took is the time of all of them.
func newLoad(took time.Duration, latencies []time.Duration) load {
	slices.Sort(latencies)
	return load{took: took, latencies: latencies, p50: percentile(latencies, 50), p99: percentile(latencies, 99)}
}

// together sums several runs up.
func together(runs []load) load {
	var took time.Duration
	var latencies []time.Duration
	for _, run := range runs {
		took, latencies = took+run.took, append(latencies, run.latencies...)
	}
	return newLoad(took, latencies)
}

func sendOne(ctx context.Context, client *http.Client, url string, r request) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, url+r.path, bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	maps.Copy(req.Header, r.header)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "ApiKey "+r.key)
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.method, url+r.path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s %s: status %d: %s", r.method, url+r.path, resp.StatusCode, answer)
	}
	return answer, nil
}

// percentile is the value below which p percent of the sorted values lie.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
