package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/version"
)

type serveCommand struct{}

// Run serves until a signal.
func (serveCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	outliveReader()
	return app.Serve(ctx, cfg, log, version.Version(), os.Stdout)
}

type workerCommand struct{}

// Run delivers until a signal.
func (workerCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	outliveReader()
	return app.Work(ctx, cfg, log, version.Version())
}

type adoptSecretKeyCommand struct{}

// Run takes the configured key.
func (adoptSecretKeyCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	changed, err := app.AdoptSecretKey(ctx, cfg, log)
	if err != nil {
		return err
	}
	if !changed {
		fmt.Fprintln(stdout, "The secret key is the installation's already.")
		return nil
	}
	fmt.Fprintln(stdout, "The secret key is now the installation's. Enter the credentials of the integrations again: carillon doctor names them.")
	return nil
}
