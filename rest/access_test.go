package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// accessRoutes are requests that succeed in the world, one for each documented route.
var accessRoutes = map[string]struct{ method, target, body string }{
	"GET /v1/channel-endpoints":                              {http.MethodGet, "/v1/channel-endpoints", ""},
	"GET /v1/channel-endpoints/{identifier}":                 {http.MethodGet, "/v1/channel-endpoints/none", ""},
	"GET /v2/subscribers/{subscriberId}/subscriptions":       {http.MethodGet, "/v2/subscribers/u1/subscriptions", ""},
	"DELETE /v1/integrations/{integrationId}":                {http.MethodDelete, "/v1/integrations/000000000000000000000fff", ""},
	"PATCH /v2/topics/{topicKey}/subscriptions/{identifier}": {http.MethodPatch, "/v2/topics/none/subscriptions/none", `{"name":"x"}`},
	"POST /v2/topics/{topicKey}/subscriptions":               {http.MethodPost, "/v2/topics/fresh/subscriptions", `{"subscriptions":["u1"]}`},
	"DELETE /v2/topics/{topicKey}/subscriptions":             {http.MethodDelete, "/v2/topics/none/subscriptions", `{"subscriptions":["u1"]}`},
	"PATCH /v2/subscribers/{subscriberId}/preferences/bulk":  {http.MethodPatch, "/v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"order-shipped","channels":{}}]}`},
	"POST /v1/subscribers/{subscriberId}/messages/mark-as":   {http.MethodPost, "/v1/subscribers/u1/messages/mark-as", `{"messageId":"000000000000000000000701","markAs":"read"}`},
	"GET /v2/subscribers/{subscriberId}/preferences":         {http.MethodGet, "/v2/subscribers/u1/preferences", ""},
	"GET /v2/workflows":                                      {http.MethodGet, "/v2/workflows", ""},
	"POST /v1/events/trigger":                                {http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1"}`},
	"POST /v1/events/trigger/broadcast":                      {http.MethodPost, "/v1/events/trigger/broadcast", `{"name":"order-shipped","payload":{}}`},
	"POST /v1/events/trigger/bulk":                           {http.MethodPost, "/v1/events/trigger/bulk", `{"events":[{"name":"order-shipped","to":"u1"}]}`},
}

// TestRoutesNeedScopes asks every documented route with a key of every single scope: it is answered when the table of
// operations says so, and else refused with 403 that names what is missing, before the request is read.
func TestRoutesNeedScopes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	routes := 0
	for operation, need := range usecase.Operations() {
		if !strings.Contains(operation, " /") {
			continue
		}
		routes++
		request, known := accessRoutes[operation]
		require.True(t, known, operation)
		for _, grant := range viewer.EnvironmentGrants() {
			w := b.ask(request.method, request.target, request.body, "Authorization", "ApiKey "+b.keyWith(t, grant))
			if may := viewer.GrantsOf(grant).Has(need.Keys[0]); may {
				require.NotContains(t, []int{401, 403, 500}, w.Code, "%s with %s: %s", operation, grant, w.Body)
				continue
			}
			require.Equal(t, http.StatusForbidden, w.Code, "%s with %s", operation, grant)
			require.Contains(t, w.Body.String(), `"This needs a key with the scope `+string(need.Keys[0])+`."`)
			if request.body != "" {
				w = b.ask(request.method, request.target, `{"broken": true}`, "Authorization", "ApiKey "+b.keyWith(t, grant))
				require.Equal(t, http.StatusForbidden, w.Code, "whatever else is wrong with it")
			}
		}
		w := b.ask(request.method, request.target, request.body, "Authorization", "ApiKey "+b.organizationKey(t))
		require.Equal(t, http.StatusForbidden, w.Code, operation)
		require.Contains(t, w.Body.String(), "An organization key does not reach this")
	}
	require.Equal(t, len(accessRoutes), routes)
}

// TestRepliesOfOtherKeys repeats a request with a key that lacks the scope: it is not given the reply.
func TestRepliesOfOtherKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflow(t, "order-shipped", steps(true), true)
	const body = `{"name":"order-shipped","to":"u1"}`
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", body, "Idempotency-Key", "k").Code)
	w := b.ask(http.MethodPost, "/v1/events/trigger", body, "Idempotency-Key", "k", "Authorization", "ApiKey "+b.keyWith(t, viewer.GrantContentRead))
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Empty(t, w.Header().Get("Idempotency-Replay"))
	w = b.ask(http.MethodPost, "/v1/events/trigger", body, "Idempotency-Key", "k", "Authorization", "ApiKey "+b.keyWith(t, viewer.GrantTrigger))
	require.Equal(t, "true", w.Header().Get("Idempotency-Replay"))
}

func (b *bundle) keyWith(t *testing.T, grant viewer.Grant) string {
	t.Helper()
	key := auth.NewKey("")
	b.db.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).SetScopes([]viewer.Grant{grant}).
		ExecX(viewer.InScope(t.Context(), b.scope))
	return key
}

func (b *bundle) organizationKey(t *testing.T) string {
	t.Helper()
	key := auth.NewKey("")
	b.db.Ent.OrganizationKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint(auth.Hint(key)).
		SetScopes(viewer.OrganizationGrants()).SetExpiresAt(b.now().Add(24 * time.Hour)).ExecX(viewer.InScope(t.Context(), b.scope))
	return key
}
