package importer_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/importer"
)

// imported imports lines, by file, into a target, and returns the report.
func imported(t *testing.T, to *importer.Target, files map[string][]string) report {
	t.Helper()
	dir := t.TempDir()
	for file, lines := range files {
		put(t, dir, file, strings.Join(lines, "\n"))
	}
	s := state(t, t.TempDir())
	require.NoError(t, importer.Import(t.Context(), importer.Options{Folder: &importer.Folder{Dir: dir}, State: s, Target: to}))
	return reported(t, s)
}

const (
	moved = "name: W\nsteps:\n  - stepId: bell\n    type: in_app\n    inApp:\n      body: x\n"
	chat  = "providerId: slack\n"
	hook  = `"type":"webhook","endpoint":{"url":"https://hooks.slack.com/services/x"}`
)

// TestRefusedAmongOthers: subscriptions are made many at a time; one that cannot be made stops none of the others.
func TestRefusedAmongOthers(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	var people, wanted []string
	for _, id := range []string{"ann", "bob", "cat", "dan", "no name", "eve"} {
		people = append(people, `{"subscriberId":"`+id+`"}`)
		wanted = append(wanted, `{"topic":{"key":"news"},"subscriber":{"subscriberId":"`+id+`"}}`)
	}
	r := imported(t, to, map[string][]string{"subscribers.ndjson": people, "subscriptions.ndjson": wanted})
	require.Equal(t, importer.Counts{Taken: 5, Refused: 1}, r.Counts["subscription"])
	require.Contains(t, r.reason("subscription", "tk=news:si=no name"), "subscriberId")
}

// TestRefusedRecords: a record that cannot be taken is reported with its name and its reason, the line of one that has no name,
// and stops no other.
func TestRefusedRecords(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	r := imported(t, to, map[string][]string{
		"workflows/w/workflow.yaml": {moved}, "integrations/chat.yaml": {chat},
		"workflows-read.ndjson": {`{"workflowId":"w"}`, `{"workflowId":"lost"}`, `[]`},
		"subscribers.ndjson": {
			`{"subscriberId":"ann"}`, `{"subscriberId":"bob","timezone":"Nowhere/At-All","data":{"a":1}}`, `{"subscriberId":7}`, ``, `{"subscriberId":""}`,
			`{"subscriberId":"` + strings.Repeat("x", 300) + `"}`,
			`{"subscriberId":"cat","channels":[{"providerId":"none-such","credentials":{"webhookUrl":"https://x.example/y"}},{"providerId":"slack","credentials":{"webhookUrl":"https://hooks.slack.com/********"}}]}`,
		},
		"subscriptions.ndjson": {
			`{"topic":{"key":"news"},"subscriber":{"subscriberId":"ann"}}`, `{"topic":{"key":"news"},"subscriber":{"subscriberId":"nobody"}}`,
			`{"topic":{"key":""},"subscriber":{"subscriberId":"ann"}}`, `{"topic":{"key":"no such key!"},"subscriber":{"subscriberId":"ann"}}`, `{"topic":`,
			`{"topic":{"key":"news"},"identifier":"mine","subscriber":{"subscriberId":"ann"},"preferences":[{"workflow":{"identifier":"lost"},"enabled":false}]}`,
		},
		"channel-endpoints.ndjson": {
			`{"identifier":"e1","subscriberId":"ann","integrationIdentifier":"chat",` + hook + `}`, `{"identifier":"e2","subscriberId":"nobody","integrationIdentifier":"chat",` + hook + `}`,
			`{"identifier":"e3","subscriberId":"ann","integrationIdentifier":"none-such",` + hook + `}`, `{"identifier":"e4","subscriberId":"ann",` + hook + `}`,
			`{"identifier":"e5","subscriberId":"ann","integrationIdentifier":"chat","type":"webhook","endpoint":{"url":"https://hooks.slack.com/********"}}`,
			`{"subscriberId":"ann","integrationIdentifier":"chat"}`, `{"identifier":"e1","subscriberId":"bob","integrationIdentifier":"chat",` + hook + `}`,
		},
		"preferences.ndjson": {
			`{"subscriberId":"nobody","global":{"channels":{"sms":false}}}`, `{"global":{}}`, `{"subscriberId":"ann","workflows":[{"workflow":{"identifier":"lost"},"channels":{"email":false}},{"workflow":{"identifier":"w"},"channels":{"email":false}}]}`,
			`{"subscriberId":"bob","global":{"schedule":{"isEnabled":true,"weeklySchedule":{"monday":{"isEnabled":true,"hours":[{"start":"25:00","end":"26:00"}]}}}}}`,
		},
	})
	for _, c := range [][3]string{
		{"workflow", "lost", "without its contents"},
		{"workflow", "workflows-read.ndjson line 3", "no JSON of its form"},
		{"subscriber field", "bob timezone", "time zone"},
		{"subscriber", "subscribers.ndjson line 3", "no JSON of its form"},
		{"subscriber", "subscribers.ndjson line 5", "names no subscriber"},
		{"subscriber", strings.Repeat("x", 300), "subscriberId"},
		{"channel setting", "cat none-such", "providerId"},
		{"channel setting", "cat slack", "masked"},
		{"subscription", "tk=news:si=nobody", "nobody"},
		{"subscription", "subscriptions.ndjson line 3", "names no subscriber, topic"},
		{"subscription", "tk=no such key!:si=ann", "opic"},
		{"subscription", "subscriptions.ndjson line 5", "no JSON"},
		{"subscription preference", "mine lost", "no such workflow"},
		{"channel endpoint", "e2", "subscriberId: no subscriber"},
		{"channel endpoint", "e3", "integration: no integration"},
		{"channel endpoint", "e4", "no integration"},
		{"channel endpoint", "e5", "masked"},
		{"channel endpoint", "channel-endpoints.ndjson line 6", "identifier"},
		{"channel endpoint", "e1", "another endpoint of this identifier"},
		{"preference", "nobody", "nobody"},
		{"preference", "preferences.ndjson line 2", "names no subscriber"},
		{"preference", "ann lost", "no such active workflow"},
		{"schedule", "bob", "hours"},
	} {
		require.Contains(t, r.reason(c[0], c[1]), c[2], "%s %s: %+v", c[0], c[1], r.Refused)
	}
	for kind, want := range map[string]importer.Counts{
		"subscriber": {Taken: 3, Refused: 3}, "subscription": {Taken: 2, Refused: 4}, "channel endpoint": {Taken: 1, Refused: 6},
		"workflow": {Taken: 1, Unchanged: 1, Refused: 2},
	} {
		require.Equal(t, want, r.Counts[kind], "%s: %+v", kind, r.Refused)
	}
	require.Equal(t, 1, r.Counts["preference"].Taken, "the other item of the same line is taken")
}

// TestRepeatedRecords: of what a file says twice the later line counts, within a page as across pages; what is equal is taken
// once.
func TestRepeatedRecords(t *testing.T) {
	t.Parallel()
	to, api := target(t)
	people := []string{`{"subscriberId":"ann","firstName":"First","lastName":"Kept"}`, `{"subscriberId":"ann","firstName":"Second","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["one"]}}]}`}
	r := imported(t, to, map[string][]string{
		"workflows/w/workflow.yaml": {moved}, "integrations/chat.yaml": {chat},
		"subscribers.ndjson":       people,
		"subscriptions.ndjson":     {`{"topic":{"key":"news"},"subscriber":{"subscriberId":"ann"}}`, `{"topic":{"key":"news"},"subscriber":{"subscriberId":"ann"}}`},
		"channel-endpoints.ndjson": {`{"identifier":"e1","subscriberId":"ann","integrationIdentifier":"chat",` + hook + `}`, `{"identifier":"e1","subscriberId":"ann","integrationIdentifier":"chat",` + hook + `}`},
		"preferences.ndjson":       {`{"subscriberId":"ann","global":{"channels":{"sms":false}}}`},
	})
	require.Equal(t, map[string]importer.Counts{
		"workflow": {Taken: 1}, "integration": {Taken: 1}, "secret": {Refused: 1}, "subscriber": {Taken: 1, Unchanged: 1}, "channel setting": {Taken: 1},
		"subscription": {Taken: 2}, "channel endpoint": {Taken: 1, Unchanged: 1}, "preference": {Taken: 1},
	}, r.Counts)
	var answer struct {
		Ann struct {
			FirstName, LastName string
			Channels            struct{ Nodes []object }
		}
		Subscriptions, ChannelEndpoints struct{ TotalCount int }
	}
	require.NoError(t, api.GraphQL(t.Context(), `{ ann: subscriberBySubscriberId(subscriberId: "ann") { firstName lastName channels { nodes { providerId } } }
		subscriptions { totalCount } channelEndpoints { totalCount } }`, nil, &answer))
	require.Equal(t, []any{"Second", "Kept", 1}, []any{answer.Ann.FirstName, answer.Ann.LastName, len(answer.Ann.Channels.Nodes)})
	require.Equal(t, []int{1, 1}, []int{answer.Subscriptions.TotalCount, answer.ChannelEndpoints.TotalCount})

	changed := imported(t, to, map[string][]string{
		"subscriptions.ndjson": {`{"topic":{"key":"news"},"subscriber":{"subscriberId":"ann"},"preferences":[{"workflow":{"identifier":"w"},"enabled":false}]}`},
		"channel-endpoints.ndjson": {
			`{"identifier":"e1","subscriberId":"ann","integrationIdentifier":"chat","type":"webhook","endpoint":{"url":"https://other.example/x"}}`,
		},
	})
	require.Empty(t, changed.Refused)
	require.Equal(t, []importer.Counts{{Taken: 1}, {Taken: 1}}, []importer.Counts{changed.Counts["subscription"], changed.Counts["channel endpoint"]})
}

// TestTargetsThatRefuseTheKey: what is wrong with the key concerns all records: the import ends and reports none as refused.
func TestTargetsThatRefuseTheKey(t *testing.T) {
	t.Parallel()
	_, api := target(t)
	wrong, err := importer.NewTarget(api.URL, "wrong", patience)
	require.NoError(t, err)
	dir := t.TempDir()
	put(t, dir, "subscribers.ndjson", `{"subscriberId":"ann"}`)
	s := state(t, t.TempDir())
	err = importer.Import(t.Context(), importer.Options{Folder: &importer.Folder{Dir: dir}, State: s, Target: wrong})
	require.ErrorContains(t, err, "UNAUTHENTICATED")
	require.Empty(t, s.Counts)
	err = importer.Import(t.Context(), importer.Options{Folder: &importer.Folder{Dir: dir + "/none"}, State: state(t, t.TempDir()), Target: wrong})
	require.ErrorContains(t, err, "does not exist")
	_, err = importer.NewTarget("nowhere", "key", patience)
	require.Error(t, err)
}

// TestRefusedNames: a name that no database can hold is that of its line alone.
func TestRefusedNames(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	r := imported(t, to, map[string][]string{
		"subscribers.ndjson":       {`{"subscriberId":"ann"}`, `{"subscriberId":"b\u0000"}`, `{"subscriberId":"cat","firstName":"C\u0000"}`},
		"subscriptions.ndjson":     {`{"topic":{"key":"n\u0000"},"subscriber":{"subscriberId":"ann"}}`, `{"topic":{"key":"news"},"subscriber":{"subscriberId":"b\u0000"}}`, `{"topic":{"key":"news"},"subscriber":{"subscriberId":"ann"}}`},
		"channel-endpoints.ndjson": {`{"subscriberId":"b\u0000","identifier":"x",` + hook + `}`, `{"subscriberId":"ann","identifier":"x\u0000",` + hook + `}`},
		"preferences.ndjson":       {`{"subscriberId":"b\u0000","global":{"channels":{"email":false}}}`, `{"subscriberId":"ann","global":{"channels":{"email":false}}}`},
	})
	require.Equal(t, importer.Counts{Taken: 2, Refused: 1}, r.Counts["subscriber"])
	require.Equal(t, importer.Counts{Taken: 1, Refused: 2}, r.Counts["subscription"])
	require.Contains(t, r.reason("subscriber", "subscribers.ndjson line 2"), "U+0000")
	require.Contains(t, r.reason("subscriber field", "cat firstName"), "U+0000")
	require.Contains(t, r.reason("channel endpoint", "channel-endpoints.ndjson line 2"), "U+0000")
	require.Contains(t, r.reason("preference", "preferences.ndjson line 1"), "U+0000")
}

// TestRefusedForms: what is of another kind is named by its member, in words of JSON and not of Go.
func TestRefusedForms(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	r := imported(t, to, map[string][]string{
		"subscribers.ndjson":   {`{"subscriberId":5}`, `[1]`, `{"subscriberId":"ann","channels":{}}`},
		"subscriptions.ndjson": {`{"topic":"news","subscriber":{"subscriberId":"ann"}}`, `{"topic":{"key":true}}`},
	})
	for line, says := range []string{"subscriberId cannot be a number", "the line cannot be a list", "channels cannot be an object"} {
		require.Equal(t, "it is no JSON of its form: "+says, r.reason("subscriber", "subscribers.ndjson line "+strconv.Itoa(line+1)))
	}
	for line, says := range []string{"topic cannot be a text", "topic.key cannot be true or false"} {
		require.Equal(t, "it is no JSON of its form: "+says, r.reason("subscription", "subscriptions.ndjson line "+strconv.Itoa(line+1)))
	}
}

// TestRefusedEncodings: a line in another encoding than UTF-8 is refused rather than altered; the mark that some editors put before UTF-8 is
// no part of the first line.
func TestRefusedEncodings(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	r := imported(t, to, map[string][]string{"subscribers.ndjson": {"\xef\xbb\xbf" + `{"subscriberId":"ann"}`, "{\"subscriberId\":\"bob\",\"firstName\":\"J\xf6rg\"}", `{"subscriberId":"cat"}`}})
	require.Equal(t, importer.Counts{Taken: 2, Refused: 1}, r.Counts["subscriber"])
	require.Equal(t, "it is not UTF-8: save the file in that encoding", r.reason("subscriber", "subscribers.ndjson line 2"))
}

// TestRefusedFolders: a folder with nothing to import, or with lines in a file of another name, is refused rather than worked through.
func TestRefusedFolders(t *testing.T) {
	t.Parallel()
	to, _ := target(t)
	dir := t.TempDir()
	run := func() error {
		return importer.Import(t.Context(), importer.Options{Folder: &importer.Folder{Dir: dir}, State: state(t, t.TempDir()), Target: to})
	}
	require.ErrorContains(t, run(), "holds nothing to import")
	put(t, dir, "subscriber.ndjson", `{"subscriberId":"ann"}`)
	require.ErrorContains(t, run(), "subscriber.ndjson is no file of an export folder; those of lines are subscribers.ndjson,")
}
