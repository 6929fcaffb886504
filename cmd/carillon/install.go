package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
)

// installing is part of commands that work on an installation without serving it.
type installing struct {
	Init bool `help:"Create a new installation if there is none, without asking."`
}

// prepare makes the installation that a command works on when there is none and the operator agrees: by --init, or in
// answer to a question. A mistyped setting would otherwise make a second, empty one.
func (i installing) prepare(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return i.prepareAfter(ctx, cfg, log, func() error { return nil })
}

// prepareAfter is prepare with a check of the command's input, which runs once the operator has agreed and before anything
// is made.
func (i installing) prepareAfter(ctx context.Context, cfg *config.Config, log *slog.Logger, check func() error) error {
	found, err := app.Installed(ctx, cfg, log)
	if err != nil {
		return err
	}
	if found {
		return check()
	}
	place := app.Place(cfg)
	if !i.Init {
		if !term.IsTerminal(int(os.Stdin.Fd())) {
			return fmt.Errorf("%w in %s. Start one with `carillon serve`, or add --init to make it now; if there is one elsewhere, set CARILLON_DATA_DIR or CARILLON_DATABASE_URL to it",
				app.ErrNotInstalled, place)
		}
		if err := confirm(os.Stdin, os.Stderr, place); err != nil {
			return err
		}
	}
	if err := check(); err != nil {
		return err
	}
	return app.Install(ctx, cfg, log)
}

func confirm(in io.Reader, out io.Writer, place string) error {
	fmt.Fprintf(out, "There is no Carillon installation yet in %s. Make one? [y/N] ", place)
	// One byte at a time: what follows the line belongs to the command.
	line, err := readLine(in)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return errors.New("nothing was made")
}

func readLine(in io.Reader) (string, error) {
	var line strings.Builder
	one := make([]byte, 1)
	for {
		n, err := in.Read(one)
		if n == 1 && one[0] == '\n' || err != nil {
			return line.String(), err
		}
		line.Write(one[:n])
	}
}
