//go:build e2e

package main_test

import (
	"fmt"
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
	second.holds(`((e) => e.clientHeight > 0 && e.scrollHeight <= e.clientHeight)(document.querySelector('main > .note'))`)
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

// TestJourneyTwoEditorsOfTemplates: what TestJourneyTwoEditors says, of layouts, snippets and translations.
func TestJourneyTwoEditorsOfTemplates(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, applyDocument, map[string]any{"d": object{
		"layouts":      object{"brand": object{"name": "Brand", "content": "<p>{{ content }}</p>"}},
		"snippets":     object{"footer": object{"name": "Footer", "content": "<p>Bye</p>"}},
		"translations": object{"de": object{"bye": "Ade"}},
	}}, nil)
	changed := "This was changed elsewhere while you edited it"
	for _, kind := range []struct{ path, field, query string }{
		{"/layouts/brand", "Name", `{ is: layoutByIdentifier(identifier: "brand") { text: name } }`},
		{"/snippets/footer", "Name", `{ is: snippetByIdentifier(identifier: "footer") { text: name } }`},
		{"/translations/de", "Text 1", `{ is: translationByLocale(locale: "de") { text: content } }`},
	} {
		stored := func(want string) {
			t.Helper()
			var found struct{ Is struct{ Text any } }
			o.ask(t, kind.query, nil, &found)
			require.Contains(t, fmt.Sprint(found.Is.Text), want, kind.path)
		}
		first, second := o.logIn(t, kind.path), o.logIn(t, kind.path)
		shows := func(b *browser, text string) {
			t.Helper()
			b.holds(fmt.Sprintf(`%s("field", %q)?.value === %q`, find, kind.field, text))
		}
		second.holds(fmt.Sprintf(`%s("field", %q)`, find, kind.field))
		first.fill(kind.field, "From the first")
		first.click("button", "Save")
		first.sees("Saved.")
		second.fill(kind.field, "From the second")
		second.click("button", "Save")
		second.sees(changed)
		second.look("conflict")
		stored("From the first")
		second.click("button", "Take the other version and drop mine")
		second.misses(changed)
		shows(second, "From the first")
		second.fill(kind.field, "The second, later")
		second.click("button", "Save")
		second.sees("Saved.")
		stored("The second, later")

		first.fill(kind.field, "The first insists")
		first.click("button", "Save")
		first.sees(changed)
		first.click("button", "Overwrite it with mine")
		first.misses(changed)
		first.sees("Saved.")
		stored("The first insists")
	}
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

// TestJourneyLeaveEnvironment: the environment is changed, and the person logged out, once what is not saved may be lost.
func TestJourneyLeaveEnvironment(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	o.ask(t, applyDocument, map[string]any{"d": object{"snippets": object{"footer": object{"name": "Footer", "content": "<p>Bye</p>"}}}}, nil)
	b := o.logIn(t, "/snippets/footer")
	b.fill("Name", "Not saved yet")
	b.click("button", "Environment: ")
	b.click("menuitem", "Live")
	b.click("button", "Stay")
	b.click("button", operatorEmail)
	b.click("menuitem", "Log out")
	b.click("button", "Stay")
	b.click("button", "Save")
	b.sees("Saved.")
	b.fill("Name", "Given up")
	b.click("button", "Environment: ")
	b.click("menuitem", "Live")
	b.click("button", "Leave")
	b.holds(`document.querySelector('.side [aria-haspopup=menu]')?.ariaLabel.startsWith('Environment: Live')`)
}

// TestJourneyDraftOnTabs: the draft is the same one on each tab of its workflow, however long it takes to be saved, and a version that is
// restored is a change as others are.
func TestJourneyDraftOnTabs(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows/hello")
	b.sees("Draft saved")
	b.do(chromedp.Evaluate(`{
		const whole = window.fetch
		const answered = new Promise((answer) => (window.answer = answer))
		window.fetch = async (path, init) => {
			if (String(init?.body).includes('mutation SaveWorkflow')) await answered
			return whole(path, init)
		}
	}`, nil))
	subject := func(text string) {
		t.Helper()
		b.holds(fmt.Sprintf(`document.querySelector('[aria-label=Subject]')?.innerText === %q`, text))
	}
	b.fill("Subject", "On its way")
	b.click("link", "Versions")
	b.sees("Compare")
	b.click("link", "Editor")
	subject("On its way")
	b.do(chromedp.Evaluate(`window.answer()`, nil))
	b.sees("Draft saved")

	restore := func() {
		t.Helper()
		b.click("link", "Versions")
		b.click("button", "Compare")
		b.click("button", "Restore version 1")
	}
	restore()
	b.sees("No differences to the draft.")
	require.NotEqual(t, "On its way", o.subjectOfHello(t))
	b.click("link", "Editor")
	b.click("button", "Undo (Ctrl Z)")
	subject("On its way")
	b.sees("Draft saved")

	other := o.logIn(t, "/workflows/hello")
	other.fill("Subject", "From another tab")
	other.sees("Draft saved")
	require.Equal(t, "From another tab", o.subjectOfHello(t))
	restore()
	b.sees("This workflow was changed elsewhere")
	require.Equal(t, "From another tab", o.subjectOfHello(t))
	b.click("link", "Editor")
	b.click("button", "Take the other draft (Undo brings yours back)")
	subject("From another tab")
}
