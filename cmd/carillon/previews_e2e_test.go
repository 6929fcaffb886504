//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestJourneyPreviewClients shows a chat message as each chat shows it, and a push message folded and expanded.
func TestJourneyPreviewClients(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, applyDocument, map[string]any{"d": object{"workflows": object{"clients": object{
		"name": "Clients",
		"steps": []object{
			{"stepId": "chat", "type": "chat", "chat": object{"body": "*Paid* by ~~card~~"}},
			{"stepId": "push", "type": "push", "push": object{"subject": "Paid", "body": "One\nTwo\nThree"}},
		},
	}}}}, nil)
	b := o.logIn(t, "/workflows/clients")
	for _, chat := range []struct{ name, paid string }{
		{"Discord", ".chat.discord em"}, {"WhatsApp", ".chat.whatsapp strong"}, {"Slack", ".chat.slack strong"},
	} {
		b.click("button", chat.name)
		b.holds(`[...document.querySelectorAll('` + chat.paid + `')].some((e) => e.innerText === 'Paid')`)
		b.holds(`document.querySelector('.choice [aria-pressed=true]')?.innerText.trim() === '` + chat.name + `'`)
	}
	b.fill("Body", `{"type": "AdaptiveCard", "body": []}`)
	b.click("button", "Teams")
	b.sees("AdaptiveCard")
	b.holds(`document.querySelector('.chat.teams pre')`)

	b.click("button", "push")
	const android = `document.querySelector('[aria-label=Android] .shown-text')`
	const folded = android + `.offsetHeight < 2 * parseFloat(getComputedStyle(` + android + `).lineHeight)`
	b.holds(folded)
	b.click("button", "Expand")
	b.holds(`!(` + folded + `)`)
	b.holds(`document.activeElement.ariaExpanded === 'true' && document.activeElement.ariaLabel === 'Collapse'`)
	b.click("button", "Collapse")
	b.holds(folded)
}

// TestJourneyPreviewAgain: a preview that the server did not answer is there as soon as the server is, without another edit.
func TestJourneyPreviewAgain(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows/hello")
	b.sees("Draft saved")
	b.do(chromedp.Evaluate(`{
		const whole = window.fetch
		window.fetch = async (path, init) => {
			if (!window.reachable && String(init?.body).includes('query PreviewStep')) throw new TypeError('the connection was lost')
			return whole(path, init)
		}
	}`, nil))
	b.fill("Subject", "Here again")
	b.sees("The server cannot be reached.")
	b.do(chromedp.Evaluate(`window.reachable = true`, nil))
	b.misses("The server cannot be reached.")
	b.holds(`document.querySelector('.preview')?.innerText.includes('Here again')`)
}

// TestJourneyPreviewHistory: back leaves the editor, however many previews of a mail it has shown.
func TestJourneyPreviewHistory(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.mailThrough(t, "sendgrid")
	b := o.logIn(t, "/workflows")
	b.click("link", "Mail")
	for _, words := range []string{"Thank you", "Many thanks", "All our thanks"} {
		b.fill("HTML", "<p>"+words+"</p>")
		b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('` + words + `')`)
	}
	b.sees("Draft saved")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.holds(`location.pathname === '/dashboard/workflows'`)
}
