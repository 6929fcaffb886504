//go:build e2e

package main_test

import (
	"fmt"
	"testing"
)

// TestJourneyBroadcasts follows a broadcast that is paced, pauses it, lets it go on without a pace, and cancels another.
func TestJourneyBroadcasts(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for n := range 4 {
		o.ask(t, fmt.Sprintf(`mutation { createSubscriber(input: {subscriberId: "reader%d"}) { subscriber { id } } }`, n), nil, nil)
	}
	b := o.logIn(t, "/broadcasts")
	b.sees("Nothing was broadcast.")
	const slow = `mutation { broadcastEvent(input: {name: "hello", payload: {name: "World"}, perSecond: 1}) { result { status } } }`
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
	b.sees("4 of 4")
}

// TestJourneyAudiences saves a filter, sees whom it chooses, and notifies them.
func TestJourneyAudiences(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for _, locale := range []string{"de", "en"} {
		o.ask(t, fmt.Sprintf(`mutation { createSubscriber(input: {subscriberId: "reader-%s", locale: "%s"}) { subscriber { id } } }`, locale, locale), nil, nil)
	}
	b := o.logIn(t, "/audiences")
	b.sees("There are no audiences.")
	b.click("link", "New audience")
	b.fill("Identifier", "german")
	b.click("button", "Preview")
	b.sees("Subscribers chosen: 1.")
	b.sees("reader-de")
	b.look("audience")
	b.click("button", "Save")
	b.sees("Notify this audience")
	b.fill("Workflow", "hello")
	b.fill("Payload", `{"name": "World"}`)
	b.click("button", "Notify this audience")
	b.sees("1 of 2")
	b.look("audience-notified")
}

// TestJourneySchedules makes a schedule, sees when it runs, pauses it, and lets it run at once.
func TestJourneySchedules(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/schedules")
	b.sees("There are no schedules.")
	b.click("link", "New schedule")
	b.fill("Name", "Weekly news")
	b.fill("Workflow", "hello")
	b.fill("Payload", `{"name": "World"}`)
	b.fill("First run", "2099-06-01T09:00")
	b.fill("Time zone", "Europe/Berlin")
	b.fill("Repeats", "weekly")
	b.fill("Days without a run", "2099-06-08")
	b.sees("06/15/2099")
	b.look("schedule")
	b.click("button", "Save")
	b.click("button", "Run now")
	b.sees("Events")
	b.open("/dashboard/schedules")
	b.sees("Weekly news")
	b.sees("Processed")
	b.click("switch", "Enabled: Weekly news")
	b.look("schedules")
}
