package email

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

const sesRegion = "us-east-1"

var ses = provider.Definition{
	ID: "ses", Name: "SES", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		{Name: "apiKey", Label: "Access key ID", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "secretKey", Label: "Secret access key", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "region", Label: "Region", Kind: provider.KindString, Default: sesRegion},
		provider.FieldSession, fieldFrom, fieldSenderName, fieldBaseURL,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifySNS, Parse: parseSESReceipts, Signed: true, AnyAccount: true},
	New:          newSES,
}

func newSES(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	region := first(c.String("region"), sesRegion)
	vendor := provider.AWSEndpoint("email", region)
	if vendor == "" {
		return nil, fault.Invalidf("credentials.region", "must be a region such as %s", sesRegion)
	}
	address, origin := base(c, vendor)
	writer := &smtpAdapter{now: d.Now}
	key := provider.NewAWSKey(c, "ses", region)
	return httpAdapter{
		style:       provider.Style{Case: provider.PascalCase},
		interpreted: inputNames,
		request: func(_ context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
			if err := l.override(provider.Extra(m, provider.Style{})); err != nil {
				return nil, err
			}
			if err := l.requireASCII(); err != nil {
				return nil, err
			}
			env, err := newEnvelope(l)
			if err != nil {
				return nil, err
			}
			data, _, err := writer.render(l, env)
			if err != nil {
				return nil, err
			}
			return &provider.Request{URL: address + "/v2/email/outbound-emails", Origin: origin, Body: jsonBody(map[string]any{
				"FromEmailAddress": named(env.from.Name, path(env.from)),
				"Destination": provider.Present(map[string]any{
					"ToAddresses": bare(env.to), "CcAddresses": bare(env.cc), "BccAddresses": bare(env.bcc),
				}),
				"Content": map[string]any{"Raw": map[string]any{"Data": base64.StdEncoding.EncodeToString(data)}},
			})}, nil
		},
		finish: func(ctx context.Context, req *provider.Request) {
			req.Sign = provider.SignAWS(ctx, req, key, "application/json", d.Now())
		},
		read: func(ans *provider.Answer) reply {
			code, _, _ := strings.Cut(first(ans.Header.Get("X-Amzn-Errortype"), ans.At("__type")), ":")
			return reply{id: ans.At("MessageId"), code: code, text: ans.At("message", "Message")}
		},
		codes: classes(
			[]string{"MailFromDomainNotVerifiedException", "AccountSuspendedException", "SendingPausedException"},
			[]string{"TooManyRequestsException", "LimitExceededException", "Throttling", "ThrottlingException", "ThrottledException"}, nil),
	}.open(d, c), nil
}

var sesOutcomes = provider.Outcomes{
	"Delivery":  provider.OutcomeDelivered,
	"Bounce":    provider.OutcomeSoftBounce,
	"Complaint": provider.OutcomeComplained,
	"Open":      provider.OutcomeOpened,
	"Click":     provider.OutcomeClicked,
	"Reject":    provider.OutcomeFailed,
}

// parseSESReceipts reads what SNS passes on: one receipt per recipient that it is about.
func parseSESReceipts(in *provider.Inbound) (provider.Reports, error) {
	list, err := provider.Entries(in.Body)
	if err != nil || len(list) == 0 {
		return provider.Reports{}, provider.ErrMalformed
	}
	envelope := list[0]
	if envelope.Text("Type") == "SubscriptionConfirmation" {
		address := envelope.Text("SubscribeURL")
		if !provider.SNSAddress(address) {
			return provider.Reports{}, provider.ErrMalformed
		}
		return provider.Reports{Confirm: address}, nil
	}
	if envelope.Text("Type") != "Notification" {
		return provider.Reports{}, nil
	}
	var e provider.Entry
	if provider.DecodeReport([]byte(envelope.Text("Message")), &e) != nil {
		return provider.Reports{}, nil // the topic's own text
	}
	word := e.Text("eventType")
	if word == "" {
		word = e.Text("notificationType")
	}
	what, ok := sesOutcomes[word]
	if !ok {
		return provider.Reports{}, nil
	}
	section, recipients, name := strings.ToLower(word), "recipients", ""
	switch word {
	case "Bounce":
		recipients, name = "bouncedRecipients", "emailAddress"
		if e.Text("bounce", "bounceType") == "Permanent" {
			what = provider.OutcomeHardBounce
		}
	case "Complaint":
		recipients, name = "complainedRecipients", "emailAddress"
	case "Delivery":
	default:
		section, recipients = "mail", "destination"
	}
	r := provider.Reported{MessageID: e.Text("mail", "messageId"), Kind: what.Kind, Permanent: what.Permanent, At: provider.ReportTime(e.Text(strings.ToLower(word), "timestamp"))}
	var out provider.Reports
	about, _ := e[section].(map[string]any)
	addresses, _ := about[recipients].([]any)
	for i, v := range addresses {
		r.EventID = envelope.Text("MessageId") + ":" + strconv.Itoa(i)
		r.Recipient, _ = v.(string)
		if object, isObject := v.(map[string]any); isObject {
			r.Recipient, r.Detail = provider.Entry(object).Text(name), provider.Entry(object).Text("diagnosticCode")
		}
		out.List = append(out.List, r)
	}
	return out, nil
}
