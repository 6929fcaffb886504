//go:build e2e

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// inboxHolds waits for how many messages an inbox lists.
func (o *office) inboxHolds(t *testing.T, who string, total int) {
	t.Helper()
	until(t, time.Minute, fmt.Sprintf("the inbox to list %d messages", total), func(context.Context) (bool, error) {
		var found struct {
			Inbox struct{ State *struct{ Total int } }
		}
		o.ask(t, `query($who: String!) { inbox(subscriberId: $who) { state { total } } }`, map[string]any{"who": who}, &found)
		return found.Inbox.State != nil && found.Inbox.State.Total == total, nil
	})
}

// faultless fails the test for every finding of axe, however small.
func (b *browser) faultless(name string) {
	b.t.Helper()
	b.axe(name, allRules) // loads it
	var found []json.RawMessage
	b.do(chromedp.Evaluate(`axe.run(document).then((r) => r.violations.map((v) => ({id: v.id, help: v.help, nodes: v.nodes.map((n) => n.html)})))`, &found, awaited))
	for _, finding := range found {
		b.t.Errorf("axe on %s: %s", name, finding)
	}
}

// touch moves a finger over an element of the inbox, sideways.
func (b *browser) touch(selector string, dx float64) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const r = %s.querySelector(%q).getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2} })()`, insideInbox, selector), &at))
	point := func(x float64) []*input.TouchPoint { return []*input.TouchPoint{{X: x, Y: at.Y}} }
	b.do(input.DispatchTouchEvent(input.TouchStart, point(at.X)))
	const steps = 8
	for i := 1; i <= steps; i++ {
		b.do(input.DispatchTouchEvent(input.TouchMove, point(at.X+dx*float64(i)/steps)))
	}
	b.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

// TestJourneyInboxBySwipe handles messages on a phone with a finger, and takes one back.
func TestJourneyInboxBySwipe(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	b := o.openInbox(t, "ada")
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch), emulation.SetTouchEmulationEnabled(true))
	o.trigger(t, "note", "ada", object{"text": "Hello One"})
	b.badge("1")
	o.trigger(t, "note", "ada", object{"text": "Hello Two"})
	b.badge("2")
	b.stillColours()
	b.press("Notifications, 2 unread")
	b.reads("Hello Two")
	b.faultless("phone")
	b.touch("li.row", 150) // to the end of the line
	b.badge("1")
	b.holds(insideInbox + `.querySelector('li.row').classList.contains('read')`)
	b.touch("li.row", 30) // not far enough
	b.holds(insideInbox + `.querySelector('li.row').classList.contains('read')`)
	b.touch("li.row", -150)
	b.reads("1 archived")
	b.readsNoMore("Hello Two")
	b.press("Undo")
	b.reads("Hello Two")
	o.inboxHolds(t, "ada", 2)
}

// cable is a network that the test can pull and plug in again.
const cable = `window.pulled = false; window.open_ = new Set()
	const whole = window.fetch
	window.fetch = (...args) => window.pulled ? Promise.reject(new TypeError('The network is away')) : whole(...args)
	const Plugged = window.WebSocket
	window.WebSocket = class extends Plugged {
		constructor(...args) { super(...args); if (window.pulled) { queueMicrotask(() => this.close()) } else { window.open_.add(this) } }
		send(data) { if (!window.pulled) super.send(data) }
	}
	window.pull = () => { window.pulled = true; for (const s of window.open_) s.close(); window.open_.clear() }
	window.plug = () => { window.pulled = false; window.dispatchEvent(new Event('online')) }`

// withCable is the inbox of ada over that network, which is away from the start of a page with ?pulled.
const withCable = cable + `
	document.addEventListener('DOMContentLoaded', () => {
		const element = document.querySelector('carillon-inbox')
		element.setAttribute('subscriber', 'ada')
		if (location.search !== '?pulled') return
		window.pull()
		element.token = async () => { throw new TypeError('The network is away') }
	})`

// TestJourneyInboxOffline reads and acts without a connection, also on a page that was loaded without one, and is whole again
// afterwards.
func TestJourneyInboxOffline(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	for i, text := range []string{"Hello One", "Hello Two", "Hello Three"} {
		o.trigger(t, "note", "ada", object{"text": text})
		o.inboxHolds(t, "ada", i+1)
	}
	b := o.openInboxWith(t, withCable)
	b.expect("WebSocket")
	b.stillColours()
	b.giveToken(subscriberToken(t, o.api, "ada"))
	b.badge("3")
	b.press("Notifications, 3 unread")
	b.reads("Hello One")
	b.do(chromedp.Evaluate(`void window.pull()`, nil))
	b.reads("Not connected.")
	b.press("Archive")
	b.readsNoMore("Hello Three")
	b.press("Mark as read")
	b.badge("1")
	b.reads("Changes to be saved: 2.")
	b.problem("")
	b.faultless("offline")
	o.inboxHolds(t, "ada", 3) // the server knows of nothing

	b.open("/inbox/?pulled") // the page is loaded anew
	b.badge("1")
	b.press("Notifications, 1 unread")
	b.reads("Hello Two")
	b.readsNoMore("Hello Three")
	b.reads("Changes to be saved: 2.")
	b.do(chromedp.Evaluate(fmt.Sprintf(`void (window.plug(), document.querySelector('carillon-inbox').token = %q)`, subscriberToken(t, o.api, "ada")), nil))
	b.readsNoMore("Changes to be saved")
	b.readsNoMore("Not connected.")
	b.problem("")
	b.badge("1")
	o.inboxHolds(t, "ada", 2)
}

// second is another tab of the same browser.
func (b *browser) second() *browser {
	b.t.Helper()
	ctx, closeTab := chromedp.NewContext(b.ctx)
	b.t.Cleanup(closeTab)
	other := &browser{t: b.t, ctx: ctx, url: b.url}
	other.do(chromedp.EmulateViewport(1440, 900))
	return other
}

// TestJourneyInboxInTwoTabs changes an inbox in one tab, and its preferences, and reads them in the other.
func TestJourneyInboxInTwoTabs(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	one := o.openInbox(t, "ada")
	two := one.second()
	two.open("/inbox/#" + subscriberToken(t, o.api, "ada"))
	two.holds(`document.querySelector('carillon-inbox')?.dataset.status === 'online'`)
	o.trigger(t, "note", "ada", object{"text": "Hello One"})
	one.badge("1")
	two.badge("1")
	one.press("Notifications, 1 unread")
	one.reads("Hello One")
	two.press("Notifications, 1 unread")
	two.reads("Hello One")
	one.press("Mark as read")
	two.badge("")
	two.press("Archive")
	one.readsNoMore("Hello One")
	two.press("Undo")
	one.reads("Hello One")
	two.do(chromedp.Evaluate(`void document.querySelector('carillon-inbox').setAttribute('alerts', 'badge')`, nil))
	o.trigger(t, "note", "ada", object{"text": "Hello Two"})
	two.holds(`document.title === '(1) A live inbox'`)
	one.press("Mark all as read")
	two.holds(`document.title === 'A live inbox'`)
}

// TestJourneyInboxInTwoTabsOffline changes an inbox in two tabs without a connection, closes one, and saves what both kept through the
// other, also where the browser has no Web Locks, as on pages over plain http.
func TestJourneyInboxInTwoTabsOffline(t *testing.T) {
	detailed(t)
	t.Parallel()
	for name, script := range map[string]string{"Locks": withCable, "NoLocks": `delete Navigator.prototype.locks;` + withCable} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := openOffice(t)
			o.makeSubscriber(t, "ada", "en_GB")
			o.makeLeave(t)
			for i, text := range []string{"Hello One", "Hello Two", "Hello Three"} {
				o.trigger(t, "note", "ada", object{"text": text})
				o.inboxHolds(t, "ada", i+1)
			}
			stays := o.openInboxWith(t, script)
			stays.expect("WebSocket")
			stays.holds(fmt.Sprintf(`!!navigator.locks === %t`, name == "Locks"))
			stays.giveToken(subscriberToken(t, o.api, "ada"))
			stays.badge("3")
			stays.press("Notifications, 3 unread")
			stays.reads("Hello One")
			stays.do(chromedp.Evaluate(`void window.pull()`, nil))
			stays.reads("Not connected.")
			stays.press("Archive")
			stays.reads("Changes to be saved: 1.")

			leaves := stays.second()
			leaves.begins(script)
			leaves.open("/inbox/?pulled")
			leaves.badge("2")
			leaves.press("Notifications, 2 unread")
			leaves.reads("Changes to be saved: 1.")
			leaves.readsNoMore("Hello Three")
			leaves.press("Archive")
			leaves.reads("Changes to be saved: 2.")
			stays.reads("Changes to be saved: 2.")
			stays.press("Mark as read")
			leaves.reads("Changes to be saved: 3.")
			require.NoError(t, chromedp.Cancel(leaves.ctx))
			o.inboxHolds(t, "ada", 3)

			stays.do(chromedp.Evaluate(fmt.Sprintf(`void (window.plug(), document.querySelector('carillon-inbox').token = %q)`, subscriberToken(t, o.api, "ada")), nil))
			stays.readsNoMore("Changes to be saved")
			stays.readsNoMore("Not connected.")
			stays.problem("")
			o.inboxHolds(t, "ada", 1)
			stays.reads("Hello One")
			stays.readsNoMore("Hello Two")
		})
	}
}

// long is how many rows the longest lists of the journeys have: enough for many pages, and more than anything could draw at once.
func long() int {
	if soak {
		return 10_000
	}
	return 2_000
}

// longInbox answers for the messages of an inbox that has as many as all says.
const longInbox = `const asked = window.fetch
	window.fetch = async (url, options) => {
		const { query, variables } = JSON.parse(options?.body ?? '{}')
		if (!query?.startsWith('query InboxMessages')) return asked(url, options)
		const from = Number(variables.after ?? 0), to = Math.min(all, from + variables.first)
		const nodes = Array.from({ length: to - from }, (_, i) => {
			const n = from + i, at = new Date(Date.UTC(2026, 0, 400) - n * 600000).toISOString()
			return { id: 'm' + n, internalId: 'i' + n, subject: 'Message ' + n, content: { text: 'Text '.repeat(n % 40) }, avatar: null, read: n % 3 > 0, seen: true,
				archived: false, snoozedUntil: null, severity: 'NONE', tags: null, data: null, workflowIdentifier: 'note', sequence: 1, createdAt: at, deliveredAt: null, cta: null }
		})
		return Response.json({ data: { inbox: { state: null, messages: { nodes, pageInfo: { hasNextPage: to < all, endCursor: String(to) } } } } })
	}`

// TestJourneyLongInbox scrolls to the end of a long list of messages: the page stays small and quick, and the keyboard reaches
// the first and the last.
func TestJourneyLongInbox(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	b := o.openInboxWith(t, fmt.Sprintf("const all = %d; ", long())+longInbox)
	b.stillColours()
	b.giveToken(subscriberToken(t, o.api, "ada"))
	b.holds(`document.querySelector('carillon-inbox').dataset.status === 'online'`)
	b.press("Notifications, 0 unread")
	b.reads("Message 0")
	const scroll = `(() => { const body = %s.querySelector('.body'); body.scrollTop = body.scrollHeight; return body.innerText.includes('Message %d') })()`
	b.poll(fmt.Sprintf(scroll, insideInbox, long()-1), "the last of many messages")
	var rows int
	b.do(chromedp.Evaluate(insideInbox+`.querySelectorAll('li.row').length`, &rows))
	require.Less(t, rows, 60, "rows that are drawn")
	b.holds(`Math.abs(` + insideInbox + `.querySelector('.body').scrollHeight - [...` + insideInbox + `.querySelectorAll('.space')].reduce((sum, e) => sum + e.offsetHeight, 0)) < 6000`)
	b.faultless("many messages")

	var took float64 // of the slowest frame while it is scrolled back
	b.do(chromedp.Evaluate(`(async () => {
		const body = `+insideInbox+`.querySelector('.body')
		let slowest = 0
		for (let i = 0; i < 40; i++) {
			body.scrollTop -= body.scrollHeight / 50
			const from = performance.now()
			await new Promise(requestAnimationFrame)
			await new Promise(requestAnimationFrame)
			slowest = Math.max(slowest, performance.now() - from)
		}
		return slowest
	})()`, &took, awaited))
	t.Logf("slowest step of scrolling: %.0f ms", took)
	b.do(chromedp.Evaluate(insideInbox+`.querySelector('li.row .open').focus()`, nil))
	b.keys(kb.End)
	b.focused(fmt.Sprintf("Message %d", long()-1))
	b.keys(kb.ArrowUp)
	b.focused(fmt.Sprintf("Message %d", long()-2))
	b.keys(kb.Home)
	b.holds(onKeyboard + `.includes('Message 0')`)
}

// TestJourneyInboxAboveAnother opens an inbox over one that is part of the page.
func TestJourneyInboxAboveAnother(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	b := o.openInbox(t, "ada")
	b.do(chromedp.Evaluate(`(() => {
		const first = document.querySelector('carillon-inbox'), second = document.createElement('carillon-inbox')
		second.token = first.token
		second.setAttribute('inline', '')
		first.after(second)
	})()`, nil))
	b.press("Notifications, 0 unread")
	b.reads("Archived")
	b.stillColours()
	b.holds(`(() => {
		const second = document.querySelector('carillon-inbox[inline]').getBoundingClientRect()
		const panel = ` + insideInbox + `.querySelector('.panel').getBoundingClientRect()
		const x = panel.left + panel.width / 2, y = Math.max(panel.top, second.top) + 40
		return y < panel.bottom && x > second.left && x < second.right && document.elementFromPoint(x, y) === document.querySelector('carillon-inbox')
	})()`)
}
