package graph_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// keyed posts an operation under an idempotency key.
func (b *bundle) keyed(t *testing.T, authorization, key, query string, variables map[string]any) (*httptest.ResponseRecorder, reply) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {authorization}, "Idempotency-Key": {key}}
	return b.serve(t, req)
}

const createTopic = `mutation($name: String!) { createTopic(input: {key: "k", name: $name}) { topic { internalId } } }`

// TestMutationsUnderIdempotencyKeys: the same key answers with the stored reply, and with a refusal for another mutation.
func TestMutationsUnderIdempotencyKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	named := map[string]any{"name": "N"}
	first, made := b.keyed(t, "ApiKey "+b.key, " key ", createTopic, named)
	require.Empty(t, made.Errors)
	require.Equal(t, "key", first.Header().Get("Idempotency-Key"))
	require.Empty(t, first.Header().Get("Idempotency-Replay"))
	second, _ := b.keyed(t, "ApiKey "+b.key, "key", createTopic, named)
	require.Equal(t, first.Body.String(), second.Body.String())
	require.Equal(t, "true", second.Header().Get("Idempotency-Replay"))

	other, refused := b.keyed(t, "ApiKey "+b.key, "key", createTopic, map[string]any{"name": "Other"})
	require.Equal(t, []any{http.StatusUnprocessableEntity, "VALIDATION", "key"}, []any{other.Code, refused.code(), other.Header().Get("Idempotency-Key")})
	weak, refused := b.keyed(t, keyWith(t, b.db, b.scope(t), viewer.GrantsOf(viewer.GrantTrigger)), "key", createTopic, named)
	require.Equal(t, []any{http.StatusUnprocessableEntity, "VALIDATION"}, []any{weak.Code, refused.code()}, "a stored answer is of its credential alone")
	long, refused := b.keyed(t, "ApiKey "+b.key, strings.Repeat("k", 256), createTopic, named)
	require.Equal(t, []any{http.StatusBadRequest, "IDEMPOTENCY_KEY_TOO_LONG"}, []any{long.Code, refused.code()})
	_, again := b.keyed(t, "ApiKey "+b.key, "another", createTopic, named)
	require.Equal(t, "ALREADY_EXISTS", again.code())
	_, free := b.keyed(t, "ApiKey "+b.key, "another", `mutation { createTopic(input: {key: "k2"}) { topic { key } } }`, nil)
	require.Empty(t, free.Errors, "what failed keeps no key")
}

// TestRunningMutationHoldsItsKey: a repetition that comes meanwhile is told to wait.
func TestRunningMutationHoldsItsKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.keyed(t, "ApiKey "+b.key, "key", createTopic, map[string]any{"name": "N"})
	b.db.Ent.IdempotencyRecord.Update().ClearStatusCode().ClearBody().ExecX(viewer.SystemContext(t.Context()))
	running, refused := b.keyed(t, "ApiKey "+b.key, "key", createTopic, map[string]any{"name": "N"})
	require.Equal(t, []any{http.StatusConflict, "IDEMPOTENCY_KEY_IN_USE", "1"}, []any{running.Code, refused.code(), running.Header().Get("Retry-After")})
}

// TestMutationsOfPeopleUnderIdempotencyKeys: a stored answer is of the person, whichever log-in asks for it, and of no other.
func TestMutationsOfPeopleUnderIdempotencyKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	named := map[string]any{"name": "N"}
	person, userID := loggedIn(t, b.db, b.scope(t), member.RoleEditor)
	first, made := b.keyed(t, person, "key", createTopic, named)
	require.Empty(t, made.Errors)
	token := auth.NewSessionToken("")
	b.db.Ent.Session.Create().SetEnvironmentID(b.scope(t).EnvironmentID).SetUserID(userID).SetHash(auth.HashKey(token)).
		SetExpiresAt(time.Now().Add(time.Hour)).ExecX(viewer.SystemContext(t.Context()))
	second, _ := b.keyed(t, "Bearer "+token, "key", createTopic, named)
	require.Equal(t, []any{first.Body.String(), "true"}, []any{second.Body.String(), second.Header().Get("Idempotency-Replay")})
	stored := b.db.Ent.IdempotencyRecord.Query().OnlyX(viewer.SystemContext(t.Context()))
	require.NotEqual(t, intake.Fingerprint("POST", "/graphql", b.scope(t).EnvironmentID, "person "+userID, createTopic, "", map[string]any{"name": "N"}), stored.RequestHash,
		"whoever reads the database could try what the request holds")
	other, _ := loggedIn(t, b.db, b.scope(t), member.RoleOwner)
	for _, authorization := range []string{other, "ApiKey " + b.key} {
		answer, refused := b.keyed(t, authorization, "key", createTopic, named)
		require.Equal(t, []any{http.StatusUnprocessableEntity, "VALIDATION"}, []any{answer.Code, refused.code()})
	}
}

// TestKeysThatDoNotCount: those of queries.
func TestKeysThatDoNotCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 2 {
		answer, r := b.keyed(t, "ApiKey "+b.key, "key", `query { topics(first: 1) { totalCount } }`, nil)
		require.Empty(t, r.Errors)
		require.Empty(t, answer.Header().Get("Idempotency-Key"))
	}
	require.Zero(t, b.db.Ent.IdempotencyRecord.Query().CountX(viewer.SystemContext(t.Context())))
}

// TestEventsOfLostRepliesAreNotDoubled: a mutation whose key expired without a reply runs again, and accepts nothing twice.
func TestEventsOfLostRepliesAreNotDoubled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const bulk = `mutation { bulkTriggerEvents(events: [
		{name: "hello", to: [{subscriber: {subscriberId: "a"}}]}, {name: "hello", to: [{subscriber: {subscriberId: "b"}}]}, {name: "none", to: [{subscriber: {subscriberId: "b"}}]}
	]) { results { status transactionId } } }`
	b.must(t, `mutation { createWorkflow(input: {identifier: "hello", name: "Hello", publish: true, definition: {steps: [{type: IN_APP, inApp: {body: "B"}}]}}) { workflow { id } } }`, nil)
	system := viewer.SystemContext(t.Context())
	first, made := b.keyed(t, "ApiKey "+b.key, "key", bulk, nil)
	require.Empty(t, made.Errors)
	b.db.Ent.IdempotencyRecord.Delete().ExecX(system)
	second, _ := b.keyed(t, "ApiKey "+b.key, "key", bulk, nil)
	require.Equal(t, first.Body.String(), second.Body.String())
	require.Equal(t, 2, b.db.Ent.Event.Query().CountX(system))
	results, _ := at(t, made.Data, "bulkTriggerEvents", "results").([]any)
	require.Regexp(t, "^txn_[0-9a-f]{24}$", at(t, results[0], "transactionId"))
	require.NotEqual(t, at(t, results[0], "transactionId"), at(t, results[1], "transactionId"))
	require.Nil(t, at(t, results[2], "transactionId"), "of what failed only an id that the caller gave is shown")
}
