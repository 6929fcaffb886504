package main_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

// call is how a vendor wants to be called: method, host and path, and what tells it who calls, in the request's head,
// query or body.
type call struct{ request, auth string }

// vendorCalls are those of the vendors' documents, one for each provider that calls somebody. The credentials are
// value-of-<name>, unless special has others.
var vendorCalls = map[string]call{
	"mailgun":       {"POST api.mailgun.net/v3/value-of-domain/messages", "Authorization: " + basic("api", "value-of-apiKey")},
	"mailjet":       {"POST api.mailjet.com/v3.1/send", "Authorization: " + basic("value-of-apiKey", "value-of-secretKey")},
	"mandrill":      {"POST mandrillapp.com/api/1.0/messages/send", `"key":"value-of-apiKey"`},
	"postmark":      {"POST api.postmarkapp.com/email", "X-Postmark-Server-Token: value-of-apiKey"},
	"sendgrid":      {"POST api.sendgrid.com/v3/mail/send", "Authorization: Bearer value-of-apiKey"},
	"sendinblue":    {"POST api.brevo.com/v3/smtp/email", "Api-Key: value-of-apiKey"},
	"ses":           {"POST email.us-east-1.amazonaws.com/v2/email/outbound-emails", "Authorization: AWS4-HMAC-SHA256 Credential=value-of-apiKey/"},
	"netcore":       {"POST emailapi.netcorecloud.net/v5.1/mail/send", "Api_key: value-of-apiKey"},
	"infobip-email": {"POST infobip-email.vendor.example/email/3/send", "Authorization: App value-of-apiKey"},
	"resend":        {"POST api.resend.com/emails", "Authorization: Bearer value-of-apiKey"},
	"plunk":         {"POST api.useplunk.com/v1/send", "Authorization: Bearer value-of-apiKey"},
	"mailersend":    {"POST api.mailersend.com/v1/email", "Authorization: Bearer value-of-apiKey"},
	"mailtrap":      {"POST send.api.mailtrap.io/api/send", "Authorization: Bearer value-of-apiKey"},
	"sparkpost":     {"POST api.sparkpost.com/api/v1/transmissions", "Authorization: value-of-apiKey"},
	"email-webhook": {"POST email-webhook.vendor.example/", "X-Svc-Signature: "},
	"braze":         {"POST braze.vendor.example/messages/send", "Authorization: Bearer value-of-apiKey"},

	"clickatell":      {"POST platform.clickatell.com/messages", "Authorization: value-of-apiKey"},
	"nexmo":           {"POST rest.nexmo.com/sms/json", "Authorization: " + basic("value-of-apiKey", "value-of-secretKey")},
	"plivo":           {"POST api.plivo.com/v1/Account/value-of-accountSid/Message/", "Authorization: " + basic("value-of-accountSid", "value-of-token")},
	"sms77":           {"POST gateway.seven.io/api/sms", "X-Api-Key: value-of-apiKey"},
	"sms-central":     {"POST my.smscentral.com.au/api/v3.2", "PASSWORD=value-of-password"},
	"sns":             {"POST sns.eu-west-1.amazonaws.com/", "Authorization: AWS4-HMAC-SHA256 Credential=value-of-apiKey/"},
	"telnyx":          {"POST api.telnyx.com/v2/messages", "Authorization: Bearer value-of-apiKey"},
	"twilio":          {"POST api.twilio.com/2010-04-01/Accounts/value-of-accountSid/Messages.json", "Authorization: " + basic("value-of-accountSid", "value-of-token")},
	"gupshup":         {"POST enterprise.smsgupshup.com/GatewayAPI/rest", "password=value-of-password"},
	"firetext":        {"POST www.firetext.co.uk/api/sendsms", "apiKey=value-of-apiKey"},
	"infobip-sms":     {"POST infobip-sms.vendor.example/sms/2/text/advanced", "Authorization: App value-of-apiKey"},
	"burst-sms":       {"POST api.transmitsms.com/send-sms.json", "Authorization: " + basic("value-of-apiKey", "value-of-secretKey")},
	"bulk-sms":        {"POST api.bulksms.com/v1/messages", "Authorization: Basic value-of-apiToken"},
	"isend-sms":       {"POST isend.com.ly/api/v3/sms/send", "Authorization: Bearer value-of-apiToken"},
	"forty-six-elks":  {"POST api.46elks.com/a1/sms", "Authorization: " + basic("value-of-user", "value-of-password")},
	"kannel":          {"GET kannel.vendor.example:13013/cgi-bin/sendsms", "password=gateway-password"},
	"maqsam":          {"POST api.maqsam.com/v2/sms", "Authorization: " + basic("value-of-apiKey", "value-of-secretKey")},
	"termii":          {"POST api.ng.termii.com/api/sms/send", `"api_key":"value-of-apiKey"`},
	"africas-talking": {"POST api.africastalking.com/version1/messaging", "Apikey: value-of-apiKey"},
	"sendchamp":       {"POST api.sendchamp.com/api/v1/sms/send", "Authorization: Bearer value-of-apiKey"},
	"generic-sms":     {"POST generic-sms.vendor.example/", "Value-Of-Apikeyrequestheader: value-of-apiKey"},
	"clicksend":       {"POST rest.clicksend.com/v3/sms/send", "Authorization: " + basic("value-of-user", "value-of-apiKey")},
	"bandwidth":       {"POST messaging.bandwidth.com/api/v2/users/value-of-accountSid/messages", "Authorization: " + basic("value-of-user", "value-of-password")},
	"messagebird":     {"POST rest.messagebird.com/messages", "Authorization: AccessKey value-of-accessKey"},
	"simpletexting":   {"POST api-app2.simpletexting.com/v2/api/messages", "Authorization: Bearer value-of-apiKey"},
	"azure-sms":       {"POST shop.communication.azure.com/sms", "Authorization: HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature="},
	"ring-central":    {"POST platform.ringcentral.com/restapi/v1.0/account/~/extension/~/sms", "Authorization: Bearer token"},
	"brevo-sms":       {"POST api.brevo.com/v3/transactionalSMS/send", "Api-Key: value-of-apiKey"},
	"eazy-sms":        {"POST api.eazy.im/v3/channels/value-of-channelId/messages/4930901820@sms.eazy.im", "Authorization: Bearer value-of-apiKey"},
	"mobishastra":     {"POST mobishastra.vendor.example/", `"pwd":"value-of-password"`},
	"afro-message":    {"GET api.afromessage.com/api/send", "Authorization: Bearer value-of-apiKey"},
	"unifonic":        {"POST el.cloud.unifonic.com/rest/SMS/messages", "AppSid=value-of-appSid"},
	"smsmode":         {"POST rest.smsmode.com/sms/v1/messages", "X-Api-Key: value-of-apiKey"},
	"imedia":          {"POST api.mobilebranding.vn/api/SMSBrandname/SendSMS", "Token: value-of-token"},
	"sinch":           {"POST eu.sms.api.sinch.com/xms/v1/value-of-accountSid/batches", "Authorization: Bearer value-of-apiToken"},
	"isendpro-sms":    {"POST apirest.isendpro.com/cgi-bin/sms", `"keyid":"value-of-apiKey"`},

	"fcm":          {"POST fcm.googleapis.com/v1/projects/shop/messages:send", "Authorization: Bearer token"},
	"apns":         {"POST api.sandbox.push.apple.com/3/device/decefa", "Authorization: bearer ey"}, // the hexadecimal digits of the token
	"expo":         {"POST exp.host/--/api/v2/push/send", "Authorization: Bearer value-of-apiKey"},
	"one-signal":   {"POST onesignal.com/api/v1/notifications", "Authorization: Basic value-of-apiKey"},
	"pushpad":      {"POST pushpad.xyz/api/v1/projects/value-of-applicationId/notifications", `Authorization: Token token="value-of-apiKey"`},
	"push-webhook": {"POST push-webhook.vendor.example/", "X-Svc-Signature: "},
	"pusher-beams": {
		"POST value-of-instanceId.pushnotifications.pusher.com/publish_api/v1/instances/value-of-instanceId/publishes/users",
		"Authorization: Bearer value-of-secretKey",
	},
	"appio": {"POST api.io.italia.it/api/v1/messages", "Ocp-Apim-Subscription-Key: subscription"},

	// Where no key is checked, the address alone opens the way.
	"slack":             {"POST slack.vendor.example/hooks/1", ""},
	"svc-slack":         {"POST svc-slack.vendor.example/hooks/1", ""},
	"discord":           {"POST discord.vendor.example/hooks/1", "wait=true"},
	"msteams":           {"POST msteams.vendor.example/hooks/1", ""},
	"mattermost":        {"POST mattermost.vendor.example/hooks/1", ""},
	"ryver":             {"POST ryver.vendor.example/hooks/1", ""},
	"zulip":             {"POST zulip.vendor.example/hooks/1", ""},
	"grafana-on-call":   {"POST grafana-on-call.vendor.example/hooks/1", ""},
	"getstream":         {"POST getstream.vendor.example/hooks/1", "X-Api-Key: value-of-apiKey"},
	"rocket-chat":       {"POST rocket-chat.vendor.example/api/v1/chat.sendMessage", "X-Auth-Token: value-of-token"},
	"whatsapp-business": {"POST graph.facebook.com/v22.0/value-of-phoneNumberIdentification/messages", "Authorization: Bearer value-of-apiToken"},
	"chat-webhook":      {"POST chat-webhook.vendor.example/hooks/1", ""},
}

// vendorTokens are the calls that fetch an access token first.
var vendorTokens = map[string]call{
	"ring-central": {"POST platform.ringcentral.com/restapi/oauth/token", "Authorization: " + basic("value-of-clientId", "value-of-secretKey")},
	"fcm":          {"POST oauth2.googleapis.com/token", "assertion=ey"},
}

// is reports whether the request is the call.
func (r intercepted) is(c call) bool {
	if r.Method+" "+r.Host+r.Path != c.request {
		return false
	}
	query, _ := url.QueryUnescape(r.Query)
	said := []string{query, string(r.Body)}
	for name, values := range r.Header {
		for _, value := range values {
			said = append(said, name+": "+value)
		}
	}
	return strings.Contains(strings.Join(said, "\n"), c.auth)
}

// relay is a mail server that wants TLS and a log-in.
type relay struct {
	host, port string
	mails      chan smtpsink.Mail
}

const relayUser, relayPassword = "shop@shop.example", "password of the mailbox"

func startRelay(t *testing.T, proxy *interceptor) *relay {
	t.Helper()
	raw := proxy.certificateOfThisMachine(t)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{mails: make(chan smtpsink.Mail, 16)}
	r.host, r.port, err = net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	server := smtpsink.Sink{
		Deliver: func(m smtpsink.Mail) error { r.mails <- m; return nil },
		TLS: &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: proxy.authority.PrivateKey}}, MinVersion: tls.VersionTLS12,
		},
		User: relayUser, Password: relayPassword, Mechanisms: []string{sasl.Login},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	return r
}
