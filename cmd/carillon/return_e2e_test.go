//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestJourneyReturn comes back to a page that the browser kept as it was, which tells by the event alone.
func TestJourneyReturn(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	b := o.logIn(t, "/workflows")
	b.sees("Hello")
	const kept = `dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))`
	// Another environment was chosen meanwhile: the page is loaded anew, for the one that its address names.
	b.do(chromedp.Evaluate(`window.before = true; fetch('/graphql', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"query": "{ environments { nodes { id identifier } } }"}'})
		.then((r) => r.json()).then(({ data }) => fetch('/dashboard/session', {method: 'PUT', headers: {'Content-Type': 'application/json'},
			body: JSON.stringify({environmentId: data.environments.nodes.find((e) => e.identifier === 'live').id})})).then((r) => r.status)`, nil, awaited),
		chromedp.Evaluate(kept, nil))
	b.holds(`!window.before`)
	b.holds(`document.querySelector('.side [aria-haspopup=menu]')?.ariaLabel.startsWith('Environment: Development')`)
	b.sees("Hello")
	// The person logged out meanwhile: nothing of the page is shown.
	b.expect("401 (Unauthorized)")
	b.do(chromedp.Evaluate(`fetch('/dashboard/session', {method: 'DELETE'}).then((r) => r.status)`, nil, awaited), chromedp.Evaluate(kept, nil))
	b.sees("Log in to Carillon")
	b.misses("Hello")
}

// TestJourneyLogInAgain: the page whose log-in ended is as it was left once the person is back, also what no form had marked as unsaved,
// and of the environment that it was of.
func TestJourneyLogInAgain(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	b := o.logIn(t, "/workflows")
	b.switchEnvironment("Live")
	b.open("/dashboard/tenants")
	b.click("button", "New tenant")
	b.fill("Identifier", "acme")
	b.fill("Name", "Acme")
	b.expect("401 (Unauthorized)")
	b.do(chromedp.Evaluate(`fetch('/dashboard/session', {method: 'DELETE'}).then((r) => r.status)`, nil, awaited))
	b.click("button", "Create")
	b.sees("Your log-in has ended.")
	b.fill("E-mail address", operatorEmail)
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees("Your session had ended. Try again.")
	b.holds(`document.querySelector('[role=dialog]')`)
	b.click("button", "Create")
	b.holds(`location.pathname === '/dashboard/tenants/acme'`)
	var here struct{ Tenants struct{ Nodes []object } }
	o.ask(t, `{ tenants { nodes { identifier } } }`, nil, &here)
	require.Empty(t, here.Tenants.Nodes, "the tenant is of the environment that the page was of, not of the oldest")
}

// TestJourneyLogInBeside: a log-in in one tab begins in the oldest environment, and so for the page of another tab, which is loaded again.
func TestJourneyLogInBeside(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	b := o.logIn(t, "/workflows")
	b.switchEnvironment("Live")
	b.open("/dashboard/workflows")
	b.sees("New workflow")
	b.misses("Hello")
	b.do(chromedp.Evaluate(`fetch('/dashboard/session', {method: 'DELETE'}).then((r) => r.status)`, nil, awaited))
	beside, closeTab := chromedp.NewContext(b.ctx)
	t.Cleanup(closeTab)
	other := &browser{t: t, ctx: beside, url: b.url}
	other.open("/dashboard")
	other.fill("E-mail address", operatorEmail)
	other.fill("Password", operatorPassword)
	other.click("button", "Log in")
	other.sees("Activity")
	b.sees("Hello")
	b.holds(`document.querySelector('.side [aria-haspopup=menu]')?.ariaLabel.startsWith('Environment: Development')`)
}

// TestJourneyDialogBack: back asks before it leaves a dialog in which something was typed, and what the dialog makes is opened unasked.
func TestJourneyDialogBack(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows")
	b.click("link", "Tenants")
	b.click("button", "New tenant")
	b.fill("Identifier", "acme")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.sees("Leave without saving?")
	b.click("button", "Stay")
	b.misses("Leave without saving?")
	b.holds(`[...document.querySelectorAll('[role=dialog] input')].some((e) => e.value === 'acme')`)
	b.click("button", "Create")
	b.holds(`location.pathname === '/dashboard/tenants/acme'`)
	b.misses("Leave without saving?")
	b.sees("Workflows for this tenant")
	b.click("link", "Tenants")
	b.click("button", "New tenant")
	b.fill("Identifier", "acme")
	b.click("button", "Create") // refused: there is one
	b.holds(`document.querySelector('[role=dialog] [role=alert]')`)
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.sees("Leave without saving?")
	b.click("button", "Leave")
	b.holds(`location.pathname === '/dashboard/tenants/acme'`)
}
