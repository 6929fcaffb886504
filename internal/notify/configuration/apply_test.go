package configuration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/notifytest"
)

// apply makes an environment hold a document, and returns what changed, as "CREATE TOPIC name".
func apply(t *testing.T, a *notifytest.Authoring, document string, prune bool) (list []string) {
	t.Helper()
	in := input(t, document)
	in.Prune = &prune
	plan, err := a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
	for _, c := range plan.Changes {
		list = append(list, string(c.Action)+" "+string(c.Kind)+" "+c.Name)
	}
	return list
}

// TestRenamesFollowReferences: what refers to a resource is moved to its new name before the old one goes.
func TestRenamesFollowReferences(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	document := func(group, feed, layout string) string {
		return `{"notificationGroups":{"` + group + `":{"name":"G"},"below":{"name":"B","parent":"` + group + `"}},
			"feeds":{"` + feed + `":{"name":"F"}},"layouts":{"` + layout + `":{"name":"L","content":"{{content}}"}},
			"workflows":{"w":{"name":"W","notificationGroup":"` + group + `","steps":[
				{"stepId":"bell","type":"in_app","inApp":{"body":"x","feedId":"` + feed + `"}},
				{"stepId":"mail","type":"email","email":{"subject":"S","html":"x","layoutId":"` + layout + `"}}]}}}`
	}
	apply(t, a, document("g1", "f1", "l1"), true)
	require.Equal(t, []string{
		"CREATE NOTIFICATION_GROUP g2", "UPDATE NOTIFICATION_GROUP below", "CREATE FEED f2", "CREATE LAYOUT l2", "UPDATE WORKFLOW w",
		"DELETE LAYOUT l1", "DELETE FEED f1", "DELETE NOTIFICATION_GROUP g1",
	}, apply(t, a, document("g2", "f2", "l2"), true))
	require.Empty(t, apply(t, a, document("g2", "f2", "l2"), true))

	read, err := a.Configurations.Read(a.Ctx, []configuration.Kind{configuration.KindWorkflow, configuration.KindFeed})
	require.NoError(t, err)
	w := at(read.Document, "workflows", "w")
	require.Equal(t, "g2", w["notificationGroup"])
	require.Equal(t, "f2", at(w["steps"].([]any)[0].(map[string]any), "inApp")["feedId"])
	require.Equal(t, map[string]any{"f2": map[string]any{"name": "F"}}, read.Document["feeds"])
}

// TestGroupsComeFromAboveDown: a group is there before others go into it, whatever their names, and groups may change places.
func TestGroupsComeFromAboveDown(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	require.Equal(t, []string{"CREATE NOTIFICATION_GROUP z", "CREATE NOTIFICATION_GROUP m", "CREATE NOTIFICATION_GROUP a"},
		apply(t, a, `{"notificationGroups":{"a":{"name":"A","parent":"m"},"m":{"name":"M","parent":"z"},"z":{"name":"Z"}}}`, false))
	require.Equal(t, []string{"UPDATE NOTIFICATION_GROUP a", "UPDATE NOTIFICATION_GROUP m", "UPDATE NOTIFICATION_GROUP z"},
		apply(t, a, `{"notificationGroups":{"z":{"name":"Z","parent":"m"},"m":{"name":"M","parent":"a"},"a":{"name":"A"}}}`, false), "turned over")
	_, err := a.Configurations.Apply(a.Ctx, input(t, `{"notificationGroups":{"a":{"name":"A","parent":"m"},"m":{"name":"M","parent":"a"}}}`))
	require.Contains(t, notifytest.Paths(t, err), "document.notificationGroups.a.parent", "a circle")
}

// A reference that leads nowhere is named where it is written.
func TestReferencesToMissingResources(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for document, path := range map[string]string{
		`{"notificationGroups":{"g":{"name":"G","parent":"gone"}}}`:                    "document.notificationGroups.g.parent",
		`{"workflows":{"w":{"name":"W","notificationGroup":"gone","steps":[]}}}`:       "document.workflows.w.notificationGroup",
		`{"integrations":{"i":{"providerId":"nodemailer","credentials":{"port":{}}}}}`: "document.integrations.i.credentials.port",
	} {
		_, err := a.Configurations.Apply(a.Ctx, input(t, document))
		require.Contains(t, notifytest.Paths(t, err), path)
	}
}

// TestCredentialsThatAreLeftOut: secrets stay as they are stored, a null removes one, and no plan shows one.
func TestCredentialsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	relay := func(credentials string) string {
		return `{"integrations":{"relay":{"providerId":"nodemailer","name":"Relay","credentials":{"host":"mail.example","port":"25","from":"a@shop.example"` + credentials + `}}}}`
	}
	stored := func() string {
		found, err := a.Integrations.ByIdentifier(a.Ctx, "relay")
		require.NoError(t, err)
		open, err := a.Integrations.OpenCredentials(found)
		require.NoError(t, err)
		return open.String("user") + "/" + open.String("password")
	}
	apply(t, a, relay(`,"user":"u","password":"hidden"`), false)
	require.Equal(t, "u/hidden", stored())
	require.Empty(t, apply(t, a, relay(`,"user":"u"`), false), "a secret that is left out is no change")
	require.Equal(t, "u/hidden", stored())
	require.Empty(t, apply(t, a, relay(`,"user":"u","password":"hidden"`), false), "nor is the same again")
	require.Equal(t, []string{"UPDATE INTEGRATION relay"}, apply(t, a, relay(`,"user":"u","password":null`), false))
	require.Equal(t, "u/", stored())
}

// TestIntegrationsBeforeTheirSecrets: files as they are pulled make an integration that is switched off, and change it; what switches it on
// checks everything.
func TestFilesThatMoveAnIntegration(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	relay := func(host, more string) string {
		return `{"integrations":{"relay":{"providerId":"nodemailer","credentials":{"host":"` + host + `","port":"25","from":"a@shop.example","user":"u"` + more + `}}}}`
	}
	apply(t, a, relay("mail.example", `,"password":"hidden"`), false)
	elsewhere := input(t, relay("evil.example", ""))
	const missing = "document.integrations.relay.credentials.password"
	_, err := a.Configurations.Plan(a.Ctx, elsewhere)
	require.Equal(t, []string{missing}, notifytest.Paths(t, err))
	_, err = a.Configurations.Apply(a.Ctx, elsewhere)
	require.Equal(t, []string{missing}, notifytest.Paths(t, err))
	require.NotEmpty(t, apply(t, a, relay("new.example", `,"password":"hidden"`), false))
	require.Empty(t, apply(t, a, relay("new.example", ""), false))

	named := func(value, more string) string {
		return `{"variables":{"HOST":{"value":"` + value + `"}},` + relay("{{ env.HOST }}", more)[1:]
	}
	apply(t, a, named("mail.example", `,"password":"hidden"`), false)
	_, err = a.Configurations.Apply(a.Ctx, input(t, named("evil.example", "")))
	require.Equal(t, []string{"document.variables.HOST.value"}, notifytest.Paths(t, err))
	require.Equal(t, []string{"UPDATE VARIABLE HOST"}, apply(t, a, named("new.example", `,"password":"hidden"`), false))
}

func TestIntegrationsBeforeTheirSecrets(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	texts := func(from, more string) string {
		return `{"integrations":{"texts":{"providerId":"generic-sms","credentials":{"from":"` + from + `"}` + more + `}}}`
	}
	required := []string{"credentials.apiKey", "credentials.apiKeyRequestHeader", "credentials.baseUrl"}
	for i, path := range required {
		required[i] = "document.integrations.texts." + path
	}
	_, err := a.Configurations.Apply(a.Ctx, input(t, texts("Shop", "")))
	require.ElementsMatch(t, required, notifytest.Paths(t, err))
	_, err = a.Configurations.Apply(a.Ctx, input(t, `{"integrations":{"texts":{"providerId":"generic-sms","active":false}}}`))
	require.Equal(t, []string{"document.integrations.texts.credentials.from"}, notifytest.Paths(t, err), "a file shows it")
	require.Equal(t, []string{"CREATE INTEGRATION texts"}, apply(t, a, texts("Shop", `,"active":false`), false))
	require.False(t, a.Integration(t, "texts").Active)
	require.Equal(t, []string{"UPDATE INTEGRATION texts"}, apply(t, a, texts("Store", `,"active":false`), false))
	_, err = a.Configurations.Apply(a.Ctx, input(t, texts("Store", "")))
	require.ElementsMatch(t, required, notifytest.Paths(t, err))
}

// TestIntegrationsKeepWhatADocumentLeavesOut: name and primary are as they are until a document says otherwise.
func TestIntegrationsKeepWhatADocumentLeavesOut(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	const credentials = `"credentials":{"host":"mail.example","port":"25","from":"a@shop.example"}`
	apply(t, a, `{"integrations":{"one":{"providerId":"nodemailer","name":"One","primary":true,`+credentials+`},"two":{"providerId":"nodemailer",`+credentials+`}}}`, false)
	require.True(t, a.Integration(t, "one").Primary)
	require.Empty(t, apply(t, a, `{"integrations":{"one":{"providerId":"nodemailer",`+credentials+`}}}`, false))
	require.Equal(t, "One", a.Integration(t, "one").Name)

	apply(t, a, `{"integrations":{"two":{"providerId":"nodemailer","primary":true,`+credentials+`}}}`, false)
	require.True(t, a.Integration(t, "two").Primary)
	require.False(t, a.Integration(t, "one").Primary, "a channel has one primary")
}

// TestPlanAndApplyAgree: a plan finds what Apply would find, and says the same of it, though it is given up.
func TestPlanAndApplyAgree(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	apply(t, a, whole, false)
	for _, change := range []func(d map[string]any){
		func(d map[string]any) { delete(at(d, "workflows"), "order-shipped") },
		func(d map[string]any) { at(d, "topics")["new"] = map[string]any{} },
		func(d map[string]any) { at(d, "translations", "en")["hello"] = "Hi" },
		func(d map[string]any) {
			at(d, "feeds")["alarms"] = map[string]any{"name": "Alarms"}
			delete(at(d, "feeds"), "alerts")
			at(d, "workflows", "order-shipped")["steps"].([]any)[0].(map[string]any)["inApp"].(map[string]any)["feedId"] = "alarms"
		},
	} {
		in := changed(t, change)
		in.Prune = new(true)
		planned, err := a.Configurations.Plan(a.Ctx, in)
		require.NoError(t, err)
		again, err := a.Configurations.Plan(a.Ctx, in)
		require.NoError(t, err)
		require.Equal(t, planned, again, "a plan changes nothing")
		in.Fingerprint = &planned.Fingerprint
		applied, err := a.Configurations.Apply(a.Ctx, in)
		require.NoError(t, err)
		require.Equal(t, planned.Changes, applied.Changes)
		in.Fingerprint = nil
		rest, err := a.Configurations.Plan(a.Ctx, in)
		require.NoError(t, err)
		require.Empty(t, rest.Changes)
	}
}

// TestFingerprintConflicts: a plan is of no use any more once what it compared has changed; other changes do not matter.
func TestFingerprintConflicts(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	apply(t, a, `{"topics":{"a":{"name":"A"},"b":{"name":"B"}}}`, false)
	in := input(t, `{"topics":{"a":{"name":"New"}}}`)
	plan, err := a.Configurations.Plan(a.Ctx, in)
	require.NoError(t, err)
	in.Fingerprint = &plan.Fingerprint

	apply(t, a, `{"topics":{"b":{"name":"Other"}}}`, false)
	again, err := a.Configurations.Plan(a.Ctx, in)
	require.NoError(t, err, "b was not compared")
	require.Equal(t, plan.Fingerprint, again.Fingerprint)

	apply(t, a, `{"topics":{"a":{"name":"Meanwhile"}}}`, false)
	_, err = a.Configurations.Apply(a.Ctx, in)
	notifytest.RequireKind(t, fault.Conflict, err)
	require.Equal(t, "CONFIGURATION_CHANGED", notifytest.Code(err))
	_, err = a.Configurations.Plan(a.Ctx, in)
	notifytest.RequireKind(t, fault.Conflict, err)
}

// TestSnippetsComeBeforeWhatRendersThem: a snippet is there before others render it, whatever their names, and goes after them.
func TestSnippetsComeBeforeWhatRendersThem(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	const before = `{"snippets":{"a":{"name":"A","content":"{% render 'm' %}"},"m":{"name":"M","content":"{% render 'z' %}"},"z":{"name":"Z","content":"z"}},
		"layouts":{"l":{"name":"L","content":"{% render \"a\" %}"}},
		"workflows":{"w":{"name":"W","steps":[{"stepId":"bell","type":"in_app","inApp":{"body":"{% render \"a\" %}"}}]}}}`
	require.Equal(t, []string{"CREATE SNIPPET z", "CREATE SNIPPET m", "CREATE SNIPPET a", "CREATE LAYOUT l", "CREATE WORKFLOW w"}, apply(t, a, before, true))
	require.Empty(t, apply(t, a, before, true))
	require.Equal(t, []string{"UPDATE SNIPPET a", "UPDATE SNIPPET m", "UPDATE SNIPPET z"},
		apply(t, a, `{"snippets":{"a":{"name":"A","content":"a"},"m":{"name":"M","content":"{% render 'a' %}"},"z":{"name":"Z","content":"{% render 'm' %}"}}}`, false), "turned over")
	_, err := a.Configurations.Apply(a.Ctx, configuration.Input{Document: input(t, `{"snippets":{}}`).Document, Prune: notifytest.Yes()})
	require.ErrorContains(t, err, "used by")
	require.Equal(t, []string{"DELETE WORKFLOW w", "DELETE LAYOUT l", "DELETE SNIPPET z", "DELETE SNIPPET m", "DELETE SNIPPET a"},
		apply(t, a, `{"snippets":{},"layouts":{},"workflows":{}}`, true))
}
