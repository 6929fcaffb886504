// Package embedded runs a private PostgreSQL server in a data directory of ours, so that one command is enough to run
// Carillon. It owns the binaries (found or fetched), the cluster's life and its recovery; it knows nothing of the schema.
//
// The server listens on a Unix socket only, in a directory that no other user may enter: there is no port to choose and
// no password to keep.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Database is the database that a first start creates.
const Database = "carillon"

// user is the cluster's superuser, and the only role Carillon uses in it.
const user = "carillon"

// stopGrace is how long a fast shutdown may take before the server is stopped the hard way. It writes a checkpoint,
// which is seconds on a slow disk.
const stopGrace = 30 * time.Second

// Config says where the server lives.
type Config struct {
	// DataDir is Carillon's data directory; it contains the cluster, its log and its lock. It is created when missing,
	// and must be reachable for the user the database runs as (see Start).
	DataDir string
	// BinDir holds postgres and initdb; empty: they are looked for, also among those obtained earlier.
	BinDir string
	// Obtain says what Start may do when there are none.
	Obtain Obtain
	// CacheDir receives obtained binaries; empty: the platform's place, for root /var/cache/carillon.
	CacheDir string
	// Settings are added to the server's settings and override ours.
	Settings map[string]string
	// Logger receives what takes long or went wrong; nil: nothing is logged.
	Logger *slog.Logger
}

// Server is a running private server.
type Server struct {
	layout layout
	log    *slog.Logger
	lock   *os.File
	proc   *process

	stopOnce sync.Once
	stopErr  error
}

// Start starts the server of cfg.DataDir, creating the cluster and its database on the first start, and returns when it
// answers. ctx bounds the start only.
//
// Postgres refuses to run as root. Under root it runs as the owner of the cluster's directory, else as "postgres", else
// as "nobody". A server that an earlier, killed process left behind is stopped first. A cluster of another major version
// is refused and left as it is. ErrLocked is returned when another process runs the server.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	log := cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	if err := makePassable(cfg.DataDir); err != nil {
		return nil, err
	}
	at, err := newLayout(cfg.DataDir)
	if err != nil {
		return nil, err
	}
	lock, err := acquire(at)
	if err != nil {
		return nil, err
	}
	s := &Server{layout: at, log: log, lock: lock}
	if err := s.start(ctx, cfg); err != nil {
		_ = s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, cfg Config) error {
	who, err := chooseAccount(s.layout.cluster)
	if err != nil {
		return err
	}
	bins, err := locate(ctx, cfg, s.layout, who, s.log)
	if err != nil {
		return err
	}
	settings := mergeSettings(cfg.Settings)
	if err := s.layout.createCluster(ctx, bins, who, settings["fsync"] == "off"); err != nil {
		return err
	}
	if err := stopOrphans(ctx, s.layout.cluster, s.log); err != nil {
		return err
	}
	if err := s.layout.prepareSocket(who); err != nil {
		return err
	}
	args := []string{"-D", s.layout.cluster, "-c", "unix_socket_directories=" + s.layout.socket}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	cmd := who.command(ctx, s.layout.root, bins.postgres, args...)
	logFile := &boundedLog{path: s.layout.log}
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if s.proc, err = run(cmd); err != nil {
		return fmt.Errorf("start %s: %w", bins.postgres, err)
	}
	return s.awaitReady(ctx, logFile)
}

// awaitReady waits for the server to answer, and makes sure of the database. Recovery after a crash takes as long as it
// takes: only ctx or the server's own end stop the wait.
func (s *Server) awaitReady(ctx context.Context, logFile *boundedLog) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	slow := time.NewTimer(5 * time.Second)
	defer slow.Stop()
	for {
		err := ensureDatabase(ctx, s.DSN("postgres"))
		if err == nil {
			return nil
		}
		select {
		case <-s.proc.done:
			return fmt.Errorf("the embedded database ended while starting (%w); the end of %s:\n%s", s.proc.err, s.layout.log, logFile.tail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the embedded database: %w; its last answer: %w", context.Cause(ctx), err)
		case <-slow.C:
			s.log.InfoContext(ctx, "embedded database is still starting", "log", s.layout.log, "last_answer", err.Error())
		case <-tick.C:
		}
	}
}

// DSN is the connection string of one of the server's databases.
func (s *Server) DSN(database string) string { return s.layout.dsn(database) }

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.proc.done }

// PID is the process id of the server.
func (s *Server) PID() int { return s.proc.pid }

// Stop ends the server: open transactions are rolled back, everything committed is on disk. It is safe to call twice,
// and from several goroutines.
func (s *Server) Stop() error {
	s.stopOnce.Do(func() {
		if s.proc != nil {
			s.stopErr = s.proc.stop(stopGrace)
			s.layout.removeSocket()
		}
		release(s.lock)
	})
	return s.stopErr
}

// Running gives the connection string of the server that another process runs in dataDir, for commands that work beside
// a running service. It fails when there is none, and when that gives no connection.
func Running(ctx context.Context, dataDir, database string) (dsn string, err error) {
	at, err := newLayout(dataDir)
	if err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, at.dsn(database))
	if err != nil {
		return "", fmt.Errorf("the embedded database in %s gives no connection: %w", dataDir, err)
	}
	_ = conn.Close(ctx)
	return at.dsn(database), nil
}

// ensureDatabase makes the database if it is missing, and has its log compressed unless the operator has decided that.
func ensureDatabase(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) // nothing was left undone on it
	var exists, compressible bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1),
	EXISTS (SELECT FROM pg_settings WHERE name = 'wal_compression' AND source = 'default' AND 'lz4' = ANY (enumvals))`, Database).Scan(&exists, &compressible)
	if err != nil {
		return err
	}
	if !exists {
		if _, err = conn.Exec(ctx, `CREATE DATABASE `+Database); err != nil {
			return err
		}
	}
	if compressible {
		err = compressLog(ctx, conn)
	}
	return err
}

// compressLog has images of pages compressed in the write-ahead log: most of what a fan-out logs after a checkpoint are pages of
// indexes. LZ4 halves them for a tenth of the insert's time. With Postgres's own method the insert takes more than three times as long,
// so a server without LZ4 compresses nothing.
func compressLog(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, `ALTER SYSTEM SET wal_compression = lz4`); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, `SELECT pg_reload_conf()`)
	return err
}

func mergeSettings(own map[string]string) map[string]string {
	settings := map[string]string{
		"listen_addresses":        "", // the socket is the only way in
		"unix_socket_permissions": "0700",
		"max_connections":         "200",
		"shared_buffers":          "128MB",
		"fsync":                   "on",
		"synchronous_commit":      "on",
		"max_wal_size":            "2GB", // fewer forced checkpoints under bulk writes
		"autovacuum_naptime":      "15s", // queue tables die young
		"log_min_messages":        "warning",
		"log_checkpoints":         "off",
		"log_line_prefix":         "%m [%p] ",
		"log_timezone":            "UTC",
		"timezone":                "UTC",
	}
	maps.Copy(settings, own)
	return settings
}

// layout is where the files are.
type layout struct {
	root    string // Carillon's data directory
	cluster string // PGDATA
	socket  string // the directory of the socket
	log     string
	lock    string
}

// maxSocketDir is what sun_path leaves for the directory: 107 bytes less "/.s.PGSQL.5432.lock".
const maxSocketDir = 107 - len("/.s.PGSQL.5432.lock")

func newLayout(dataDir string) (layout, error) {
	root, err := filepath.Abs(dataDir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root) // the kernel names a process's directory without them
	}
	if err != nil {
		return layout{}, fmt.Errorf("the data directory %s cannot be used: %w; set CARILLON_DATA_DIR to another one", dataDir, err)
	}
	at := layout{
		root:    root,
		cluster: filepath.Join(root, "postgres"),
		socket:  filepath.Join(root, "run"),
		log:     filepath.Join(root, "postgres.log"),
		lock:    filepath.Join(root, "postgres.lock"),
	}
	if len(at.socket) > maxSocketDir {
		at.socket = filepath.Join("/tmp", "carillon-"+shortHash(root))
	}
	return at, nil
}

func (l layout) dsn(database string) string {
	query := url.Values{"host": {l.socket}, "user": {user}, "sslmode": {"disable"}}
	return "postgres:///" + url.PathEscape(database) + "?" + query.Encode()
}

// createCluster makes the cluster when there is none, under a temporary name: a first start that was killed half-way
// leaves nothing that looks like a cluster.
func (l layout) createCluster(ctx context.Context, bins binaries, who account, unsafe bool) error {
	if _, err := os.Stat(filepath.Join(l.cluster, "PG_VERSION")); err == nil {
		return nil
	}
	if left, err := filepath.Glob(l.cluster + ".new-*"); err == nil {
		for _, dir := range left {
			_ = os.RemoveAll(dir)
		}
	}
	fresh, err := os.MkdirTemp(l.root, "postgres.new-*")
	if err != nil {
		return fmt.Errorf("create the embedded database: %w", err)
	}
	defer os.RemoveAll(fresh) // after the rename there is nothing to remove
	if err := who.own(fresh); err != nil {
		return err
	}
	args := []string{
		"-D", fresh, "-U", user, "--auth-local=trust", "--auth-host=reject",
		"--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions",
	}
	if unsafe {
		args = append(args, "--no-sync")
	}
	out, err := who.command(ctx, fresh, bins.initdb, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s failed: %w\n%s", bins.initdb, err, strings.TrimSpace(string(out)))
	}
	// An empty directory may be there, put by the operator to say who owns it.
	if err := os.Remove(l.cluster); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s holds no database but is not empty; move it away: %w", l.cluster, err)
	}
	if err := os.Rename(fresh, l.cluster); err != nil {
		return fmt.Errorf("create the embedded database: %w", err)
	}
	return syncDir(l.root)
}

// prepareSocket makes the socket's directory and clears what a killed server left: under our lock, with no process in
// the cluster's directory, neither lock file can belong to anybody. A pid file may otherwise name another program that
// got the same number, and Postgres would refuse to start for ever.
func (l layout) prepareSocket(who account) error {
	if err := os.Mkdir(l.socket, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("create the database's socket directory: %w", err)
	}
	info, err := os.Lstat(l.socket)
	if err != nil {
		return fmt.Errorf("the database's socket directory: %w", err)
	}
	owner := info.Sys().(*syscall.Stat_t).Uid // always so on Unix
	if !info.IsDir() || (int(owner) != os.Geteuid() && owner != who.uid) {
		return fmt.Errorf("%s exists and belongs to another user; remove it", l.socket)
	}
	if err := os.Chmod(l.socket, 0o700); err != nil { // a directory needs x
		return fmt.Errorf("the database's socket directory: %w", err)
	}
	if err := who.own(l.socket); err != nil {
		return err
	}
	for _, stale := range []string{
		filepath.Join(l.cluster, "postmaster.pid"),
		filepath.Join(l.socket, ".s.PGSQL.5432"),
		filepath.Join(l.socket, ".s.PGSQL.5432.lock"),
	} {
		if err := os.Remove(stale); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove what a killed database left: %w", err)
		}
	}
	return nil
}

func (l layout) removeSocket() {
	if !strings.HasPrefix(l.socket, l.root) {
		_ = os.RemoveAll(l.socket)
	}
}

// probe runs postgres as the database's user from inside dir: it proves that both are reachable, and returns the version.
func probe(ctx context.Context, who account, dir, postgres string) (major int, err error) {
	out, err := who.command(ctx, dir, postgres, "--version").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return 0, fmt.Errorf("%s --version: %w: %s", postgres, err, strings.TrimSpace(string(exit.Stderr)))
		}
		return 0, fmt.Errorf("%s --version: %w", postgres, err)
	}
	return parseMajor(string(out))
}
