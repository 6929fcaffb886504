package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is what a run of requests gave.
type load struct {
	requests int
	took     time.Duration
	p50, p99 time.Duration
}

// perSecond is the rate of the run.
func (l load) perSecond() float64 { return float64(l.requests) / l.took.Seconds() }

// post sends requests over conns connections until total are answered with an expected status. body makes the n-th
// request's body.
func post(ctx context.Context, url, key string, conns, total int, body func(n int) []byte) (load, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}}
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
				if err := postOne(ctx, client, url, key, body(n)); err != nil {
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
	sorted := slices.Sorted(slices.Values(slices.Concat(latencies...)))
	return load{requests: total, took: took, p50: percentile(sorted, 50), p99: percentile(sorted, 99)}, nil
}

func postOne(ctx context.Context, client *http.Client, url, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "ApiKey "+key)
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("post %s: %w", url, err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("post %s: status %d: %s", url, resp.StatusCode, answer)
	}
	return nil
}

// percentile is the value below which p percent of the sorted values lie.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
