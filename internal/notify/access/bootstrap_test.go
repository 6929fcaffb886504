package access_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

func TestBootstrap(t *testing.T) {
	t.Parallel()

	t.Run("OnceOverSeveralProcesses", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		results := make(chan *access.BootstrapResult, 8)
		var wait sync.WaitGroup
		for range cap(results) {
			wait.Go(func() {
				services := notify.New(usecase.Config{DB: db, Now: time.Now})
				result, err := services.Bootstrap(t.Context(), access.BootstrapInput{APIKey: "given-key"})
				if err == nil {
					results <- result
				}
			})
		}
		wait.Wait()
		require.Len(t, results, cap(results))
		created := 0
		for range cap(results) {
			if r := <-results; r.Created {
				created++
				require.Equal(t, "given-key", r.Key)
				require.Equal(t, environment.TypeDevelopment, r.Environment.Type)
				require.Equal(t, "development", r.Environment.Identifier)
			}
		}
		require.Equal(t, 1, created)
		key := db.Ent.APIKey.Query().OnlyX(viewer.SystemContext(t.Context()))
		require.Equal(t, auth.HashKey("given-key"), key.Hash)
	})

	t.Run("MakesAKey", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		services := notify.New(usecase.Config{DB: db, Now: time.Now})
		result, err := services.Bootstrap(t.Context(), access.BootstrapInput{})
		require.NoError(t, err)
		found, err := pgaccess.FindKeys(t.Context(), db, [][]byte{auth.HashKey(result.Key)})
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, result.Environment.ID, found[0].EnvironmentID)
		require.Equal(t, result.Organization.ID, found[0].OrganizationID)
	})

	t.Run("AfterOtherCommands", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		services := notify.New(usecase.Config{DB: db, Now: time.Now})
		require.NoError(t, services.Install(t.Context()))
		require.NoError(t, services.Install(t.Context()), "again makes nothing")
		ctx := viewer.SystemContext(t.Context())
		env := db.Ent.Environment.Query().OnlyX(ctx)
		require.Zero(t, db.Ent.APIKey.Query().CountX(ctx), "the key waits for the command that shows it")
		made, err := services.APIKeys.Create(viewer.InScope(t.Context(), viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}), access.CreateAPIKeyInput{Name: "made before"})
		require.NoError(t, err)

		result, err := services.Bootstrap(t.Context(), access.BootstrapInput{})
		require.NoError(t, err)
		require.True(t, result.Created, "it was never served")
		require.Equal(t, env.ID, result.Environment.ID)
		require.NotEmpty(t, result.Key)
		require.NotEqual(t, made.Key, result.Key)
		again, err := services.Bootstrap(t.Context(), access.BootstrapInput{})
		require.NoError(t, err)
		require.False(t, again.Created)
	})

	t.Run("NoKeyBesideOneInUse", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		services := notify.New(usecase.Config{DB: db, Now: time.Now})
		require.NoError(t, services.Install(t.Context()))
		env := db.Ent.Environment.Query().OnlyX(viewer.SystemContext(t.Context()))
		ctx := viewer.InScope(t.Context(), viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID})
		_, err := services.APIKeys.Create(ctx, access.CreateAPIKeyInput{Name: "in use"})
		require.NoError(t, err)
		db.Ent.APIKey.Update().SetLastUsedAt(time.Now()).ExecX(ctx)
		result, err := services.Bootstrap(t.Context(), access.BootstrapInput{})
		require.NoError(t, err)
		require.True(t, result.Created)
		require.Empty(t, result.Key)
	})

	t.Run("ChosenKeyIsThereAlready", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		services := notify.New(usecase.Config{DB: db, Now: time.Now})
		_, err := services.Bootstrap(t.Context(), access.BootstrapInput{APIKey: "chosen"})
		require.NoError(t, err)
		_, err = db.Pool.Exec(t.Context(), `UPDATE carillon_installation SET first_served_at = NULL`)
		require.NoError(t, err)
		result, err := services.Bootstrap(t.Context(), access.BootstrapInput{APIKey: "chosen"})
		require.NoError(t, err)
		require.Equal(t, "chosen", result.Key)
		require.Equal(t, 1, db.Ent.APIKey.Query().CountX(viewer.SystemContext(t.Context())))
	})

	t.Run("RefusesAKeyThatNoHeaderCarries", func(t *testing.T) {
		t.Parallel()
		services := notify.New(usecase.Config{DB: pgtest.New(t), Now: time.Now})
		_, err := services.Bootstrap(t.Context(), access.BootstrapInput{APIKey: "two words"})
		require.Equal(t, fault.Invalid, fault.KindOf(err))
	})
}
