package engine_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// alertRule makes a rule that is due.
func (b *bundle) alertRule(condition workflow.AlertCondition, threshold float64, change ...func(*ent.AlertRuleCreate)) *ent.AlertRule {
	b.tb.Helper()
	create := b.db.Ent.AlertRule.Create().SetName("rule").SetCondition(condition).SetThreshold(threshold).SetDueAt(b.clock.Now(""))
	if condition.Windowed() {
		create.SetWindowMinutes(15)
	}
	for _, c := range change {
		c(create)
	}
	rule, err := create.Save(b.ctx)
	require.NoError(b.tb, err)
	return rule
}

// evaluate evaluates all rules at the next time that they are due, and returns what one of them has come to.
func (b *bundle) evaluate(rule *ent.AlertRule) *ent.AlertRule {
	b.tb.Helper()
	b.clock.add(time.Minute)
	require.Equal(b.tb, b.db.Ent.AlertRule.Query().CountX(b.ctx), b.wake(pgdue.DueAlerts))
	require.Zero(b.tb, b.wake(pgdue.DueAlerts), "not due before the next minute")
	return b.db.Ent.AlertRule.GetX(b.ctx, rule.ID)
}

func (b *bundle) incidents() []*ent.AlertIncident {
	b.tb.Helper()
	list, err := b.db.Ent.AlertIncident.Query().Order(ent.Asc("id")).All(b.ctx)
	require.NoError(b.tb, err)
	return list
}

// TestAlertIsToldOnce follows a failure rate to its incident and its end, through the workflow that tells and an outgoing webhook.
func TestAlertIsToldOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withWebhooks()
	endpointID, _ := b.endpoint("https://hooks.example", only(workflow.WebhookAlertOpened, workflow.WebhookAlertRecovered))
	tells := b.news(b.acceptor()).identifier
	rule := b.alertRule(workflow.AlertFailureRate, 50, func(c *ent.AlertRuleCreate) {
		c.SetMinimum(2).SetChannel(workflow.ChannelEmail).SetNotifyWorkflow(tells).SetNotifySubscribers([]string{"ops"})
	})
	require.Equal(t, workflow.AlertOK, b.evaluate(rule).State)
	b.subscriber("u1")
	mail := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	b.fanOut(b.triggered(mail, to("u1")), b.triggered(mail, to("u1")))
	b.exec(`UPDATE messages SET status = 'error', due_at = NULL WHERE channel = 'email'`)
	firing := b.evaluate(rule)
	require.Equal(t, workflow.AlertFiring, firing.State)
	require.EqualValues(t, 100, *firing.Value)
	require.Equal(t, workflow.AlertFiring, b.evaluate(rule).State)
	events := b.alertEvents()
	require.Len(t, events, 1, "an opening is told once, however often the rule is evaluated")
	b.fanOut(events[0].ID)
	require.Equal(t, []string{"ops"}, b.reached(events[0].ID))
	alert := events[0].Payload["alert"].(map[string]any)
	require.Equal(t, []any{"opened", "rule", "failure_rate", 100.0, "email"}, []any{alert["state"], alert["rule"], alert["condition"], alert["value"], alert["channel"]})

	b.exec(`UPDATE messages SET status = 'sent' WHERE channel = 'email'`)
	require.Equal(t, workflow.AlertOK, b.evaluate(rule).State)
	b.evaluate(rule)
	events = b.alertEvents()
	require.Len(t, events, 2)
	require.Equal(t, "recovered", events[1].Payload["alert"].(map[string]any)["state"])
	incidents := b.incidents()
	require.Len(t, incidents, 1)
	require.Equal(t, workflow.AlertRecovered, *incidents[0].Ended)
	require.Equal(t, []any{100.0, 100.0, 2}, []any{incidents[0].Value, incidents[0].Peak, incidents[0].Notices})
	deliveries := b.deliveries(endpointID)
	require.Equal(t, []workflow.WebhookEventType{workflow.WebhookAlertOpened, workflow.WebhookAlertRecovered}, typesOf(deliveries))
	for _, d := range deliveries {
		require.Equal(t, incidents[0].ID, d.Payload["data"].(map[string]any)["incidentId"])
	}
}

// alertEvents are the events that tell, in the order of the notices.
func (b *bundle) alertEvents() (told []*ent.Event) {
	b.tb.Helper()
	for _, ev := range b.all() {
		if _, tells := ev.Payload["alert"]; tells {
			told = append(told, ev)
		}
	}
	return told
}

// TestAlertPausesWhatItWatches stops a workflow that sends more than its cap, keeps it stopped after the recovery, and stops it again
// when it has sent too much after it was resumed.
func TestAlertPausesWhatItWatches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	mail := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	other := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	tells := b.news(b.acceptor()).identifier
	rule := b.alertRule(workflow.AlertVolume, 2, func(c *ent.AlertRuleCreate) {
		c.SetNotifyWorkflow(tells).SetNotifySubscribers([]string{"ops"}).SetWorkflow(b.db.Ent.Workflow.GetX(b.ctx, mail.workflow).Identifier).SetPause(true)
	})
	b.fanOut(b.triggered(mail, to("u1")), b.triggered(other, to("u1")), b.triggered(other, to("u1")))
	require.Equal(t, workflow.AlertOK, b.evaluateSoon(rule).State)
	require.Empty(t, b.pauses())

	b.fanOut(b.triggered(mail, to("u1")))
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	pauses := b.pauses()
	require.Len(t, pauses, 1)
	require.Equal(t, []any{workflow.PauseWorkflow, mail.workflow, "Alert rule rule: Messages in 15 minutes: 2."},
		[]any{pauses[0].Kind, pauses[0].Target, pauses[0].Reason})
	require.Equal(t, pauses[0].ID, *b.incidents()[0].PauseID)
	require.Equal(t, true, b.alertEvents()[0].Payload["alert"].(map[string]any)["paused"])
	held := b.triggered(mail, to("u1"))
	b.fanOut(held, b.triggered(other, to("u1")))
	require.Empty(t, b.messages(held), "the workflow is paused")
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)

	b.clock.add(time.Hour)
	require.Equal(t, workflow.AlertOK, b.evaluateSoon(rule).State)
	require.Nil(t, b.pauses()[0].ResumedAt, "people end it")
	b.exec(`UPDATE pauses SET resumed_at = now()`)
	b.db.Ent.AlertRule.UpdateOne(rule).SetWindowMinutes(180).ExecX(b.ctx)
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Len(t, b.pauses(), 2)
	require.Len(t, b.incidents(), 2)
}

// evaluateSoon evaluates a rule that pauses, which is due after ten seconds.
func (b *bundle) evaluateSoon(rule *ent.AlertRule) *ent.AlertRule {
	b.tb.Helper()
	b.clock.add(10 * time.Second)
	require.Equal(b.tb, 1, b.wake(pgdue.DueAlerts))
	return b.db.Ent.AlertRule.GetX(b.ctx, rule.ID)
}

func (b *bundle) pauses() []*ent.Pause {
	b.tb.Helper()
	list, err := b.db.Ent.Pause.Query().Order(ent.Asc("id")).All(b.ctx)
	require.NoError(b.tb, err)
	return list
}

// TestAlertWithoutItsWorkflow: the incident is opened and webhooks report it; the rule says what is wrong until it is put right.
// TestAlertPausesTheLoudest: a cap for each subscriber holds those who have reached it, and no others.
func TestAlertPausesTheLoudest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := map[string]string{}
	for _, name := range []string{"u1", "u2", "u3"} {
		ids[name] = b.subscriber(name).ID
	}
	one, other := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	tells := b.news(b.acceptor()).identifier
	rule := b.alertRule(workflow.AlertSubscriberVolume, 3, func(c *ent.AlertRuleCreate) {
		c.SetNotifyWorkflow(tells).SetNotifySubscribers([]string{"ops"}).SetPause(true)
	})
	targets := func() (of []string) {
		for _, p := range b.pauses() {
			require.Equal(t, workflow.PauseSubscriber, p.Kind)
			of = append(of, p.Target)
		}
		return of
	}
	b.fanOut(b.triggered(one, to("u1", "u2", "u3")), b.triggered(other, to("u1", "u2")))
	quiet := b.evaluateSoon(rule)
	require.Equal(t, workflow.AlertOK, quiet.State)
	require.EqualValues(t, 2, *quiet.Value, "of the loudest, over all workflows")

	b.fanOut(b.triggered(other, to("u1")))
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Equal(t, []string{ids["u1"]}, targets())
	require.Equal(t, "Alert rule rule: One subscriber got 3 messages in 15 minutes.", b.pauses()[0].Reason)
	incident := b.incidents()[0]
	require.Equal(t, []string{ids["u1"], b.pauses()[0].ID}, []string{*incident.SubscriberID, *incident.PauseID})
	alert := b.alertEvents()[0].Payload["alert"].(map[string]any)
	require.Equal(t, []any{"u1", true, 3.0}, []any{alert["subscriber"], alert["paused"], alert["value"]})

	b.fanOut(b.triggered(other, to("u1", "u2", "u3")))
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Equal(t, []string{ids["u1"], ids["u2"]}, targets(), "who reaches it while the incident is open is paused, too")
	b.exec(`UPDATE pauses SET resumed_at = now() WHERE target = $1`, ids["u1"])
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Len(t, targets(), 2, "who was resumed is not paused again by the same incident")
	require.Len(t, b.incidents(), 1)

	b.clock.add(time.Hour)
	require.Equal(t, workflow.AlertOK, b.evaluateSoon(rule).State)
	b.exec(`UPDATE pauses SET resumed_at = now()`)
	b.db.Ent.AlertRule.UpdateOne(rule).SetWindowMinutes(180).ExecX(b.ctx)
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Equal(t, []string{ids["u1"], ids["u2"], ids["u1"], ids["u2"]}, targets(), "another incident pauses anew")
	require.Len(t, b.incidents(), 2)
}

// TestAlertPausesSoManyAtMost: pauses of subscribers leave room for those that people begin.
func TestAlertPausesSoManyAtMost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []string
	for i := range 60 {
		all = append(all, fmt.Sprint("u", i))
		b.subscriber(all[i])
	}
	b.fanOut(b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to(all...)))
	rule := b.alertRule(workflow.AlertSubscriberVolume, 1, func(c *ent.AlertRuleCreate) { c.SetPause(true) })
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Len(t, b.pauses(), 50)
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Len(t, b.pauses(), 50)
	b.exec(`UPDATE pauses SET resumed_at = now() WHERE id IN (SELECT id FROM pauses ORDER BY id LIMIT 20)`)
	require.Equal(t, workflow.AlertFiring, b.evaluateSoon(rule).State)
	require.Len(t, b.pauses(), 60, "the others, each once")
}

// TestAlertWithoutRoomForAPause says so, tells that nothing is paused, and pauses as soon as there is room.
func TestAlertWithoutRoomForAPause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscriber("u1")
	tells := b.news(b.acceptor()).identifier
	mail := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
	rule := b.alertRule(workflow.AlertVolume, 1, func(c *ent.AlertRuleCreate) {
		c.SetNotifyWorkflow(tells).SetNotifySubscribers([]string{"ops"}).SetWorkflow(b.db.Ent.Workflow.GetX(b.ctx, mail.workflow).Identifier).SetPause(true)
	})
	b.fanOut(b.triggered(mail, to("u1")))
	for i := range pgdue.MaxPauses {
		b.pause(workflow.PauseBroadcast, fmt.Sprint("event-", i))
	}
	for range 2 {
		firing := b.evaluateSoon(rule)
		require.Equal(t, workflow.AlertFiring, firing.State)
		require.Equal(t, "Nothing was paused: 100 pauses of the environment last, or 50 of subscribers.", *firing.Problem)
		require.Len(t, b.pauses(), pgdue.MaxPauses)
	}
	require.NotContains(t, b.alertEvents()[0].Payload["alert"], "paused")
	b.exec(`UPDATE pauses SET resumed_at = now() WHERE target = 'event-7'`)
	require.Nil(t, b.evaluateSoon(rule).Problem)
	last := b.pauses()[pgdue.MaxPauses]
	require.Equal(t, []any{mail.workflow, last.ID}, []any{last.Target, *b.incidents()[0].PauseID})
	b.exec(`UPDATE pauses SET resumed_at = now() WHERE id = $1`, last.ID)
	require.Nil(t, b.evaluateSoon(rule).Problem)
	require.Len(t, b.pauses(), pgdue.MaxPauses+1, "people have ended the pause of this incident")
}

func TestAlertWithoutItsWorkflow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rule := b.alertRule(workflow.AlertNoMessages, 0.5, func(c *ent.AlertRuleCreate) {
		c.SetNotifyWorkflow("gone").SetNotifySubscribers([]string{"ops"}).SetRemindAfterMinutes(1)
	})
	firing := b.evaluate(rule)
	require.Equal(t, workflow.AlertFiring, firing.State)
	require.Equal(t, "workflow_not_found", *firing.Problem)
	require.Empty(t, b.alertEvents())
	b.exec(`UPDATE alert_rules SET notify_workflow = $1`, b.news(b.acceptor()).identifier)
	require.Nil(t, b.evaluate(rule).Problem)
	require.Equal(t, "reminder", b.alertEvents()[0].Payload["alert"].(map[string]any)["state"])
}

// TestAlertFigures measures each condition in each scope.
func TestAlertFigures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), emailStep()}})
	identifier, integration := b.db.Ent.Workflow.GetX(b.ctx, wf.workflow).Identifier, b.db.Ent.Integration.GetX(b.ctx, b.email).Identifier
	quiet := b.db.Ent.Workflow.GetX(b.ctx, b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}).workflow).Identifier
	b.subscriber("u1")
	b.fanOut(b.triggered(wf, to("u1")), b.triggered(wf, to("u1")))
	b.exec(`UPDATE messages SET status = 'error', due_at = NULL WHERE id IN (SELECT min(id) FROM messages WHERE channel = 'email')`)
	b.exec(`UPDATE messages SET due_at = now() - interval '1 minute', leased_until = NULL WHERE due_at IS NOT NULL`)
	b.exec(`UPDATE integrations SET breaker = 'open' WHERE id = $1`, b.email)
	ofWorkflow := func(name string) func(*ent.AlertRuleCreate) {
		return func(c *ent.AlertRuleCreate) { c.SetWorkflow(name) }
	}
	ofIntegration := func(c *ent.AlertRuleCreate) { c.SetIntegration(integration) }
	ofChannel := func(channel workflow.Channel) func(*ent.AlertRuleCreate) {
		return func(c *ent.AlertRuleCreate) { c.SetChannel(channel) }
	}
	everything := func(*ent.AlertRuleCreate) {}
	values := map[string]*float64{}
	for name, c := range map[string]struct {
		condition workflow.AlertCondition
		of        func(*ent.AlertRuleCreate)
		want      *float64
	}{
		"volume":                   {workflow.AlertVolume, everything, new(4.0)},
		"volume of a workflow":     {workflow.AlertVolume, ofWorkflow(identifier), new(4.0)},
		"volume of another":        {workflow.AlertVolume, ofWorkflow(quiet), new(0.0)},
		"volume of none":           {workflow.AlertVolume, ofWorkflow("nothing"), nil},
		"volume of a channel":      {workflow.AlertVolume, ofChannel(workflow.ChannelEmail), new(2.0)},
		"volume of an integration": {workflow.AlertVolume, ofIntegration, new(2.0)},
		"failures":                 {workflow.AlertFailureRate, everything, new(100.0 / 3)},
		"failures of a workflow":   {workflow.AlertFailureRate, ofWorkflow(identifier), new(100.0 / 3)},
		"failures of a channel":    {workflow.AlertFailureRate, ofChannel(workflow.ChannelEmail), new(100.0)},
		"failures in-app":          {workflow.AlertFailureRate, ofChannel(workflow.ChannelInApp), new(0.0)},
		"failures of another":      {workflow.AlertFailureRate, ofWorkflow(quiet), nil},
		"unhealthy":                {workflow.AlertUnhealthyIntegration, everything, new(1.0)},
		"unhealthy e-mail":         {workflow.AlertUnhealthyIntegration, ofIntegration, new(1.0)},
		"unhealthy in-app":         {workflow.AlertUnhealthyIntegration, ofChannel(workflow.ChannelInApp), new(0.0)},
	} {
		rule := b.alertRule(c.condition, 1000, c.of)
		values[rule.ID] = c.want
		require.NoError(t, rule.Update().SetName(name).Exec(b.ctx))
	}
	lag, silent := b.alertRule(workflow.AlertLag, 30), b.alertRule(workflow.AlertNoMessages, 60, ofWorkflow(identifier))
	b.exec(`UPDATE alert_rules SET created_at = created_at - interval '1 day'`)
	require.Equal(t, workflow.AlertFiring, b.evaluate(lag).State)
	for _, rule := range b.db.Ent.AlertRule.Query().AllX(b.ctx) {
		if want, known := values[rule.ID]; known {
			require.Equal(t, fmt.Sprint(jsonOf(t, want)), fmt.Sprint(jsonOf(t, rule.Value)), rule.Name)
		}
	}
	require.InDelta(t, 1, *b.db.Ent.AlertRule.GetX(b.ctx, silent.ID).Value, 1, "minutes since the latest message, of the machine's time")
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
