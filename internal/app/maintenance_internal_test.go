package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/telemetry"
)

func external(url, key string) *config.Config {
	return &config.Config{SecretKey: key, Database: config.Database{DatabaseURL: url}}
}

// TestMigrationsAreListedAndApplied: listing changes nothing, applying is asked for once, and a database that knows more than
// the program is refused with the whole list.
func TestMigrationsAreListedAndApplied(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	cfg := external(pgtest.EmptyURL(t), secret.Generate())
	pending := func() (versions []string) {
		states, err := Migrations(t.Context(), cfg, log)
		require.NoError(t, err)
		for _, s := range states {
			if s.Pending() {
				versions = append(versions, s.Version)
			}
		}
		return versions
	}
	before := pending()
	require.NotEmpty(t, before)
	require.Equal(t, before, pending(), "listing applies nothing")
	applied, err := Migrate(t.Context(), cfg, log)
	require.NoError(t, err)
	require.Equal(t, before, applied)
	require.Empty(t, pending())
	applied, err = Migrate(t.Context(), cfg, log)
	require.NoError(t, err)
	require.Empty(t, applied)

	_, err = Migrations(t.Context(), &config.Config{DataDir: t.TempDir()}, log)
	require.Error(t, err, "it makes no database")
}

// TestBackupIsRestored into another empty database, by the key of the installation only.
func TestBackupIsRestored(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	key := secret.Generate()
	url := pgtest.NewURL(t)
	db := pgtest.Open(t, url)
	_, err := openSecrets(t.Context(), external(url, key), db, true) // marks the database with the key
	require.NoError(t, err)
	rows := pgtest.Fill(t, db, "")

	var archive bytes.Buffer
	read := map[string]int64{}
	manifest, err := Backup(t.Context(), external(url, key), log, &archive, func(table pgbackup.Table) { read[table.Name] = table.Rows })
	require.NoError(t, err)
	require.NotEmpty(t, manifest.SecretCheck)
	require.Equal(t, int64(1), read["subscribers"])
	b, err := pgbackup.Open(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	require.NoError(t, err)

	target := pgtest.EmptyURL(t)
	require.ErrorContains(t, Restore(t.Context(), external(target, secret.Generate()), log, b, nil), "is not the key of the installation that was backed up")
	require.NoError(t, Restore(t.Context(), external(target, key), log, b, func(pgbackup.Table) {}))
	there := pgtest.Open(t, target)
	var subscriber string
	require.NoError(t, there.Pool.QueryRow(t.Context(), `SELECT id FROM subscribers`).Scan(&subscriber))
	require.EqualValues(t, rows.IDs["subscribers"], subscriber)
	_, err = openSecrets(t.Context(), external(target, key), there, true)
	require.NoError(t, err)
	require.Error(t, Restore(t.Context(), external(target, key), log, b, func(pgbackup.Table) {}), "the database is not empty any more")
}

// TestReadyAsksTheProcess that the configuration describes, as containers do, and says what it answered.
func TestReadyAsksTheProcess(t *testing.T) {
	t.Parallel()
	var status atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(int(status.Load()))
		fmt.Fprintln(w, "the database does not answer")
	}))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	cfg := &config.Config{}
	cfg.Addr = "192.0.2.1:1" // the operator's listener is asked when there is one
	cfg.OperationsAddr = address
	status.Store(http.StatusOK)
	require.NoError(t, Ready(t.Context(), cfg))
	status.Store(http.StatusServiceUnavailable)
	require.EqualError(t, Ready(t.Context(), cfg), "not ready: the database does not answer")
	server.Close()
	require.ErrorContains(t, Ready(t.Context(), cfg), "refused")
}

// TestOperationsHaveTheirOwnListener, which answers health and metrics and nothing else, until the process ends.
func TestOperationsHaveTheirOwnListener(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := &App{
		cfg: &config.Config{}, log: slog.New(slog.NewJSONHandler(&log, nil)), metrics: telemetry.NewMetrics("test"),
		db: &database{DB: pgtest.New(t)}, intake: intake.New(intake.Config{}),
	}
	stop, _, err := a.serveOperations(t.Context())
	require.NoError(t, err, "without an address there is none")
	require.NoError(t, stop(t.Context()))
	require.Empty(t, log.String())

	a.cfg.OperationsAddr = "127.0.0.1:0"
	stop, _, err = a.serveOperations(t.Context())
	require.NoError(t, err)
	_, rest, _ := strings.Cut(log.String(), `"addr":"`)
	address, _, _ := strings.Cut(rest, `"`)
	a.cfg.OperationsAddr = address
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/metrics": http.StatusOK, "/v1/events/trigger": http.StatusNotFound, "/graphql": http.StatusNotFound} {
		status, _, err := getOperational(t.Context(), a.cfg, path)
		require.NoError(t, err, path)
		require.Equal(t, want, status, path)
	}
	a.draining.Store(true)
	require.ErrorContains(t, Ready(t.Context(), a.cfg), "stopping")
	require.NoError(t, stop(t.Context()))
	require.Error(t, Ready(t.Context(), a.cfg))

	a.cfg.OperationsAddr = "256.0.0.1:1"
	_, _, err = a.serveOperations(t.Context())
	require.ErrorContains(t, err, "CARILLON_OPERATIONS_ADDR")
}

// TestCommandsLeaveTheDatabaseRunning: what connects for a command closes its own connections only.
func TestCommandsLeaveTheDatabaseRunning(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	var version string
	for range 2 {
		require.NoError(t, withDatabase(t.Context(), external(url, ""), slog.New(slog.DiscardHandler), func(db *database) error {
			return db.Pool.QueryRow(t.Context(), "SELECT version()").Scan(&version)
		}))
	}
	require.Contains(t, version, "PostgreSQL")
}
