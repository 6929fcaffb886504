package embedded_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/stall"
)

// parentDir tells a copy of this test binary to run a server there until it is killed.
const parentDir = "CARILLON_EMBEDDED_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentDir); dir != "" {
		serveUntilKilled(dir)
	}
	os.Exit(m.Run())
}

func serveUntilKilled(dir string) {
	s, err := embedded.Start(context.Background(), embedded.Config{DataDir: dir, Obtain: embedded.ObtainAny})
	if err != nil {
		_, _ = os.Stdout.WriteString("error: " + err.Error() + "\n")
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString("ready " + strconv.Itoa(s.PID()) + "\n")
	<-s.Done()
	os.Exit(0)
}

func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := embedded.TempDir("carillon-embedded-*", embedded.RAMDisk()...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func start(t *testing.T, cfg embedded.Config) *embedded.Server {
	t.Helper()
	cfg.Obtain = embedded.ObtainAny
	s, err := embedded.Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

func query[T any](t *testing.T, s *embedded.Server, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN(embedded.Database))
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context())) // a test's connection
	var v T
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&v))
	return v
}

func exec1(t *testing.T, dsn, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context())) // a test's connection
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func TestStartStopRestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), "not", "there", "yet")

	s := start(t, embedded.Config{DataDir: dir})
	require.Equal(t, "on", query[string](t, s, "SHOW data_checksums"))
	require.Equal(t, "UTF8", query[string](t, s, "SHOW server_encoding"))
	require.Equal(t, "C", query[string](t, s, "SELECT datcollate FROM pg_database WHERE datname = current_database()"))
	require.Empty(t, query[string](t, s, "SHOW listen_addresses"))
	require.Equal(t, "on", query[string](t, s, "SHOW fsync"))
	exec1(t, s.DSN(embedded.Database), "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)")
	dsn, err := embedded.Running(t.Context(), dir, embedded.Database)
	require.NoError(t, err)
	require.Equal(t, s.DSN(embedded.Database), dsn)

	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "stopping twice does nothing")
	<-s.Done()
	_, err = embedded.Running(t.Context(), dir, embedded.Database)
	require.Error(t, err)

	again := start(t, embedded.Config{DataDir: dir, Settings: map[string]string{"max_connections": "17"}})
	require.Equal(t, 7, query[int](t, again, "SELECT n FROM kept"))
	require.Equal(t, "17", query[string](t, again, "SHOW max_connections"))
	method := query[string](t, again, "SELECT CASE WHEN 'lz4' = ANY (enumvals) THEN 'lz4' ELSE 'off' END FROM pg_settings WHERE name = 'wal_compression'")
	require.Equal(t, method, query[string](t, again, "SHOW wal_compression"))
	exec1(t, again.DSN(embedded.Database), "ALTER SYSTEM SET wal_compression = pglz")
	require.NoError(t, again.Stop())
	third := start(t, embedded.Config{DataDir: dir})
	require.Equal(t, "pglz", query[string](t, third, "SHOW wal_compression"), "the operator's choice stays")
}

func TestSecondProcessIsTold(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	start(t, embedded.Config{DataDir: dir})

	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir})
	require.ErrorIs(t, err, embedded.ErrLocked)
	require.ErrorContains(t, err, strconv.Itoa(os.Getpid()))
	require.ErrorContains(t, err, "CARILLON_DATA_DIR")
}

func TestLongPathGetsShortSocket(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), strings.Repeat("long", 30))
	s := start(t, embedded.Config{DataDir: dir})
	require.Equal(t, 1, query[int](t, s, "SELECT 1"))
	require.NotContains(t, s.DSN("x"), "longlong")
}

func TestOtherMajorIsRefusedAndKept(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, embedded.Config{DataDir: dir})
	require.NoError(t, s.Stop())
	file := filepath.Join(dir, "postgres", "PG_VERSION")
	require.NoError(t, os.WriteFile(file, []byte("9\n"), 0o600))

	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir, CacheDir: t.TempDir()})
	var version *embedded.VersionError
	require.ErrorAs(t, err, &version)
	require.Equal(t, 9, version.Major)
	require.FileExists(t, file)
	require.DirExists(t, filepath.Join(dir, "postgres", "base"))
}

func TestMissingProgramsAreNamed(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dataDir(t), BinDir: empty})
	require.ErrorContains(t, err, filepath.Join(empty, "postgres")+" is missing")
	require.ErrorContains(t, err, "CARILLON_DATABASE_URL")
	require.ErrorContains(t, err, "--obtain-postgres")
}

func TestUnreachableDirectoryIsNamed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root switches users")
	}
	closed := filepath.Join(dataDir(t), "home")
	require.NoError(t, os.Mkdir(closed, 0o700))
	_, err := embedded.Start(t.Context(), embedded.Config{DataDir: filepath.Join(closed, "data")})
	var unreachable *embedded.UnreachableError
	require.ErrorAs(t, err, &unreachable)
	require.Equal(t, closed, unreachable.Blocker)
	require.ErrorContains(t, err, "chmod o+x "+closed)
}

func TestStaleFilesOfAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, embedded.Config{DataDir: dir})
	require.NoError(t, s.Stop())
	// The number belongs to a living program: ours.
	pid := strconv.Itoa(os.Getpid())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "postgres", "postmaster.pid"), []byte(pid+"\n"+dir+"/postgres\n1\n5432\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run", ".s.PGSQL.5432.lock"), []byte(pid+"\n"), 0o600))

	again := start(t, embedded.Config{DataDir: dir})
	require.Equal(t, 1, query[int](t, again, "SELECT 1"))
}

// TestKilledParent kills the process that runs the server, once alone and once together with the server.
func TestKilledParent(t *testing.T) {
	t.Parallel()
	for name, serverToo := range map[string]bool{"parent alone": false, "parent and server": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			parent, postmaster := startParent(t, dir)
			dsn, err := embedded.Running(t.Context(), dir, embedded.Database)
			require.NoError(t, err)
			exec1(t, dsn, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2)")

			require.NoError(t, parent.Process.Kill())
			if serverToo {
				require.NoError(t, syscall.Kill(postmaster, syscall.SIGKILL))
			}
			require.Error(t, parent.Wait())

			s := start(t, embedded.Config{DataDir: dir})
			require.Equal(t, 2, query[int](t, s, "SELECT count(*) FROM kept"))
		})
	}
}

func startParent(t *testing.T, dir string) (parent *exec.Cmd, postmaster int) {
	t.Helper()
	parent = exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	parent.Env = append(os.Environ(), parentDir+"="+dir)
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	line := make([]byte, 4096)
	n, err := out.Read(line)
	require.NoError(t, err)
	text, ok := strings.CutPrefix(strings.TrimSpace(string(line[:n])), "ready ")
	require.True(t, ok, string(line[:n]))
	postmaster, err = strconv.Atoi(text)
	require.NoError(t, err)
	return parent, postmaster
}

func TestServerThatDiesIsNoticed(t *testing.T) {
	t.Parallel()
	s := start(t, embedded.Config{DataDir: dataDir(t)})
	require.NoError(t, syscall.Kill(s.PID(), syscall.SIGQUIT))
	select {
	case <-s.Done():
	case <-time.After(stall.Limit(20 * time.Second)):
		t.Fatal("the end was not reported")
	}
}
