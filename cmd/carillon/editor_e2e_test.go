//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// addStep adds a step of a type at the end of the line.
func (b *browser) addStep(kind string) {
	b.t.Helper()
	b.poll(`(() => { const e = [...document.querySelectorAll('.react-flow .add-step')].pop(); if (!e) return false;
		e.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 })); return true })()`, "adding a step")
	b.click("menuitem", kind)
}

// sample opens the data that the preview is made of.
func (b *browser) sample() {
	b.t.Helper()
	b.poll(`(() => { const e = document.querySelector('.sample'); if (e && !e.open) e.querySelector('summary').click(); return !!e })()`, "the sample data")
}

// publish publishes the draft as a version.
func (b *browser) publish(version int) {
	b.t.Helper()
	b.sees("Draft saved")
	b.click("button", "Publish")
	b.sees("Publish ")
	b.holds(`document.querySelector('[role=dialog]')`)
	b.click("button", "Publish")
	b.sees(fmt.Sprintf("Published as version %d.", version))
}

// TestJourneyEditor builds a workflow from fields alone: a timed digest, an e-mail of blocks with a variant, the payload's
// schema and the workflow's settings.
func TestJourneyEditor(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Weekly", identifier: "weekly", publish: false, definition: {steps: []}}) { workflow { id } } }`, nil, nil)
	b := o.logIn(t, "/workflows/weekly")

	b.addStep("Digest")
	b.fill("Kind", "TIMED")
	b.fill("At", "08:30")
	b.fill("Every", "2")
	b.fill("Every: unit", "MONTHS")
	b.fill("Days of the month", "ON")
	b.fill("Which", "LAST")
	b.fill("Day", "FRIDAY")
	b.look("timed")
	b.fill("Every: unit", "WEEKS")
	b.click("checkbox", "Friday")

	b.addStep("E-mail")
	b.fill("Subject", "Your week, {{ subscriber.firstName }}")
	b.fill("Body as", "blocks")
	b.fill("Text 1", "{{ payload.count }} events")
	b.click("button", "Add button")
	b.fill("Button 2: text", "See all")
	b.fill("Button 2: URL", "https://example.org/events")
	b.fill("Block 2: alignment", "CENTER")
	b.click("button", "Move block 2 by a step")
	b.click("menuitem", "Up")
	b.sees("Your week, Jane")
	b.sample()
	b.fill("Example payload (JSON)", `{"count": 12}`)
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.match(/See all[^]*12 events/)`)
	b.look("blocks")

	b.click("button", "Add variant")
	b.fill("Variant name", "Quiet week")
	b.click("button", "Add a condition")
	b.fill("Field 1", "count")
	b.fill("Operator 1", "SMALLER")
	b.fill("Value 1", "3")
	b.fill("Subject", "A quiet week")
	b.poll(`[...document.querySelectorAll('strong')].some((e) => e.innerText === 'A quiet week')`, "the variant's preview")
	b.look("variant")
	b.click("button", "Compare")
	b.holds(`['Your week, Jane', 'A quiet week'].every((s) => [...document.querySelectorAll('.beside strong')].some((e) => e.innerText === s))`)
	b.look("compared")
	b.click("button", "Close")

	b.click("button", "When triggered")
	b.click("button", "Add payload field")
	b.fill("Payload field 1", "count")
	b.fill("Type 1", "integer")
	b.fill("Description 1", "How many events there were.")
	b.click("checkbox", "Required 1")
	b.click("checkbox", "Reject triggers with an invalid payload")
	b.look("payload")
	b.click("button", "Settings")
	b.fill("Tags", "digest, weekly")
	b.fill("Severity", "LOW")
	b.click("checkbox", "SMS")
	b.publish(1)

	var out struct {
		WorkflowByReference struct {
			Issues []object
			Draft  struct {
				Steps           []object
				PayloadSchema   object
				ValidatePayload bool
				Tags            []string
				Severity        string
				Preferences     object
			}
		}
	}
	o.ask(t, `{ workflowByReference(reference: "weekly") { issues { message } draft { payloadSchema validatePayload tags severity preferences { sms email }
		steps { type digest { type amount unit timed { atTime weekDays monthDays ordinal } } email { subject html blocks { type content url styles { textAlign } } }
			variants { name filters { children { on field operator value } } email { subject } } } } } }`, nil, &out)
	w := out.WorkflowByReference
	require.Empty(t, w.Issues)
	require.Equal(t, object{"type": "object", "required": []any{"count"}, "properties": map[string]any{
		"count": map[string]any{"type": "integer", "description": "How many events there were."},
	}}, w.Draft.PayloadSchema)
	require.True(t, w.Draft.ValidatePayload)
	require.Equal(t, []string{"digest", "weekly"}, w.Draft.Tags)
	require.Equal(t, "LOW", w.Draft.Severity)
	require.Equal(t, object{"sms": false, "email": nil}, w.Draft.Preferences)
	require.Len(t, w.Draft.Steps, 2)
	require.Equal(t, map[string]any{"type": "TIMED", "amount": 2., "unit": "WEEKS", "timed": map[string]any{
		"atTime": "08:30", "weekDays": []any{"MONDAY", "FRIDAY"}, "monthDays": nil, "ordinal": nil,
	}}, w.Draft.Steps[0]["digest"])
	require.Equal(t, map[string]any{"subject": "Your week, {{ subscriber.firstName }}", "html": "", "blocks": []any{
		map[string]any{"type": "BUTTON", "content": "See all", "url": "https://example.org/events", "styles": map[string]any{"textAlign": "CENTER"}},
		map[string]any{"type": "TEXT", "content": "{{ payload.count }} events", "url": "", "styles": nil},
	}}, w.Draft.Steps[1]["email"])
	require.Equal(t, []any{map[string]any{"name": "Quiet week", "email": map[string]any{"subject": "A quiet week"}, "filters": []any{
		map[string]any{"children": []any{map[string]any{"on": "PAYLOAD", "field": "count", "operator": "SMALLER", "value": "3"}}},
	}}}, w.Draft.Steps[1]["variants"])

	b.open("/dashboard/workflows/weekly/test")
	b.click("button", "Explain")
	b.poll(`document.querySelector('[role=alert]')?.innerText.includes('count')`, "the refusal of a payload that lacks it")
	b.fill("count", "2")
	b.click("button", "Explain")
	b.sees("What would happen")
}

// TestJourneyPreview shows what templates see while a workflow is edited: a payload from the schema's examples, defaults and types,
// unless one is given, and the made-up events of a digest, after a digest only.
func TestJourneyPreview(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, applyDocument, map[string]any{"d": object{"workflows": object{"digest": object{
		"name": "Digest",
		"payloadSchema": object{"type": "object", "properties": object{
			"shop": object{"type": "string", "examples": []string{"ACME"}}, "count": object{"type": "integer", "default": 7}, "paid": object{"type": "boolean"},
		}},
		"steps": []object{
			{"stepId": "first", "type": "sms", "sms": object{"body": "{{ payload.shop }}, {{ payload.count }}, {{ payload.paid }}"}},
			{"stepId": "wait", "type": "digest", "digest": object{"type": "regular", "amount": 1, "unit": "hours"}},
			{"stepId": "last", "type": "sms", "sms": object{"body": "{{ step.total_count }}:{% for e in step.events %} {{ e.shop }}{% endfor %}"}},
		},
	}}}}, nil)
	shows := func(b *browser, text string) {
		b.poll(fmt.Sprintf(`[...document.querySelectorAll('.shown-text')].some((e) => e.innerText.trim() === %q)`, text), "the preview "+text)
	}
	b := o.logIn(t, "/workflows/digest")
	shows(b, "ACME, 7, true")
	b.sample()
	b.misses("Example digest events")
	b.fill("Example payload (JSON)", `{"shop": "Zed"}`)
	shows(b, "Zed, ,")
	b.fill("Example payload (JSON)", "")
	shows(b, "ACME, 7, true")

	b.click("button", "last")
	shows(b, "2: ACME ACME")
	b.sample()
	b.look("digest")
	b.sample()
	b.fill("Example digest events", "3")
	shows(b, "3: ACME ACME ACME")
	b.fill("Example digest events", "101")
	b.poll(`document.querySelector('[role=alert]')?.innerText.includes('0 to 100')`, "the refusal")
	b.fill("Example digest events", "")
	shows(b, ":")
}

// TestJourneyEditorKeyboard makes and publishes a workflow of four steps with a digest and a condition by keys alone.
func TestJourneyEditorKeyboard(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Keys", identifier: "keys", publish: false, definition: {payloadSchema: {type: "object", properties: {total: {type: "number"}}}, steps: []}}) { __typename } }`, nil, nil)
	b := o.logIn(t, "/workflows/keys")
	press := func(keys string, modifiers ...input.Modifier) {
		t.Helper()
		b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
	}
	// tab goes to what has the focus when an expression about it holds, as a person would: key by key.
	tab := func(expression string) {
		t.Helper()
		for range 80 {
			var there bool
			b.do(chromedp.Evaluate(`((e) => !!(`+expression+`))(document.activeElement)`, &there))
			if there {
				return
			}
			press(kb.Tab)
		}
		require.Fail(t, "not reached by Tab", expression)
	}
	named := func(name string) string {
		return fmt.Sprintf(`(e.ariaLabel || e.labels?.[0]?.innerText || e.innerText || '').trim().startsWith(%q)`, name)
	}
	add := func(after, kind string) {
		t.Helper()
		b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
		tab(named("Add a step after " + after))
		press(kb.Enter)
		b.holds(`document.querySelector('[role=menu]')?.contains(document.activeElement)`)
		press(kind) // menus go to the item that begins with what is typed
		b.holds(fmt.Sprintf(`document.activeElement.innerText.trim().startsWith(%q)`, kind))
		press(kb.Enter)
		b.holds(`!document.querySelector('[role=menu]')`)
	}
	b.holds(`document.querySelector('.react-flow .add-step')`)
	add("the trigger", "Digest")
	add("digest", "In-app")
	tab(`e.closest('.panel') && ` + named("Body"))
	press("News for you")
	add("in-app", "SMS")
	tab(`e.closest('.panel') && ` + named("Body"))
	press("Your total is large")
	add("sms", "Push")
	tab(`e.closest('.panel') && ` + named("Title"))
	press("Hello")
	press(kb.Tab)
	press("There is news")
	b.holds(`document.querySelectorAll('.react-flow .step-main').length === 5`)

	// A condition for the text message.
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	tab(`e.classList.contains('step-main') && ` + named("sms"))
	press(kb.Enter)
	tab(`e.role === 'tab'`)
	press(kb.ArrowRight)
	b.holds(`document.activeElement.innerText.trim() === 'Conditions'`)
	tab(named("Add a condition"))
	press(kb.Enter)
	b.do(chromedp.Evaluate(`document.querySelector('.panel [role=tab][aria-selected=true]').focus()`, nil))
	tab(named("Field 1"))
	press("total")
	tab(named("Value 1"))
	press("100")
	b.sees("Draft saved")

	// The last step goes before it, and back.
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	tab(`e.classList.contains('step-main') && ` + named("push"))
	order := func(want string) {
		t.Helper()
		b.holds(fmt.Sprintf(`[...document.querySelectorAll('.react-flow .step-main strong')].slice(1).map((e) => e.firstChild.data).join() === %q`, want))
	}
	press(kb.ArrowUp, input.ModifierAlt)
	order("digest,in-app,push,sms")
	press("z", input.ModifierCtrl)
	order("digest,in-app,sms,push")
	press("z", input.ModifierCtrl, input.ModifierShift)
	order("digest,in-app,push,sms")
	// What is deleted leaves the keyboard on the step before it.
	press(kb.Delete)
	order("digest,in-app,sms")
	on := func(name string) {
		t.Helper()
		b.holds(`((e) => e.classList.contains('step-main') && ` + named(name) + `)(document.activeElement)`)
	}
	on("in-app")
	press("z", input.ModifierCtrl)
	order("digest,in-app,push,sms")
	tab(named("Actions of digest"))
	press(kb.Enter)
	b.holds(`document.querySelector('[role=menu]')?.contains(document.activeElement)`)
	press(kb.End)
	b.holds(`document.activeElement.innerText.trim().startsWith('Delete')`)
	press(kb.Enter)
	order("in-app,push,sms")
	on("When triggered")
	press("z", input.ModifierCtrl)
	order("digest,in-app,push,sms")
	b.sees("Draft saved")
	b.look("line")

	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	tab(`e.innerText.trim() === 'Publish'`)
	press(kb.Enter)
	b.sees("This is the first version.")
	tab(`e.closest('[role=dialog]') && !e.disabled && e.innerText.trim() === 'Publish'`)
	press(kb.Enter)
	b.sees("Published as version 1.")
	var out struct {
		WorkflowByReference struct {
			Published struct{ Definition struct{ Steps []object } }
		}
	}
	o.ask(t, `{ workflowByReference(reference: "keys") { published { definition { steps { type sms { body } filters { children { field value } } } } } } }`, nil, &out)
	steps := out.WorkflowByReference.Published.Definition.Steps
	require.Len(t, steps, 4)
	require.Equal(t, object{"type": "SMS", "sms": map[string]any{"body": "Your total is large"}, "filters": []any{
		map[string]any{"children": []any{map[string]any{"field": "total", "value": "100"}}},
	}}, steps[3])
}
