package rest_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// body is a trigger of some 250 bytes for one recipient.
func body(n int64) []byte {
	return fmt.Appendf(nil, `{"name":"order-shipped","to":"u%d","payload":{"order":{"id":%d,"total":"129.90","currency":"EUR"},`+
		`"customer":{"name":"Ada Lovelace","address":"12 St James's Square, London"},"items":["keyboard","cable","screws"],"note":"leave at the door"}}`, n%1000, n)
}

// BenchmarkAccept prints triggers per second at 64 connections beside the floor: a plain handler that commits one INSERT
// of the same bytes per request, on the same database. The test server does not wait for the disk; `carillon bench`
// measures with a server that does.
func BenchmarkAccept(b *testing.B) {
	for _, connections := range []int{1, 64} {
		s := setup(b)
		s.workflows(b)
		_, err := s.db.Pool.Exec(b.Context(), `CREATE TABLE floor (id bigserial PRIMARY KEY, body bytea NOT NULL, at timestamptz NOT NULL DEFAULT now())`)
		require.NoError(b, err)
		floor := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if err == nil {
				_, err = s.db.Pool.Exec(r.Context(), `INSERT INTO floor (body) VALUES ($1)`, raw)
			}
			if err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"acknowledged":true}`))
		})
		b.Run(fmt.Sprintf("floor/%d", connections), func(b *testing.B) { load(b, floor, s.key, connections, false) })
		b.Run(fmt.Sprintf("carillon/%d", connections), func(b *testing.B) { load(b, s.handler, s.key, connections, false) })
		b.Run(fmt.Sprintf("carillon with idempotency keys/%d", connections), func(b *testing.B) { load(b, s.handler, s.key, connections, true) })
	}
}

// load sends b.N triggers over so many connections and reports rate and latencies.
func load(b *testing.B, handler http.Handler, key string, connections int, idempotent bool) {
	b.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	var next atomic.Int64
	took := make([][]time.Duration, connections)
	var wg sync.WaitGroup
	b.ResetTimer()
	for c := range connections {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				started := time.Now()
				if status := send(b.Context(), client, server.URL, key, body(n), idempotent); status != http.StatusCreated {
					b.Errorf("status %d", status)
					return
				}
				took[c] = append(took[c], time.Since(started))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	if len(all) == 0 {
		return
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

func send(ctx context.Context, client *http.Client, url, key string, body []byte, idempotent bool) int {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/events/trigger", bytes.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "ApiKey "+key)
	r.Header.Set("Content-Type", "application/json")
	if idempotent {
		r.Header.Set("Idempotency-Key", rand.Text())
	}
	w, err := client.Do(r)
	if err != nil {
		return 0
	}
	defer w.Body.Close()
	_, _ = io.Copy(io.Discard, w.Body)
	return w.StatusCode
}
