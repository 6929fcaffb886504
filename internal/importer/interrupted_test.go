package importer_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/app/apptest"
	"github.com/carillon/carillon/internal/importer"
	"github.com/carillon/carillon/internal/importer/importertest"
)

var errDied = errors.New("the other side died")

// dying is a way to a server that dies after some requests: of those it lets through the last has no answer, although it was
// carried out.
type dying struct {
	left atomic.Int64
	died atomic.Bool
}

func (d *dying) RoundTrip(r *http.Request) (*http.Response, error) {
	left := d.left.Add(-1)
	if left < 0 {
		d.died.Store(true)
		return nil, errDied
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && left == 0 {
		d.died.Store(true)
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return nil, errDied
	}
	return resp, err
}

// once are the settings of a client that gives up at once, over a way that dies after n requests.
func once(n int) (retry.Sender, *dying) {
	d := &dying{}
	d.left.Store(int64(n))
	return retry.Sender{HTTP: &http.Client{Transport: d}, Attempts: 1}, d
}

// bit is a folder with a few records of each kind, whose names begin with a prefix.
func bit(t *testing.T, prefix string) *importer.Folder {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "workflows/"+prefix+"-w/workflow.yaml", "name: W\nsteps:\n  - stepId: bell\n    type: in_app\n    inApp:\n      body: x\n")
	put(t, dir, "integrations/"+prefix+"-chat.yaml", "providerId: slack\n")
	for file, lines := range map[string][]string{
		"subscribers": {
			`{"subscriberId":"P-ann","firstName":"Ann","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["one"]}}]}`,
			`{"subscriberId":"P-bob","locale":"??","email":"bob@shop.example"}`,
		},
		"subscriptions": {
			`{"topic":{"key":"P-news","name":"News"},"subscriber":{"subscriberId":"P-ann"},"preferences":[{"workflow":{"identifier":"P-w"},"enabled":false}]}`,
			`{"topic":{"key":"P-news","name":"News"},"subscriber":{"subscriberId":"P-bob"}}`,
		},
		"channel-endpoints": {`{"identifier":"P-e","subscriberId":"P-ann","integrationIdentifier":"P-chat","type":"webhook","endpoint":{"url":"https://hooks.slack.com/services/x"}}`},
		"preferences": {
			`{"subscriberId":"P-ann","global":{"channels":{"sms":false},"schedule":{"isEnabled":true}},"workflows":[{"workflow":{"identifier":"P-w"},"channels":{"email":false}}]}`,
		},
	} {
		put(t, dir, file+".ndjson", strings.ReplaceAll(strings.Join(lines, "\n"), "P-", prefix+"-"))
	}
	return &importer.Folder{Dir: dir}
}

// sums are how many items of each kind were worked on, whatever became of them.
func sums(counts map[string]importer.Counts) map[string]int {
	all := map[string]int{}
	for kind, c := range counts {
		all[kind] = c.Taken + c.Unchanged + c.Refused
	}
	return all
}

// TestImportKilledAtEveryRequest kills an import after each of its requests in turn, with the answer of the last one lost. Run
// again it ends; each record is there once, and is counted once (migrate.md §3, Continuing).
func TestImportKilledAtEveryRequest(t *testing.T) {
	t.Parallel()
	address := apptest.Serve(t)
	run := func(dir string, folder *importer.Folder, n int) (*dying, error) {
		patience, way := once(n)
		to, err := importer.NewTarget(address, apptest.Key, patience)
		require.NoError(t, err)
		// One request at a time, so that the nth is the same one every time.
		return way, importer.Import(t.Context(), importer.Options{Folder: folder, State: state(t, dir), Target: to, Concurrency: 1})
	}
	var want map[string]int
	for n := 0; ; n++ {
		folder, dir := bit(t, fmt.Sprintf("p%d", n)), t.TempDir()
		way, err := run(dir, folder, n)
		if !way.died.Load() {
			require.NoError(t, err)
			require.Greater(t, n, 15, "every kind takes requests")
			require.Equal(t, want, sums(state(t, dir).Counts), "an import that nothing stops counts the same")
			return
		}
		require.ErrorIs(t, err, errDied, n)
		_, err = run(dir, folder, 1<<20)
		require.NoError(t, err, n)
		got := state(t, dir)
		if want == nil {
			want = sums(got.Counts)
			require.Equal(t, map[string]int{
				"workflow": 1, "integration": 1, "secret": 1, "subscriber": 2, "subscriber field": 1, "channel setting": 1, "subscription": 2,
				"channel endpoint": 1, "preference": 2, "schedule": 1,
			}, want)
		}
		for kind, count := range sums(got.Counts) {
			if kind != "subscriber field" && kind != "secret" { // what could not be taken of a record that is there is not asked for again
				require.Equal(t, want[kind], count, "%s after %d requests", kind, n)
			}
		}
		before := got.Counts
		_, err = run(dir, folder, 2)
		require.NoError(t, err, "what is done asks nothing but for the workflows")
		require.Equal(t, before, state(t, dir).Counts)
	}
}

// losing is a way on which every other answer is lost, after its request was carried out.
type losing struct{ requests atomic.Int64 }

func (l *losing) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && l.requests.Add(1)%2 == 1 {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return nil, errDied
	}
	return resp, err
}

// TestAnswersLost: a request whose answer was lost is repeated, and what it made the first time is not refused as there already.
func TestAnswersLost(t *testing.T) {
	t.Parallel()
	way := patience
	way.HTTP = &http.Client{Transport: &losing{}}
	to, err := importer.NewTarget(apptest.Serve(t), apptest.Key, way)
	require.NoError(t, err)
	s := state(t, t.TempDir())
	require.NoError(t, importer.Import(t.Context(), importer.Options{Folder: bit(t, "p"), State: s, Target: to, Concurrency: 1}))
	refused := 0
	for _, c := range s.Counts {
		refused += c.Refused
	}
	require.Equal(t, []any{importer.Counts{Taken: 2}, 2}, []any{s.Counts["subscriber"], refused}, "a field and the secrets: %+v", s.Counts)
}

// TestReadKilledAtEveryRequest kills the reading of a deployment after each of its requests in turn: run again it ends, and the
// folder is the one that a reading without interruption fills.
func TestReadKilledAtEveryRequest(t *testing.T) {
	t.Parallel()
	old := importertest.New("old-key", 3)
	for n := range 250 { // three pages of one subscriber
		old.Subscriptions["u001"] = append(old.Subscriptions["u001"], importertest.Subscription(fmt.Sprint("topic-", n), "u001"))
	}
	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	read := func(dir string, n int) (*dying, error) {
		patience, way := once(n)
		source, err := importer.NewSource(server.URL, old.Key, patience)
		require.NoError(t, err)
		return way, importer.Read(t.Context(), importer.ReadOptions{
			Folder: &importer.Folder{Dir: dir}, State: state(t, filepath.Join(dir, ".state")), Source: source, Concurrency: 1,
		})
	}
	filled := func() string {
		dir := t.TempDir()
		put(t, dir, "subscribers.ndjson", `{"subscriberId":"u000"}`+"\n"+`{"subscriberId":"u001"}`+"\n"+`{"subscriberId":"gone"}`+"\nno JSON\n")
		return dir
	}
	whole := filled()
	_, err := read(whole, 1<<20)
	require.NoError(t, err)
	want := contents(t, whole)
	require.Equal(t, 1+1+251, strings.Count(want["subscriptions-read.ndjson"], "\n")+strings.Count(want["subscribers-read.ndjson"], "\n")-1)
	for n := 0; ; n++ {
		dir := filled()
		way, err := read(dir, n)
		if !way.died.Load() {
			require.NoError(t, err)
			require.Greater(t, n, 8)
			return
		}
		require.ErrorIs(t, err, errDied, n)
		_, err = read(dir, 1<<20)
		require.NoError(t, err, n)
		require.Equal(t, want, contents(t, dir), n)
		require.Equal(t, 2, state(t, filepath.Join(dir, ".state")).Counts["subscriptions and preferences"].Refused, "the unknown are counted once")
	}
}

// TestAnswersThatCannotBeRead: an answer that is no JSON, breaks off or is too long ends the reading with the address, and what
// was read before stays.
func TestAnswersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter){
		"not of the documented form": func(w http.ResponseWriter) { _, _ = w.Write([]byte(`<html>`)) },
		"unexpected EOF":             func(w http.ResponseWriter) { w.Header().Set("Content-Length", "9"); _, _ = w.Write([]byte(`{`)) },
		"longer than 16777216":       func(w http.ResponseWriter) { _, _ = io.Copy(w, io.LimitReader(blanks{}, 16<<20+1)) },
		"status 400: what is bad": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`what is bad`))
		},
		"run it again later": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/v2/workflows" && r.URL.Query().Get("offset") == "0" {
					_, _ = w.Write([]byte(`{"workflows":[{"workflowId":"first"}]}`))
					return
				}
				answer(w)
			}))
			t.Cleanup(server.Close)
			source, err := importer.NewSource(server.URL, "key", retry.Sender{Attempts: 1})
			require.NoError(t, err)
			dir := t.TempDir()
			err = importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state(t, t.TempDir()), Source: source})
			require.ErrorContains(t, err, name)
			require.ErrorContains(t, err, "/v2/workflows?")
			raw, err := os.ReadFile(filepath.Join(dir, "workflows-read.ndjson"))
			require.NoError(t, err)
			require.Equal(t, `{"workflowId":"first"}`+"\n", string(raw))
		})
	}
}

type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
