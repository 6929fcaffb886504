//go:build e2e

package main_test

import "fmt"

// screens are the pictures that are taken after logging in. token authenticates a subscriber to the inbox.
func screens(token string) []screen {
	return append(dashboardScreens(), []screen{
		{name: "inbox", path: "/inbox/#" + token, width: 768, do: func(b *browser) {
			b.press("Mitteilungen, ")
			b.reads("Hello Anna")
		}},
		{name: "inbox-dark", path: "/inbox/#" + token, width: 360, dark: true, do: func(b *browser) {
			b.press("Mitteilungen, ")
			b.reads("Hello Anna")
		}},
		{name: "inbox-preferences", path: "/inbox/#" + token, width: 360, do: func(b *browser) {
			b.press("Mitteilungen, ")
			b.press("Einstellungen")
			b.reads("Alle Mitteilungen")
		}},
	}...)
}

// step opens a step of the workflow in the editor, and waits for what comes later than the page: the canvas, and what the step looks like.
func step(name, shown string) func(*browser) {
	return func(b *browser) {
		b.click("button", name)
		b.holds(`innerWidth < 821 || document.querySelector('.react-flow__controls, .react-flow__edge')`)
		b.holds(shown)
	}
}

// mail is whether the preview of an e-mail has a text.
func mail(text string) string {
	return fmt.Sprintf(`document.querySelector('iframe.mail')?.srcdoc.includes(%q)`, text)
}

func dashboardScreens() []screen {
	return append(authoringScreens(), []screen{
		{name: "overview", path: "/dashboard/overview?period=2592000", sees: "Throughput", width: 1440},
		{name: "activity", path: "/dashboard/activity", sees: "Reminder", width: 1440, dark: true},
		{name: "trace", path: "/dashboard/activity", sees: "Reminder", width: 1440, do: func(b *browser) {
			b.click("link", "Welcome")
			b.sees("Timeline")
		}},
		{name: "health", path: "/dashboard/health", sees: "Offene Läufe", width: 768, german: true},
		{name: "alerts", path: "/dashboard/alerts", sees: "carla", width: 1440},
		{name: "alerts-german", path: "/dashboard/alerts", sees: "carla", width: 360, dark: true, german: true},
		{name: "subscribers", path: "/dashboard/subscribers", sees: "carla", width: 768, dark: true},
		{name: "subscriber", path: "/dashboard/subscribers/anna", sees: "Einzelheiten", width: 1440, german: true},
		{name: "subscriber-preferences", path: "/dashboard/subscribers/anna/preferences", sees: "Reminder", width: 768},
		{name: "audience", path: "/dashboard/audiences/gold", sees: "Preview", width: 1440},
		{name: "integrations", path: "/dashboard/integrations", sees: "Post office", width: 768, german: true},
		{name: "integration-form", path: "/dashboard/integrations", sees: "Post office", width: 1440, dark: true, do: func(b *browser) {
			b.click("button", "New integration")
			b.fill("Channel", "EMAIL")
			b.fill("Provider", "sendgrid")
			b.sees("API key (required)")
		}},
		{name: "webhooks", path: "/dashboard/webhooks", sees: "CRM", width: 768},
		{name: "broadcasts", path: "/dashboard/broadcasts", sees: "News", width: 1440},
		{name: "schedule", path: "/dashboard/schedules", sees: "Weekly news", width: 1440, german: true, do: func(b *browser) { b.click("link", "Weekly news") }},
		{name: "pauses", path: "/dashboard/repairs", sees: "asked us to stop", width: 768, dark: true},
		{name: "promote", path: "/dashboard/promote", sees: "From", width: 1440, do: func(b *browser) {
			b.choose("To", "Live")
			b.choose("From", "Development")
			b.sees("workflow hello")
		}},
		{name: "environments", path: "/dashboard/environments", sees: "deployment", width: 1440, german: true},
		{name: "members", path: "/dashboard/environments/members", sees: "viewer@example.org", width: 768, do: func(b *browser) {
			b.poll(`!document.querySelector('[aria-busy=true], .skeleton')`, "what is above and below the members is loaded")
			b.act("heading", "Members", "e.scrollIntoView()")
		}},
		{name: "audit", path: "/dashboard/audit", sees: "Integration", width: 360},
		{name: "design", path: "/dashboard/design", sees: "Buttons", width: 1440, dark: true},
	}...)
}

// authoringScreens are those of what is sent.
func authoringScreens() []screen {
	const editor = "/dashboard/workflows/welcome"
	return []screen{
		{name: "workflows", path: "/dashboard/workflows", sees: "Welcome", width: 768},
		{name: "workflow", path: editor, sees: "When triggered", width: 1440, do: step("When triggered", `document.querySelector('.panel .cm-content')`)},
		{name: "workflow-phone", path: editor, sees: "Beim Auslösen", width: 360, german: true},
		{name: "step-in-app", path: editor, sees: "When triggered", width: 768, do: step("inbox", `document.body.innerText.includes('Welcome, Jane')`)},
		{name: "step-blocks", path: editor, sees: "When triggered", width: 1440, do: step("letter", mail("gold plan")+` && document.querySelectorAll('.block').length === 2`)},
		{name: "step-code", path: editor, sees: "When triggered", width: 1440, dark: true, do: step("summary", mail("GOLD")+` && document.querySelector('[aria-label=HTML].cm-content')`)},
		{name: "step-digest", path: editor, sees: "Beim Auslösen", width: 1440, german: true, do: step("collect", `document.querySelector('input[type=time]')`)},
		{name: "step-sms-condition", path: editor, sees: "When triggered", width: 1440, do: func(b *browser) {
			step("text", `true`)(b)
			b.click("button", "Conditions")
			b.holds(`[...document.querySelectorAll('input')].some((e) => e.value === 'gold')`)
		}},
		{name: "publish", path: editor, sees: "When triggered", width: 1440, dark: true, do: func(b *browser) {
			step("When triggered", `document.querySelector('.panel .cm-content')`)(b)
			b.click("button", "Publish")
			b.sees("Changes since version 1")
		}},
		{name: "layout", path: "/dashboard/layouts/brand", sees: "Brand", width: 1440, do: func(b *browser) {
			b.holds(`document.querySelector('iframe.mail')?.srcdoc.includes('ACME for Jane')`)
		}},
		{name: "translations", path: "/dashboard/translations", sees: "hours", width: 1440, german: true},
	}
}
