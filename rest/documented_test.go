package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/rest"
)

// Every answer shows the configured prefix; every question may use it, or svc.
func TestValuePrefix(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	b := setupOn(t, db, func(cfg *rest.Config) {
		cfg.Resolvers = &graph.Resolver{Services: notify.New(usecase.Config{DB: db, Now: timeNow, Secrets: keeper, Providers: registry(t), Prefix: "acme"})}
	})
	b.world(t)
	for target, want := range map[string]string{
		"GET /v2/workflows": `"origin":"acme-cloud"`, "GET /v2/workflows?query=broken": `"origin":"acme-cloud-v1"`,
		"GET /v2/workflows?query=alarm": `"origin":"external"`, "GET /v1/channel-endpoints/chep-2": `"providerId":"acme-slack"`,
		"GET /v1/channel-endpoints?providerId=acme-slack": `"identifier":"chep-2"`, "GET /v1/channel-endpoints?providerId=svc-slack": `"identifier":"chep-2"`,
		"GET /v1/channel-endpoints?providerId=acme-fax":                                                 `"statusCode":422`,
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":"` + fixed(0x701) + `","markAs":"read"}`: `"providerId":"acme"`,
		"DELETE /v1/integrations/" + fixed(0x504):                                                       `"providerId":"acme-email"`,
	} {
		parts := append(strings.SplitN(target, " ", 3), "")
		w := b.ask(parts[0], parts[1], parts[2])
		require.Contains(t, w.Body.String(), want, target)
		require.NotRegexp(t, `"(providerId|origin)":"svc`, w.Body.String(), target)
	}
}

// What has no data member at its top is wrapped where the operator wants it; errors never are.
func TestResponseWrapperOfEveryKind(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *rest.Config) { cfg.ResponseWrapper = "data" })
	b.world(t)
	for target, want := range map[string]string{
		"GET /v1/channel-endpoints/chep-1": `{"data":{"identifier":`, "GET /v1/channel-endpoints?limit=1": `{"data":[{"identifier":`,
		"GET /v2/workflows": `{"data":{"workflows":[`, "DELETE /v1/integrations/" + fixed(0x501): `{"data":[{"_id":`,
		`POST /v2/topics/news/subscriptions {"subscriptions":["u1"]}`: `{"data":[{"_id":`, "GET /v2/subscribers/x/preferences": `{"message":`,
		`POST /v2/topics/news/subscriptions {"subscriptions":["nobody"]}`: `{"data":[],"errors":[{`,
	} {
		parts := append(strings.SplitN(target, " ", 3), "")
		require.True(t, strings.HasPrefix(b.ask(parts[0], parts[1], parts[2]).Body.String(), want), target)
	}
}

func TestBodyLimitOfTheOtherRoutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	const limit = 1 << 20
	body := func(size int) string { return `{"x":"` + strings.Repeat("a", size-8) + `"}` }
	for _, route := range []string{
		"PATCH /v2/subscribers/u1/preferences/bulk", "POST /v1/subscribers/u1/messages/mark-as", "POST /v2/topics/news/subscriptions",
		"DELETE /v2/topics/news/subscriptions", "PATCH /v2/topics/news/subscriptions/second",
		"DELETE /v1/integrations/" + fixed(0x501),
	} {
		method, path, _ := strings.Cut(route, " ")
		require.NotEqual(t, http.StatusRequestEntityTooLarge, b.ask(method, path, body(limit)).Code, route)
		require.Equal(t, http.StatusRequestEntityTooLarge, b.ask(method, path, body(limit+1)).Code, route)
	}
}

// A key sees the records of its own environment only.
func TestOtherEnvironmentsDoNotExist(t *testing.T) {
	t.Parallel()
	own := setup(t)
	own.world(t)
	other := setupOn(t, own.db)
	for _, c := range []struct{ question, want string }{
		{"GET /v1/channel-endpoints", `"totalCount":0`},
		{"GET /v1/channel-endpoints?after=" + fixed(0x601), `"data":[],"next":null`},
		{"GET /v1/channel-endpoints/chep-1", `"statusCode":404`},
		{"GET /v2/workflows", `{"workflows":[],"totalCount":0}`},
		{"GET /v2/subscribers/u1/subscriptions", `"statusCode":404`},
		{"GET /v2/subscribers/u1/preferences", `"statusCode":404`},
		{"DELETE /v1/integrations/" + fixed(0x501), `"statusCode":404`},
		{"PATCH /v2/topics/news/subscriptions/second {}", `"statusCode":404`},
		{`DELETE /v2/topics/news/subscriptions {"subscriptions":["u1"]}`, `"statusCode":404`},
		{`PATCH /v2/subscribers/u1/preferences/bulk {"preferences":[]}`, `"statusCode":404`},
		{`POST /v1/subscribers/u1/messages/mark-as {"messageId":"` + fixed(0x701) + `","markAs":"read"}`, `"statusCode":404`},
		{`POST /v2/topics/news/subscriptions {"subscriptions":["u1"]}`, `"SUBSCRIBER_NOT_FOUND"`},
		{`POST /v1/events/trigger {"name":"welcome","to":"u1"}`, `workflow_not_found`},
	} {
		parts := append(strings.SplitN(c.question, " ", 3), "")
		require.Contains(t, other.ask(parts[0], parts[1], parts[2]).Body.String(), c.want, c.question)
	}
}

func TestSuspendedEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.db.Ent.Environment.UpdateOneID(b.scope.EnvironmentID).SetSuspended(true).Exec(viewer.SystemContext(t.Context())))
	w := b.ask(http.MethodGet, "/v2/workflows", "")
	require.Equal(t, http.StatusForbidden, w.Code)
	require.JSONEq(t, `{"statusCode":403,"timestamp":"2025-03-01T09:30:00.000Z","path":"/v2/workflows","message":"This environment is suspended."}`, w.Body.String())
}

// Internal ids are read in capitals too, wherever they are given (decisions.md §1).
func TestIDsInCapitals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	require.NoError(t, b.db.Ent.Integration.Create().SetID(fixed(0xabc)).SetIdentifier("x").SetName("x").SetProviderID("slack").
		SetChannel(workflow.ChannelChat).SetCredentials([]byte{}).SetConfigurations([]byte{}).Exec(ctx))
	require.NoError(t, b.db.Ent.Workflow.Create().SetID(fixed(0xabd)).SetIdentifier("capital").SetName("x").
		SetDraft(&workflow.Definition{}).Exec(ctx))
	require.NoError(t, b.db.Ent.Message.Create().SetID(fixed(0xabe)).SetNotificationID(fixed(1)).SetEventID(fixed(0x801)).
		SetTransactionID("tx-1").SetWorkflowID(fixed(0xabd)).SetWorkflowIdentifier("capital").SetStepID("s").SetSubscriberID(fixed(0x101)).
		SetChannel(workflow.ChannelInApp).SetTarget("").SetStatus(workflow.MessageSent).Exec(ctx))
	require.NoError(t, b.db.Ent.ChannelEndpoint.Create().SetID(fixed(0xabf)).SetIdentifier("capital").SetSubscriberID(fixed(0x101)).
		SetSubscriberExternalID("u1").SetIntegrationID(fixed(0x505)).SetType(workflow.EndpointSlackUser).
		SetEndpoint(workflow.EndpointData{UserID: "U"}).SetContextKeys(workflow.ContextSet{}).Exec(ctx))
	capital := func(n int) string { return strings.ToUpper(fixed(n)) }
	for question, want := range map[string]string{
		`PATCH /v2/subscribers/u1/preferences/bulk {"preferences":[{"workflowId":"` + capital(0xabd) + `","channels":{"sms":false}}]}`: `"identifier":"capital"`,
		`PATCH /v2/topics/news/subscriptions/second {"preferences":["` + capital(0xabd) + `"]}`:                                        `"identifier":"capital"`,
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":"` + capital(0xabe) + `","markAs":"read"}`:                              `"_id":"` + fixed(0xabe),
		"GET /v1/channel-endpoints?orderBy=_id&includeCursor=true&after=" + capital(0xabf):                                             `"identifier":"capital"`,
		"DELETE /v1/integrations/" + capital(0xabc):                                                                                    `"slack-1"`,
	} {
		parts := append(strings.SplitN(question, " ", 3), "")
		w := b.ask(parts[0], parts[1], parts[2])
		require.Less(t, w.Code, 300, question)
		require.Contains(t, w.Body.String(), want, question)
	}
	require.NotContains(t, b.ask(http.MethodDelete, "/v1/integrations/"+fixed(0x501), "").Body.String(), fixed(0xabc))
}

// What is malformed where the document knows no error for it names nothing (decisions.md §4, contextKeys; §9).
func TestMalformedNamesNameNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	for question, want := range map[string]struct {
		status int
		body   string
	}{
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":["\u0000","\ud800",""],"markAs":"read"}`: {http.StatusCreated, "[]"},
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":"\u0000","markAs":"read"}`:               {http.StatusCreated, "[]"},
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":[""],"markAs":"read"}`:                   {http.StatusCreated, "[]"},
		`POST /v1/subscribers/u1/messages/mark-as {"messageId":"","markAs":"read"}`:                     {http.StatusBadRequest, "MESSAGE_ID_REQUIRED"},
		`POST /v1/subscribers/u1/messages/mark-as {"markAs":"read","messageId":["x"` + strings.Repeat(`,"x"`, 1000) + `]}`: {
			http.StatusUnprocessableEntity, `"errors":{"messageId":{"messages":["must not hold more than 1000 items"]}}`,
		},
		"GET /v1/channel-endpoints?contextKeys=a:b%00":           {http.StatusOK, `"totalCount":0`},
		"GET /v1/channel-endpoints?contextKeys=%ff":              {http.StatusOK, `"totalCount":0`},
		"GET /v2/subscribers/u1/subscriptions?contextKeys=a:%00": {http.StatusOK, `"totalCount":0`},
		"GET /v2/subscribers/u1/preferences?contextKeys=a:%00":   {http.StatusOK, `"workflows":[`},
	} {
		parts := append(strings.SplitN(question, " ", 3), "")
		w := b.ask(parts[0], parts[1], parts[2])
		require.Equal(t, want.status, w.Code, "%s: %s", question, w.Body)
		require.Contains(t, w.Body.String(), want.body, question)
	}
}
