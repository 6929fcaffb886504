package main_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
)

// soak asks for the long forms.
var soak = os.Getenv("CARILLON_SOAK") != ""

var buildDir string

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = embedded.TempDir("carillon-program-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(buildDir)
	os.Exit(code)
}

// build makes the program, unless CARILLON_BINARY names one.
var build = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("CARILLON_BINARY"); path != "" {
		return filepath.Abs(path)
	}
	if err := embedded.Ensure(context.Background(), embedded.Config{DataDir: buildDir, Obtain: embedded.ObtainAny}); err != nil {
		return "", err
	}
	path := filepath.Join(buildDir, "carillon")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// binary is the program, built once for all tests.
func binary(t *testing.T) string {
	t.Helper()
	path, err := build()
	require.NoError(t, err)
	return path
}

// patience is how long a test waits for what must come. It is far more than that takes, because the race detector on a busy
// machine slows everything down.
const patience = 2 * time.Minute

// within bounds a wait, by far more on a busy machine; nothing waits for so long when all is well.
func within(t *testing.T, limit time.Duration) context.Context {
	t.Helper()
	limit = stall.Limit(limit)
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, fmt.Errorf("not within %s", limit))
	t.Cleanup(cancel)
	return ctx
}

func until(t *testing.T, limit time.Duration, what string, check func(context.Context) (bool, error)) {
	t.Helper()
	require.NoError(t, client.Until(within(t, limit), 20*time.Millisecond, check), what)
}

// dataDir is an empty directory that the database's user can reach. At the end nothing is left of it, nor of the database
// that a killed process left behind.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := embedded.TempDir("carillon-binary-*", embedded.RAMDisk()...)
	require.NoError(t, err)
	t.Cleanup(func() {
		if pid, ok := databasePID(dir); ok {
			_ = syscall.Kill(pid, syscall.SIGQUIT)
		}
		// A database that is being killed may still write.
		for range 200 {
			if err = os.RemoveAll(dir); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		require.NoError(t, err)
	})
	return dir
}

// databasePID is the process of the embedded database; ok is false when there is none.
func databasePID(dir string) (pid int, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err = strconv.Atoi(first)
	return pid, err == nil && syscall.Kill(pid, 0) == nil
}

func newKey() string { return "test-" + strings.ToLower(rand.Text()) }

// serve starts a process, and ends it at the end of the test.
func serve(t *testing.T, cfg child.Config) *child.Process {
	t.Helper()
	cfg.Binary = binary(t)
	p, err := child.Start(within(t, time.Minute), cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		select {
		case <-p.Done():
		default:
			_ = p.Stop(stall.Limit(30 * time.Second)) // tests of stopping have their own words for it
		}
		if t.Failed() {
			t.Logf("the last words of process %d:\n%s", p.PID(), p.Output())
		}
	})
	return p
}

// migrated is the environment of commands and servers on a migrated database of the test's own, which is there in some ten
// milliseconds. The database that the program brings takes seconds: it is for tests that are about it, or kill it.
func migrated(t *testing.T) []string {
	t.Helper()
	return []string{"CARILLON_DATABASE_URL=" + pgtest.NewURL(t), "CARILLON_SECRET_KEY=" + secret.Generate()}
}

// serveMigrated starts a server on a migrated database.
func serveMigrated(t *testing.T, key string, env ...string) *child.Process {
	t.Helper()
	return serve(t, child.Config{DataDir: t.TempDir(), Key: key, Env: append(migrated(t), env...)})
}

// run is a command that ends by itself.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	program := binary(t) // before the time runs
	cmd := exec.CommandContext(within(t, 2*time.Minute), program, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err, "%s%s", out.String(), log.String())
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// gone waits for the embedded database's end.
func gone(t *testing.T, dir string) {
	t.Helper()
	until(t, patience, "the database ends, too", func(context.Context) (bool, error) {
		_, err := os.Stat(filepath.Join(dir, "postgres", "postmaster.pid"))
		return errors.Is(err, fs.ErrNotExist), nil
	})
}
