package prove

import (
	"context"
	"fmt"
	"net"

	"github.com/carillon/carillon/internal/client"
)

const digestList = "digest-list"

// furnish makes integrations whose providers are the receivers, the workflows, the subscribers and the topic.
func furnish(ctx context.Context, api *client.Client, r *receivers) error {
	host, port, err := net.SplitHostPort(r.smtp.Addr)
	if err != nil {
		return fmt.Errorf("the address of the mail server: %w", err)
	}
	if err := removeDemoSenders(ctx, api); err != nil {
		return err
	}
	hook := func(channel string) string { return "http://" + r.web.Addr + "/" + channel }
	for _, in := range []object{
		{"providerId": "nodemailer", "credentials": object{"host": host, "port": port, "from": "a@shop.example", "senderName": "Shop", "ignoreTls": true}},
		{"providerId": "generic-sms", "primary": true, "credentials": object{"baseUrl": hook("sms"), "apiKeyRequestHeader": "X-Api-Key", "apiKey": "key", "from": "SHOP"}},
		{"providerId": "chat-webhook", "identifier": "chat", "credentials": object{"secretKey": "secret"}},
		{"providerId": "push-webhook", "identifier": "push", "credentials": object{"webhookUrl": hook("push"), "secretKey": "secret"}},
	} {
		if err := api.GraphQL(ctx, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": in}, nil); err != nil {
			return fmt.Errorf("create integration %s: %w", in["providerId"], err)
		}
	}
	for _, w := range workflows() {
		if err := api.GraphQL(ctx, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": w}, nil); err != nil {
			return fmt.Errorf("create workflow %s: %w", w["identifier"], err)
		}
	}
	for n, who := range everybody() {
		if err := furnishSubscriber(ctx, api, who, fmt.Sprintf("+49309018%04d", n), hook("chat")); err != nil {
			return fmt.Errorf("create subscriber %s: %w", who, err)
		}
	}
	_, err = api.Do(ctx, "POST", "/v2/topics/"+topic+"/subscriptions", object{"subscriberIds": everybody()}, nil)
	return err
}

// removeDemoSenders deletes the senders that an environment is made with, so that nothing fails over to them, where no receiver
// would see it.
func removeDemoSenders(ctx context.Context, api *client.Client) error {
	var answer struct {
		Integrations struct {
			Nodes []struct{ ID, Channel string }
		}
	}
	if err := api.GraphQL(ctx, `{ integrations(first: 100) { nodes { id channel } } }`, nil, &answer); err != nil {
		return fmt.Errorf("list the integrations: %w", err)
	}
	for _, i := range answer.Integrations.Nodes {
		if i.Channel == "IN_APP" {
			continue
		}
		if err := api.GraphQL(ctx, `mutation($id: ID!) { deleteIntegration(id: $id) { deletedId } }`, object{"id": i.ID}, nil); err != nil {
			return fmt.Errorf("delete an integration: %w", err)
		}
	}
	return nil
}

func furnishSubscriber(ctx context.Context, api *client.Client, who, phone, chat string) error {
	err := api.GraphQL(ctx, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{
		"subscriberId": who, "email": who + "@customers.example", "phone": phone,
	}}, nil)
	if err != nil {
		return err
	}
	for _, in := range []object{
		{"subscriberId": who, "providerId": "chat-webhook", "integrationIdentifier": "chat", "credentials": object{"webhookUrl": chat}},
		{"subscriberId": who, "providerId": "push-webhook", "integrationIdentifier": "push", "credentials": object{"deviceTokens": []string{who + "-phone"}}},
	} {
		if err := api.GraphQL(ctx, `mutation($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`, object{"input": in}, nil); err != nil {
			return err
		}
	}
	return nil
}

// workflows are the workflows of the load; the messages read as the text of the payload.
func workflows() []object {
	const text = "{{payload.text}}"
	bell := object{"stepId": "bell", "type": "IN_APP", "inApp": object{"body": text}}
	channels := []object{
		bell,
		{"stepId": "mail", "type": "EMAIL", "email": object{"subject": text, "html": "<p>" + text + "</p>"}},
		{"stepId": "sms", "type": "SMS", "sms": object{"body": text}},
		{"stepId": "chat", "type": "CHAT", "chat": object{"body": text}},
		{"stepId": "push", "type": "PUSH", "push": object{"subject": "Shop", "body": text}},
	}
	workflow := func(name string, steps ...object) object {
		return object{"identifier": name, "name": name, "definition": object{"steps": steps}}
	}
	return []object{
		workflow("everything", channels...),
		workflow("news", bell),
		workflow("greeted", channels[:2]...),
		workflow("waiting", append([]object{{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "SECONDS"}}}, channels...)...),
		workflow("digested", bell,
			object{"stepId": "window", "type": "DIGEST", "digest": object{"type": "REGULAR", "amount": 2, "unit": "SECONDS"}},
			object{"stepId": digestList, "type": "IN_APP", "inApp": object{"body": "{% for e in step.events %}{{e.text}} {% endfor %}"}}),
		workflow("throttled", object{"stepId": "limit", "type": "THROTTLE", "throttle": object{"threshold": 3, "amount": 1, "unit": "MINUTES"}}, bell),
	}
}
