package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify"
)

type keysDeleteEnvCommand struct {
	Identifier string `arg:"" help:"Identifier of the environment."`
	Name       string `help:"Name of the environment, to confirm the deletion." required:""`
}

// Run deletes an environment with everything in it.
func (c keysDeleteEnvCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Identifier)
		if err != nil {
			return err
		}
		if _, err := s.Environments.Delete(ctx, env.ID, c.Name); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "Environment %s (%s) is deleted; its audit stays.\n", env.Identifier, env.Name)
		return nil
	})
}
