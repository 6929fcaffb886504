//go:build e2e

package main_test

import "testing"

// TestJourneyAlerts makes an alert rule, tests it, silences it and changes it.
func TestJourneyAlerts(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/alerts")
	b.sees("There are no alert rules.")
	b.sees("No incidents.")
	b.click("button", "New alert rule")
	b.fill("Name", "E-mail fails")
	b.fill("Threshold", "5")
	b.fill("Workflow that tells", "hello")
	b.fill("Subscribers to notify", "ops")
	b.look("alert-form")
	b.click("button", "Save")
	b.sees("E-mail fails")
	b.sees("5 %")
	b.click("button", "Send a test")
	b.sees("The test is on its way.")
	b.click("button", "Silence for an hour")
	b.sees("silenced until")
	b.click("button", "Change")
	b.fill("Name", "Mail fails")
	b.click("button", "Save")
	b.sees("Mail fails")
	b.look("alerts")
}
