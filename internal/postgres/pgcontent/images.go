// Package pgcontent reads what is written for subscribers, workflows, layouts and snippets, for what it names.
package pgcontent

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// ImageUsage is one record that names an image.
type ImageUsage struct {
	Key  string // of the image
	Kind string // WORKFLOW, LAYOUT or SNIPPET
	Name string // identifier of the record
}

// Each text is read once for all keys: the addresses of images in it are found by their form.
const imageUsages = `SELECT key, kind, name FROM (
	SELECT key, kind, name, row_number() OVER (PARTITION BY key ORDER BY kind, name) AS rank FROM (
		SELECT DISTINCT found[1] AS key, kind, name FROM (
			SELECT 'WORKFLOW' AS kind, identifier AS name, draft::text AS content FROM workflows
				WHERE environment_id = $1 AND NOT deleted AND strpos(draft::text, '/images/') > 0
			UNION ALL SELECT 'WORKFLOW', w.identifier, v.definition::text FROM workflows w JOIN workflow_versions v ON v.id = w.published_version_id
				WHERE w.environment_id = $1 AND NOT w.deleted AND strpos(v.definition::text, '/images/') > 0
			UNION ALL SELECT 'LAYOUT', identifier, content FROM layouts WHERE environment_id = $1 AND strpos(content, '/images/') > 0
			UNION ALL SELECT 'SNIPPET', identifier, content FROM snippets WHERE environment_id = $1 AND strpos(content, '/images/') > 0
		) texts, regexp_matches(content, '/images/([0-9a-f]{64})', 'g') found
		WHERE found[1] = ANY($2)
	) named
) ranked WHERE rank <= $3 ORDER BY key, rank`

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// ImageUsages returns the workflows (their drafts and the versions that triggers use), layouts and snippets that have the addresses of
// images, of each image the first few by kind and identifier.
func ImageUsages(ctx context.Context, q querier, scope viewer.Scope, keys []string, most int) ([]ImageUsage, error) {
	rows, err := q.Query(ctx, imageUsages, scope.EnvironmentID, keys, most)
	return postgres.Collect(rows, err, "read what names images", pgx.RowToStructByPos[ImageUsage])
}
