// Package config owns the settings: one struct, their defaults, their validation. It alone reads the environment. Every
// setting is a flag and an environment variable CARILLON_<FLAG>; the flag wins.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/secret"
)

// Config is every setting of the program. Zero values are replaced by the defaults in the tags.
type Config struct {
	Database `embed:""`
	HTTP     `embed:""`
	SignIn   `embed:""`
	Delivery `embed:""`
	Logging  `embed:""`

	DataDir                  string `help:"Directory of Carillon's own data: the embedded database and generated secrets. Empty: the platform's default for the data of services." placeholder:"DIR"`
	BootstrapAPIKey          string `name:"bootstrap-api-key" help:"Key of the first environment on an empty database, instead of a generated one." placeholder:"KEY"`
	BootstrapOrganizationKey string `name:"bootstrap-organization-key" help:"Key of the organization on an empty database, with all scopes and valid for 366 days. Empty: none is made." placeholder:"KEY"`
	SecretKey                string `help:"Base64 of the 32 bytes that encrypt stored secrets; older keys may follow, separated by commas. Generated into the data directory when the database is embedded, required otherwise." placeholder:"BASE64"`
}

// Database says where the data lives.
type Database struct {
	DatabaseURL      string `name:"database-url" help:"Postgres connection string. Empty: an embedded Postgres in the data directory." placeholder:"URL"`
	DatabasePooler   bool   `help:"The connection string leads to a transaction pooler such as pgbouncer."`
	DatabaseMaxConns int32  `help:"Connections of this process at most; it takes up to 8 (4 behind a pooler) where fewer are given. 0: what the connection string says, else 32." default:"0"`
	PostgresBin      string `help:"Directory of the Postgres programs for the embedded database. Empty: those that are installed, or were obtained." placeholder:"DIR"`
	ObtainPostgres   bool   `help:"When no Postgres is installed, download a pinned, checksummed one (about 24 MB) into the cache directory for the embedded database. Nothing else on the machine changes."`
}

// HTTP says how the doors behave (decisions.md names the settings).
type HTTP struct {
	Addr             string        `help:"Address to listen on." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	OperationsAddr   string        `help:"Address of /healthz, /readyz and /metrics alone, for the operator's machines. Empty: they are at the other address, where /metrics wants the token or a caller on this machine." placeholder:"HOST:PORT"`
	MetricsToken     string        `help:"Token that readers of /metrics on other machines send: Authorization: Bearer <token>." placeholder:"TOKEN"`
	PublicURL        string        `name:"public-url" help:"Where vendors and readers reach this server, such as https://notify.example.com: receiving addresses, links in mails. Empty: mails carry no such links." placeholder:"URL"`
	Cell             string        `help:"Name of this installation among several that share an address, two to twelve lower-case letters and digits: API keys, log-ins and subscriber tokens that are made here begin with it (crl_eu1.…), so that a proxy finds their installation (deploy.md §8). Empty: it is the only one." placeholder:"NAME"`
	ValuePrefix      string        `help:"Replaces svc in enumerated values and provider ids (decisions.md §1)." default:"svc"`
	ResponseWrapper  string        `help:"data wraps every success body of the REST API into {\"data\": …}." default:"none" enum:"none,data"`
	TrustedProxies   []string      `help:"Networks (CIDR, or single addresses), separated by commas, of the reverse proxies in front of this server: from them X-Forwarded-For, X-Real-IP or Forwarded is believed, up to the last hop that is none of them. Wrong log-ins are counted by that address, and the audit shows it. Empty: none." placeholder:"CIDR"`
	CORSOrigins      []string      `name:"cors-origins" help:"Origins that browsers may call from." placeholder:"ORIGIN"`
	Introspection    string        `help:"off keeps the GraphQL schema to this server: no introspection, no published file." default:"on" enum:"on,off"`
	PersistedQueries string        `help:"JSON file of GraphQL operations, as client generators write it: API keys and subscribers may run no others. Empty: all." placeholder:"FILE"`
	NATSURL          string        `name:"nats-url" help:"NATS servers that carry live events between processes, separated by commas. Empty: Postgres does." placeholder:"URL"`
	RateLimits       bool          `help:"Limit the documented routes and GraphQL per environment, for all processes together (decisions.md §16)."`
	RateTrigger      int           `help:"Triggers per second; a bulk trigger or broadcast counts 100." default:"600"`
	RateConfig       int           `name:"rate-configuration" help:"Requests per second of the documented routes that read or change settings." default:"200"`
	RateGlobal       int           `help:"Requests per second of the other documented routes." default:"300"`
	BodyMemory       int           `help:"MiB of request bodies that may be in memory at once, unpacked, and as much of answers that are being sent; no environment has more than half of it. Beyond, requests get 503." default:"256"`
	RequestTime      time.Duration `help:"How long a request may take to arrive, and its response to be read, when it is small; beyond, requests get 408." default:"10s"`
	RequestRate      int           `help:"KiB of a request or response that extend its time limit by one second." default:"64"`
	QueueTime        time.Duration `help:"How long a request may be queued while the service is at capacity; beyond, it gets 503. Urgent events wait four times as long." default:"250ms"`
	LiveConnections  int           `help:"WebSockets, event streams and operations on them that may be open at once in this process; no environment has more than half of them. Beyond, requests get 503." default:"50000"`
	DrainTimeout     time.Duration `help:"How long a stop waits for requests and deliveries under way." default:"20s"`
}

// SignIn says where people prove who they are, beside passwords, and how they get links to set one.
type SignIn struct {
	SMTPURL          string `name:"smtp-url" help:"SMTP relay that carries invitations and links for new passwords: smtp://user:password@host:port, or smtps:// for TLS from the first byte; it needs CARILLON_PUBLIC_URL. Empty: that of the demo e-mail provider, else none." placeholder:"URL"`
	SMTPFrom         string `name:"smtp-from" help:"Sender address of those mails." placeholder:"ADDRESS"`
	OIDCIssuer       string `name:"oidc-issuer" help:"OpenID Connect server by which members may log in to the dashboard, such as https://login.example.com. Empty: none." placeholder:"URL"`
	OIDCClientID     string `name:"oidc-client-id" help:"Client ID of this server at the OpenID Connect server." placeholder:"ID"`
	OIDCClientSecret string `name:"oidc-client-secret" help:"Client secret. Empty: a public client." placeholder:"SECRET"`
}

// Delivery says how events become messages.
type Delivery struct {
	EgressAllow          []string      `help:"Networks (CIDR, or single addresses), separated by commas, that user-chosen addresses may reach although they are private." placeholder:"CIDR"`
	Clock                string        `help:"virtual allows the clocks of development environments to be moved." default:"real" enum:"real,virtual"`
	TransactionRetention time.Duration `help:"How long a transactionId counts as used." default:"720h"`
	RecordRetention      time.Duration `help:"How long finished events are kept, with their notifications and messages, those in inboxes included. 0: for ever." default:"0"`
	UnknownSubscribers   string        `help:"make lets a subscriber token, or a hash under the inbox secret, make a subscriber that is not known yet, so that an inbox can be opened before the first trigger; refuse answers that there is none." default:"make" enum:"make,refuse"`
	MaxDelay             time.Duration `help:"How far ahead a delay step may reach; further ones fail. 0: 366 days." default:"8784h"`
	SmallEvent           int           `help:"Maximum number of recipients of an event that is planned and stored in one commit; larger events are fanned out after they are stored. 0: all are." default:"20"`
	SMTPName             string        `name:"smtp-name" help:"Host name by which this server greets mail servers (EHLO), unless an integration has its own. Empty: that of the public URL, else the machine's." placeholder:"HOST"`
	InboundDomain        string        `help:"Mail domain that receives replies; its mail exchanger leads to the SMTP address. Empty: replies are not received." placeholder:"DOMAIN"`
	InboundSMTPAddr      string        `name:"inbound-smtp-addr" help:"Address on which replies are received over SMTP, when there is a domain for them." default:"127.0.0.1:2525" placeholder:"HOST:PORT"`
	InboundTLSCert       string        `name:"inbound-tls-cert" help:"Certificate (PEM file, with its chain) for STARTTLS there. Empty: replies come in without encryption." placeholder:"FILE"`
	InboundTLSKey        string        `name:"inbound-tls-key" help:"Key (PEM file) of that certificate." placeholder:"FILE"`

	DemoEmailSendgridKey string `name:"demo-email-sendgrid-key" help:"SendGrid key of the built-in demo e-mail provider. Empty: mails go to the catcher."`
	DemoEmailFrom        string `help:"Sender address of the demo e-mail provider."`
	DemoEmailSenderName  string `help:"Sender name of the demo e-mail provider."`
	DemoEmailSMTPURL     string `name:"demo-email-smtp-url" help:"SMTP relay of the demo e-mail provider: smtp://user:password@host:port."`
	DemoEmailIPPool      string `name:"demo-email-ip-pool" help:"SendGrid pool of IP addresses for the demo e-mail provider."`
	DemoEmailQuota       int    `help:"Mails a month that each organization may send through the demo e-mail provider. 0: no cap." default:"300"`
	DemoSMSAccountSID    string `name:"demo-sms-account-sid" help:"Twilio account of the built-in demo SMS provider. Empty: texts go to the catcher."`
	DemoSMSToken         string `name:"demo-sms-token" help:"Twilio token of the demo SMS provider."`
	DemoSMSFrom          string `name:"demo-sms-from" help:"Sender of the demo SMS provider."`
	DemoSMSQuota         int    `name:"demo-sms-quota" help:"Texts a month that each organization may send through the demo SMS provider. 0: no cap." default:"20"`

	DemoSlackClientID     string `name:"demo-slack-client-id" help:"Slack application of the built-in demo chat provider. Empty: messages go to the catcher."`
	DemoSlackClientSecret string `name:"demo-slack-client-secret" help:"Secret of that application."`

	// The operator's egress proxy and certificates, by the names every program knows.
	HTTPSProxy  string `kong:"-"`
	HTTPProxy   string `kong:"-"`
	NoProxy     string `kong:"-"`
	SSLCertFile string `kong:"-"`
}

// Logging sets which log lines the program writes, and their format.
type Logging struct {
	LogLevel     string `help:"Lowest level that is logged." default:"info" enum:"debug,info,warn,error"`
	LogFormat    string `help:"json or text." default:"json" enum:"json,text"`
	OTLPEndpoint string `name:"otlp-endpoint" help:"OpenTelemetry collector (OTLP over HTTP) that receives traces, such as http://127.0.0.1:4318. Empty: the one of OTEL_EXPORTER_OTLP_ENDPOINT, if that is set." placeholder:"URL"`
}

// Embedded reports whether Carillon runs its own Postgres.
func (c *Config) Embedded() bool { return c.DatabaseURL == "" }

// Finish fills what depends on the machine and reports every mistake together.
func (c *Config) Finish() error {
	if c.DataDir == "" {
		dir, err := defaultDataDir()
		if err != nil {
			return err
		}
		c.DataDir = dir
	}
	c.HTTPSProxy, c.HTTPProxy, c.NoProxy = either("HTTPS_PROXY"), either("HTTP_PROXY"), either("NO_PROXY")
	c.SSLCertFile = os.Getenv("SSL_CERT_FILE")
	return c.validate()
}

func either(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return os.Getenv(strings.ToLower(name))
}

// cellFormat is that of names which internal/auth finds again in credentials.
var cellFormat = regexp.MustCompile(`^[a-z0-9]{2,12}$`)

var prefixFormat = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

var domainFormat = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

func (c *Config) validate() error {
	var mistakes []error
	wrong := func(setting, format string, args ...any) {
		mistakes = append(mistakes, fmt.Errorf("CARILLON_%s: %s", setting, fmt.Sprintf(format, args...)))
	}
	if !listenable(c.Addr) {
		wrong("ADDR", "%q is not HOST:PORT", c.Addr)
	}
	if _, _, err := net.SplitHostPort(c.OperationsAddr); c.OperationsAddr != "" && err != nil {
		wrong("OPERATIONS_ADDR", "%q is not HOST:PORT", c.OperationsAddr)
	}
	if !prefixFormat.MatchString(c.ValuePrefix) {
		wrong("VALUE_PREFIX", "%q: lower-case letters and digits only", c.ValuePrefix)
	}
	if c.Cell != "" && !cellFormat.MatchString(c.Cell) {
		wrong("CELL", "%q: two to twelve lower-case letters and digits", c.Cell)
	}
	for _, cidr := range c.EgressAllow {
		if _, err := egress.ParseAllow([]string{cidr}); err != nil {
			wrong("EGRESS_ALLOW", "%q is not a network such as 10.0.0.0/8, nor an address", cidr)
		}
	}
	for _, cidr := range c.TrustedProxies {
		if _, err := egress.ParseAllow([]string{cidr}); err != nil {
			wrong("TRUSTED_PROXIES", "%q is not a network such as 10.0.0.0/8, nor an address", cidr)
		}
	}
	for _, origin := range c.CORSOrigins {
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" {
			wrong("CORS_ORIGINS", "%q is not an origin such as https://app.example.com", origin)
		}
	}
	for _, address := range []struct{ setting, url, example string }{
		{"PUBLIC_URL", c.PublicURL, "https://notify.example.com"},
		{"OIDC_ISSUER", c.OIDCIssuer, "https://login.example.com"},
		{"OTLP_ENDPOINT", c.OTLPEndpoint, "http://127.0.0.1:4318"},
	} {
		if address.url != "" && !webAddress(address.url) { // it may hold a password, and is not repeated
			wrong(address.setting, "is not a web address such as %s, without user, password and query", address.example)
		}
	}
	if c.SMTPName != "" && !domainFormat.MatchString(c.SMTPName) {
		wrong("SMTP_NAME", "%q is not a host name such as mail.example.com", c.SMTPName)
	}
	if c.InboundDomain != "" {
		if _, _, err := net.SplitHostPort(c.InboundSMTPAddr); err != nil {
			wrong("INBOUND_SMTP_ADDR", "%q is not HOST:PORT", c.InboundSMTPAddr)
		}
		if !domainFormat.MatchString(c.InboundDomain) {
			wrong("INBOUND_DOMAIN", "%q is not a mail domain such as reply.example.com", c.InboundDomain)
		}
		if (c.InboundTLSCert == "") != (c.InboundTLSKey == "") {
			wrong("INBOUND_TLS_KEY", "belongs together with INBOUND_TLS_CERT")
		}
	}
	c.validateMail(wrong)
	if (c.OIDCIssuer == "") != (c.OIDCClientID == "") {
		wrong("OIDC_CLIENT_ID", "belongs together with OIDC_ISSUER")
	}
	if c.DatabaseMaxConns < 0 {
		wrong("DATABASE_MAX_CONNS", "must be positive, or 0 for what the connection string says")
	}
	if c.SecretKey == "" && !c.Embedded() {
		wrong("SECRET_KEY", "is required with an external database; make one with: head -c 32 /dev/urandom | base64")
	}
	if c.SecretKey != "" {
		if _, err := secret.NewKeeper(c.SecretKey); err != nil {
			wrong("SECRET_KEY", "%s; make one with: head -c 32 /dev/urandom | base64", err)
		}
	}
	if c.RateLimits && min(c.RateTrigger, c.RateConfig, c.RateGlobal) < 1 {
		wrong("RATE_TRIGGER, RATE_CONFIGURATION, RATE_GLOBAL", "must be positive")
	}
	if c.BodyMemory < 0 || c.RequestTime < 0 || c.RequestRate < 0 || c.QueueTime < 0 || c.LiveConnections < 0 { // 0: the default
		wrong("BODY_MEMORY, REQUEST_TIME, REQUEST_RATE, QUEUE_TIME, LIVE_CONNECTIONS", "must be positive")
	}
	if c.DrainTimeout <= 0 {
		wrong("DRAIN_TIMEOUT", "must be positive")
	}
	if c.TransactionRetention < time.Minute {
		wrong("TRANSACTION_RETENTION", "must be at least a minute")
	}
	if c.RecordRetention != 0 && c.RecordRetention < time.Hour {
		wrong("RECORD_RETENTION", "must be at least an hour, or 0 to keep everything")
	}
	if c.MaxDelay != 0 && c.MaxDelay < time.Second {
		wrong("MAX_DELAY", "must be at least a second")
	}
	if c.SmallEvent < 0 || c.SmallEvent > 100 {
		wrong("SMALL_EVENT", "must be 0 to 100 recipients: requests wait while they are planned")
	}
	return errors.Join(mistakes...)
}

// validateMail reports mistakes of what sends mails of Carillon's own and of the demo sender.
func (c *Config) validateMail(wrong func(setting, format string, args ...any)) {
	for _, relay := range []struct{ setting, url string }{{"SMTP_URL", c.SMTPURL}, {"DEMO_EMAIL_SMTP_URL", c.DemoEmailSMTPURL}} {
		// The address may hold a password, and is not repeated.
		if u, err := url.Parse(relay.url); relay.url != "" && (err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps") {
			wrong(relay.setting, "is not an address such as smtp://user:password@host:587")
		}
	}
	if (c.SMTPURL == "") != (c.SMTPFrom == "") {
		wrong("SMTP_FROM", "belongs together with SMTP_URL")
	}
	for _, from := range []struct{ setting, address string }{{"SMTP_FROM", c.SMTPFrom}, {"DEMO_EMAIL_FROM", c.DemoEmailFrom}} {
		if _, err := mail.ParseAddress(from.address); from.address != "" && err != nil {
			wrong(from.setting, "%q is not an e-mail address", from.address)
		}
	}
	if c.SMTPURL != "" && c.PublicURL == "" {
		wrong("PUBLIC_URL", "is required with SMTP_URL: mails to members carry links to it")
	}
	if c.DemoEmailFrom == "" && (c.DemoEmailSMTPURL != "" || c.DemoEmailSendgridKey != "") {
		wrong("DEMO_EMAIL_FROM", "is required with DEMO_EMAIL_SMTP_URL and DEMO_EMAIL_SENDGRID_KEY")
	}
	if c.DemoEmailQuota < 0 || c.DemoSMSQuota < 0 {
		wrong("DEMO_EMAIL_QUOTA, DEMO_SMS_QUOTA", "must be positive, or 0 for no cap")
	}
}

// listenable reports whether addr is a host and the number of a port.
func listenable(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// webAddress reports whether paths can be appended to text.
func webAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		u.RawQuery == "" && u.Fragment == ""
}

// defaultDataDir is the platform's place for a service's data. As root it lies outside root's home, because the
// database's unprivileged user must be able to reach it.
func defaultDataDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/carillon", nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "carillon"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find a place for data: set CARILLON_DATA_DIR: %w", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "carillon"), nil
	}
	return filepath.Join(home, ".local", "share", "carillon"), nil
}
