package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
)

type serveCommand struct{}

// Run serves until a signal.
func (serveCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Serve(ctx, cfg, log, version(), os.Stdout)
}

type workerCommand struct{}

// Run delivers until a signal.
func (workerCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Work(ctx, cfg, log, version())
}

type migrateCommand struct{}

// Run migrates and tells what it did.
func (migrateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	applied, err := app.Migrate(ctx, cfg, log)
	for _, name := range applied {
		fmt.Println("applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Println("the schema is current")
	}
	return err
}
