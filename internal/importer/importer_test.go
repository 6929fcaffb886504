package importer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/app/apptest"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/importer"
	"github.com/carillon/carillon/internal/importer/importertest"
)

type object = map[string]any

var patience = retry.Sender{Attempts: 5, Backoff: time.Millisecond, MaxWait: time.Second}

// put writes a file of a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// deployment is one with people enough for several pages.
func deployment(t *testing.T, people int) (*importertest.Deployment, *importer.Source) {
	t.Helper()
	d := importertest.New("old-key", people)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	source, err := importer.NewSource(server.URL, d.Key, patience)
	require.NoError(t, err)
	return d, source
}

// folder is what a user adds by hand to what the deployment shows.
func folder(t *testing.T, people int) *importer.Folder {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "workflows/shipped/workflow.yaml", "name: Shipped\nsteps:\n  - stepId: mail\n    type: email\n    email:\n      subject: Shipped\n      html: <p>On its way</p>\n")
	put(t, dir, "workflows/faulty/workflow.yaml", "name: Faulty\nsteps:\n  - stepId: mail\n    type: email\n    email:\n      subject: '{{ open'\n")
	put(t, dir, "integrations/relay.yaml", "providerId: nodemailer\nprimary: true\ncredentials:\n  host: mail.example\n  port: \"25\"\n  from: a@shop.example\n")
	put(t, dir, "integrations/team-chat.yaml", "providerId: slack\n")
	put(t, dir, "topics.yaml", "news:\n  name: Topic news\nempty: {}\n")
	var lines strings.Builder
	for i := range people {
		fmt.Fprintf(&lines, `{"_id":"x","subscriberId":"u%03d","firstName":"Ann","email":"u%03d@shop.example","locale":%q,"data":{"plan":"pro"},"isOnline":true,"createdAt":"2025-01-01T00:00:00Z"}`+"\n", i, i, map[bool]string{true: "??", false: "en-GB"}[i == 2])
	}
	lines.WriteString(`{"subscriberId":"phones","channels":[{"providerId":"fcm","_integrationId":"x","credentials":{"deviceTokens":["one","two"]}},{"providerId":"discord","credentials":{"webhookUrl":"https://discord.com/********"}}]}` + "\n")
	lines.WriteString("{\"firstName\":\"without identifier\"}\nno JSON\n")
	put(t, dir, "subscribers.ndjson", lines.String())
	return &importer.Folder{Dir: dir}
}

func target(t *testing.T) (*importer.Target, *client.Client) {
	t.Helper()
	address := apptest.Serve(t)
	to, err := importer.NewTarget(address, apptest.Key, patience)
	require.NoError(t, err)
	return to, &client.Client{URL: address, Key: apptest.Key}
}

func state(t *testing.T, dir string) *importer.State {
	t.Helper()
	s, err := importer.OpenState(dir, "old", "new", false)
	require.NoError(t, err)
	return s
}

// report is report.json.
type report struct {
	Counts  map[string]importer.Counts
	NotRead []importer.NotRead
	Refused []importer.Item
}

func reported(t *testing.T, s *importer.State) report {
	t.Helper()
	path, err := s.Report(t.Output(), importer.NotDocumented())
	require.NoError(t, err)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var r report
	require.NoError(t, json.Unmarshal(raw, &r), string(raw))
	return r
}

func (r report) reason(kind, name string) string {
	for _, item := range r.Refused {
		if item.Kind == kind && item.Name == name {
			return item.Reason
		}
	}
	return ""
}

// TestMove moves a deployment: read and imported with interruptions, rate limits and broken answers in between, and imported
// a second time.
func TestMove(t *testing.T) {
	t.Parallel()
	const people = 250
	old, source := deployment(t, people)
	var failed sync.Map // each request fails once at most: of several at a time one could meet every seventh turn
	old.Before = func(number int, w http.ResponseWriter, r *http.Request) bool {
		fails := func(nth int) bool {
			if number%nth != 0 {
				return false
			}
			_, again := failed.LoadOrStore(fmt.Sprint(nth, r.URL), true)
			return !again
		}
		switch {
		case fails(7):
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		case fails(11):
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"data":[{"identifier":`))
			panic(http.ErrAbortHandler) // in the middle of a page
		}
		return false
	}
	in, dir := folder(t, people), t.TempDir()
	interrupted(t, func(ctx context.Context, stop func()) error {
		return importer.Read(ctx, importer.ReadOptions{Folder: in, State: state(t, dir), Source: source, Progress: func(string, int) { stop() }})
	})
	subscriptions, err := os.ReadFile(filepath.Join(in.Dir, "subscriptions-read.ndjson"))
	require.NoError(t, err)
	require.Equal(t, people+people/10, strings.Count(string(subscriptions), "\n"), "each line once")
	found, err := os.ReadFile(filepath.Join(in.Dir, "subscribers-read.ndjson"))
	require.NoError(t, err)
	require.JSONEq(t, `{"subscriberId":"only-endpoint"}`, string(found))

	to, api := target(t)
	options := func() importer.Options { return importer.Options{Folder: in, State: state(t, dir), Target: to} }
	interrupted(t, func(ctx context.Context, stop func()) error {
		o := options()
		o.Progress = func(string, importer.Counts) { stop() }
		return importer.Import(ctx, o)
	})
	first := reported(t, state(t, dir))
	require.Equal(t, importer.Counts{Taken: people + 2, Refused: 2}, first.Counts["subscriber"], "the found one is taken; two lines are none")
	require.Equal(t, importer.Counts{Taken: people + people/10}, first.Counts["subscription"])
	require.Equal(t, "must be a language tag such as en-GB", first.reason("subscriber field", "u002 locale"))
	require.Contains(t, first.reason("channel setting", "phones discord"), "masked")
	require.Contains(t, first.reason("workflow", "faulty"), "is no valid template")
	require.Contains(t, first.reason("workflow", "lost"), "without its contents")
	require.Contains(t, first.reason("secret", "relay"), "switched off")
	require.NotEmpty(t, first.reason("channel endpoint", "slack-2"))
	require.Contains(t, first.reason("preference", "u001 lost"), "no such active workflow")
	require.Contains(t, first.reason("subscriptions and preferences", "only-endpoint"), "does not know")
	require.NotEmpty(t, first.NotRead)
	checkTarget(t, api)

	again := t.TempDir()
	o := options()
	o.State = state(t, again)
	require.NoError(t, importer.Import(t.Context(), o))
	second := reported(t, o.State).Counts
	for kind, counts := range second {
		require.Zero(t, counts.Taken, "%s: what is taken over already is unchanged", kind)
	}
	require.Equal(t, first.Counts["integration"].Taken, second["integration"].Unchanged, "the primary that waits for its secrets too")
}

func checkTarget(t *testing.T, api *client.Client) {
	t.Helper()
	var answer struct {
		Subscriber *struct {
			FirstName, Email, Locale *string
			Data                     object
		}
		Relay    struct{ Active bool }
		Endpoint struct{ SubscriberID string }
		Effective,
		Other struct {
			Global    struct{ Channels object }
			Workflows []struct {
				Workflow  struct{ Identifier string }
				Channels  object
				Overrides []struct{ Channel, Source string }
			}
		}
		Channel struct {
			Credentials struct{ DeviceTokens []string }
		}
		Topics struct{ TotalCount int }
	}
	require.NoError(t, api.GraphQL(t.Context(), `{
		subscriber: subscriberBySubscriberId(subscriberId: "u249") { firstName email locale data }
		relay: integrationByIdentifier(identifier: "relay") { active }
		endpoint: channelEndpointByIdentifier(identifier: "slack-1") { subscriberId }
		effective: subscriberPreferences(subscriberId: "u001") { global { channels { email sms } } workflows { workflow { identifier } channels { email chat } overrides { channel source } } }
		channel: subscriberChannelByKey(subscriberId: "phones", providerId: "fcm") { credentials { deviceTokens } }
		topics { totalCount } }`, nil, &answer))
	require.Equal(t, "u249@shop.example", *answer.Subscriber.Email)
	require.Equal(t, object{"plan": "pro"}, answer.Subscriber.Data)
	require.False(t, answer.Relay.Active, "an integration without its secrets is switched off")
	require.Equal(t, "u000", answer.Endpoint.SubscriberID)
	require.Equal(t, object{"email": true, "sms": false}, answer.Effective.Global.Channels)
	for _, w := range answer.Effective.Workflows {
		if w.Workflow.Identifier == "shipped" {
			require.Equal(t, object{"email": false, "chat": true}, w.Channels)
			for _, o := range w.Overrides { // push is on by default, and wished
				wished := o.Channel == "EMAIL" || o.Channel == "SMS" || o.Channel == "PUSH"
				require.Equal(t, map[bool]string{true: "SUBSCRIBER", false: "TEMPLATE"}[wished], o.Source, o.Channel)
			}
		}
	}
	require.Equal(t, []string{"one", "two"}, answer.Channel.Credentials.DeviceTokens)
	require.Equal(t, 3, answer.Topics.TotalCount)
}

// interrupted runs something until it ends by itself, and ends it after each step that it reports.
func interrupted(t *testing.T, run func(ctx context.Context, stop func()) error) {
	t.Helper()
	for range 100 {
		ctx, stop := context.WithCancel(t.Context())
		err := run(ctx, stop)
		stop()
		if err == nil {
			return
		}
		require.ErrorIs(t, err, context.Canceled)
	}
	t.Fatal("it makes no progress")
}

// TestRoundTrip: what one environment exports another imports and exports the same.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	from, api := target(t)
	require.NoError(t, importer.Import(t.Context(), importer.Options{Folder: folder(t, 120), State: state(t, t.TempDir()), Target: from}))
	require.NoError(t, api.GraphQL(t.Context(), `mutation {
		a: createSubscriptions(input: {topicKey: "news", subscriptions: [{subscriberId: "u001", name: "Mine"}], context: {region: "eu"}, preferences: [{workflowId: "shipped", condition: {and: [true]}}]}) { meta { successful } }
		b: setGlobalPreferences(input: {subscriberId: "u001", channels: {sms: false}}) { preference { level } }
		c: updatePreferences(input: {subscriberId: "u001", context: {region: "eu"}, preferences: [{workflowId: "shipped", channels: {email: false}}]}) { preferences { level } }
		d: setSchedule(input: {subscriberId: "u001", schedule: {isEnabled: true, weeklySchedule: {monday: {isEnabled: true, hours: [{start: "09:00 AM", end: "05:00 PM"}]}}}}) { subscriber { id } }
		e: createChannelEndpoint(input: {identifier: "ann", subscriberId: "u001", integration: "team-chat", endpoint: {slackUser: {userId: "U1"}}}) { channelEndpoint { id } }
		f: createSubscriber(input: {subscriberId: "long", data: {account: 9007199254740993}}) { subscriber { id } }
	}`, nil, nil))
	export := func(from *importer.Target) string {
		dir := t.TempDir()
		interrupted(t, func(ctx context.Context, stop func()) error {
			return importer.Export(ctx, importer.ExportOptions{Folder: &importer.Folder{Dir: dir}, State: state(t, filepath.Join(dir, ".state")), From: from, Progress: func(string, int) { stop() }})
		})
		return dir
	}
	one := export(from)
	to, _ := target(t)
	s := state(t, t.TempDir())
	require.NoError(t, importer.Import(t.Context(), importer.Options{Folder: &importer.Folder{Dir: one}, State: s, Target: to}))
	for _, item := range reported(t, s).Refused {
		require.Contains(t, []string{"secret"}, item.Kind, "%s: %s", item.Name, item.Reason)
	}
	want, got := contents(t, one), contents(t, export(to))
	require.Contains(t, want["subscribers.ndjson"], `"account":9007199254740993`, "which no double has")
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for file, text := range want {
		require.Equal(t, text, got[file], file)
	}
}

// contents are the files of a folder, without the state.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, ".") {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, path))
		lines := strings.Split(string(raw), "\n")
		if strings.HasSuffix(path, ".ndjson") {
			slices.Sort(lines) // several are written at the same time
		}
		files[path] = strings.Join(lines, "\n")
		return err
	}))
	return files
}
