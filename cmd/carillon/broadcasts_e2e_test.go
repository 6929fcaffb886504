//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJourneyBroadcasts follows a broadcast that is paced, pauses it, lets it go on without a pace, and cancels another.
func TestJourneyBroadcasts(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for n := range 4 {
		o.ask(t, fmt.Sprintf(`mutation { createSubscriber(input: {subscriberId: "reader%d"}) { subscriber { id } } }`, n), nil, nil)
	}
	b := o.logIn(t, "/broadcasts")
	b.sees("Nothing was broadcast. An audience is notified on its page")
	const slow = `mutation { broadcastEvent(input: {name: "hello", payload: {name: "World"}, perSecond: 1}) { result { status } } }`
	o.ask(t, `mutation { advanceClock(by: "PT1S") { clock { settled } } }`, nil, nil) // it stops there, and the pace with it
	o.ask(t, slow, nil, nil)
	b.open("/dashboard/broadcasts")
	b.sees("1 of 4")
	b.click("button", "Pause")
	b.sees("What becomes due is held until you resume.")
	b.click("button", "Pause")
	b.sees("Paused")
	b.look("broadcasts")
	b.click("button", "Resume")
	b.sees("They are taken up in order")
	b.click("button", "Resume")
	b.misses("Paused")
	b.click("button", "Cancel broadcast")
	b.sees("No further subscriber is notified")
	b.click("button", "Keep running") // and not Cancel, which would not say what of
	b.misses("No further subscriber is notified")
	o.ask(t, `mutation { advanceClock(by: "PT1M") { clock { settled } } }`, nil, nil)
	b.sees("4 of 4")
}

// makeNews makes a workflow whose payload has a schema.
func (o *office) makeNews(t *testing.T) {
	t.Helper()
	o.ask(t, `mutation { createWorkflow(input: {name: "News", identifier: "news", definition: {
		payloadSchema: {type: "object", required: ["name"], properties: {name: {type: "string"}, count: {type: "integer"}}},
		steps: [{type: IN_APP, stepId: "inbox", inApp: {body: "Hello {{ payload.name }}"}}]
	}}) { workflow { id } } }`, nil, nil)
}

// TestJourneyAudiences saves a filter, sees whom it chooses, and notifies them.
func TestJourneyAudiences(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for _, locale := range []string{"de", "en"} {
		o.ask(t, fmt.Sprintf(`mutation { createSubscriber(input: {subscriberId: "reader-%s", locale: "%s", data: {plan: "gold"}}) { subscriber { id } } }`, locale, locale), nil, nil)
	}
	o.makeNews(t)
	b := o.logIn(t, "/audiences")
	b.sees("There are no audiences.")
	b.click("link", "New audience")
	b.fill("Identifier", "german")
	b.click("button", "Add a condition")
	b.fill("Field 1", "locale")
	b.fill("Value 1", "de")
	b.click("button", "Preview")
	b.sees("Subscribers chosen: 1.")
	b.sees("reader-de")
	b.holds(`[...document.querySelectorAll('datalist option')].some((o) => o.value === 'data.plan')`)
	b.click("button", "Add to this group")
	b.fill("Field 2", "data.plan")
	b.fill("Operator 2", "IN")
	b.fill("Value 2", "gold, silver")
	b.click("button", "Add a group")
	b.fill("Field 2.1", "phone")
	b.fill("Operator 2.1", "NOT_SET")
	b.look("audience")
	b.click("button", "Save")
	b.sees("Notify this audience")
	rule := func() any {
		var out struct{ AudienceByIdentifier struct{ Rule any } }
		o.ask(t, `{ audienceByIdentifier(identifier: "german") { rule } }`, nil, &out)
		return out.AudienceByIdentifier.Rule
	}
	of := func(field string) any { return map[string]any{"var": "subscriber." + field} }
	require.Equal(t, map[string]any{"and": []any{
		map[string]any{"and": []any{
			map[string]any{"==": []any{of("locale"), "de"}},
			map[string]any{"in": []any{of("data.plan"), []any{"gold", "silver"}}},
		}},
		map[string]any{"!": []any{of("phone")}},
	}}, rule())

	// What conditions cannot say is edited as JSON, and survives.
	b.click("button", "Edit as JSON")
	b.fill("Rule (JSON)", `{"==": [{"cat": [{"var": "subscriber.locale"}, "!"]}, "de!"]}`)
	b.sees("This rule says more than conditions can")
	b.click("button", "Save")
	b.sees("Saved.")
	b.open("/dashboard/audiences/german")
	b.sees("This rule says more than conditions can")
	b.click("button", "Preview")
	b.sees("Subscribers chosen: 1.")
	require.Equal(t, map[string]any{"==": []any{map[string]any{"cat": []any{of("locale"), "!"}}, "de!"}}, rule())
	b.fill("Workflow", "news")
	b.fill("name", "World")
	b.fill("Topic", "news")
	b.sees("The audience has changes that are not saved.")
	b.holds(`[...document.querySelectorAll('button')].find((e) => e.innerText === 'Notify this audience').disabled`)
	b.fill("Topic", "")
	b.misses("The audience has changes that are not saved.")
	b.click("button", "Notify this audience")
	b.sees("2 of 2 subscribers looked at") // of whom one is notified
	b.holds(`[...document.querySelectorAll('td span')].some((e) => e.innerText === '1')`)
	b.look("audience-notified")
}

// TestJourneySchedules makes a schedule, sees when it runs, pauses it, and lets it run at once.
func TestJourneySchedules(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeNews(t)
	b := o.logIn(t, "/schedules")
	b.sees("There are no schedules.")
	b.click("link", "New schedule")
	b.fill("Name", "Weekly news")
	b.fill("Workflow", "news")
	b.fill("name", "World")
	b.fill("count", "3")
	b.fill("Recipients", "chosen")
	b.fill("Recipient 1", "ada")
	b.click("button", "Add a recipient")
	b.fill("Kind 2", "topic")
	b.fill("Recipient 2", "news")
	b.fill("Except 2", "eve bob")
	b.fill("First run", "2099-06-01T09:00")
	b.fill("Time zone", "Europe/Berlin")
	b.fill("Repeats", "weekly")
	b.fill("Days without a run", "2099-06-08")
	b.sees("06/15/2099")
	b.fill("Time zone", "Europe/Ber") // half typed
	b.sees("timeZone")
	b.fill("Time zone", "Europe/Berlin")
	b.misses("timeZone")
	b.sees("06/15/2099")
	b.look("schedule")
	b.click("button", "Save")
	b.sees("Run now")
	var out struct {
		TriggerSchedules struct {
			Nodes []struct {
				Payload any
				To      []object
			}
		}
	}
	o.ask(t, `{ triggerSchedules { nodes { payload to { subscriberId topic { topicKey exclude } } } } }`, nil, &out)
	require.Equal(t, map[string]any{"name": "World", "count": 3.}, out.TriggerSchedules.Nodes[0].Payload)
	require.Equal(t, []object{
		{"subscriberId": "ada", "topic": nil},
		{"subscriberId": nil, "topic": map[string]any{"topicKey": "news", "exclude": []any{"eve", "bob"}}},
	}, out.TriggerSchedules.Nodes[0].To)
	b.click("button", "Run now")
	b.sees("Events")
	b.open("/dashboard/schedules")
	b.sees("Weekly news")
	b.sees("Processed")
	b.click("switch", "Enabled: Weekly news")
	b.look("schedules")
}

// TestJourneyUnsavedRecipients: whoever leaves a new audience or schedule is asked, and nothing of it is lost by staying.
func TestJourneyUnsavedRecipients(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/audiences/new")
	for page, field := range map[string]string{"audiences": "Identifier", "schedules": "Name"} {
		b.open("/dashboard/" + page + "/new")
		b.fill(field, "readers")
		b.click("link", "Workflows")
		b.sees("Leave without saving?")
		b.click("button", "Stay")
		b.holds(`[...document.querySelectorAll('input')].some((e) => e.value === 'readers')`)
		b.click("link", "Workflows")
		b.click("button", "Leave")
		b.holds(`location.pathname === '/dashboard/workflows'`)
	}
	b.open("/dashboard/audiences/new")
	b.fill("Identifier", "readers")
	b.fill("Topic", "news")
	b.click("button", "Save")
	b.holds(`location.pathname === '/dashboard/audiences/readers'`)
}
