//go:build e2e

package main_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// inInbox finds an element inside <carillon-inbox> by what a screen reader calls it, or by how that begins.
const inInbox = `((name) => {
	const called = (e) => (e.getAttribute('aria-label') || e.closest('label')?.innerText || e.innerText || '').trim()
	const all = [...document.querySelector('carillon-inbox').shadowRoot.querySelectorAll('button, input')].filter((e) => e.getClientRects().length > 0)
	return all.find((e) => called(e) === name) || all.find((e) => called(e).startsWith(name))
})`

const insideInbox = `document.querySelector('carillon-inbox').shadowRoot`

// openInbox is a tab with the example page and the inbox of a subscriber.
func (o *office) openInbox(t *testing.T, subscriber string) *browser {
	t.Helper()
	b := browse(t, o.Process)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.open("/inbox/#" + subscriberToken(t, o.api, subscriber))
	b.holds(`document.querySelector('carillon-inbox')?.dataset.status === 'online'`)
	return b
}

// press presses a button or a checkbox of the inbox.
func (b *browser) press(name string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`(() => { const e = %s(%q); if (!e || e.disabled) return false; e.focus(); e.click(); return true })()`, inInbox, name), "in the inbox: "+name)
}

// reads waits for a text in the open inbox.
func (b *browser) reads(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`%s.querySelector('.panel').innerText.includes(%q)`, insideInbox, text))
}

func (b *browser) readsNoMore(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`!%s.querySelector('.panel').innerText.includes(%q)`, insideInbox, text))
}

// badge waits for the number on the bell; empty: none.
func (b *browser) badge(number string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`(%s.querySelector('.badge')?.textContent ?? '') === %q`, insideInbox, number))
}

func (o *office) makeSubscriber(t *testing.T, who, locale string) {
	t.Helper()
	o.ask(t, makeSubscriber, map[string]any{"who": who, "locale": locale}, nil)
}

const makeSubscriber = `mutation($who: String!, $locale: String) { createSubscriber(input: {subscriberId: $who, locale: $locale}) { subscriber { id } } }`

func TestJourneyInbox(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "en_GB")
	b := o.openInbox(t, "ada")
	b.badge("")
	b.look("inbox-closed")
	o.trigger(t, "hello", "ada", object{"name": "One"})
	b.badge("1") // by itself
	b.holds(insideInbox + `.querySelector('[role=status]').textContent.startsWith('New: ')`)
	b.press("Notifications, 1 unread")
	b.reads("Hello One")
	o.trigger(t, "hello", "ada", object{"name": "Two"})
	b.reads("Hello Two")
	b.badge("2")
	b.look("inbox-open")

	b.press("Mark as read")
	b.badge("1")
	b.press("Unread")
	b.reads("Hello One")
	b.readsNoMore("Hello Two")
	b.press("Snooze")
	b.press("Tomorrow")
	b.badge("")
	b.reads("No notifications.")
	b.press("Snoozed")
	b.reads("Hello One")
	b.press("Unsnooze")
	b.badge("1")
	b.press("All")
	b.reads("Hello One")
	b.press("Mark all as read")
	b.badge("")
	b.press("More")
	b.press("Archive all")
	b.reads("No notifications.")
	b.press("Archived")
	b.reads("Hello Two")
	b.press("More actions")
	b.press("Delete")
	b.reads("1 deleted")
	b.readsNoMore("Hello Two")
	b.press("Undo")
	b.reads("Hello Two")
	b.press("More actions")
	b.press("Delete")
	b.readsNoMore("Hello Two")
	b.reads("Hello One")
	b.press("Unarchive")
	b.press("All")
	b.reads("Hello One")
	until(t, time.Minute, "the database to agree with the page, which shows a change before it is stored", func(context.Context) (bool, error) {
		return len(inboxNow(t, o.api, "ada")) == 1, nil
	})
}

func TestJourneyInboxPreferences(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.makeSubscriber(t, "ada", "de-AT")
	b := o.openInbox(t, "ada")
	b.press("Mitteilungen, 0 ungelesen") // the subscriber's language
	b.press("Einstellungen")
	b.reads("Alle Mitteilungen")
	b.press("Nur zu diesen Zeiten benachrichtigen")
	b.holds(insideInbox + `.querySelector('[role=status]').textContent === 'Gespeichert.'`)
	b.look("inbox-preferences")
	var stored struct {
		SubscriberBySubscriberID struct {
			Schedule *struct {
				IsEnabled      bool
				WeeklySchedule struct {
					Monday *struct{ Hours []struct{ Start, End string } }
					Sunday *struct{ IsEnabled bool }
				}
			}
		}
	}
	o.ask(t, `{ subscriberBySubscriberId(subscriberId: "ada") { schedule { isEnabled weeklySchedule { monday { hours { start end } } sunday { isEnabled } } } } }`, nil, &stored)
	schedule := stored.SubscriberBySubscriberID.Schedule
	require.NotNil(t, schedule)
	require.True(t, schedule.IsEnabled)
	require.Equal(t, "09:00 AM", schedule.WeeklySchedule.Monday.Hours[0].Start)
	require.Nil(t, schedule.WeeklySchedule.Sunday)
}

// openInboxWith is a tab with the example page, whose tokens come from the page's list, one by one, as they are asked for.
// script runs before anything else.
func (o *office) openInboxWith(t *testing.T, script string) *browser {
	t.Helper()
	b := browse(t, o.Process)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.begins(script)
	b.open("/inbox/")
	b.do(chromedp.Evaluate(`window.tokens = []; window.asked = 0;
		document.querySelector('carillon-inbox').token = async () => {
			window.asked++;
			while (tokens.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
			return tokens.shift();
		}`, nil))
	return b
}

// begins runs a script before those of each page that is opened from now on.
func (b *browser) begins(script string) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	}))
}

func (b *browser) giveToken(token string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`void tokens.push(%q)`, token), nil))
}

// noWebSocket is a network that lets no WebSocket pass.
const noWebSocket = `window.WebSocket = class { constructor() { setTimeout(() => this.onerror?.()) } close() {} send() {} }`

// TestJourneyInboxRenewsItsToken takes the token away from an open inbox, again and again: it asks for another, and shows
// what came meanwhile.
func TestJourneyInboxRenewsItsToken(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for transport, script := range map[string]string{"WebSocket": ``, "events": noWebSocket} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			o.makeSubscriber(t, transport, "en_GB")
			b := o.openInboxWith(t, script)
			b.expect("/graphql") // refused tokens are noted by the browser
			b.giveToken(subscriberToken(t, o.api, transport))
			for round := 1; round <= 5; round++ {
				b.holds(`document.querySelector('carillon-inbox').dataset.status === 'online'`)
				o.trigger(t, "hello", transport, object{"name": "Seen"})
				b.badge(fmt.Sprint(2*round - 1))
				o.ask(t, `mutation($who: String!) { revokeSubscriberTokens(subscriberId: $who) { subscriber { id } } }`, map[string]any{"who": transport}, nil)
				o.trigger(t, "hello", transport, object{"name": "Missed"})
				b.holds(fmt.Sprintf(`window.asked === %d`, round+1))
				b.giveToken(subscriberToken(t, o.api, transport))
				b.badge(fmt.Sprint(2 * round))
			}
			// A connection to an inbox where nothing happens is one all the same.
			o.ask(t, `mutation($who: String!) { revokeSubscriberTokens(subscriberId: $who) { subscriber { id } } }`, map[string]any{"who": transport}, nil)
			b.holds(`window.asked === 7`)
			b.giveToken(subscriberToken(t, o.api, transport))
			b.holds(`document.querySelector('carillon-inbox').dataset.status === 'online'`)
		})
	}
}
