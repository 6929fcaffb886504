package graph_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// credential is one kind of caller, and what the table of operations means for it: the code of the refusal, or "" when
// whatever the operation answers is no refusal for lack of rights.
type credential struct {
	authorization string
	refusal       func(usecase.Need) string
}

// never refuses every operation with one code.
func never(code string) func(usecase.Need) string { return func(usecase.Need) string { return code } }

// asKey is what a need means for an environment's key.
func asKey(grants viewer.Grants) func(usecase.Need) string {
	return func(n usecase.Need) string {
		switch {
		case n.Public || slices.ContainsFunc(n.Keys, grants.Has):
			return ""
		case len(n.Keys) == 0 && n.Hidden:
			return "NOT_FOUND"
		}
		return "FORBIDDEN"
	}
}

// asOrganizationKey is what a need means for an organization's key.
func asOrganizationKey(grants viewer.Grants) func(usecase.Need) string {
	return func(n usecase.Need) string {
		if n.Public || slices.ContainsFunc(n.Organization, grants.Has) {
			return ""
		}
		return "FORBIDDEN"
	}
}

// asMember is what a need means for a member.
func asMember(role viewer.Role) func(usecase.Need) string {
	return func(n usecase.Need) string {
		if n.Public || n.Role != "" && (viewer.Viewer{Role: role}).At(n.Role) {
			return ""
		}
		return "FORBIDDEN"
	}
}

// asEnrolling is what a need means for an owner who has to set up a second factor first.
func asEnrolling(n usecase.Need) string {
	if n.Public || n.Enrolment {
		return ""
	}
	if refusal := asMember(viewer.RoleOwner)(n); refusal != "" {
		return refusal
	}
	return "SECOND_FACTOR_MISSING"
}

// asSubscriber is what a need means for a subscriber's own credential.
func asSubscriber(n usecase.Need) string {
	if n.Public || n.Subscriber {
		return ""
	}
	return "FORBIDDEN"
}

// asNobody is what a need means for a request without a credential.
func asNobody(n usecase.Need) string {
	if n.Public {
		return ""
	}
	return "UNAUTHENTICATED"
}

// organizationKeyWith makes a key of an organization and returns it as an Authorization header.
func organizationKeyWith(t *testing.T, db *postgres.DB, scope viewer.Scope, grants viewer.Grants) (authorization string) {
	t.Helper()
	key := auth.NewKey("")
	db.Ent.OrganizationKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes(grants.List()).
		SetExpiresAt(time.Now().Add(24 * time.Hour)).ExecX(viewer.InScope(t.Context(), scope))
	return "ApiKey " + key
}

// credentials are all kinds of callers of an environment.
func credentials(t *testing.T, b *bundle, mine pgtest.Rows) map[string]credential {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	all := map[string]credential{
		"nothing":         {"", asNobody},
		"wrong key":       {"ApiKey " + auth.NewKey(""), never("UNAUTHENTICATED")},
		"wrong log-in":    {"Bearer " + auth.NewSessionToken(""), never("UNAUTHENTICATED")},
		"preset server":   {keyWith(t, b.db, mine.Scope, viewer.ServerGrants), asKey(viewer.ServerGrants)},
		"preset full":     {keyWith(t, b.db, mine.Scope, viewer.FullGrants), asKey(viewer.FullGrants)},
		"no scope at all": {keyWith(t, b.db, mine.Scope, viewer.Grants{}), asKey(viewer.Grants{})},
	}
	for _, g := range viewer.EnvironmentGrants() {
		all["scope "+string(g)] = credential{keyWith(t, b.db, mine.Scope, viewer.GrantsOf(g)), asKey(viewer.GrantsOf(g))}
	}
	for _, g := range viewer.OrganizationGrants() {
		all["organization key "+string(g)] = credential{organizationKeyWith(t, b.db, mine.Scope, viewer.GrantsOf(g)), asOrganizationKey(viewer.GrantsOf(g))}
	}
	for _, role := range []member.Role{member.RoleViewer, member.RoleEditor, member.RoleAdmin, member.RoleOwner} {
		login, _ := loggedIn(t, b.db, mine.Scope, role)
		all["member "+string(role)] = credential{login, asMember(viewer.Role(role))}
	}

	first, err := b.services.Bootstrap(t.Context(), access.BootstrapInput{})
	require.NoError(t, err)
	require.False(t, first.Created, "setup made it")
	all["bootstrap key"] = credential{"ApiKey " + b.key, asKey(viewer.FullGrants)}
	owner, _ := loggedIn(t, b.db, pgtest.Fill(t, b.db, "").Scope, member.RoleOwner)
	all["owner of another organization"] = credential{owner, asMember(viewer.RoleOwner)}

	// Keys that ended, of both kinds: by themselves, by hand, and because another one replaced them some time ago.
	inside, now, past := viewer.InScope(t.Context(), mine.Scope), time.Now(), time.Now().Add(-time.Hour)
	for name, c := range map[string]struct {
		expires            time.Time
		revoked            *time.Time
		successor, refusal string
	}{
		"expired": {past, nil, "", "UNAUTHENTICATED"}, "revoked": {now.Add(time.Hour), &past, "", "UNAUTHENTICATED"},
		"rotated": {past, nil, id.New(now), "UNAUTHENTICATED"}, "replaced, in its overlap": {now.Add(time.Hour), nil, id.New(now), ""},
	} {
		key, ofOrganization := auth.NewKey(""), auth.NewKey("")
		successor := &c.successor
		if c.successor == "" {
			successor = nil
		}
		b.db.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint("x").SetScopes(viewer.FullGrants.List()).
			SetExpiresAt(c.expires).SetNillableRevokedAt(c.revoked).SetNillableSuccessorID(successor).ExecX(inside)
		b.db.Ent.OrganizationKey.Create().SetName("k").SetHash(auth.HashKey(ofOrganization)).SetHint("x").SetScopes(viewer.OrganizationGrants()).
			SetExpiresAt(c.expires).SetNillableRevokedAt(c.revoked).SetNillableSuccessorID(successor).ExecX(inside)
		as, asOrganization := never(c.refusal), never(c.refusal)
		if c.refusal == "" {
			as, asOrganization = asKey(viewer.FullGrants), asOrganizationKey(viewer.GrantsOf(viewer.OrganizationGrants()...))
		}
		all["key "+name] = credential{"ApiKey " + key, as}
		all["organization key "+name] = credential{"ApiKey " + ofOrganization, asOrganization}
	}

	enrolling := pgtest.Fill(t, b.db, "")
	b.db.Ent.Organization.UpdateOneID(enrolling.Scope.OrganizationID).SetRequireSecondFactor(true).ExecX(system)
	newcomer, _ := loggedIn(t, b.db, enrolling.Scope, member.RoleOwner)
	all["owner without the required second factor"] = credential{newcomer, asEnrolling}

	suspended := pgtest.Fill(t, b.db, "")
	all["suspended environment"] = credential{keyWith(t, b.db, suspended.Scope, viewer.FullGrants), never("FORBIDDEN")}
	b.db.Ent.Environment.UpdateOneID(suspended.Scope.EnvironmentID).SetSuspended(true).ExecX(system)

	subscriber := b.db.Ent.Subscriber.GetX(viewer.InScope(t.Context(), mine.Scope), mine.IDs["subscribers"])
	token, err := (auth.SubscriberToken{
		EnvironmentID: mine.Scope.EnvironmentID, SubscriberID: subscriber.ID, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	}).Seal(b.keeper, "")
	require.NoError(t, err)
	all["subscriber"] = credential{"Bearer " + token, asSubscriber}
	return all
}

// requireKinds checks that no kind of credential is missing.
func requireKinds(t *testing.T, callers map[string]credential) {
	t.Helper()
	kinds := []string{
		"nothing", "wrong key", "wrong log-in", "bootstrap key", "preset full", "preset server", "no scope at all", "subscriber",
		"member viewer", "member editor", "member admin", "member owner", "owner of another organization", "suspended environment",
		"key expired", "key revoked", "key rotated", "organization key expired", "organization key revoked", "organization key rotated",
	}
	for _, g := range viewer.EnvironmentGrants() {
		kinds = append(kinds, "scope "+string(g))
	}
	for _, g := range viewer.OrganizationGrants() {
		kinds = append(kinds, "organization key "+string(g))
	}
	for _, kind := range kinds {
		require.Contains(t, callers, kind)
	}
}

// serveLive serves the bundle with live updates, over a network as WebSockets need it.
func (b *bundle) serveLive(t *testing.T) *httptest.Server {
	t.Helper()
	logger := slog.New(slog.NewJSONHandler(b.log, nil))
	hub := realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	server := httptest.NewServer(graph.NewHandler(graph.Config{
		Services: services(t, b.db, b.keeper, logger, hub), Authenticator: b.auth, Logger: logger, Live: hub,
	}))
	t.Cleanup(server.Close)
	return server
}

// watches are subscriptions that answer at once, also a caller who may have them: with what watchable made, or that what they
// name is not there.
var watches = map[string]string{
	"inboxUpdates":        `inboxUpdates(subscriberId: "unknown") { sequence }`,
	"notificationUpdates": `notificationUpdates(filter: {transactionId: "watched"}) { id }`,
}

// watchable gives every environment a notification for watches.
func watchable(t *testing.T, db *postgres.DB) {
	t.Helper()
	_, err := db.Pool.Exec(t.Context(), `UPDATE notifications SET transaction_id = 'watched', trace = '[{}]'`)
	require.NoError(t, err)
	var columns string // without those that the database computes
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
		WHERE table_name = 'notifications' AND is_generated = 'NEVER'`).Scan(&columns))
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO notifications (`+columns+`) SELECT `+columns+` FROM (
		SELECT (jsonb_populate_record(null::notifications, to_jsonb(n) || jsonb_build_object('id', e.id, 'environment_id', e.id, 'event_id', e.id))).*
		FROM environments e, (SELECT * FROM notifications LIMIT 1) n WHERE e.id NOT IN (SELECT environment_id FROM notifications)) copies`)
	require.NoError(t, err)
}

// watch begins a subscription over both transports and holds the first answer against what the table says.
func (c credential) watch(t *testing.T, server *httptest.Server, field *ast.FieldDefinition, need usecase.Need) {
	t.Helper()
	text := watches[field.Name]
	require.NotEmpty(t, text, "say in watches how %s is asked for", field.Name)
	if need.Subscriber && c.refusal(usecase.Need{Subscriber: true}) == "" {
		text = field.Name + " { __typename }" // a subscriber's own
	}
	body := fmt.Sprintf(`{"query":%q}`, "subscription { "+text+" }")
	holds := func(over, answer string) {
		t.Helper()
		if want := c.refusal(need); want != "" {
			require.Contains(t, answer, `"`+want+`"`, "%s over %s", text, over)
			return
		}
		for _, refusal := range []string{"UNAUTHENTICATED", "FORBIDDEN", "SECOND_FACTOR_MISSING", "INTERNAL"} {
			require.NotContains(t, answer, refusal, "%s over %s", text, over)
		}
		require.Regexp(t, `"data":{"|"errors":|"code":`, answer, "%s over %s", text, over)
	}

	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/graphql", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", c.authorization)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	lines, answer := bufio.NewScanner(response.Body), ""
	for answer == "" && lines.Scan() {
		if line := strings.TrimPrefix(lines.Text(), "data:"); strings.Contains(line, "{") {
			answer = line
		}
	}
	holds("events", answer)

	conn := dialGraphQL(t, server, ws)
	conn.say(initAs(c.authorization))
	first := struct{ Type string }{}
	if err := conn.conn.ReadJSON(&first); err != nil {
		// A credential that is good for nothing comes no further than the door.
		require.True(t, websocket.IsCloseError(err, 4403), "%v", err)
		require.NotEmpty(t, c.refusal(usecase.Operations()["viewer"]))
		require.NotEmpty(t, c.refusal(need), text)
		return
	}
	require.Equal(t, "connection_ack", first.Type)
	conn.say(`{"id":"1","type":"subscribe","payload":` + body + `}`)
	frame := conn.hear()
	require.Contains(t, []string{"next", "error"}, frame.Type, text)
	holds("WebSocket", string(frame.Payload))
	require.NoError(t, conn.conn.Close())
}

// TestAccessMatrix runs every field of the schema with every kind of credential, and compares refusals with the table of
// operations. A field that is not in the table fails, as does a row without a field.
func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	b := setup(t)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	table := usecase.Operations()
	known := map[string]bool{}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			require.Contains(t, table, field.Name, "say in internal/notify/access_operations.go what it needs")
			known[field.Name] = true
		}
	}
	for operation := range table {
		require.True(t, known[operation] || strings.Contains(operation, " /"), "%s is in the table, and not in the schema", operation)
	}

	mine := pgtest.Fill(t, b.db, "")
	callers := credentials(t, b, mine)
	requireKinds(t, callers)
	server := b.serveLive(t)
	watchable(t, b.db)
	// What is asked about are records of another environment, so that no call spoils the next one's.
	theirs := pgtest.Fill(t, b.db, "")
	w := walk{b: b, schema: schema, foreign: rowsOf(t, b.db, theirs), theirs: theirs}
	for _, name := range slices.Sorted(maps.Keys(callers)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
				for _, field := range root.Fields {
					if strings.HasPrefix(field.Name, "__") {
						continue
					}
					callers[name].try(t, w, root, field, table[field.Name])
				}
			}
			for _, field := range schema.Subscription.Fields {
				callers[name].watch(t, server, field, table[field.Name])
			}
		})
	}
}

// publicOperations need no credential and judge what they are given themselves: what each answers to the walk's example
// values. A log-in counts its tries and has tests of its own.
var publicOperations = map[string]string{
	"invitationOffer": "NOT_FOUND", "acceptInvitation": "NOT_FOUND", "resetPassword": "NOT_FOUND", "requestPasswordReset": "NO_MAIL_SENDER",
}

// publicAnswer is what a public operation answers to a caller: the same to all of them, but who accepts an invitation needs a
// log-in or a new password, and no program joins an organization.
func (c credential) publicAnswer(operation string) string {
	switch {
	case operation != "acceptInvitation" || c.refusal(usecase.Operations()["logOut"]) == "":
		return publicOperations[operation]
	case c.authorization == "":
		return "VALIDATION"
	}
	return "FORBIDDEN"
}

// try runs one operation and holds its answer against what the table says.
func (c credential) try(t *testing.T, w walk, root *ast.Definition, field *ast.FieldDefinition, need usecase.Need) {
	t.Helper()
	if field.Name == "logIn" || field.Name == "logOut" && c.refusal(need) == "" {
		return
	}
	text := w.call(root, field)
	status, r := w.b.askWith(t, c.authorization, text, nil)
	code, message := r.code(), ""
	if len(r.Errors) > 0 {
		message = r.Errors[0].Message
	}
	require.NotEqual(t, "INTERNAL", code, "%s\n%s", text, w.b.log)
	want := c.refusal(need)
	if need.Public && want == "" {
		want = c.publicAnswer(field.Name)
		require.NotEmpty(t, want, "say in publicOperations what %s answers to the example values", field.Name)
	}
	switch want {
	case "":
		require.NotContains(t, []string{"UNAUTHENTICATED"}, code, "%s: %s", text, message)
		if code == "FORBIDDEN" && !need.Subscriber { // for another reason than the credential's kind
			require.NotContains(t, message, "This needs", text)
			require.NotContains(t, message, "does not reach this", text)
		}
	case "FORBIDDEN":
		require.Equal(t, want, code, "%s: %d %s", text, status, message)
		if strings.HasPrefix(message, "This needs a key with the scope") {
			require.Regexp(t, `scope [a-z]+`, message)
		}
	default:
		require.Equal(t, want, code, "%s: %d %s", text, status, message)
	}
}

// call is the operation with the arguments it must have, answered by its name alone: nested fields have needs of their own.
func (w walk) call(root *ast.Definition, field *ast.FieldDefinition) string {
	text := w.text(root, field, false)
	head, _, _ := strings.Cut(text, " { __typename")
	if head == text {
		return text
	}
	return head + " { __typename } }"
}
