//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// point presses the mouse where an element is seen, which may be another one's place.
func (b *browser) point(selector string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`(() => {
		const r = document.querySelector(%q)?.getBoundingClientRect()
		const place = r && [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)]
		const before = window.place ?? { seen: 0 }
		window.place = { place, seen: place && String(place) === String(before.place) ? before.seen + 1 : 0 }
		return window.place.seen >= 5
	})()`, selector), selector+" to stand still")
	var at []float64
	b.do(chromedp.Evaluate(`window.place.place`, &at))
	b.do(chromedp.MouseClickXY(at[0], at[1]))
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
	b.point(`.react-flow [data-id="trigger"] .step-main`)
	b.sees("Add payload field")

	o.member(t, "reader@example.org", "VIEWER")
	reader := o.logInAs(t, "reader@example.org", "/workflows/hello")
	reader.point(`.react-flow [data-id="trigger"] .step-main`)
	reader.sees("No fields: any payload is accepted.")
	reader.point(`.react-flow .react-flow__node:not([data-id="trigger"]) .step-main`)
	reader.sees("Subject")
}
