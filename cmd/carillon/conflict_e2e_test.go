//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// subjectOfHello is the subject that the draft of the workflow hello has in the database.
func (o *office) subjectOfHello(t *testing.T) string {
	t.Helper()
	var found struct {
		WorkflowByReference struct {
			Draft struct {
				Steps []struct{ InApp struct{ Subject string } }
			}
		}
	}
	o.ask(t, `{ workflowByReference(reference: "hello") { draft { steps { inApp { subject } } } } }`, nil, &found)
	return found.WorkflowByReference.Draft.Steps[0].InApp.Subject
}

// TestJourneyTwoEditors edits one workflow in two tabs: neither overwrites the other unasked, and the loser's draft is kept for Undo.
func TestJourneyTwoEditors(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	first := o.logIn(t, "/workflows/hello")
	second := o.logIn(t, "/workflows/hello")
	changed := "This workflow was changed elsewhere"
	second.sees("Draft saved")

	first.fill("Subject", "From the first")
	first.sees("Draft saved")
	second.fill("Body", "From the second")
	second.sees(changed)
	second.look("conflict")
	require.Equal(t, "From the first", o.subjectOfHello(t))
	second.click("button", "Take the other draft (Undo brings yours back)")
	second.misses(changed)
	second.sees("From the first")
	second.click("button", "Undo (Ctrl Z)")
	second.misses("From the first")
	second.sees("Draft saved")
	require.NotEqual(t, "From the first", o.subjectOfHello(t))

	first.fill("Subject", "The first insists")
	first.sees(changed)
	first.click("button", "Overwrite it with mine")
	first.misses(changed)
	first.sees("Draft saved")
	require.Equal(t, "The first insists", o.subjectOfHello(t))
}

// TestJourneySaveWithoutAnswer: what was saved although its answer was lost is no conflict.
func TestJourneySaveWithoutAnswer(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows/hello")
	b.do(chromedp.Evaluate(`{
		const whole = window.fetch
		window.fetch = async (path, init) => {
			const answer = await whole(path, init)
			if (!String(init?.body).includes('mutation SaveWorkflow')) return answer
			window.fetch = whole
			throw new TypeError('the connection was lost')
		}
	}`, nil))
	b.fill("Subject", "Stored")
	b.sees("Not saved")
	require.Equal(t, "Stored", o.subjectOfHello(t))
	b.fill("Subject", "Stored, and edited since")
	b.sees("Draft saved")
	require.Equal(t, "Stored, and edited since", o.subjectOfHello(t))
}
