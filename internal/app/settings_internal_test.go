package app

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// TestLintOptions: files are checked against what a server with the same settings would save.
func TestLintOptions(t *testing.T) {
	t.Parallel()
	for domain, inbound := range map[string]bool{"": false, "reply.example.com": true} {
		cfg := &config.Config{}
		cfg.InboundDomain, cfg.ValuePrefix = domain, "acme"
		opts, err := LintOptions(cfg)
		require.NoError(t, err)
		require.Equal(t, "acme", opts.Prefix)
		require.Equal(t, inbound, opts.Workflows.InboundDomain, domain)
		require.Equal(t, workflow.StepTypes(), opts.Workflows.SupportedSteps)
		require.NotNil(t, opts.Workflows.Templates)
		require.Equal(t, 366*24*time.Hour, opts.Workflows.MaxDelay, "what the engine permits without a setting")
		_, known := opts.Providers.Lookup("sendgrid")
		require.True(t, known)

		cfg.MaxDelay = time.Hour
		opts, err = LintOptions(cfg)
		require.NoError(t, err)
		require.Equal(t, time.Hour, opts.Workflows.MaxDelay)
	}
}

// TestMailCertificates: without a certificate mails come in plainly; one that cannot be read ends the start, with the
// setting named.
func TestMailCertificates(t *testing.T) {
	t.Parallel()
	plain, err := (&App{cfg: &config.Config{}}).mailTLS()
	require.NoError(t, err)
	require.Nil(t, plain)
	garbled := filepath.Join(t.TempDir(), "cert.pem")
	require.NoError(t, os.WriteFile(garbled, []byte("no certificate"), 0o600))
	for _, path := range []string{garbled, garbled + ".gone"} {
		cfg := &config.Config{}
		cfg.InboundTLSCert, cfg.InboundTLSKey = path, path
		_, err := (&App{cfg: cfg}).mailTLS()
		require.ErrorContains(t, err, "CARILLON_INBOUND_TLS_CERT: ")
	}
}

// TestKeyFiles holds when a key file is made, and what is said of one that cannot be used.
func TestKeyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := secretKeyOf(&config.Config{DataDir: dir})
	require.Equal(t, filepath.Join(dir, "secret.key"), key.file)
	_, err := key.read(false)
	require.ErrorContains(t, err, key.file+" is missing")
	require.ErrorContains(t, err, "Restore the file from a backup")
	require.NoFileExists(t, key.file, "only a new installation gets a key")

	made, err := key.read(true)
	require.NoError(t, err)
	check, err := made.Check()
	require.NoError(t, err)
	again, err := key.read(true)
	require.NoError(t, err)
	require.True(t, again.Fits(check), "the file is read, not made again")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left there")
	info, err := entries[0].Info()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.WriteFile(key.file, []byte("short"), 0o600))
	_, err = key.read(true)
	require.ErrorContains(t, err, key.file+": ")
	require.NotContains(t, err.Error(), "short\"", "the key itself is not shown")

	_, err = secretKey{file: dir}.read(true) // a directory lies where the file should
	require.ErrorContains(t, err, "the key that encrypts stored secrets: ")
	_, err = secretKeyOf(&config.Config{SecretKey: "short", DataDir: dir}).read(true)
	require.ErrorContains(t, err, "CARILLON_SECRET_KEY: ")
	text, err := secretKeyOf(&config.Config{SecretKey: secret.Generate(), DataDir: dir}).read(false)
	require.NoError(t, err)
	require.False(t, text.Fits(check), "the setting goes before the file")
}

func TestLocalAddresses(t *testing.T) {
	t.Parallel()
	for listens, want := range map[string]string{
		"0.0.0.0:80": "localhost:80", "[::]:80": "localhost:80", "192.0.2.1:80": "192.0.2.1:80", "[2001:db8::1]:80": "[2001:db8::1]:80", "pipe": "pipe",
	} {
		require.Equal(t, want, localAddress(listens))
	}
}

// TestHomeLinks: the page at / leads to the schema only where it may be read.
func TestHomeLinks(t *testing.T) {
	t.Parallel()
	paths := func(introspection string) (list []string) {
		cfg := &config.Config{}
		cfg.Introspection = introspection
		for _, l := range (&App{cfg: cfg}).homeLinks() {
			require.NotEmpty(t, l.Name)
			list = append(list, l.Path)
		}
		return list
	}
	require.Equal(t, []string{"/dashboard", "/docs", "/openapi.json", "/graphql"}, paths("off"))
	require.Equal(t, []string{"/dashboard", "/docs", "/openapi.json", "/graphql", "/graphql/schema.graphql"}, paths("on"))
}

// TestConnectionStringsAreNotShown: what cannot be read may hold a password.
func TestConnectionStringsAreNotShown(t *testing.T) {
	t.Parallel()
	const url = "postgres://ada:pass%zzword@host/db"
	_, err := pgconn.ParseConfig(url)
	require.Error(t, err)
	said := connectError(&config.Config{Database: config.Database{DatabaseURL: url}}, err)
	require.EqualError(t, said, "CARILLON_DATABASE_URL is not a connection string such as postgres://user:password@host:5432/name")
	require.Equal(t, err, connectError(&config.Config{}, err), "an embedded database has no such setting")
	require.ErrorContains(t, listenError("host", "S", &net.AddrError{Err: "missing port"}), "set S to HOST:PORT")
}
