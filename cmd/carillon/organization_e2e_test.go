//go:build e2e

package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestJourneyOrganizationKeys: an owner makes a key of the organization, sees it once, rotates it with an overlap and revokes
// it; admins only see it.
func TestJourneyOrganizationKeys(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.member(t, "admin@example.org", "ADMIN")
	b := o.logIn(t, "/environments/members")
	b.sees("Organization keys")
	b.fill("Organization key name", "terraform")
	b.click("button", "Create organization key")
	b.poll(`!!document.querySelector('[role=alert]')`, "the refusal of a key without scopes")
	b.click("checkbox", "Environments")
	b.click("button", "Create organization key")
	b.sees("The new organization key")
	b.look("organization-key")
	first := b.organizationKey("")
	require.True(t, o.works(t, first))

	b.click("button", "Rotate terraform")
	b.click("button", "Rotate terraform")
	second := b.organizationKey(first)
	b.sees("replaced")
	require.True(t, o.works(t, first), "in the overlap")
	require.True(t, o.works(t, second))
	b.look("rotated")

	b.click("button", "Revoke terraform") // the newest key is first
	b.click("button", "Revoke terraform")
	b.sees("revoked")
	require.False(t, o.works(t, second))
	require.True(t, o.works(t, first))

	admin := o.logInAs(t, "admin@example.org", "/environments/members")
	admin.sees("terraform")
	admin.holds(`![...document.querySelectorAll('main button')].some((e) => e.getClientRects().length && /terraform|organization key/.test(e.innerText))`)
}

// organizationKey is the key that the page shows once, when it is another one than before.
func (b *browser) organizationKey(before string) (key string) {
	b.t.Helper()
	b.poll(`[...document.querySelectorAll('.note.good code')].some((e) => e.innerText.startsWith('crl_') && e.innerText !== '`+before+`')`, "a new key")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('.note.good code')].map((e) => e.innerText).find((e) => e.startsWith('crl_'))`, &key))
	return strings.TrimSpace(key)
}

// works reports whether a key of the organization is valid.
func (o *office) works(t *testing.T, key string) bool {
	t.Helper()
	c := &client.Client{URL: o.URL(), Key: key}
	return c.GraphQL(within(t, time.Minute), `{ environments { nodes { id } } }`, nil, nil) == nil
}

// TestJourneyRequiredSecondFactor: an owner requires second factors, after setting up their own; a member without one can set
// it up and nothing else. Later they replace their recovery codes and log in with one.
func TestJourneyRequiredSecondFactor(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	const email = "editor@example.org"
	o.member(t, email, "EDITOR")
	owner := o.logIn(t, "/environments/members")
	owner.sees("Second factor of members")
	owner.click("switch", "Members need a second factor")
	owner.poll(`[...document.querySelectorAll('[role=alert]')].some((e) => e.innerText.includes('Set up your own second factor first'))`, "the refusal")
	owner.enrols()
	owner.click("switch", "Members need a second factor")
	owner.sees("Required")
	owner.look("required")

	b := browse(t, o.Process)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.open("/dashboard/topics")
	b.fill("E-mail address", email)
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees("Set up your second factor")
	b.look("enrol")
	b.misses("New topic")
	require.Equal(t, "SECOND_FACTOR_MISSING", b.code(`{ topics { nodes { id } } }`))
	b.enrolsHere()
	b.sees("New topic") // where they were
	require.Empty(t, b.code(`{ topics { nodes { id } } }`))

	b.open("/dashboard/environments/members")
	b.fill("Your password, for new recovery codes", operatorPassword)
	b.click("button", "Create new recovery codes")
	b.sees("The old recovery codes are no longer valid.")
	var codes string
	b.do(chromedp.Evaluate(`document.querySelector('[aria-label="Recovery codes"]').innerText`, &codes))
	require.Len(t, strings.Fields(codes), 10)
	b.look("recovery-codes")
	b.click("button", "I have saved them")
	b.logOut(email)
	b.expect("/dashboard/session") // the browser itself notes that a code is asked for
	b.fill("E-mail address", email)
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.fill("Code", strings.Fields(codes)[0])
	b.click("button", "Log in")
	b.sees(email)
}

// enrolsHere sets up the second factor on the page that asks for nothing else.
func (b *browser) enrolsHere() {
	b.t.Helper()
	var secret string
	b.fill("Your password", operatorPassword)
	b.click("button", "Set up")
	b.sees("Scan this code with your authenticator app")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('p')].find((e) => e.innerText.startsWith('Secret:')).querySelector('code').innerText`, &secret))
	b.fill("Code from the app", codeOf(b.t, secret, 0))
	b.click("button", "Enable")
	b.sees("Each of these recovery codes")
	b.click("button", "I have saved them")
}
