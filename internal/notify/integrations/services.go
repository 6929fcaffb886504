// Package integrations owns the use cases of sending accounts: integrations with their credentials, connected workspaces and
// endpoints, what vendors report back, suppressions, replies and unsubscriptions.
package integrations

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Services are the use cases of this package.
type Services struct {
	Providers           *Providers
	Integrations        *Integrations
	ConnectedWorkspaces *ConnectedWorkspaces
	ChannelEndpoints    *ChannelEndpoints
	CaughtMessages      *CaughtMessages
	Suppressions        *Suppressions
	Receipts            *Receipts
	Replies             *Replies
	Unsubscribes        *Unsubscribes
}

// New builds the use cases. Links of mails change preferences.
func New(b usecase.Deps, cfg usecase.Config, preferences *audience.Preferences) Services {
	providers := &Providers{cfg.Providers, cfg.Prefix}
	return Services{
		Providers:           providers,
		Integrations:        &Integrations{b, cfg.Providers, cfg.Secrets, cfg.Prefix, cfg.ProviderDeps, cfg.TestSend},
		ConnectedWorkspaces: &ConnectedWorkspaces{b, cfg.Secrets},
		ChannelEndpoints:    &ChannelEndpoints{b, providers, cfg.Secrets},
		CaughtMessages:      &CaughtMessages{b, cfg.Prefix},
		Suppressions:        &Suppressions{b},
		Receipts:            newReceipts(b, cfg),
		Replies:             &Replies{b, cfg.Secrets, cfg.InboundDomain},
		Unsubscribes:        &Unsubscribes{b, cfg.Secrets, preferences, cfg.PublicURL},
	}
}

func newReceipts(b usecase.Deps, cfg usecase.Config) *Receipts {
	certificates, _ := lru.New[string, certificate](maxCertificates) // fails for a size below 1 only
	r := &Receipts{Deps: b, secrets: cfg.Secrets, providers: cfg.Providers, count: cfg.CountReceipt, certificates: certificates}
	if cfg.ProviderDeps != nil {
		r.vendor, r.roots = cfg.ProviderDeps.Vendor, cfg.ProviderDeps.Roots
	}
	return r
}
