package inbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

func TestFeeds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Main"})
	require.NoError(t, err)
	_, err = a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Other"})
	notifytest.RequireKind(t, fault.Conflict, err)
	changed, err := a.Feeds.Update(a.Ctx, inbox.UpdateFeedInput{ID: made.ID, Name: new("New")})
	require.NoError(t, err)
	require.Equal(t, "New", changed.Name)
	changed, err = a.Feeds.Update(a.Ctx, inbox.UpdateFeedInput{ID: made.GlobalID()})
	require.NoError(t, err)
	require.Equal(t, "New", changed.Name, "what is not given stays")
	require.Equal(t, "main", changed.Identifier)
	_, err = a.Feeds.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	_, err = a.Feeds.ByIdentifier(a.Ctx, "main")
	notifytest.RequireKind(t, fault.NotFound, err)
	actions := a.DB.Ent.AuditEntry.Query().Where(auditentry.RecordType("Feed"), auditentry.RecordID(made.ID)).Order(auditentry.ByID()).
		Select(auditentry.FieldAction).StringsX(a.Ctx)
	require.Equal(t, []string{"create", "update", "update", "delete"}, actions)
}

// TestFeedProblems holds which fields a wrong feed names, and that nothing is made or changed of it.
func TestFeedProblems(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	long := strings.Repeat("n", usecase.MaxNameLength)
	for name, c := range map[string]struct {
		identifier, name string
		want             []string
	}{
		"no identifier":        {"", "N", []string{"identifier"}},
		"blanks":               {"a b", "N", []string{"identifier"}},
		"too long":             {strings.Repeat("f", 256), "N", []string{"identifier"}},
		"no name":              {"f", " ", []string{"name"}},
		"a name too long":      {"f", long + "n", []string{"name"}},
		"a name with U+0000":   {"f", "a\x00", []string{"name"}},
		"everything is wrong":  {"ä", "", []string{"identifier", "name"}},
		"a name in no Unicode": {"f", "\xff", []string{"name"}},
	} {
		_, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: c.identifier, Name: c.name})
		require.Equal(t, c.want, notifytest.Paths(t, err), name)
	}
	require.Zero(t, a.DB.Ent.Feed.Query().CountX(a.Ctx))
	made, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: strings.Repeat("f", 255), Name: long})
	require.NoError(t, err)
	_, err = a.Feeds.Update(a.Ctx, inbox.UpdateFeedInput{ID: made.ID, Name: new("")})
	require.Equal(t, []string{"name"}, notifytest.Paths(t, err))
	require.Equal(t, long, a.DB.Ent.Feed.GetX(a.Ctx, made.ID).Name)
}

// TestFeedsOfEnvironments holds that feeds are found and changed in their own environment only.
func TestFeedsOfEnvironments(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made, err := a.Feeds.Create(a.Ctx, inbox.CreateFeedInput{Identifier: "main", Name: "Main"})
	require.NoError(t, err)
	other := a.OtherEnvironment(t)
	for _, err := range []error{
		notifytest.Err(a.Feeds.Get(other, made.ID)), notifytest.Err(a.Feeds.ByIdentifier(other, "main")),
		notifytest.Err(a.Feeds.Update(other, inbox.UpdateFeedInput{ID: made.ID, Name: new("x")})), notifytest.Err(a.Feeds.Delete(other, made.ID)),
		notifytest.Err(a.Feeds.Get(a.Ctx, id.New(a.Now))), notifytest.Err(a.Feeds.Get(a.Ctx, id.Global("Topic", made.ID))),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	batch, err := a.Feeds.Batch(other, []string{made.ID})
	require.NoError(t, err)
	require.Empty(t, batch)
	_, err = a.Feeds.Create(other, inbox.CreateFeedInput{Identifier: "main", Name: "Theirs"})
	require.NoError(t, err, "each environment has its own identifiers")
	require.Equal(t, "Main", a.DB.Ent.Feed.GetX(a.Ctx, made.ID).Name)
}

// TestFeedLists narrows feeds by each filter, and finds them for nested fields.
func TestFeedLists(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	feeds := make([]*ent.Feed, 3)
	for i, name := range []string{"Orders", "Past orders", "News"} {
		feeds[i] = a.DB.Ent.Feed.Create().SetIdentifier(strings.ToLower(name)).SetName(name).SaveX(a.Ctx)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *inbox.FeedFilter
		want   []int
	}{
		"none":           {nil, []int{2, 1, 0}},
		"identifiers":    {&inbox.FeedFilter{IdentifierIn: []string{"news", "orders", "none"}}, []int{2, 0}},
		"no identifiers": {&inbox.FeedFilter{IdentifierIn: []string{}}, nil},
		"name":           {&inbox.FeedFilter{NameContains: new("ORDERS")}, []int{1, 0}},
		"no pattern":     {&inbox.FeedFilter{NameContains: new("%")}, nil},
		"both":           {&inbox.FeedFilter{NameContains: new("orders"), IdentifierIn: []string{"orders"}}, []int{0}},
		"created after":  {&inbox.FeedFilter{CreatedAfter: &hour}, nil},
		"created before": {&inbox.FeedFilter{CreatedBefore: &hour}, []int{2, 1, 0}},
	} {
		list, err := a.Feeds.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		want := []string{}
		for _, i := range c.want {
			want = append(want, feeds[i].ID)
		}
		require.Equal(t, want, notifytest.NodeIDs(list.Nodes()), name)
	}
	batch, err := a.Feeds.Batch(a.Ctx, []string{feeds[0].ID, id.New(a.Now), feeds[2].ID})
	require.NoError(t, err)
	require.Len(t, batch, 2)
	require.Equal(t, "News", batch[feeds[2].ID].Name)
	require.Nil(t, inbox.FeedID(&ent.Message{}))
	require.Nil(t, inbox.FeedID(&ent.Message{FeedID: new("news")}), "an identifier is no id")
	require.Equal(t, &feeds[0].ID, inbox.FeedID(&ent.Message{FeedID: &feeds[0].ID}))
}
