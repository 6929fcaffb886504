package run

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// TestTenantOfAnEvent: an event has its own tenant, with the preferences for its own workflow; a tenant that is gone is none.
func TestTenantOfAnEvent(t *testing.T) {
	t.Parallel()
	email := workflow.ChannelPreferences{Email: new(false)}
	snapshot := &pgrun.Snapshot{
		Tenants: map[string]pgrun.TenantRow{
			"1": {ID: "1", Identifier: "acme", Name: new("Acme"), Data: map[string]any{"plan": "gold"}},
			"2": {ID: "2", Identifier: "other"},
		},
		TenantPreferences: []pgrun.TenantPreferenceRow{
			{TenantID: "2", WorkflowID: "welcome"}, {TenantID: "1", WorkflowID: "farewell"}, {TenantID: "1", WorkflowID: "welcome", Preferences: email},
		},
	}
	of := func(tenantID, workflowID string) *EventContext {
		s := &EventContext{EventRow: pgfanout.EventRow{TenantID: tenantID, WorkflowID: workflowID}}
		s.setTenant(snapshot)
		return s
	}
	s := of("1", "welcome")
	require.Equal(t, map[string]any{"identifier": "acme", "name": "Acme", "data": map[string]any{"plan": "gold"}}, s.tenant)
	require.Equal(t, email, s.tenantPreferences.Channels)
	require.Nil(t, of("1", "birthday").tenantPreferences)
	require.Equal(t, map[string]any{"identifier": "other", "name": nil, "data": nil}, of("2", "welcome").tenant)
	for _, gone := range []string{"", "3"} {
		s := of(gone, "welcome")
		require.Nil(t, s.tenant)
		require.Nil(t, s.tenantPreferences)
	}
}

// TestContextsOfAnEvent: templates see each context of the event with the data stored in its environment, conditions see the
// identifiers; one that is not stored is there without data.
func TestContextsOfAnEvent(t *testing.T) {
	t.Parallel()
	data := map[string]any{"owner": "ann"}
	snapshot := &pgrun.Snapshot{Contexts: []pgrun.ContextRow{
		{EnvironmentID: "env", Type: "app", Identifier: "a:b", Data: map[string]any{"owner": "cat"}},
		{EnvironmentID: "env", Type: "team", Identifier: "a:b", Data: data},
		{EnvironmentID: "other", Type: "team", Identifier: "a:b", Data: map[string]any{"owner": "bob"}},
	}}
	s := &EventContext{EventRow: pgfanout.EventRow{EnvironmentID: "env", ContextKeys: []string{"project:7", "team:a:b"}}}
	s.setContexts(snapshot)
	require.Equal(t, map[string]any{"id": "a:b", "data": data}, s.contexts["team"], "an identifier may have colons")
	require.Equal(t, map[string]any{"id": "7", "data": nil}, s.contexts["project"])
	require.Equal(t, map[string]any{"team": "a:b", "project": "7"}, s.contextIDs)
	require.Equal(t, map[string]bool{"team:a:b": true}, s.storedContexts)
	s = &EventContext{EventRow: pgfanout.EventRow{EnvironmentID: "env"}}
	s.setContexts(snapshot)
	require.Nil(t, s.contexts, "an event without contexts sees none")
}

// TestVariablesWithSecrets: only who asks for them gets the secret variables, and each opens under its own id.
func TestVariablesWithSecrets(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	s.env.Variables = map[string]any{"SITE": "https://shop.example"}
	require.Equal(t, s.env.Variables, s.withSecrets(nil))

	sealed, err := provider.SealVariable(e.Secrets, "1", "s3cret")
	require.NoError(t, err)
	s.env.Secrets = []pgrun.SealedVariable{{ID: "1", Name: "TOKEN", Sealed: sealed}}
	secrets, err := s.secretVariables()
	require.NoError(t, err)
	require.Equal(t, map[string]any{"SITE": "https://shop.example", "TOKEN": "s3cret"}, s.withSecrets(secrets))
	require.NotContains(t, s.env.Variables, "TOKEN", "the event's own are shared with all templates")
	s.env.Secrets[0].ID = "2"
	_, err = s.secretVariables()
	require.ErrorContains(t, err, "variable 2")
}

// TestSecretsOfAnHTTPStep: a header of a custom step may use secret variables; its URL and its body may not.
func TestSecretsOfAnHTTPStep(t *testing.T) {
	t.Parallel()
	b, r := asking(t, custom(func(s *workflow.Step) {
		s.Custom.URL, s.Custom.Body = "https://app.example/{{env.TOKEN}}", `{"token": "{{env.TOKEN}}"}`
		s.Custom.Headers = map[string]string{"Authorization": "Bearer {{env.TOKEN}}"}
	}))
	sealed, err := provider.SealVariable(b.executor.Secrets, "1", "s3cret")
	require.NoError(t, err)
	r.event.env.Secrets = []pgrun.SealedVariable{{ID: "1", Name: "TOKEN", Sealed: sealed}}
	step := b.beginHTTPStep(t.Context(), r, admitted)
	require.NotNil(t, step)
	request := step.call.Request
	require.Equal(t, "it said ***", step.call.Hide("it said s3cret"))
	require.Equal(t, "Bearer s3cret", request.Header.Get("Authorization"))
	require.Equal(t, "https://app.example/", request.URL)
	require.JSONEq(t, `{"token": ""}`, string(request.Body.(provider.Raw).Data))
}

// TestWebhookURLsAreSealed: no message stores a webhook URL as text, neither its target's nor, for the provider that is sent
// them, those of the subscriber's settings.
func TestWebhookURLsAreSealed(t *testing.T) {
	t.Parallel()
	const url = "https://chat.example/s3cret"
	e := newExecutor(t)
	settled := func(providerID string) (*run, *plan.Decision) {
		r := e.newBatch().newRun(eventOf(e, workflow.Definition{}), person("ann"))
		r.settings = []plan.ChannelSetting{{ProviderID: "slack", Credentials: workflow.ChannelCredentials{WebhookURL: url}}, {ProviderID: "fcm"}}
		return r, &plan.Decision{Targets: []plan.Target{{ProviderID: providerID}, {ProviderID: providerID, Endpoint: workflow.EndpointData{URL: url}}}}
	}
	r, d := settled(pushWebhook)
	require.NoError(t, r.sealURLs(d))
	for _, text := range []string{d.Targets[1].Endpoint.URL, r.settings[0].Credentials.WebhookURL} {
		require.True(t, strings.HasPrefix(text, secret.SealedPrefix), text)
		opened, err := e.Secrets.OpenURL("env", text)
		require.NoError(t, err)
		require.Equal(t, url, opened)
		_, err = e.Secrets.OpenURL("other", text)
		require.Error(t, err, "it belongs to its environment")
	}
	require.Empty(t, d.Targets[0].Endpoint.URL)
	require.Empty(t, r.settings[1].Credentials.WebhookURL)
	sealed := d.Targets[1].Endpoint.URL
	require.NoError(t, r.sealURLs(d))
	require.Equal(t, sealed, d.Targets[1].Endpoint.URL, "what is sealed stays")

	r, d = settled("slack")
	require.NoError(t, r.sealURLs(d))
	require.Equal(t, url, r.settings[0].Credentials.WebhookURL, "other providers are not sent the settings")
	r, d = settled("slack")
	r.event.secrets = nil
	require.Error(t, r.sealURLs(d), "rather no message than one with the URL as text")
}

// TestReshow: what a window shows anew counts all that it collected, and a text that cannot be rendered is on the trace.
func TestReshow(t *testing.T) {
	t.Parallel()
	controls := tenMinutes()
	controls.UpdateMode = true
	b := newExecutor(t).newBatch()
	r := came(t, b, digested(controls), "1", 0, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	r.collected = &plan.Collected{Total: 3}
	b.reshow(t.Context(), r)
	require.Len(t, b.reshown, 1)
	require.Equal(t, "bell", b.reshown[0].StepID)
	require.JSONEq(t, `{"text": "3"}`, string(b.reshown[0].Content.Content))
	require.Equal(t, 3, r.digest.Shown)

	r.event.definition.Definition.Steps[1].InApp.Body = "{{ 1 | nofilter }}"
	r.collected.Total = 4
	b.reshow(t.Context(), r)
	require.Len(t, b.reshown, 1, "the message stays as it is")
	require.Equal(t, "bell "+string(workflow.ReasonRenderFailed), reasons(r)[len(reasons(r))-1])
	require.Equal(t, 4, r.digest.Shown, "it is not tried again until more is collected")
}

// ended is a run of steps taken to its end without a database, with its decisions in order.
func ended(t *testing.T, steps ...workflow.Step) (*run, []string) {
	t.Helper()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{Steps: steps})
	trial := &Trial{executor: e, event: s, batch: e.newBatch()}
	r := trial.batch.newRun(s, person("ann"))
	var decisions []string
	r.watch = func(d *plan.Decision, _ *pgmessage.MessageRow) {
		name := "run"
		if d.Step != nil {
			name = d.Step.StepID
		}
		decisions = append(decisions, name+" "+string(d.Kind)+" "+r.event.now.Sub(noon).String())
	}
	require.NoError(t, trial.toEnd(t.Context(), r, &TrialRun{}))
	require.Equal(t, noon, s.now, "the runs of other recipients begin at the event's time")
	return r, decisions
}

// TestTrialToItsEnd: a wait moves the run's clock and no other's, a request counts as answered, and a send as done for the
// steps that ask about it.
func TestTrialToItsEnd(t *testing.T) {
	t.Parallel()
	wait := workflow.Step{ID: "s-wait", StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 2, Unit: workflow.UnitHours}}
	r, decisions := ended(t, custom(), wait, mail("mail"), wait, inApp("bell", "x"))
	require.Equal(t, noon.Add(4*time.Hour), r.event.now)
	require.Equal(t, []string{"ask", "wait", "mail", "wait", "bell"}, names(decisions))
	require.Contains(t, decisions[len(decisions)-1], "4h0m0s")
	require.Equal(t, workflow.RunCompleted, r.row.Status)
	require.True(t, r.results["mail"].Sent)
	require.False(t, r.results["mail"].Pending)

	r, decisions = ended(t, mail("mail"))
	require.Equal(t, workflow.RunPending, r.row.Status, "nothing is left but the send")
	require.Equal(t, []string{"mail"}, names(decisions))
	require.Equal(t, noon, r.event.now)
}

// names are the steps of decisions, each run of equal ones once.
func names(decisions []string) (list []string) {
	for _, d := range decisions {
		name, _, _ := strings.Cut(d, " ")
		if name != "run" && (len(list) == 0 || list[len(list)-1] != name) {
			list = append(list, name)
		}
	}
	return list
}
