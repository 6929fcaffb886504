package sms

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the vendor signs with it
	"encoding/base64"
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var twilio = provider.Definition{
	ID: "twilio", Name: "Twilio", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{
		{Name: "accountSid", Label: "Account SID", Kind: provider.KindString, Required: true},
		{Name: "token", Label: "Auth token", Kind: provider.KindString, Required: true, Secret: true},
		fieldFrom, fieldBaseURL,
	},
	Receipts: &provider.ReceiptReader{Verify: verifyTwilio, Signed: true, Parse: provider.StatusReport{
		Outcomes: provider.Outcomes{
			"delivered":   provider.OutcomeDelivered,
			"read":        provider.OutcomeOpened,
			"undelivered": provider.OutcomeFailed,
			"failed":      provider.OutcomeFailed,
		},
		MessageID: "MessageSid", State: "MessageStatus", Recipient: "To", Details: []string{"ErrorCode"},
	}.Parse},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return newTwilio(d, c), nil
	},
}

type twilioAdapter struct {
	client           *provider.Client
	sid, token, from string
	url, receipts    string
	origin           provider.Origin
}

func newTwilio(d provider.Deps, c provider.Credentials) *twilioAdapter {
	a := &twilioAdapter{
		client: d.Client(), sid: c.String("accountSid"), token: c.Secret("token"), from: c.String("from"),
		receipts: d.Receipts,
	}
	if c.String("baseUrl") != "" {
		a.origin = provider.OriginCredentials
	}
	a.url = c.URL("baseUrl", "https://api.twilio.com") + "/2010-04-01/Accounts/" + url.PathEscape(a.sid) + "/Messages.json"
	return a
}

// Send posts one text.
func (a *twilioAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	t, err := compose(m, a.from)
	if err != nil {
		return nil, err
	}
	form := provider.PresentForm(map[string]string{"To": plus(t.to), "Body": t.content, "StatusCallback": a.receipts})
	if strings.HasPrefix(t.from, "MG") && len(t.from) == 34 { // a messaging service, not a sender
		form["MessagingServiceSid"] = []string{t.from}
	} else if t.from != "" {
		form["From"] = []string{as(plus, t.from)}
	}
	req := &provider.Request{
		URL: a.url, Origin: a.origin, Body: form,
		Secure: provider.Basic(a.sid, a.token),
	}
	req.Apply(m, provider.Style{Case: provider.PascalCase}, interpreted...)
	ans, err := a.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, twilioFailure(ans, ans.At("code"), ans.At("message"))
	}
	if ans.At("status") == "failed" {
		return nil, twilioFailure(ans, ans.At("error_code"), ans.At("error_message"))
	}
	receipt := ans.Accepted(ctx, m, ans.At("sid"))
	if at, err := mail.ParseDate(ans.At("date_created")); err == nil {
		receipt.Date = at.UTC().Truncate(time.Second)
	}
	return receipt, nil
}

// twilioFailure classifies an answer. Some codes say more than its status: those of one number are no fault of the integration.
func twilioFailure(ans *provider.Answer, code, text string) *provider.Error {
	failure := ans.Failure(code, text)
	switch failure.Code {
	case "20429", "30001", "14107":
		failure.Class = provider.Transient
	case "20003":
		failure.Class = provider.Fault
	case "21211", "21408", "21610", "21614", "21617":
		failure.Class = provider.Permanent
	}
	return failure
}

// verifyTwilio checks the signature over the address and the sorted form, under the account's token unless a key is set.
func verifyTwilio(in *provider.Inbound) error {
	key := in.Key
	if key == "" {
		key = in.Credentials.String("token")
	}
	form, err := url.ParseQuery(string(in.Body))
	given := in.Header.Get("X-Twilio-Signature")
	if err != nil || key == "" || given == "" {
		return provider.ErrSignature
	}
	var fields strings.Builder
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, v := range form[name] {
			fields.WriteString(name + v)
		}
	}
	for _, address := range in.URLs {
		mac := hmac.New(sha1.New, []byte(key))
		mac.Write([]byte(address + fields.String()))
		if provider.SameText(given, base64.StdEncoding.EncodeToString(mac.Sum(nil))) {
			return nil
		}
	}
	return provider.ErrSignature
}
