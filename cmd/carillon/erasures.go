package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/viewer"
)

type erasureCheckCommand struct {
	ID          string   `arg:"" help:"The subscriber's identifier, as triggers named it."`
	Values      []string `arg:"" optional:"" help:"Other values to look for: e-mail addresses, phone numbers, names."`
	Environment string   `help:"Identifier of the environment." default:"development"`
	Certificate string   `help:"File to write the signed result to; it must not exist." placeholder:"FILE"`
}

// errTraces is why a check fails: the person is not erased, or values are left.
var errTraces = errors.New("the erasure is not complete")

// Run searches every table, prints what is left, and fails when something is.
func (c erasureCheckCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		scope := viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}
		checked, err := s.Erasures.Check(ctx, scope, c.ID, c.Values)
		if err != nil {
			return err
		}
		if err := c.write(checked); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "searched %d columns of %d tables for %d values; what is stored encrypted cannot be searched\n", checked.Columns, checked.Tables, len(checked.Values))
		if !checked.Erased {
			fmt.Fprintf(stdout, "%q is not erased in %s\n", c.ID, c.Environment)
		}
		for _, t := range checked.Traces {
			where := ""
			if t.Shared {
				where = ", which belongs to no environment"
			}
			fmt.Fprintf(stdout, "%s.%s: %d rows%s\n", t.Table, t.Column, t.Rows, where)
		}
		if !checked.Clean() {
			return errTraces
		}
		fmt.Fprintf(stdout, "nothing is left; the records stay under %s\n", checked.Pseudonym)
		return nil
	})
}

func (c erasureCheckCommand) write(checked *audience.ErasureCertificate) error {
	if c.Certificate == "" {
		return nil
	}
	text, err := json.MarshalIndent(checked, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.Certificate, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

type erasureVerifyCommand struct {
	File   string   `arg:"" help:"File that check-erasure wrote." type:"existingfile"`
	Values []string `arg:"" optional:"" help:"Values that the certificate should cover, the subscriber's identifier among them."`
}

// Run says whether this installation signed the certificate, and whether it covers values.
func (c erasureVerifyCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	var certificate audience.ErasureCertificate
	if err := json.Unmarshal(text, &certificate); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return app.Administer(ctx, cfg, log, func(_ context.Context, s *notify.Services) error {
		genuine, covered := s.Erasures.Verify(&certificate, c.Values)
		switch {
		case !genuine:
			return fmt.Errorf("%s was not signed by this installation, or was changed since", c.File)
		case covered < len(c.Values):
			return fmt.Errorf("the certificate covers %d of the %d values", covered, len(c.Values))
		}
		result := "nothing was left"
		if !certificate.Clean() {
			result = "the erasure was not complete"
		}
		fmt.Fprintf(stdout, "genuine, of %s: %s of %s in %s\n", certificate.CheckedAt.Format("2006-01-02 15:04:05 MST"), result, strings.TrimSpace(certificate.Pseudonym), certificate.EnvironmentID)
		return nil
	})
}
