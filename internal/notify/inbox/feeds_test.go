package inbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
)

func TestFeeds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Main"})
	require.NoError(t, err)
	_, err = a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Other"})
	notifytest.RequireKind(t, fault.Conflict, err)
	_, err = a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "a b", Name: " "})
	notifytest.RequireKind(t, fault.Invalid, err)
	changed, err := a.Feeds.Update(a.Ctx, inbox.UpdateFeedInput{ID: made.ID, Name: new("New")})
	require.NoError(t, err)
	require.Equal(t, "New", changed.Name)
	_, err = a.Feeds.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	_, err = a.Feeds.ByIdentifier(a.Ctx, "main")
	notifytest.RequireKind(t, fault.NotFound, err)
}
