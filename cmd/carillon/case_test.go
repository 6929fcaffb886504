package main_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/demo"
)

type object = map[string]any

// otherSide receives what is sent: a real SMTP server and webhooks. It outlives every Carillon.
type otherSide struct {
	sink  *demo.Sink
	hooks *demo.Hooks
}

func newOtherSide(t *testing.T) *otherSide {
	t.Helper()
	sink, err := demo.StartSink(t.Context(), binary(t))
	require.NoError(t, err)
	t.Cleanup(sink.Stop)
	hooks, err := demo.StartHooks(t.Context(), "secret", "svc")
	require.NoError(t, err)
	t.Cleanup(hooks.Stop)
	return &otherSide{sink: sink, hooks: hooks}
}

// calls counts what was received, by the text of the message and the channel. The text says which trigger it was.
func (o *otherSide) calls() map[string]map[string]int {
	all := map[string]map[string]int{}
	add := func(text, channel string) {
		if all[text] == nil {
			all[text] = map[string]int{}
		}
		all[text][channel]++
	}
	for _, m := range o.sink.Mails() {
		add(m.Subject, "EMAIL")
	}
	for _, c := range o.hooks.Calls() {
		add(c.Text(), strings.ToUpper(c.Channel))
	}
	return all
}

// furnish makes a workflow "everything" with all five channels, whose messages read as the payload's text, behind the steps
// given, and subscribers with an address on each.
func (o *otherSide) furnish(t *testing.T, c *client.Client, subscribers int, before ...object) {
	t.Helper()
	host, port, err := net.SplitHostPort(o.sink.Addr)
	require.NoError(t, err)
	for _, in := range []object{
		{"providerId": "nodemailer", "credentials": object{"host": host, "port": port, "from": "a@shop.example", "senderName": "Shop", "ignoreTls": true}},
		{"providerId": "generic-sms", "primary": true, "credentials": object{
			"baseUrl": o.hooks.URL("sms"), "apiKeyRequestHeader": "X-Api-Key", "apiKey": o.hooks.Secret, "from": "SHOP",
		}},
		{"providerId": "chat-webhook", "identifier": "chat", "credentials": object{"secretKey": o.hooks.Secret}},
		{"providerId": "push-webhook", "identifier": "push", "credentials": object{"webhookUrl": o.hooks.URL("push"), "secretKey": o.hooks.Secret}},
	} {
		graphQL(t, c, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": in}, nil)
	}
	const text = "{{payload.text}}"
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "everything", "name": "Everything", "definition": object{"steps": append(before, []object{
			{"stepId": "a", "type": "IN_APP", "inApp": object{"body": text}},
			{"stepId": "b", "type": "EMAIL", "email": object{"subject": text, "html": "<p>" + text + "</p>"}},
			{"stepId": "c", "type": "SMS", "sms": object{"body": text}},
			{"stepId": "d", "type": "CHAT", "chat": object{"body": text}},
			{"stepId": "e", "type": "PUSH", "push": object{"subject": "Shop", "body": text}},
		}...)},
	}}, nil)
	for i := range subscribers {
		who := subscriber(i)
		graphQL(t, c, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{
			"subscriberId": who, "email": who + "@customers.example", "phone": fmt.Sprintf("+49309018%04d", i),
		}}, nil)
		for _, channel := range []object{
			{"subscriberId": who, "providerId": "chat-webhook", "integrationIdentifier": "chat", "credentials": object{"webhookUrl": o.hooks.URL("chat")}},
			{"subscriberId": who, "providerId": "push-webhook", "integrationIdentifier": "push", "credentials": object{"deviceTokens": []string{who + "-phone"}}},
		} {
			graphQL(t, c, `mutation($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`, object{"input": channel}, nil)
		}
	}
}

func subscriber(i int) string { return fmt.Sprintf("s%d", i) }

func graphQL(t *testing.T, c *client.Client, query string, variables object, out any) {
	t.Helper()
	require.NoError(t, c.GraphQL(t.Context(), query, variables, out))
}

// fire triggers a workflow for one subscriber. processed reports whether it was acknowledged as accepted.
func fire(ctx context.Context, c *client.Client, workflow, transaction, to string) (processed bool, err error) {
	return shot{workflow: workflow, to: to}.fire(ctx, c, transaction)
}

// fire sends the trigger. processed reports whether it was acknowledged as accepted.
func (s shot) fire(ctx context.Context, c *client.Client, transaction string) (processed bool, err error) {
	path, body := "/v1/events/trigger", object{"name": s.workflow, "transactionId": transaction, "payload": object{"text": transaction}}
	if s.everybody {
		path += "/broadcast"
	} else {
		body["to"] = s.to
	}
	var answer struct{ Status string }
	_, err = c.Do(ctx, http.MethodPost, path, body, &answer)
	return err == nil && answer.Status == "processed", err
}

// notification is one with its messages.
type notification struct {
	Status        string
	TransactionID string
	Subscriber    struct{ SubscriberID string }
	Trace         []struct{ StepID, Channel, Reason, MessageID string }
}

type message struct {
	TransactionID, Channel, Status, InternalID string
	Attempts                                   int
	Subscriber                                 struct{ SubscriberID string }
}

// notifications are all of the environment.
func notifications(ctx context.Context, c *client.Client) ([]notification, error) {
	return pages[notification](ctx, c, "notifications", `status transactionId subscriber { subscriberId } trace { stepId channel reason messageId }`)
}

// messages are all of the environment.
func messages(ctx context.Context, c *client.Client) ([]message, error) {
	return pages[message](ctx, c, "messages", `transactionId channel status internalId attempts: attemptCount subscriber { subscriberId }`)
}

// pages reads a whole list.
func pages[T any](ctx context.Context, c *client.Client, list, fields string) (all []T, err error) {
	var after *string
	for {
		var answer map[string]struct {
			Nodes    []T
			PageInfo struct {
				HasNextPage bool
				EndCursor   *string
			}
		}
		query := `query($after: String) { ` + list + `(first: 100, after: $after) { nodes { ` + fields + ` } pageInfo { hasNextPage endCursor } } }`
		if err := c.GraphQL(ctx, query, object{"after": after}, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer[list].Nodes...)
		if !answer[list].PageInfo.HasNextPage {
			return all, nil
		}
		after = answer[list].PageInfo.EndCursor
	}
}

// quiet is how many events, notifications and messages of the environment are not final. It asks in the order in which work
// goes from one to the next, a request each: the fields of one query are read side by side, so that an event could be accepted
// and pass on its work between the looks at notifications and at events.
func quiet(ctx context.Context, c *client.Client) (open int, err error) {
	for _, list := range []string{
		`events(first: 1, filter: {statusIn: [ACCEPTED]})`,
		`notifications(first: 1, filter: {statusIn: [PENDING, WAITING]})`,
		`messages(first: 1, filter: {statusIn: [PENDING]})`,
	} {
		var answer struct{ List struct{ TotalCount int } }
		if err := c.GraphQL(ctx, `{ list: `+list+` { totalCount } }`, nil, &answer); err != nil {
			return 0, err
		}
		open += answer.List.TotalCount
	}
	return open, nil
}
