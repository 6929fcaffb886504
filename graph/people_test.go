package graph_test

import (
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
)

// TestPeopleAreAudited: what people do to their own accounts is told, and no secret of it.
func TestPeopleAreAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	scope := b.scope(t)
	const password = "correct horse battery"
	owner := b.owner(t)
	made := at(t, b.mustWith(t, owner, `mutation { createInvitation(input: {email: "ada@example.org"}) { token } }`, nil), "createInvitation")
	b.mustWith(t, "", `mutation($token: String!, $p: String!) { acceptInvitation(input: {token: $token, password: $p}) { email } }`, map[string]any{"token": at(t, made, "token"), "p": password})
	self := b.token(t, "ada@example.org", password)
	user := at(t, b.mustWith(t, self, `{ viewer { user { internalId } } }`, nil), "viewer", "user", "internalId")
	shown := at(t, b.mustWith(t, self, `mutation($p: String!) { beginSecondFactor(password: $p) { secret uri qrCode } }`, map[string]any{"p": password}), "beginSecondFactor")
	secret, _ := at(t, shown, "secret").(string)
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(t, err)
	codes := b.mustWith(t, self, `mutation($c: String!) { confirmSecondFactor(code: $c) { recoveryCodes } }`, map[string]any{"c": code})
	require.Len(t, at(t, codes, "confirmSecondFactor", "recoveryCodes"), 10)
	_, r := b.askWith(t, "", logIn, map[string]any{"email": "ada@example.org", "password": password})
	require.Equal(t, "SECOND_FACTOR_REQUIRED", r.code())
	b.mustWith(t, self, `mutation($p: String!) { removeSecondFactor(input: {password: $p}) { user { secondFactorAt } } }`, map[string]any{"p": password})
	link := at(t, b.mustWith(t, owner, `mutation($u: ID!) { createPasswordReset(userId: $u) { token } }`, map[string]any{"u": user}), "createPasswordReset")
	b.mustWith(t, "", `mutation($token: String!) { resetPassword(input: {token: $token, password: "another long one"}) { email } }`, map[string]any{"token": at(t, link, "token")})
	self = b.token(t, "ada@example.org", "another long one")
	b.mustWith(t, self, `mutation { setPassword(input: {password: "a third long one", currentPassword: "another long one"}) { user { id } } }`, nil)

	var actions []string
	for _, e := range b.audit(t, scope.EnvironmentID, "") {
		if e.ActorID == user {
			actions = append(actions, e.Action+" "+e.RecordType)
		}
		for _, secret := range []any{at(t, made, "token"), at(t, link, "token"), secret, password} {
			require.NotContains(t, e.Changes, secret)
		}
	}
	require.Equal(t, []string{
		"accept_invitation Member", "log_in User", "confirm_second_factor User", "remove_second_factor User", "reset_password User",
		"log_in User", "set_password User",
	}, actions)
}

// TestStrangersDoOneThing: operations without a credential are few, and one of them is all that a request may hold.
func TestStrangersDoOneThing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.org", member.RoleOwner, "correct horse battery")
	for _, text := range []string{
		`mutation { a: resetPassword(input: {token: "x", password: "another long one"}) { email } b: resetPassword(input: {token: "y", password: "another long one"}) { email } }`,
		`mutation { requestPasswordReset(email: "a@example.org") { accepted } logOut { loggedOut } }`,
		`{ invitationOffer(token: "x") { email } users { totalCount } }`,
		`mutation { createPasswordReset(userId: "x") { token } }`,
		`mutation { createInvitation(input: {email: "a@example.org"}) { token } }`,
	} {
		_, r := b.askWith(t, "", text, nil)
		require.Equal(t, "UNAUTHENTICATED", r.code(), text)
	}
	for text, code := range map[string]string{
		`mutation { resetPassword(input: {token: "crp_x", password: "another long one"}) { email } }`:           "NOT_FOUND",
		`{ invitationOffer(token: "cri_x") { email } }`:                                                         "NOT_FOUND",
		`mutation { acceptInvitation(input: {token: "cri_x", password: "another long one"}) { email } }`:        "NOT_FOUND",
		`mutation { acceptInvitation(input: {token: "cri_x"}) { email } }`:                                      "VALIDATION",
		`mutation { logIn(input: {email: "ada@example.org", password: "wrong", code: "000000"}) { token } }`:    "UNAUTHENTICATED",
		`mutation { logIn(input: {email: "nobody@example.org", password: "correct horse battery"}) { token } }`: "UNAUTHENTICATED",
	} {
		_, r := b.askWith(t, "", text, nil)
		require.Equal(t, code, r.code(), text)
	}
}
