package workflow_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// known are the providers of workflowtest, with the operator's own under a prefix.
var known = workflow.ProviderLists(workflowtest.Providers, "acme")

func TestFormats(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 256)
	set := make(workflow.ContextSet, workflow.MaxContexts)
	for i := range set {
		set[i] = strings.Repeat(string(rune('a'+i)), 100) + ":" + long[:100]
	}
	longest := workflow.SubscriptionIdentifier(long[:255], long[:255], set)
	require.Len(t, longest, workflow.MaxSubscriptionIdentifier)
	for name, tc := range map[string]struct {
		valid   func(string) bool
		yes, no []string
	}{
		"SubscriberID": {
			func(s string) bool { _, ok := workflow.ParseSubscriberID(s); return ok },
			[]string{"u1", " u1 ", "a@b.c|d+e=f~g/h:i_j-k", long[:255]},
			[]string{"", "  ", "a b", "ä", long, "a,b"},
		},
		"NewSubscriberID": {
			func(s string) bool { _, ok := workflow.ParseNewSubscriberID(s); return ok },
			[]string{"u1", "...", ".a"},
			[]string{"", "a b", ".", "..", " .. "},
		},
		"TopicKey": {workflow.ValidTopicKey, []string{"news", "a:b.c_d-e", "x+y@z.org", "..."}, []string{"", "a b", "a/b", long, ".", ".."}},
		"Workflow": {workflow.ValidWorkflowIdentifier, []string{"order-shipped", "A.b_1"}, []string{"", "a b", "a:b", long}},
		"Subscr": {workflow.ValidSubscriptionIdentifier, []string{
			"tk=a:si=b ö", workflow.SubscriptionIdentifier(long[:255], long[:255], nil), longest,
			workflow.SubscriptionIdentifier(long[:255], "a:ctx=b", nil), workflow.SubscriptionIdentifier(long[:255], "a:si=b:ctx=a:b", set),
		}, []string{"", "a\nb", long, longest + "x", "tk=" + long + ":si=a", "tk=a b:si=" + long[:255], "tk=a:si=" + long}},
		"Context":    {workflow.ValidContextPart, []string{"tenant", "a_b-1"}, []string{"", "a:b", "a.b", long[:101]}},
		"Txn":        {workflow.ValidTransactionID, []string{"x", "ö \n"}, []string{"", long, "a\x00b", "\xff"}},
		"Phone":      {workflow.ValidPhone, []string{"+4915112345678", "+15555550100", "+442071838750"}, []string{"", "015112345678", "+49 151 12345678", "+1", "+1234", "+0123456789", "tel:+4915112345678"}},
		"Email":      {workflow.ValidEmail, []string{"a@b.c", "user@localhost", "ö@x.de"}, []string{"", "a", "a@", "A <a@b.c>", "a@b.c, d@e.f", "a@b.c\r\nBcc: x@y.z"}},
		"Locale":     {workflow.ValidLocale, []string{"de", "de-AT", "en_US", "zh-Hant-TW", "xx"}, []string{"", "englisch!", "-"}},
		"Location":   {func(s string) bool { _, ok := workflow.Location(s); return ok }, []string{"Europe/Berlin", "UTC"}, []string{"", "Local", "Mars/Olympus", "../etc/passwd"}},
		"Step":       {workflow.ValidStepID, []string{"step-1"}, []string{"a.b", ""}},
		"ContextSet": {func(s string) bool { return workflow.ParseScope(s).Valid() }, []string{"", "a:b", "a:b,c:d"}, []string{"a", "a:b:c", ":"}},
	} {
		for _, s := range tc.yes {
			require.True(t, tc.valid(s), "%s %q", name, s)
		}
		for _, s := range tc.no {
			require.False(t, tc.valid(s), "%s %q", name, s)
		}
	}
	id, _ := workflow.ParseSubscriberID("  u1\t")
	require.Equal(t, "u1", id)
}

func TestParseContext(t *testing.T) {
	t.Parallel()
	p := &fault.Problems{}
	refs, _ := workflow.ContextShape.Parse(p, "context", workflowtest.Decode(t, `{"tenant":{"id":"acme","data":{"plan":"pro"}},"region":"eu"}`))
	require.NoError(t, p.Err())
	require.Equal(t, []workflow.ContextRef{{Type: "region", ID: "eu"}, {Type: "tenant", ID: "acme", Data: map[string]any{"plan": "pro"}}}, refs)
	set := workflow.ContextSetOf(refs)
	require.Equal(t, "region:eu,tenant:acme", set.Scope())
	require.Equal(t, map[string]any{"region": "eu", "tenant": "acme"}, workflow.ContextView(refs, false))

	for raw, want := range map[string][]string{
		`"x"`: {"context"}, `{}`: {"context"}, `{"a":1}`: {"context.a"}, `{"a b":"x"}`: {"context.a b"}, `{"a":""}`: {"context.a"},
		`{"a":{"data":{}}}`: {"context.a.id"}, `{"a":{"id":"x:y"}}`: {"context.a.id"}, `{"a":{"id":"x","data":[]}}`: {"context.a.data"},
		`{"a":"1","b":"1","c":"1","d":"1","e":"1","f":"1"}`: {"context"}, `null`: nil, `{"a":{"id":"x","data":null}}`: nil,
		`{"a":{"id":"x","data":{"d":"` + strings.Repeat("x", 70_000) + `"}}}`: {"context.a.data"},
	} {
		p := &fault.Problems{}
		workflow.ContextShape.Parse(p, "context", workflowtest.Decode(t, raw))
		require.Equal(t, want, workflowtest.Paths(t, p.Err()), raw)
	}
}

func TestContextSet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-c]:[x-z]`), 0, 5).Draw(rt, "keys")
		shuffled := rapid.Permutation(keys).Draw(rt, "shuffled")
		a, b := workflow.NewContextSet(keys...), workflow.NewContextSet(append(shuffled, shuffled...)...)
		require.True(rt, a.Equal(b))
		require.Equal(rt, a.Scope(), b.Scope())
		require.True(rt, workflow.ParseScope(a.Scope()).Equal(a))
	})
}

func TestParseRecipients(t *testing.T) {
	t.Parallel()
	parse := func(raw string) (workflow.Recipients, []string) {
		p := &fault.Problems{}
		r, _ := workflow.RecipientsShape.ParseWith(known, p, "to", workflowtest.Decode(t, raw))
		return r, workflowtest.Paths(t, p.Err())
	}

	t.Run("Forms", func(t *testing.T) {
		t.Parallel()
		r, problems := parse(`[" u1 ",{"subscriberId":"u2","email":"a@b.c","phone":null,"data":{"x":1}},
			{"type":"Topic","topicKey":"news","exclude":["u3"," u4 "]},{"topicKey":"plain"},{"type":"Subscriber","subscriberId":"u5"}]`)
		require.Nil(t, problems)
		require.Equal(t, workflow.Recipients{
			Direct: []workflow.SubscriberInput{
				{SubscriberID: "u1"},
				{
					SubscriberID: "u2", Profile: workflow.ProfileInput{Email: workflow.Given("a@b.c"), Phone: workflow.Cleared[string]()},
					Data: workflow.Given(map[string]any{"x": 1.0}),
				},
				{SubscriberID: "u5"},
			},
			Topics: []workflow.TopicRecipient{{TopicKey: "news", Exclude: []string{"u3", "u4"}}, {TopicKey: "plain"}},
		}, r)
		require.True(t, r.Direct[0].Bare())
		require.False(t, r.Direct[1].Bare())
		require.Equal(t, []string{"u3", "u4"}, r.Excluded())
	})
	t.Run("Duplicates", func(t *testing.T) {
		t.Parallel()
		r, problems := parse(`["u1",{"subscriberId":"u1","firstName":"Ada","lastName":"L"},"u1",{"subscriberId":"u1","firstName":null},
			{"topicKey":"t","exclude":["a"]},{"topicKey":"t","exclude":["b"]}]`)
		require.Nil(t, problems)
		require.Equal(t, []workflow.SubscriberInput{{SubscriberID: "u1", Profile: workflow.ProfileInput{FirstName: workflow.Cleared[string](), LastName: workflow.Given("L")}}}, r.Direct)
		require.Equal(t, []string{"a", "b"}, r.Excluded())
		require.Len(t, r.Topics, 1)
	})
	t.Run("Invalid", func(t *testing.T) {
		t.Parallel()
		r, problems := parse(`["", 5, null, "a b", {"firstName":"x"}, {"type":"topic","topicKey":"n"}, {"topicKey":""}, {"subscriberId":7}, "ok"]`)
		require.Nil(t, problems)
		require.Len(t, r.Invalid, 8)
		require.Equal(t, "to.0", r.Invalid[0].Path)
		require.False(t, r.Empty())
		for _, empty := range []string{`[]`, `""`, `{}`, `["a b"]`, `42`, `-1.5e300`, `true`, `false`, `[42]`, `[[]]`, `[["u1"]]`, `{"topicKey":""}`, `{"topicKey":[]}`} {
			r, problems := parse(empty)
			require.Nil(t, problems)
			require.True(t, r.Empty())
		}
	})
	t.Run("Channels", func(t *testing.T) {
		t.Parallel()
		r, problems := parse(`{"subscriberId":"u","channels":[{"providerId":"fcm","integrationIdentifier":"i","credentials":{"deviceTokens":["a"],"webhookUrl":"https://x"}},{"providerId":"acme-slack"}]}`)
		require.Nil(t, problems)
		require.Equal(t, []workflow.ChannelInput{{
			ProviderID: "fcm", IntegrationIdentifier: "i",
			Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"a"}, WebhookURL: "https://x"},
		}, {ProviderID: "svc-slack"}}, r.Direct[0].Channels)
	})
	for raw, want := range map[string][]string{
		`5`: nil, `true`: nil,
		`["u",{"subscriberId":"u2","firstName":5,"data":[],"channels":[{"providerId":"mailgun"},{"providerId":"fcm","credentials":{"deviceTokens":[1]}},3]}]`: {
			"to.1.firstName", "to.1.data", "to.1.channels.0.providerId", "to.1.channels.1.credentials.deviceTokens.0", "to.1.channels.2",
		},
		`{"topicKey":"t","exclude":"u"}`:              {"to.exclude"},
		`[` + strings.Repeat(`"u",`, 100) + `"u"]`:    {"to"},
		`[` + strings.Repeat(`"u",`, 99) + `"u"]`:     nil,
		`{"subscriberId":"u","email":"a\u0000b"}`:     {"to.email"},
		`{"subscriberId":"u","channels":{"a":1}}`:     {"to.channels"},
		`{"subscriberId":"u","channels":null}`:        nil,
		`[{"subscriberId":"bad id","firstName":{}}]`:  nil, // dropped before its fields are looked at
		`{"type":null,"topicKey":null,"to":1,"a":{}}`: nil,
	} {
		_, problems := parse(raw)
		require.Equal(t, want, problems, raw)
	}
}

// TestTextsOfRecipientsAreBounded takes each text of a recipient and of an actor to its bound, in characters, and beyond.
func TestTextsOfRecipientsAreBounded(t *testing.T) {
	t.Parallel()
	for member, most := range map[string]int{
		"firstName": 255, "lastName": 255, "email": 512, "phone": 512, "avatar": 2048, "locale": 255, "timezone": 255,
	} {
		for _, over := range []int{0, 1} {
			subscriber := map[string]any{"subscriberId": "u", member: strings.Repeat("ü", most+over)}
			var p fault.Problems
			_, _ = workflow.RecipientsShape.ParseWith(known, &p, "to", []any{"good", subscriber})
			_, _ = workflow.ActorShape.ParseWith(known, &p, "actor", subscriber)
			want := map[int][]string{0: nil, 1: {"to.1." + member, "actor." + member}}[over]
			require.Equal(t, want, workflowtest.Paths(t, p.Err()), "%s with %d more than %d characters", member, over, most)
		}
	}
	for length, want := range map[int][]string{0: nil, 255: nil, 256: {"to.channels.0.integrationIdentifier"}} {
		var p fault.Problems
		_, _ = workflow.RecipientsShape.ParseWith(known, &p, "to", map[string]any{"subscriberId": "u", "channels": []any{
			map[string]any{"providerId": "fcm", "integrationIdentifier": strings.Repeat("ü", length)},
		}})
		require.Equal(t, want, workflowtest.Paths(t, p.Err()), length)
	}
}

func TestParseActorAndTenant(t *testing.T) {
	t.Parallel()
	p := &fault.Problems{}
	actor := func(raw any) workflow.SubscriberInput {
		v, _ := workflow.ActorShape.ParseWith(known, p, "actor", raw)
		return v
	}
	tenant := func(raw any) workflow.TenantInput {
		v, _ := workflow.TenantShape.Parse(p, "tenant", raw)
		return v
	}
	require.Equal(t, "a", actor(" a ").SubscriberID)
	require.Equal(t, workflow.Given("x"), actor(workflowtest.Decode(t, `{"subscriberId":"a","avatar":"x"}`)).Avatar)
	require.Zero(t, actor(nil))
	require.Equal(t, workflow.TenantInput{Identifier: "acme"}, tenant("acme"))
	require.Equal(t, workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("A")},
		tenant(workflowtest.Decode(t, `{"identifier":"acme","name":"A","data":null}`)))
	require.NoError(t, p.Err())

	actor("a b")
	actor(5.0)
	actor(workflowtest.Decode(t, `{"firstName":"x"}`))
	tenant("")
	tenant([]any{})
	tenant(workflowtest.Decode(t, `{"name":3}`))
	require.Equal(t, []string{"actor", "actor", "actor.subscriberId", "tenant", "tenant", "tenant.identifier", "tenant.name"}, workflowtest.Paths(t, p.Err()))
}

// A recipient survives storage in its three states.
func TestSubscriberInputRoundTrip(t *testing.T) {
	t.Parallel()
	in := workflow.SubscriberInput{SubscriberID: "u", Profile: workflow.ProfileInput{Email: workflow.Given(""), Phone: workflow.Cleared[string]()}, Data: workflow.Given(map[string]any{"a": 1.0})}
	raw, err := json.Marshal(in)
	require.NoError(t, err)
	require.JSONEq(t, `{"subscriberId":"u","email":"","phone":null,"data":{"a":1}}`, string(raw))
	var out workflow.SubscriberInput
	require.NoError(t, json.Unmarshal(raw, &out))
	require.Equal(t, in, out)
	require.Nil(t, out.Phone.Ptr())
	require.Equal(t, "", *out.Email.Ptr())
}

// FuzzRecipients: whatever "to" holds, every subscriber that comes out is valid and named once.
func FuzzRecipients(f *testing.F) {
	for _, s := range []string{
		`"u1"`, `["u1",{"subscriberId":"u1","email":null}]`, `{"topicKey":"t","exclude":["u"]}`, `[1,null,[],{}]`,
		`[{"type":"Topic"},{"type":5}]`, `{"subscriberId":"u","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["x"]}}]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var to any
		if json.Unmarshal([]byte(raw), &to) != nil {
			t.Skip()
		}
		p := &fault.Problems{}
		r, _ := workflow.RecipientsShape.ParseWith(known, p, "to", to)
		seen := map[string]bool{}
		for _, s := range r.Direct {
			id, ok := workflow.ParseSubscriberID(s.SubscriberID)
			require.True(t, ok)
			require.Equal(t, id, s.SubscriberID)
			require.False(t, seen[id])
			seen[id] = true
		}
		workflow.ActorShape.ParseWith(known, p, "actor", to)
		workflow.TenantShape.Parse(p, "tenant", to)
		workflow.ContextShape.Parse(p, "context", to)
	})
}
