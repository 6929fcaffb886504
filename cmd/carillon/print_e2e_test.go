//go:build e2e

package main_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestJourneyPrint prints a run, as for the report of an incident: in light colours, all of it, and nothing that can only be pressed.
func TestJourneyPrint(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Letter", identifier: "letter", publish: true, definition: {steps: [
		{type: EMAIL, stepId: "mail", email: {subject: "A letter", html: "{% for line in payload.lines %}<p>Line {{ line }}</p>{% endfor %}<p>The end of the letter</p>"}}]}}) { workflow { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "ada", email: "ada@example.org"}) { subscriber { id } } }`, nil, nil)
	lines := make([]int, 80) // more than the frame of a mail shows, and than a payload shows without scrolling
	o.trigger(t, "letter", "ada", object{"lines": lines})
	o.settle(t)
	b := o.logIn(t, "/activity")
	b.sees("Letter")
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.click("link", "Letter") // opens the panel beside the list
	b.sees("Timeline")
	b.sees("Payload")
	b.holds(`!document.body.innerText.includes('The end of the letter')`)

	paper := emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}})
	b.do(paper, chromedp.EmulateViewport(718, 900))
	b.sees("The end of the letter") // the text of the mail
	b.holds(`getComputedStyle(document.body).color === 'rgb(27, 27, 38)'`)
	b.holds(`['.side', '.long-table', '.button:not(.plain)', '[role=search]'].every((s) => [...document.querySelectorAll(s)].every((e) => !e.getClientRects().length))`)
	// What scrolls on the screen would be cut, but for the frame of the mail.
	b.holds(`[...document.querySelectorAll('main, main *')].every((e) => getComputedStyle(e).overflowY === 'visible' || e.scrollHeight <= e.clientHeight + 1 || !e.getClientRects().length)`)
	b.picture("panel", 718)

	b.do(emulation.SetEmulatedMedia(), chromedp.EmulateViewport(1440, 900))
	var pdf []byte
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().Do(ctx)
		return err
	}))
	require.NoError(t, os.WriteFile(filepath.Join(screenshots, "TestJourneyPrint.pdf"), pdf, 0o600)) // for people to look through

	b.open("/dashboard/activity")
	b.sees("Letter")
	b.do(paper)
	b.holds(`/, 20\d\d,/.test(getComputedStyle(document.querySelector('.long-row time'), '::after').content)`) // no "2 minutes ago"
	b.picture("list", 1440)
}
