//go:build e2e

package main_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// choose selects the option of a field that is shown with a text.
func (b *browser) choose(name, option string) {
	b.t.Helper()
	b.act("field", name, fmt.Sprintf(`const o = [...e.options].find((o) => o.innerText.startsWith(%q)); if (!o) return false;
		Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(e, o.value);
		e.dispatchEvent(new Event('change', { bubbles: true }))`, option))
}

const applyDocument = `mutation($d: JSON!) { applyConfiguration(input: {document: $d}) { plan { fingerprint } } }`

func TestJourneyVariables(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/variables")
	b.sees("No variables.")
	b.look("empty")
	b.click("button", "New variable")
	b.fill("Name", "1ST")
	b.fill("Value", "https://shop.example.com")
	b.click("button", "Create")
	b.wrong("Name", "begin with a letter")
	b.fill("Name", "SHOP")
	b.look("new")
	b.click("button", "Create")
	b.sees("https://shop.example.com")

	b.click("button", "New variable")
	b.fill("Name", "MAIL_PASSWORD")
	b.click("checkbox", "Secret")
	b.fill("Value", "very-secret")
	b.holds(`document.querySelector('[role=dialog] input[type=password]')`)
	b.click("button", "Create")
	b.sees("MAIL_PASSWORD")
	b.misses("very-secret")
	b.click("button", "Change MAIL_PASSWORD")
	b.holds(`document.querySelector('[role=dialog] input[type=password]').value === ''`)
	b.fill("Value", "another-secret")
	b.click("button", "Save")
	b.holds(`!document.querySelector('[role=dialog]')`)
	b.click("button", "Change SHOP")
	b.fill("Value", "https://new.example.com")
	b.click("button", "Save")
	b.sees("https://new.example.com")
	b.look("list")

	o.ask(t, applyDocument, map[string]any{"d": object{
		"layouts": object{"brand": object{"name": "Brand", "content": "<a href=\"{{ env.SHOP }}\">{{ content }}</a>"}},
		"integrations": object{"relay": object{"providerId": "nodemailer", "credentials": object{
			"host": "mail.example", "port": "25", "user": "shop", "password": "{{ env.MAIL_PASSWORD }}", "from": "a@shop.example",
		}}},
	}}, nil)
	b.click("button", "Delete SHOP")
	b.sees("SHOP is used in 1 place.")
	b.sees("Layout brand: content")
	b.look("used")
	b.click("button", "Cancel")
	b.click("button", "Delete MAIL_PASSWORD")
	b.sees("Integration relay: credentials")
	b.click("button", "Delete although it is used")
	b.misses("MAIL_PASSWORD")
	var out struct {
		Variables struct {
			Nodes []struct{ Name, Value string }
		}
	}
	o.ask(t, `{ variables { nodes { name value } } }`, nil, &out)
	require.Len(t, out.Variables.Nodes, 1)
	require.Equal(t, "https://new.example.com", out.Variables.Nodes[0].Value)
}

// TestJourneyPromote takes a part of an environment over into production, all of it later, and undoes that.
func TestJourneyPromote(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/promote")
	b.sees("A promotion needs two environments.")
	b.look("alone")
	o.organize(t, `mutation { createEnvironment(input: {identifier: "live", name: "Live", type: PRODUCTION}) { environment { id } } }`, nil)
	document := func(subject string) map[string]any {
		return map[string]any{"d": object{
			"layouts": object{"brand": object{"name": "Brand", "content": "<p>{{ content }}</p>"}},
			"workflows": object{"order": object{"name": "Order", "published": true, "steps": []object{
				{"stepId": "mail", "type": "email", "email": object{"subject": subject, "html": "<p>Thank you</p>", "layoutId": "brand"}},
			}}},
		}}
	}
	o.ask(t, applyDocument, document("Your order was shipped"), nil)

	b.open("/dashboard/promote")
	b.choose("To", "Live")
	b.choose("From", "Development")
	b.sees("workflow hello")
	b.fill("Only these resources", "order")
	b.wrong("Only these resources", "order is no resource")
	b.fill("Only these resources", "workflow/order")
	b.misses("workflow hello")
	b.sees("layout brand")
	b.look("new")
	b.click("checkbox", "layout brand")
	b.sees("layout brand, needed by workflow order")
	b.look("needed")
	b.click("checkbox", "Also promote what they refer to")
	b.sees("workflow order needs layout brand")
	b.click("checkbox", "Also promote what they refer to")
	b.click("button", "Promote")
	b.click("button", "Promote")
	b.sees("Promoted: 2 resources of Live changed.")
	b.sees("Live holds these resources already.")

	o.ask(t, applyDocument, document("Your parcel was shipped"), nil)
	b.click("link", "Promotions into Live")
	b.sees("workflow order created, version 1 as version 1")
	b.holds(`[...document.querySelectorAll('del')].map((e) => e.innerText).join() === 'order' && [...document.querySelectorAll('ins')].map((e) => e.innerText).join() === 'parcel'`)
	b.sees("steps[mail].email.subject")
	b.click("checkbox", "workflow hello")
	b.look("differences")
	o.ask(t, applyDocument, document("Your box was shipped"), nil)
	b.click("button", "Promote")
	b.click("button", "Promote")
	b.sees("Plan again.")
	b.click("button", "Plan again")
	b.misses("Plan again.")
	b.holds(`[...document.querySelectorAll('ins')].map((e) => e.innerText).join() === 'box'`)
	b.click("button", "Promote")
	b.click("button", "Promote")
	b.sees("workflow order changed, version 3 as version 2")
	b.sees(operatorEmail)
	b.look("history")
	b.click("button", "Undo")
	b.click("button", "Undo")
	b.sees("undoes an earlier one")
	b.sees("workflow order changed, now version 3")
	b.sees("steps[mail].email.subject") // it differs again
	b.look("undone")
}
