//go:build e2e

package main_test

import (
	"testing"
)

func TestJourneyLogIn(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := browse(t, o.Process)
	b.open("/dashboard")
	b.sees("Log in to Carillon")
	b.look("log-in")
	b.expect("/dashboard/session") // the browser itself notes the refusal
	b.fill("E-mail address", operatorEmail)
	b.fill("Password", "not the password")
	b.click("button", "Log in")
	b.sees("The address or the password is not right.")
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees("Activity")
	b.click("button", "Log out")
	b.sees("Log in to Carillon")
}

func TestJourneyActivity(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "")
	b.sees("No notification meets these conditions.")
	b.look("activity-empty")

	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	b.sees("anna") // by itself: the page hears of it
	b.look("activity")
	b.fill("Subscriber", "nobody")
	b.sees("No notification meets these conditions.")
	b.fill("Subscriber", "anna")
	b.click("link", "Hello")
	b.sees("Timeline")
	b.sees("Hello Anna, this is your first notification.")
	b.look("trace")
}

// trigger fires a workflow for one subscriber.
func (o *office) trigger(t *testing.T, workflow, subscriber string, payload object) {
	t.Helper()
	var out struct{ TriggerEvent struct{ Status string } }
	o.ask(t, `mutation($name: String!, $to: String!, $payload: JSON) {
		triggerEvent(input: {name: $name, to: [{subscriberId: $to}], payload: $payload}) { status } }`,
		map[string]any{"name": workflow, "to": subscriber, "payload": payload}, &out)
	if out.TriggerEvent.Status != "PROCESSED" {
		t.Fatalf("the trigger was answered with %s", out.TriggerEvent.Status)
	}
}
