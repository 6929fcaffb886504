package graph_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/viewer"
)

// person makes a member with a password.
func (b *bundle) person(t *testing.T, email string, role member.Role, password string) {
	t.Helper()
	org, err := b.db.Ent.Organization.Query().First(viewer.SystemContext(t.Context()))
	require.NoError(t, err)
	owner := viewer.InScope(t.Context(), viewer.Scope{OrganizationID: org.ID})
	_, err = b.services.Operator.CreatePerson(owner, access.CreatePersonInput{Email: email, Role: role, Password: password})
	require.NoError(t, err)
}

// askWith runs an operation with any credential, or none.
func (b *bundle) askWith(t *testing.T, authorization, query string, variables map[string]any) (int, reply) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	rec, r := b.post(t, authorization, string(body))
	return rec.Code, r
}

const logIn = `mutation($email: String!, $password: String!) { logIn(input: {email: $email, password: $password}) { token environment { identifier } } }`

func (b *bundle) token(t *testing.T, email, password string) string {
	t.Helper()
	_, r := b.askWith(t, "", logIn, map[string]any{"email": email, "password": password})
	require.Empty(t, r.Errors)
	token, _ := at(t, r.Data, "logIn", "token").(string)
	require.NotEmpty(t, token)
	return "Bearer " + token
}

func TestLogIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const password = "correct horse battery"
	b.person(t, "Owner@example.org", member.RoleOwner, password)
	b.person(t, "reader@example.org", member.RoleViewer, password)

	owner, reader := b.token(t, "owner@example.org", password), b.token(t, "reader@example.org", password)
	_, r := b.askWith(t, owner, `{ viewer { role user { email } environment { identifier } } }`, nil)
	require.Empty(t, r.Errors)
	require.Equal(t, "OWNER", at(t, r.Data, "viewer", "role"))
	require.Equal(t, "owner@example.org", at(t, r.Data, "viewer", "user", "email"))

	// A role reaches as far as its name says.
	const create = `mutation { createTopic(input: {key: "news"}) { topic { id } } }`
	_, r = b.askWith(t, reader, create, nil)
	require.Equal(t, "FORBIDDEN", r.code())
	_, r = b.askWith(t, owner, create, nil)
	require.Empty(t, r.Errors)

	// Without a credential nothing but a log-in runs.
	for _, query := range []string{
		`{ viewer { role } }`, `{ __schema { types { name } } }`, create, `not graphql`, `query { logIn }`,
		`mutation { logIn(input: {email: "a", password: "b"}) { token } createTopic(input: {key: "x"}) { topic { id } } }`,
	} {
		status, r := b.askWith(t, "", query, nil)
		require.Equal(t, http.StatusUnauthorized, status, query)
		require.Equal(t, "UNAUTHENTICATED", r.code(), query)
	}

	// A new password needs the old one, and ends all log-ins.
	const change = `mutation($current: String!) { setPassword(input: {password: "another long one", currentPassword: $current}) { user { id } } }`
	_, r = b.askWith(t, owner, change, map[string]any{"current": "wrong"})
	require.Equal(t, "VALIDATION", r.code())
	second := b.token(t, "owner@example.org", password)
	_, r = b.askWith(t, owner, change, map[string]any{"current": password})
	require.Empty(t, r.Errors)
	for _, ended := range []string{owner, second} {
		status, _ := b.askWith(t, ended, `{ viewer { role } }`, nil)
		require.Equal(t, http.StatusUnauthorized, status)
	}

	_, r = b.askWith(t, reader, `mutation { logOut { loggedOut } }`, nil)
	require.Empty(t, r.Errors)
	status, _ := b.askWith(t, reader, `{ viewer { role } }`, nil)
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestGuessesOfPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.org", member.RoleViewer, "correct horse battery")
	frozen := time.Now() // however long the guesses take
	logger := slog.New(slog.DiscardHandler)
	b.services = servicesAt(t, b.db, b.keeper, logger, nil, func() time.Time { return frozen })
	b.handler = b.patientDoor(logger)
	codes := map[string]int{}
	for range 8 {
		_, r := b.askWith(t, "", logIn, map[string]any{"email": "ada@example.org", "password": "guess"})
		codes[r.code()]++
	}
	require.Equal(t, 5, codes["UNAUTHENTICATED"])
	require.Equal(t, 3, codes["RATE_LIMITED"])
	_, r := b.askWith(t, "", logIn, map[string]any{"email": "nobody@example.org", "password": "guess"})
	require.Equal(t, "UNAUTHENTICATED", r.code(), "who does not exist is answered as who does")
}
