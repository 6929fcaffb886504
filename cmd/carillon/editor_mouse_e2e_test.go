//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestJourneyTooManySteps: what is wrong with the steps as a whole is said, and Undo ends it.
func TestJourneyTooManySteps(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	steps := make([]object, 100)
	for i := range steps {
		steps[i] = object{"stepId": fmt.Sprintf("s%d", i), "type": "sms", "sms": object{"body": "Hello"}}
	}
	o.ask(t, applyDocument, map[string]any{"d": object{"workflows": object{"long": object{"name": "Long", "steps": steps}}}}, nil)
	b := o.logIn(t, "/workflows/long")
	b.sees("Draft saved")
	b.click("button", "Add a step after s99")
	b.click("menuitem", "SMS")
	b.sees("must not hold more than 100 steps")
	b.click("button", "Undo (Ctrl Z)")
	b.misses("must not hold more than 100 steps")
	b.sees("Draft saved")
}

// point presses the mouse where an element is seen, which may be another one's place. A page that moved between the look and the
// press, as it does on a busy machine, is looked at again.
func (b *browser) point(selector string) {
	b.t.Helper()
	for range 5 {
		b.poll(fmt.Sprintf(`(() => {
			const element = document.querySelector(%q)
			const r = element?.getBoundingClientRect()
			const place = r && [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)]
			const before = window.place ?? { seen: 0 }
			window.place = { place, seen: place && String(place) === String(before.place) ? before.seen + 1 : 0 }
			if (window.place.seen < 5) return false
			window.pressed = false
			element.addEventListener('click', () => { window.pressed = true }, { capture: true, once: true })
			return true
		})()`, selector), selector+" to stand still")
		var at []float64
		var pressed bool
		b.do(chromedp.Evaluate(`window.place.place`, &at))
		b.do(chromedp.MouseClickXY(at[0], at[1]))
		b.do(chromedp.Evaluate(`window.pressed`, &pressed))
		if pressed {
			return
		}
	}
	b.t.Fatalf("the mouse never reached %s", selector)
}

// TestJourneyEditorByMouse builds the first step of a workflow with the mouse, and reads one as a member who may not change it.
func TestJourneyEditorByMouse(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Empty", identifier: "empty", publish: false, definition: {steps: []}}) { workflow { id } } }`, nil, nil)
	b := o.logIn(t, "/workflows/empty")
	b.point(".react-flow .add-step")
	b.click("menuitem", "SMS")
	b.sees("Add variant")
	b.fill("Body", "مرحبا {{ payload.name }}")
	// A text of another direction is read from its own side.
	b.holds(`(() => {
		const text = [...document.querySelectorAll('.step-words .soft')].find((e) => e.innerText.includes('{{'))?.firstChild
		const at = (i) => { const r = document.createRange(); r.setStart(text, i); r.setEnd(text, i + 1); return r.getBoundingClientRect().x }
		return text && at(0) > at(text.length - 1)
	})()`)
	b.point(`.react-flow [data-id="trigger"] .step-main`)
	b.sees("Add payload field")

	o.member(t, "reader@example.org", "VIEWER")
	reader := o.logInAs(t, "reader@example.org", "/workflows/hello")
	reader.point(`.react-flow [data-id="trigger"] .step-main`)
	reader.sees("No fields: any payload is accepted.")
	reader.point(`.react-flow .react-flow__node:not([data-id="trigger"]) .step-main`)
	reader.sees("Subject")
}
