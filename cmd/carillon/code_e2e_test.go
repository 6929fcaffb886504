//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// typed presses the keys of a text, one after the other, in what has the focus.
func (b *browser) typed(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(text))
}

// take takes a completion, once it is offered.
func (b *browser) take(label string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll('.cm-tooltip-autocomplete li')].find((e) => e.querySelector('.cm-completionLabel').innerText === %q)
		return e && !e.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
	})()`, label), "the completion "+label)
}

// marked waits until a line of an editor says what is wrong with it.
func (b *browser) marked(line, message string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`[...document.querySelectorAll('.cm-line')].some((e) => e.innerText.includes(%q) && e.querySelector('.cm-beside')?.innerText.includes(%q))`, line, message))
}

// TestJourneyCode: JSON and templates are completed from what is known of them, and what is wrong is marked at its place.
func TestJourneyCode(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation($s: JSON!) { createWorkflow(input: {name: "Order", identifier: "order", definition: {payloadSchema: $s, steps: [
		{type: EMAIL, stepId: "mail", email: {subject: "Your order", html: "<p>Thank you</p>\n<p>Bye</p>"}}]}}) { workflow { id } } }`,
		map[string]any{"s": object{"type": "object", "required": []string{"count"}, "properties": object{
			"status": object{"enum": []string{"open", "paid"}}, "count": object{"type": "integer"},
		}}}, nil)
	b := o.logIn(t, "/workflows/order")
	b.fill("HTML", "<p>")
	b.holds(`document.activeElement.closest('.cm-editor')`)
	b.holds(`document.documentElement.scrollHeight <= innerHeight`) // the editor fills the page, and no more
	b.typed("{{ pay")
	b.take("payload")
	b.typed(".c")
	b.take("count")
	b.holds(`document.querySelector('[aria-label=HTML]').innerText.includes('payload.count')`)
	b.fill("HTML", "<p>Thank you</p>")
	b.fill("Subject", "Your\norder ")
	b.typed("{{ payload.c")
	b.take("count")
	b.typed(kb.Enter)
	b.holds(`document.querySelector('[aria-label=Subject]').innerText.startsWith('Your order {{ payload.count')`)
	b.fill("Subject", "Your order {{ payload.cuont }}")
	b.marked("payload.cuont", "cuont")
	b.fill("Subject", "Your order")

	b.sample()
	b.fill("Example payload (JSON)", "")
	b.holds(`document.activeElement.closest('.cm-editor')`)
	b.typed(`{"st`)
	b.take("status")
	b.take(`"paid"`)
	b.marked(`{"status": "paid"}`, "count is missing.")
	b.look("completed")
	b.click("button", "Format Example payload")
	b.holds(`document.querySelectorAll('[aria-label^=Example] .cm-line').length === 3`)
	b.fill("Example payload (JSON)", "{\n  \"count\": ,\n  \"status\": \"open\"\n}")
	b.marked(`"count": ,`, "Unexpected token")
	b.typed(kb.Tab) // leaves the field
	b.holds(`!document.activeElement.closest('.cm-editor')`)

	b.fill("HTML", "<p>Thank you</p>\n{% if payload.count %}\n")
	b.wrong("HTML", "is no valid template")
	b.marked("{% if payload.count %}", "unterminated")
	b.look("wrong")

	b.click("button", "When triggered")
	b.click("button", "JSON")
	b.click("button", "Edit as JSON")
	b.fill("Definition (JSON)", `{"steps": [`)
	b.typed(`{"ty`)
	b.take("type")
	b.take(`"DIGEST"`)
	b.fill("Definition (JSON)", `{"colour": 1, "steps": []}`)
	b.marked(`"colour"`, "does not know colour")
}
