package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/exact"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/secret"
)

// urlPlaces are the places of webhook URLs in the JSON columns that hold some.
var urlPlaces = map[string]secret.URLPlaces{
	"subscriber_channels.credentials": secret.SettingURLs,
	"channel_endpoints.endpoint":      secret.EndpointURLs,
	"events.recipients":               secret.RecipientURLs,
	"events.actor":                    secret.ActorURLs,
	"events.overrides":                secret.OverrideURLs,
	"messages.envelope":               secret.EnvelopeURLs,
}

// sealPause lets other work go first between two pages.
const sealPause = 10 * time.Millisecond

func (e *Engine) sealStored(ctx context.Context) {
	if err := e.SealStoredURLs(ctx); err != nil && ctx.Err() == nil {
		e.Logger.WarnContext(ctx, "webhook URLs of earlier releases not sealed; the next start tries again", slog.String("error", err.Error()))
	}
}

// SealStoredURLs seals the webhook URLs that earlier releases stored in clear, a page at a time. Several processes may do it
// at once: a page locks the rows that it changes, and what is sealed is passed over.
func (e *Engine) SealStoredURLs(ctx context.Context) error {
	for _, column := range postgres.URLColumns() {
		after := ""
		for more := true; more; {
			var reached string
			err := e.inTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
				reached, err = e.sealPage(ctx, tx, column, after)
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
	return nil
}

func (e *Engine) sealPage(ctx context.Context, tx pgx.Tx, column postgres.URLColumn, after string) (reached string, err error) {
	found, reached, err := postgres.ClearURLs(ctx, tx, column, secret.SealedPrefix, after)
	if err != nil {
		return "", err
	}
	for i := range found {
		if found[i].Content, err = e.sealed(column, &found[i]); err != nil {
			return "", fmt.Errorf("%s %s: %w", column.Table, found[i].ID, err)
		}
	}
	return reached, postgres.ReplaceStoredURLs(ctx, tx, column, found)
}

// sealed is a column's content with the URLs sealed.
func (e *Engine) sealed(column postgres.URLColumn, row *postgres.StoredURL) (string, error) {
	if !column.JSON {
		return e.Secrets.SealURL(row.EnvironmentID, row.Content)
	}
	var v any
	if err := exact.Unmarshal([]byte(row.Content), &v); err != nil {
		return "", fmt.Errorf("read JSON: %w", err)
	}
	v, err := e.Secrets.SealURLs(row.EnvironmentID, v, urlPlaces[column.Table+"."+column.Column])
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return string(raw), nil
}
