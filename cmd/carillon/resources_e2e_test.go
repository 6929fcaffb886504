//go:build e2e

package main_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJourneyLayouts(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/layouts")
	b.sees("No layout")
	b.look("empty")
	b.click("button", "New layout")
	b.fill("Name", "Brand")
	b.click("button", "Create")
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('Sample e-mail')`)
	b.fill("Source", "<html><body><h2>ACME for {{ subscriber.firstName }}</h2>{{ content }}</body></html>")
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('ACME for Jane')`)
	b.click("checkbox", "Default layout")
	b.click("button", "Save")
	b.sees("Saved.")
	b.look("layout")
	b.fill("Source", "{% if %}")
	b.poll(`!!document.querySelector('[role=alert]')`, "a failure of the template")
	b.click("button", "Save")
	b.poll(`document.querySelectorAll('[role=alert]').length > 1`, "the refusal of the layout")

	b.click("link", "Layouts")
	b.click("button", "Leave") // the refused source is not saved
	b.sees("default")
	b.look("list")
	b.click("link", "Brand")
	b.click("button", "Delete")
	b.click("button", "Delete")
	b.sees("No layout")
}

func TestJourneySnippets(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/snippets")
	b.sees("No snippets.")
	b.look("empty")
	b.click("button", "New snippet")
	b.fill("Name", "Footer")
	b.fill("Identifier", "not an identifier")
	b.click("button", "Create")
	b.wrong("Identifier", "must be 1 to 255")
	b.fill("Identifier", "")
	b.click("button", "Create")
	b.fill("Source", "<p>{{ company }} since {{ year }}</p>")
	b.fill("Example arguments (JSON)", `{"company": "A & B", "year": 1999}`)
	b.sees(`{% render "footer", company: payload.company, year: payload.year %}`)
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('<p>A &amp; B since 1999</p>')`)
	b.click("button", "Save")
	b.sees("Saved.")
	b.look("snippet")
	b.fill("Source", `{% render "footer" %}`)
	b.click("button", "Save")
	b.wrong("Source", "must not render itself")
	b.fill("Source", "<p>{{ company }}</p>")
	b.click("button", "Save")
	b.sees("Saved.")

	o.ask(t, applyDocument, map[string]any{"d": object{
		"layouts":  object{"brand": object{"name": "Brand", "content": "{{ content }}{% render 'footer', company: 'ACME' %}"}},
		"snippets": object{"outer": object{"name": "Outer", "content": "{% render 'footer' %}"}},
	}}, nil)
	b.click("button", "Delete")
	b.sees("footer is used in 2 places.")
	b.sees("Snippet outer")
	b.look("used")
	b.click("link", "brand")
	b.holds(`document.querySelector('h1')?.innerText === 'Brand'`)
	b.open("/dashboard/snippets")
	b.fill("Name contains", "foot")
	b.misses("Outer")
	b.look("list")
	b.click("link", "Footer")
	b.click("button", "Delete")
	b.click("button", "Delete although it is used")
	b.sees("Outer")
	b.misses("Footer")
	var out struct {
		Snippets struct{ Nodes []struct{ Identifier string } }
	}
	o.ask(t, `{ snippets { nodes { identifier } } }`, nil, &out)
	require.Len(t, out.Snippets.Nodes, 1)
	require.Equal(t, "outer", out.Snippets.Nodes[0].Identifier)
}

func TestJourneyTranslations(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation($c: StringMap!) { createTranslation(input: {locale: "en", content: $c}) { translation { id } } }`, map[string]any{"c": map[string]any{"greeting": "Hello", "bye": "Good bye"}}, nil)
	b := o.logIn(t, "/translations")
	b.sees("English")
	b.click("button", "New locale")
	b.fill("Locale", "not a locale")
	b.click("button", "Create")
	b.poll(`document.querySelector('[role=dialog] [role=alert]')?.innerText.includes('locale')`, "a refusal that names the field")
	b.fill("Locale", "de")
	b.click("button", "Create")
	b.click("button", "Add 2 missing from en")
	b.fill("Text 1", "Auf Wiedersehen")
	b.fill("Text 2", "Guten Tag")
	b.sees("en: Good bye")
	b.look("texts")
	b.click("button", "Add text")
	b.fill("Key 3", "bye")
	b.click("button", "Save")
	b.sees("The key bye appears twice.")
	b.click("button", "Remove text 3")
	b.click("button", "Save")
	b.sees("Saved.")
	var out struct{ TranslationByLocale struct{ Content object } }
	o.ask(t, `{ translationByLocale(locale: "de") { content } }`, nil, &out)
	require.Equal(t, object{"bye": "Auf Wiedersehen", "greeting": "Guten Tag"}, out.TranslationByLocale.Content)
	b.click("link", "Translations")
	b.sees("German")
	b.sees("No translations are missing.")
	b.look("list")
	o.ask(t, applyDocument, map[string]any{"d": object{
		"layouts":      object{"brand": object{"name": "Brand", "content": "{{ content }}\n{{ 'unsubscribe' | t }}"}},
		"translations": object{"de": object{"unsubscribe": "Abmelden", "greeting": "Hallo"}},
	}}, nil)
	b.open("/dashboard/translations")
	b.sees("2 keys missing in some locale.")
	const cells = `[...document.querySelectorAll('[role=region] tbody tr')].map((r) => [...r.cells].slice(0, -1).map((c) => c.innerText).join()).join(' ')`
	b.holds(`[...document.querySelectorAll('[role=region] th')].map((h) => h.innerText).join() === 'Key,de,en,Used by'`)
	b.holds(cells + ` === 'bye,missing,– unsubscribe,–,missing'`)
	b.sees("Layout brand: content, line 2")
	b.look("missing")
	b.click("checkbox", "Only keys that templates use")
	b.sees("1 key missing in some locale.")
	b.holds(cells + ` === 'unsubscribe,missing'`)
	b.click("link", "brand")
	b.holds(`document.querySelector('h1')?.innerText === 'Brand'`)
}

func TestJourneyTenants(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/tenants")
	b.click("button", "New tenant")
	b.fill("Identifier", "acme")
	b.fill("Name", "Acme")
	b.click("button", "Create")
	b.sees("No overrides: all workflows use their own settings.")
	b.fill("Data (JSON)", `{"plan": `)
	b.click("button", "Save")
	b.sees("Data is not valid JSON")
	b.fill("Data (JSON)", `{"plan": "gold"}`)
	b.click("button", "Save")
	b.sees("Saved.")
	b.fill("Workflow (identifier)", "nothing")
	b.click("button", "Add")
	b.poll(`!!document.querySelector('[role=alert]')`, "a refusal")
	b.fill("Workflow (identifier)", "hello")
	b.click("button", "Add")
	b.click("switch", "Hello is enabled for this tenant")
	b.poll(`document.querySelector('[role=switch]')?.getAttribute('aria-checked') === 'false'`, "it is off")
	b.fill("E-mail for Hello", "false")
	b.poll(`document.querySelector('[aria-label="E-mail for Hello"]')?.value === 'false'`, "the channel's default")
	b.look("tenant")
	b.click("link", "Tenants")
	b.sees("acme")
	b.look("list")
}

// TestJourneyLongNumbers saves what has numbers with more digits than a JavaScript number: they stay as they are.
func TestJourneyLongNumbers(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	const whole, part, both = "12345678901234567891", "0.12345678901234567891", "1234567890.123456781"
	data := json.RawMessage(`{"account": ` + whole + `, "share": ` + part + `, "sum": ` + both + `}`)
	o.ask(t, `mutation ($data: JSON) { createTenant(input: {identifier: "acme", data: $data}) { tenant { id } } }`, map[string]any{"data": data}, nil)
	o.ask(t, applyDocument, map[string]any{"d": object{"workflows": object{"long": object{
		"name": "Long", "payloadSchema": json.RawMessage(`{"type": "object", "properties": {"account": {"enum": [` + whole + `]}}}`),
		"steps": []object{{"stepId": "inbox", "type": "in_app", "inApp": object{"body": "Hello"}, "filters": []object{{"type": "GROUP", "value": "AND", "children": []object{
			{"on": "payload", "field": "account", "operator": "EQUAL", "value": whole},
		}}}}},
	}}}}, nil)
	stored := func(query string, want ...string) {
		t.Helper()
		var found json.RawMessage
		o.ask(t, query, nil, &found)
		for _, digits := range want {
			require.Contains(t, string(found), digits)
		}
	}
	b := o.logIn(t, "/tenants/acme")
	b.fill("Name", "Acme")
	b.click("button", "Save")
	b.sees("Saved.")
	stored(`{ tenantByIdentifier(identifier: "acme") { name data } }`, "Acme", whole, part, both)
	b = o.logIn(t, "/workflows/long")
	b.fill("Body", "Changed")
	b.sees("Draft saved")
	b.click("button", "Conditions")
	b.holds(`[...document.querySelectorAll('datalist option, [role=option]')].some((e) => (e.value || e.innerText).includes("` + whole + `"))`)
	stored(`{ workflowByReference(reference: "long") { draft { payloadSchema steps { inApp { body } } } } }`, "Changed", whole)
}

// TestJourneyManyWorkflows finds one of more workflows than a list shows, wherever one names a workflow.
func TestJourneyManyWorkflows(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for n := range 100 {
		o.ask(t, `mutation($name: String!, $identifier: String!) { createWorkflow(input: {name: $name, identifier: $identifier, definition: {steps: []}}) { workflow { id } } }`,
			map[string]any{"name": fmt.Sprintf("Workflow %02d", n), "identifier": fmt.Sprintf("w-%02d", n)}, nil)
	}
	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	offers := func(value, label string) string {
		return `[...document.querySelectorAll('datalist option')].some((o) => o.value === '` + value + `' && o.label === '` + label + `')`
	}
	b := o.logIn(t, "/activity")
	b.sees("anna")
	b.fill("Workflow", "hel") // the oldest, so not in the list of the newest 100
	b.holds(offers("hello", "Hello"))
	b.fill("Workflow", "w-99")
	b.sees("Nothing matches these filters.")
	b.fill("Workflow", "hello")
	b.sees("anna")
	b.open("/dashboard/repairs")
	b.fill("Which", "HELL")
	b.holds(offers("hello", "Hello"))
	b.open("/dashboard/webhooks")
	b.click("button", "New endpoint")
	b.fill("Workflows", "w-01, hell")
	b.holds(offers("w-01, hello", "Hello"))
}

// TestJourneyPages leads through a list of several pages.
func TestJourneyPages(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for i := range 30 {
		o.ask(t, `mutation($k: String!) { createTopic(input: {key: $k}) { topic { id } } }`, map[string]any{"k": fmt.Sprintf("topic-%02d", i)}, nil)
	}
	b := o.logIn(t, "/topics")
	b.sees("topic-29")
	b.misses("topic-04")
	b.holds(`new Set([...document.querySelectorAll('nav')].map((n) => n.ariaLabel)).size === 2`)
	b.look("first")
	b.click("button", "Next")
	b.sees("topic-04")
	b.misses("topic-29")
	b.click("button", "Previous")
	b.sees("topic-29")
	b.fill("Key contains", "topic-0")
	b.sees("topic-00")
	b.misses("topic-29")
}

// TestJourneyDesign looks at every component in every state.
func TestJourneyDesign(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/design")
	b.sees("Buttons")
	b.look("all")
	b.click("button", "Open dialog")
	b.holds(`document.activeElement.labels?.[0]?.innerText === 'Name in the dialog'`)
	b.look("dialog")
	b.click("button", "Close")
	b.holds(`!document.querySelector('[role=dialog]') && document.activeElement.innerText === 'Open dialog'`)
	b.click("button", "Delete sample")
	b.look("question")
	b.holds(`document.activeElement.innerText === 'Cancel'`)
	b.click("button", "Cancel")
	b.click("button", "More actions")
	b.sees("Show archived")
	b.look("menu")
	b.click("menuitem", "Rename")
	b.misses("Show archived")
	b.click("button", "Filter")
	b.holds(`document.activeElement.labels?.[0]?.innerText === 'Name contains'`)
	b.look("popover")
}
