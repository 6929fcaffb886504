package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/client"
)

// topic is where people follow the conversation about an order.
const topic = "order-1042"

// person is a subscriber of the case.
type person struct {
	id, name, email, phone, token string
}

// The cast. Only ada has a phone number, a device and a chat room.
func cast() []person {
	return []person{
		{id: "ada", name: "Ada", email: "ada@customers.example", phone: "+4930901820", token: "ada-phone-1"},
		{id: "ben", name: "Ben", email: "ben@shop.example"},
		{id: "cleo", name: "Cleo", email: "cleo@shop.example"},
	}
}

type object = map[string]any

// prepare makes an environment of the demo's own, so that nothing else is touched, and the case in it.
func (s *stage) prepare(ctx context.Context) (string, error) {
	identifier := "demo-" + strings.ToLower(rand.Text()[:6])
	var made struct {
		CreateEnvironment struct{ Environment struct{ ID string } }
	}
	if err := s.admin.GraphQL(ctx, createEnvironment, object{"identifier": identifier}, &made); err != nil {
		return "", fmt.Errorf("create an environment: %w", err)
	}
	s.environment = made.CreateEnvironment.Environment.ID
	var issued struct {
		CreateAPIKey struct{ Key string } `json:"createApiKey"`
	}
	if err := s.admin.GraphQL(ctx, createKey, object{"environment": s.environment}, &issued); err != nil {
		return "", fmt.Errorf("create a key: %w", err)
	}
	s.client = &client.Client{URL: s.admin.URL, Key: issued.CreateAPIKey.Key}
	for _, make := range []func(context.Context) error{s.integrations, s.workflows, s.subscribers} {
		if err := make(ctx); err != nil {
			return "", err
		}
	}
	return "environment " + identifier + ": 5 integrations, 3 workflows, 3 subscribers, 1 topic", nil
}

// integrations adds four to the inbox, which every environment has from the start.
func (s *stage) integrations(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.sink.Addr)
	if err != nil {
		return fmt.Errorf("address of the SMTP server: %w", err)
	}
	return s.all(ctx, createIntegration, []object{
		{"providerId": "nodemailer", "name": "Mail", "credentials": object{
			"host": host, "port": port, "from": "orders@shop.example", "senderName": "The Shop", "ignoreTls": true,
		}},
		{"providerId": "generic-sms", "name": "Texts", "primary": true, "credentials": object{
			"baseUrl": s.hooks.URL("sms"), "apiKeyRequestHeader": "X-Api-Key", "apiKey": s.hooks.Secret, "from": "SHOP",
		}},
		{"providerId": "chat-webhook", "name": "Chat", "identifier": "chat", "credentials": object{"secretKey": s.hooks.Secret}},
		{"providerId": "push-webhook", "name": "Push", "identifier": "push", "credentials": object{
			"webhookUrl": s.hooks.URL("push"), "secretKey": s.hooks.Secret,
		}},
	})
}

func (s *stage) workflows(ctx context.Context) error {
	const shipped = "Order {{payload.order}} is on its way"
	return s.all(ctx, createWorkflow, []object{
		{"identifier": "order-shipped", "name": "Order shipped", "definition": object{"steps": []object{
			{"stepId": "inbox", "type": "IN_APP", "inApp": object{"subject": shipped, "body": "{{payload.items}} items, with {{payload.carrier}}"}},
			{"stepId": "mail", "type": "EMAIL", "email": object{"subject": shipped, "html": "<p>Dear {{subscriber.firstName}}, your order left our house.</p>"}},
			{"stepId": "text", "type": "SMS", "sms": object{"body": shipped}},
			{"stepId": "room", "type": "CHAT", "chat": object{"body": shipped}},
			{"stepId": "phone", "type": "PUSH", "push": object{"subject": "The Shop", "body": shipped}},
		}}},
		{"identifier": "comment-posted", "name": "Comment posted", "definition": object{"steps": []object{
			{"stepId": "inbox", "type": "IN_APP", "inApp": object{"body": "{{payload.author}}: {{payload.text}}"}},
			{"stepId": "mail", "type": "EMAIL", "email": object{"subject": "{{payload.author}} wrote about order {{payload.order}}", "html": "<p>{{payload.text}}</p>"}},
		}}},
		{"identifier": "announcement", "name": "Announcement", "definition": object{"steps": []object{
			{"stepId": "inbox", "type": "IN_APP", "inApp": object{"body": "{{payload.text}}"}},
		}}},
	})
}

func (s *stage) subscribers(ctx context.Context) error {
	var people, items []object
	for _, p := range cast() {
		one := object{"subscriberId": p.id, "firstName": p.name, "email": p.email}
		if p.phone != "" {
			one["phone"] = p.phone
		}
		people = append(people, one)
		items = append(items, object{"subscriberId": p.id})
	}
	if err := s.all(ctx, createSubscriber, people); err != nil {
		return err
	}
	ada := cast()[0]
	if err := s.all(ctx, setChannel, []object{
		{"subscriberId": ada.id, "providerId": "chat-webhook", "integrationIdentifier": "chat", "credentials": object{"webhookUrl": s.hooks.URL("chat")}},
		{"subscriberId": ada.id, "providerId": "push-webhook", "integrationIdentifier": "push", "credentials": object{"deviceTokens": []string{ada.token}}},
	}); err != nil {
		return err
	}
	return s.all(ctx, subscribe, []object{{"topicKey": topic, "subscriptions": items}})
}

// all performs one operation for each input.
func (s *stage) all(ctx context.Context, operation string, inputs []object) error {
	for i, input := range inputs {
		if err := s.client.GraphQL(ctx, operation, object{"input": input}, nil); err != nil {
			return fmt.Errorf("input %s: %w", strconv.Itoa(i+1), err)
		}
	}
	return nil
}
