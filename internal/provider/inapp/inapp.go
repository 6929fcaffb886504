// Package inapp holds the built-in inbox as a provider, so that it is chosen, listed and configured like any other.
package inapp

import (
	"context"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var svc = provider.Definition{
	ID: "svc", Name: "Inbox", Channel: workflow.ChannelInApp,
	Credentials: []provider.Field{
		{Name: "hmac", Label: "Require a signed subscriber id to open an inbox session", Kind: provider.KindBool},
	},
	Capabilities: provider.Capabilities{IdempotencyKey: true},
	New: func(provider.Deps, provider.Credentials) (provider.Adapter, error) {
		return inbox{}, nil
	},
}

// inbox makes no call: storing the message, which the engine does, is the delivery.
type inbox struct{}

// Send gives the stored message's own id.
func (inbox) Send(_ context.Context, m *provider.Message) (*provider.Receipt, error) {
	return &provider.Receipt{ID: m.ID}, nil
}
