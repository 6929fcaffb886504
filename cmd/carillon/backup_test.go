package main_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// TestRestoredInstallationContinues backs up a running service with one message sent and one that waits, restores it elsewhere,
// and starts it there: what waited is delivered, what was sent is not sent again.
func TestRestoredInstallationContinues(t *testing.T) {
	t.Parallel()
	dir, key := dataDir(t), newKey()
	p := serve(t, child.Config{DataDir: dir, Key: key, Env: []string{"CARILLON_DATABASE_URL="}})
	c := &client.Client{URL: p.URL(), Key: key}
	inApp := object{"stepId": "a", "type": "IN_APP", "inApp": object{"body": "{{payload.text}}"}}
	wait := object{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 3, "unit": "SECONDS"}}
	for name, steps := range map[string][]object{"now": {inApp}, "later": {wait, inApp}} {
		graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`,
			object{"input": object{"identifier": name, "name": name, "definition": object{"steps": steps}}}, nil)
	}
	for _, workflow := range []string{"now", "later"} {
		processed, err := fire(t.Context(), c, workflow, workflow, "u1")
		require.NoError(t, err)
		require.True(t, processed)
	}

	file := filepath.Join(t.TempDir(), "carillon.backup")
	env := []string{"CARILLON_DATA_DIR=" + dir, "CARILLON_DATABASE_URL="}
	_, stderr, code := run(t, env, "backup", file)
	require.Zero(t, code, stderr)
	require.Regexp(t, `(?m)^ +2  events$`, stderr)
	_, stderr, code = run(t, env, "backup", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "exists already")
	_, stderr, code = run(t, env, "backup", filepath.Join(dir, "missing", "carillon.backup"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "missing does not exist")

	folder := t.TempDir()
	old, fresh := filepath.Join(folder, ".carillon-backup-1"), filepath.Join(folder, ".carillon-backup-2")
	other := filepath.Join(folder, ".backup-of-another-program")
	for _, name := range []string{old, fresh, other} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	hoursAgo := time.Now().Add(-2 * time.Hour)
	require.NoError(t, errors.Join(os.Chtimes(old, hoursAgo, hoursAgo), os.Chtimes(other, hoursAgo, hoursAgo)))
	_, stderr, code = run(t, env, "backup", filepath.Join(folder, "next.backup"))
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "removed "+old+", which an interrupted backup had left")
	require.NoFileExists(t, old)
	require.FileExists(t, fresh, "another backup may be writing it")
	require.FileExists(t, other)
	p.Kill()
	gone(t, dir)

	next := dataDir(t)
	env = []string{"CARILLON_DATA_DIR=" + next, "CARILLON_DATABASE_URL="}
	stdout, stderr, code := run(t, env, "restore", "--show", file)
	require.Zero(t, code, stderr)
	require.Regexp(t, `(?m)^ +2  events$`, stdout)
	_, stderr, code = run(t, env, "restore", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "secret.key is missing")
	secretKey, err := os.ReadFile(filepath.Join(dir, "secret.key"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(next, "secret.key"), secretKey, 0o600))
	stdout, stderr, code = run(t, env, "restore", file)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "restored")
	_, stderr, code = run(t, env, "restore", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "not empty")
	_, stderr, code = run(t, append(env, "CARILLON_SECRET_KEY="+secret.Generate()), "restore", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "is not the key of the installation that was backed up")

	p = serve(t, child.Config{DataDir: next, Key: key, Env: []string{"CARILLON_DATABASE_URL="}})
	c = &client.Client{URL: p.URL(), Key: key}
	comesToRest(t, patience, c)
	all, err := messages(t.Context(), c)
	require.NoError(t, err)
	times := map[string]int{}
	for _, m := range all {
		require.Equal(t, "SENT", m.Status)
		times[m.TransactionID]++
	}
	require.Equal(t, map[string]int{"now": 1, "later": 1}, times)
	require.NoError(t, p.Stop(time.Minute))
}

// TestInterruptedBackup: a signal leaves no file, and the exit code says that there is no backup.
func TestInterruptedBackup(t *testing.T) {
	t.Parallel()
	dsn := pgtest.NewURL(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	lock, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = lock.Exec(t.Context(), `LOCK TABLE events IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)

	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), binary(t), "backup", filepath.Join(dir, "backup"))
	cmd.Env = append(os.Environ(), "CARILLON_DATABASE_URL="+dsn, "CARILLON_SECRET_KEY="+secret.Generate())
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	until(t, patience, "the backup waits for the table", func(ctx context.Context) (waits bool, err error) {
		err = lock.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass)`).Scan(&waits)
		return waits, err
	})
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), said.String())
	require.Contains(t, said.String(), "carillon: interrupted")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestInterruptedExport: one that waits for a service says that it continues.
func TestInterruptedExport(t *testing.T) {
	t.Parallel()
	var listening net.ListenConfig
	silent, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	cmd := exec.CommandContext(t.Context(), binary(t), "export", t.TempDir(), "--url", "http://"+silent.Addr().String(), "--key", "key")
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	asked, err := silent.Accept()
	require.NoError(t, err)
	defer func() { _ = asked.Close() }()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), said.String())
	require.Contains(t, said.String(), "interrupted; run the same command again and it continues")
}
