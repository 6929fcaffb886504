package main_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// vendorProvider is a provider as the registry shows it.
type vendorProvider struct {
	ID, Channel string
	Credentials []struct {
		Name, Kind string
		Required   bool
		Secret     bool
		Options    []string
	}
}

// TestEveryProviderDelivers drives every provider of the registry from a trigger to its vendor, whose part an operator's
// proxy plays: what the conformance suites check adapter by adapter must also come out of the whole.
func TestEveryProviderDelivers(t *testing.T) {
	t.Parallel()
	proxy := newInterceptor(t, vendorAnswer)
	key := newKey()
	p := serveMigrated(t, key, "HTTPS_PROXY="+proxy.URL, "HTTP_PROXY="+proxy.URL, "NO_PROXY=", "SSL_CERT_FILE="+proxy.CertFile, "CARILLON_EGRESS_ALLOW=127.0.0.0/8")
	c := &client.Client{URL: p.URL(), Key: key}
	var shown struct{ Providers []vendorProvider }
	graphQL(t, c, `{ providers { id channel credentials { name kind required options } } }`, nil, &shown)
	v := &vendors{client: c, proxy: proxy, relay: startRelay(t, proxy)}
	for _, channel := range []string{"EMAIL", "SMS", "CHAT", "PUSH", "IN_APP"} {
		v.workflow(t, channel)
	}
	require.GreaterOrEqual(t, len(shown.Providers), 78)
	for i := range shown.Providers { // one after the other: each is its channel's primary for a while
		t.Run(shown.Providers[i].ID, func(t *testing.T) { v.deliver(t, &shown.Providers[i]) })
	}
}

// vendors drives one provider after the other.
type vendors struct {
	client      *client.Client
	proxy       *interceptor
	relay       *relay
	integration string // made last
}

const greeting = "Greetings from {{payload.vendor}}"

func (v *vendors) workflow(t *testing.T, channel string) {
	t.Helper()
	step := object{"stepId": "step", "type": channel}
	switch channel {
	case "EMAIL":
		step["email"] = object{"subject": greeting, "html": "<p>" + greeting + "</p>"}
	case "PUSH":
		// As long as the vendor with the highest demand wants it.
		step["push"] = object{"subject": "News from Carillon", "body": greeting + strings.Repeat(", and all the best", 5)}
	case "IN_APP":
		step["inApp"] = object{"body": greeting}
	default:
		step[strings.ToLower(channel)] = object{"body": greeting}
	}
	graphQL(t, v.client, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": strings.ToLower(channel), "name": channel, "definition": object{"steps": []object{step}},
	}}, nil)
}

// The providers that deliver inside Carillon, and those that speak SMTP.
var (
	insideProviders = []string{"svc", "svc-email", "svc-sms", "svc-slack"}
	mailProviders   = []string{"nodemailer", "emailjs", "outlook365"}
)

func (v *vendors) deliver(t *testing.T, provider *vendorProvider) {
	t.Helper()
	if provider.ID != "svc" { // every environment has the one that there can be
		defer v.integrate(t, provider)()
	}
	who := "reader-of-" + provider.ID
	graphQL(t, v.client, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{
		"subscriberId": who, "email": who + "@customers.example", "phone": "+4930901820",
	}}, nil)
	if settings := channelSettings(provider); settings != nil {
		graphQL(t, v.client, `mutation($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`, object{"input": object{
			"subscriberId": who, "providerId": provider.ID, "integrationIdentifier": "own-" + provider.ID, "credentials": settings,
		}}, nil)
	}
	defer v.requireTested(t, provider, who)
	v.proxy.take()
	_, err := v.client.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{
		"name": strings.ToLower(provider.Channel), "to": who, "payload": object{"vendor": provider.ID},
	}, nil)
	require.NoError(t, err)
	v.requireSent(t, provider, who)
	switch {
	case provider.ID == "svc": // the message itself is the delivery
		require.Empty(t, v.proxy.take())
		return
	case provider.ID == "svc-slack": // which calls a hook that it is told besides
		v.requireCaught(t, provider.ID)
	case slices.Contains(insideProviders, provider.ID):
		v.requireCaught(t, provider.ID)
		require.Empty(t, v.proxy.take())
		return
	case slices.Contains(mailProviders, provider.ID):
		mail := <-v.relay.mails
		require.Equal(t, relayUser, mail.From)
		require.Equal(t, []string{who + "@customers.example"}, mail.To)
		require.Contains(t, string(mail.Data), "Greetings from "+provider.ID)
		return
	}
	v.requireCalled(t, provider.ID)
}

// requireTested: the integration takes a test message, too.
func (v *vendors) requireTested(t *testing.T, provider *vendorProvider, who string) {
	t.Helper()
	if provider.ID == "svc" || t.Failed() {
		return // the inbox needs none
	}
	to := map[string]string{
		"EMAIL": who + "@customers.example", "SMS": "+4930901820", "PUSH": "device-of-" + provider.ID,
		"CHAT": "https://" + provider.ID + ".vendor.example/hooks/1#general",
	}[provider.Channel]
	switch provider.ID {
	case "whatsapp-business":
		to = "+4930901820"
	case "rocket-chat":
		to = "https://rocket-chat.vendor.example/#general"
	}
	var out struct {
		TestIntegration struct {
			Attempt struct{ Outcome, ErrorText string }
		}
	}
	graphQL(t, v.client, `mutation($id: ID!, $to: String!) { testIntegration(input: {id: $id, to: $to}) { attempt { outcome errorText } } }`,
		object{"id": v.integration, "to": to}, &out)
	require.Equal(t, "ACCEPTED", out.TestIntegration.Attempt.Outcome, out.TestIntegration.Attempt.ErrorText)
	if slices.Contains(mailProviders, provider.ID) {
		require.Contains(t, string((<-v.relay.mails).Data), "Subject: Test message")
	}
}

// integrate makes an integration of the provider, its channel's primary; the result deletes it.
func (v *vendors) integrate(t *testing.T, provider *vendorProvider) (undo func()) {
	t.Helper()
	var made struct {
		CreateIntegration struct{ Integration struct{ ID string } }
	}
	graphQL(t, v.client, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": object{
		"providerId": provider.ID, "identifier": "own-" + provider.ID, "credentials": v.credentials(t, provider), "primary": primary(provider.Channel),
	}}, &made)
	v.integration = made.CreateIntegration.Integration.ID
	return func() {
		graphQL(t, v.client, `mutation($id: ID!) { deleteIntegration(id: $id) { deletedId } }`, object{"id": made.CreateIntegration.Integration.ID}, nil)
	}
}

// requireCaught: the catcher has the greeting, once.
func (v *vendors) requireCaught(t *testing.T, id string) {
	t.Helper()
	var out struct {
		CaughtMessages struct {
			Nodes []struct{ ProviderID, Body string }
		}
	}
	graphQL(t, v.client, `{ caughtMessages(first: 20) { nodes { providerId body } } }`, nil, &out)
	var bodies []string
	for _, m := range out.CaughtMessages.Nodes {
		if m.ProviderID == id {
			bodies = append(bodies, m.Body)
		}
	}
	require.Equal(t, []string{"Greetings from " + id}, bodies)
}

// requireCalled: the vendor was called as it wants to be, and told the greeting. The request of a vendor that vendorCalls
// does not have is held by its golden file alone.
func (v *vendors) requireCalled(t *testing.T, id string) {
	t.Helper()
	requests := v.proxy.take()
	want, known := vendorCalls[id]
	called := func(r intercepted) bool { return (!known || r.is(want)) && r.carries("Greetings from "+id) }
	require.True(t, slices.ContainsFunc(requests, called), "want %s in: %s", want, requests)
	if token, first := vendorTokens[id]; first {
		require.True(t, requests[0].is(token), "want %s in: %s", token, requests)
	}
	if id == "apns" {
		require.Equal(t, "HTTP/2.0", requests[0].Proto)
	}
}

func primary(channel string) any {
	if channel == "EMAIL" || channel == "SMS" {
		return true
	}
	return nil
}

func (v *vendors) requireSent(t *testing.T, provider *vendorProvider, who string) {
	t.Helper()
	type message struct{ Status, ErrorText, ProviderID string }
	until(t, patience, provider.ID, func(ctx context.Context) (bool, error) {
		var out struct{ Messages struct{ Nodes []message } }
		err := v.client.GraphQL(ctx, `query($who: String!) { messages(first: 5, filter: {subscriberId: $who}) { nodes { status errorText providerId } } }`,
			object{"who": who}, &out)
		if err != nil || len(out.Messages.Nodes) == 0 {
			return false, err
		}
		m := out.Messages.Nodes[0]
		switch {
		case m.Status == "SENT" && m.ProviderID == provider.ID:
			return true, nil
		case m.Status == "PENDING" && m.ErrorText == "":
			return false, nil
		default:
			return false, fmt.Errorf("the message is %s: %s", m.Status, m.ErrorText)
		}
	})
}

// carries looks for a text in whatever way vendors want it written: plain, in a form, or in a whole mail as base64.
func (r intercepted) carries(text string) bool {
	forms := []string{string(r.Body) + "&" + r.Query}
	if plain, err := url.QueryUnescape(forms[0]); err == nil {
		forms = append(forms, plain)
	}
	for _, run := range base64Run.FindAllString(strings.Join(forms, "\n"), -1) {
		if raw, err := base64.StdEncoding.DecodeString(run); err == nil {
			forms = append(forms, string(raw))
		}
	}
	return slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(form, text) })
}

var base64Run = regexp.MustCompile(`[A-Za-z0-9+/]{40,}={0,2}`)

// credentials fills in what the provider cannot do without, each value plausible for its kind.
func (v *vendors) credentials(t *testing.T, provider *vendorProvider) object {
	t.Helper()
	values := object{}
	for _, field := range provider.Credentials {
		if !field.Required {
			continue
		}
		switch {
		case len(field.Options) > 0:
			values[field.Name] = field.Options[0]
		case field.Kind == "NUMBER":
			values[field.Name] = 25
		case field.Kind == "BOOL":
			values[field.Name] = true
		case field.Kind == "URL":
			values[field.Name] = "https://" + provider.ID + ".vendor.example"
		case field.Kind == "OBJECT":
			values[field.Name] = object{"key": "value"}
		default:
			values[field.Name] = "value-of-" + field.Name
		}
	}
	maps.Copy(values, v.special(t, provider))
	return values
}

// special are the credentials that must have a certain form.
func (v *vendors) special(t *testing.T, provider *vendorProvider) object {
	t.Helper()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	sender := object{"from": relayUser, "senderName": "Shop"}
	switch provider.ID {
	case "nodemailer":
		return object{
			"host": v.relay.host, "port": v.relay.port, "from": relayUser, "senderName": "Shop", "requireTls": true,
			"user": relayUser, "password": relayPassword,
		}
	case "emailjs":
		return object{"host": v.relay.host, "port": v.relay.port, "from": relayUser, "user": relayUser, "password": relayPassword}
	case "outlook365":
		return object{"host": v.relay.host, "port": v.relay.port, "from": relayUser, "password": relayPassword}
	case "fcm":
		account, err := json.Marshal(object{
			"type": "service_account", "project_id": "shop", "client_email": "push@shop.example", "private_key": pkcs8(t, rsaKey),
			"private_key_id": "1", "token_uri": "https://oauth2.googleapis.com/token",
		})
		require.NoError(t, err)
		return object{"serviceAccount": string(account)}
	case "apns":
		return object{"secretKey": pkcs8(t, ecKey)}
	case "sns":
		return object{"region": "eu-west-1"}
	case "kannel":
		return object{"host": "kannel.vendor.example", "port": 13013, "secure": true, "user": "shop", "password": "gateway-password"}
	case "azure-sms":
		return object{"accessKey": "endpoint=https://shop.communication.azure.com/;accesskey=a2V5"}
	case "appio":
		return object{"apiKey": "subscription"}
	}
	if provider.Channel == "EMAIL" {
		return sender
	}
	return nil
}

func pkcs8(t *testing.T, key any) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

// channelSettings are the subscriber's own, where the channel has any.
func channelSettings(provider *vendorProvider) object {
	switch provider.Channel {
	case "PUSH":
		return object{"deviceTokens": []string{"device-of-" + provider.ID}}
	case "CHAT":
		if provider.ID == "whatsapp-business" {
			return nil // goes by the subscriber's phone
		}
		if provider.ID == "rocket-chat" {
			return object{"webhookUrl": "https://rocket-chat.vendor.example/", "channel": "general"} // a server, not a hook
		}
		return object{"webhookUrl": "https://" + provider.ID + ".vendor.example/hooks/1", "channel": "general"}
	}
	return nil
}

// vendorAnswers are those of vendors whose yes has a form of its own, by host.
var vendorAnswers = map[string]string{
	"slack.vendor.example":         "ok",
	"svc-slack.vendor.example":     "ok",
	"www.firetext.co.uk":           "0:1 SMS successfully queued",
	"api.transmitsms.com":          `{"message_id":1,"error":{"code":"SUCCESS","description":"OK"}}`,
	"api.ng.termii.com":            `{"code":"ok","message_id":1,"message_id_str":"1"}`,
	"api.brevo.com":                `{"reference":"r","messageId":1}`,
	"mobishastra.vendor.example":   `[{"msg_id":"1","str_response":"send success"}]`,
	"shop.communication.azure.com": `{"value":[{"messageId":"1","httpStatusCode":202,"successful":true}]}`,
	"kannel.vendor.example:13013":  "0: Accepted for delivery",
	"api.io.italia.it":             `{"sender_allowed":true,"id":"1"}`,

	"api.mailjet.com":              `{"Messages":[{"Status":"success","To":[{"MessageID":1}]}]}`,
	"mandrillapp.com":              `[{"email":"reader@customers.example","status":"sent","_id":"1"}]`,
	"api.postmarkapp.com":          `{"MessageID":"1","ErrorCode":0,"Message":"OK"}`,
	"emailapi.netcorecloud.net":    `{"data":{"message_id":"1"},"message":"OK","status":"success"}`,
	"infobip-email.vendor.example": `{"messages":[{"messageId":"1","status":{"groupId":1,"groupName":"PENDING"}}]}`,
	"api.useplunk.com":             `{"success":true,"emails":[{"contact":{"id":"c"},"email":"1"}]}`,
	"send.api.mailtrap.io":         `{"success":true,"message_ids":["1"]}`,
	"api.sparkpost.com":            `{"results":{"total_rejected_recipients":0,"total_accepted_recipients":1,"id":"1"}}`,
	"braze.vendor.example":         `{"message":"success","users":[{"external_id":"1"}],"dispatch_id":"1"}`,
}

// vendorAnswer is a yes that the vendor's adapter understands. Most take any JSON.
func vendorAnswer(r *http.Request) (int, string) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "token"):
		return http.StatusOK, `{"access_token":"token","expires_in":3600}`
	case vendorAnswers[r.Host] != "":
		return http.StatusOK, vendorAnswers[r.Host]
	}
	return http.StatusOK, `{"ok":true,"ts":"1","id":"1"}`
}
