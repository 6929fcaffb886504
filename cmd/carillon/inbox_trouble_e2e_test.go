//go:build e2e

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// unreachable is a network that loses every operation of the names in window.lost.
const unreachable = `window.lost = []; const whole = window.fetch
	window.fetch = (url, options) => window.lost.some((name) => String(options?.body).includes(name)) ? Promise.reject(new TypeError('The network is away')) : whole(url, options)`

// loses makes operations fail from now on; none: they work again.
func (b *browser) loses(names ...string) {
	b.t.Helper()
	list, err := json.Marshal(append([]string{}, names...))
	require.NoError(b.t, err)
	b.do(chromedp.Evaluate(fmt.Sprintf(`void (window.lost = %s)`, list), nil))
}

// checked waits for what a checkbox of the inbox shows.
func (b *browser) checked(name string, on bool) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`%s(%q)?.checked === %t`, inInbox, name, on))
}

// problem waits for the open inbox to say what failed; empty: nothing did.
func (b *browser) problem(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`(() => { const p = %s.querySelector('.problem'); return p.hidden ? %q === '' : %[2]q !== '' && p.textContent.includes(%[2]q) })()`, insideInbox, text))
}

// TestJourneyInboxFailures loses what the reader does: the inbox says so until the next try, and shows what is stored.
func TestJourneyInboxFailures(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	o.makeLeave(t)
	o.trigger(t, "leave", "ada", object{"name": "Eve"})
	b := o.openInboxWith(t, unreachable)
	b.giveToken(subscriberToken(t, o.api, "ada"))
	b.badge("1")
	b.do(chromedp.Evaluate(`window.acted = 0; void document.addEventListener('carillon-action', () => window.acted++)`, nil))
	b.press("Notifications, 1 unread")
	b.reads("Leave for Eve")

	b.loses("completeMessageAction")
	b.press("Approve")
	b.problem("The network is away")
	b.press("Mark as read")
	b.problem("")
	b.badge("")
	b.press("Approve")
	b.problem("The network is away")
	o.trigger(t, "note", "ada", object{"text": "Hello One"})
	b.reads("Hello One") // loaded anew
	b.problem("The network is away")
	b.holds(`window.acted === 0`)
	b.loses()
	b.press("Approve")
	b.problem("")
	b.holds(`window.acted === 1`)
	b.holds(insideInbox + `.querySelector('[data-key^=primary-]').getAttribute('aria-pressed') === 'true'`)

	b.press("Preferences")
	b.checked("E-mail", true)
	b.loses("setGlobalPreferences", "setSchedule")
	b.press("E-mail") // for everything
	b.problem("The network is away")
	b.checked("E-mail", true)
	b.holds(insideInbox + `.activeElement.dataset.key === 'email-everything'`) // the focus stays
	b.look("inbox-not-saved")
	b.press("Notify me only during these hours")
	b.problem("The network is away")
	b.checked("Notify me only during these hours", false)
	b.loses()
	b.press("Notify me only during these hours")
	b.problem("")
	b.press("Monday")
	b.checked("Monday", false)
	b.press("E-mail")
	b.holds(`[...` + insideInbox + `.querySelectorAll('[data-key^=email-]')].every((box) => !box.checked)`) // of every workflow, too

	var stored struct {
		SubscriberPreferences struct {
			Global struct {
				Channels struct{ Email *bool }
				Schedule *struct {
					IsEnabled      bool
					WeeklySchedule struct{ Monday, Friday struct{ IsEnabled bool } }
				}
			}
		}
	}
	o.ask(t, `{ subscriberPreferences(subscriberId: "ada") { global { channels { email }
		schedule { isEnabled weeklySchedule { monday { isEnabled } friday { isEnabled } } } } } }`, nil, &stored)
	global := stored.SubscriberPreferences.Global
	require.False(t, *global.Channels.Email)
	require.True(t, global.Schedule.IsEnabled)
	require.False(t, global.Schedule.WeeklySchedule.Monday.IsEnabled)
	require.True(t, global.Schedule.WeeklySchedule.Friday.IsEnabled)
}

// TestJourneyInboxChanges changes the elements of a page while they live: nobody sees what was somebody else's.
func TestJourneyInboxChanges(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for _, who := range []string{"ada", "bob"} {
		o.makeSubscriber(t, who, "en_GB")
		o.trigger(t, "hello", who, object{"name": who})
	}
	b := o.openInboxWith(t, `document.addEventListener('DOMContentLoaded', () => {
		const policy = document.createElement('meta')
		policy.httpEquiv = 'Content-Security-Policy'
		policy.content = "default-src 'self'; require-trusted-types-for 'script'"
		document.head.append(policy)
	})`)
	set := func(script string, args ...any) {
		b.do(chromedp.Evaluate(`void (`+fmt.Sprintf(script, args...)+`)`, nil))
	}
	ada, bob := subscriberToken(t, o.api, "ada"), subscriberToken(t, o.api, "bob")
	set(`document.querySelector('carillon-inbox').token = %q`, ada)
	b.badge("1")
	b.press("Notifications, 1 unread")
	b.reads("Hello ada")

	set(`document.body.insertAdjacentElement('beforeend', document.createElement('carillon-inbox')).setAttribute('token', %q)`, bob)
	second := `[...document.querySelectorAll('carillon-inbox')].at(-1)`
	b.holds(second + `.shadowRoot.querySelector('.badge')?.textContent === '1'`)
	o.trigger(t, "hello", "bob", object{"name": "again"})
	b.holds(second + `.shadowRoot.querySelector('.badge')?.textContent === '2'`)
	b.badge("1") // not the other one's

	set(`(window.kept = document.querySelector('carillon-inbox')).remove()`)
	b.holds(`window.kept.inbox === undefined`)
	o.trigger(t, "hello", "ada", object{"name": "meanwhile"})
	set(`document.body.prepend(window.kept)`)
	b.badge("2")
	b.reads("Hello meanwhile") // still open

	var shown string
	b.do(chromedp.Evaluate(fmt.Sprintf(`window.kept.token = %q; Promise.resolve().then(() => `+insideInbox+`.querySelector('.panel').innerText)`, bob), &shown, awaited))
	require.NotContains(t, shown, "ada", "the next one's token, the last one's messages")
	b.reads("Hello again")
	b.readsNoMore("Hello ada")
	b.badge("2")
	b.do(chromedp.Evaluate(`window.kept.token = undefined; Promise.resolve().then(() => `+insideInbox+`.querySelector('.panel').innerText)`, &shown, awaited))
	require.NotContains(t, shown, "Hello")
	b.reads("You are not signed in.")

	set(`window.kept.lang = 'de'`)
	b.reads("Sie sind nicht angemeldet.")
	set(`window.kept.lang = 'de-DE-not.a.tag'`)
	set(`window.kept.token = %q`, bob)
	b.reads("Hello again") // with its time
	set(`window.kept.tabs = [{label: 'Kept', filter: {archived: true}}, {label: 'New', filter: {}}]`)
	b.press("Kept")
	b.reads("Keine Mitteilungen.")
	set(`window.kept.setAttribute('tabs', '[{"label":"Only","filter":{"tagsAny":["no"]}}]')`)
	b.press("Only")
	set(`window.kept.removeAttribute('tabs')`)
	b.press("Ungelesen")
	b.reads("Hello again")
	set(`window.kept.setAttribute('context', 'tenant:acme')`) // an inbox of its own
	b.badge("")
	b.reads("Keine Mitteilungen.")
}

// TestJourneyInboxPersistedQueries uses everything of the inbox where credentials may run nothing but listed operations.
func TestJourneyInboxPersistedQueries(t *testing.T) {
	t.Parallel()
	listed, err := json.Marshal(map[string]string{"makeToken": makeToken, "makeNote": makeNote, "makeLeave": makeLeave, "makeSubscriber": makeSubscriber})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "operations.json")
	require.NoError(t, os.WriteFile(file, listed, 0o600))
	o := openOffice(t, "CARILLON_PERSISTED_QUERIES="+file)
	o.makeLeave(t)
	for transport, script := range map[string]string{"WebSocket": ``, "events": noWebSocket} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			send := func(workflow string, payload object) {
				_, err := o.api.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": workflow, "to": transport, "payload": payload}, nil)
				require.NoError(t, err)
			}
			o.makeSubscriber(t, transport, "en_GB")
			subscription := object{"subscriberIds": []string{transport}}
			_, err := o.api.Do(t.Context(), http.MethodPost, "/v2/topics/news-"+transport+"/subscriptions", subscription, nil)
			require.NoError(t, err)
			b := o.openInboxWith(t, script)
			b.giveToken(subscriberToken(t, o.api, transport))
			b.holds(`document.querySelector('carillon-inbox').dataset.status === 'online'`)
			send("leave", object{"name": "Eve"})
			b.badge("1")
			b.press("Notifications, 1 unread")
			for _, step := range []struct{ press, reads string }{
				{"Approve", "✓"},
				{"Mark as read", "Leave for Eve"},
				{"Mark as unread", "Leave for Eve"},
				{"Snooze", "In an hour"},
				{"In an hour", "No notifications."},
				{"Snoozed", "Leave for Eve"},
				{"Unsnooze", "No notifications."},
				{"All", "Leave for Eve"},
				{"Archive", "No notifications."},
				{"Archived", "Leave for Eve"},
				{"Unarchive", "No notifications."},
				{"All", "Leave for Eve"},
				{"More", "Archive all"},
				{"Archive all", "No notifications."},
				{"Archived", "Leave for Eve"},
				{"More actions", "Delete"},
				{"Delete", "No notifications."},
				{"Preferences", "All notifications"},
			} {
				b.press(step.press)
				if step.reads != "✓" {
					b.reads(step.reads)
				}
				b.problem("")
			}
			b.press("E-mail")
			b.hears("Saved.")
			b.press("Notify me only during these hours")
			b.press("Monday")
			b.checked("Monday", false)
			b.press("Back")
			b.reads("All")
			b.problem("")
			var topics []string
			b.do(chromedp.Evaluate(`(async () => {
				const { inbox } = document.querySelector('carillon-inbox')
				const before = (await inbox.subscriptions()).map(({ topic }) => topic.key)
				await inbox.unfollow(before[0])
				const between = await inbox.subscriptions()
				await inbox.follow(before[0])
				return [...before, String(between.length), ...(await inbox.subscriptions()).map(({ topic }) => topic.key)]
			})()`, &topics, awaited))
			require.Equal(t, []string{"news-" + transport, "0", "news-" + transport}, topics)
			var refused string
			b.do(chromedp.Evaluate(fmt.Sprintf(`fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + %q },
				body: '{"query":"{ inbox { state { total } } }"}' }).then((r) => r.json()).then((r) => r.errors[0].extensions.code)`, subscriberToken(t, o.api, transport)), &refused, awaited))
			require.Equal(t, "PERSISTED_QUERY_NOT_ALLOWED", refused)
		})
	}
}
