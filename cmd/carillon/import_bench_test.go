package main_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/importer/importertest"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

// BenchmarkImport moves 50,000 subscribers with their topics from a stand-in. Beside its throughput and memory it reports how
// long it takes against the floor: as many requests that create a subscriber each, at the same concurrency, and nothing else.
func BenchmarkImport(b *testing.B) {
	const people, concurrency = 50_000, 8
	program, err := build()
	require.NoError(b, err)
	for b.Loop() {
		data, err := embedded.TempDir("carillon-bench-*", embedded.RAMDisk()...)
		require.NoError(b, err)
		key := newKey()
		server, err := child.Start(b.Context(), child.Config{Binary: program, DataDir: data, Key: key, Env: []string{"CARILLON_DATABASE_URL=", "CARILLON_LOG_LEVEL=warn"}})
		require.NoError(b, err)
		old := httptest.NewServer(importertest.New("old-key", people))
		dir := b.TempDir()
		lines := strings.Builder{}
		for i := range people {
			fmt.Fprintf(&lines, `{"subscriberId":%q,"firstName":"Ann","email":"ann%d@shop.example"}`+"\n", importertest.Person(i), i)
		}
		require.NoError(b, os.WriteFile(filepath.Join(dir, "subscribers.ndjson"), []byte(lines.String()), 0o600))

		began := time.Now()
		cmd := exec.CommandContext(b.Context(), program, "import", dir, "--from", old.URL, "--from-key", "old-key",
			"--url", server.URL(), "--key", key, "--concurrency", fmt.Sprint(concurrency))
		progress, err := cmd.StderrPipe()
		require.NoError(b, err)
		require.NoError(b, cmd.Start())
		var memory int64 // not that of Rusage, in which the memory of the process that started it counts
		said := strings.Builder{}
		for lines := bufio.NewScanner(progress); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			if _, peak, err := child.Memory(cmd.Process.Pid); err == nil {
				memory = max(memory, peak)
			}
		}
		require.NoError(b, cmd.Wait(), said.String())
		took := time.Since(began)

		began = time.Now()
		createEach(b, &client.Client{URL: server.URL(), Key: key}, people, concurrency)
		floor := time.Since(began)
		b.ReportMetric(people/took.Seconds(), "subscribers/s")
		b.ReportMetric(people/floor.Seconds(), "floor-subscribers/s")
		b.ReportMetric(took.Seconds()/floor.Seconds(), "x-floor")
		b.ReportMetric(float64(memory)/(1<<20), "peak-MiB")
		old.Close()
		require.NoError(b, server.Stop(time.Minute))
		require.NoError(b, os.RemoveAll(data))
	}
}

// createEach creates subscribers, each by a request of its own.
func createEach(b *testing.B, api *client.Client, people, concurrency int) {
	b.Helper()
	api.HTTP = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}
	group, ctx := errgroup.WithContext(b.Context())
	group.SetLimit(concurrency)
	for i := range people {
		group.Go(func() error {
			in := object{"subscriberId": fmt.Sprintf("floor%d", i), "firstName": "Ann", "email": fmt.Sprintf("ann%d@shop.example", i)}
			return api.GraphQL(ctx, `mutation($in: CreateSubscriberInput!) { createSubscriber(input: $in) { subscriber { id } } }`, object{"in": in}, nil)
		})
	}
	require.NoError(b, group.Wait())
}
