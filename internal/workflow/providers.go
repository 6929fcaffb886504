package workflow

import "slices"

// providerIDs are the ProviderId values of api.md. Internally the service's own providers always carry the prefix svc;
// the doors translate a configured prefix (decisions.md §1).
var providerIDs = []string{
	"emailjs", "mailgun", "mailjet", "mandrill", "nodemailer", "postmark", "sendgrid", "sendinblue", "ses", "netcore",
	"infobip-email", "resend", "plunk", "mailersend", "mailtrap", "clickatell", "outlook365", "svc-email", "sparkpost",
	"email-webhook", "braze", "nexmo", "plivo", "sms77", "sms-central", "sns", "telnyx", "twilio", "gupshup", "firetext",
	"infobip-sms", "burst-sms", "bulk-sms", "isend-sms", "forty-six-elks", "kannel", "maqsam", "termii",
	"africas-talking", "svc-sms", "sendchamp", "generic-sms", "clicksend", "bandwidth", "messagebird", "simpletexting",
	"azure-sms", "ring-central", "brevo-sms", "eazy-sms", "mobishastra", "afro-message", "unifonic", "smsmode", "imedia",
	"sinch", "isendpro-sms", "fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio",
	"svc", "slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat",
	"whatsapp-business", "chat-webhook", "svc-slack",
}

// subscriberProviderIDs are the SubscriberChannelProviderId values of api.md.
var subscriberProviderIDs = []string{
	"slack", "discord", "msteams", "mattermost", "ryver", "zulip", "grafana-on-call", "getstream", "rocket-chat",
	"whatsapp-business", "chat-webhook", "svc-slack", "fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook",
	"pusher-beams", "appio",
}

// ProviderIDs lists the documented provider ids.
func ProviderIDs() []string { return slices.Clone(providerIDs) }

// SubscriberProviderIDs lists the providers that a subscriber's channel settings may name.
func SubscriberProviderIDs() []string { return slices.Clone(subscriberProviderIDs) }

// ValidProvider tells whether id is a documented provider.
func ValidProvider(id string) bool { return slices.Contains(providerIDs, id) }

// ValidSubscriberProvider tells whether a subscriber's channel settings may name id.
func ValidSubscriberProvider(id string) bool { return slices.Contains(subscriberProviderIDs, id) }
