package usecase_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestNames holds what a record may be called.
func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", usecase.MaxNameLength)
	for name, wrong := range map[string]bool{
		"": true, " \t\n": true, "a": false, long: false, long + "x": true, "a\x00b": true, "\xff": true, "日本語": false,
	} {
		var p fault.Problems
		usecase.CheckName(&p, "name", name)
		require.Equal(t, wrong, p.Any(), "%q", name)
		var given fault.Problems
		usecase.CheckGivenName(&given, "name", &name)
		require.Equal(t, wrong, given.Any(), "%q", name)
	}
	var none fault.Problems
	usecase.CheckGivenName(&none, "name", nil)
	usecase.CheckText(&none, "text", nil, 1)
	usecase.CheckIdentifier(&none, nil)
	usecase.CheckData(&none, "data", nil)
	require.NoError(t, none.Err(), "what is left out is never wrong")
}

// TestTexts holds the limit of a text in characters, and what no text column takes.
func TestTexts(t *testing.T) {
	t.Parallel()
	for text, wrong := range map[string]bool{"": false, "äöü": false, "äöüß": true, "a\x00": true, "\xc3": true} {
		var p fault.Problems
		usecase.CheckText(&p, "text", &text, 3)
		require.Equal(t, wrong, p.Any(), "%q", text)
	}
	for identifier, wrong := range map[string]bool{
		"": true, "a": false, strings.Repeat("a", workflow.MaxIdentifier): false, strings.Repeat("a", workflow.MaxIdentifier+1): true,
	} {
		var p fault.Problems
		usecase.CheckIdentifier(&p, &identifier)
		require.Equal(t, wrong, p.Any(), "%d characters", len(identifier))
	}
}

// TestData holds the size of a record's data, and what of JSON the database cannot keep.
func TestData(t *testing.T) {
	t.Parallel()
	room := usecase.MaxDataBytes - len(`{"k":""}`)
	deep := any("x")
	for range shape.MaxDepth {
		deep = []any{deep}
	}
	for name, c := range map[string]struct {
		data  map[string]any
		wrong bool
	}{
		"empty":     {map[string]any{}, false},
		"full":      {map[string]any{"k": strings.Repeat("a", room)}, false},
		"too large": {map[string]any{"k": strings.Repeat("a", room+1)}, true},
		"NUL":       {map[string]any{"k": "a\x00"}, true},
		"NUL key":   {map[string]any{"\x00": 1}, true},
		"too deep":  {map[string]any{"k": deep}, true},
		"no number": {map[string]any{"k": math.Inf(1)}, true},
		"a channel": {map[string]any{"k": make(chan int)}, true},
	} {
		var p fault.Problems
		usecase.CheckData(&p, "data", c.data)
		require.Equal(t, c.wrong, p.Any(), name)
	}
}

// TestFreeIdentifiers makes identifiers of names.
func TestFreeIdentifiers(t *testing.T) {
	t.Parallel()
	now := time.Now()
	taken := func(identifiers ...string) func(string) (bool, error) {
		return func(candidate string) (bool, error) {
			return slices.Contains(identifiers, candidate), nil
		}
	}
	for name, want := range map[string]string{
		"Our Mail": "our-mail", "  A -- B  ": "a-b", "Grüße": "gr-e", "!!!": "thing", "": "thing", strings.Repeat("a", 300): strings.Repeat("a", 200),
		strings.Repeat("a", 199) + " b": strings.Repeat("a", 199),
	} {
		got, err := usecase.FreeIdentifier(name, "thing", now, taken())
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	again, err := usecase.FreeIdentifier("Our Mail", "thing", now, taken("our-mail"))
	require.NoError(t, err)
	require.Regexp(t, `^our-mail-[0-9a-f]{6}$`, again)
	given, err := usecase.GivenOrFree(new("mine"), "Our Mail", "thing", now, taken("mine"))
	require.NoError(t, err)
	require.Equal(t, "mine", given, "one that is asked for is taken as it is")
	broken := errors.New("no database")
	_, err = usecase.GivenOrFree(nil, "x", "thing", now, func(string) (bool, error) { return false, broken })
	require.ErrorIs(t, err, broken)
}

// TestRecordIDs holds which names of a record are understood.
func TestRecordIDs(t *testing.T) {
	t.Parallel()
	plain := id.New(time.Now())
	for given, want := range map[string]string{ // "": unknown
		plain: plain, strings.ToUpper(plain): plain, id.Global("Topic", plain): plain, id.Global("Tenant", plain): "",
		"": "", "news": "", plain[1:]: "", "\x00": "",
	} {
		got, err := usecase.RecordID("Topic", given)
		require.Equal(t, want, got, given)
		if want == "" {
			notifytest.RequireKind(t, fault.NotFound, err)
		}
	}
	require.Equal(t, []string{plain, "news", plain}, usecase.PlainIDs("Topic", []string{id.Global("Topic", plain), "news", plain}))
	require.Equal(t, []string{"b", "a"}, usecase.Distinct([]string{"b", "a", "b"}))
}

// TestDeletingActors holds whom a deletion is recorded under.
func TestDeletingActors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		v    viewer.Viewer
		want *string
	}{
		"a person":            {viewer.Viewer{UserID: "ada"}, new("ada")},
		"a key":               {viewer.Viewer{APIKeyID: "key"}, new("key")},
		"a key of a person":   {viewer.Viewer{APIKeyID: "key", UserID: "ada"}, new("ada")},
		"an organization key": {viewer.Viewer{OrganizationKeyID: "key"}, nil},
		"the server":          {viewer.Viewer{Role: viewer.RoleSystem}, nil},
	} {
		require.Equal(t, c.want, usecase.DeletingActor(viewer.NewContext(t.Context(), c.v)), name)
	}
	require.Nil(t, usecase.DeletingActor(t.Context()))
}

// TestSelf holds what a subscriber's own credential implies and what it refuses.
func TestSelf(t *testing.T) {
	t.Parallel()
	as := func(v viewer.Viewer) viewer.Viewer { v.Role, v.ExternalID = viewer.RoleSubscriber, "ada"; return v }
	eu := workflow.NewContextSet("region:eu").Scope()
	for name, c := range map[string]struct {
		v          viewer.Viewer
		subscriber string
		keys       []string
		may        bool
	}{
		"own":                    {as(viewer.Viewer{}), "ada", nil, true},
		"own, with blanks":       {as(viewer.Viewer{}), " ada ", nil, true},
		"another":                {as(viewer.Viewer{}), "bob", nil, false},
		"any context":            {as(viewer.Viewer{}), "ada", []string{"region:eu"}, true},
		"own context":            {as(viewer.Viewer{ContextScope: &eu}), "ada", []string{"region:eu"}, true},
		"own context, not named": {as(viewer.Viewer{ContextScope: &eu}), "ada", nil, true},
		"another context":        {as(viewer.Viewer{ContextScope: &eu}), "ada", []string{"region:us"}, false},
		"without context":        {as(viewer.Viewer{ContextScope: &eu}), "ada", []string{}, false},
		"a member":               {viewer.Viewer{Role: viewer.RoleViewer}, "bob", nil, true},
	} {
		_, err := usecase.Require(viewer.NewContext(t.Context(), c.v), usecase.ReadAudience.OrSelf(c.keys, c.subscriber))
		notifytest.RequireRefused(t, !c.may, err, name)
	}
	_, err := usecase.Require(viewer.NewContext(t.Context(), as(viewer.Viewer{})), usecase.ReadAudience)
	notifytest.RequireRefused(t, true, err, "where no subscriber is named")
	_, err = usecase.Require(viewer.NewContext(t.Context(), as(viewer.Viewer{})), usecase.ReadAudience.OrSelf(nil, "ada", "bob"))
	notifytest.RequireRefused(t, true, err, "of several, one of which is another")
	own := viewer.NewContext(t.Context(), as(viewer.Viewer{ContextScope: &eu}))
	name, err := usecase.Self(own, nil)
	require.NoError(t, err)
	require.Equal(t, "ada", name)
	name, err = usecase.Self(own, new("bob"))
	require.NoError(t, err)
	require.Equal(t, "bob", name, "what is named is not changed, but refused")
	_, err = usecase.Self(viewer.NewContext(t.Context(), viewer.Viewer{Role: viewer.RoleAdmin}), nil)
	require.Equal(t, []string{"subscriberId"}, notifytest.Paths(t, err))
	require.Equal(t, []string{"region:eu"}, usecase.OwnContext(own, nil))
	require.Equal(t, []string{"region:us"}, usecase.OwnContext(own, []string{"region:us"}))
	require.Equal(t, []string{}, usecase.OwnContext(t.Context(), nil))
	require.True(t, usecase.WithinContext(own, eu))
	require.False(t, usecase.WithinContext(own, ""))
	require.True(t, usecase.WithinContext(t.Context(), ""))
}

// TestItemResults holds when a call of several items fails as a whole.
func TestItemResults(t *testing.T) {
	t.Parallel()
	failed, made := []*usecase.ItemError{{SubscriberID: "u", Code: usecase.ItemSubscriberNotFound}}, []*ent.Subscription{{}}
	for name, c := range map[string]struct {
		result  usecase.SubscriptionsResult
		refused bool
	}{
		"nothing given": {usecase.SubscriptionsResult{}, false},
		"all made":      {usecase.SubscriptionsResult{Data: made}, false},
		"some failed":   {usecase.SubscriptionsResult{Data: made, Errors: failed}, false},
		"all failed":    {usecase.SubscriptionsResult{Errors: failed}, true},
	} {
		result := c.result.Count(len(c.result.Data) + len(c.result.Errors))
		require.Equal(t, len(c.result.Errors), result.Meta.Failed, name)
		require.Equal(t, len(c.result.Data), result.Meta.Successful, name)
		err := result.Refusal()
		if !c.refused {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, usecase.CodeAllItemsFailed, notifytest.Code(err), name)
	}
}

// TestOmittedFields holds that absent leaves, null clears and a value sets.
func TestOmittedFields(t *testing.T) {
	t.Parallel()
	var did string
	set, setMap := func(v string) any { did = "set " + v; return nil }, func(map[string]any) any { did = "set map"; return nil }
	unset := func() any { did = "clear"; return nil }
	for want, field := range map[string]graphql.Omittable[*string]{
		"": {}, "clear": graphql.OmittableOf[*string](nil), "set x": graphql.OmittableOf(new("x")),
	} {
		did = ""
		usecase.SetOrClear(field, set, unset)
		require.Equal(t, want, did)
	}
	for want, field := range map[string]graphql.Omittable[map[string]any]{
		"": {}, "clear": graphql.OmittableOf[map[string]any](nil), "set map": graphql.OmittableOf(map[string]any{}),
	} {
		did = ""
		usecase.SetOrClearMap(field, setMap, unset)
		require.Equal(t, want, did)
	}
}
