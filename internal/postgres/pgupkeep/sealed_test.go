package pgupkeep_test

import (
	"testing"

	"entgo.io/ent/schema/field"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// unsealed are the columns of bytes that hold nothing sealed: hashes, what callers gave, and answers.
var unsealed = []string{
	"api_keys.hash", "idempotency_records.request_hash", "idempotency_records.body", "images.digest", "images.content", "invitations.hash",
	"log_in_tries.key", "organization_keys.hash", "sessions.hash", "users.password_reset",
}

// TestEverySealedColumnIsListed, so that a change of the key looks at it.
func TestEverySealedColumnIsListed(t *testing.T) {
	t.Parallel()
	want := unsealed
	for _, c := range pgupkeep.SealedColumns() {
		want = append(want, c.Table+"."+c.Column)
	}
	var found []string
	for _, table := range migrate.Tables {
		for _, column := range table.Columns {
			if column.Type == field.TypeBytes {
				found = append(found, table.Name+"."+column.Name)
			}
		}
	}
	require.ElementsMatch(t, want, found)
}

// TestSealedValues: every value that is used, in the order of their rows, under the names of their rows.
func TestSealedValues(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, c := range pgupkeep.SealedColumns() {
		ids := []string{s.Here.IDs[c.Table], s.There.IDs[c.Table]}
		for _, id := range ids {
			s.Exec(`UPDATE `+c.Table+` SET `+c.Column+` = convert_to($2, 'UTF8') WHERE id = $1`, id, c.Column+id)
		}
		s.Exec(`UPDATE webhook_endpoints SET previous_secret_until = now() + interval '1 hour'`)
		all, err := pgupkeep.SealedValues(s.Ctx, s.DB, c, "")
		require.NoError(t, err)
		found := map[string]string{}
		for i, v := range all {
			require.NotEmpty(t, v.Name)
			require.True(t, i == 0 || all[i-1].ID < v.ID)
			found[v.ID] = string(v.Sealed)
		}
		require.Equal(t, map[string]string{ids[0]: c.Column + ids[0], ids[1]: c.Column + ids[1]}, found, c)
		rest, err := pgupkeep.SealedValues(s.Ctx, s.DB, c, all[0].ID)
		require.NoError(t, err)
		require.Equal(t, all[1:], rest)

		s.Exec(`UPDATE webhook_endpoints SET previous_secret_until = now()`)
		s.Exec(`UPDATE integrations SET deleted = true`)
		all, err = pgupkeep.SealedValues(s.Ctx, s.DB, c, "")
		require.NoError(t, err)
		require.Equal(t, c.Table == "integrations" || c.Column == "previous_secret", len(all) == 0, "%v: what is used no more", c)
		s.Exec(`UPDATE integrations SET deleted = false`)
	}
	sample, err := pgupkeep.SealedSample(s.Ctx, s.DB, 1)
	require.NoError(t, err)
	require.Len(t, sample, len(pgupkeep.SealedColumns()), "the newest of each column")
}

// TestSealedURLs are found wherever they are in the newest rows.
func TestSealedURLs(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, c := range pgupkeep.URLColumns() {
		text := `sealed:AbC-_1`
		if c.JSON {
			text = `{"a": [{"webhookUrl": "sealed:AbC-_1"}, {"url": "https://a.example", "other": "sealed:no"}]}`
		}
		s.Exec(`UPDATE `+c.Table+` SET `+c.Column+` = '`+text+`' WHERE id = $1`, s.Here.IDs[c.Table])
		found, err := pgupkeep.SealedURLs(s.Ctx, s.DB, c, 10)
		require.NoError(t, err)
		require.Equal(t, []pgupkeep.StoredURL{{ID: s.Here.IDs[c.Table], EnvironmentID: s.Here.Scope.EnvironmentID, Content: "sealed:AbC-_1"}}, found, c)
		found, err = pgupkeep.SealedURLs(s.Ctx, s.DB, c, 0)
		require.NoError(t, err)
		require.Empty(t, found)
	}
}
