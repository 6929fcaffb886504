package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify"
)

// keysCommand manages environments and keys without a key: whoever may run it owns the database. It works beside a
// running service.
type keysCommand struct {
	List         keysListCommand         `cmd:"" help:"List an environment's keys; they are shown by their last characters."`
	Create       keysCreateCommand       `cmd:"" help:"Make a key and print it, this once."`
	Revoke       keysRevokeCommand       `cmd:"" help:"End a key at once."`
	Environments keysEnvironmentsCommand `cmd:"" help:"List the environments."`
	NewEnv       keysNewEnvCommand       `cmd:"" name:"create-environment" help:"Make an environment and its first key."`
}

// every reads all pages of a list.
func every[T any](list func(notify.Page) (*notify.Connection[T], error)) (all []*T, err error) {
	size := notify.MaxPage
	page := notify.Page{First: &size}
	for {
		got, err := list(page)
		if err != nil {
			return nil, err
		}
		all = append(all, got.Nodes()...)
		if !got.PageInfo.HasNextPage {
			return all, nil
		}
		page.After = got.PageInfo.EndCursor
	}
}

type keysListCommand struct {
	Environment string `help:"Identifier of the environment." default:"development"`
}

// Run lists the keys.
func (c keysListCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		keys, err := every(func(page notify.Page) (*notify.APIKeyConnection, error) {
			return s.APIKeys.List(ctx, &id, page, nil, nil)
		})
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tKEY\tCREATED\tLAST USED\tEXPIRES\tREVOKED")
		for _, k := range keys {
			fmt.Fprintf(table, "%s\t%s\t…%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.Hint, when(&k.CreatedAt), when(k.LastUsedAt), when(k.ExpiresAt), when(k.RevokedAt))
		}
		return table.Flush()
	})
}

func when(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

type keysCreateCommand struct {
	Environment string        `help:"Identifier of the environment." default:"development"`
	Name        string        `help:"Name for people." default:"from the command line"`
	Expires     time.Duration `help:"How long it is valid. 0: for ever."`
}

// Run makes a key. Only the key goes to the standard output, so that it can be captured.
func (c keysCreateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		in := notify.CreateAPIKeyInput{Name: c.Name, EnvironmentID: &id}
		if c.Expires > 0 {
			at := time.Now().Add(c.Expires)
			in.ExpiresAt = &at
		}
		made, err := s.APIKeys.Create(ctx, in)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "Key %s of environment %s. It is shown this once:\n", made.APIKey.ID, c.Environment)
		fmt.Println(made.Key)
		return nil
	})
}

type keysRevokeCommand struct {
	ID          string `arg:"" help:"The key's ID, as keys list shows it."`
	Environment string `help:"Identifier of the environment." default:"development"`
}

// Run ends a key.
func (c keysRevokeCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		revoked, err := s.APIKeys.Revoke(ctx, &id, c.ID)
		if err != nil {
			return err
		}
		fmt.Printf("Key %s (…%s) is revoked.\n", revoked.ID, revoked.Hint)
		return nil
	})
}

type keysEnvironmentsCommand struct{}

// Run lists the environments.
func (keysEnvironmentsCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		environments, err := every(func(page notify.Page) (*notify.EnvironmentConnection, error) {
			return s.Environments.List(ctx, page, nil, nil)
		})
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tIDENTIFIER\tNAME\tTYPE\tSUSPENDED")
		for _, e := range environments {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", e.ID, e.Identifier, e.Name, e.Type, e.Suspended)
		}
		return table.Flush()
	})
}

type keysNewEnvCommand struct {
	Identifier string `arg:"" help:"Identifier of the new environment."`
	Name       string `help:"Name for people; the identifier when empty."`
	Production bool   `help:"Mark it as production: its clock can never be moved."`
}

// Run makes an environment with its first key.
func (c keysNewEnvCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		in := notify.CreateEnvironmentInput{Identifier: c.Identifier}
		if c.Name != "" {
			in.Name = &c.Name
		}
		if c.Production {
			in.Type = new(environment.TypeProduction)
		}
		env, err := s.Environments.Create(ctx, in)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		made, err := s.APIKeys.Create(ctx, notify.CreateAPIKeyInput{Name: "First key", EnvironmentID: &id})
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "Environment %s is made. Its key is shown this once:\n", env.Identifier)
		fmt.Println(made.Key)
		return nil
	})
}
