package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/secret"
)

// urlPlaces are the places of webhook URLs in the JSON columns that hold some.
var urlPlaces = map[string]secret.URLPlaces{
	"subscriber_channels.credentials": secret.SettingURLs,
	"channel_endpoints.endpoint":      secret.EndpointURLs,
	"events.recipients":               secret.RecipientURLs,
	"events.actor":                    secret.ActorURLs,
	"events.overrides":                secret.OverrideURLs,
	"trigger_schedules.overrides":     secret.OverrideURLs,
	"messages.envelope":               secret.EnvelopeURLs,
}

// sealPause lets other work go first between two pages.
const sealPause = 10 * time.Millisecond

func (e *Engine) sealStored(ctx context.Context) {
	if err := e.SealStoredURLs(ctx); err != nil && ctx.Err() == nil {
		e.Logger.WarnContext(ctx, "stored webhook URLs not sealed under the present key; the next start tries again", slog.String("error", err.Error()))
	}
}

// SealStoredURLs seals the webhook URLs that earlier releases stored in clear, or that are sealed under an older key, a page
// at a time. Several processes may do it at once: a page locks the rows that it changes, and what is sealed is passed over.
// A walk that finds nothing is the last one under a key: one that changed rows may have missed what an earlier release, which
// still ran, wrote behind it.
func (e *Engine) SealStoredURLs(ctx context.Context) error {
	prefix := e.Secrets.URLPrefix()
	if done, err := pgupkeep.URLsSealed(ctx, e.DB); err != nil || done == prefix {
		return err
	}
	changed := 0
	for _, column := range pgupkeep.URLColumns() {
		after := ""
		for more := true; more; {
			var reached string
			err := e.InTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
				var n int
				n, reached, err = e.sealPage(ctx, tx, column, prefix, after)
				changed += n
				return err
			})
			if err != nil {
				return err
			}
			after, more = reached, reached != ""
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(sealPause):
			}
		}
	}
	if changed > 0 {
		return nil
	}
	return pgupkeep.MarkURLsSealed(ctx, e.DB, prefix)
}

// sealPage seals one page, and returns how many rows it changed.
func (e *Engine) sealPage(ctx context.Context, tx pgx.Tx, column pgupkeep.URLColumn, prefix, after string) (changed int, reached string, err error) {
	found, reached, err := pgupkeep.ClearURLs(ctx, tx, column, prefix, after)
	if err != nil {
		return 0, "", err
	}
	renewed := found[:0]
	for _, row := range found {
		before := row.Content
		if row.Content, err = e.sealed(column, &row); err != nil {
			return 0, "", fmt.Errorf("%s %s: %w", column.Table, row.ID, err)
		}
		if row.Content != before {
			renewed = append(renewed, row)
		}
	}
	return len(renewed), reached, pgupkeep.ReplaceStoredURLs(ctx, tx, column, renewed)
}

// sealed is a column's content with the URLs sealed.
func (e *Engine) sealed(column pgupkeep.URLColumn, row *pgupkeep.StoredURL) (string, error) {
	if !column.JSON {
		return e.Secrets.RenewURL(row.EnvironmentID, row.Content)
	}
	var v any
	if err := jsonnum.Unmarshal([]byte(row.Content), &v); err != nil {
		return "", fmt.Errorf("read JSON: %w", err)
	}
	renewed, err := e.Secrets.RenewURLs(row.EnvironmentID, v, urlPlaces[column.Table+"."+column.Column])
	if err != nil {
		return "", err
	}
	if reflect.DeepEqual(renewed, v) {
		return row.Content, nil // another member has this name
	}
	raw, err := json.Marshal(renewed)
	if err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return string(raw), nil
}
