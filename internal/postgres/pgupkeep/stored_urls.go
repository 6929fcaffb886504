package pgupkeep

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
)

// URLColumn is a column with webhook URLs of subscribers, which are sealed.
type URLColumn struct {
	Table, Column string
	JSON          bool // the URLs are members of it; otherwise it is one
}

// URLColumns are all of them.
func URLColumns() []URLColumn {
	return []URLColumn{
		{"subscriber_channels", "credentials", true},
		{"channel_endpoints", "endpoint", true},
		{"events", "recipients", true},
		{"events", "actor", true},
		{"events", "overrides", true},
		{"messages", "envelope", true},
		{"messages", "direct_webhook_url", false},
		{"trigger_schedules", "overrides", true},
	}
}

// clear finds what may hold a URL that does not begin with prefix.
func (c URLColumn) clear(prefix string) string {
	if c.JSON {
		return c.Column + `::text ~ '"(webhookUrl|url)": "(?!"|` + prefix + `)'`
	}
	return `NOT starts_with(` + c.Column + `, '` + prefix + `')`
}

// StoredURL is a column's content in one row.
type StoredURL struct {
	ID            string
	EnvironmentID string
	Content       string // JSON text when the column is JSON
}

const (
	clearScanned = 2_000 // rows that one page looks at
	clearChanged = 100   // rows that one page changes, which may hold half a MiB each
)

// ClearURLs is a page of the rows behind an id that may hold a URL without prefix, locked by tx, and the id up to which it
// reaches; "" when the table ends.
func ClearURLs(ctx context.Context, tx pgx.Tx, c URLColumn, prefix, after string) (found []StoredURL, reached string, err error) {
	page := `SELECT coalesce(max(id), '') FROM (SELECT id FROM ` + c.Table + ` WHERE id > $1 ORDER BY id LIMIT ` + fmt.Sprint(clearScanned) + `) p`
	if err := tx.QueryRow(ctx, page, after).Scan(&reached); err != nil || reached == "" {
		return nil, "", postgres.Translate(err)
	}
	rows, err := tx.Query(ctx, `SELECT id, environment_id, `+c.Column+`::text FROM `+c.Table+` WHERE id > $1 AND id <= $2 AND `+c.clear(prefix)+`
ORDER BY id LIMIT `+fmt.Sprint(clearChanged)+` FOR UPDATE`, after, reached)
	found, err = postgres.Collect(rows, err, "look for webhook URLs in clear", pgx.RowToStructByPos[StoredURL])
	if len(found) == clearChanged {
		reached = found[clearChanged-1].ID
	}
	return found, reached, err
}

var storedURLs = bulk.Columns[StoredURL]{
	bulk.Field("id", func(s *StoredURL) *string { return &s.ID }),
	bulk.Field("content", func(s *StoredURL) *string { return &s.Content }),
}

// ReplaceStoredURLs writes the contents of a column.
func ReplaceStoredURLs(ctx context.Context, tx pgx.Tx, c URLColumn, changed []StoredURL) error {
	if len(changed) == 0 {
		return nil
	}
	value := "u.content"
	if c.JSON {
		value += "::jsonb"
	}
	write := bulk.New("UPDATE "+c.Table+" t SET "+c.Column+" = "+value+" FROM {rows} WHERE t.id = u.id", storedURLs)
	_, err := tx.Exec(ctx, write.Text, write.Args(changed)...)
	if err != nil {
		return fmt.Errorf("seal webhook URLs: %w", err)
	}
	return nil
}
