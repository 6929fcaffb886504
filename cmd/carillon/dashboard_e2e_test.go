//go:build e2e

package main_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func TestJourneyLogIn(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := browse(t, o.Process)
	b.open("/dashboard")
	b.sees("Log in to Carillon")
	b.look("log-in")
	b.expect("/dashboard/session") // the browser itself notes the refusal
	b.fill("E-mail address", operatorEmail)
	b.fill("Password", "not the password")
	b.click("button", "Log in")
	b.sees("The address or the password is not right.")
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees("Activity")
	b.logOut(operatorEmail)
	b.sees("Log in to Carillon")
}

// mailThrough makes a workflow that sends a mail, a subscriber with an address, and a primary integration.
func (o *office) mailThrough(t *testing.T, provider string) {
	t.Helper()
	o.ask(t, `mutation { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {steps: [{type: EMAIL, stepId: "mail", email: {subject: "Your order", html: "<p>Thank you</p>"}}]}}) { workflow { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", email: "anna@example.org"}) { subscriber { id } } }`, nil, nil)
	o.ask(t, `mutation($p: String!) { createIntegration(input: {providerId: $p, name: "Post office", active: true, primary: true, credentials: {apiKey: "k", from: "a@example.org", senderName: "A"}}) { integration { id } } }`,
		map[string]any{"p": provider}, nil)
}

// TestJourneyBreaker: a vendor that refuses the key opens the breaker; the page says why, and closes it.
func TestJourneyBreaker(t *testing.T) {
	detailed(t)
	t.Parallel()
	var well atomic.Bool
	proxy := newInterceptor(t, func(*http.Request) (int, string) {
		if well.Load() {
			return http.StatusAccepted, ""
		}
		return http.StatusUnauthorized, `{"errors": [{"message": "The provided authorization grant is invalid, expired, or revoked"}]}`
	})
	o := openOffice(t, "HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+proxy.CertFile)
	o.mailThrough(t, "sendgrid")
	b := o.logIn(t, "/integrations")
	b.sees("Post office")
	o.trigger(t, "mail", "anna", object{})
	b.poll(`(() => { if (document.body.innerText.includes('Circuit open')) return true; [...document.querySelectorAll('button')].find((e) => e.innerText === 'Refresh')?.click(); return false })()`, "the open breaker")
	b.look("list")
	b.click("link", "Post office")
	b.sees("invalid, expired, or revoked")
	b.sees("Next probe")
	b.look("open")
	well.Store(true)
	b.click("button", "Close circuit")
	b.sees("Healthy")
	b.misses("Close circuit")
}

// trigger fires a workflow for one subscriber.
func (o *office) trigger(t *testing.T, workflow, subscriber string, payload object) {
	t.Helper()
	var out struct {
		TriggerEvent struct{ Result struct{ Status string } }
	}
	o.ask(t, `mutation($name: String!, $to: String!, $payload: JSON) {
		triggerEvent(input: {name: $name, to: [{subscriberId: $to}], payload: $payload}) { result { status } } }`,
		map[string]any{"name": workflow, "to": subscriber, "payload": payload}, &out)
	if out.TriggerEvent.Result.Status != "PROCESSED" {
		t.Fatalf("the trigger was answered with %s", out.TriggerEvent.Result.Status)
	}
}

// TestJourneyHome goes from the server's bare address to what is there.
func TestJourneyHome(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := browse(t, o.Process)
	b.open("/")
	b.sees("carillon users create")
	b.look("home")
	b.click("link", "Documentation")
	b.sees("Glossary")
	b.open("/")
	b.click("link", "Dashboard")
	b.sees("Password")
}

func TestJourneyWorkflows(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows")
	b.sees("Hello")
	b.look("list")
	badges := func(want string) {
		t.Helper()
		b.holds(fmt.Sprintf(`[...document.querySelectorAll('.badge')].map((e) => e.innerText).join() === %q`, want))
	}
	badges("Published") // and no problem, although no inbox was opened yet
	b.click("switch", "Hello is enabled")
	badges("Off")
	b.click("switch", "Hello is enabled")
	badges("Published")

	b.click("button", "New workflow")
	b.fill("Name", "Welcome")
	b.fill("Identifier", "welcome")
	b.look("new")
	b.click("button", "Create")
	b.sees("When triggered")
	badges("Draft")
	b.addStep("E-mail")
	b.fill("Subject", "Welcome, {{ payload.name }}")
	b.fill("HTML", "<h1>Hello {{ payload.name | upcase }}</h1>")
	b.sample()
	b.fill("Example payload (JSON)", `{"name": "Ada"}`)
	b.sees("Welcome, Ada")
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('Hello ADA')`)
	b.click("button", "Conditions")
	b.click("button", "Add a condition")
	b.fill("Field 1", "name")
	b.fill("Value 1", "Ada")
	b.look("editor")
	b.publish(1)
	b.click("link", "Versions")
	b.click("button", "Compare version 1")
	b.sees("No differences to the draft.")

	b.click("link", "Editor")
	b.fill("Subject", "Good day, {{ payload.name }}")
	b.sees("Draft saved")
	b.click("link", "Versions")
	b.click("button", "Compare version 1")
	b.sees("Good day, {{ payload.name }}")
	b.look("versions")
	b.click("link", "Editor")
	b.click("button", "Publish")
	b.sees("Changes since version 1")
	b.holds(`document.querySelector('.change del').innerText === 'Welcome, {{ payload.name }}' && document.querySelector('.change ins').innerText === 'Good day, {{ payload.name }}'`)
	b.look("publish")
	b.click("button", "Publish")
	b.sees("Published as version 2.")
	b.click("link", "Versions")
	b.click("button", "Compare version 1")
	b.act("field", "To", `if (e.options.length < 2) return false;
		Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(e, e.options[1].value);
		e.dispatchEvent(new Event('change', { bubbles: true }))`)
	b.holds(`document.querySelector('.diff .del')?.innerText.includes('Welcome, {{') && document.querySelector('.diff .add')?.innerText.includes('Good day, {{')`)
	b.do(chromedp.Reload())
	b.holds(`document.querySelector('.diff .add')?.innerText.includes('Good day, {{')`) // the address tells what is compared

	b.click("link", "Test")
	b.fill("Payload (JSON)", `{"name": "Bob"}`)
	b.click("button", "Explain")
	b.sees("What would happen")
	b.sees("Skip") // the condition asks for Ada
	b.look("explained")
	b.fill("Payload (JSON)", `{"name": "Ada"}`)
	b.click("button", "Forward 1 day")
	b.sees("paused")
	b.click("button", "Trigger")
	b.sees("Accepted as")
	b.sees("What happens")
	b.sees("No address") // the run's own trace, beside the clock
	b.look("test")
	b.click("link", "View in activity")
	b.click("link", "Welcome")
	b.sees("Timeline")
	b.sees("No address")
}

func TestJourneyIntegrations(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/integrations")
	b.sees("svc-email")
	b.look("list")
	b.click("button", "New integration")
	b.fill("Channel", "EMAIL")
	b.fill("Provider", "sendgrid")
	b.sees("API key (required)")
	b.look("new")
	b.click("button", "Create")
	b.poll(`!!document.querySelector('[role=dialog] [role=alert]')`, "a refusal that names what is missing")
	b.fill("API key", "SG.secret")
	b.fill("From", "news@example.org")
	b.fill("Sender name", "News")
	b.click("button", "Create")
	b.sees("Healthy")
	b.holds(`!document.body.innerHTML.includes('SG.secret')`) // a secret is never shown again
	b.look("integration")
	b.fill("Name", "Post office")
	b.click("button", "Save")
	b.sees("Saved.")

	b.open("/dashboard/integrations")
	b.click("link", "Demo e-mail")
	b.fill("To (e-mail address)", "anna@example.org")
	b.click("button", "Send")
	b.sees("Accepted.")
}

func TestJourneyCatcher(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Mail", identifier: "mail", definition: {steps: [{type: EMAIL, stepId: "mail", email: {subject: "Your order", html: "<h1>Thank you</h1><img src=\"https://elsewhere.example/pixel.png\"><script>parent.document.title = 'taken'</script>"}}]}}) { workflow { id } } }`, nil, nil)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna", email: "anna@example.org"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/catcher")
	b.sees("No caught messages.")
	o.trigger(t, "mail", "anna", object{})
	b.poll(`(() => { if (document.body.innerText.includes('Your order')) return true; [...document.querySelectorAll('button')].find((e) => e.innerText === 'Refresh')?.click(); return false })()`, "the caught mail")
	b.click("button", "Your order")
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('Thank you')`)
	b.look("caught")
	b.click("button", "Clear")
	b.click("button", "Clear")
	b.sees("No caught messages.")
}

func TestJourneySubscribers(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/subscribers")
	b.click("button", "New subscriber")
	b.fill("Identifier", "anna")
	b.fill("E-mail address", "anna@example.org")
	b.click("button", "Create")
	b.sees("Profile")
	b.fill("First name", "Anna")
	b.click("button", "Save")
	b.sees("Saved.")
	b.click("checkbox", "Deliver only within this schedule")
	b.click("checkbox", "Sunday: open")
	b.click("button", "Add hours on Monday")
	b.fill("Monday 1: from", "08:30")
	b.click("button", "Save schedule")
	b.poll(`[...document.querySelectorAll('[role=status]')].filter((e) => e.innerText === 'Saved.').length === 2`, "the hours are saved")
	b.look("profile")
	var hours struct {
		SubscriberBySubscriberID struct{ Schedule object }
	}
	o.ask(t, `{ subscriberBySubscriberId(subscriberId: "anna") { schedule { isEnabled weeklySchedule { monday { isEnabled hours { start end } } sunday { isEnabled } } } } }`, nil, &hours)
	require.Equal(t, object{"isEnabled": true, "weeklySchedule": map[string]any{
		"monday": map[string]any{"isEnabled": true, "hours": []any{map[string]any{"start": "08:30 AM", "end": "05:00 PM"}}},
		"sunday": map[string]any{"isEnabled": false},
	}}, hours.SubscriberBySubscriberID.Schedule)
	b.click("checkbox", "Deliver only within this schedule") // the message below shall not wait for them
	b.click("button", "Save schedule")
	b.poll(`[...document.querySelectorAll('[role=status]')].filter((e) => e.innerText === 'Saved.').length === 2`, "the hours are off")
	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	until(t, time.Minute, "the message is there", func(ctx context.Context) (bool, error) {
		var out struct{ Messages struct{ Nodes []object } }
		err := o.api.GraphQL(ctx, `{ messages(filter: {subscriberId: "anna"}) { nodes { id } } }`, nil, &out)
		return len(out.Messages.Nodes) > 0, err
	})

	b.click("link", "Preferences")
	b.sees("workflow’s default")
	b.click("checkbox", "In-app for Hello")
	b.sees("by subscriber")
	b.look("preferences")
	b.click("link", "Subscriptions")
	b.sees("Nothing here yet.")
	b.click("link", "Messages")
	b.sees("Sent")
	b.look("messages")
	b.open("/dashboard/subscribers")
	b.sees("anna@example.org")
	b.look("list")
}

func TestJourneyTopics(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createSubscriber(input: {subscriberId: "anna"}) { subscriber { id } } }`, nil, nil)
	b := o.logIn(t, "/topics")
	b.look("empty")
	b.click("button", "New topic")
	b.fill("Key", "releases")
	b.click("button", "Create")
	b.sees("Add a subscriber")
	b.fill("Subscriber", "nobody")
	b.click("button", "Subscribe")
	b.poll(`!!document.querySelector('[role=alert]')`, "a refusal")
	b.fill("Subscriber", "anna")
	b.click("button", "Subscribe")
	b.act("link", "anna", ``)
	b.look("topic")
	b.click("button", "Unsubscribe")
	b.sees("Nothing here yet.")
	b.click("button", "Delete")
	b.click("button", "Delete")
	b.sees("Nothing here yet.")
}

func TestJourneyEnvironments(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/environments")
	b.click("button", "New environment")
	b.fill("Identifier", "production")
	b.fill("Type", "PRODUCTION")
	b.click("button", "Create")
	b.sees("production")
	b.fill("Key name", "deployment")
	b.click("button", "Create key")
	b.sees("The new key is shown only once")
	b.look("environments")
	b.click("button", "Rotate") // the newest key stands first
	b.click("button", "Rotate")
	b.sees("until")
	b.click("button", "Revoke")
	b.click("button", "Revoke")
	b.sees("revoked")
	b.click("button", "Rotate secret")
	b.click("button", "Rotate secret")
	b.sees("The new secret is shown only once")
	b.click("button", "Change Development")
	b.fill("Default locale", "de")
	b.click("button", "Save")
	b.poll(`[...document.querySelectorAll('td')].some((e) => e.innerText === 'de')`, "the locale")

	// The other environment is another world.
	o.trigger(t, "hello", "anna", object{"name": "Anna"})
	b.switchEnvironment("production (production)")
	b.sees("No runs yet.")
}

func TestJourneyAudit(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createTopic(input: {key: "releases"}) { topic { id } } }`, nil, nil)
	b := o.logIn(t, "/audit")
	b.sees("Topic")
	b.look("audit")
	b.fill("Record type", "User")
	b.sees(operatorEmail + " ") // who did it, by name
	b.fill("Record type", "Nothing")
	b.sees("No entries match these filters.")
}
