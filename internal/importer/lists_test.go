package importer_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/importer"
	"github.com/carillon/carillon/internal/importer/importertest"
)

// TestStops: what concerns the whole move ends it, and names what to do.
func TestStops(t *testing.T) {
	t.Parallel()
	_, source := deployment(t, 1)
	require.NotNil(t, source)
	old := &importertest.Deployment{Key: "another"}
	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	wrong, err := importer.NewSource(server.URL, "wrong", patience)
	require.NoError(t, err)
	dir := t.TempDir()
	err = importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state(t, dir), Source: wrong})
	require.ErrorContains(t, err, "status 401")
	require.ErrorContains(t, err, "is the key one of this deployment?")

	s := state(t, dir)
	s.Import["subscriber"] = &importer.Progress{}
	_, err = importer.OpenState(dir, "old", "new", false)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "state.json"), []byte(`{"source":"old","target":"elsewhere"}`), 0o600))
	_, err = importer.OpenState(dir, "old", "new", false)
	require.ErrorContains(t, err, "--restart")
	_, err = importer.OpenState(dir, "old", "new", true)
	require.NoError(t, err)
	_, err = importer.NewSource("nowhere", "key", patience)
	require.Error(t, err)
	require.False(t, errors.Is(err, context.Canceled))
}

// TestCursorThatStays reads from a deployment that answers every page with the same cursor.
func TestCursorThatStays(t *testing.T) {
	t.Parallel()
	var pages atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/channel-endpoints" {
			_, _ = w.Write([]byte(`{"workflows":[],"data":[],"next":null}`))
			return
		}
		if pages.Add(1) > 5 {
			w.WriteHeader(http.StatusBadRequest) // ends a reader that would go round for ever
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"identifier":"e1","subscriberId":""}],"next":"same"}`))
	}))
	t.Cleanup(server.Close)
	source, err := importer.NewSource(server.URL, "key", patience)
	require.NoError(t, err)
	dir := t.TempDir()
	state, err := importer.OpenState(filepath.Join(dir, "state"), server.URL, "", false)
	require.NoError(t, err)
	require.NoError(t, importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state, Source: source}))
	require.EqualValues(t, 2, pages.Load())
}

// TestCursorsThatGoRound reads from deployments whose cursors repeat: A, B, A, … and longer cycles with a beginning.
func TestCursorsThatGoRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ beginning, cycle int }{{0, 2}, {0, 3}, {5, 2}, {1, 7}} {
		t.Run(fmt.Sprintf("%d before %d", c.beginning, c.cycle), func(t *testing.T) {
			t.Parallel()
			var pages atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/channel-endpoints" {
					_, _ = w.Write([]byte(`{"workflows":[],"data":[],"next":null}`))
					return
				}
				n := int(pages.Add(1)) - 1
				if n > 3*(c.beginning+c.cycle) {
					w.WriteHeader(http.StatusBadRequest) // ends a reader that would go round for ever
					return
				}
				if n > c.beginning {
					n = c.beginning + (n-c.beginning)%c.cycle
				}
				_, _ = fmt.Fprintf(w, `{"data":[{"identifier":"e1","subscriberId":""}],"next":"c%d"}`, n)
			}))
			t.Cleanup(server.Close)
			source, err := importer.NewSource(server.URL, "key", patience)
			require.NoError(t, err)
			dir := t.TempDir()
			state, err := importer.OpenState(filepath.Join(dir, "state"), server.URL, "", false)
			require.NoError(t, err)
			err = importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state, Source: source})
			require.ErrorContains(t, err, "read the channel endpoints of the deployment: its pages come back")
		})
	}
}

// TestOffsetThatIsNotHeeded reads from a deployment that answers every page of workflows alike.
func TestOffsetThatIsNotHeeded(t *testing.T) {
	t.Parallel()
	var pages atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if pages.Add(1) > 5 {
			w.WriteHeader(http.StatusBadRequest) // ends a reader that would go round for ever
			return
		}
		_, _ = w.Write([]byte(`{"workflows":[{"workflowId":"a"},{"workflowId":"b"}]}`))
	}))
	t.Cleanup(server.Close)
	source, err := importer.NewSource(server.URL, "key", patience)
	require.NoError(t, err)
	dir := t.TempDir()
	err = importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state(t, filepath.Join(dir, "state")), Source: source})
	require.ErrorContains(t, err, "read the workflows of the deployment: its pages come back")
}

// TestSubscribersThatFail: a subscriber who cannot be read is reported, and the others are read; when none of a page can be read, the
// cause is not one of them, and the import stops.
func TestSubscribersThatFail(t *testing.T) {
	t.Parallel()
	old := importertest.New("old-key", 25)
	failing := map[string]int{importertest.Person(3): http.StatusInternalServerError, importertest.Person(4): http.StatusForbidden, importertest.Person(5): http.StatusOK}
	var faltered atomic.Bool
	old.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, importertest.Person(6)+"/preferences") && !faltered.Swap(true) {
			w.WriteHeader(http.StatusInternalServerError) // and answers when it is asked again
			return true
		}
		for id, status := range failing {
			if strings.HasSuffix(r.URL.Path, id+"/preferences") {
				w.WriteHeader(status)
				_, _ = w.Write([]byte(`["odd"]`))
				return true
			}
		}
		return false
	}
	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	source, err := importer.NewSource(server.URL, old.Key, patience)
	require.NoError(t, err)
	dir := t.TempDir()
	var people strings.Builder
	for n := range 25 {
		people.WriteString(`{"subscriberId":"` + importertest.Person(n) + "\"}\n")
	}
	put(t, dir, "subscribers.ndjson", people.String())
	s := state(t, filepath.Join(dir, "state"))
	require.NoError(t, importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: s, Source: source}))
	r := reported(t, s)
	require.Len(t, r.Refused, 4, "and the owner of an endpoint whom the deployment does not know")
	for id, says := range map[string]string{importertest.Person(3): "status 500", importertest.Person(4): "status 403", importertest.Person(5): "not of the documented form"} {
		require.Contains(t, r.reason("subscriptions and preferences", id), says)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "subscriptions-read.ndjson"))
	require.NoError(t, err)
	require.Contains(t, string(raw), importertest.Person(3), "its subscriptions could be read")

	for n := range 25 {
		failing[importertest.Person(n)] = http.StatusForbidden
	}
	other := t.TempDir()
	put(t, other, "subscribers.ndjson", people.String())
	err = importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: other}, State: state(t, filepath.Join(other, "state")), Source: source})
	require.ErrorContains(t, err, "status 403", "the key may not read them")
}

// TestManySubscriptions reads a subscriber who has several pages of subscriptions, and one who is deleted after the first.
func TestManySubscriptions(t *testing.T) {
	t.Parallel()
	old := importertest.New("old-key", 3)
	const topics = 350
	for _, id := range []string{importertest.Person(1), importertest.Person(2)} {
		old.Subscriptions[id] = nil
		for n := range topics {
			old.Subscriptions[id] = append(old.Subscriptions[id], importertest.Subscription(fmt.Sprintf("topic-%d", n), id))
		}
	}
	var further atomic.Int32
	old.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if !r.URL.Query().Has("after") || !strings.HasSuffix(r.URL.Path, "/subscriptions") {
			return false
		}
		further.Add(1)
		if strings.Contains(r.URL.Path, importertest.Person(2)) {
			w.WriteHeader(http.StatusNotFound)
			return true
		}
		return false
	}
	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	source, err := importer.NewSource(server.URL, old.Key, patience)
	require.NoError(t, err)
	dir := t.TempDir()
	put(t, dir, "subscribers.ndjson", `{"subscriberId":"u000"}`+"\n"+`{"subscriberId":"u001"}`+"\n"+`{"subscriberId":"u002"}`+"\n")
	read := func() error {
		return importer.Read(t.Context(), importer.ReadOptions{Folder: &importer.Folder{Dir: dir}, State: state(t, filepath.Join(dir, "state")), Source: source})
	}
	before := old.Before
	old.Before = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("after") == "tk=topic-199:si=u001" {
			w.WriteHeader(http.StatusUnauthorized) // the third page is refused at first
			return true
		}
		return before(n, w, r)
	}
	require.ErrorContains(t, read(), "status 401")
	old.Before = before
	further.Store(0)
	require.NoError(t, read())
	require.EqualValues(t, 3+1, further.Load())
	raw, err := os.ReadFile(filepath.Join(dir, "subscriptions-read.ndjson"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	require.Len(t, lines, 2+topics+100, "what was read of the deleted one stays")
	slices.Sort(lines)
	require.Len(t, slices.Compact(lines), 2+topics+100, "each once, although a page was read again")
}
