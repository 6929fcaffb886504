package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
)

// errPending ends migrate --status when migrations are pending.
var errPending = errors.New("migrations are pending")

type migrateCommand struct {
	Status bool `help:"Print each migration and when it was applied, and change nothing. Exits with 2 when some are pending." xor:"mode"`
	Plan   bool `help:"Print the SQL that would run, with a warning above statements that lock a table for long, and change nothing." xor:"mode"`
}

// Run migrates and prints what it did, or prints what there is to do.
func (c migrateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if c.Status || c.Plan {
		states, err := app.Migrations(ctx, cfg, log)
		if c.Plan {
			printPlan(stdout, states)
			return err
		}
		if pending := printStatus(stdout, states); err == nil && pending {
			return errPending
		}
		return err
	}
	applied, err := app.Migrate(ctx, cfg, log)
	for _, name := range applied {
		fmt.Fprintln(stdout, "applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Fprintln(stdout, "the schema is current")
	}
	return err
}

// printStatus writes a line per migration and reports whether any is pending.
func printStatus(w io.Writer, states []app.MigrationState) (pending bool) {
	for _, s := range states {
		when := "pending"
		if s.Pending() {
			pending = true
		} else {
			when = s.AppliedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(w, "%-20s  %s\n", when, s.Version)
	}
	return pending
}

// printPlan writes the pending migrations as SQL. Warnings are comments, so that the output can be read by psql.
func printPlan(w io.Writer, states []app.MigrationState) {
	for _, s := range states {
		if !s.Pending() {
			continue
		}
		mode := "in one transaction"
		if !s.InTransaction() {
			mode = "statement by statement, outside of a transaction"
		}
		fmt.Fprintf(w, "-- migration %s, %s\n", s.Version, mode)
		for _, lock := range s.LongLocks() {
			fmt.Fprintf(w, "-- warning: %s\n", lock)
		}
		fmt.Fprintln(w, strings.TrimRight(s.SQL, "\n"))
		fmt.Fprintln(w)
	}
}
