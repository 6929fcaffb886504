package importer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	graphclient "github.com/carillon/carillon/graph/client"
)

type object = map[string]any

// TestWishes: what is asked of the target is what it does not answer already.
func TestWishes(t *testing.T) {
	t.Parallel()
	on, off := new(true), new(false)
	now := effectiveLevel{Enabled: true, Channels: map[string]*bool{"email": on, "sms": off, "in_app": on, "push": nil}}
	for name, c := range map[string]struct {
		given wishes
		want  object
	}{
		"nothing":                     {wishes{}, nil},
		"as it is":                    {wishes{Enabled: on, Channels: map[string]bool{"email": true, "sms": false}}, nil},
		"another channel":             {wishes{Channels: map[string]bool{"email": true, "sms": true}}, object{"channels": object{"sms": true}}},
		"the name GraphQL has":        {wishes{Channels: map[string]bool{"in_app": false}}, object{"channels": object{"inApp": false}}},
		"a channel that says nothing": {wishes{Channels: map[string]bool{"push": false}}, object{"channels": object{"push": false}}},
		"a channel it does not have":  {wishes{Channels: map[string]bool{"chat": true}}, object{"channels": object{"chat": true}}},
		"switched off": {
			wishes{Enabled: off, Channels: map[string]bool{"email": false}}, object{"enabled": false, "channels": object{}}, // shown off whatever is stored
		},
		"switched on": {wishes{Enabled: on, Channels: map[string]bool{"sms": true}}, object{"channels": object{"sms": true}}},
	} {
		require.Equal(t, c.want, now.missing(c.given), name)
	}
}

// TestOwnWishes: of an answer of a deployment only the channels that the subscriber set are taken (migrate.md §3); an item that
// says nothing of sources is all the subscriber's.
func TestOwnWishes(t *testing.T) {
	t.Parallel()
	channels := map[string]bool{"email": false, "sms": true}
	written := workflowWishes{wishes: wishes{Enabled: new(true), Channels: channels}}
	require.Equal(t, written.wishes, written.own())
	read := written
	read.Overrides = append(read.Overrides, struct {
		Channel string `json:"channel"`
		Source  string `json:"source"`
	}{"email", "subscriber"}, struct {
		Channel string `json:"channel"`
		Source  string `json:"source"`
	}{"sms", "template"}, struct {
		Channel string `json:"channel"`
		Source  string `json:"source"`
	}{"chat", "subscriber"})
	require.Equal(t, wishes{Enabled: new(true), Channels: map[string]bool{"email": false}}, read.own())
}

// TestFaultyResources: a refused configuration loses the resources that the refusal names, whatever dots are in their names,
// and nothing else; a refusal that names none ends the import.
func TestFaultyResources(t *testing.T) {
	t.Parallel()
	document := object{
		"workflows": object{"order": object{}, "order.shipped": object{}, "fine": object{}},
		"topics":    object{"news": object{}}, "notificationGroups": object{"g": object{}},
	}
	refusal := &graphclient.Error{Fields: []graphclient.FieldError{
		{Path: "input.document.workflows.order.shipped.steps.0", Message: "is wrong"},
		{Path: "input.document.workflows.order.shipped.name", Message: "again"},
		{Path: "input.document.notificationGroups.g", Message: "is unknown"},
		{Path: "input.document.workflows.none", Message: "x"},
		{Path: "elsewhere", Message: "x"},
	}}
	require.Equal(t, []Item{
		{Kind: "workflow", Name: "order.shipped", Result: Refused, Reason: "steps.0: is wrong; name: again"},
		{Kind: "notification group", Name: "g", Result: Refused, Reason: "is unknown"},
	}, dropFaulty(document, refusal))
	require.Equal(t, object{"workflows": object{"order": object{}, "fine": object{}}, "topics": object{"news": object{}}}, document)
	require.Empty(t, dropFaulty(document, nil))
	require.Empty(t, dropFaulty(document, &graphclient.Error{}))

	require.Equal(t, []Item{
		{Kind: "topic", Name: "news", Result: Unchanged}, {Kind: "workflow", Name: "fine", Result: Taken}, {Kind: "workflow", Name: "order", Result: Unchanged},
	}, resources(document, []change{{"WORKFLOW", "fine"}, {"TOPIC", "fine"}}))
}

// TestCredentials: a variable's value takes the place of its name, one without value is taken out and named; an integration
// that has none of its secrets is switched off with placeholders where its provider needs some.
func TestCredentials(t *testing.T) {
	t.Parallel()
	o := Options{Secret: func(name string) (string, bool) { return "value of " + name, name != "UNSET" }}
	file := object{"credentials": object{"a": "${A}", "b": "${UNSET}", "c": "plain", "d": "${open", "e": 7}}
	missing, found := o.fillCredentials(file)
	require.Equal(t, []any{[]string{"UNSET"}, true}, []any{missing, found})
	require.Equal(t, object{"a": "value of A", "c": "plain", "d": "${open", "e": 7}, file["credentials"])
	missing, found = Options{}.fillCredentials(object{"credentials": object{"a": "${A}"}})
	require.Equal(t, []any{[]string{"A"}, false}, []any{missing, found}, "nothing knows values")
	missing, found = o.fillCredentials(object{})
	require.Equal(t, []any{[]string(nil), false}, []any{missing, found})

	file = object{"primary": true, "credentials": object{"user": "given"}}
	secrets := []credential{
		{Name: "user", Kind: "STRING", Required: true},
		{Name: "password", Kind: "STRING", Required: true},
		{Name: "hook", Kind: "URL", Required: true},
		{Name: "extra", Kind: "STRING"},
	}
	switchOff(file, secrets)
	require.Equal(t, object{
		"active": false, "credentials": object{"user": "given", "password": "to-be-set", "hook": "https://to-be-set.invalid"},
	}, file)
	file = object{}
	switchOff(file, secrets[:1])
	require.Equal(t, object{"active": false, "credentials": object{"user": "to-be-set"}}, file)
}

// TestHeldSettings: a stored setting is left when it says all that is given; its address is compared as far as it is shown.
func TestHeldSettings(t *testing.T) {
	t.Parallel()
	stored := channelSetting{ProviderID: "slack", IntegrationIdentifier: "team", Credentials: object{
		"deviceTokens": []any{"one", "two"}, "webhookUrl": "https://hooks.example/" + mask, "title": "t",
	}}
	for name, c := range map[string]struct {
		given channelSetting
		want  bool
	}{
		"less":                {channelSetting{"slack", "team", object{"deviceTokens": []any{"two"}}}, true},
		"all":                 {channelSetting{"slack", "team", object{"title": "t", "webhookUrl": "https://hooks.example/T1/B1"}}, true},
		"a new token":         {channelSetting{"slack", "team", object{"deviceTokens": []any{"two", "three"}}}, false},
		"another host":        {channelSetting{"slack", "team", object{"webhookUrl": "https://else.example/T1"}}, false},
		"another title":       {channelSetting{"slack", "team", object{"title": "u"}}, false},
		"another provider":    {channelSetting{"discord", "team", object{}}, false},
		"another integration": {channelSetting{"slack", "", object{}}, false},
	} {
		require.Equal(t, c.want, c.given.heldBy(stored, c.given.Credentials), name)
	}
	require.Equal(t, "https://hooks.example/********", maskOf("https://hooks.example/services/T1"))
	require.Equal(t, "https://********/********", maskOf("https://"))
}

// TestDocumentedForms: what GraphQL answers becomes a line of the documented form.
func TestDocumentedForms(t *testing.T) {
	t.Parallel()
	line, err := exportedEndpoint(object{"channel": "CHAT", "type": "SLACK_USER", "endpoint": object{"userId": "U1", "url": ""}})
	require.NoError(t, err)
	require.Equal(t, object{"channel": "chat", "type": "slack_user", "endpoint": object{"userId": "U1"}}, line)

	ann, channels := object{"subscriberId": "ann"}, object{"sms": false}
	for name, c := range map[string]struct{ node, want object }{
		"of a deleted subscriber": {object{"subscriber": nil, "channels": channels}, nil},
		"global":                  {object{"subscriber": ann, "enabled": nil, "channels": channels}, object{"subscriberId": "ann", "contextKeys": nil, "global": object{"enabled": nil, "channels": channels}}},
		"workflow": {
			object{"subscriber": ann, "contextKeys": []any{"a:b"}, "enabled": true, "channels": channels, "workflow": object{"identifier": "w"}},
			object{"subscriberId": "ann", "contextKeys": []any{"a:b"}, "workflows": []any{object{"enabled": true, "channels": channels, "workflow": object{"identifier": "w"}}}},
		},
	} {
		line, err := exportedPreference(c.node)
		require.NoError(t, err)
		require.Equal(t, c.want, line, name)
	}
	require.Equal(t, object{"a": object{"c": 1}, "l": []any{object{}, nil}}, clean(object{"a": object{"b": nil, "c": 1}, "l": []any{object{"x": nil}, nil}, "n": nil}))
	require.Equal(t, object{"app": "a:b", "team": ""}, contextOf([]string{"app:a:b", "team"}))
}

// TestRefusals: what is wrong with one record is its own; what is wrong with the key, the service or the way to it ends the
// import.
func TestRefusals(t *testing.T) {
	t.Parallel()
	of := func(status int, code string) *graphclient.Error {
		return &graphclient.Error{StatusCode: status, Code: code, Message: "no"}
	}
	for _, code := range []string{"VALIDATION", "ALREADY_EXISTS", "NOT_FOUND"} {
		item, err := settled("k", "n", of(200, code))
		require.NoError(t, err)
		require.Equal(t, Item{Kind: "k", Name: "n", Result: Refused, Reason: "no"}, item, code)
		_, err = settled("k", "n", of(500, code))
		require.Error(t, err, "the service failed")
	}
	for _, code := range accountCodes {
		_, err := settled("k", "n", of(200, code))
		require.Error(t, err, code)
	}
	_, err := settled("k", "n", errNoIdentifier)
	require.ErrorIs(t, err, errNoIdentifier)
	item, err := settled("k", "n", nil)
	require.NoError(t, err)
	require.Equal(t, Taken, item.Result)
	named := of(200, "VALIDATION")
	named.Fields = []graphclient.FieldError{{Path: "input.a", Message: "is wrong"}, {Path: "input.b", Message: "too"}}
	require.Equal(t, "input.a: is wrong; input.b: too", reasonOf(named))
}

// TestAtTheSameTime: a page is worked on by as many at the same time as asked for, 8 otherwise, and no more; the results are in
// the order of the lines. The first error ends it, and the others see the end.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	for given, want := range map[int]int64{3: 3, 0: 8, 100: 20} {
		t.Run(fmt.Sprint(given), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				values := make([]int, 20)
				for i := range values {
					values[i] = i
				}
				var under atomic.Int64
				release, results := make(chan struct{}), make(chan []int, 1)
				go func() {
					all, _ := parallel(t.Context(), given, values, func(_ context.Context, i int) ([]int, error) {
						under.Add(1)
						<-release
						under.Add(-1)
						return []int{i, i}[:1+i%2], nil
					})
					results <- all
				}()
				synctest.Wait()
				require.Equal(t, want, under.Load())
				close(release)
				require.Equal(t, []int{0, 1, 1, 2, 3, 3}, (<-results)[:6])
			})
		})
	}
	failed := errors.New("failed")
	_, err := parallel(t.Context(), 2, []int{1, 2}, func(ctx context.Context, i int) ([]int, error) {
		if i == 1 {
			return nil, failed
		}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	require.ErrorIs(t, err, failed)
}
