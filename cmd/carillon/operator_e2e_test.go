//go:build e2e

package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// describes is an expression: the text that describes the field with a label, when the field is marked as wrong.
const describes = `((label) => {
	const e = [...document.querySelectorAll('input, textarea, select, [role=textbox]')].find((e) => (e.ariaLabel || e.labels?.[0]?.querySelector('span')?.innerText) === label && e.getClientRects().length)
	return e?.getAttribute('aria-invalid') === 'true' ? e.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).innerText).join(' ') : ''
})`

// wrong waits until a field is marked as wrong, and described by a text.
func (b *browser) wrong(label, text string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`%s(%q).includes(%q)`, describes, label, text), label+" marked as wrong: "+text)
}

// TestJourneyWrongFields: each field that the server names is marked and says itself what is wrong with it.
func TestJourneyWrongFields(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna"}) { subscriber { id } } }`, nil, nil)
	o.ask(t, `mutation { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {steps: [
		{type: DELAY, stepId: "wait", delay: {type: REGULAR, amount: 1, unit: DAYS}},
		{type: EMAIL, stepId: "mail", email: {subject: "Your order", html: "<p>Thank you</p>"}}]}}) { workflow { id } } }`, nil, nil)
	b := o.logIn(t, "/subscribers/anna")
	b.fill("Locale", "no locale at all")
	b.fill("Time zone", "Nowhere/Land")
	b.click("button", "Save")
	b.wrong("Locale", "must be")
	b.wrong("Time zone", "must be")
	b.holds(`document.activeElement.labels?.[0].innerText === 'Locale'`) // the first one
	b.holds(fmt.Sprintf(`%s('First name') === ''`, describes))
	b.look("subscriber")
	b.fill("Locale", "de")
	b.fill("Time zone", "Europe/Berlin")
	b.click("button", "Save")
	b.sees("Saved.")
	b.holds(`!document.querySelector('[aria-invalid]')`)

	// In the editor the wrong step is shown, and in it the wrong variant.
	b.open("/dashboard/workflows/mail")
	b.click("button", "mail")
	b.click("button", "Add variant")
	b.click("button", "Add a condition")
	b.fill("Field 1", "plan")
	b.fill("Value 1", "gold")
	b.fill("Subject", "{% if %}")
	b.sees("Not saved: 1 field to correct")
	b.click("button", "wait")
	b.click("button", "Publish")
	b.wrong("Subject", "is no valid template")
	b.look("editor")
	b.fill("Subject", "For you")
	b.sees("Draft saved")

	// Where a page has several forms, each marks its own fields.
	b.open("/dashboard/environments/members")
	b.fill("Current password", operatorPassword)
	b.fill("New password", "short")
	b.click("button", "Change password")
	b.wrong("New password", "10 to 200")
	b.fill("Current password", "not the password")
	b.fill("New password", "another battery staple")
	b.click("button", "Change password")
	b.wrong("Current password", "is not right")
	b.holds(`document.querySelectorAll('[aria-invalid]').length === 1`)
	b.fill("E-mail address of the new member", ".reader@example.org") // the browser lets it pass
	b.click("button", "Invite")
	b.wrong("E-mail address of the new member", "must be")
	b.look("people")
	b.fill("E-mail address of the new member", "reader@example.org")
	b.click("button", "Invite")
	b.sees("The invitation of reader@example.org")
}

// TestJourneyUnsaved: nobody loses what they wrote without having been asked.
func TestJourneyUnsaved(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.member(t, "admin@example.org", "ADMIN")
	b := o.logInAs(t, "admin@example.org", "/workflows")
	kept := `[...document.querySelectorAll('input')].some((e) => e.value === 'Written but not saved')`
	b.click("link", "Hello")
	b.click("button", "When triggered")
	b.click("button", "Settings")
	b.fill("Description", "Saved by itself")
	b.sees("Draft saved")
	b.fill("Name", "")
	b.fill("Description", "Written but not saved")
	b.sees("Not saved: 1 field to correct")
	b.click("link", "Topics")
	b.sees("Leave without saving?")
	b.look("asked")
	b.click("button", "Stay")
	b.holds(`document.querySelector('h1').innerText === 'Hello' && ` + kept)
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.sees("Leave without saving?")
	b.click("button", "Stay")
	b.holds(`location.pathname === '/dashboard/workflows/hello' && ` + kept)
	b.click("link", "Test") // all tabs of the workflow have its draft
	b.sees("Test run")
	b.click("link", "Editor")
	b.click("button", "When triggered")
	b.click("button", "Settings")
	b.holds(kept)

	// A log-in that ends keeps it.
	b.expect("401")
	b.expect("WebSocket")
	o.users(t, "password", "admin@example.org")
	b.fill("Name", "Hello")
	b.sees("Log in to Carillon")
	b.fill("E-mail address", "admin@example.org")
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.misses("Log in to Carillon")
	b.holds(kept)
	b.sees("Draft saved")
	b.click("link", "Topics")
	b.sees("Nothing here yet.")

	b.open("/dashboard/workflows/hello")
	b.click("button", "When triggered")
	b.click("button", "Settings")
	b.fill("Name", "")
	b.fill("Description", "Thrown away")
	b.sees("Not saved: 1 field to correct")
	b.click("link", "Topics")
	b.click("button", "Leave")
	b.sees("Nothing here yet.")
	b.open("/dashboard/workflows/hello")
	b.click("button", "When triggered")
	b.click("button", "Settings")
	b.holds(kept)
}

// TestJourneyAddress: what a page shows stands in its address, so that reload, back and a link to it show the same.
func TestJourneyAddress(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for i := range 30 {
		o.ask(t, `mutation($k: String!) { createTopic(input: {key: $k}) { topic { id } } }`, map[string]any{"k": fmt.Sprintf("topic-%02d", i)}, nil)
	}
	b := o.logIn(t, "/topics")
	b.click("button", "Next")
	b.sees("topic-04")
	b.do(chromedp.Reload())
	b.sees("topic-04")
	b.misses("topic-29")
	b.click("link", "topic-04")
	b.sees("Add a subscriber")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.sees("topic-03")
	b.do(chromedp.Evaluate(`history.back()`, nil))
	b.sees("topic-29")
	b.do(chromedp.Evaluate(`history.forward()`, nil))
	b.sees("topic-03")
	b.click("button", "Previous")
	b.sees("topic-29")
	b.fill("Key contains", "topic-0")
	b.sees("topic-00")
	b.do(chromedp.Reload())
	b.sees("topic-00")
	b.misses("topic-29")

	b.open("/dashboard/overview?period=604800")
	b.holds(`document.querySelector('main select')?.value === '604800'`)
	b.open("/dashboard/integrations?channel=SMS")
	b.sees("svc-sms")
	b.misses("svc-email")

	// An address that nobody made is no blank page.
	for _, path := range []string{"/topics/50%25", "/tenants/a%252Fb", "/nowhere"} {
		b.open("/dashboard" + path)
		b.holds(`document.querySelector('main')?.innerText.match(/not found|no such page/i)`)
	}

	// Another tab that moves to another environment takes this one along.
	o.organize(t, `mutation { createEnvironment(input: {identifier: "other", name: "Other", type: DEVELOPMENT}) { environment { id } } }`, nil)
	b.open("/dashboard/topics")
	b.sees("topic-29")
	ctx, closeTab := chromedp.NewContext(b.ctx)
	t.Cleanup(closeTab)
	second := &browser{t: t, ctx: ctx, url: b.url}
	second.do(chromedp.EmulateViewport(1440, 900))
	second.open("/dashboard/topics")
	second.sees("topic-29")
	second.switchEnvironment("Other")
	b.sees("Nothing here yet.")
	b.holds(`document.querySelector('.side [aria-haspopup=menu]')?.ariaLabel === 'Environment: Other'`)
}

// TestJourneyLongNames holds every page against names that are long, unbroken, written from right to left, or full of markup.
func TestJourneyLongNames(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	long, markup, arabic := strings.Repeat("x", 180), `<script>document.title = 'taken'</script><b>Bold</b>`, "مرحبا بالعالم هذا اسم طويل جدا"
	for i, name := range []string{long, markup, arabic} {
		v := map[string]any{"n": name, "i": fmt.Sprintf("name-%d", i), "l": fmt.Sprintf("%d%s", i, long)}
		o.ask(t, `mutation($n: String!, $i: String!) { createWorkflow(input: {name: $n, identifier: $i, definition: {steps: [
			{type: IN_APP, stepId: "inbox", inApp: {subject: $n, body: $n}}, {type: EMAIL, stepId: "mail", email: {subject: $n, html: "<p>Hello</p>"}}]}}) { workflow { id } } }`,
			map[string]any{"n": v["n"], "i": v["i"]}, nil)
		o.ask(t, `mutation($n: String!, $l: String!) { createSubscriber(input: {subscriberId: $l, firstName: $n, email: "anna@example.org"}) { subscriber { id } } createTenant(input: {identifier: $l, name: $n}) { tenant { id } }
			createTopic(input: {key: $l, name: $n}) { topic { id } } }`, map[string]any{"n": v["n"], "l": v["l"]}, nil)
		o.ask(t, `mutation($n: String!, $i: String!) { createLayout(input: {name: $n, identifier: $i, content: "{{ content }}"}) { layout { id } } createApiKey(input: {name: $n}) { key }
			createIntegration(input: {providerId: "sendgrid", name: $n, active: false, credentials: {apiKey: "k", from: "a@example.org", senderName: "A"}}) { integration { id } } }`,
			map[string]any{"n": v["n"], "i": v["i"]}, nil)
		o.organize(t, `mutation($n: String!, $i: String!) { createEnvironment(input: {name: $n, identifier: $i, type: DEVELOPMENT}) { environment { id } } }`,
			map[string]any{"n": v["n"], "i": v["i"]})
		o.trigger(t, fmt.Sprintf("name-%d", i), fmt.Sprintf("%d%s", i, long), object{})
	}
	o.ask(t, `mutation($c: StringMap!) { a: createTranslation(input: {locale: "en", content: $c}) { translation { id } } b: createTranslation(input: {locale: "ar", content: {greeting: "مرحبا"}}) { translation { id } } }`,
		map[string]any{"c": map[string]any{"greeting": long, "bye": markup}}, nil)
	b := o.logIn(t, "/activity")
	b.sees(arabic)
	for i, path := range []string{
		"/activity", "/workflows", "/workflows/name-0", "/workflows/name-0/versions", "/layouts", "/layouts/name-0", "/translations/ar", "/integrations", "/subscribers",
		"/subscribers/0" + long, "/subscribers/0" + long + "/preferences", "/subscribers/0" + long + "/messages", "/topics", "/topics/0" + long,
		"/tenants", "/tenants/0" + long, "/catcher", "/environments", "/environments/members", "/audit",
	} {
		b.open("/dashboard" + path)
		b.holds(`document.querySelector('h1') && !document.body.innerText.includes('Loading …')`)
		for _, width := range widths { // what else there is to see, the pages' own journeys look at
			b.fits(path, width)
			b.picture(fmt.Sprintf("%02d", i), width)
		}
		b.holds(`document.title !== 'taken'`)
	}
}

// TestJourneyStaleActivity: what was heard under one search does not show under another.
func TestJourneyStaleActivity(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/activity")
	b.sees("No runs yet.")
	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	b.sees("anna")
	b.fill("Subscriber", "another")
	b.sees("Nothing matches these filters.")
	b.misses("anna")
	b.fill("Subscriber", "")
	b.sees("anna")
	b.fill("Status", "FAILED")
	b.sees("Nothing matches these filters.")
	b.misses("anna")
}

// TestJourneyReader: who may change nothing can still look at everything: variants, previews, the schema, the definition.
func TestJourneyReader(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {payloadSchema: {type: "object", properties: {plan: {type: "string"}}}, steps: [
		{type: EMAIL, stepId: "mail", email: {subject: "For all", html: "<p>Hello {{ payload.plan }}</p>"}, variants: [
			{name: "Gold", filters: [{type: GROUP, value: AND, children: [{on: PAYLOAD, field: "plan", operator: EQUAL, value: "gold"}]}], email: {subject: "For gold", html: "<p>Gold</p>"}}]}]}}) { workflow { id } } }`, nil, nil)
	o.member(t, "viewer@example.org", "VIEWER")
	b := o.logInAs(t, "viewer@example.org", "/workflows/mail")
	b.sample()
	b.fill("Example payload (JSON)", `{"plan": "silver"}`)
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('Hello silver')`)
	b.fill("Content", "0")
	b.poll(`[...document.querySelectorAll('strong')].some((e) => e.innerText === 'For gold')`, "the variant's preview")
	b.holds(`[...document.querySelectorAll('input')].some((e) => e.value === 'gold' && e.matches(':disabled'))`)
	b.click("button", "When triggered")
	b.click("button", "Show as JSON Schema")
	b.holds(`document.querySelector('.panel').innerText.includes('"plan"') || [...document.querySelectorAll('textarea')].some((e) => e.value.includes('"plan"') && e.matches(':disabled'))`)
	b.click("button", "JSON")
	b.click("button", "Show as JSON")
	b.holds(`document.querySelector('[aria-label^=Definition]')?.innerText.includes('"') || [...document.querySelectorAll('textarea')].some((e) => e.value.includes('"variants"') && e.readOnly)`)
	b.look("reader")
	b.open("/dashboard/workflows/mail/test")
	b.click("button", "Edit as JSON")
	b.fill("Payload (JSON)", `{"plan": "gold"}`)
	b.click("button", "Explain")
	b.sees("What would happen")
}

// TestJourneyMailLinks: a caught mail can be followed to where it leads, and does nothing else.
func TestJourneyMailLinks(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation($h: String!) { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {steps: [{type: EMAIL, stepId: "mail", email: {subject: "Reset", html: $h}}]}}) { workflow { id } } }`,
		map[string]any{"h": `<style>@import "https://elsewhere.example/a.css"; p { background: url(https://elsewhere.example/b.png) }</style><p style="background-image: url('https://elsewhere.example/c.png')">
			<a href="https://elsewhere.example/reset?t=1">Reset</a> <a href="javascript:alert(1)">Worse</a> <svg><image href="https://elsewhere.example/d.svg"/></svg>
			<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" style="background: url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)"></p>`}, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", email: "anna@example.org"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/catcher")
	o.trigger(t, "mail", "anna", object{})
	b.poll(`(() => { if (document.body.innerText.includes('Reset')) return true; [...document.querySelectorAll('button')].find((e) => e.innerText === 'Refresh')?.click(); return false })()`, "the caught mail")
	b.click("button", "Reset")
	var mail string
	b.holds(`document.querySelector('iframe.mail')`)
	b.do(chromedp.Evaluate(`document.querySelector('iframe.mail').srcdoc`, &mail))
	require.Contains(t, mail, `<a href="https://elsewhere.example/reset?t=1" target="_blank" rel="noopener noreferrer">`)
	require.NotContains(t, mail, "javascript:")
	for _, file := range []string{"a.css", "b.png", "c.png", "d.svg"} {
		require.NotContains(t, mail, file)
	}
	require.Equal(t, 2, strings.Count(mail, "data:image/gif"), mail)
	b.do(chromedp.Reload()) // a link to the mail shows it
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('reset?t=1')`)
}
