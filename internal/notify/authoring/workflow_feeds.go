package authoring

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/feed"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// feedsOf finds the feeds that a definition names by id or identifier: their internal ids by what names them. An identifier
// goes before an id.
func feedsOf(ctx context.Context, db *ent.Client, d *workflow.Definition) (map[string]string, error) {
	refs := usecase.Distinct(d.Feeds())
	if len(refs) == 0 {
		return nil, nil
	}
	found, err := db.Feed.Query().Where(feed.Or(feed.IdentifierIn(refs...), feed.IDIn(usecase.PlainIDs("Feed", refs)...))).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for feeds: %w", err)
	}
	byName, known := map[string]string{}, usecase.ByID(found)
	for _, f := range found {
		byName[f.Identifier] = f.ID
	}
	ids := make(map[string]string, len(refs))
	for _, ref := range refs {
		if feedID, named := byName[ref]; named {
			ids[ref] = feedID
		} else if feedID, err := usecase.RecordID("Feed", ref); err == nil && known[feedID] != nil {
			ids[ref] = feedID
		}
	}
	return ids, nil
}
