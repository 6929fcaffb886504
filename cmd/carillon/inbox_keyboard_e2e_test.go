//go:build e2e

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// onKeyboard is what the keyboard is on inside <carillon-inbox>: the message, the group and the name, as a screen reader tells them.
const onKeyboard = `(() => {
	const e = document.querySelector('carillon-inbox').shadowRoot.activeElement
	if (!e) return ''
	const hidden = [...e.querySelectorAll('[aria-hidden=true]')].map((part) => part.textContent).filter(Boolean)
	const text = e.closest('label')?.innerText || e.innerText
	const name = e.getAttribute('aria-label') || hidden.reduce((said, part) => said.startsWith(part) ? said.slice(part.length) : said, text)
	return [e.closest('li')?.querySelector('bdi').innerText, e.closest('fieldset')?.querySelector('legend').innerText, name]
		.filter(Boolean).join(': ').replace(/\s+/g, ' ').trim()
})()`

// keys presses keys, one after the other.
func (b *browser) keys(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// focused waits for what the keyboard is on.
func (b *browser) focused(name string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`%s.startsWith(%q)`, onKeyboard, name))
}

// tabTo presses Tab until the keyboard is on something.
func (b *browser) tabTo(name string) {
	b.t.Helper()
	var passed []string
	for range 60 {
		var at string
		b.keys(kb.Tab)
		b.do(chromedp.Evaluate(onKeyboard, &at))
		if passed = append(passed, at); len(at) >= len(name) && at[:len(name)] == name {
			return
		}
	}
	b.picture("failed", 0)
	require.FailNow(b.t, "Tab does not lead to "+name, "%q", passed)
}

// hears waits for what a screen reader is told without being asked.
func (b *browser) hears(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`%s.querySelector('[role=status]').textContent === %q`, insideInbox, text))
}

// makeLeave makes two workflows: a note, and a message that asks for a decision, which may also write an e-mail.
func (o *office) makeLeave(t *testing.T) {
	t.Helper()
	o.ask(t, makeNote, nil, nil)
	o.ask(t, makeLeave, nil, nil)
}

const (
	makeNote = `mutation { createWorkflow(input: {name: "Note", identifier: "note", definition: {steps: [
		{type: IN_APP, stepId: "tell", inApp: {subject: "{{payload.text}}", body: "For you."}}]}}) { workflow { id } } }`
	makeLeave = `mutation { createWorkflow(input: {name: "Leave", identifier: "leave", definition: {steps: [
		{type: IN_APP, stepId: "ask", inApp: {subject: "Leave for {{payload.name}}", body: "May {{payload.name}} go?",
			primaryAction: {label: "Approve"}, secondaryAction: {label: "Decline"}}},
		{type: EMAIL, stepId: "mail", email: {subject: "Leave", html: "<p>Leave</p>"}}]}}) { workflow { id } } }`
)

// TestJourneyInboxByKeyboard uses nothing but the keyboard, and looks at what is stored.
func TestJourneyInboxByKeyboard(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	b := o.openInbox(t, "ada")
	o.trigger(t, "leave", "ada", object{"name": "Eve"})
	b.badge("1") // in this order
	o.trigger(t, "note", "ada", object{"text": "Hello One"})
	b.badge("2")
	o.trigger(t, "note", "ada", object{"text": "Hello Two"})
	b.badge("3")
	b.stillColours()
	b.openByKeyboard()
	b.chooseTabsByKeyboard()
	b.handleMessagesByKeyboard()

	b.keys(kb.Escape)
	b.focused("Notifications, 0 unread")
	o.trigger(t, "note", "ada", object{"text": "Hello Three"})
	b.hears("New: Hello Three")
	b.keys(kb.Enter)
	b.reads("Hello Three")
	o.trigger(t, "note", "ada", object{"text": "Hello Four"})
	b.hears("New: Hello Four")
	b.reads("Hello Four")
	b.leaveByKeyboard()

	var stored struct {
		Decided, Archived, Snoozed struct {
			Messages struct {
				Nodes []struct {
					Subject string
					Read    bool
					Cta     struct {
						Action *struct {
							Status string
							Result *struct{ Type string }
						}
					}
				}
			}
		}
	}
	o.ask(t, `query { decided: inbox(subscriberId: "ada") { messages(filter: {workflowIn: ["leave"]}) { nodes { subject read cta { action { status result { type } } } } } }
		archived: inbox(subscriberId: "ada") { messages(filter: {archived: true}) { nodes { subject } } }
		snoozed: inbox(subscriberId: "ada") { messages(filter: {snoozed: true}) { nodes { subject } } } }`, nil, &stored)
	require.Len(t, stored.Decided.Messages.Nodes, 1)
	decided := stored.Decided.Messages.Nodes[0]
	require.True(t, decided.Read)
	require.Equal(t, "DONE", decided.Cta.Action.Status)
	require.Equal(t, "PRIMARY", decided.Cta.Action.Result.Type)
	require.Len(t, stored.Archived.Messages.Nodes, 1)
	require.Equal(t, "Hello One", stored.Archived.Messages.Nodes[0].Subject)
	require.Len(t, stored.Snoozed.Messages.Nodes, 1)
	require.Equal(t, "Hello Two", stored.Snoozed.Messages.Nodes[0].Subject)
}

// stillColours stops the panel from fading in, so that axe sees its colours.
func (b *browser) stillColours() {
	b.t.Helper()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// openByKeyboard opens and closes the inbox, and leaves it open.
func (b *browser) openByKeyboard() {
	b.t.Helper()
	onPanel := insideInbox + `.activeElement.matches('[role=dialog][aria-label=Notifications]')`
	closed := insideInbox + `.querySelector('.panel').hidden`
	b.keys(kb.Tab)
	b.focused("Notifications, 3 unread")
	b.axe("closed", allRules)
	b.keys(kb.Enter)
	b.holds(onPanel)
	b.reads("Hello Two")
	b.keys(kb.Escape)
	b.holds(closed)
	b.focused("Notifications, 3 unread")
	b.keys(" ")
	b.holds(onPanel)
}

// leaveByKeyboard continues to what follows on the page, which the open panel could cover.
func (b *browser) leaveByKeyboard() {
	b.t.Helper()
	b.do(chromedp.Evaluate(`void document.body.append(Object.assign(document.createElement('button'), {textContent: 'Next', id: 'next'}))`, nil))
	b.tabTo("Leave for Eve: More actions")
	b.keys(kb.Tab)
	b.holds(`document.activeElement.id === 'next'`)
	b.holds(insideInbox + `.querySelector('.panel').hidden`)
}

// chooseTabsByKeyboard walks over the tabs, and ends on the first.
func (b *browser) chooseTabsByKeyboard() {
	b.t.Helper()
	b.tabTo("All")
	b.keys(kb.ArrowRight)
	b.focused("Unread")
	b.keys(kb.ArrowRight, kb.ArrowRight)
	b.focused("Snoozed")
	b.reads("No notifications.")
	b.axe("nothing snoozed", allRules)
	b.keys(kb.ArrowRight) // around
	b.focused("All")
	b.reads("Hello Two")
	b.keys(kb.End, kb.Home)
	b.focused("All")
	b.reads("Hello Two")
}

// handleMessagesByKeyboard decides on, archives and snoozes a message each; the focus is never lost.
func (b *browser) handleMessagesByKeyboard() {
	b.t.Helper()
	b.tabTo("Hello Two: Unread: Hello Two")
	b.keys(kb.ArrowDown)
	b.focused("Hello One: Unread: Hello One")
	b.keys(kb.ArrowDown)
	b.focused("Leave for Eve: Unread: Leave for Eve")
	b.axe("list", allRules)
	b.keys(kb.Enter)
	b.focused("Leave for Eve: Leave for Eve") // read
	b.badge("2")
	b.tabTo("Leave for Eve: Approve")
	b.keys(kb.Enter)
	b.holds(insideInbox + `.activeElement.matches('[aria-pressed=true][aria-disabled=true]')`)
	b.focused("Leave for Eve: Approve")
	b.axe("decided", allRules)

	b.tabTo("Leave for Eve: More actions")
	b.keys(kb.ArrowUp)
	b.focused("Hello One: Unread: Hello One")
	b.tabTo("Hello One: Archive")
	b.keys(" ")
	b.readsNoMore("Hello One")
	b.focused("Leave for Eve: Leave for Eve")

	b.keys(kb.Home)
	b.focused("Hello Two: Unread: Hello Two")
	b.tabTo("Hello Two: Snooze")
	b.keys(kb.Enter)
	b.focused("In an hour")
	b.axe("snooze", allRules)
	b.keys(kb.Escape)
	b.focused("Hello Two: Snooze")
	b.keys(kb.Enter)
	b.focused("In an hour")
	b.keys(kb.ArrowDown, kb.Enter)
	b.readsNoMore("Hello Two")
	b.focused("Leave for Eve: Leave for Eve")
	b.badge("")
}

// TestJourneyInboxPreferencesByKeyboard says with keys alone what to hear, and when.
func TestJourneyInboxPreferencesByKeyboard(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	b := o.openInbox(t, "ada")
	b.stillColours()
	b.keys(kb.Tab, kb.Enter)
	b.tabTo("Preferences")
	b.keys(kb.Enter)
	b.focused("Back")
	b.reads("Leave")
	b.axe("preferences", allRules)
	b.tabTo("Schedule: Notify me only during these hours")
	b.keys(" ")
	b.tabTo("Schedule: Monday, from")
	b.keys("0", "7", "3", "0", "A")
	b.tabTo("Schedule: Tuesday")
	b.keys(" ")
	b.reads("Wednesday")
	b.axe("hours", allRules)
	b.tabTo("Leave: E-mail")
	b.keys(" ")
	b.hears("Saved.")
	b.keys(kb.Escape)
	b.focused("Notifications, 0 unread")
	b.keys(kb.Enter)
	b.tabTo("Preferences")
	b.keys(kb.Enter)
	b.reads("Wednesday") // loaded
	b.tabTo("Schedule: Monday, from")
	b.holds(insideInbox + `.activeElement.value === '07:30'`)
	b.tabTo("Leave: E-mail")
	b.holds(insideInbox + `.activeElement.checked === false`)
	b.tabTo("Back")
	b.keys(kb.Enter)
	b.focused("Preferences")

	type channels struct{ Email, InApp *bool }
	var stored struct {
		SubscriberPreferences struct {
			Global struct {
				Channels channels
				Schedule *struct {
					IsEnabled      bool
					WeeklySchedule struct {
						Monday, Tuesday struct {
							IsEnabled bool
							Hours     []struct{ Start, End string }
						}
					}
				}
			}
			Workflows []struct {
				Channels channels
				Workflow struct{ Identifier string }
			}
		}
	}
	o.ask(t, `{ subscriberPreferences(subscriberId: "ada") { global { channels { email inApp } schedule { isEnabled weeklySchedule {
		monday { isEnabled hours { start end } } tuesday { isEnabled hours { start end } } } } }
		workflows { channels { email inApp } workflow { identifier } } } }`, nil, &stored)
	schedule := stored.SubscriberPreferences.Global.Schedule
	require.NotNil(t, schedule)
	require.True(t, schedule.IsEnabled)
	require.Equal(t, "07:30 AM", schedule.WeeklySchedule.Monday.Hours[0].Start)
	require.Equal(t, "05:00 PM", schedule.WeeklySchedule.Monday.Hours[0].End)
	require.False(t, schedule.WeeklySchedule.Tuesday.IsEnabled)
	for _, wish := range stored.SubscriberPreferences.Workflows {
		require.Equal(t, wish.Workflow.Identifier != "leave", *wish.Channels.Email, wish.Workflow.Identifier)
		require.True(t, *wish.Channels.InApp, wish.Workflow.Identifier)
	}
	require.Len(t, stored.SubscriberPreferences.Workflows, 3)

	b.keys(kb.Enter)
	b.reads("Wednesday") // loaded
	b.tabTo("All notifications: E-mail")
	b.keys(" ")
	b.keys(kb.Escape)
	b.focused("Notifications, 0 unread")
	b.keys(kb.Enter)
	b.tabTo("Preferences")
	b.keys(kb.Enter)
	b.reads("Wednesday") // loaded
	b.tabTo("All notifications: E-mail")
	b.holds(insideInbox + `.activeElement.checked === false`)
	o.ask(t, `{ subscriberPreferences(subscriberId: "ada") { global { channels { email inApp } } } }`, nil, &stored)
	require.False(t, *stored.SubscriberPreferences.Global.Channels.Email)
	require.True(t, *stored.SubscriberPreferences.Global.Channels.InApp)
}

// TestJourneyInboxRightToLeft reads the inbox on a page whose lines begin at the right, on the narrowest and the usual screen.
func TestJourneyInboxRightToLeft(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "ar")
	o.makeLeave(t)
	o.trigger(t, "leave", "ada", object{"name": "ليلى"})
	o.trigger(t, "note", "ada", object{"text": "Hello One!"})
	b := o.openInboxWith(t, `document.addEventListener('DOMContentLoaded', async () => {
		document.documentElement.dir = 'rtl'
		document.documentElement.lang = 'ar'
		const { dictionaries } = await import('/inbox/carillon-inbox.js')
		dictionaries.ar = { ...dictionaries.en, inbox: 'الإشعارات', preferences: 'التفضيلات', back: 'رجوع', all: 'الكل', unread: 'غير مقروء', archive: 'أرشفة', snooze: 'تأجيل', delete: 'حذف' }
	})`)
	b.giveToken(subscriberToken(t, o.api, "ada"))
	b.badge("2")
	b.stillColours()
	b.keys(kb.Tab, kb.Enter)
	b.reads("Hello One!")
	b.holds(insideInbox + `.querySelector('.sheet').lang === 'ar'`)
	b.mirrored("header", `.header h2`, `[data-key=preferences]`, `[data-key=close]`)
	b.mirrored("the tabs", `#tab-0`, `#tab-1`, `#tab-2`)
	b.tabTo("الكل")
	b.keys(kb.ArrowLeft) // to the next one
	b.focused("غير مقروء")
	b.keys(kb.ArrowRight)
	b.focused("الكل")
	b.reads("Hello One!")
	b.narrow("list")
	b.tabTo("التفضيلات")
	b.keys(kb.Enter)
	b.focused("رجوع")
	b.reads("Leave")
	b.mirrored("header of the preferences", `[data-key=back]`, `.header h2`, `[data-key=close]`)
	b.holds(`getComputedStyle(` + insideInbox + `.querySelector('.icon-back')).transform === 'matrix(-1, 0, 0, 1, 0, 0)'`)
	b.narrow("preferences")
}

// mirrored tells that parts of the open inbox stand one left of the other, each within the panel.
func (b *browser) mirrored(what string, parts ...string) {
	b.t.Helper()
	var boxes []struct{ Left, Right float64 }
	b.do(chromedp.Evaluate(fmt.Sprintf(`['.panel', ...%q.split('|')].map((part) => { const { left, right } = %s.querySelector(part).getBoundingClientRect(); return { Left: left, Right: right } })`,
		strings.Join(parts, "|"), insideInbox), &boxes))
	panel, edge := boxes[0], boxes[0].Right
	for i, box := range boxes[1:] {
		require.LessOrEqual(b.t, box.Right, edge, "%s: %s", what, parts[i])
		require.GreaterOrEqual(b.t, box.Left, panel.Left, "%s: %s", what, parts[i])
		edge = box.Left
	}
}

// narrow judges the open inbox on the narrowest screen, and keeps a picture of what is seen: captures of more than that move
// pages whose lines begin at the right.
func (b *browser) narrow(name string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(widths[0], 900))
	b.holds(`document.documentElement.scrollWidth === innerWidth`)
	b.holds(`[...` + insideInbox + `.querySelectorAll('.panel, .header *, .body *')].map((e) => e.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth)`)
	b.axe(name, allRules)
	var png []byte
	b.do(chromedp.CaptureScreenshot(&png))
	require.NoError(b.t, os.MkdirAll(screenshots, 0o750))
	require.NoError(b.t, os.WriteFile(filepath.Join(screenshots, fmt.Sprintf("%s-%s-%d.png", b.t.Name(), name, widths[0])), png, 0o600))
	b.do(chromedp.EmulateViewport(1440, 900))
}
