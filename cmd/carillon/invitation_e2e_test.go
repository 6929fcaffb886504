//go:build e2e

package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
)

// noActionsOfAdmins is an expression: no button on the page is one that only admins may press.
const noActionsOfAdmins = `![...document.querySelectorAll('main button')].some((e) => e.getClientRects().length && /^(New|Create key|Invite|Remove|Delete|Change (?!password)|Revoke|Rotate|Reset)/.test(e.getAttribute('aria-label') || e.innerText))`

// TestJourneyInvitation leads a person from the invitation to a log-in with a second factor, and back out again.
func TestJourneyInvitation(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	const email = "reader@example.org"
	owner := o.logIn(t, "/environments/members")
	link := owner.invites(email, "EDITOR")
	owner.look("members")

	guest := browse(t, o.Process) // a profile of its own
	guest.do(chromedp.EmulateViewport(1440, 900))
	guest.open(link)
	guest.sees(operatorEmail + " invites " + email)
	guest.sees("as Editor")
	guest.look("invitation")
	guest.fill("First name", "Rita")
	guest.fill("Choose a password", "short")
	guest.click("button", "Accept")
	guest.wrong("Choose a password", "10 to 200")
	guest.fill("Choose a password", operatorPassword)
	guest.click("button", "Accept")
	guest.sees(email + "\nEditor")

	guest.misses("Audit log")
	guest.open("/dashboard/environments")
	guest.sees("Development")
	guest.misses("API keys of")
	guest.open("/dashboard/environments/members")
	guest.sees("Your second factor")
	guest.sees(operatorEmail)
	guest.holds(noActionsOfAdmins)
	guest.look("editor")
	for _, operation := range []string{
		`mutation { createInvitation(input: {email: "friend@example.org", role: VIEWER}) { url } }`,
		`mutation { createApiKey(input: {name: "x"}) { key } }`,
		`mutation { createEnvironment(input: {identifier: "mine"}) { environment { id } } }`,
		`{ invitations { nodes { id } } }`,
	} {
		require.Equal(t, "FORBIDDEN", guest.code(operation), operation)
	}
	require.Empty(t, guest.code(`mutation { createTopic(input: {key: "mine"}) { topic { id } } }`))

	secret := guest.enrols()
	guest.logOut(email)
	guest.sees("Log in to Carillon")
	guest.expect("/dashboard/session") // the browser itself notes that a code is asked for
	guest.fill("E-mail address", email)
	guest.fill("Password", operatorPassword)
	guest.click("button", "Log in")
	guest.fill("Code", "000000")
	guest.look("code")
	guest.click("button", "Log in")
	guest.poll(`!!document.querySelector('[role=alert]')`, "the refusal of a wrong code")
	guest.fill("Code", codeOf(t, secret, 1)) // the present one was used for the enrolment
	guest.click("button", "Log in")
	guest.sees("Enabled since")

	guest.open(link)
	guest.poll(`!!document.querySelector('[role=alert]')`, "an invitation counts once")

	owner.do(chromedp.Reload())
	owner.sees("No pending invitations.")
	owner.poll(`[...document.querySelectorAll('tr')].some((e) => e.innerText.includes('`+email+`') && e.querySelector('.badge.good')?.innerText === 'on')`, "the member with a second factor")
	owner.expect("401")
	guest.expect("401")
	guest.expect("WebSocket")
	guest.open("/dashboard/topics")
	guest.sees("mine")
	owner.click("button", "Remove")
	owner.click("button", "Remove")
	owner.misses(email)
	guest.click("link", "Tenants")
	guest.sees("Log in to Carillon")
}

// invites invites an address on the page of the members and returns the path of the link.
func (b *browser) invites(email, role string) string {
	b.t.Helper()
	b.fill("E-mail address of the new member", email)
	b.fill("Role", role)
	b.click("button", "Invite")
	b.sees("The invitation of " + email)
	var link string
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('.note.good code')].map((e) => e.innerText).find((e) => e.includes('/dashboard/invitation#'))`, &link))
	path, found := strings.CutPrefix(link, b.url)
	require.True(b.t, found, link)
	return path
}

// enrols switches the second factor on, on the page of the members, and returns its secret.
func (b *browser) enrols() (secret string) {
	b.t.Helper()
	b.fill("Your password", operatorPassword)
	b.click("button", "Set up")
	b.sees("Scan this code with your authenticator app")
	b.look("enrolment")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('p')].find((e) => e.innerText.startsWith('Secret:')).querySelector('code').innerText`, &secret))
	b.fill("Code from the app", codeOf(b.t, secret, 0))
	b.click("button", "Enable")
	b.sees("Each of these recovery codes")
	b.look("recovery")
	b.click("button", "I have saved them")
	b.sees("Enabled since")
	return secret
}

// codeOf is what an authenticator application shows, so many of its steps ahead of now.
func codeOf(t *testing.T, secret string, steps int) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(steps)*30*time.Second))
	require.NoError(t, err)
	return code
}

// TestJourneyDeleteEnvironment: an environment goes when its name is typed, and not before.
func TestJourneyDeleteEnvironment(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.organize(t, `mutation { createEnvironment(input: {identifier: "staging", name: "Staging Area", type: PRODUCTION}) { environment { id } } }`, nil)
	b := o.logIn(t, "/environments")
	b.click("button", "Delete Staging Area")
	b.look("asked")
	b.fill("Type Staging Area to confirm", "staging area")
	b.click("button", "Delete")
	b.wrong("Type Staging Area to confirm", "letter by letter")
	b.fill("Type Staging Area to confirm", "Staging Area")
	b.click("button", "Delete")
	b.holds(`!document.querySelector('[role=dialog]')`)
	b.holds(`![...document.querySelectorAll('td, option')].some((e) => e.innerText.includes('Staging Area'))`)
	b.misses("Staging Area")
}
