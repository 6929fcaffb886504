package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
)

type doctorCommand struct{}

// Run prints one line per check. A failed check makes the exit code 1.
func (doctorCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	findings := app.Doctor(ctx, cfg, log)
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, f := range findings {
		line := f.What
		if f.Cure != "" {
			line += " → " + f.Cure
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Level, f.Check, line)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if !app.Healthy(findings) {
		return errors.New("some checks failed; each line names the cure")
	}
	return nil
}

type readyCommand struct{}

// Run is silent when the process is ready.
func (readyCommand) Run(ctx context.Context, cfg *config.Config) error { return app.Ready(ctx, cfg) }
