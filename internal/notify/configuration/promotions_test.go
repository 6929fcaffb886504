package configuration_test

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// twoEnvironments are a source that holds whole, and an empty target of the same organization, in which the contexts act.
func twoEnvironments(t *testing.T) (a *notifytest.Authoring, source, target context.Context, from configuration.PromotionInput) {
	t.Helper()
	a = notifytest.NewAuthoring(t)
	apply(t, a, whole, false)
	made, err := a.Environments.Create(a.Ctx, access.CreateEnvironmentInput{Identifier: "live"})
	require.NoError(t, err)
	v, _ := viewer.FromContext(a.Ctx)
	v.EnvironmentID = made.ID
	return a, a.Ctx, viewer.NewContext(t.Context(), v), configuration.PromotionInput{Source: &a.Env}
}

func part(kind configuration.Kind, name string) []configuration.Part {
	return []configuration.Part{{Kind: kind, Name: name}}
}

func did(changes []configuration.Change) (list []string) {
	for _, c := range changes {
		list = append(list, string(c.Action)+" "+string(c.Kind)+" "+c.Name)
	}
	return list
}

// edit publishes another subject of the mail in the environment of ctx.
func edit(t *testing.T, a *notifytest.Authoring, ctx context.Context, subject string, publish bool) { //nolint:revive // the test reads better
	t.Helper()
	in := changed(t, func(d map[string]any) {
		w := at(d, "workflows", "order-shipped")
		w["steps"].([]any)[1].(map[string]any)["email"].(map[string]any)["subject"] = subject
		w["published"] = publish
		for section := range d {
			if section != "workflows" {
				delete(d, section)
			}
		}
	})
	_, err := a.Configurations.Apply(ctx, in)
	require.NoError(t, err)
}

func subject(t *testing.T, a *notifytest.Authoring, ctx context.Context) (draft, used string) { //nolint:revive // as above
	t.Helper()
	w, err := a.Workflows.ByIdentifier(ctx, "order-shipped")
	require.NoError(t, err)
	versions, err := a.Workflows.VersionBatch(ctx, []string{*w.PublishedVersionID})
	require.NoError(t, err)
	return w.Draft.Steps[1].Email.Subject, versions[*w.PublishedVersionID].Definition.Steps[1].Email.Subject
}

// requireAudited holds that a promotion is in the audit of the environment of ctx, with its source.
func requireAudited(t *testing.T, a *notifytest.Authoring, ctx context.Context, action, promotionID string) { //nolint:revive // as above
	t.Helper()
	found, err := a.Audit.List(ctx, usecase.Page{}, nil, &access.AuditEntryFilter{RecordID: &promotionID}, false)
	require.NoError(t, err)
	require.Len(t, found.Edges, 1)
	require.Equal(t, action, found.Edges[0].Node.Action)
	require.NotEmpty(t, found.Edges[0].Node.Changes["source"])
}

// TestPromoteWholeEnvironment: all that the source holds is taken over once, without secrets, and recorded.
func TestPromoteWholeEnvironment(t *testing.T) {
	t.Parallel()
	a, _, target, in := twoEnvironments(t)
	plan, err := a.Promotions.Plan(target, in)
	require.NoError(t, err)
	require.Equal(t, "live", plan.Target.Identifier)
	require.Contains(t, did(plan.Changes), "CREATE WORKFLOW order-shipped")
	none, err := a.Promotions.List(target, usecase.Page{}, nil)
	require.NoError(t, err)
	require.Empty(t, none.Edges, "a plan changes nothing")

	in.Fingerprint = &plan.Fingerprint
	done, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	require.Equal(t, plan.Changes, done.Plan.Changes)
	require.Equal(t, a.Env, done.Promotion.SourceID)
	requireAudited(t, a, target, "promote", done.Promotion.ID)
	_, used := subject(t, a, target)
	require.Equal(t, "Order {{payload.order}}", used)
	w, err := a.Workflows.ByIdentifier(target, "order-shipped")
	require.NoError(t, err)
	version, err := a.Workflows.VersionBatch(target, []string{*w.PublishedVersionID})
	require.NoError(t, err)
	require.Equal(t, done.Promotion.ID, *version[*w.PublishedVersionID].PromotionID)
	relay, err := a.Integrations.ByIdentifier(target, "relay")
	require.NoError(t, err)
	require.False(t, relay.Active, "it waits for its secrets")
	open, err := a.Integrations.OpenCredentials(relay)
	require.NoError(t, err)
	require.Empty(t, open.String("password"))
	require.Equal(t, "mail.example", open.String("host"))
	for _, r := range done.Promotion.Resources {
		if r.Kind == string(configuration.KindWorkflow) && r.Name == "order-shipped" {
			require.Equal(t, 1, *r.SourceVersion)
			require.Equal(t, 1, *r.Version)
		}
	}
}

// TestPromotionNeedsWhatPartsReferTo: what a part refers to is there, chosen, or taken along; otherwise nothing happens.
func TestPromotionNeedsWhatPartsReferTo(t *testing.T) {
	t.Parallel()
	a, _, target, in := twoEnvironments(t)
	in.Parts = part(configuration.KindWorkflow, "order-shipped")
	_, err := a.Promotions.Promote(target, in)
	notifytest.RequireKind(t, fault.Invalid, err)
	require.ErrorContains(t, err, "workflow order-shipped needs layout plain")
	require.ErrorContains(t, err, "notification group news needs notification group mail")
	in.WithDependencies = notifytest.Yes()
	plan, err := a.Promotions.Plan(target, in)
	require.NoError(t, err)
	require.Equal(t, []string{
		"CREATE NOTIFICATION_GROUP mail", "CREATE NOTIFICATION_GROUP news", "CREATE FEED alerts", "CREATE LAYOUT plain", "CREATE WORKFLOW order-shipped",
	}, did(plan.Changes))
	require.Len(t, plan.Dependencies, 4)
	for _, d := range plan.Dependencies {
		require.True(t, d.Included && d.Missing, d.Name)
	}
	in.Parts = part(configuration.KindWorkflow, "gone")
	_, err = a.Promotions.Plan(target, in)
	require.Equal(t, []string{"parts"}, notifytest.Paths(t, err))
}

// TestPromotionOfPublishedVersions: a draft of the source is not taken over, and one of the target comes back with undo.
func TestPromotionOfPublishedVersions(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	in.Parts, in.WithDependencies = part(configuration.KindWorkflow, "order-shipped"), notifytest.Yes()
	_, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	edit(t, a, source, "Draft only", false)
	again, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	require.Nil(t, again.Promotion, "the published version is there already")
	require.Empty(t, again.Plan.Changes)

	edit(t, a, source, "Second", true)
	edit(t, a, target, "Draft of the target", false)
	second, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	require.Equal(t, []string{"UPDATE WORKFLOW order-shipped"}, did(second.Plan.Changes))
	draft, used := subject(t, a, target)
	require.Equal(t, []string{"Second", "Second"}, []string{draft, used})

	undone, err := a.Promotions.Undo(target, second.Promotion.ID)
	require.NoError(t, err)
	draft, used = subject(t, a, target)
	require.Equal(t, []string{"Draft of the target", "Order {{payload.order}}"}, []string{draft, used})
	require.Equal(t, second.Promotion.ID, *undone.Promotion.UndoesID)
	_, err = a.Promotions.Undo(target, second.Promotion.ID)
	require.Equal(t, "PROMOTION_UNDONE", notifytest.Code(err))

	_, err = a.Promotions.Undo(target, undone.Promotion.ID)
	require.NoError(t, err, "undoing is undone the same way")
	_, used = subject(t, a, target)
	require.Equal(t, "Second", used)
}

// TestUndoRemovesWhatWasMade: but never topics and integrations, with which would go more than was promoted.
func TestUndoRemovesWhatWasMade(t *testing.T) {
	t.Parallel()
	a, _, target, in := twoEnvironments(t)
	before, err := a.Configurations.Read(target, nil)
	require.NoError(t, err)
	done, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	undone, err := a.Promotions.Undo(target, done.Promotion.ID)
	require.NoError(t, err)
	requireAudited(t, a, target, "undo", undone.Promotion.ID)
	after, err := a.Configurations.Read(target, nil)
	require.NoError(t, err)
	require.Len(t, at(after.Document, "topics"), 2)
	require.Contains(t, at(after.Document, "integrations"), "relay")
	for _, section := range []string{"workflows", "layouts", "feeds", "translations", "notificationGroups"} {
		require.Equal(t, before.Document[section], after.Document[section], section)
	}
}

// TestPromotionConflicts: a plan is void once either side has moved, and so is undoing what has changed since.
func TestPromotionConflicts(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	in.Parts, in.WithDependencies = part(configuration.KindWorkflow, "order-shipped"), notifytest.Yes()
	first, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	for _, c := range []struct {
		moved context.Context
		says  string
	}{{source, "The configuration of the source environment has changed"}, {target, "The configuration of the environment has changed"}} {
		edit(t, a, source, "Next", true)
		plan, err := a.Promotions.Plan(target, in)
		require.NoError(t, err)
		in.Fingerprint = &plan.Fingerprint
		edit(t, a, c.moved, "Meanwhile", true)
		_, err = a.Promotions.Promote(target, in)
		notifytest.RequireKind(t, fault.Conflict, err)
		require.Equal(t, "CONFIGURATION_CHANGED", notifytest.Code(err))
		require.ErrorContains(t, err, c.says)
		in.Fingerprint = nil
	}
	_, err = a.Promotions.Undo(target, first.Promotion.ID)
	require.Equal(t, "PROMOTION_OVERTAKEN", notifytest.Code(err))
}

// TestPromotionLeavesCredentials: of an integration that the target has, neither secret nor server changes.
func TestPromotionLeavesCredentials(t *testing.T) {
	t.Parallel()
	a, _, target, in := twoEnvironments(t)
	_, err := a.Configurations.Apply(target, input(t, `{"integrations":{"relay":{"providerId":"nodemailer","name":"Old","credentials":{"host":"live.example","port":"587","password":"live","from":"live@shop.example"}}}}`))
	require.NoError(t, err)
	in.Parts = part(configuration.KindIntegration, "relay")
	done, err := a.Promotions.Promote(target, in)
	require.NoError(t, err)
	require.Equal(t, []string{"UPDATE INTEGRATION relay"}, did(done.Plan.Changes))
	relay, err := a.Integrations.ByIdentifier(target, "relay")
	require.NoError(t, err)
	open, err := a.Integrations.OpenCredentials(relay)
	require.NoError(t, err)
	require.Equal(t, "Relay live.example live", relay.Name+" "+open.String("host")+" "+open.String("password"))
	require.True(t, relay.Active)
}

// TestPromotionOfRequiredSecrets: an integration whose provider requires a secret waits for it switched off, however often it is promoted,
// and then is the target's to switch.
func TestPromotionOfRequiredSecrets(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	_, err := a.Configurations.Apply(source, input(t, `{"integrations":{"grid":{"providerId":"sendgrid","name":"Grid","credentials":{"apiKey":"secret","from":"a@shop.example","senderName":"Shop"}}}}`))
	require.NoError(t, err)
	in.Parts = part(configuration.KindIntegration, "grid")
	promoted := func(changes ...string) *ent.Integration {
		done, err := a.Promotions.Promote(target, in)
		require.NoError(t, err)
		require.Equal(t, changes, did(done.Plan.Changes))
		grid, err := a.Integrations.ByIdentifier(target, "grid")
		require.NoError(t, err)
		return grid
	}
	require.False(t, promoted("CREATE INTEGRATION grid").Active)
	grid := promoted()
	require.False(t, grid.Active, "another promotion does not switch it on")
	_, err = a.Integrations.Update(target, integrations.UpdateIntegrationInput{ID: grid.ID, Active: notifytest.Yes()})
	require.Equal(t, []string{"credentials.apiKey"}, notifytest.Paths(t, err))
	_, err = a.Integrations.Update(target, integrations.UpdateIntegrationInput{ID: grid.ID, Active: notifytest.Yes(), Credentials: map[string]any{"apiKey": "live"}})
	require.NoError(t, err)
	_, err = a.Configurations.Apply(source, input(t, `{"integrations":{"grid":{"providerId":"sendgrid","name":"Renamed","active":false}}}`))
	require.NoError(t, err)
	grid = promoted("UPDATE INTEGRATION grid")
	require.Equal(t, "Renamed", grid.Name)
	require.True(t, grid.Active)
}

// TestPromotionOfMaskedSettings: what no door shows stays behind, be it a secret of its provider or not, and is entered before the
// integration is switched on.
func TestPromotionOfMaskedSettings(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	for name, c := range map[string]struct {
		credentials string
		missing     map[string]any // in the target
	}{
		"generic-sms": {
			`{"baseUrl":"https://sms.example/send","apiKeyRequestHeader":"X-Key","apiKey":"secret","from":"Shop","authenticateByToken":true,
				"domain":"https://sms.example/token","authenticationTokenKey":"token"}`,
			map[string]any{"apiKeyRequestHeader": "X-Live", "apiKey": "live", "authenticationTokenKey": "token"},
		},
		"whatsapp-business": {`{"apiToken":"secret","phoneNumberIdentification":"1"}`, map[string]any{"apiToken": "live", "phoneNumberIdentification": "2"}},
		"pusher-beams":      {`{"instanceId":"1","secretKey":"secret"}`, map[string]any{"instanceId": "2", "secretKey": "live"}},
		"sinch":             {`{"servicePlanId":"1","apiToken":"secret","from":"Shop"}`, map[string]any{"accountSid": "2", "apiToken": "live"}},
	} {
		_, err := a.Configurations.Apply(source, input(t, `{"integrations":{"`+name+`":{"providerId":"`+name+`","credentials":`+c.credentials+`}}}`))
		require.NoError(t, err, name)
		in.Parts = part(configuration.KindIntegration, name)
		_, err = a.Promotions.Promote(target, in)
		require.NoError(t, err, name)
		made, err := a.Integrations.ByIdentifier(target, name)
		require.NoError(t, err)
		require.False(t, made.Active, name)
		for left := range c.missing {
			given := maps.Clone(c.missing)
			delete(given, left)
			_, err = a.Integrations.Update(target, integrations.UpdateIntegrationInput{ID: made.ID, Active: notifytest.Yes(), Credentials: given})
			require.Equal(t, []string{"credentials." + left}, notifytest.Paths(t, err), name)
		}
		_, err = a.Integrations.Update(target, integrations.UpdateIntegrationInput{ID: made.ID, Active: notifytest.Yes(), Credentials: c.missing})
		require.NoError(t, err, name)
	}
}

// TestWhoPromotes: a key of the target needs one of the source as well, and the rights to publish.
func TestWhoPromotes(t *testing.T) {
	t.Parallel()
	a, source, target, in := twoEnvironments(t)
	key := func(ctx context.Context, grants ...viewer.Grant) string {
		made, err := a.APIKeys.Create(ctx, access.CreateAPIKeyInput{Name: "k", Scopes: grants})
		require.NoError(t, err)
		return made.Key
	}
	v, _ := viewer.FromContext(target)
	as := func(role viewer.Role, grants ...viewer.Grant) context.Context {
		one := viewer.Viewer{Scope: v.Scope, Role: role}
		if len(grants) > 0 {
			one.APIKeyID, one.Grants = "k", viewer.GrantsOf(grants...)
		}
		return viewer.NewContext(t.Context(), one)
	}
	in.Parts = part(configuration.KindLayout, "plain")
	_, err := a.Promotions.Plan(as(viewer.RoleViewer), in)
	notifytest.RequireKind(t, fault.Forbidden, err)
	_, err = a.Promotions.Plan(as(viewer.RoleEditor), in)
	require.NoError(t, err)
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContentRead), in)
	notifytest.RequireKind(t, fault.Forbidden, err)
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContent), in)
	require.Equal(t, []string{"source"}, notifytest.Paths(t, err), "its own environment is all it reaches")

	in.Source, in.SourceKey = nil, new(key(source, viewer.GrantContentRead))
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContent), in)
	require.NoError(t, err)
	in.SourceKey = new(key(source, viewer.GrantTrigger))
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContent), in)
	notifytest.RequireKind(t, fault.Forbidden, err)
	in.SourceKey = new(key(target, viewer.GrantContentRead))
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContent), in)
	require.Equal(t, []string{"source"}, notifytest.Paths(t, err), "the source is the target")
	in.SourceKey = new("no key")
	_, err = a.Promotions.Plan(as(viewer.RoleKey, viewer.GrantContent), in)
	require.Equal(t, []string{"sourceKey"}, notifytest.Paths(t, err))
}

func TestWords(t *testing.T) {
	t.Parallel()
	before, after := "Order {{payload.order}} is on its way", "Order {{payload.number}} is on the way, Zoë"
	require.Equal(t, []configuration.TextPart{
		{Change: configuration.TextSame, Text: "Order {{payload."},
		{Change: configuration.TextRemoved, Text: "order"},
		{Change: configuration.TextAdded, Text: "number"},
		{Change: configuration.TextSame, Text: "}} is on "},
		{Change: configuration.TextRemoved, Text: "its"},
		{Change: configuration.TextAdded, Text: "the"},
		{Change: configuration.TextSame, Text: " way"},
		{Change: configuration.TextAdded, Text: ", Zoë"},
	}, configuration.FieldChange{Before: &before, After: &after}.Words())
	require.Equal(t, []configuration.TextPart{{Change: configuration.TextAdded, Text: after}}, configuration.FieldChange{After: &after}.Words())
}
