package app

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"time"

	"golang.org/x/net/idna"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
)

// newEgress is the way out to vendors and to addresses that users choose.
func newEgress(cfg *config.Config, log *slog.Logger) (*egress.Client, error) {
	allow, err := egress.ParseAllow(cfg.EgressAllow)
	if err != nil {
		return nil, fmt.Errorf("CARILLON_EGRESS_ALLOW: %w", err)
	}
	client, err := egress.New(egress.Config{
		HTTPProxy: cfg.HTTPProxy, HTTPSProxy: cfg.HTTPSProxy, NoProxy: cfg.NoProxy, CertFile: cfg.SSLCertFile, Allow: allow, Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("the way out to providers: %w", err)
	}
	return client, nil
}

// helloName is the name by which this process greets mail servers: the operator's, else that under which the public reaches
// it, else the machine's; "" when that is no name of a host.
func helloName(cfg *config.Config) string {
	public, machine := "", ""
	if u, err := url.Parse(cfg.PublicURL); err == nil {
		public = u.Hostname()
	}
	if name, err := os.Hostname(); err == nil {
		machine = name
	}
	for _, name := range []string{cfg.SMTPName, public, machine} {
		if address, err := netip.ParseAddr(name); err == nil && address.Is6() {
			name = "[IPv6:" + name + "]"
		} else if err == nil {
			name = "[" + name + "]"
		}
		ascii, err := idna.Lookup.ToASCII(name)
		if err == nil {
			name = ascii
		}
		if name != "" && provider.CheckHello(name) == "" {
			return name
		}
	}
	return ""
}

// providerDeps are the dependencies of the adapters.
func providerDeps(cfg *config.Config, way *egress.Client, catcher provider.Catcher, quota provider.Quota, version string, log *slog.Logger) provider.Deps {
	return provider.Deps{
		Vendor:  way.Vendor(),
		Chosen:  way.Guarded(),
		Dial:    way.DialContext,
		Roots:   way.Roots(),
		Log:     log,
		Catcher: catcher,
		Quota:   quota,
		Tokens:  provider.NewTokens(),
		Prefix:  cfg.ValuePrefix,
		Version: version,
		Hello:   helloName(cfg),
		Now:     time.Now,
		Demo: provider.Demo{
			Email: provider.DemoEmail{SendGridKey: cfg.DemoEmailSendgridKey, SMTPURL: cfg.DemoEmailSMTPURL, From: cfg.DemoEmailFrom, SenderName: cfg.DemoEmailSenderName, IPPoolName: cfg.DemoEmailIPPool},
			SMS:   provider.DemoSMS{AccountSID: cfg.DemoSMSAccountSID, Token: cfg.DemoSMSToken, From: cfg.DemoSMSFrom},
			Slack: provider.DemoSlack{ClientID: cfg.DemoSlackClientID, ClientSecret: cfg.DemoSlackClientSecret},
		},
	}
}
