package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/importer"
	"github.com/carillon/carillon/internal/importer/importertest"
)

// installation is a running service, whose commands are run beside it.
type installation struct {
	*child.Process

	database []string // the settings with which a command finds its database
	key      string
}

func install(t *testing.T, env ...string) *installation {
	t.Helper()
	in := &installation{database: migrated(t), key: newKey()}
	in.Process = serve(t, child.Config{DataDir: t.TempDir(), Key: in.key, Env: slices.Concat(in.database, env)})
	return in
}

// environment makes an environment and returns its key.
func (in *installation) environment(t *testing.T, identifier string) (key string) {
	t.Helper()
	key, stderr, code := run(t, in.database, "keys", "create-environment", identifier)
	require.Zero(t, code, stderr)
	return strings.TrimSpace(key)
}

// carillon runs a command in the environment of key, and holds its exit code.
func (in *installation) carillon(t *testing.T, key string, code int, args ...string) (printed string) {
	t.Helper()
	stdout, stderr, got := run(t, []string{"CARILLON_API_KEY=" + key, "CARILLON_URL=" + in.URL()}, args...)
	require.Equal(t, code, got, "%v\n%s%s", args, stdout, stderr)
	return stdout + stderr
}

// oldDeployment is a stand-in that is moved.
func oldDeployment(t *testing.T, people int) (old *importertest.Deployment, address string) {
	t.Helper()
	old = importertest.New("old-key", people)
	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	return old, server.URL
}

// exportFolder is what people add to what a deployment shows.
func exportFolder(t *testing.T, people int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	lines := strings.Builder{}
	for i := range people {
		fmt.Fprintf(&lines, `{"subscriberId":%q,"firstName":"Ann","email":"ann%d@shop.example"}`+"\n", importertest.Person(i), i)
	}
	for name, text := range map[string]string{
		"workflows/shipped/workflow.yaml": "name: Shipped\nsteps:\n  - stepId: mail\n    type: email\n    email:\n      subject: Shipped\n      html: <p>On its way</p>\n",
		"integrations/team-chat.yaml":     "providerId: slack\n",
		"subscribers.ndjson":              lines.String() + `{"firstName":"without identifier"}` + "\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// moveReport is report.json.
type moveReport struct {
	Counts  map[string]importer.Counts
	NotRead []importer.NotRead
	Refused []importer.Item
}

func reportIn(t *testing.T, dir string) (r moveReport) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, ".carillon", "import", "report.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &r), string(raw))
	return r
}

// totals are how many records an environment holds.
type totals struct{ Subscribers, Subscriptions, ChannelEndpoints, Preferences struct{ TotalCount int } }

func holds(t *testing.T, address, key string) (found totals) {
	t.Helper()
	graphQL(t, &client.Client{URL: address, Key: key}, `{ subscribers { totalCount } subscriptions { totalCount } channelEndpoints { totalCount } preferences { totalCount } }`, nil, &found)
	return found
}

// TestImportAndExport moves a deployment into an environment, exports that, and imports the export into another.
func TestImportAndExport(t *testing.T) {
	t.Parallel()
	const people = 30
	in := install(t)
	_, address := oldDeployment(t, people)
	dir, first := exportFolder(t, people), in.environment(t, "first")
	from := []string{"import", dir, "--from", address, "--from-key", "old-key"}

	printed := in.carillon(t, first, 0, from...)
	require.Regexp(t, `(?m)^subscriber +31 +0 +1$`, printed, "one line is no subscriber, one subscriber has an endpoint alone")
	require.Regexp(t, `(?m)^subscription +33 +0 +0$`, printed)
	require.Contains(t, printed, "refused: subscriber subscribers.ndjson line 31: it names no subscriber")
	require.Contains(t, printed, "not read: workflow contents: ")
	require.Contains(t, printed, filepath.Join(dir, ".carillon", "import", "report.json"))
	moved := holds(t, in.URL(), first)
	require.Equal(t, []int{31, 33, 1}, []int{moved.Subscribers.TotalCount, moved.Subscriptions.TotalCount, moved.ChannelEndpoints.TotalCount})
	report := reportIn(t, dir)
	require.Equal(t, importer.Counts{Taken: 31, Refused: 1}, report.Counts["subscriber"])
	require.NotEmpty(t, report.NotRead)

	require.NotContains(t, in.carillon(t, first, 0, from...), "more\n", "nothing is read twice")
	require.Equal(t, report, reportIn(t, dir))
	in.carillon(t, first, 0, append(from, "--restart")...)
	for kind, counts := range reportIn(t, dir).Counts {
		require.Zero(t, counts.Taken, kind)
	}
	require.Equal(t, moved, holds(t, in.URL(), first))

	export := filepath.Join(t.TempDir(), "export")
	require.Contains(t, in.carillon(t, first, 0, "export", export), "The environment is in "+export)
	second := in.environment(t, "second")
	require.Contains(t, in.carillon(t, second, 0, "import", export), "refused: channel endpoint slack-1: the address is shown masked")
	moved.ChannelEndpoints.TotalCount = 0
	require.Equal(t, moved, holds(t, in.URL(), second))
	again := filepath.Join(t.TempDir(), "again")
	in.carillon(t, second, 0, "export", again)
	for _, file := range []string{"subscribers.ndjson", "subscriptions.ndjson", "preferences.ndjson", "workflows/shipped/workflow.yaml"} {
		want, err := os.ReadFile(filepath.Join(export, file))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(again, file))
		require.NoError(t, err)
		require.ElementsMatch(t, strings.Split(string(want), "\n"), strings.Split(string(got), "\n"), file)
		info, err := os.Stat(filepath.Join(again, file))
		require.NoError(t, err)
		if strings.HasSuffix(file, ".ndjson") {
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "people's data is for its owner alone")
		}
	}

	checkRefusals(t, in, first, dir, address)
}

// checkRefusals holds that a wrong call ends with its code and names what is wrong.
func checkRefusals(t *testing.T, in *installation, key, dir, old string) {
	t.Helper()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "<dir>", []string{"import"}},
		{2, "--concurrency", []string{"import", dir, "--concurrency", "many"}},
		{2, "--concurrency must be at least 1", []string{"import", dir, "--concurrency", "0"}},
		{2, "--from and --from-key belong together", []string{"import", dir, "--from", old}},
		{2, "--from and --from-key belong together", []string{"import", dir, "--from-key", "k"}},
		{1, `--from: the address "nowhere"`, []string{"import", dir, "--restart", "--from", "nowhere", "--from-key", "k"}},
		{1, "--url: ", []string{"import", dir, "--url", "nowhere"}},
		{1, "begin anew with --restart", []string{"import", dir, "--from", old + "/other", "--from-key", "k"}},
		{1, "is the key one of this deployment?", []string{"import", t.TempDir(), "--from", old, "--from-key", "wrong"}},
		{1, "missing does not exist", []string{"import", filepath.Join(dir, "missing")}},
		{1, "missing does not exist", []string{"import", filepath.Join(dir, "missing"), "--state", t.TempDir()}},
		{1, "UNAUTHENTICATED", []string{"import", dir, "--state", t.TempDir(), "--key", "wrong"}},
		{2, "<dir>", []string{"export"}},
		{1, "--url: ", []string{"export", t.TempDir(), "--url", "nowhere"}},
		{1, "UNAUTHENTICATED", []string{"export", t.TempDir(), "--key", "wrong"}},
	} {
		require.Contains(t, in.carillon(t, key, c.code, c.args...), c.says, "%v", c.args)
	}
	_, stderr, code := run(t, nil, "import", dir)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--key")
}

// countdown reports the request at which it reaches zero.
type countdown struct {
	left    atomic.Int64
	reached chan struct{}
}

func (c *countdown) count() {
	if c.left.Add(-1) == 0 {
		c.reached <- struct{}{}
	}
}

// TestKilledImportLosesNothing kills the import at random requests, to the old deployment or to Carillon, and runs it again.
func TestKilledImportLosesNothing(t *testing.T) {
	t.Parallel()
	const people, kills = 250, 8
	in := install(t)
	down := &countdown{reached: make(chan struct{}, 1)}
	old, address := oldDeployment(t, people)
	old.Before = func(int, http.ResponseWriter, *http.Request) bool { down.count(); return false }
	target, err := url.Parse(in.URL())
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) } // the killed caller is gone
	counted := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { down.count(); forward.ServeHTTP(w, r) }))
	t.Cleanup(counted.Close)
	dir, program := exportFolder(t, people), binary(t)

	killed := 0
	for {
		if killed < kills {
			down.left.Store(1 + rand.Int64N(400))
		}
		cmd := exec.CommandContext(t.Context(), program, "import", dir, "--from", address, "--from-key", "old-key", "--url", counted.URL, "--key", in.key)
		var output strings.Builder
		cmd.Stdout, cmd.Stderr = &output, &output
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-down.reached:
			require.NoError(t, cmd.Process.Kill())
			if <-ended; killed < kills {
				killed++
				continue
			}
		case err := <-ended:
			require.NoError(t, err, output.String())
		case <-within(t, patience).Done():
			t.Fatal(output.String())
		}
		break
	}
	t.Logf("%d kills", killed)
	require.Positive(t, killed)

	lines := map[string]int{}
	raw, err := os.ReadFile(filepath.Join(dir, "subscriptions-read.ndjson"))
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		lines[line]++
	}
	require.Len(t, lines, people+people/10)
	for line, times := range lines {
		require.Equal(t, 1, times, line)
	}
	found := holds(t, in.URL(), in.key)
	require.Equal(t, []int{people + 1, people + people/10, 1}, []int{found.Subscribers.TotalCount, found.Subscriptions.TotalCount, found.ChannelEndpoints.TotalCount})
	report := reportIn(t, dir)
	require.Equal(t, importer.Counts{Taken: report.Counts["subscriber"].Taken, Unchanged: people + 1 - report.Counts["subscriber"].Taken, Refused: 1},
		report.Counts["subscriber"], "each line is counted once")
	require.Equal(t, people+people/10, report.Counts["subscription"].Taken+report.Counts["subscription"].Unchanged)
	refused := map[importer.Item]int{}
	for _, item := range report.Refused {
		refused[item]++
		require.Equal(t, 1, refused[item], "%+v", item)
	}
	for kind, counts := range report.Counts {
		n := 0
		for item := range refused {
			if item.Kind == kind {
				n++
			}
		}
		require.Equal(t, counts.Refused, n, kind)
	}
	require.NotEmpty(t, report.NotRead)
}

// TestImportOfAFolderInUse: while one run works with a folder, another does not begin.
func TestImportOfAFolderInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, command := range []string{"import", "export"} {
		release, err := importer.Hold(filepath.Join(dir, ".carillon", command))
		require.NoError(t, err)
		_, said, code := run(t, nil, command, dir, "--key", "crl_key", "--url", "http://127.0.0.1:9")
		release()
		require.Equal(t, 1, code, said)
		require.Contains(t, said, "another import or export is at work here")
	}
}
