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
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// secretKey is where the key that seals stored secrets comes from.
type secretKey struct {
	text string // of CARILLON_SECRET_KEY
	file string // beside an embedded database, when there is no text
}

func secretKeyOf(cfg *config.Config) secretKey {
	return secretKey{text: cfg.SecretKey, file: filepath.Join(cfg.DataDir, "secret.key")}
}

// read gives the keeper. With generate, a missing file is made first.
func (k secretKey) read(generate bool) (*secret.Keeper, error) {
	if k.text != "" {
		keeper, err := secret.NewKeeper(k.text)
		if err != nil {
			return nil, fmt.Errorf("CARILLON_SECRET_KEY: %w", err)
		}
		return keeper, nil
	}
	text, err := readKey(k.file, generate)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, k.mismatch("is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("the key that encrypts stored secrets: %w", err)
	}
	keeper, err := secret.NewKeeper(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.file, err)
	}
	return keeper, nil
}

// mismatch says that the key is not the one under which secrets were stored, and what to do.
func (k secretKey) mismatch(how string) error {
	const lost = "If the key is lost, run `carillon adopt-secret-key`, and enter the credentials of the integrations again"
	if k.text != "" {
		return fmt.Errorf("CARILLON_SECRET_KEY %s: what was stored under that one cannot be read. Set it to that key; to change keys, "+
			"give the new one and the old one, separated by a comma. %s", how, lost)
	}
	return fmt.Errorf("%s %s: what was stored under the installation's key cannot be read. Restore the file from a backup of the data directory, "+
		"or set CARILLON_SECRET_KEY. %s", k.file, how, lost)
}

const notThisKey = "is not the key that this installation was set up with"

// openSecrets gives the keeper of stored secrets once its key proves to be the installation's: a wrong one would otherwise
// be noticed at the first message that needs credentials. The first key that is opened becomes the installation's; only what makes
// or serves one may do that in a database that has none (makes): a command that was given another key by mistake would keep serve
// from starting.
func openSecrets(ctx context.Context, cfg *config.Config, db *postgres.DB, makes bool) (*secret.Keeper, error) {
	known, err := pgupkeep.SecretCheck(ctx, db)
	if err != nil {
		return nil, err
	}
	if known == nil && !makes {
		if installed, err := db.Ent.Organization.Query().Exist(viewer.SystemContext(ctx)); err != nil {
			return nil, fmt.Errorf("look for an organization: %w", err)
		} else if !installed {
			return nil, ErrNotInstalled
		}
	}
	key := secretKeyOf(cfg)
	keeper, err := key.read(known == nil)
	if err != nil {
		return nil, err
	}
	if known == nil {
		return keeper, key.firstCheck(ctx, db, keeper)
	}
	if !keeper.Fits(known) {
		return nil, key.mismatch(notThisKey)
	}
	if keeper.Current(known) {
		return keeper, nil
	}
	// The operator has put a new key first. Another process may do the same at once, with the same key.
	fresh, err := keeper.Check()
	if err != nil {
		return nil, err
	}
	_, err = pgupkeep.ReplaceSecretCheck(ctx, db, known, fresh)
	return keeper, err
}

// firstCheck stores the check of a new installation, or of one that was made before there were checks: then something
// that is stored must have been sealed under the key.
func (k secretKey) firstCheck(ctx context.Context, db *postgres.DB, keeper *secret.Keeper) error {
	sealed, err := pgupkeep.SealedSample(ctx, db, 20)
	if err != nil {
		return err
	}
	fits := len(sealed) == 0
	for _, text := range sealed {
		fits = fits || keeper.Knows(text)
	}
	if !fits {
		return k.mismatch(notThisKey)
	}
	check, err := keeper.Check()
	if err != nil {
		return err
	}
	if stored, err := pgupkeep.ReplaceSecretCheck(ctx, db, nil, check); err != nil || stored {
		return err
	}
	first, err := pgupkeep.SecretCheck(ctx, db) // of a process that was faster
	if err == nil && !keeper.Fits(first) {
		err = k.mismatch(notThisKey)
	}
	return err
}

// AdoptSecretKey makes the configured secret key the installation's, for operators who lost the one before it. It reports
// whether that changed anything.
func AdoptSecretKey(ctx context.Context, cfg *config.Config, log *slog.Logger) (changed bool, err error) {
	if err := requireDatabase(cfg); err != nil {
		return false, err
	}
	db, err := openDatabase(ctx, cfg, true, log)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	if err := db.prepareSchema(ctx, cfg, log); err != nil {
		return false, err
	}
	known, err := pgupkeep.SecretCheck(ctx, db.DB)
	if err != nil {
		return false, err
	}
	keeper, err := secretKeyOf(cfg).read(true)
	if err != nil || known != nil && keeper.Fits(known) {
		return false, err
	}
	check, err := keeper.Check()
	if err != nil {
		return false, err
	}
	return pgupkeep.ReplaceSecretCheck(ctx, db.DB, known, check)
}

// readKey reads the key file; with generate, one that is missing is made first. Two processes that start together agree, because
// the file appears whole under its name or not at all.
func readKey(path string, generate bool) (string, error) {
	if found, err := os.ReadFile(path); err == nil || !generate || !errors.Is(err, fs.ErrNotExist) {
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
