package sms

import (
	"context"
	"encoding/xml"
	"net/url"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sns = provider.Definition{
	ID: "sns", Name: "Amazon SNS", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{
		secretField("apiKey", "Access key ID"), secretField("secretKey", "Secret access key"), provider.FieldSession,
		textField("region", "Region"), optional(fieldFrom),
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		region := c.String("region")
		endpoint := provider.AWSEndpoint("sns", region)
		if endpoint == "" {
			return nil, fault.Invalidf("credentials.region", "must be a region such as us-east-1")
		}
		now := d.Now
		if now == nil {
			now = time.Now
		}
		key := provider.NewAWSKey(c, "sns", region)
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{URL: endpoint + "/", Body: snsForm(t)}
			},
			sign: func(ctx context.Context, req *provider.Request) {
				req.Sign = provider.SignAWS(ctx, req, key, "application/x-www-form-urlencoded", now())
			},
			plain: true,
			read: func(ans *provider.Answer) reply {
				var said struct {
					MessageID string `xml:"PublishResult>MessageId"`
					Code      string `xml:"Error>Code"`
					Message   string `xml:"Error>Message"`
				}
				if xml.Unmarshal(ans.Body, &said) != nil {
					return reply{}
				}
				return reply{id: said.MessageID, code: said.Code, text: said.Message}
			},
			codes: classes(
				[]string{"AuthorizationError", "InvalidClientTokenId", "SignatureDoesNotMatch"},
				[]string{"Throttling", "ThrottledException", "InternalError"},
				"InvalidParameter", "OptedOut", "EndpointDisabled"),
		})
	},
}

// snsForm is a publish to one number; the sender is a message attribute, named by what it is.
func snsForm(t *text) provider.Form {
	form := url.Values{
		"Action": {"Publish"}, "Version": {"2010-03-31"}, "PhoneNumber": {plus(t.to)}, "Message": {t.content},
	}
	if t.from != "" {
		name := "AWS.SNS.SMS.SenderID"
		if numeric(t.from) {
			name = "AWS.MM.SMS.OriginationNumber"
		}
		form.Set("MessageAttributes.entry.1.Name", name)
		form.Set("MessageAttributes.entry.1.Value.DataType", "String")
		form.Set("MessageAttributes.entry.1.Value.StringValue", as(plus, t.from))
	}
	return provider.Form(form)
}
