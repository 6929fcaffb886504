package provider

import (
	"slices"

	"github.com/carillon/carillon/internal/workflow"
)

// catalogue is ProviderId of api.md in its order, with the channel of each.
var catalogue = []struct {
	channel workflow.Channel
	ids     []string
}{
	{workflow.ChannelEmail, []string{
		"emailjs", "mailgun", "mailjet", "mandrill", "nodemailer", "postmark", "sendgrid", "sendinblue", "ses", "netcore",
		"infobip-email", "resend", "plunk", "mailersend", "mailtrap",
	}},
	{workflow.ChannelSMS, []string{"clickatell"}}, // among the e-mail ids in the document, but a provider of SMS
	{workflow.ChannelEmail, []string{"outlook365", "svc-email", "sparkpost", "email-webhook", "braze"}},
	{workflow.ChannelSMS, []string{
		"nexmo", "plivo", "sms77", "sms-central", "sns", "telnyx", "twilio", "gupshup", "firetext", "infobip-sms",
		"burst-sms", "bulk-sms", "isend-sms", "forty-six-elks", "kannel", "maqsam", "termii", "africas-talking", "svc-sms",
		"sendchamp", "generic-sms", "clicksend", "bandwidth", "messagebird", "simpletexting", "azure-sms", "ring-central",
		"brevo-sms", "eazy-sms", "mobishastra", "afro-message", "unifonic", "smsmode", "imedia", "sinch", "isendpro-sms",
	}},
	{workflow.ChannelPush, []string{
		"fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio",
	}},
	{workflow.ChannelInApp, []string{"svc"}},
	{workflow.ChannelChat, []string{
		"slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat",
		"whatsapp-business", "chat-webhook", "svc-slack",
	}},
}

var ids, channelOf = indexCatalogue()

func indexCatalogue() ([]string, map[string]workflow.Channel) {
	var list []string
	index := map[string]workflow.Channel{}
	for _, group := range catalogue {
		for _, id := range group.ids {
			list = append(list, id)
			index[id] = group.channel
		}
	}
	return list, index
}

// IDs lists every ProviderId of api.md in its order, whether or not an adapter exists. The prefix is written "svc"; the
// doors translate VALUE_PREFIX.
func IDs() []string { return slices.Clone(ids) }

// ChannelOf gives the channel of a ProviderId; ok is false for any other text.
func ChannelOf(id string) (c workflow.Channel, ok bool) {
	c, ok = channelOf[id]
	return c, ok
}

// SubscriberChannelIDs lists SubscriberChannelProviderId of api.md: the providers that a subscriber's channel settings
// may name, which are those of chat and push.
func SubscriberChannelIDs() []string {
	var out []string
	for _, c := range []workflow.Channel{workflow.ChannelChat, workflow.ChannelPush} {
		for _, id := range ids {
			if channelOf[id] == c {
				out = append(out, id)
			}
		}
	}
	return out
}

// IsSubscriberChannel tells whether a subscriber's channel settings may name the provider.
func IsSubscriberChannel(id string) bool {
	c := channelOf[id]
	return c == workflow.ChannelChat || c == workflow.ChannelPush
}
