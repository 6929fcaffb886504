// Command shared runs a command with one database server for all test binaries that the command starts, each of which would otherwise
// spend seconds on one of its own and on the migrations: shared tests go test ./...
//
// The first argument is the server's name, for commands that run at once. The binaries find the server's address in a file whose name
// depends on that name and the working directory only. Go keeps the result of a test for as long as its binary, the variables and the
// files that it read stay as they are, and would run every test anew for an address that changes with each server.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// variable names the server to the tests.
const variable = "CARILLON_TEST_DATABASE_URL"

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: shared <name> <command> [argument...]")
	}
	code, err := run(os.Args[1], os.Args[2:])
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func run(name string, command []string) (code int, err error) {
	// The command hears an interrupt of the terminal itself, and this process ends after it, so that its tests can clean up. To ignore the
	// signal would have the command ignore it, too.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if os.Getenv(variable) == "" {
		dsn, _, lifeline, err := pgtest.Serve(ctx)
		if err != nil {
			return 0, err
		}
		defer lifeline.Close()
		file, err := announce(ctx, name, dsn)
		if err != nil {
			return 0, err
		}
		defer os.Remove(file)
		cmd.Env = append(os.Environ(), variable+"="+pgtest.FileScheme+file)
	}
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, nil
}

// announce writes the address of a server into the file of its name and this working directory, or, while another server has that,
// into one of its own.
func announce(ctx context.Context, name, dsn string) (file string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(dir + "\n" + name))
	file = filepath.Join(os.TempDir(), fmt.Sprintf("carillon-test-%d-%x.url", os.Getuid(), sum[:8]))
	if old, err := os.ReadFile(file); err == nil && !answers(ctx, string(old)) {
		_ = os.Remove(file) // left by one that was killed
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		f, err = os.CreateTemp("", "carillon-test-*.url")
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(dsn)
	return f.Name(), errors.Join(err, f.Close())
}

// answers reports whether a server takes connections at dsn.
func answers(ctx context.Context, dsn string) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return false
	}
	_ = conn.Close(ctx)
	return true
}
