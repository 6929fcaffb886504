package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres/pgbackup"
)

type backupCommand struct {
	File string `arg:"" help:"File to write; it must not exist. - is standard output."`
}

const (
	unfinishedBackup = ".carillon-backup-*"
	// A backup that is being written is written to all the time.
	backupGivenUp = time.Hour
)

// removeLeftBackups removes what killed processes have left of their backups in dir: nothing has been written to it for an hour.
func removeLeftBackups(dir string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(dir, unfinishedBackup)) // the pattern is well-formed unless dir is none
	for _, name := range left {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < backupGivenUp {
			continue
		}
		if err := os.Remove(name); err == nil {
			fmt.Fprintf(stderr, "removed %s, which an interrupted backup had left\n", name)
		}
	}
}

// Run writes the backup. The file appears under its name when it is complete.
func (c backupCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if c.File == "-" {
		return writeBackup(ctx, cfg, log, raw)
	}
	if _, err := os.Lstat(c.File); err == nil {
		return fmt.Errorf("%s exists already: name another file", c.File)
	}
	dir := filepath.Dir(c.File)
	if _, err := os.Stat(dir); err != nil {
		return err // the name below means nothing to who reads the error
	}
	removeLeftBackups(dir, time.Now())
	file, err := os.CreateTemp(dir, unfinishedBackup) // for its owner alone
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // does nothing once it has its name
	err = writeBackup(ctx, cfg, log, file)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), c.File)
}

func writeBackup(ctx context.Context, cfg *config.Config, log *slog.Logger, w io.Writer) error {
	m, err := app.Backup(ctx, cfg, log, w, printTable)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "backed up %d rows of %s\n", rowsOf(m), m.TakenAt.Format(time.RFC3339))
	fmt.Fprintln(stderr, "Keep the secret key apart from the backup: without it stored credentials cannot be read.")
	return nil
}

type restoreCommand struct {
	File string `arg:"" help:"File that carillon backup wrote." type:"existingfile"`
	Show bool   `help:"Print what the backup holds, and change nothing."`
}

// Run restores the backup, or prints what it holds.
func (c restoreCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	b, err := pgbackup.Open(file, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.Show {
		fmt.Fprintf(stdout, "taken    %s\nprogram  %s\nschema   %s\n", b.TakenAt.Format(time.RFC3339), b.Program, b.Schema)
		for _, t := range b.Tables {
			fmt.Fprintf(stdout, "%12d  %s\n", t.Rows, t.Name)
		}
		return nil
	}
	if err := app.Restore(ctx, cfg, log, b, printTable); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "restored %d rows of %s into %s\n", rowsOf(&b.Manifest), b.TakenAt.Format(time.RFC3339), app.Place(cfg))
	return nil
}

func printTable(t pgbackup.Table) { fmt.Fprintf(stderr, "%12d  %s\n", t.Rows, t.Name) }

func rowsOf(m *pgbackup.Manifest) (n int64) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}
