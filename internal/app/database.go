package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/secret"
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
	db, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: cfg.DatabaseMaxConns, Pooler: cfg.DatabasePooler, Logger: log})
	if err != nil {
		if server != nil {
			err = errors.Join(err, server.Stop())
		}
		return nil, err
	}
	db.VirtualClocks = cfg.Clock == "virtual"
	return &database{DB: db, server: server}, nil
}

func startEmbedded(ctx context.Context, cfg *config.Config, share bool, log *slog.Logger) (dsn string, server *embedded.Server, err error) {
	if share {
		if dsn, ok := embedded.Running(ctx, cfg.DataDir, databaseName); ok {
			return dsn, nil, nil
		}
	}
	server, err = embedded.Start(ctx, embedded.Config{DataDir: cfg.DataDir, BinDir: cfg.PostgresBin, Logger: log})
	if errors.Is(err, embedded.ErrLocked) {
		return "", nil, fmt.Errorf("another Carillon runs in %s: stop it, or give this one another CARILLON_DATA_DIR, or share a database with CARILLON_DATABASE_URL: %w", cfg.DataDir, err)
	}
	if err != nil {
		return "", nil, fmt.Errorf("start the embedded database: %w", err)
	}
	return server.DSN(databaseName), server, nil
}

// prepareSchema migrates the embedded database, which is Carillon's own, and refuses an external one that is not current.
func (d *database) prepareSchema(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	if cfg.Embedded() {
		_, err := d.Migrate(ctx, log)
		return err
	}
	status, err := d.Status(ctx)
	if err != nil {
		return err
	}
	return status.Err()
}

// close ends the connections and the embedded server.
func (d *database) close() error {
	d.Close()
	if d.server == nil {
		return nil
	}
	return d.server.Stop()
}

// secretKeeper seals stored secrets under the configured key, or with an embedded database under one that is generated
// beside it on the first start.
func secretKeeper(cfg *config.Config) (*secret.Keeper, error) {
	key := cfg.SecretKey
	if key == "" {
		var err error
		if key, err = generatedKey(filepath.Join(cfg.DataDir, "secret.key")); err != nil {
			return nil, fmt.Errorf("the key that encrypts stored secrets: %w", err)
		}
	}
	keeper, err := secret.NewKeeper(key)
	if err != nil {
		return nil, fmt.Errorf("CARILLON_SECRET_KEY: %w", err)
	}
	return keeper, nil
}

// generatedKey reads the key file, making it first when it is missing. Two processes that start together agree, because
// the file appears whole under its name or not at all.
func generatedKey(path string) (string, error) {
	if found, err := os.ReadFile(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return string(found), err
	}
	fresh, err := os.CreateTemp(filepath.Dir(path), ".secret-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(fresh.Name()) }()
	_, err = fresh.WriteString(secret.Generate())
	if err := errors.Join(err, fresh.Sync(), fresh.Close()); err != nil {
		return "", err
	}
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	found, err := os.ReadFile(path)
	return string(found), err
}
