package sms

import (
	"context"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// demo sends through the operator's one Twilio account for the whole server; without one, into the catcher.
var demo = provider.Definition{
	ID: "svc-sms", Name: "Demo SMS", Channel: workflow.ChannelSMS,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		a := &demoAdapter{deps: d}
		if c := d.Demo.SMS; c.AccountSID != "" && c.Token != "" {
			a.relay = newTwilio(d, provider.Credentials{"accountSid": c.AccountSID, "token": c.Token, "from": c.From})
		}
		return a, nil
	},
}

type demoAdapter struct {
	deps  provider.Deps
	relay *twilioAdapter // nil: the catcher
}

// Send relays within the quota, or catches.
func (a *demoAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	t, err := compose(m, "")
	if err != nil {
		return nil, err
	}
	if a.relay == nil {
		return provider.Caught(ctx, a.deps, provider.CaughtMessage{
			MessageID: m.ID, ProviderID: "svc-sms", Channel: workflow.ChannelSMS, Target: t.to,
			Text: t.content, Payload: m.Payload,
		})
	}
	if err := provider.TakeQuota(ctx, a.deps, "svc-sms", m.ID); err != nil {
		return nil, err
	}
	plain := *m
	plain.Overrides, plain.Merge, plain.SenderFrom = nil, nil, "" // a shared account has one sender
	plain.Target.Phone, plain.Content.Body = t.to, t.content
	return a.relay.Send(ctx, &plain)
}
