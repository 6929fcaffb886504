package config_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
)

func valid() config.Config {
	return config.Config{
		DataDir:  "/data",
		HTTP:     config.HTTP{Addr: "127.0.0.1:8080", ValuePrefix: "svc", DrainTimeout: time.Second},
		Delivery: config.Delivery{TransactionRetention: time.Hour, MaxDelay: time.Hour},
	}
}

func TestFinishReportsEveryMistake(t *testing.T) {
	t.Parallel()

	c := valid()
	c.EgressAllow, c.TrustedProxies = []string{"10.0.0.1", "fd00::/8"}, []string{"10.0.0.1", "fd00::/8"}
	require.NoError(t, c.Finish())

	c.Addr, c.Cell, c.ValuePrefix, c.EgressAllow, c.TrustedProxies = "nowhere", "e", "Not This", []string{"10.0.0.0/33"}, []string{"proxy.example.com"}
	c.CORSOrigins, c.DatabaseURL, c.DrainTimeout = []string{"https://a.example/path"}, "postgres://x", 0
	c.RateLimits, c.PublicURL = true, "notify.example.com"
	c.InboundDomain, c.InboundSMTPAddr, c.InboundTLSCert = "@reply.example", "smtp", "cert.pem"
	c.OIDCIssuer, c.RecordRetention, c.SmallEvent = "login.example.com", time.Minute, 101
	err := c.Finish()
	for _, setting := range []string{"ADDR", "CELL", "VALUE_PREFIX", "EGRESS_ALLOW", "TRUSTED_PROXIES", "CORS_ORIGINS", "SECRET_KEY", "PUBLIC_URL", "OIDC_ISSUER", "OIDC_CLIENT_ID", "INBOUND_DOMAIN", "INBOUND_SMTP_ADDR", "INBOUND_TLS_KEY", "RATE_TRIGGER", "RECORD_RETENTION", "SMALL_EVENT", "DRAIN_TIMEOUT"} {
		require.ErrorContains(t, err, "CARILLON_"+setting)
	}
}

func TestFinishReadsTheProxy(t *testing.T) {
	t.Setenv("https_proxy", "http://proxy.example:3128")
	c := valid()
	c.DataDir = ""
	require.NoError(t, c.Finish())
	require.Equal(t, "http://proxy.example:3128", c.HTTPSProxy)
	require.NotEmpty(t, c.DataDir)
}
