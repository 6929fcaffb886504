package audience_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
)

func upserted(id, name string) *audience.UpsertSubscriberInput {
	return &audience.UpsertSubscriberInput{SubscriberID: id, ProfileChanges: audience.ProfileChanges{FirstName: graphql.OmittableOf(&name)}}
}

func TestUpsertSubscribers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	twice := upserted("new", "later")
	out, err := a.Subscribers.Upsert(a.Ctx, []*audience.UpsertSubscriberInput{
		upserted("u0", "Ann"), upserted("not ok!", "x"), {SubscriberID: "new", Data: graphql.OmittableOf(map[string]any{"k": "v"})}, twice,
	})
	require.NoError(t, err)
	require.Len(t, out.Subscribers, 2)
	require.Equal(t, "later", *out.Subscribers[0].FirstName)
	require.Equal(t, map[string]any{"k": "v"}, out.Subscribers[0].Data, "both mentions count")
	require.Nil(t, out.Subscribers[0].NamedBy)
	require.Equal(t, "Ann", *out.Subscribers[1].FirstName)
	require.Len(t, out.Rejected, 1)
	require.Equal(t, 1, out.Rejected[0].Index)
	require.Equal(t, "subscriberId", out.Rejected[0].Problems[0].Path)
	for _, n := range []int{0, audience.MaxBulkSubscribers + 1} {
		_, err := a.Subscribers.Upsert(a.Ctx, make([]*audience.UpsertSubscriberInput, n))
		notifytest.RequireKind(t, fault.Invalid, err)
	}
}

func TestDeleteSubscribers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 3)
	_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0", "u2"}})
	require.NoError(t, err)
	out, err := a.Subscribers.DeleteAll(a.Ctx, []string{"u1", "missing", " u0 ", "missing", "not ok!"})
	require.NoError(t, err)
	require.Len(t, out.Subscribers, 2)
	require.True(t, out.Subscribers[0].Deleted)
	require.Equal(t, []string{"missing", "not ok!"}, out.Unknown)
	_, err = a.Subscribers.BySubscriberID(a.Ctx, "u0")
	notifytest.RequireKind(t, fault.NotFound, err)
	left, err := a.DB.Ent.Subscription.Query().Count(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 1, left, "the subscription of the living one stays")
}

func TestImportSubscribers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for name, c := range map[string]struct {
		in       audience.ImportSubscribersInput
		stored   int
		rejected []int
	}{
		"CSV": {audience.ImportSubscribersInput{
			Format: audience.ImportCSV,
			Text:   "\ufeffsubscriberId,firstName,data\nc1,Ann,\"{\"\"k\"\": 1}\"\nc2\nc3,\"A\nB\",\n,x,\nc4,,[]\nc5,\"a\"b,\nc6,,\n",
		}, 3, []int{3, 6, 7, 8}},
		"NDJSON": {audience.ImportSubscribersInput{
			Format: audience.ImportNDJSON,
			Text:   "\ufeff{\"subscriberId\": \"n1\", \"firstName\": \"Ann\", \"data\": {\"k\": 12345678901234567}}\n\n{\n{\"subscriberId\": \"n2\", \"colour\": 1}\r\n{\"subscriberId\": \"n3\"} {}\n{\"subscriberId\": \"n4\", \"email\": \"x\"}\n{\"subscriberId\": \"n5\", \"email\": null}",
		}, 2, []int{3, 4, 5, 6}},
		"from a line": {audience.ImportSubscribersInput{Format: audience.ImportCSV, Text: "subscriberId\nl2\n!\nl4\n", FromLine: new(4)}, 1, nil},
	} {
		out, err := a.Subscribers.Import(a.Ctx, c.in)
		require.NoError(t, err, name)
		require.Equal(t, c.stored, out.Stored, name)
		var lines []int
		for _, row := range out.Rejected {
			lines = append(lines, row.Line)
			require.NotEmpty(t, row.Problems, name)
		}
		require.Equal(t, c.rejected, lines, name)
		require.Nil(t, out.NextLine, name)
	}
	ann, err := a.Subscribers.BySubscriberID(a.Ctx, "c1")
	require.NoError(t, err)
	require.Equal(t, "Ann", *ann.FirstName)
	require.Len(t, ann.Data, 1)
	for name, text := range map[string]string{
		"unknown column": "subscriberId,colour\n", "column twice": "subscriberId,subscriberId\n", "no id": "email\n", "empty": "",
		"too large": strings.Repeat("x", audience.MaxImportBytes+1),
	} {
		_, err := a.Subscribers.Import(a.Ctx, audience.ImportSubscribersInput{Format: audience.ImportCSV, Text: text})
		require.Equal(t, fault.Invalid, fault.KindOf(err), name)
	}
}

func TestImportContinues(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	var text strings.Builder
	for i := range audience.MaxImportRows + 7 {
		_, _ = fmt.Fprintf(&text, "{\"subscriberId\": \"s%d\"}\n", i)
	}
	in := audience.ImportSubscribersInput{Format: audience.ImportNDJSON, Text: text.String()}
	first, err := a.Subscribers.Import(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, audience.MaxImportRows, first.Stored)
	in.FromLine = first.NextLine
	second, err := a.Subscribers.Import(a.Ctx, in)
	require.NoError(t, err)
	require.Equal(t, 7, second.Stored)
	require.Nil(t, second.NextLine)
}
