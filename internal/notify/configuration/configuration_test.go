package configuration_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

// whole is a document with a resource of every kind.
const whole = `{
	"notificationGroups": {"mail": {"name": "Mail"}, "news": {"name": "News", "parent": "mail"}},
	"feeds": {"alerts": {"name": "Alerts"}},
	"layouts": {"plain": {"name": "Plain", "default": true, "content": "<p>{{content}}</p>"}},
	"translations": {"en": {"hello": "Hello {{subscriber.firstName}}"}, "pt-BR": {"hello": "Olá"}},
	"integrations": {"relay": {"providerId": "nodemailer", "name": "Relay",
		"credentials": {"host": "mail.example", "port": "25", "user": "u", "password": "hidden", "from": "a@shop.example"}}},
	"topics": {"orders": {"name": "Orders"}, "silent": {}},
	"workflows": {"order-shipped": {"name": "Order shipped", "notificationGroup": "news", "tags": ["shop"],
		"payloadSchema": {"type": "object", "properties": {"order": {"type": "string"}}},
		"steps": [
			{"stepId": "bell", "type": "in_app", "active": true, "inApp": {"body": "On its way", "feedId": "alerts"}},
			{"stepId": "mail", "type": "email", "active": true, "email": {"subject": "Order {{payload.order}}", "html": "<b>Shipped</b>", "layoutId": "plain"},
				"variants": [{"name": "German", "filters": [{"type": "GROUP", "value": "AND", "children": [{"on": "subscriber", "field": "locale", "operator": "EQUAL", "value": "de"}]}], "email": {"subject": "Bestellung", "html": "<b>Unterwegs</b>"}}]}
		]}}
}`

func input(t *testing.T, document string) configuration.Input {
	t.Helper()
	in := configuration.Input{}
	require.NoError(t, json.Unmarshal([]byte(document), &in.Document))
	return in
}

// changed is a document with one of its texts replaced.
func changed(t *testing.T, change func(document map[string]any)) configuration.Input {
	t.Helper()
	in := input(t, whole)
	change(in.Document)
	return in
}

func at(document map[string]any, path ...string) map[string]any {
	for _, name := range path {
		document, _ = document[name].(map[string]any)
	}
	return document
}

func TestApplyMakesEverythingOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	plan, err := a.Configurations.Plan(a.Ctx, input(t, whole))
	require.NoError(t, err)
	require.Len(t, plan.Changes, 10)
	require.Equal(t, configuration.Change{Kind: configuration.KindNotificationGroup, Name: "mail", Action: configuration.ActionCreate}, plan.Changes[0])
	empty, err := a.Configurations.Read(a.Ctx, []configuration.Kind{configuration.KindWorkflow, configuration.KindTopic})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"workflows": map[string]any{}, "topics": map[string]any{}}, empty.Document, "a plan changes nothing")

	in := input(t, whole)
	in.Fingerprint = &plan.Fingerprint
	applied, err := a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, plan.Changes, applied.Changes)
	w, err := a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.NoError(t, err)
	require.Equal(t, 1, w.PublishedNumber)
	require.Equal(t, "alerts", w.Draft.Steps[0].InApp.FeedID)
	relay, err := a.Integrations.ByIdentifier(a.Ctx, "relay")
	require.NoError(t, err)
	credentials, err := a.Integrations.OpenCredentials(relay)
	require.NoError(t, err)
	require.Equal(t, "hidden", credentials.String("password"))

	again, err := a.Configurations.Apply(a.Ctx, input(t, whole))
	require.NoError(t, err)
	require.Empty(t, again.Changes, "applied twice changes nothing")
	w, err = a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.NoError(t, err)
	require.Equal(t, 1, w.PublishedNumber)
}

// TestReadIsApplied holds that what is read of an environment is what it holds, and makes another environment hold the same.
func TestReadIsApplied(t *testing.T) {
	t.Parallel()
	a, b := notifytest.NewAuthoring(t), notifytest.NewAuthoring(t)
	_, err := a.Configurations.Apply(a.Ctx, input(t, whole))
	require.NoError(t, err)
	read, err := a.Configurations.Read(a.Ctx, nil)
	require.NoError(t, err)
	require.Empty(t, read.Truncated)
	relay := at(read.Document, "integrations", "relay", "credentials")
	require.Equal(t, map[string]any{"host": "mail.example", "port": "25", "user": "u", "from": "a@shop.example"}, relay, "no secret is read")
	raw, err := json.Marshal(read.Document)
	require.NoError(t, err)
	require.NotContains(t, string(raw), `"id":`)

	again, err := a.Configurations.Plan(a.Ctx, configuration.Input{Document: read.Document})
	require.NoError(t, err)
	require.Empty(t, again.Changes)

	_, err = b.Configurations.Apply(b.Ctx, configuration.Input{Document: read.Document})
	require.NoError(t, err)
	other, err := b.Configurations.Read(b.Ctx, nil)
	require.NoError(t, err)
	require.Equal(t, read.Document, other.Document)
}

func TestUpdatesAreShownFieldByField(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Configurations.Apply(a.Ctx, input(t, whole))
	require.NoError(t, err)
	before, err := a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.NoError(t, err)

	in := changed(t, func(d map[string]any) {
		at(d, "layouts", "plain")["name"] = "Bare"
		at(d, "integrations", "relay", "credentials")["password"] = "other"
		w := at(d, "workflows", "order-shipped")
		w["steps"] = []any{w["steps"].([]any)[1], w["steps"].([]any)[0]}
		w["steps"].([]any)[0].(map[string]any)["email"].(map[string]any)["subject"] = "Shipped"
		w["tags"] = []any{"shop", "mail"}
	})
	plan, err := a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, []configuration.Change{
		{Kind: configuration.KindLayout, Name: "plain", Action: configuration.ActionUpdate, Fields: []configuration.FieldChange{
			{Path: "name", Before: new("Plain"), After: new("Bare")},
		}},
		{Kind: configuration.KindIntegration, Name: "relay", Action: configuration.ActionUpdate, Fields: []configuration.FieldChange{
			{Path: "credentials.password", Before: new("********"), After: new("******** (changed)")},
		}},
		{Kind: configuration.KindWorkflow, Name: "order-shipped", Action: configuration.ActionUpdate, Fields: []configuration.FieldChange{
			{Path: "steps[mail].email.subject", Before: new("Order {{payload.order}}"), After: new("Shipped")},
			{Path: "steps.order", Before: new(`["bell","mail"]`), After: new(`["mail","bell"]`)},
			{Path: "tags", Before: new(`["shop"]`), After: new(`["shop","mail"]`)},
		}},
	}, plan.Changes)
	after, err := a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.NoError(t, err)
	require.Equal(t, 2, after.PublishedNumber)
	require.Equal(t, before.Draft.Steps[1].ID, after.Draft.Steps[0].ID, "a step keeps its record id")
	require.Equal(t, before.Draft.Steps[1].Variants[0].ID, after.Draft.Steps[0].Variants[0].ID, "and so does a variant")
}

func TestApplyRefusesWhatMovedSinceThePlan(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Configurations.Apply(a.Ctx, input(t, whole))
	require.NoError(t, err)
	in := changed(t, func(d map[string]any) { at(d, "topics", "orders")["name"] = "All orders" })
	plan, err := a.Configurations.Plan(a.Ctx, in)
	require.NoError(t, err)
	w, err := a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
	require.NoError(t, err)
	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: w.ID, Name: new("Renamed")})
	require.NoError(t, err)

	in.Fingerprint = &plan.Fingerprint
	_, err = a.Configurations.Apply(a.Ctx, in)
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	kept, err := a.Topics.ByKey(a.Ctx, "orders")
	require.NoError(t, err)
	require.Equal(t, new("Orders"), kept.Name, "nothing is applied")

	in.Fingerprint = nil
	_, err = a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
}

// TestFaultsAreReportedTogether applies a document with a fault in three resources: each is named, and nothing is made.
func TestFaultsAreReportedTogether(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	in := changed(t, func(d map[string]any) {
		at(d, "layouts", "plain")["content"] = "{% if %}"
		at(d, "integrations", "relay")["providerId"] = "nosuch"
		step := at(d, "workflows", "order-shipped")["steps"].([]any)[1].(map[string]any)
		step["email"].(map[string]any)["subject"] = "{{ open"
	})
	for _, ask := range []func() error{
		func() error { _, err := a.Configurations.Plan(a.Ctx, in); return err },
		func() error { _, err := a.Configurations.Apply(a.Ctx, in); return err },
	} {
		var f *fault.Error
		require.ErrorAs(t, ask(), &f)
		require.Equal(t, fault.Invalid, f.Kind)
		paths := make([]string, len(f.Fields))
		for i := range f.Fields {
			paths[i] = f.Fields[i].Path
		}
		require.Contains(t, paths, "document.layouts.plain.content")
		require.Contains(t, paths, "document.integrations.relay.providerId")
		require.Contains(t, paths, "document.workflows.order-shipped.steps.1.email.subject")
	}
	none, err := a.Configurations.Read(a.Ctx, []configuration.Kind{configuration.KindTopic, configuration.KindFeed})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"topics": map[string]any{}, "feeds": map[string]any{}}, none.Document)

	for name, document := range map[string]string{
		"an unknown section": `{"people": {}}`, "an unknown field": `{"topics": {"a": {"nam": "x"}}}`, "a wrong kind of value": `{"topics": []}`,
	} {
		_, err := a.Configurations.Plan(a.Ctx, input(t, document))
		require.Equal(t, fault.Invalid, fault.KindOf(err), name)
	}
}

func TestPruneKeepsWhatNoDocumentHolds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Configurations.Apply(a.Ctx, input(t, whole))
	require.NoError(t, err)
	in := input(t, `{"workflows": {}, "translations": {"en": {"hello": "Hello {{subscriber.firstName}}"}}, "topics": {}, "integrations": {}}`)
	plan, err := a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
	require.Empty(t, plan.Changes, "without prune everything stays")

	in.Prune = new(true)
	plan, err = a.Configurations.Apply(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, []configuration.Change{
		{Kind: configuration.KindWorkflow, Name: "order-shipped", Action: configuration.ActionDelete},
		{Kind: configuration.KindTranslation, Name: "pt-BR", Action: configuration.ActionDelete},
	}, plan.Changes, "of the kinds that the document has, and of these neither topics nor integrations")
}

func TestPublishedIsWhatTriggersUse(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	draft := func(published any, subject string) configuration.Input {
		return changed(t, func(d map[string]any) {
			w := at(d, "workflows", "order-shipped")
			if published != nil {
				w["published"] = published
			}
			w["steps"].([]any)[1].(map[string]any)["email"].(map[string]any)["subject"] = subject
		})
	}
	number := func() int {
		w, err := a.Workflows.ByIdentifier(a.Ctx, "order-shipped")
		require.NoError(t, err)
		return w.PublishedNumber
	}
	for _, step := range []struct {
		published any
		subject   string
		changes   int
		number    int
	}{
		{false, "One", 10, 0}, {false, "One", 0, 0}, {nil, "One", 1, 1}, {false, "One", 0, 1}, {false, "Two", 1, 1}, {true, "Two", 1, 2},
	} {
		plan, err := a.Configurations.Apply(a.Ctx, draft(step.published, step.subject))
		require.NoError(t, err)
		require.Len(t, plan.Changes, step.changes, "%v", step)
		require.Equal(t, step.number, number(), "%v", step)
	}
}

// TestEachKindNeedsItsScope holds that a document reaches nothing that its caller could not change one by one.
func TestEachKindNeedsItsScope(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	v, _ := viewer.FromContext(a.Ctx)
	for _, c := range []struct {
		grants   []viewer.Grant
		document string
		kind     fault.Kind
	}{
		{[]viewer.Grant{viewer.GrantContent, viewer.GrantContentRead}, `{"topics": {"a": {}}}`, fault.Forbidden},
		{[]viewer.Grant{viewer.GrantContent, viewer.GrantContentRead}, `{"integrations": {"a": {"providerId": "nodemailer"}}}`, fault.Forbidden},
		{[]viewer.Grant{viewer.GrantContentRead}, `{"feeds": {"a": {"name": "A"}}}`, fault.Forbidden},
		{[]viewer.Grant{viewer.GrantAudience, viewer.GrantAudienceRead}, `{"topics": {"a": {}}}`, fault.Forbidden},
	} {
		ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: v.Scope, Role: viewer.RoleKey, Grants: viewer.GrantsOf(c.grants...), APIKeyID: "key"})
		if slices.Contains(c.grants, viewer.GrantContentRead) {
			read, err := a.Configurations.Read(ctx, nil)
			require.NoError(t, err)
			require.Contains(t, read.Document, "workflows")
			require.NotContains(t, read.Document, "topics", "what may not be read is left out when nothing is asked for")
			_, err = a.Configurations.Read(ctx, []configuration.Kind{configuration.KindTopic})
			require.Equal(t, fault.Forbidden, fault.KindOf(err))
		}
		_, err := a.Configurations.Apply(ctx, input(t, c.document))
		require.Equal(t, c.kind, fault.KindOf(err), "%v %s", c.grants, c.document)
	}
}
