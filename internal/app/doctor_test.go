package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
)

// newDoctor has a healthy configuration, with a port that is free.
func newDoctor(t *testing.T) *doctor {
	t.Helper()
	addr, err := child.FreeAddr(t.Context())
	require.NoError(t, err)
	return &doctor{
		cfg: &config.Config{
			DataDir:   filepath.Join(t.TempDir(), "data"),
			SecretKey: secret.Generate(),
			HTTP:      config.HTTP{Addr: addr, ValuePrefix: "svc", DrainTimeout: time.Second},
			Delivery:  config.Delivery{TransactionRetention: time.Hour},
		},
		log:       slog.New(slog.DiscardHandler),
		now:       time.Now,
		freeSpace: func(string) (uint64, error) { return 50 << 30, nil },
	}
}

// find is the only finding of a check.
func (d *doctor) find(t *testing.T, check string) Finding {
	t.Helper()
	all := slices.DeleteFunc(slices.Clone(d.findings), func(f Finding) bool { return f.Check != check })
	require.Len(t, all, 1, "%s in %+v", check, d.findings)
	return all[0]
}

// requireFault says that a check found a fault of this level, in these words, with a cure.
func (d *doctor) requireFault(t *testing.T, level Level, check, words string) {
	t.Helper()
	f := d.find(t, check)
	require.Equal(t, level, f.Level, f)
	require.Contains(t, f.What, words)
	require.NotEmpty(t, f.Cure)
}

func TestDoctorSettings(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.cfg.ValuePrefix, d.cfg.EgressAllow = "Not This", []string{"everything"}
	d.examine(t.Context())
	require.Len(t, d.findings, 2, "nothing else is looked at")
	require.Contains(t, d.findings[0].What, "CARILLON_VALUE_PREFIX")
	require.Contains(t, d.findings[1].What, "CARILLON_EGRESS_ALLOW")
	require.False(t, Healthy(d.findings))
}

func TestDoctorDataDirectory(t *testing.T) {
	t.Parallel()

	t.Run("NotThereYet", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		require.False(t, d.dataDir(t.Context()))
		require.Equal(t, LevelOK, d.find(t, "data directory").Level)
		require.NoDirExists(t, d.cfg.DataDir, "looking makes nothing")
		require.True(t, Healthy(d.findings))
	})
	t.Run("NotADirectory", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		require.NoError(t, os.WriteFile(d.cfg.DataDir, nil, 0o600))
		require.False(t, d.dataDir(t.Context()))
		d.requireFault(t, LevelFail, "data directory", "not a directory")
	})
	t.Run("BelowAFile", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		require.NoError(t, os.WriteFile(d.cfg.DataDir, nil, 0o600))
		d.cfg.DataDir = filepath.Join(d.cfg.DataDir, "data")
		require.False(t, d.dataDir(t.Context()))
		d.requireFault(t, LevelFail, "data directory", d.cfg.DataDir)
	})
	t.Run("ClosedToTheDatabase", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		closed := filepath.Dir(reachable(t))
		d.cfg.DataDir = filepath.Join(closed, "data")
		require.NoError(t, os.Chmod(d.cfg.DataDir, 0o711))
		require.NoError(t, os.Chmod(closed, 0o700))
		if os.Geteuid() != 0 {
			require.NoError(t, os.Chmod(d.cfg.DataDir, 0o500))
		}
		require.False(t, d.dataDir(t.Context()))
		d.requireFault(t, LevelFail, "data directory", "CARILLON_DATA_DIR")
	})
	t.Run("SomebodyElsesCluster", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		d.cfg.DataDir = reachable(t)
		cluster := filepath.Join(d.cfg.DataDir, "postgres")
		require.NoError(t, os.Mkdir(cluster, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("15\n"), 0o600))
		if os.Geteuid() != 0 {
			require.NoError(t, os.Chmod(cluster, 0o500))
		}
		require.False(t, d.dataDir(t.Context()))
		d.requireFault(t, LevelFail, "data directory", "chown")
	})
	t.Run("NoPrograms", func(t *testing.T) {
		t.Parallel()
		d := newDoctor(t)
		d.cfg.DataDir, d.cfg.PostgresBin = reachable(t), t.TempDir()
		require.False(t, d.dataDir(t.Context()))
		d.requireFault(t, LevelFail, "data directory", "CARILLON_POSTGRES_BIN")
	})
	t.Run("LittleSpace", func(t *testing.T) {
		t.Parallel()
		for free, level := range map[uint64]Level{100 << 20: LevelFail, 1 << 30: LevelWarn} {
			d := newDoctor(t)
			d.freeSpace = func(string) (uint64, error) { return free, nil }
			d.space("/data")
			d.requireFault(t, level, "disk space", "/data")
		}
		free, err := freeSpace(t.TempDir())
		require.NoError(t, err)
		require.Positive(t, free)
	})
}

// reachable is an empty directory "data" that the database's user can enter, alone in its parent.
func reachable(t *testing.T) string {
	t.Helper()
	parent, err := embedded.TempDir("carillon-doctor-*")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(parent)) })
	dir := filepath.Join(parent, "data")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Chmod(dir, 0o711))
	return dir
}

// TestDoctorBesideACrowdedEmbeddedDatabase: of a database that runs and gives no connection it says why, not that the directory is in use.
func TestDoctorBesideACrowdedEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	s, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir, Settings: map[string]string{
		"max_connections": "1", "superuser_reserved_connections": "0", "autovacuum": "off",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	var only *pgx.Conn
	require.Eventually(t, func() bool { // the connections of the start end in the background
		only, err = pgx.Connect(t.Context(), s.DSN(embedded.Database))
		return err == nil
	}, stall.Limit(time.Minute), 10*time.Millisecond)
	t.Cleanup(func() { _ = only.Close(context.Background()) })

	d := newDoctor(t)
	d.cfg.DataDir = dir
	d.database(t.Context())
	d.requireFault(t, LevelFail, "database", "gives no connection")
	require.Contains(t, d.findings[0].What, "too many clients")
}

func TestDoctorPort(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.port(t.Context())
	require.Equal(t, LevelOK, d.find(t, "port").Level)

	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	d = newDoctor(t)
	d.cfg.Addr = other.Listener.Addr().String()
	d.port(t.Context())
	d.requireFault(t, LevelFail, "port", "another program")

	carillon := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `carillon_build_info{version="dev"} 1`)
	}))
	t.Cleanup(carillon.Close)
	d = newDoctor(t)
	d.cfg.Addr = carillon.Listener.Addr().String()
	d.port(t.Context())
	require.Equal(t, LevelOK, d.find(t, "port").Level)

	d = newDoctor(t)
	d.cfg.Addr = "192.0.2.1:80" // nobody's
	d.port(t.Context())
	d.requireFault(t, LevelFail, "port", "192.0.2.1")
}

func TestDoctorEgress(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.cfg.HTTPSProxy = "http://user:password@" + d.cfg.Addr // where nobody listens
	d.egress(t.Context())
	d.requireFault(t, LevelFail, "egress proxy", d.cfg.Addr)
	require.NotContains(t, d.findings[0].What, "password")

	d = newDoctor(t)
	d.cfg.HTTPProxy = "http://"
	d.egress(t.Context())
	d.requireFault(t, LevelFail, "egress proxy", "not an address")

	d = newDoctor(t)
	d.cfg.SSLCertFile = filepath.Join(t.TempDir(), "missing.pem")
	d.egress(t.Context())
	d.requireFault(t, LevelFail, "certificates", "missing.pem")

	d = newDoctor(t)
	d.cfg.SSLCertFile = filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(d.cfg.SSLCertFile, nil, 0o600))
	d.egress(t.Context())
	d.requireFault(t, LevelFail, "certificates", "no certificate")

	for value, want := range map[string]string{
		"proxy.example": "proxy.example:80", "https://proxy.example": "proxy.example:443",
		"socks5://proxy.example": "proxy.example:1080", "http://[::1]:3128": "[::1]:3128",
	} {
		got, err := proxyAddress(value)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestDoctorServer(t *testing.T) {
	t.Parallel()
	sound := pgupkeep.ServerFacts{
		Version: 150004, VersionText: "15.4", FSync: "on", SynchronousCommit: "remote_apply", FullPageWrites: "on", Connections: 97, OwnSettings: true, Encoding: "UTF8",
		Isolation: "read committed", RandomPageCost: 1.1,
	}
	d := newDoctor(t)
	d.server(sound, 0)
	require.True(t, Healthy(d.findings))

	for _, c := range []struct {
		check, words string
		level        Level
		change       func(*pgupkeep.ServerFacts)
	}{
		{"database", "12.9", LevelFail, func(f *pgupkeep.ServerFacts) { f.Version, f.VersionText = 120009, "12.9" }},
		{"database", "no writes", LevelFail, func(f *pgupkeep.ServerFacts) { f.ReadOnly = true }},
		{"encoding", "SQL_ASCII", LevelFail, func(f *pgupkeep.ServerFacts) { f.Encoding = "SQL_ASCII" }},
		{"isolation", "repeatable read", LevelWarn, func(f *pgupkeep.ServerFacts) { f.Isolation = "repeatable read" }},
		{"pooler", "pgbouncer", LevelFail, func(f *pgupkeep.ServerFacts) { f.OwnSettings = false }},
		{"durability", "fsync", LevelFail, func(f *pgupkeep.ServerFacts) { f.FSync = "off" }},
		{"durability", "synchronous_commit", LevelFail, func(f *pgupkeep.ServerFacts) { f.SynchronousCommit = "off" }},
		{"connections", "32", LevelFail, func(f *pgupkeep.ServerFacts) { f.Connections = 20 }},
		{"connections", "32 of 50", LevelWarn, func(f *pgupkeep.ServerFacts) { f.Connections = 50 }},
	} {
		facts := sound
		c.change(&facts)
		d := newDoctor(t)
		d.server(facts, 0)
		d.requireFault(t, c.level, c.check, c.words)
	}
	pooled := sound
	pooled.RandomPageCost = 4
	d = newDoctor(t)
	d.server(pooled, 0)
	require.NotContains(t, fmt.Sprint(d.findings), "planning", "the connection string says so")
	d.cfg.DatabasePooler = true
	d.server(pooled, 0)
	d.requireFault(t, LevelWarn, "planning", "random_page_cost is 4")
	for skew, level := range map[time.Duration]Level{5 * time.Second: LevelWarn, time.Hour: LevelFail} {
		d := newDoctor(t)
		d.server(sound, skew)
		d.requireFault(t, level, "clock", skew.String())
	}

	d = newDoctor(t)
	d.cfg.DatabaseURL = "postgres://db/carillon?pool_max_conns=98"
	d.server(sound, 0)
	d.requireFault(t, LevelFail, "connections", "98")
}
