package audience_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// TestAudiences makes, changes and deletes an audience, and tries its filter.
func TestAudiences(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	german := map[string]any{"==": []any{map[string]any{"var": "subscriber.locale"}, "de"}}
	made, err := a.Audiences.Create(a.Ctx, audience.CreateAudienceInput{Identifier: "german", Name: new("Germans"), Rule: german})
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.Audiences.Create(a.Ctx, audience.CreateAudienceInput{Identifier: "german", Rule: german})))
	long := strings.Repeat("x", 256)
	for field, in := range map[string]audience.CreateAudienceInput{
		"identifier": {Identifier: "a b", Rule: german}, "rule": {Identifier: "x"}, "topicKey": {Identifier: "x", TopicKey: new("a b")},
		"name": {Identifier: "x", Name: &long, Rule: german},
	} {
		require.Equal(t, []string{field}, notifytest.Paths(t, notifytest.Err(a.Audiences.Create(a.Ctx, in))), field)
	}
	require.Equal(t, []string{"name"}, notifytest.Paths(t, notifytest.Err(a.Audiences.Update(a.Ctx, audience.UpdateAudienceInput{ID: made.ID, Name: graphql.OmittableOf(&long)}))))
	updated, err := a.Audiences.Update(a.Ctx, audience.UpdateAudienceInput{ID: made.ID, TopicKey: graphql.OmittableOf(new("news"))})
	require.NoError(t, err)
	require.Equal(t, []any{"news", german}, []any{*updated.TopicKey, updated.Rule}, "what is left out stays")
	updated, err = a.Audiences.Update(a.Ctx, audience.UpdateAudienceInput{ID: made.ID, Rule: graphql.OmittableOf[map[string]any](nil)})
	require.NoError(t, err)
	require.Empty(t, updated.Rule)
	notifytest.RequireKind(t, fault.Invalid, notifytest.Err(a.Audiences.Update(a.Ctx, audience.UpdateAudienceInput{ID: made.ID, TopicKey: graphql.OmittableOf[*string](nil)})))
	found, err := a.Audiences.ByIdentifier(a.Ctx, "german")
	require.NoError(t, err)
	require.Equal(t, made.ID, found.ID)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Audiences.Get(a.OtherEnvironment(t), made.ID)))
	page, err := a.Audiences.List(a.Ctx, usecase.Page{}, nil, nil)
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1)
	for filter, want := range map[*audience.AudienceFilter]int{
		{IdentifierIn: []string{"german", "x"}}: 1, {IdentifierIn: []string{"x"}}: 0,
		{NameContains: new("MAN")}: 1, {NameContains: new("french")}: 0,
		{CreatedAfter: &made.CreatedAt}: 0, {CreatedBefore: new(made.CreatedAt.Add(time.Second))}: 1,
	} {
		found, err := a.Audiences.List(a.Ctx, usecase.Page{}, nil, filter)
		require.NoError(t, err)
		require.Len(t, found.Nodes(), want)
	}

	for i, s := range a.MakeSubscribers(t, 14) {
		if i%7 != 0 {
			a.DB.Ent.Subscriber.UpdateOneID(s.ID).SetLocale("de").ExecX(a.Ctx)
		}
	}
	preview, err := a.Audiences.Preview(a.Ctx, audience.AudiencePreviewInput{Rule: german})
	require.NoError(t, err)
	require.Equal(t, []any{12, true, 14, 10}, []any{preview.Count, preview.Exact, preview.Examined, len(preview.Samples)})
	preview, err = a.Audiences.Preview(a.Ctx, audience.AudiencePreviewInput{TopicKey: new("news")})
	require.NoError(t, err)
	require.Equal(t, []any{0, true}, []any{preview.Count, preview.Exact}, "a topic that is not there has no subscribers")
	_, err = a.DB.Pool.Exec(a.Ctx, `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, locale)
SELECT lpad(to_hex(n), 24, '0'), now(), now(), $1, 'many' || n, 'de' FROM generate_series(1, 10001) n`, page.Nodes()[0].EnvironmentID)
	require.NoError(t, err)
	preview, err = a.Audiences.Preview(a.Ctx, audience.AudiencePreviewInput{Rule: german})
	require.NoError(t, err)
	require.Equal(t, []any{10_000, false, 10_000}, []any{preview.Count, preview.Exact, preview.Examined}, "so many, or more")
	_, err = a.Audiences.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Audiences.Get(a.Ctx, made.ID)))
}

// TestAudiencePreviewEndsWithItsRequest: a page of subscribers, for each of whom a rule may take 200,000 steps, would take half a minute.
func TestAudiencePreviewEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 300)
	items := slices.Repeat([]any{1}, 57)
	some := func(rule any) map[string]any { return map[string]any{"some": []any{items, rule}} }
	rule := some(some(some(map[string]any{"==": []any{1, 2}})))
	ctx, cancel := context.WithTimeout(a.Ctx, 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := a.Audiences.Preview(ctx, audience.AudiencePreviewInput{Rule: rule})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(began), 3*time.Second)
}

// TestAudiencePreviewsTakeTurns: previews of others that compute leave half of the cores to other calls, and one more waits.
func TestAudiencePreviewsTakeTurns(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 3)
	require.NoError(t, a.Audiences.HoldPreviews(a.Ctx))
	ctx, cancel := context.WithTimeout(a.Ctx, time.Second)
	defer cancel()
	_, err := a.Audiences.Preview(ctx, audience.AudiencePreviewInput{Rule: map[string]any{"==": []any{1, 1}}})
	notifytest.RequireKind(t, fault.Unavailable, err)
}
