package workflow_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// TestEndpointData: each type of endpoint takes exactly its fields (decisions.md §5); an override only has to reach somewhere.
func TestEndpointData(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2049)
	for name, c := range map[string]struct {
		kind workflow.EndpointType
		data workflow.EndpointData
		want []string
		fits bool
	}{
		"SlackChannel":     {workflow.EndpointSlackChannel, workflow.EndpointData{ChannelID: "C1"}, nil, true},
		"SlackUser":        {workflow.EndpointSlackUser, workflow.EndpointData{UserID: "U1"}, nil, true},
		"UserOfAChannel":   {workflow.EndpointSlackChannel, workflow.EndpointData{UserID: "U1"}, []string{"endpoint.channelId", "endpoint.userId"}, false},
		"Both":             {workflow.EndpointSlackUser, workflow.EndpointData{UserID: "U1", ChannelID: "C1"}, []string{"endpoint.channelId"}, true},
		"Webhook":          {workflow.EndpointWebhook, workflow.EndpointData{URL: "https://a.example/x", Channel: "#news"}, nil, true},
		"WebhookWithUser":  {workflow.EndpointWebhook, workflow.EndpointData{URL: "https://u:p@a.example"}, []string{"endpoint.url"}, true},
		"WebhookScheme":    {workflow.EndpointWebhook, workflow.EndpointData{URL: "ftp://a.example"}, []string{"endpoint.url"}, true},
		"WebhookHost":      {workflow.EndpointWebhook, workflow.EndpointData{URL: "https:///x"}, []string{"endpoint.url"}, true},
		"WebhookChannel":   {workflow.EndpointWebhook, workflow.EndpointData{Channel: "#news"}, []string{"endpoint.url"}, false},
		"Phone":            {workflow.EndpointPhone, workflow.EndpointData{PhoneNumber: "+4915112345678"}, nil, true},
		"NationalPhone":    {workflow.EndpointPhone, workflow.EndpointData{PhoneNumber: "0151 12345678"}, []string{"endpoint.phoneNumber"}, false},
		"TeamsChannel":     {workflow.EndpointMSTeamsChannel, workflow.EndpointData{TeamID: "T", ChannelID: "C"}, nil, true},
		"TeamsWithoutTeam": {workflow.EndpointMSTeamsChannel, workflow.EndpointData{ChannelID: "C"}, []string{"endpoint.teamId"}, false},
		"TeamsUser":        {workflow.EndpointMSTeamsUser, workflow.EndpointData{UserID: "U"}, nil, true},
		"Nothing":          {workflow.EndpointMSTeamsUser, workflow.EndpointData{}, []string{"endpoint.userId"}, false},
		"Long":             {workflow.EndpointSlackUser, workflow.EndpointData{UserID: long}, []string{"endpoint.userId"}, true},
		"LongestOfAll":     {workflow.EndpointSlackUser, workflow.EndpointData{UserID: long[:2048]}, nil, true},
		"UnknownType":      {"pigeon", workflow.EndpointData{UserID: "U"}, []string{"type"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &fault.Problems{}
			c.data.Validate(p, "endpoint", c.kind)
			require.Equal(t, c.want, workflowtest.Paths(t, p.Err()))
			require.Equal(t, c.fits, c.data.Fits(c.kind))
		})
	}
}

// TestSuppressedAddress: an address is suppressed in the form in which providers report on it.
func TestSuppressedAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		" Ann@Example.COM ":  "ann@example.com",
		"ann@bücher.example": "ann@xn--bcher-kva.example",
		"ANN@BÜCHER.example": "ann@xn--bcher-kva.example",
		"ann":                "ann",
	} {
		require.Equal(t, want, workflow.SuppressedAddress(workflow.ChannelEmail, address), address)
	}
	require.Equal(t, "+15550101234", workflow.SuppressedAddress(workflow.ChannelSMS, " +15550101234 "))
	require.Equal(t, "TokenCase", workflow.SuppressedAddress(workflow.ChannelPush, "TokenCase"))
}

// TestASCIIDomain: the domain is encoded (RFC 5891), the name beside the address and the local part stay as they are.
func TestASCIIDomain(t *testing.T) {
	t.Parallel()
	for address, c := range map[string]struct {
		want string
		ok   bool
	}{
		"ann@example.com":          {"ann@example.com", true},
		"änn@example.com":          {"änn@example.com", true},
		"ann@bücher.example":       {"ann@xn--bcher-kva.example", true},
		"Änn <ann@bücher.example>": {"Änn <ann@xn--bcher-kva.example>", true},
		"\"a@b\"@bücher.example":   {"\"a@b\"@xn--bcher-kva.example", true},
		"ann@bü cher.example":      {"ann@bü cher.example", false},
		"bücher.example":           {"bücher.example", false}, // no address at all
	} {
		got, ok := workflow.ASCIIDomain(address)
		require.Equal(t, c.want, got, address)
		require.Equal(t, c.ok, ok, address)
	}
}

// TestFeedsAreReplaced: publishing puts ids in the place of names, in variants too, and leaves the draft as it is.
func TestFeedsAreReplaced(t *testing.T) {
	t.Parallel()
	const text = `{"steps":[
		{"stepId":"a","type":"in_app","inApp":{"body":"x","feedId":"alerts"},"variants":[{"name":"v","filters":[],"inApp":{"body":"y","feedId":"news"}},{"name":"w","filters":[],"inApp":{"body":"z"}}]},
		{"stepId":"b","type":"sms","sms":{"body":"x"}},{"stepId":"c","type":"in_app","inApp":{"body":"x"}}]}`
	d := definition(t, text)
	require.Equal(t, []string{"alerts", "news"}, d.Feeds())
	out := d.WithFeeds(map[string]string{"alerts": "id1", "news": "id2"})
	require.Equal(t, []string{"id1", "id2"}, out.Feeds())
	require.Equal(t, definition(t, text), d)
	require.Empty(t, d.WithFeeds(nil).Feeds(), "a feed that nobody made is none")
}

// TestDigestJudge: an event joins the open window, opens one, or continues at once when the look-back is quiet.
func TestDigestJudge(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	regular := workflow.DigestControls{Type: workflow.DigestRegular, Amount: 1, Unit: workflow.UnitHours}
	backoff := workflow.DigestControls{Type: workflow.DigestBackoff, Amount: 1, Unit: workflow.UnitHours, BackoffAmount: 10, BackoffUnit: workflow.UnitMinutes}
	withBackoff := regular
	withBackoff.Backoff, withBackoff.BackoffAmount, withBackoff.BackoffUnit = true, 10, workflow.UnitMinutes
	for name, c := range map[string]struct {
		controls workflow.DigestControls
		state    workflow.DigestState
		want     workflow.DigestVerdict
		closes   time.Time
	}{
		"First":             {regular, workflow.DigestState{}, workflow.DigestOpens, at.Add(time.Hour)},
		"Joins":             {regular, workflow.DigestState{ClosesAt: at.Add(time.Minute), Last: at}, workflow.DigestJoins, at.Add(time.Minute)},
		"AtTheClose":        {regular, workflow.DigestState{ClosesAt: at, Last: at}, workflow.DigestOpens, at.Add(time.Hour)},
		"BackoffFirst":      {backoff, workflow.DigestState{}, workflow.DigestPasses, time.Time{}},
		"BackoffBusy":       {backoff, workflow.DigestState{Last: at.Add(-9 * time.Minute)}, workflow.DigestOpens, at.Add(time.Hour)},
		"BackoffEdge":       {backoff, workflow.DigestState{Last: at.Add(-10 * time.Minute)}, workflow.DigestPasses, time.Time{}},
		"BackoffOpenWindow": {backoff, workflow.DigestState{ClosesAt: at.Add(time.Second)}, workflow.DigestJoins, at.Add(time.Second)},
		"RegularBackoff":    {withBackoff, workflow.DigestState{}, workflow.DigestPasses, time.Time{}},
		"TimedIgnoresIt": {
			workflow.DigestControls{Type: workflow.DigestTimed, Unit: workflow.UnitDays, Backoff: true, Timed: &workflow.DigestTimedAt{AtTime: "18:00"}},
			workflow.DigestState{},
			workflow.DigestOpens, at.Add(6 * time.Hour),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, closes := c.controls.Decide(c.state, at, time.UTC)
			require.Equal(t, c.want, got)
			require.Equal(t, c.closes, closes.UTC())
		})
	}
}

// TestDigestOverrides: a trigger may change regular digests only, and the workflow's own controls stay.
func TestDigestOverrides(t *testing.T) {
	t.Parallel()
	over := &workflow.DelayOverride{Amount: 5, Unit: workflow.UnitMinutes}
	regular := &workflow.DigestControls{Type: workflow.DigestRegular, Amount: 1, Unit: workflow.UnitHours, DigestKey: "k"}
	changed := regular.Overridden(over)
	require.Equal(t, workflow.DigestControls{Type: workflow.DigestRegular, Amount: 5, Unit: workflow.UnitMinutes, DigestKey: "k"}, *changed)
	require.Equal(t, 1, regular.Amount)
	require.Same(t, regular, regular.Overridden(nil))
	for _, kind := range []workflow.DigestType{workflow.DigestBackoff, workflow.DigestTimed} {
		other := &workflow.DigestControls{Type: kind, Amount: 1, Unit: workflow.UnitHours}
		require.Same(t, other, other.Overridden(over))
	}
}

// TestWaitIssues: a wait beyond the server's longest is worth a look, counted by the shortest that it can last.
func TestWaitIssues(t *testing.T) {
	t.Parallel()
	const longest = 28 * 24 * time.Hour
	for text, issue := range map[string]bool{
		`"type":"delay","delay":{"type":"regular","amount":28,"unit":"days"}`:                    false,
		`"type":"delay","delay":{"type":"regular","amount":29,"unit":"days"}`:                    true,
		`"type":"delay","delay":{"type":"regular","amount":1,"unit":"months"}`:                   false,
		`"type":"delay","delay":{"type":"regular","amount":1000000,"unit":"months"}`:             true,
		`"type":"delay","delay":{"type":"scheduled","delayPath":"at","amount":90,"unit":"days"}`: false,
		`"type":"digest","digest":{"type":"regular","amount":5,"unit":"weeks"}`:                  false,
		`"type":"digest","digest":{"type":"timed","amount":5,"unit":"weeks"}`:                    false,
		`"type":"sms","sms":{"body":"x"}`:                                                        false,
	} {
		d := definition(t, `{"steps":[{"stepId":"s",`+text+`}]}`)
		in := workflow.IssueInput{MaxDelay: longest, ActiveChannels: map[workflow.Channel]bool{workflow.ChannelSMS: true}}
		issues := d.Issues(in)
		require.Equal(t, issue, len(issues) == 1, text)
		if issue {
			require.Equal(t, []string{"s", "amount", workflow.IssueTierLimit}, []string{issues[0].StepID, issues[0].Key, issues[0].Type})
		}
		in.MaxDelay = 0
		require.Empty(t, d.Issues(in), "without a limit: %s", text)
	}
}

// TestReplyCallbackOf: replies go where the step says, while its callback is switched on.
func TestReplyCallbackOf(t *testing.T) {
	t.Parallel()
	d := definition(t, `{"steps":[
		{"stepId":"on","type":"email","replyCallback":{"active":true,"url":"https://a.example"}},
		{"stepId":"off","type":"email","replyCallback":{"active":false,"url":"https://b.example"}},{"stepId":"none","type":"email"}]}`)
	require.Equal(t, "https://a.example", d.ReplyCallbackOf("on").URL)
	for _, step := range []string{"off", "none", "gone"} {
		require.Nil(t, d.ReplyCallbackOf(step), step)
	}
}

// TestTraceRepetitions: an entry that was counted shows its first and its latest time.
func TestTraceRepetitions(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	latest := first.Add(time.Hour)
	once, counted := workflow.TraceEntry{At: first, Reason: workflow.ReasonQueued}, workflow.TraceEntry{At: first, LastAt: &latest, Count: 4, Reason: workflow.ReasonRetry}
	require.Equal(t, []any{1, first, first, false}, []any{once.Times(), once.FirstAt(), once.Latest(), once.Repeats()})
	require.Equal(t, []any{4, first, latest, true}, []any{counted.Times(), counted.FirstAt(), counted.Latest(), counted.Repeats()})
	reasons := workflow.RepeatingReasons()
	reasons[0] = "changed"
	require.NotContains(t, workflow.RepeatingReasons(), workflow.Reason("changed"), "callers get a copy")
}
