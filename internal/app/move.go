package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmove"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
)

// moveConns is how many connections a move has to the target.
const moveConns = 4

// MoveOrganization calls fn with a move from the configured database to the one at target, once both have this program's schema
// and the configured secret key.
func MoveOrganization(ctx context.Context, cfg *config.Config, log *slog.Logger, target string, fn func(*pgmove.Move) error) error {
	return withDatabase(ctx, cfg, log, func(source *database) error {
		there, err := postgres.Open(ctx, target, postgres.Options{MaxConns: moveConns, Logger: log})
		if err != nil {
			return fmt.Errorf("the target: %w", connectErrorOf("--to", err))
		}
		defer there.Close()
		for name, db := range map[string]*postgres.DB{"source": source.DB, "target": there} {
			status, err := db.Status(ctx)
			if err == nil {
				err = status.Err()
			}
			if err != nil {
				return fmt.Errorf("the %s: %w", name, err)
			}
		}
		keeper, err := openSecrets(ctx, cfg, source.DB, false)
		if err != nil {
			return err
		}
		check, err := pgupkeep.SecretCheck(ctx, there)
		switch {
		case err != nil:
			return err
		case check == nil:
			return errors.New("the target has no secret key yet: start a process of it once, with the source's CARILLON_SECRET_KEY")
		case !keeper.Fits(check):
			return errors.New("the target has another secret key: stored secrets would be unreadable there. Give both installations the same CARILLON_SECRET_KEY; " +
				"the new key and the old one, separated by a comma, read both")
		}
		return fn(&pgmove.Move{Source: source.DB, Target: there, Prepare: pgwebhook.EnableTriggers})
	})
}
