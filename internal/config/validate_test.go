package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/secret"
)

// TestSettings holds each rule by itself: a mistake names its setting alone, as an operator writes it.
func TestSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(c *config.Config)
		wants  string // the settings that are named; "": none
	}{
		"Defaults":         {func(*config.Config) {}, ""},
		"AllAddresses":     {func(c *config.Config) { c.Addr = ":8080" }, ""},
		"IPv6":             {func(c *config.Config) { c.Addr = "[::1]:0" }, ""},
		"NoPort":           {func(c *config.Config) { c.Addr = "127.0.0.1" }, "ADDR"},
		"NamedPort":        {func(c *config.Config) { c.Addr = "127.0.0.1:http" }, "ADDR"},
		"LargePort":        {func(c *config.Config) { c.Addr = "127.0.0.1:65536" }, "ADDR"},
		"Operations":       {func(c *config.Config) { c.OperationsAddr = "9090" }, "OPERATIONS_ADDR"},
		"PrefixDigit":      {func(c *config.Config) { c.ValuePrefix = "1a" }, "VALUE_PREFIX"},
		"PrefixDash":       {func(c *config.Config) { c.ValuePrefix = "a-b" }, "VALUE_PREFIX"},
		"PrefixLong":       {func(c *config.Config) { c.ValuePrefix = strings.Repeat("a", 32) }, "VALUE_PREFIX"},
		"Prefix":           {func(c *config.Config) { c.ValuePrefix = "acme2" }, ""},
		"OneOfTheNetworks": {func(c *config.Config) { c.EgressAllow = []string{"10.0.0.0/8", "intranet"} }, "EGRESS_ALLOW"},
		"EachNetwork":      {func(c *config.Config) { c.TrustedProxies = []string{"a", "b"} }, "TRUSTED_PROXIES TRUSTED_PROXIES"},
		"Origin":           {func(c *config.Config) { c.CORSOrigins = []string{"https://app.example.com:8443"} }, ""},
		"OriginWithSlash":  {func(c *config.Config) { c.CORSOrigins = []string{"https://app.example.com/"} }, "CORS_ORIGINS"},
		"OriginHost":       {func(c *config.Config) { c.CORSOrigins = []string{"app.example.com"} }, "CORS_ORIGINS"},
		"PublicPath":       {func(c *config.Config) { c.PublicURL = "https://example.com/notify" }, ""},
		"PublicQuery":      {func(c *config.Config) { c.PublicURL = "https://example.com/?a=b" }, "PUBLIC_URL"},
		"PublicUser":       {func(c *config.Config) { c.PublicURL = "https://u:p@example.com" }, "PUBLIC_URL"},
		"PublicFragment":   {func(c *config.Config) { c.PublicURL = "https://example.com/#x" }, "PUBLIC_URL"},
		"PublicScheme":     {func(c *config.Config) { c.PublicURL = "ftp://example.com" }, "PUBLIC_URL"},
		"SMTPName":         {func(c *config.Config) { c.SMTPName = "mail.example.com" }, ""},
		"SMTPNameDash":     {func(c *config.Config) { c.SMTPName = "-mail.example.com" }, "SMTP_NAME"},
		"SMTPNameDot":      {func(c *config.Config) { c.SMTPName = "mail..example.com" }, "SMTP_NAME"},
		"Inbound":          {func(c *config.Config) { c.InboundDomain, c.InboundSMTPAddr = "reply.example.com", ":25" }, ""},
		"InboundAddress":   {func(c *config.Config) { c.InboundDomain, c.InboundSMTPAddr = "reply.example.com", "25" }, "INBOUND_SMTP_ADDR"},
		"InboundUnused":    {func(c *config.Config) { c.InboundSMTPAddr, c.InboundTLSCert = "25", "cert.pem" }, ""},
		"InboundKeyAlone": {func(c *config.Config) {
			c.InboundDomain, c.InboundSMTPAddr, c.InboundTLSKey = "reply.example.com", ":25", "key.pem"
		}, "INBOUND_TLS_KEY"},
		"Connections": {func(c *config.Config) { c.DatabaseMaxConns = -1 }, "DATABASE_MAX_CONNS"},
		"SMTP": {func(c *config.Config) {
			c.SMTPURL, c.SMTPFrom, c.PublicURL = "smtps://u:p@mail.example.com", "a@example.com", "https://example.com"
		}, ""},
		"SMTPScheme": {func(c *config.Config) {
			c.SMTPURL, c.SMTPFrom, c.PublicURL = "http://mail.example.com", "a@example.com", "https://example.com"
		}, "SMTP_URL"},
		"SMTPFromNowhere": {func(c *config.Config) {
			c.SMTPURL, c.SMTPFrom, c.PublicURL = "smtp://mail.example.com", "shop", "https://example.com"
		}, "SMTP_FROM"},
		"SMTPWithoutPublic":  {func(c *config.Config) { c.SMTPURL, c.SMTPFrom = "smtp://mail.example.com", "a@example.com" }, "PUBLIC_URL"},
		"DemoRelay":          {func(c *config.Config) { c.DemoEmailSMTPURL, c.DemoEmailFrom = "mail.example.com:25", "a@example.com" }, "DEMO_EMAIL_SMTP_URL"},
		"DemoWithoutFrom":    {func(c *config.Config) { c.DemoEmailSendgridKey = "SG.x" }, "DEMO_EMAIL_FROM"},
		"DemoQuota":          {func(c *config.Config) { c.DemoSMSQuota = -1 }, "DEMO_EMAIL_QUOTA, DEMO_SMS_QUOTA"},
		"SMTPWithoutFrom":    {func(c *config.Config) { c.SMTPURL, c.PublicURL = "smtp://mail.example.com", "https://example.com" }, "SMTP_FROM"},
		"FromWithoutSMTP":    {func(c *config.Config) { c.SMTPFrom = "a@example.com" }, "SMTP_FROM"},
		"OIDC":               {func(c *config.Config) { c.OIDCIssuer, c.OIDCClientID = "https://login.example.com", "carillon" }, ""},
		"OIDCWithoutClient":  {func(c *config.Config) { c.OIDCIssuer = "https://login.example.com" }, "OIDC_CLIENT_ID"},
		"ClientWithoutOIDC":  {func(c *config.Config) { c.OIDCClientID = "carillon" }, "OIDC_CLIENT_ID"},
		"ExternalWithoutKey": {func(c *config.Config) { c.DatabaseURL = "postgres://db/carillon" }, "SECRET_KEY"},
		"ExternalWithKey": {func(c *config.Config) {
			c.DatabaseURL, c.SecretKey = "postgres://db/carillon", secret.Generate()
		}, ""},
		"OlderKeys":     {func(c *config.Config) { c.SecretKey = secret.Generate() + "," + secret.Generate() }, ""},
		"ShortKey":      {func(c *config.Config) { c.SecretKey = "c2hvcnQ=" }, "SECRET_KEY"},
		"Traces":        {func(c *config.Config) { c.OTLPEndpoint = "127.0.0.1:4318" }, "OTLP_ENDPOINT"},
		"RatesOff":      {func(c *config.Config) { c.RateTrigger = -1 }, ""},
		"Rates":         {func(c *config.Config) { c.RateLimits, c.RateTrigger, c.RateConfig, c.RateGlobal = true, 1, 1, 1 }, ""},
		"OneRateIsNone": {func(c *config.Config) { c.RateLimits, c.RateTrigger, c.RateConfig = true, 1, 1 }, "RATE_TRIGGER, RATE_CONFIGURATION, RATE_GLOBAL"},
		"Memory":        {func(c *config.Config) { c.BodyMemory = -1 }, "BODY_MEMORY, REQUEST_TIME, REQUEST_RATE, QUEUE_TIME, LIVE_CONNECTIONS"},
		"Drain":         {func(c *config.Config) { c.DrainTimeout = -time.Second }, "DRAIN_TIMEOUT"},
		"Retention":     {func(c *config.Config) { c.TransactionRetention = 59 * time.Second }, "TRANSACTION_RETENTION"},
		"RecordsKept":   {func(c *config.Config) { c.RecordRetention = 0 }, ""},
		"RecordsHour":   {func(c *config.Config) { c.RecordRetention = time.Hour }, ""},
		"RecordsShort":  {func(c *config.Config) { c.RecordRetention = 59 * time.Minute }, "RECORD_RETENTION"},
		"DelayDefault":  {func(c *config.Config) { c.MaxDelay = 0 }, ""},
		"DelayShort":    {func(c *config.Config) { c.MaxDelay = time.Millisecond }, "MAX_DELAY"},
		"SmallNone":     {func(c *config.Config) { c.SmallEvent = 0 }, ""},
		"SmallMost":     {func(c *config.Config) { c.SmallEvent = 100 }, ""},
		"SmallNegative": {func(c *config.Config) { c.SmallEvent = -1 }, "SMALL_EVENT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := valid()
			c.change(&cfg)
			err := cfg.Finish()
			if c.wants == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			var named []string
			for line := range strings.Lines(err.Error()) {
				setting, _, _ := strings.Cut(line, ": ")
				named = append(named, strings.TrimPrefix(setting, "CARILLON_"))
			}
			require.Equal(t, c.wants, strings.Join(named, " "))
		})
	}
}

// A mistaken key is not repeated in the error, which ends in logs.
func TestErrorsHoldNoSecret(t *testing.T) {
	t.Parallel()
	c := valid()
	c.SecretKey, c.SMTPURL = "bm90LTMyLWJ5dGVz,not-base64-at-all", "smtp://user:password-of-the-relay"
	err := c.Finish()
	require.ErrorContains(t, err, "CARILLON_SECRET_KEY")
	require.NotContains(t, err.Error(), "bm90LTMyLWJ5dGVz")
	require.NotContains(t, err.Error(), "not-base64-at-all")
	require.ErrorContains(t, err, "CARILLON_SMTP_URL")
	require.NotContains(t, err.Error(), "password-of-the-relay")
	c = valid()
	c.PublicURL, c.OIDCIssuer, c.OTLPEndpoint = "https://u:first@notify.example", "https://u:second@login.example", "collector:third@127.0.0.1:4318"
	err = c.Finish()
	for setting, password := range map[string]string{"PUBLIC_URL": "first", "OIDC_ISSUER": "second", "OTLP_ENDPOINT": "third"} {
		require.ErrorContains(t, err, "CARILLON_"+setting+": is not a web address")
		require.NotContains(t, err.Error(), password)
	}
}

// TestFinishReadsTheEnvironment: the names that every program knows, the upper-case one first.
func TestFinishReadsTheEnvironment(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://upper.example")
	t.Setenv("https_proxy", "http://lower.example")
	t.Setenv("no_proxy", "intranet")
	t.Setenv("NO_PROXY", "")
	t.Setenv("SSL_CERT_FILE", "/etc/own.pem")
	c := valid()
	require.NoError(t, c.Finish())
	require.Equal(t, []string{"http://upper.example", "intranet", "/etc/own.pem"}, []string{c.HTTPSProxy, c.NoProxy, c.SSLCertFile})
	require.Equal(t, "/data", c.DataDir, "what was given stays")
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	c := valid()
	require.True(t, c.Embedded())
	c.DatabaseURL = "postgres://db/carillon"
	require.False(t, c.Embedded())
}
