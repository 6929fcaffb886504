//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/chromedp"
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
