//go:build e2e

package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// member makes somebody with a role, who logs in with the operator's password.
func (o *office) member(t *testing.T, email, role string) {
	t.Helper()
	o.users(t, "create", email, "--role", strings.ToLower(role))
}

// TestJourneyRoles: everybody sees what their role allows, and the server refuses the rest.
func TestJourneyRoles(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createTopic(input: {key: "releases", name: "Releases"}) { topic { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna"}) { subscriber { id } } }`, nil, nil)
	o.member(t, "viewer@example.org", "VIEWER")
	o.member(t, "editor@example.org", "EDITOR")

	b := o.logInAs(t, "viewer@example.org", "/workflows")
	b.sees("Hello")
	b.misses("Audit log")
	for path, text := range map[string]string{
		"/workflows": "Hello", "/workflows/hello": "When triggered", "/workflows/hello/test": "Clock", "/workflows/hello/versions": "Compare", "/layouts": "No layout", "/translations": "No translation",
		"/integrations": "svc-email", "/subscribers": "anna", "/subscribers/anna": "Details", "/topics": "releases", "/topics/releases": "Subscriptions",
		"/tenants": "Nothing here yet.", "/catcher": "No caught messages", "/environments": "Development", "/environments/members": "Your password",
	} {
		b.open("/dashboard" + path)
		b.sees(text)
		b.holds(`![...document.querySelectorAll('main button')].some((e) => e.getClientRects().length && /^(New|Save|Delete|Publish|Revoke|Rotate|Make|Add|Remove|Subscribe|Trigger|Empty|Clear|Send|Create|Unsubscribe|Forward)/.test(e.innerText))`)
	}
	b.open("/dashboard/subscribers/anna/preferences")
	b.sees("Read only: changes need the role Editor.")
	b.open("/dashboard/workflows/hello")
	b.sees("Read only: changes need the role Editor.")
	b.look("viewer")
	for operation, want := range map[string]string{
		`mutation { createTopic(input: {key: "mine"}) { topic { id } } }`: "FORBIDDEN",
		`mutation { createApiKey(input: {name: "x"}) { key } }`:           "FORBIDDEN",
		`{ auditEntries { nodes { id } } }`:                               "FORBIDDEN",
		`{ topics { nodes { id } } }`:                                     "",
	} {
		require.Equal(t, want, b.code(operation), operation)
	}

	b = o.logInAs(t, "editor@example.org", "/topics/releases")
	b.fill("Subscriber", "anna")
	b.click("button", "Subscribe")
	b.act("link", "anna", ``)
	b.misses("Audit log")
	b.open("/dashboard/integrations")
	b.sees("svc-email")
	b.holds(`![...document.querySelectorAll('main button')].some((e) => e.innerText === 'New integration')`)
	require.Equal(t, "FORBIDDEN", b.code(`mutation { createApiKey(input: {name: "x"}) { key } }`))
	b.look("editor")
}

// code asks the server with the page's own log-in; "" when it answers.
func (b *browser) code(operation string) (code string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query: %q }) })
		.then((r) => r.json()).then((r) => r.errors?.[0].extensions.code ?? '')`, operation), &code, awaited))
	return code
}

// TestJourneySessionEnds: who is logged out elsewhere sees the log-in with the next thing they do.
func TestJourneySessionEnds(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.member(t, "admin@example.org", "ADMIN")
	b := o.logInAs(t, "admin@example.org", "/topics")
	b.sees("Nothing here yet.")
	b.expect("401") // the browser notes it
	b.expect("WebSocket")
	o.users(t, "password", "admin@example.org")
	b.click("link", "Tenants")
	b.sees("Log in to Carillon")
	b.holds(`document.activeElement.type === 'email'`)
	b.fill("E-mail address", "admin@example.org")
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees("Tenants") // where they were
}

// TestJourneyKeyboard works without a mouse.
func TestJourneyKeyboard(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/topics")
	b.sees("Nothing here yet.")
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent(kb.Tab))
	b.holds(`document.activeElement.innerText === 'Skip to content' && document.activeElement.getBoundingClientRect().left >= 0`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.holds(`document.activeElement.id === 'content'`)
	b.do(chromedp.KeyEvent(kb.Tab))
	b.holds(`document.activeElement.innerText === 'New topic'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.holds(`document.querySelector('[role=dialog]')?.contains(document.activeElement)`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.holds(`!document.querySelector('[role=dialog]') && document.activeElement.innerText === 'New topic'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.fill("Key", "releases")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.sees("Add a subscriber")
	b.click("button", "Delete")
	b.click("button", "Cancel")
	b.holds(`document.activeElement.innerText === 'Delete'`)
}

// TestJourneyPhoneMenu closes the menu of narrow screens by Escape: what is open within it closes first.
func TestJourneyPhoneMenu(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/activity")
	b.do(chromedp.EmulateViewport(320, 740))
	expanded := `document.querySelector('header .toggle').getAttribute('aria-expanded') === '%t'`
	b.click("button", "Menu")
	b.holds(fmt.Sprintf(expanded, true))
	b.click("button", "Environment")
	b.holds(`document.querySelector('[role=menu]')?.contains(document.activeElement)`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.holds(`!document.querySelector('[role=menu]') && document.activeElement.ariaHasPopup === 'menu' && ` + fmt.Sprintf(expanded, true))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.holds(`document.activeElement.innerText === 'Menu' && ` + fmt.Sprintf(expanded, false))
}

// TestJourneyUnreachable opens the dashboard while the server does not answer what it asks first: the page has a heading, a title
// and a way on.
func TestJourneyUnreachable(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/topics")
	b.sees("Nothing here yet.")
	b.expect("ERR_BLOCKED_BY_CLIENT")
	for _, address := range []string{"*/dashboard/session", "*/graphql*"} {
		b.do(network.SetBlockedURLs([]string{address}))
		b.open("/dashboard/topics")
		b.sees("The dashboard could not be loaded")
		b.holds(`document.querySelector('main [role=alert]')?.innerText && document.querySelector('h1').innerText + ' · Carillon' === document.title`)
		b.axe(address, allRules)
		b.do(network.SetBlockedURLs([]string{}))
		b.act("button", "", `e.click()`)
		b.sees("Nothing here yet.")
		b.holds(`document.title === 'Topics · Carillon'`)
	}
}

// TestJourneyOwnRole: a person who takes a lower role is asked, since only others can give the former one back.
func TestJourneyOwnRole(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.member(t, "owner@example.org", "OWNER")
	b := o.logInAs(t, "owner@example.org", "/environments/members")
	b.fill("Role of owner@example.org", "VIEWER")
	b.sees("Take the role Viewer?")
	b.click("button", "Cancel")
	b.holds(`document.querySelector('[role=dialog], [role=alertdialog]') === null`)
	b.sees("Create organization key") // still an owner
	b.fill("Role of owner@example.org", "VIEWER")
	b.click("button", "Change my role")
	b.misses("Create organization key")
}
