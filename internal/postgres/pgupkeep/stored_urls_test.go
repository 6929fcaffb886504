package pgupkeep_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// TestClearURLs finds URLs in plain in every column that may hold them, and replaces only those.
func TestClearURLs(t *testing.T) {
	t.Parallel()
	for _, c := range pgupkeep.URLColumns() {
		t.Run(c.Table+"."+c.Column, func(t *testing.T) {
			t.Parallel()
			s := pgtest.NewStore(t)
			plain, sealed, empty, after := "https://a.example", "k1:x", "", "k1:y"
			if c.JSON {
				plain, sealed, empty, after = `{"webhookUrl": "https://a.example"}`, `{"webhookUrl": "k1:x"}`, `{"url": "", "other": "https://a.example"}`, `{"webhookUrl": "k1:y"}`
			}
			s.Exec(`DELETE FROM ` + c.Table)
			add := func(n int, value any) string {
				v := pgtest.Values{c.Column: value}
				for _, unique := range []string{"integration_identifier", "identifier", "step_id", "transaction_id"} {
					if pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM information_schema.columns WHERE table_name = $1 AND column_name = $2)`, c.Table, unique) {
						v[unique] = fmt.Sprint("n", n)
					}
				}
				return s.Add(s.Here, c.Table, v)
			}
			found := add(1, plain)
			add(2, sealed)
			if c.JSON {
				add(3, empty)
			}
			s.InTx(func(tx pgx.Tx) {
				page, reached, err := pgupkeep.ClearURLs(s.Ctx, tx, c, "k1:", "")
				require.NoError(t, err)
				require.NotEmpty(t, reached)
				require.Len(t, page, 1)
				require.Equal(t, []string{found, s.Here.Scope.EnvironmentID}, []string{page[0].ID, page[0].EnvironmentID})
				page[0].Content = after
				require.NoError(t, pgupkeep.ReplaceStoredURLs(s.Ctx, tx, c, page))
				page, end, err := pgupkeep.ClearURLs(s.Ctx, tx, c, "k1:", reached)
				require.NoError(t, err)
				require.Empty(t, page)
				require.Empty(t, end, "the table ends")
				page, _, err = pgupkeep.ClearURLs(s.Ctx, tx, c, "k1:", "")
				require.NoError(t, err)
				require.Empty(t, page, "all are sealed")
				require.NoError(t, pgupkeep.ReplaceStoredURLs(s.Ctx, tx, c, nil))
			})
			require.Equal(t, after, pgtest.Column[string](s, s.Here, c.Table, c.Column+"::text")[0])
		})
	}
}

// TestClearURLsByPages bounds the rows that one page changes.
func TestClearURLsByPages(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM messages`)
	s.Exec(`INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, scope, notification_id,
	event_id, transaction_id, workflow_id, workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at, direct_webhook_url)
SELECT lpad(n::text, 24, '0'), now(), now(), 'env', '[]', '', n, 'e', 't', 'w', 'w', 's', 'u', 'chat', 'chat', 'sent', now(), 'https://a.example'
FROM generate_series(1, 150) n`)
	column := pgupkeep.URLColumn{Table: "messages", Column: "direct_webhook_url"}
	s.InTx(func(tx pgx.Tx) {
		page, reached, err := pgupkeep.ClearURLs(s.Ctx, tx, column, "k1:", "")
		require.NoError(t, err)
		require.Len(t, page, 100)
		require.Equal(t, page[99].ID, reached, "the next page begins behind the last one found")
		page, _, err = pgupkeep.ClearURLs(s.Ctx, tx, column, "k1:", reached)
		require.NoError(t, err)
		require.Len(t, page, 50)
	})
}
