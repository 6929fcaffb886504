package pgupkeep

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// SealedColumn is a column whose values are sealed under the secret key, each for its row. Webhook URLs of subscribers are not
// among them: they are sealed within other columns, for their environment (URLColumn).
type SealedColumn struct {
	Table, Column string
	name          string // SQL: by what operators know the row
	living        string // SQL: whether the value is still used
}

// SealedColumns are all of them. A column that is missing here is not looked at when the key changes.
func SealedColumns() []SealedColumn {
	return []SealedColumn{
		{"integrations", "credentials", "t.identifier", "NOT t.deleted"},
		{"integrations", "configurations", "t.identifier", "NOT t.deleted"},
		{"channel_connections", "access_token", "t.identifier", "true"},
		{"variables", "sealed", "t.name", "true"},
		{"webhook_endpoints", "secret", "t.id", "true"},
		{"webhook_endpoints", "previous_secret", "t.id", "t.previous_secret_until > now()"},
		{"environments", "inbox_secret", "t.identifier", "true"},
		{"users", "second_factor", "t.email", "true"},
	}
}

// SealedValue is the value of a sealed column in one row.
type SealedValue struct {
	ID     string
	Name   string // of the row, behind its environment's
	Sealed []byte
}

// SealedPage is how many values one page of SealedValues has.
const SealedPage = 1_000

// SealedValues is a page of the values of a column, of the rows behind an id.
func SealedValues(ctx context.Context, db *postgres.DB, c SealedColumn, after string) ([]SealedValue, error) {
	from, name := c.Table+" t", c.name
	if c.Table != "environments" && c.Table != "users" {
		from, name = from+" JOIN environments e ON e.id = t.environment_id", "e.identifier || '/' || "+name
	}
	rows, err := db.Pool.Query(ctx, `SELECT t.id, `+name+`, t.`+c.Column+` FROM `+from+`
WHERE t.id > $1 AND t.`+c.Column+` IS NOT NULL AND `+c.living+` ORDER BY t.id LIMIT $2`, after, SealedPage)
	return postgres.Collect(rows, err, "read sealed values", pgx.RowToStructByPos[SealedValue])
}

// SealedSample is some of what is sealed under the secret key, the newest of each column.
func SealedSample(ctx context.Context, db *postgres.DB, each int) ([][]byte, error) {
	var parts []string
	for _, c := range SealedColumns() {
		parts = append(parts, `(SELECT t.`+c.Column+` FROM `+c.Table+` t WHERE t.`+c.Column+` IS NOT NULL ORDER BY t.id DESC LIMIT $1)`)
	}
	rows, err := db.Pool.Query(ctx, strings.Join(parts, "\nUNION ALL "), each)
	return postgres.Collect(rows, err, "read sealed texts", pgx.RowTo[[]byte])
}

// SealedURLs are the sealed webhook URLs in the newest rows of a column.
func SealedURLs(ctx context.Context, db *postgres.DB, c URLColumn, newest int) ([]StoredURL, error) {
	pattern := `^(sealed:[\w-]+)$`
	if c.JSON {
		pattern = `"(?:webhookUrl|url)": "(sealed:[\w-]+)"`
	}
	rows, err := db.Pool.Query(ctx, `SELECT r.id, r.environment_id, found[1] FROM (
	SELECT id, environment_id, `+c.Column+`::text AS content FROM `+c.Table+` ORDER BY id DESC LIMIT $1) r
CROSS JOIN LATERAL regexp_matches(r.content, $2, 'g') found`, newest, pattern)
	return postgres.Collect(rows, err, "read sealed webhook URLs", pgx.RowToStructByPos[StoredURL])
}
