//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestJourneyTwoFormsOfARecord edits records in two tabs: a form sends the fields that were changed in it, so that both changes stay, and
// asks before it overwrites one that was changed elsewhere.
func TestJourneyTwoFormsOfARecord(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation {
		createSubscriber(input: {subscriberId: "eve", firstName: "Eve", email: "eve@example.org"}) { subscriber { id } }
		createTenant(input: {identifier: "acme", name: "Acme", data: {plan: "free"}}) { tenant { id } }
		createIntegration(input: {providerId: "nodemailer", name: "Mail", credentials: {host: "a.example.org", port: "25", from: "a@example.org"}}) { integration { id } }
		createWebhookEndpoint(input: {url: "https://hooks.example.org/a", description: "First"}) { webhookEndpoint { id } }
	}`, nil, nil)
	var found struct {
		Integrations struct{ Nodes []struct{ ID, Name string } }
	}
	o.ask(t, `{ integrations(first: 50) { nodes { id name } } }`, nil, &found)
	integration := ""
	for _, i := range found.Integrations.Nodes {
		if i.Name == "Mail" {
			integration = i.ID
		}
	}
	require.NotEmpty(t, integration)
	const conflict = "This was changed elsewhere while you edited it"
	for _, record := range []struct {
		path, open, field, other, query string
	}{
		{"/subscribers/eve", "", "First name", "Last name", `{ is: subscriberBySubscriberId(subscriberId: "eve") { field: firstName other: lastName } }`},
		{"/tenants/acme", "", "Name", "Data (JSON)", `{ is: tenantByIdentifier(identifier: "acme") { field: name other: data } }`},
		{"/integrations/" + integration, "", "From address", "Name", `{ is: integration(id: "` + integration + `") { field: credentials { from } other: name } }`},
		{"/webhooks", "Change https://hooks.example.org/", "Description", "URL", `{ list: webhookEndpoints(first: 1) { nodes { field: description other: url } } }`},
	} {
		stored := func() string {
			t.Helper()
			var found any
			o.ask(t, record.query, nil, &found)
			return fmt.Sprint(found)
		}
		shows := func() *browser {
			t.Helper()
			b := o.logIn(t, record.path)
			if record.open != "" {
				b.click("button", record.open)
			}
			b.holds(fmt.Sprintf(`%s("field", %q)`, find, record.field))
			return b
		}
		saved := func(b *browser) {
			t.Helper()
			b.click("button", "Save")
			if record.open == "" {
				b.sees("Saved.")
			} else {
				b.misses("Save")
			}
		}
		changes := map[string]string{"Data (JSON)": `{"plan": "other-9"}`, "URL": "https://hooks.example.org/other-9"}
		other, ok := changes[record.other]
		if !ok {
			other = "other-9"
		}

		first, second := shows(), shows()
		first.fill(record.field, "field-1@example.org")
		saved(first)
		second.fill(record.other, other)
		saved(second)
		require.Contains(t, stored(), "field-1@example.org", record.path)
		require.Contains(t, stored(), "other-9", record.path)

		first, second = shows(), shows()
		first.fill(record.field, "field-2@example.org")
		saved(first)
		second.fill(record.field, "field-3@example.org")
		second.click("button", "Save")
		second.sees(conflict)
		second.sees("Meanwhile changed to: field-2@example.org")
		second.look("conflict of a record")
		require.Contains(t, stored(), "field-2@example.org", record.path)
		second.click("button", "Take the other version and drop mine")
		second.misses(conflict)
		second.holds(fmt.Sprintf(`%s("field", %q)?.value === "field-2@example.org"`, find, record.field))
		second.fill(record.field, "field-4@example.org")
		saved(second)
		require.Contains(t, stored(), "field-4@example.org", record.path)

		if record.open != "" {
			continue
		}
		first.fill(record.field, "field-5@example.org")
		first.click("button", "Save")
		first.sees(conflict)
		first.click("button", "Overwrite it with mine")
		first.misses(conflict)
		first.sees("Saved.")
		require.Contains(t, stored(), "field-5@example.org", record.path)
	}
}

// TestJourneyToAnotherSubscriber: the page of another subscriber shows and saves what that one has, however one comes to it.
func TestJourneyToAnotherSubscriber(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation {
		one: createSubscriber(input: {subscriberId: "one", firstName: "Una", email: "una@example.org"}) { subscriber { id } }
		two: createSubscriber(input: {subscriberId: "two", firstName: "Dua"}) { subscriber { id } }
	}`, nil, nil)
	b := o.logIn(t, "/subscribers/one")
	b.holds(find + `("field", "First name")?.value === "Una"`)
	b.do(chromedp.Evaluate(`history.pushState(null, "", "/dashboard/subscribers/two")`, nil)) // as a link of the palette does
	b.holds(find + `("field", "First name")?.value === "Dua"`)
	b.fill("Last name", "Second")
	b.click("button", "Save")
	b.sees("Saved.")
	var found struct {
		Is struct{ FirstName, LastName, Email *string }
	}
	o.ask(t, `{ is: subscriberBySubscriberId(subscriberId: "two") { firstName lastName email } }`, nil, &found)
	require.Equal(t, "Dua", *found.Is.FirstName)
	require.Equal(t, "Second", *found.Is.LastName)
	require.Nil(t, found.Is.Email, "that of the other one")
}
