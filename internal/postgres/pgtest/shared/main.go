// Command shared runs a command with one database server for all test binaries that the command starts, each of which would otherwise
// spend seconds on one of its own and on the migrations: shared go test ./...
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// variable names the server to the tests.
const variable = "CARILLON_TEST_DATABASE_URL"

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: shared <command> [argument...]")
	}
	code, err := run(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func run(command []string) (code int, err error) {
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
		cmd.Env = append(os.Environ(), variable+"="+dsn)
	}
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, nil
}
