package app

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

func TestWrongSecretKeyIsRefused(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	first, second, third := secret.Generate(), secret.Generate(), secret.Generate()
	open := func(key string) error {
		_, err := openSecrets(t.Context(), &config.Config{SecretKey: key}, db, true)
		return err
	}
	require.NoError(t, open(first), "a new installation takes its first key")
	require.NoError(t, open(first))
	err := open(second)
	require.ErrorContains(t, err, "CARILLON_SECRET_KEY is not the key that this installation was set up with")
	require.ErrorContains(t, err, "carillon adopt-secret-key")
	require.NotContains(t, err.Error(), second)

	require.NoError(t, open(second+","+first), "a change of keys")
	require.NoError(t, open(second), "after which the new one is the installation's")
	require.Error(t, open(first))
	require.Error(t, open(third))
}

// TestCommandsFixNoSecretKey of a database without an installation: one that was run with a wrong key would keep serve from starting.
func TestCommandsFixNoSecretKey(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db := pgtest.Open(t, url)
	log := slog.New(slog.DiscardHandler)
	with := func(key string) *config.Config {
		return &config.Config{SecretKey: key, Database: config.Database{DatabaseURL: url}}
	}
	reads := func(key string) error {
		return Administer(t.Context(), with(key), log, func(context.Context, *notify.Services) error { return nil })
	}
	require.ErrorIs(t, reads(secret.Generate()), ErrNotInstalled)
	found, err := Installed(t.Context(), with(secret.Generate()), log)
	require.NoError(t, err)
	require.False(t, found)
	check, err := pgupkeep.SecretCheck(t.Context(), db)
	require.NoError(t, err)
	require.Nil(t, check)

	key := secret.Generate()
	require.NoError(t, Install(t.Context(), with(key), log))
	require.NoError(t, reads(key))
	require.ErrorContains(t, reads(secret.Generate()), notThisKey)
}

// TestSecretKeyOfOneProcess: of processes that start together with different keys one wins.
func TestSecretKeyOfOneProcess(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var wait sync.WaitGroup
	refused := make(chan error, 8)
	for range cap(refused) {
		wait.Go(func() {
			_, err := openSecrets(t.Context(), &config.Config{SecretKey: secret.Generate()}, db, true)
			refused <- err
		})
	}
	wait.Wait()
	close(refused)
	taken := 0
	for err := range refused {
		if err == nil {
			taken++
		} else {
			require.ErrorContains(t, err, notThisKey)
		}
	}
	require.Equal(t, 1, taken)
}

// TestSecretKeyOfAnOlderInstallation is judged by what is stored.
func TestSecretKeyOfAnOlderInstallation(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	key := secret.Generate()
	keeper, err := secret.NewKeeper(key)
	require.NoError(t, err)
	ctx := viewer.SystemContext(t.Context())
	organization := db.Ent.Organization.Create().SetName("o").SaveX(ctx)
	env := db.Ent.Environment.Create().SetName("e").SetIdentifier("e").SetOrganizationID(organization.ID).SaveX(ctx)
	sealed, err := keeper.Seal([]byte("s"), auth.InboxSecretPurpose(env.ID))
	require.NoError(t, err)
	db.Ent.Environment.UpdateOne(env).SetInboxSecret(sealed).ExecX(ctx)

	_, err = openSecrets(t.Context(), &config.Config{SecretKey: secret.Generate()}, db, true)
	require.ErrorContains(t, err, notThisKey)
	check, err := pgupkeep.SecretCheck(t.Context(), db)
	require.NoError(t, err)
	require.Nil(t, check, "a key that opens nothing is not taken")
	_, err = openSecrets(t.Context(), &config.Config{SecretKey: key}, db, true)
	require.NoError(t, err)
	check, err = pgupkeep.SecretCheck(t.Context(), db)
	require.NoError(t, err)
	require.True(t, keeper.Fits(check))
}

// TestLostKeyFile: a lost file is not replaced by another key, which would hide the loss.
func TestLostKeyFile(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	cfg := &config.Config{DataDir: t.TempDir()}
	file := filepath.Join(cfg.DataDir, "secret.key")
	_, err := openSecrets(t.Context(), cfg, db, true)
	require.NoError(t, err)
	require.FileExists(t, file)
	require.NoError(t, os.Remove(file))
	_, err = openSecrets(t.Context(), cfg, db, true)
	require.ErrorContains(t, err, file+" is missing")
	require.ErrorContains(t, err, "backup")
	require.NoFileExists(t, file)

	require.NoError(t, os.WriteFile(file, []byte("not a key"), 0o600))
	_, err = openSecrets(t.Context(), cfg, db, true)
	require.ErrorContains(t, err, file)
}

func TestAdoptSecretKey(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db := pgtest.Open(t, url)
	log := slog.New(slog.DiscardHandler)
	with := func(key string) *config.Config {
		return &config.Config{SecretKey: key, Database: config.Database{DatabaseURL: url}}
	}
	lost, present := secret.Generate(), secret.Generate()
	_, err := openSecrets(t.Context(), with(lost), db, true)
	require.NoError(t, err)

	d := newDoctor(t)
	d.cfg.SecretKey, d.cfg.DatabaseURL = present, url
	d.secrets(t.Context(), db)
	d.requireFault(t, LevelFail, "secret key", "CARILLON_SECRET_KEY "+notThisKey)

	changed, err := AdoptSecretKey(t.Context(), with(present), log)
	require.NoError(t, err)
	require.True(t, changed)
	changed, err = AdoptSecretKey(t.Context(), with(present), log)
	require.NoError(t, err)
	require.False(t, changed)
	_, err = openSecrets(t.Context(), with(present), db, true)
	require.NoError(t, err)
}
