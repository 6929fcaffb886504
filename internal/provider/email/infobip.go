package email

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var infobip = provider.Definition{
	ID: "infobip-email", Name: "Infobip", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, {Name: "baseUrl", Label: "Base address of the account", Kind: provider.KindURL, Required: true, Destination: true}, fieldFrom, fieldSenderName,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "")
		return httpAdapter{
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				fields, err := infobipFields(l)
				if err != nil {
					return nil, err
				}
				return &provider.Request{
					URL: address + "/email/3/send", Origin: origin,
					Header: http.Header{"Accept": {"application/json"}}, Secure: provider.Scheme("App", c.Secret("apiKey")),
					Body: form(l, fields, "attachment", "inlineImage"),
				}, nil
			},
			read: readInfobip,
		}.open(d, c), nil
	},
}

// infobipFields: the custom data comes back with the reports. Unverified: that the headers are a JSON object.
func infobipFields(l *letter) (map[string][]string, error) {
	fields := map[string][]string{
		"from": {named(l.senderName, l.from)}, "to": l.to, "cc": l.cc, "bcc": l.bcc, "replyTo": {l.replyLine()}, "subject": {l.subject},
		"html": {l.html}, "text": {l.text}, "callbackData": {l.metadataText()},
	}
	if headers := l.extraHeaders(); len(headers) > 0 {
		data, err := provider.EncodeJSON(headers)
		if err != nil {
			return nil, provider.Failf(provider.Permanent, "the headers could not be written")
		}
		fields["headers"] = []string{string(data)}
	}
	return fields, nil
}

// readInfobip: the answer has an item per recipient. Refused beside others that were taken, a recipient is a warning.
func readInfobip(ans *provider.Answer) reply {
	r := reply{
		id:   ans.At("messages.0.messageId"),
		code: ans.At("requestError.serviceException.messageId", "errorCode"),
		text: ans.At("requestError.serviceException.text", "description"),
	}
	items, _ := ans.Value("messages").([]any)
	var refused []string
	for i := range items {
		item := fmt.Sprintf("messages.%d.", i)
		if ans.At(item+"status.groupName") == "REJECTED" || ans.At(item+"status.groupId") == "5" {
			r.code, r.text = first(r.code, ans.At(item+"status.name")), first(r.text, ans.At(item+"status.description"))
			refused = append(refused, fmt.Sprintf("%s refused: %s", ans.At(item+"to"), ans.At(item+"status.description", item+"status.name")))
		}
	}
	if r.failed = len(refused) > 0 && len(refused) == len(items); !r.failed {
		r.warning = strings.Join(refused, "; ")
	}
	return r
}
