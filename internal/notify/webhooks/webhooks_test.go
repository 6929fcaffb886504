package webhooks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/webhooks"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func create(t *testing.T, a *notifytest.Audience) *webhooks.CreateWebhookEndpointPayload {
	t.Helper()
	made, err := a.WebhookEndpoints.Create(a.Ctx, webhooks.CreateWebhookEndpointInput{URL: "https://example.com/hook"})
	require.NoError(t, err)
	return made
}

// TestEndpointBounds holds what an endpoint may be, and how many there may be.
func TestEndpointBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	for name, c := range map[string]struct {
		in   webhooks.CreateWebhookEndpointInput
		want []string
	}{
		"no URL":              {webhooks.CreateWebhookEndpointInput{}, []string{"url"}},
		"another scheme":      {webhooks.CreateWebhookEndpointInput{URL: "ftp://example.com"}, []string{"url"}},
		"no host":             {webhooks.CreateWebhookEndpointInput{URL: "https:///x"}, []string{"url"}},
		"a password":          {webhooks.CreateWebhookEndpointInput{URL: "https://me:secret@example.com"}, []string{"url"}},
		"a port that is none": {webhooks.CreateWebhookEndpointInput{URL: "https://example.com:65536/"}, []string{"url"}},
		"half an address":     {webhooks.CreateWebhookEndpointInput{URL: "https://127.1/"}, []string{"url"}},
		"a long URL":          {webhooks.CreateWebhookEndpointInput{URL: "https://example.com/" + strings.Repeat("x", 2048)}, []string{"url"}},
		"a long description":  {webhooks.CreateWebhookEndpointInput{URL: "https://example.com", Description: new(strings.Repeat("ü", 201))}, []string{"description"}},
		"many workflows":      {webhooks.CreateWebhookEndpointInput{URL: "https://example.com", Workflows: make([]string, 101)}, []string{"workflows", "workflows"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.WebhookEndpoints.Create(a.Ctx, c.in))), name)
	}
	for range webhooks.MaxEndpoints {
		create(t, a)
	}
	require.ErrorContains(t, notifytest.Err(a.WebhookEndpoints.Create(a.Ctx, webhooks.CreateWebhookEndpointInput{URL: "https://example.com"})), "at most 20")
}

// TestRotationsAtOnce: each of two callers has a secret that signs.
func TestRotationsAtOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := create(t, a)
	var both [2][]byte
	var rotations errgroup.Group
	for i := range both {
		rotations.Go(func() error {
			rotated, err := a.WebhookEndpoints.Rotate(a.Ctx, webhooks.RotateWebhookSecretInput{ID: made.WebhookEndpoint.ID})
			if err == nil {
				both[i] = rotated.WebhookEndpoint.Secret
			}
			return err
		})
	}
	require.NoError(t, rotations.Wait())
	stored := a.DB.Ent.WebhookEndpoint.GetX(a.Ctx, made.WebhookEndpoint.ID)
	require.ElementsMatch(t, both[:], [][]byte{stored.Secret, stored.PreviousSecret})
}

// TestSecretsOfEndpoints: a secret is shown once, stored encrypted, in no audit entry, and replaced with an overlap.
func TestSecretsOfEndpoints(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := create(t, a)
	require.True(t, strings.HasPrefix(made.Secret, "whsec_"))
	stored := a.DB.Ent.WebhookEndpoint.GetX(a.Ctx, made.WebhookEndpoint.ID)
	require.NotContains(t, string(stored.Secret), made.Secret)

	rotated, err := a.WebhookEndpoints.Rotate(a.Ctx, webhooks.RotateWebhookSecretInput{ID: made.WebhookEndpoint.GlobalID()})
	require.NoError(t, err)
	require.NotEqual(t, made.Secret, rotated.Secret)
	replaced := a.DB.Ent.WebhookEndpoint.GetX(a.Ctx, made.WebhookEndpoint.ID)
	require.Equal(t, stored.Secret, replaced.PreviousSecret)
	require.WithinDuration(t, a.Now.Add(24*time.Hour), *replaced.PreviousSecretUntil, 0)
	_, err = a.WebhookEndpoints.Rotate(a.Ctx, webhooks.RotateWebhookSecretInput{ID: stored.ID, Overlap: new("PT0S")})
	require.NoError(t, err)
	require.Nil(t, a.DB.Ent.WebhookEndpoint.GetX(a.Ctx, stored.ID).PreviousSecretUntil, "a secret that has leaked")
	for _, overlap := range []string{"P8D", "a day", ""} {
		require.Equal(t, []string{"overlap"}, notifytest.Paths(t, notifytest.Err(a.WebhookEndpoints.Rotate(a.Ctx, webhooks.RotateWebhookSecretInput{ID: stored.ID, Overlap: &overlap}))))
	}
	for _, entry := range a.DB.Ent.AuditEntry.Query().Where(auditentry.RecordType("WebhookEndpoint")).AllX(a.Ctx) {
		require.NotContains(t, entry.Changes, "secret")
	}
}

// TestEndpointChanges changes what is given alone, and activates an endpoint anew.
func TestEndpointChanges(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := create(t, a).WebhookEndpoint
	require.NoError(t, a.DB.Ent.WebhookEndpoint.UpdateOneID(made.ID).SetActive(false).SetDisabledAt(a.Now).SetDisabledReason("x").SetFailingSince(a.Now).Exec(a.Ctx))
	ping := func() error {
		return notifytest.Err(a.WebhookDeliveries.Ping(a.Ctx, made.ID))
	}
	require.Equal(t, fault.Conflict, fault.KindOf(ping()))
	changed, err := a.WebhookEndpoints.Update(a.Ctx, webhooks.UpdateWebhookEndpointInput{
		ID: made.ID, Active: new(true), EventTypes: []workflow.WebhookEventType{workflow.WebhookMessageSent, workflow.WebhookMessageSent},
	})
	require.NoError(t, err)
	e := changed
	require.Equal(t, []any{true, "https://example.com/hook", []workflow.WebhookEventType{workflow.WebhookMessageSent}}, []any{e.Active, e.URL, e.EventTypes})
	require.Nil(t, e.DisabledAt)
	require.Nil(t, e.FailingSince)
	require.NoError(t, ping(), "whatever types it asks for")
	later := a.Now.AddDate(10, 0, 0)
	for _, c := range []struct{ ordered, due bool }{{true, false}, {false, true}} {
		require.NoError(t, a.DB.Ent.WebhookDelivery.Update().SetDueAt(later).Exec(a.Ctx))
		_, err := a.WebhookEndpoints.Update(a.Ctx, webhooks.UpdateWebhookEndpointInput{ID: made.ID, Ordered: new(c.ordered)})
		require.NoError(t, err)
		require.Equal(t, c.due, a.DB.Ent.WebhookDelivery.Query().OnlyX(a.Ctx).DueAt.Before(later), "waits for an earlier one no more")
	}
}

// TestReplays sends again what is final, of the endpoint and the range alone.
func TestReplays(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := create(t, a).WebhookEndpoint
	var ids []string
	for range 3 {
		sent, err := a.WebhookDeliveries.Ping(a.Ctx, made.ID)
		require.NoError(t, err)
		ids = append(ids, sent.ID)
	}
	require.Equal(t, fault.Conflict, fault.KindOf(notifytest.Err(a.WebhookDeliveries.Replay(a.Ctx, ids[0]))), "it is under way")
	end := func(id string, status workflow.WebhookDeliveryStatus) {
		require.NoError(t, a.DB.Ent.WebhookDelivery.UpdateOneID(id).SetStatus(status).ClearDueAt().SetTries(8).Exec(a.Ctx))
	}
	end(ids[0], workflow.WebhookFailed)
	end(ids[1], workflow.WebhookDelivered)
	all, err := a.WebhookDeliveries.ReplayMany(a.Ctx, webhooks.ReplayWebhookDeliveriesInput{EndpointID: made.GlobalID()})
	require.NoError(t, err)
	require.Equal(t, webhooks.ReplayWebhookDeliveriesPayload{Count: 1}, *all)
	again := a.DB.Ent.WebhookDelivery.GetX(a.Ctx, ids[0])
	require.Equal(t, []any{workflow.WebhookPending, 0}, []any{again.Status, again.Tries})
	require.NotNil(t, again.DueAt)

	end(ids[0], workflow.WebhookFailed)
	one, err := a.WebhookDeliveries.Replay(a.Ctx, again.GlobalID())
	require.NoError(t, err)
	require.Equal(t, workflow.WebhookPending, one.Status)
	require.Equal(t, 1, a.DB.Ent.AuditEntry.Query().Where(auditentry.Action("replay"), auditentry.RecordType("WebhookDelivery")).CountX(a.Ctx))

	from, to := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	many := func(in webhooks.ReplayWebhookDeliveriesInput) (int, error) {
		in.EndpointID = made.ID
		got, err := a.WebhookDeliveries.ReplayMany(a.Ctx, in)
		if err != nil {
			return 0, err
		}
		return got.Count, nil
	}
	n, err := many(webhooks.ReplayWebhookDeliveriesInput{FailedOnly: new(false), From: &from, To: &to})
	require.NoError(t, err)
	require.Equal(t, 1, n, "the one that succeeded; the others are under way")
	end(ids[0], workflow.WebhookFailed)
	n, err = many(webhooks.ReplayWebhookDeliveriesInput{To: &from})
	require.NoError(t, err)
	require.Zero(t, n, "before the range")
	_, err = many(webhooks.ReplayWebhookDeliveriesInput{FailedOnly: new(false)})
	require.Equal(t, []string{"failedOnly"}, notifytest.Paths(t, err))
	_, err = many(webhooks.ReplayWebhookDeliveriesInput{From: &to, To: &from})
	require.Equal(t, []string{"to"}, notifytest.Paths(t, err))
}

// TestOtherEnvironments: neither endpoints nor deliveries of another environment are found, and rights are asked for.
func TestOtherEnvironments(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := create(t, a).WebhookEndpoint
	sent, err := a.WebhookDeliveries.Ping(a.Ctx, made.ID)
	require.NoError(t, err)
	other := a.OtherEnvironment(t)
	reader := a.As(t, viewer.Viewer{Role: viewer.RoleKey, Grants: viewer.GrantsOf(viewer.GrantIntegrationsRead, viewer.GrantActivityRead), APIKeyID: "reader"})
	_, err = a.WebhookDeliveries.Get(reader, sent.ID)
	require.NoError(t, err)
	for who, c := range map[string]struct {
		ctx  func() error
		want fault.Kind
	}{
		"get": {func() error { return notifytest.Err(a.WebhookEndpoints.Get(other, made.ID)) }, fault.NotFound},
		"ping": {func() error {
			return notifytest.Err(a.WebhookDeliveries.Ping(other, made.ID))
		}, fault.NotFound},
		"replay": {func() error {
			return notifytest.Err(a.WebhookDeliveries.Replay(other, sent.ID))
		}, fault.NotFound},
		"rotate by a reader": {func() error {
			return notifytest.Err(a.WebhookEndpoints.Rotate(reader, webhooks.RotateWebhookSecretInput{ID: made.ID}))
		}, fault.Forbidden},
	} {
		require.Equal(t, c.want, fault.KindOf(c.ctx()), who)
	}
}
