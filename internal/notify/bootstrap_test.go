package notify_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

func TestBootstrap(t *testing.T) {
	t.Parallel()

	t.Run("OnceOverSeveralProcesses", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t)
		results := make(chan *notify.BootstrapResult, 8)
		var wait sync.WaitGroup
		for range cap(results) {
			wait.Go(func() {
				services := notify.New(notify.Config{DB: db, Now: time.Now})
				result, err := services.Bootstrap(t.Context(), notify.BootstrapInput{APIKey: "given-key"})
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
		services := notify.New(notify.Config{DB: db, Now: time.Now})
		result, err := services.Bootstrap(t.Context(), notify.BootstrapInput{})
		require.NoError(t, err)
		found, err := db.FindKeys(t.Context(), [][]byte{auth.HashKey(result.Key)})
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, result.Environment.ID, found[0].EnvironmentID)
		require.Equal(t, result.Organization.ID, found[0].OrganizationID)
	})

	t.Run("RefusesAKeyThatNoHeaderCarries", func(t *testing.T) {
		t.Parallel()
		services := notify.New(notify.Config{DB: pgtest.New(t), Now: time.Now})
		_, err := services.Bootstrap(t.Context(), notify.BootstrapInput{APIKey: "two words"})
		require.Equal(t, fault.Invalid, fault.KindOf(err))
	})
}
