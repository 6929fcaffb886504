//go:build e2e

package main_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestJourneyRepairs pauses a workflow and resumes it, takes a message back, and replays its notification.
func TestJourneyRepairs(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", firstName: "Anna"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/repairs")
	b.sees("Nothing was paused.")
	b.fill("Which", "hello")
	b.fill("Reason", "a wrong text")
	b.click("button", "Pause")
	b.sees("What becomes due is held until you resume.")
	b.look("repair")
	b.click("button", "Pause")
	b.sees("a wrong text")
	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	until(t, time.Minute, "the event is held", func(ctx context.Context) (bool, error) {
		var out struct {
			Pauses struct{ Nodes []struct{ HeldCount int } }
		}
		err := o.api.GraphQL(ctx, `{ pauses { nodes { heldCount } } }`, nil, &out)
		return len(out.Pauses.Nodes) == 1 && out.Pauses.Nodes[0].HeldCount == 1, err
	})
	b.open("/dashboard/repairs")
	b.click("link", "Hello")
	b.sees("Versions")
	b.open("/dashboard/repairs")
	b.click("button", "Resume")
	b.sees("Held events, notifications and messages: 1.")
	b.look("repairs")
	b.click("button", "Resume")
	b.misses("Held events, notifications and messages: 1.")

	b.open("/dashboard/activity")
	b.click("link", "Hello")
	b.sees("Completed")
	b.click("button", "Recall")
	b.sees("1 in-app messages leave their inbox")
	b.click("button", "Recall")
	b.sees("Recalled")
	b.click("button", "Replay")
	b.sees("A new notification with the same payload")
	b.click("button", "Replay")
	b.sees("Replayed")
	b.look("replayed")

	b.open("/dashboard/repairs")
	b.do(chromedp.Evaluate(`{ const whole = fetch; window.sent = ''; window.fetch = (path, init) => { sent += init?.body; return whole(path, init) } }`, nil))
	b.fill("Time", "3600")
	b.click("button", "Retry failed messages")
	b.sees("0 failed messages are chosen")
	b.holds(`sent.includes('"createdAfter":"2')`)
	b.click("button", "Retry failed messages")
	b.sees("Completed") // without another look by hand
}
