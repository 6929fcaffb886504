package audience_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func TestExportOfAPerson(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := a.MakeSubscribers(t, 2)
	_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{
		SubscriberID: "u0", Channels: &workflow.ChannelPreferences{Push: notifytest.No()},
	})
	require.NoError(t, err)
	_, err = a.Subscribers.Delete(a.Ctx, made[0].GlobalID())
	require.NoError(t, err)

	export := func(page usecase.Page) *audience.SubscriberExport {
		got, err := a.Subscribers.Export(a.Ctx, "u0", page)
		require.NoError(t, err)
		return got
	}
	first := export(usecase.Page{First: new(2)})
	require.Equal(t, []pgpersonal.Kind{pgpersonal.KindSubscriber, pgpersonal.KindPreference}, kinds(first), "deleted ones are exported, too")
	require.Equal(t, made[0].ID, first.Records[0].Data["id"])
	require.True(t, first.PageInfo.HasNextPage)
	require.False(t, first.PageInfo.HasPreviousPage)
	rest := export(usecase.Page{After: first.PageInfo.EndCursor})
	require.Equal(t, []pgpersonal.Kind{pgpersonal.KindPreferenceChange, pgpersonal.KindAuditEntry, pgpersonal.KindAuditEntry, pgpersonal.KindAuditEntry}, kinds(rest))
	require.False(t, rest.PageInfo.HasNextPage)
	require.True(t, rest.PageInfo.HasPreviousPage)
	total, err := rest.TotalCount(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 6, total)
	capped, err := rest.TotalCountCapped(a.Ctx)
	require.NoError(t, err)
	require.False(t, capped)

	entries, err := a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("export")).All(a.Ctx)
	require.NoError(t, err)
	require.Len(t, entries, 1, "one for the export, not for each page")
	require.Equal(t, []string{"Subscriber", made[0].ID, "key"}, []string{entries[0].RecordType, entries[0].RecordID, entries[0].ActorID})

	for _, cursor := range []string{"!", "YQ", made[0].ID} {
		_, err := a.Subscribers.Export(a.Ctx, "u0", usecase.Page{After: &cursor})
		require.Equal(t, "INVALID_CURSOR", notifytest.Code(err), cursor)
	}
	unknown, err := a.Subscribers.Export(a.Ctx, "u7", usecase.Page{})
	require.NoError(t, err)
	require.Nil(t, unknown)
	foreign, err := a.Subscribers.Export(a.OtherEnvironment(t), "u0", usecase.Page{})
	require.NoError(t, err)
	require.Nil(t, foreign)
	_, err = a.Subscribers.Export(a.As(t, viewer.Viewer{Role: viewer.RoleEditor, UserID: "editor"}), "u0", usecase.Page{})
	notifytest.RequireKind(t, fault.Forbidden, err)
}

// TestExportMasksWebhookURLs: overrides are exported with the notification, the URLs in them are not.
func TestExportMasksWebhookURLs(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	person := a.MakeSubscribers(t, 1)[0]
	a.MakeRun(t, a.MakeEvent(t, "tx", func(c *ent.EventCreate) {
		c.SetOverrides(map[string]any{"slack": map[string]any{"webhookUrl": "https://hooks.example/secret", "text": "Hi"}})
	}), person.ID, workflow.RunCompleted)
	page, err := a.Subscribers.Export(a.Ctx, "u0", usecase.Page{})
	require.NoError(t, err)
	at := slices.Index(kinds(page), pgpersonal.KindNotification)
	require.GreaterOrEqual(t, at, 0)
	event := page.Records[at].Data["event"].(map[string]any) //nolint:forcetypeassert // a record
	require.Equal(t, map[string]any{"slack": map[string]any{"webhookUrl": usecase.Mask, "text": "Hi"}}, event["overrides"])
}

func TestEraseOfAPerson(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := a.MakeSubscribers(t, 2)
	_, err := a.Erasures.Erase(a.As(t, viewer.Viewer{Role: viewer.RoleEditor, UserID: "editor"}), "u0")
	notifytest.RequireKind(t, fault.Forbidden, err)
	foreign, err := a.Erasures.Erase(a.OtherEnvironment(t), "u0")
	require.NoError(t, err)
	require.Nil(t, foreign)

	erased, err := a.Erasures.Erase(a.Ctx, "u0")
	require.NoError(t, err)
	require.True(t, erased.Done)
	left, err := a.Subscribers.Get(a.Ctx, made[0].GlobalID())
	require.NoError(t, err)
	require.Equal(t, []any{erased.Pseudonym, true}, []any{left.SubscriberID, left.Deleted})
	entry, err := a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("erase")).Only(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, made[0].ID, entry.RecordID)
	require.Equal(t, map[string]any{"pseudonym": erased.Pseudonym}, entry.Changes)
	for _, gone := range []string{"u0", erased.Pseudonym, "unknown"} {
		again, err := a.Erasures.Erase(a.Ctx, gone)
		require.NoError(t, err)
		require.Nil(t, again, gone)
	}

	anew, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "u0"})
	require.NoError(t, err, "a new person")
	twice, err := a.Erasures.Erase(a.Ctx, "u0")
	require.NoError(t, err)
	require.Equal(t, erased.Pseudonym, twice.Pseudonym)
	require.NotEqual(t, made[0].ID, anew.ID)
	other, err := a.Subscribers.BySubscriberID(a.Ctx, "u1")
	require.NoError(t, err)
	require.NotNil(t, other)
}

func kinds(e *audience.SubscriberExport) (list []pgpersonal.Kind) {
	for _, r := range e.Records {
		list = append(list, r.Kind)
	}
	return list
}

func TestPreferencesHeldAtAnInstant(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 2)
	a.MakeWorkflow(t, "order", nil)
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	set := func(n int, subscriberID string, context map[string]any, email *workflow.ChannelPreferences) {
		a.Now = day(n)
		_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: subscriberID, Channels: email, Context: context})
		require.NoError(t, err)
	}
	off, on := &workflow.ChannelPreferences{Email: notifytest.No()}, &workflow.ChannelPreferences{Email: new(true)}
	set(2, "u0", nil, off)
	set(3, "u1", nil, off)
	set(4, "u0", map[string]any{"region": "eu"}, off)
	set(6, "u0", nil, on)
	a.Now = day(8)
	_, err := a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: "u0", Preferences: []audience.WorkflowPreferenceInput{
		{WorkflowID: "order", Channels: workflow.ChannelPreferences{Email: notifytest.No()}},
	}})
	require.NoError(t, err)

	held := func(at time.Time) (days []int) {
		page, err := a.PreferenceChanges.List(a.Ctx, usecase.Page{}, &usecase.Order{Field: usecase.ColumnID, Direction: usecase.OrderAsc},
			&audience.PreferenceChangeFilter{SubscriberID: new("u0"), HeldAt: &at})
		require.NoError(t, err)
		for _, c := range page.Nodes() {
			days = append(days, c.CreatedAt.Day())
		}
		return days
	}
	for at, want := range map[int][]int{1: nil, 2: {2}, 3: {2}, 5: {2, 4}, 6: {4, 6}, 9: {4, 6, 8}} {
		require.Equal(t, want, held(day(at)), "on day %d", at)
	}
	_, err = a.PreferenceChanges.List(a.Ctx, usecase.Page{}, nil, &audience.PreferenceChangeFilter{HeldAt: new(day(9))})
	require.Equal(t, []string{"filter.heldAt"}, notifytest.Paths(t, err))
}
