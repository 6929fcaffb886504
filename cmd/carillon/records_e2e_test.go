//go:build e2e

package main_test

import (
	"strings"
	"testing"
)

// TestJourneyRecords goes through the pages of what came to be on the way: addresses that are not written to, contexts, feeds,
// what providers reported, digests, and the state of the system; and takes back what was deleted.
func TestJourneyRecords(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/suppressions")
	b.sees("No suppressed addresses.")
	b.click("button", "Suppress an address")
	b.fill("Address or number", "anna@example.org")
	b.click("button", "Add")
	b.sees("By hand")
	b.look("suppressions")
	b.click("button", "Remove anna@example.org")
	b.sees("No suppressed addresses.")
	b.click("button", "Undo")
	b.sees("By hand")
	b.fill("Address or number", "unknown@example.org")
	b.sees("Nothing matches these filters.")

	b.open("/dashboard/contexts")
	b.sees("No contexts yet.")
	b.click("button", "New context")
	b.fill("Type", "region")
	b.fill("Identifier", "eu")
	b.fill("Data (JSON)", `{"vat": true`)
	b.click("button", "Save")
	b.sees("is not valid JSON")
	b.fill("Data (JSON)", `{"vat": true}`)
	b.click("button", "Save")
	b.sees(`{"vat":true}`)
	b.look("contexts")
	b.click("button", "Delete region:eu")
	b.sees("No contexts yet.")
	b.click("button", "Undo")
	b.sees(`{"vat":true}`)

	b.open("/dashboard/feeds")
	b.sees("No feeds yet.")
	b.click("button", "New feed")
	b.fill("Identifier", "news")
	b.fill("Name", "News")
	b.click("button", "Save")
	b.sees("news")
	b.look("feeds")

	for path, text := range map[string]string{"/receipts": "No receipts yet.", "/replies": "No replies yet.", "/digests": "No digests yet.", "/health": "Pending runs"} {
		b.open("/dashboard" + path)
		b.sees(text)
		b.look(path[1:])
	}
}

// TestJourneyPrivacy shows what a subscriber had chosen, and erases all that is stored about them.
func TestJourneyPrivacy(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", email: "anna@example.org"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/subscribers/anna/preferences")
	b.click("checkbox", "In-app for Hello")
	b.sees("by subscriber")
	b.click("link", "History")
	b.sees("In-app: off")
	b.look("history")
	b.click("link", "All runs")
	b.holds(`new URLSearchParams(location.search).get('subscriber') === 'anna'`)
	b.open("/dashboard/subscribers/anna")
	b.click("button", "Export data")
	b.sees("records exported.")
	b.click("button", "Erase all data")
	b.fill("Identifier", "anna")
	b.look("erase")
	b.click("button", "Erase for good")
	b.holds(`location.pathname === '/dashboard/subscribers'`)
	b.sees("Nothing here yet.")
}

// TestJourneyMissingRecords opens pages of records that there are not: each has a heading and says what is wrong.
func TestJourneyMissingRecords(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/activity")
	b.expect("404")
	for _, path := range []string{
		"activity/none", "workflows/none", "workflows/none/test", "layouts/none", "snippets/none", "translations/none",
		"integrations/none", "subscribers/none", "topics/none", "tenants/none", "audiences/none", "schedules/none",
	} {
		b.open("/dashboard/" + path)
		b.holds(`document.querySelector('main [role=alert]')?.innerText && [...document.querySelectorAll('h1')].map((h) => h.innerText + ' · Carillon').join() === document.title`)
		b.axe(path, allRules)
	}
}

// TestJourneyLongStep shows a workflow and a step under names that no line of a phone takes.
func TestJourneyLongStep(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation($name: String!, $step: String!) { createWorkflow(input: {name: $name, identifier: "long", definition: {steps: [
		{type: EMAIL, stepId: $step, email: {subject: "Your order", html: "<p>Thank you</p>"}}]}}) { workflow { id } } }`,
		map[string]any{"name": strings.Repeat("W", 120), "step": strings.Repeat("s", 60)}, nil)
	b := o.logIn(t, "/workflows")
	b.click("link", "WWW")
	b.sees("When triggered")
	b.holds(`document.activeElement.id === 'content'`) // the link has gone
	for _, width := range widths {
		b.fits("the editor", width)
	}
	b.open("/dashboard/environments/members")
	b.sees("Organization keys")
	for _, width := range []int64{720, 900} { // 1440 at 200 %
		b.fits("tables", width)
	}
}
