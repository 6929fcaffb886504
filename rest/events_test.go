package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

func TestEventHoldsWhatWasSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	w := b.ask(http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":["u1",{"subscriberId":" u2 ","email":null,"data":{"n":12345678901234567890}},
		{"type":"Topic","topicKey":"news","exclude":["u9"]},"not ok!"],"payload":{"total":1.10,"id":9007199254740993,"t":"<é\ud800>"},
		"overrides":{"sendgrid":{"a":1},"x":null},"actor":{"subscriberId":"boss"},"context":{"region":{"id":"eu","data":{"a":1}},"app":"web"}}`)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	require.Equal(t, []string{`{"t": "<é�>", "id": 9007199254740993, "total": 1.10}`}, b.column(t, "payload::text"))
	require.JSONEq(t, `{"direct":[{"subscriberId":"u1"},{"subscriberId":"u2","email":null,"data":{"n":12345678901234567890}}],
		"topics":[{"topicKey":"news","exclude":["u9"]}],"invalid":[{"path":"to.3","reason":"no valid subscriberId"}]}`, b.column(t, "recipients::text")[0])
	require.JSONEq(t, `{"sendgrid":{"a":1},"x":null}`, b.column(t, "overrides::text")[0])
	require.JSONEq(t, `{"subscriberId":"boss"}`, b.column(t, "actor::text")[0])
	require.JSONEq(t, `["app:web","region:eu"]`, b.column(t, "context_keys::text")[0])
	require.Equal(t, []string{"bulk"}, b.column(t, "lane"))
}

// fiftyEqual calls race on two servers with one database.
func TestFiftyEqualTransactionIDs(t *testing.T) {
	t.Parallel()
	one := setup(t)
	one.workflows(t)
	other := setupOn(t, one.db)
	other.key = one.key
	var wg sync.WaitGroup
	for i := range 50 {
		server := []*bundle{one, other}[i%2]
		wg.Go(func() {
			w := server.ask(http.MethodPost, "/v1/events/trigger", fmt.Sprintf(`{"name":"order-shipped","to":"u1","transactionId":"same","payload":{"n":%d}}`, i))
			if want := `{"acknowledged":true,"status":"processed","transactionId":"same"}`; w.Code != http.StatusCreated || w.Body.String() != want {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	wg.Wait()
	require.Len(t, one.column(t, "id"), 1)
}

// TestDoorsAgree sends each case through GraphQL's resolver and through REST, on equal databases.
func TestDoorsAgree(t *testing.T) {
	t.Parallel()
	name := func(s string) *string { return &s }
	cases := []struct {
		rest  string
		typed triggers.TriggerInput
	}{
		{`{"name":"order-shipped","to":"u1","transactionId":"a","payload":{"n":1.5}}`, triggers.TriggerInput{
			Name: "order-shipped", To: []*triggers.RecipientInput{{SubscriberID: name("u1")}}, TransactionID: name("a"), Payload: map[string]any{"n": json.Number("1.5")},
		}},
		{`{"name":"order-shipped","to":[{"subscriberId":"u1","email":null,"firstName":"A"},{"topicKey":"news","exclude":["x"]}],"transactionId":"b","actor":{"subscriberId":"boss"},"tenant":{"identifier":"acme","name":"Acme"},"context":{"app":{"id":"web","data":{"a":1}}}}`, triggers.TriggerInput{
			Name: "order-shipped", TransactionID: name("b"), To: []*triggers.RecipientInput{
				{Subscriber: map[string]any{"subscriberId": name("u1"), "email": (*string)(nil), "firstName": "A"}},
				{Topic: map[string]any{"topicKey": "news", "exclude": []string{"x"}}},
			},
			Actor: map[string]any{"subscriberId": "boss"}, Tenant: map[string]any{"identifier": "acme", "name": "Acme"},
			Context: []*triggers.TriggerContextInput{{Type: "app", ID: "web", Data: map[string]any{"a": 1}}},
		}},
		{`{"name":"order-shipped","to":"u1","transactionId":"c","tenant":"acme"}`, triggers.TriggerInput{
			Name: "order-shipped", To: []*triggers.RecipientInput{{SubscriberID: name("u1")}}, TransactionID: name("c"), TenantIdentifier: name("acme"),
		}},
		{`{"name":"nowhere","to":"u1","transactionId":"d"}`, triggers.TriggerInput{Name: "nowhere", To: []*triggers.RecipientInput{{SubscriberID: name("u1")}}, TransactionID: name("d")}},
		{`{"name":"order-shipped","to":[],"transactionId":"e"}`, triggers.TriggerInput{Name: "order-shipped", To: []*triggers.RecipientInput{}, TransactionID: name("e")}},
		{`{"name":"strict","to":"u1","transactionId":"f","payload":{"order":{"total":"x"}}}`, triggers.TriggerInput{
			Name: "strict", To: []*triggers.RecipientInput{{SubscriberID: name("u1")}}, TransactionID: name("f"), Payload: map[string]any{"order": map[string]any{"total": "x"}},
		}},
	}
	restDoor, graphDoor := setup(t), setup(t)
	restDoor.workflows(t)
	graphDoor.workflows(t)
	services := notify.New(usecase.Config{DB: graphDoor.db, Now: graphDoor.now, Accept: graphDoor.acceptor, Providers: registry(t)})
	mutation := (&graph.Resolver{Services: services}).Mutation()
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: graphDoor.scope, Role: viewer.RoleAdmin})
	for _, c := range cases {
		w := restDoor.ask(http.MethodPost, "/v1/events/trigger", c.rest)
		result, err := mutation.TriggerEvent(ctx, c.typed)
		body := decoded(t, w).(map[string]any) //nolint:forcetypeassert // an object
		if err != nil {
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			require.Equal(t, body["message"], f.Message, c.rest)
			continue
		}
		require.Equal(t, body["status"], string(result.Result.Status), c.rest)
		require.Equal(t, body["transactionId"], *result.Result.TransactionID)
	}
	for _, column := range []string{"payload::text", "coalesce(recipients::text,'')", "coalesce(actor::text,'')", "context_keys::text", "(tenant_id IS NULL)::text", "lane"} {
		require.Equal(t, restDoor.column(t, column), graphDoor.column(t, column), column)
	}
	_, err := mutation.TriggerEvent(ctx, triggers.TriggerInput{
		Name: "x", To: []*triggers.RecipientInput{{}}, Tenant: map[string]any{"identifier": "a"}, TenantIdentifier: name("b"),
		Context: []*triggers.TriggerContextInput{{Type: "a", ID: "b"}, {Type: "a", ID: "c"}},
	})
	require.ErrorContains(t, err, "to.0")
	require.ErrorContains(t, err, "context.1.type")
	require.ErrorContains(t, err, "tenantIdentifier")
}

// Null in a trigger's tenant is as good as absent (decisions.md §3): a client that writes all members it knows clears nothing.
func TestNullOfATenantKeepsWhatIsStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	for _, tenant := range []string{`{"identifier":"acme","name":"Acme","data":{"plan":"pro"}}`, `{"identifier":"acme","name":null,"data":null}`} {
		w := b.ask(http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1","tenant":`+tenant+`}`)
		require.Equal(t, http.StatusCreated, w.Code, w.Body)
	}
	tenant, err := b.db.Ent.Tenant.Query().Only(viewer.SystemContext(t.Context()))
	require.NoError(t, err)
	require.Equal(t, new("Acme"), tenant.Name)
	require.Equal(t, map[string]any{"plan": "pro"}, tenant.Data)
}
