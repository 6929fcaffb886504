//go:build e2e

package main_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestJourneyActivity(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "")
	b.sees("No runs yet.")
	b.look("activity-empty")

	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	b.sees("anna") // by itself: the page hears of it
	b.look("activity")
	b.fill("Subscriber", "unknown")
	b.sees("Nothing matches these filters.")
	b.fill("Workflow", "hello")
	b.click("button", "Explain what a trigger would do now") // the list has no notification of this subscriber; explain says why
	b.sees("would be created")
	b.look("why-not")
	b.click("button", "Clear filters")
	b.fill("Subscriber", "anna")
	b.click("link", "Hello")
	b.sees("Timeline")
	b.sees("Hello Anna, this is your first notification.")
	b.look("panel")
	b.click("button", "Explain again")
	b.sees("What would happen now")
	b.click("button", "Open as a page")
	b.holds(`location.pathname.startsWith('/dashboard/activity/')`)
	b.sees("Hello Anna, this is your first notification.")
	b.look("trace")
}

// TestJourneyActivityKeys goes through the list and to other pages by keyboard alone, keeps a view, and changes the language.
func TestJourneyActivityKeys(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	for _, name := range []string{"anna", "bert", "carla"} {
		o.trigger(t, "hello", name, object{"name": name})
	}
	b := o.logIn(t, "/activity")
	b.sees("carla")
	b.holds(`new URLSearchParams(location.search).get('env') === 'development'`) // a link shows others the same
	press := func(keys ...string) {
		t.Helper()
		b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
		for _, key := range keys {
			b.do(chromedp.KeyEvent(key))
		}
	}
	press("j")
	b.sees("Timeline")
	b.holds(`document.querySelector('[role=row][aria-current=true]')?.ariaRowIndex === '2'`)
	press("j")
	b.holds(`document.querySelector('[role=row][aria-current=true]')?.ariaRowIndex === '3'`)
	press("k")
	b.holds(`document.querySelector('[role=row][aria-current=true]')?.ariaRowIndex === '2'`)
	press(kb.Escape)
	b.misses("Timeline")
	press("?")
	b.sees("Keyboard shortcuts")
	b.look("shortcuts")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.misses("Keyboard shortcuts")
	press("/")
	b.holds(`document.activeElement.tagName === 'INPUT'`)
	b.fill("Subscriber", "bert")
	b.misses("carla")
	b.click("button", "Views")
	b.click("menuitem", "Save this view")
	b.fill("Name", "Only Bert")
	b.click("button", "Save")
	b.sees("View “Only Bert” saved.")
	b.click("button", "Clear filters")
	b.sees("carla")
	b.click("button", "Views")
	b.click("menuitem", "Only Bert")
	b.misses("carla")

	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(input.ModifierCtrl)))
	b.holds(`document.activeElement.matches('[cmdk-input]')`)
	b.do(chromedp.KeyEvent("hello"))
	b.sees("Results")
	b.holds(`document.querySelector('[cmdk-item][data-selected=true]')?.innerText === 'Hello'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.holds(`location.pathname === '/dashboard/workflows/hello'`)
	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(input.ModifierCtrl)))
	b.holds(`document.activeElement.matches('[cmdk-input]')`)
	b.look("palette")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.holds(`!document.querySelector('[cmdk-input]')`)
	press("g", "s")
	b.holds(`location.pathname === '/dashboard/subscribers'`)
	b.click("button", operatorEmail)
	b.click("menuitem", "Deutsch")
	b.sees("Empfänger")
	b.holds(`document.documentElement.lang === 'de'`)
	b.open("/dashboard/activity")
	b.sees("Abgeschlossen")
	b.look("german")
	b.open("/dashboard/environments/members")
	b.sees("90 Tage")
	b.open("/dashboard/workflows/hello")
	b.holds(`document.querySelector('.react-flow [aria-label="Vergrößern"]')`)
}

// TestJourneyLongActivity scrolls through thousands of runs: the page holds few of them at a time. How long its frames take beside those of
// a page at rest is logged, and not judged: it is the machine's load that decides.
func TestJourneyLongActivity(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	const most = 100
	runs := long()
	for from := 0; from < runs; from += most {
		to := make([]object, most)
		for i := range to {
			to[i] = object{"subscriberId": fmt.Sprintf("person-%05d", from+i)}
		}
		o.ask(t, `mutation($to: [RecipientInput!]!) { triggerEvent(input: {name: "hello", to: $to, payload: {name: "you"}}) { result { status } } }`, map[string]any{"to": to}, nil)
	}
	until(t, 5*time.Minute, "all runs are there", func(ctx context.Context) (bool, error) {
		var out struct{ Notifications struct{ TotalCount int } }
		err := o.api.GraphQL(ctx, `{ notifications(filter: {workflow: "hello", statusIn: [COMPLETED]}) { totalCount } }`, nil, &out)
		return out.Notifications.TotalCount >= runs, err
	})
	b := o.logIn(t, "/activity")
	b.sees("person-")
	b.do(chromedp.Evaluate(`(async () => {
		const frames = async (n, then) => {
			const times = []
			for (let rest = n; rest > 0 && then(); rest--) {
				const start = performance.now()
				await new Promise(requestAnimationFrame)
				times.push(performance.now() - start)
			}
			return times.sort((a, b) => a - b)[times.length >> 1]
		}
		const list = document.querySelector('.long-table')
		window.drawn = 0
		window.still = await frames(60, () => true)
		window.moving = await frames(4000, () => {
			list.scrollTop += 900
			drawn = Math.max(drawn, document.querySelectorAll('.long-row').length)
			return document.querySelector('[aria-rowcount]').ariaRowCount === '-1'
		})
	})()`, nil))
	until(t, 5*time.Minute, "the list's end", func(context.Context) (ended bool, err error) {
		err = chromedp.Run(b.ctx, chromedp.Evaluate(`window.moving > 0`, &ended))
		return ended, err
	})
	b.holds(fmt.Sprintf(`+document.querySelector('[aria-rowcount]').ariaRowCount > %d`, runs))
	b.holds(`(document.querySelector('.long-table').scrollTop = 1e9, document.querySelector('.long-row:last-child')?.innerText.includes('person-'))`)
	var frame struct{ Still, Moving float64 }
	b.do(chromedp.Evaluate(`({ still, moving })`, &frame))
	t.Logf("median frame: %.0f ms while scrolling, %.0f ms at rest", frame.Moving, frame.Still)
	b.holds(`window.drawn > 0 && window.drawn < 100`)
	b.look("end")
}

// TestJourneyTrace follows a run in its open trace until the run has finished.
func TestJourneyTrace(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Later", identifier: "later", definition: {steps: [
		{type: DELAY, stepId: "wait", delay: {type: REGULAR, amount: 2, unit: DAYS}},
		{type: IN_APP, stepId: "inbox", inApp: {body: "It is time, {{ subscriber.firstName }}."}}]}}) { workflow { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", firstName: "Anna"}) { subscriber { id } } }`, nil, nil)
	o.trigger(t, "later", "anna", object{})
	b := o.logIn(t, "/activity")
	b.click("link", "Later")
	b.sees("Waiting")
	b.misses("It is time, Anna.")
	b.do(chromedp.Evaluate(`window.untouched = true`, nil)) // gone if anything loaded the page anew
	o.ask(t, `mutation { advanceClock(by: "P3D") { clock { settled } } }`, nil, nil)
	b.sees("It is time, Anna.")
	b.sees("Completed")
	b.holds(`window.untouched`)
	b.look("live")
}

// TestJourneyProviderID finds a notification by what its vendor calls the message.
func TestJourneyProviderID(t *testing.T) {
	detailed(t)
	t.Parallel()
	proxy := newInterceptor(t, func(*http.Request) (int, string) {
		return http.StatusOK, `{"ErrorCode": 0, "MessageID": "vendor-4711"}`
	})
	o := openOffice(t, "HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+proxy.CertFile)
	o.mailThrough(t, "postmark")
	o.trigger(t, "mail", "anna", object{})
	b := o.logIn(t, "/activity")
	b.sees("anna")
	b.click("button", "More filters")
	b.fill("Provider message ID", "nothing-known")
	b.sees("Nothing matches these filters.")
	until(t, time.Minute, "the vendor took the mail", func(ctx context.Context) (bool, error) {
		var out struct{ Notifications struct{ Nodes []object } }
		err := o.api.GraphQL(ctx, `{ notifications(filter: {providerMessageId: "vendor-4711"}) { nodes { id } } }`, nil, &out)
		return len(out.Notifications.Nodes) > 0, err
	})
	b.fill("Provider message ID", "vendor-4711")
	b.sees("anna")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.click("link", "Mail")
	b.sees("vendor-4711")
	b.sees("Attempts")
	b.sees("Accepted")
	b.look("attempts")
}

func TestJourneyOverview(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {steps: [{type: EMAIL, stepId: "mail", email: {subject: "Your order", html: "<p>Thank you</p>"}}]}}) { workflow { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", email: "anna@example.org"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/overview")
	b.sees("No requests in this period.")
	o.trigger(t, "mail", "anna", object{})
	b.poll(`(() => { if (document.body.innerText.includes('svc-email')) return true; [...document.querySelectorAll('button')].find((e) => e.innerText === 'Refresh')?.click(); return false })()`, "the call")
	b.sees("Throughput")
	b.holds(`document.querySelectorAll('.uplot canvas').length === 3`)
	b.sees("All integrations work")
	b.look("overview")
	b.fill("Time", "604800")
	b.sees("svc-email")
	b.click("link", "E-mail") // a figure leads to its list
	b.holds(`new URLSearchParams(location.search).get('channel') === 'EMAIL'`)
	b.sees("anna@example.org")
	b.look("messages")
	b.click("button", "Requests")
	b.sees("Accepted")
	b.look("requests")
}
