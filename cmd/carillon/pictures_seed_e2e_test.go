//go:build e2e

package main_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// furnishPictures stores what the pictures show. Each is stored after the one before it, so that lists have one order.
func (o *office) furnishPictures(t *testing.T) {
	t.Helper()
	o.furnishPeople(t)
	o.furnishContent(t)
	o.furnishDelivery(t)
	for _, name := range []string{"Anna", "Ben"} {
		o.trigger(t, "hello", strings.ToLower(name), object{"name": name})
		o.settle(t)
	}
	o.trigger(t, "welcome", "anna", object{"plan": "gold"})
	o.settle(t)
	o.trigger(t, "reminder", "anna", object{})
	o.settle(t)
	until(t, time.Minute, "every workflow says when it was last triggered", func(ctx context.Context) (bool, error) {
		var out struct {
			Workflows struct {
				Nodes []struct{ LastTriggeredAt *time.Time }
			}
		}
		err := o.api.GraphQL(ctx, `{ workflows(first: 10) { nodes { lastTriggeredAt } } }`, nil, &out)
		for _, w := range out.Workflows.Nodes {
			if w.LastTriggeredAt == nil {
				return false, err
			}
		}
		return err == nil, err
	})
	o.furnishIncident(t)
	// It comes last, so that nothing is tried to be delivered to it.
	o.ask(t, `mutation { createWebhookEndpoint(input: {url: "https://crm.example.org/hooks", description: "CRM", eventTypes: [MESSAGE_SENT, MESSAGE_FAILED], workflows: ["welcome"]}) { __typename } }`, nil, nil)
}

// settle waits until nothing is open but what waits for its time.
func (o *office) settle(t *testing.T) {
	t.Helper()
	until(t, time.Minute, "everything is sent or waits", func(ctx context.Context) (bool, error) {
		var out struct{ Events, Pending, Messages struct{ TotalCount int } }
		err := o.api.GraphQL(ctx, `{ events(filter: {statusIn: [ACCEPTED]}) { totalCount }
			pending: notifications(filter: {statusIn: [PENDING]}) { totalCount } messages(filter: {statusIn: [PENDING]}) { totalCount } }`, nil, &out)
		return out.Events.TotalCount+out.Pending.TotalCount+out.Messages.TotalCount == 0, err
	})
}

func (o *office) furnishPeople(t *testing.T) {
	t.Helper()
	for _, s := range []object{
		{"subscriberId": "anna", "firstName": "Anna", "lastName": "Albrecht", "email": "anna@example.org", "phone": "+493012345678", "locale": "de-DE", "timezone": "Europe/Berlin", "data": object{"plan": "gold", "seats": 12}},
		{"subscriberId": "ben", "firstName": "Ben", "lastName": "Baker", "email": "ben@example.org", "locale": "en-GB"},
		{"subscriberId": "carla", "email": "carla@example.org", "data": object{"plan": "silver"}},
	} {
		o.ask(t, `mutation($s: CreateSubscriberInput!) { createSubscriber(input: $s) { subscriber { id } } }`, object{"s": s}, nil)
	}
	o.ask(t, `mutation { createTopic(input: {key: "releases", name: "Releases"}) { topic { id } } createTenant(input: {identifier: "acme", name: "ACME", data: {plan: "gold"}}) { tenant { id } }
		createContext(input: {type: "region", identifier: "eu", data: {vat: true}}) { context { id } } createFeed(input: {identifier: "news", name: "News"}) { feed { id } }
		createSuppression(input: {channel: EMAIL, address: "former@example.org", detail: "asked by telephone"}) { suppression { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriptions(input: {topicKey: "releases", subscriptions: [{subscriberId: "anna"}, {subscriberId: "ben"}]}) { __typename }
		setTenantWorkflow(input: {tenantIdentifier: "acme", workflow: "hello", active: false}) { __typename }
		createAudience(input: {identifier: "gold", name: "Gold plan", rule: {and: [{if: [true, {var: "subscriber.email"}, false]}]}}) { audience { id } } }`, nil, nil)
	o.member(t, "admin@example.org", "ADMIN")
	o.member(t, "viewer@example.org", "VIEWER")
}

// welcome is the workflow of the editor's pictures; subject is that of its first e-mail, collect its digest.
func welcome(subject string, collect object) object {
	gold := []object{{"children": []object{{"on": "PAYLOAD", "field": "plan", "operator": "EQUAL", "value": "gold"}}}}
	return object{
		"payloadSchema": object{"type": "object", "required": []string{"plan"}, "properties": object{
			"plan": object{"type": "string", "enum": []string{"gold", "silver"}, "description": "What was booked."}, "seats": object{"type": "integer", "default": 3},
		}},
		"tags": []string{"onboarding"},
		"steps": []object{
			{"stepId": "inbox", "type": "IN_APP", "inApp": object{"subject": "Welcome, {{ subscriber.firstName }}", "body": "Your {{ payload.plan }} plan starts today.", "primaryAction": object{"label": "First steps", "url": "https://example.org/start"}}},
			{"stepId": "letter", "type": "EMAIL", "email": object{"subject": subject, "blocks": []object{
				{"type": "TEXT", "content": "Hello {{ subscriber.firstName }}, your {{ payload.plan }} plan starts today."},
				{"type": "BUTTON", "content": "First steps", "url": "https://example.org/start"},
			}}},
			{"stepId": "collect", "type": "DIGEST", "digest": collect},
			{"stepId": "summary", "type": "EMAIL", "email": object{"subject": "{{ step.total_count }} events", "html": "<h1>Your fortnight</h1>\n{% for e in step.events %}\n  <p>{{ e.plan | upcase }}</p>\n{% endfor %}", "layoutId": "brand"}},
			{"stepId": "text", "type": "SMS", "filters": gold, "sms": object{"body": "Thank you, {{ subscriber.firstName }}!"}},
		},
	}
}

func (o *office) furnishContent(t *testing.T) {
	t.Helper()
	o.ask(t, applyDocument, map[string]any{"d": object{
		"layouts":  object{"brand": object{"name": "Brand", "content": "<body>\n<h2>ACME for {{ subscriber.firstName }}</h2>\n{{ content }}\n<small>{{ 'bye' | t }}</small>\n</body>"}},
		"snippets": object{"footer": object{"name": "Footer", "content": "<p>{{ company }} since {{ year }}</p>"}},
		"translations": object{
			"en": object{"greeting": "Hello", "bye": "Good bye", "hours": "Our office is open from Monday to Friday."},
			"de": object{"greeting": "Guten Tag", "bye": "Auf Wiedersehen"},
		},
	}}, nil)
	o.ask(t, `mutation { shop: createVariable(input: {name: "SHOP", value: "https://shop.example.org"}) { variable { id } } createVariable(input: {name: "MAIL_PASSWORD", value: "secret", secret: true}) { variable { id } } }`, nil, nil)
	var made struct {
		CreateWorkflow struct{ Workflow struct{ ID string } }
	}
	// The window of the run that is shown ends as long after it in every run of the test. The draft has one that ends by the clock.
	hours := object{"type": "REGULAR", "amount": 20, "unit": "HOURS"}
	fortnight := object{"type": "TIMED", "amount": 2, "unit": "WEEKS", "timed": object{"atTime": "08:30", "weekDays": []string{"MONDAY", "FRIDAY"}}}
	o.ask(t, `mutation($d: WorkflowDefinitionInput!) { createWorkflow(input: {name: "Welcome", identifier: "welcome", description: "What new customers get.", publish: true, definition: $d}) { workflow { id } } }`,
		object{"d": welcome("Welcome to ACME", hours)}, &made)
	o.ask(t, `mutation($id: ID!, $d: WorkflowDefinitionInput!) { updateWorkflow(input: {id: $id, definition: $d}) { workflow { id } } }`,
		object{"id": made.CreateWorkflow.Workflow.ID, "d": welcome("A warm welcome to ACME", fortnight)}, nil)
	o.ask(t, `mutation { createWorkflow(input: {name: "Reminder", identifier: "reminder", publish: true, definition: {steps: [
		{type: DELAY, stepId: "wait", delay: {type: REGULAR, amount: 2, unit: DAYS}}, {type: IN_APP, stepId: "inbox", inApp: {body: "It is time."}}]}}) { workflow { id } } }`, nil, nil)
	o.makeNews(t)
}

func (o *office) furnishDelivery(t *testing.T) {
	t.Helper()
	o.ask(t, `mutation { createIntegration(input: {providerId: "sendgrid", identifier: "post-office", name: "Post office", active: false, credentials: {apiKey: "k", from: "news@example.org", senderName: "News"}}) { integration { id } }
		createTriggerSchedule(input: {name: "Weekly news", workflow: "news", payload: {name: "World"}, startsAt: "2099-06-01T09:00", timeZone: "Europe/Berlin", rrule: "FREQ=WEEKLY;BYDAY=MO", exceptions: ["2099-06-08"], to: [{subscriberId: "anna"}]}) { __typename }
		late: createAlertRule(input: {name: "E-mail fails", condition: FAILURE_RATE, channel: EMAIL, threshold: 5, enabled: false, notifyWorkflow: "hello", notifySubscribers: ["anna"]}) { __typename }
		createAlertRule(input: {name: "Too many for one person", condition: SUBSCRIBER_VOLUME, threshold: 100, pause: true, enabled: false, notifyWorkflow: "hello", notifySubscribers: ["anna"]}) { __typename }
		createApiKey(input: {name: "deployment"}) { key }
		pauseDelivery(input: {kind: SUBSCRIBER, target: "carla", reason: "asked us to stop"}) { __typename } }`, nil, nil)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	o.ask(t, `mutation { broadcastEvent(input: {name: "news", payload: {name: "World"}}) { result { status } } }`, nil, nil)
	o.settle(t)
}

// furnishIncident stores what a rule that is evaluated by real time would find only after a minute.
func (o *office) furnishIncident(t *testing.T) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), strings.TrimPrefix(o.database[0], "CARILLON_DATABASE_URL="))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) }()
	for _, statement := range []string{
		`INSERT INTO alert_incidents (id, created_at, updated_at, opened_at, value, threshold, peak, told_at, environment_id, rule_id, subscriber_id, pause_id)
			SELECT 'alert-incident-1', now(), now(), now(), 120, 100, 140, now(), r.environment_id, r.id, s.id, p.id FROM alert_rules r, subscribers s, pauses p
			WHERE r.condition = 'subscriber_volume' AND s.subscriber_id = 'carla'`,
		`INSERT INTO alert_incidents (id, created_at, updated_at, opened_at, value, threshold, peak, told_at, closed_at, ended, environment_id, rule_id)
			SELECT 'alert-incident-2', now(), now(), now(), 7.5, 5, 12.5, now(), now(), 'recovered', r.environment_id, r.id FROM alert_rules r WHERE r.condition = 'failure_rate'`,
	} {
		tag, err := db.Exec(t.Context(), statement)
		require.NoError(t, err)
		require.EqualValues(t, 1, tag.RowsAffected(), statement)
	}
}
