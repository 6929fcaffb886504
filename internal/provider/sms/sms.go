// Package sms holds the SMS providers, one file each, and what they share: the resolved text, numbers in the forms that
// vendors want, and the GSM alphabet.
package sms

import (
	"cmp"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var (
	fieldFrom    = provider.Field{Name: "from", Label: "Sender", Kind: provider.KindString, Required: true}
	fieldBaseURL = provider.Field{Name: "baseUrl", Label: "Base address in place of the vendor's", Kind: provider.KindURL, Destination: true}
)

func textField(name, label string) provider.Field {
	return provider.Field{Name: name, Label: label, Kind: provider.KindString, Required: true}
}

func secretField(name, label string) provider.Field {
	return provider.Field{Name: name, Label: label, Kind: provider.KindString, Required: true, Secret: true}
}

func optional(f provider.Field) provider.Field { f.Required = false; return f }
func required(f provider.Field) provider.Field { f.Required = true; return f }

func destination(f provider.Field) provider.Field { f.Destination = true; return f }

// text is one message after the overrides that every SMS provider reads (sms.md §0.10).
type text struct {
	to, from, content string
	custom            map[string]any
}

// interpreted are the overrides that compose reads; they are not merged into the vendor's request again.
var interpreted = []string{"to", "from", "content", "customData"}

// compose resolves recipient, sender and content; sender is the integration's own.
func compose(m *provider.Message, sender string) (*text, error) {
	t := &text{
		to:      cmp.Or(provider.Override(m, "to"), m.Target.Phone),
		from:    cmp.Or(provider.Override(m, "from"), m.SenderFrom, sender),
		content: cmp.Or(provider.Override(m, "content"), m.Content.Body, m.Content.Text),
		custom:  m.CustomData,
	}
	for _, layer := range []map[string]any{m.Overrides, m.Merge} {
		if custom, ok := layer["customData"].(map[string]any); ok {
			t.custom = custom
		}
	}
	if t.to == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no phone number")
	}
	return t, nil
}

// plus is a number as most vendors take it. The subscriber's comes in this form; overrides of the provider and senders may not.
func plus(number string) string { return workflow.PlainPhone(number) }

// digits is plus without the +.
func digits(number string) string { return strings.TrimPrefix(plus(number), "+") }

// numeric reports whether a sender is a number; a name is never reshaped.
func numeric(sender string) bool {
	d := digits(sender)
	return d != "" && strings.Trim(d, "0123456789") == ""
}

// as reshapes a numeric sender like a recipient.
func as(form func(string) string, sender string) string {
	if numeric(sender) {
		return form(sender)
	}
	return sender
}
