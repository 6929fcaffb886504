package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

// databaseName is the database inside the embedded server.
const databaseName = "carillon"

// database is an open database and, when it is embedded, its server.
type database struct {
	*postgres.DB
	server *embedded.Server // nil for an external database, and beside another process that runs the embedded one
}

// openDatabase opens the configured database, starting the embedded server when there is none. With share, a server that
// another process runs in the same data directory is used: that is how commands work beside a running service.
func openDatabase(ctx context.Context, cfg *config.Config, share bool, log *slog.Logger) (*database, error) {
	dsn, server := cfg.DatabaseURL, (*embedded.Server)(nil)
	if cfg.Embedded() {
		var err error
		if dsn, server, err = startEmbedded(ctx, cfg, share, log); err != nil {
			return nil, err
		}
	}
	db, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: cfg.DatabaseMaxConns, Pooler: cfg.DatabasePooler, Delivers: !share, Logger: log})
	if err != nil {
		if server != nil {
			err = errors.Join(err, server.Stop())
		}
		return nil, connectError(cfg, err)
	}
	db.VirtualClocks = cfg.Clock == "virtual"
	return &database{DB: db, server: server}, nil
}

func startEmbedded(ctx context.Context, cfg *config.Config, share bool, log *slog.Logger) (dsn string, server *embedded.Server, err error) {
	var refused error // of the server that another process runs
	if share {
		if dsn, refused = embedded.Running(ctx, cfg.DataDir, databaseName); refused == nil {
			return dsn, nil, nil
		}
	}
	server, err = embedded.Start(ctx, embeddedConfig(cfg, log))
	if errors.Is(err, embedded.ErrLocked) {
		if refused != nil { // it runs, and may be shared
			return "", nil, refused
		}
		return "", nil, fmt.Errorf("%w; to share one database set CARILLON_DATABASE_URL", err)
	}
	if err != nil {
		return "", nil, fmt.Errorf("start the embedded database in %s (CARILLON_DATA_DIR): %w", cfg.DataDir, err)
	}
	return server.DSN(databaseName), server, nil
}

func embeddedConfig(cfg *config.Config, log *slog.Logger) embedded.Config {
	own := embedded.Config{DataDir: cfg.DataDir, BinDir: cfg.PostgresBin, Logger: log}
	if cfg.ObtainPostgres {
		own.Obtain = embedded.ObtainPinned
	}
	return own
}

// prepareSchema migrates the embedded database, which is Carillon's own, and refuses an external one that is not current, lacks
// unique indexes, or whose triggers do not fire.
func (d *database) prepareSchema(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if cfg.Embedded() {
		_, err := d.Migrate(ctx, log)
		return err
	}
	status, err := d.Status(ctx)
	if err != nil {
		return err
	}
	if err := status.Err(); err != nil {
		return err
	}
	if err := d.RequireIndexes(ctx); err != nil {
		return err
	}
	return d.RequireTriggers(ctx)
}

// close ends the connections and the embedded server.
func (d *database) close() error {
	d.Close()
	if d.server == nil {
		return nil
	}
	return d.server.Stop()
}
