package chat

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// graphVersion lives for about two years; raise it then.
const graphVersion = "v22.0"

var whatsapp = provider.Definition{
	ID: "whatsapp-business", Name: "WhatsApp Business", Channel: workflow.ChannelChat,
	Endpoints: []workflow.EndpointType{workflow.EndpointPhone},
	Credentials: []provider.Field{
		{Name: "apiToken", Label: "Access token", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "phoneNumberIdentification", Label: "Phone number id", Kind: provider.KindString, Required: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &whatsappAdapter{
			client: d.Client(), token: c.Secret("apiToken"),
			url: "https://graph.facebook.com/" + graphVersion + "/" + url.PathEscape(c.String("phoneNumberIdentification")) + "/messages",
		}, nil
	},
}

type whatsappAdapter struct {
	client     *provider.Client
	token, url string
}

// Send posts one message to a phone number.
func (w *whatsappAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	to := cmp.Or(m.Target.Endpoint.PhoneNumber, m.Target.Phone)
	if to == "" {
		return nil, provider.Failf(provider.Permanent, "the target has no phone number")
	}
	kind, content := whatsappContent(m)
	req := &provider.Request{
		URL: w.url, Secure: provider.Bearer(w.token),
		Body: &provider.JSON{Root: map[string]any{
			"messaging_product": "whatsapp", "recipient_type": "individual", "to": to, "type": kind, kind: content,
		}},
	}
	apply(req, m, whatsappStyle, append(slices.Clone(whatsappKinds), "text", "webhookUrl")...)
	ans, err := w.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, whatsappFailure(ans)
	}
	return ans.Accepted(ctx, m, ans.At("messages.0.id")), nil
}

var whatsappStyle = provider.Style{Case: provider.SnakeCase}

// whatsappKinds are the kinds of message that an override can choose; the first that is there counts.
var whatsappKinds = []string{"template", "interactive", "image", "document", "video", "audio", "location", "contacts", "sticker"}

// whatsappContent is the message's kind with its object: an override's, else the text.
func whatsappContent(m *provider.Message) (kind string, content any) {
	nearer, _ := whatsappStyle.Convert(m.Merge).(map[string]any)
	over := provider.Merge(maps.Clone(m.Overrides), nearer)
	for _, kind := range whatsappKinds {
		if over[kind] != nil {
			return kind, over[kind]
		}
	}
	body := map[string]any{"body": m.Content.Body, "preview_url": false}
	own, _ := whatsappStyle.Convert(over["text"]).(map[string]any)
	return "text", provider.Merge(body, own)
}

// whatsappFailure goes by the code, whatever the status.
func whatsappFailure(ans *provider.Answer) *provider.Error {
	failure := ans.Failure(ans.At("error.code"), cmp.Or(ans.At("error.error_data.details"), ans.At("error.message")))
	switch code := failure.Code; {
	case slices.Contains([]string{"1", "2", "131000", "131016", "131057", "133004", "4", "80007", "130429", "131056"}, code):
		failure.Class = provider.Transient
	case slices.Contains([]string{"0", "10", "190", "131005", "131031"}, code), len(code) == 3 && code[0] == '2':
		failure.Class = provider.Fault
	case code != "":
		failure.Class = provider.Permanent
	}
	return failure
}
