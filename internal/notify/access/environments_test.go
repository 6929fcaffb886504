package access_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

func TestEnvironments(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin, owner := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleOwner)
	for name, c := range map[string]struct {
		in   access.CreateEnvironmentInput
		want []string
	}{
		"nothing":       {access.CreateEnvironmentInput{}, []string{"identifier"}},
		"upper case":    {access.CreateEnvironmentInput{Identifier: "Staging"}, []string{"identifier"}},
		"a hyphen":      {access.CreateEnvironmentInput{Identifier: "-staging"}, []string{"identifier"}},
		"too long":      {access.CreateEnvironmentInput{Identifier: strings.Repeat("a", 65)}, []string{"identifier"}},
		"an empty name": {access.CreateEnvironmentInput{Identifier: "staging", Name: new("")}, []string{"name"}},
		"no locale":     {access.CreateEnvironmentInput{Identifier: "staging", DefaultLocale: new("english")}, []string{"defaultLocale"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(o.Environments.Create(admin.Ctx, c.in))), name)
	}
	staging, err := o.Environments.Create(admin.Ctx, access.CreateEnvironmentInput{Identifier: "staging"})
	require.NoError(t, err)
	require.Equal(t, "staging", staging.Name, "named by its identifier")
	_, err = o.Environments.Create(admin.Ctx, access.CreateEnvironmentInput{Identifier: "staging"})
	notifytest.RequireKind(t, fault.Conflict, err)

	update := func(ctx context.Context, in access.UpdateEnvironmentInput) error {
		return notifytest.Err(o.Environments.Update(ctx, in))
	}
	require.Equal(t, []string{"defaultLocale"}, notifytest.Paths(t, update(admin.Ctx, access.UpdateEnvironmentInput{ID: staging.ID, DefaultLocale: new("?")})))
	err = update(admin.Ctx, access.UpdateEnvironmentInput{ID: o.Scope.EnvironmentID, Suspended: new(true)})
	require.Equal(t, "OWN_ENVIRONMENT", notifytest.Code(err))
	require.NoError(t, update(admin.Ctx, access.UpdateEnvironmentInput{ID: staging.ID, Suspended: new(true)}))
	require.NoError(t, update(admin.Ctx, access.UpdateEnvironmentInput{ID: staging.GlobalID(), Type: new(environment.TypeProduction)}))
	notifytest.RequireKind(t, fault.Forbidden, update(admin.Ctx, access.UpdateEnvironmentInput{ID: staging.ID, Type: new(environment.TypeDevelopment)}))
	require.NoError(t, update(admin.Ctx, access.UpdateEnvironmentInput{ID: staging.ID, Type: new(environment.TypeProduction), Name: new("Live")}), "it is of that type already")

	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *access.EnvironmentFilter
		want   int
	}{
		"none":          {nil, 2},
		"identifiers":   {&access.EnvironmentFilter{IdentifierIn: []string{"staging", "none"}}, 1},
		"name":          {&access.EnvironmentFilter{NameContains: new("LIVE")}, 1},
		"type":          {&access.EnvironmentFilter{Type: new(environment.TypeDevelopment)}, 1},
		"suspended":     {&access.EnvironmentFilter{Suspended: new(true)}, 1},
		"two of them":   {&access.EnvironmentFilter{Suspended: new(true), Type: new(environment.TypeDevelopment)}, 0},
		"created after": {&access.EnvironmentFilter{CreatedAfter: &hour}, 0},
	} {
		list, err := o.Environments.List(admin.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}

	remove := func(ctx context.Context, globalID, name string) error {
		return notifytest.Err(o.Environments.Delete(ctx, globalID, name))
	}
	require.Equal(t, "OWN_ENVIRONMENT", notifytest.Code(remove(owner.Ctx, o.Scope.EnvironmentID, "Development")))
	notifytest.RequireKind(t, fault.Forbidden, remove(admin.Ctx, staging.ID, "Live"))
	for _, wrong := range []string{"", "live", "staging"} {
		require.Equal(t, []string{"name"}, notifytest.Paths(t, remove(owner.Ctx, staging.ID, wrong)), wrong)
	}
	require.NoError(t, remove(owner.Ctx, staging.ID, "Live"))
	notifytest.RequireKind(t, fault.NotFound, remove(owner.Ctx, staging.ID, "Live"))
	stranger := o.Hire(t, o.MakeOrganization(t), member.RoleOwner)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(o.Environments.Get(stranger.Ctx, o.Scope.EnvironmentID)))
}

// TestDeletionLeavesNothingOfOpenTransactions holds that what was accepted before an environment's deletion, and is committed while that
// lasts, is deleted too.
func TestDeletionLeavesNothingOfOpenTransactions(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	staging, err := o.Environments.Create(owner.Ctx, access.CreateEnvironmentInput{Identifier: "staging"})
	require.NoError(t, err)
	tx, err := o.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id) VALUES ($1, now(), now(), $2, 'ada')`,
		id.New(time.Now()), staging.ID)
	require.NoError(t, err)

	deleted := make(chan error, 1)
	go func() { deleted <- notifytest.Err(o.Environments.Delete(owner.Ctx, staging.ID, "staging")) }()
	require.Eventually(t, func() bool {
		found, err := o.Environments.Get(owner.Ctx, staging.ID)
		return err != nil || found.Suspended
	}, time.Minute, time.Millisecond)
	found, err := o.Environments.Get(owner.Ctx, staging.ID)
	require.NoError(t, err, "it waits")
	require.True(t, found.Suspended, "nothing more is accepted")
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-deleted)
	var left int
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM subscribers WHERE environment_id = $1`, staging.ID).Scan(&left))
	require.Zero(t, left)
}

// TestDeletionLeavesNothingOfAttempts holds that nothing is left of a transaction that outlasts the deletion, as that of an attempt may.
func TestDeletionLeavesNothingOfAttempts(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	staging, err := o.Environments.Create(owner.Ctx, access.CreateEnvironmentInput{Identifier: "staging"})
	require.NoError(t, err)
	tx, err := o.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), `INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome)
VALUES ($1, now(), now(), $2, $1, 1, $1, 'generic-sms', 'intent')`, id.New(time.Now()), staging.ID)
	require.NoError(t, err)

	deleted := make(chan error, 1)
	go func() { deleted <- notifytest.Err(o.Environments.Delete(owner.Ctx, staging.ID, "staging")) }()
	require.Eventually(t, func() bool {
		return notifytest.Err(o.Environments.Get(owner.Ctx, staging.ID)) != nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-deleted)
	var left int
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM attempts WHERE environment_id = $1`, staging.ID).Scan(&left))
	require.Zero(t, left)
}

// TestKeyOverlaps holds how long a key stays valid after it was replaced, and how long its successor is.
func TestKeyOverlaps(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin := o.Hire(t, o.Scope, member.RoleAdmin)
	now := o.Clock()
	for _, overlap := range []string{"", "an hour", "P30DT1S", "P2M"} {
		_, err := o.APIKeys.Rotate(admin.Ctx, nil, strings.Repeat("a", 24), overlap)
		require.Equal(t, []string{"overlap"}, notifytest.Paths(t, err), overlap)
	}
	for name, c := range map[string]struct {
		overlap  string
		life     time.Duration // 0: without end
		end      time.Duration // of the replaced key
		followed time.Duration // of its successor
	}{
		"at once":      {"PT0S", 0, 0, 0},
		"an hour":      {"PT1H", 0, time.Hour, 0},
		"the longest":  {"P30D", 0, 30 * 24 * time.Hour, 0},
		"an early end": {"P1D", time.Hour, time.Hour, time.Hour},
		"a later end":  {"PT1H", 24 * time.Hour, time.Hour, 24 * time.Hour},
	} {
		in := access.CreateAPIKeyInput{Name: name, Scopes: []viewer.Grant{viewer.GrantTrigger}}
		if c.life > 0 {
			in.ExpiresAt = new(now.Add(c.life))
		}
		made, err := o.APIKeys.Create(admin.Ctx, in)
		require.NoError(t, err, name)
		next, err := o.APIKeys.Rotate(admin.Ctx, nil, made.APIKey.GlobalID(), c.overlap)
		require.NoError(t, err, name)
		require.NotEqual(t, made.Key, next.Key, name)
		require.Equal(t, auth.Hint(next.Key), next.APIKey.Hint, name)
		require.Equal(t, made.APIKey.Name, next.APIKey.Name, name)
		require.Equal(t, made.APIKey.Scopes, next.APIKey.Scopes, name)
		replaced, err := o.APIKeys.Get(admin.Ctx, nil, made.APIKey.ID)
		require.NoError(t, err, name)
		require.Equal(t, next.APIKey.ID, *replaced.SuccessorID, name)
		require.WithinDuration(t, now.Add(c.end), *replaced.ExpiresAt, time.Millisecond, name)
		if c.followed == 0 {
			require.Nil(t, next.APIKey.ExpiresAt, name)
		} else {
			require.WithinDuration(t, now.Add(c.followed), *next.APIKey.ExpiresAt, time.Minute, name)
		}
		_, err = o.APIKeys.Rotate(admin.Ctx, nil, made.APIKey.ID, "PT1H")
		if c.end == 0 {
			require.Equal(t, "API_KEY_ENDED", notifytest.Code(err), name)
		} else {
			require.Equal(t, "API_KEY_REPLACED", notifytest.Code(err), name)
		}
		_, err = o.APIKeys.Revoke(admin.Ctx, nil, next.APIKey.ID)
		require.NoError(t, err, name)
		_, err = o.APIKeys.Rotate(admin.Ctx, nil, next.APIKey.ID, "PT1H")
		require.Equal(t, "API_KEY_ENDED", notifytest.Code(err), name)
	}
}

func TestKeyRefusals(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin, owner := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleOwner)
	now, trigger := o.Clock(), []viewer.Grant{viewer.GrantTrigger}
	for name, c := range map[string]struct {
		in   access.CreateAPIKeyInput
		want []string
	}{
		"no name":           {access.CreateAPIKeyInput{}, []string{"name"}},
		"no scopes":         {access.CreateAPIKeyInput{Name: "k", Scopes: []viewer.Grant{}}, []string{"scopes"}},
		"scopes and preset": {access.CreateAPIKeyInput{Name: "k", Scopes: trigger, Preset: new(viewer.PresetFull)}, []string{"preset"}},
		"an end in the past": {
			access.CreateAPIKeyInput{Name: "k", ExpiresAt: &now}, []string{"expiresAt"},
		},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(o.APIKeys.Create(admin.Ctx, c.in))), name)
	}
	made, err := o.APIKeys.Create(admin.Ctx, access.CreateAPIKeyInput{Name: "Shop", Preset: new(viewer.PresetServer), ExpiresAt: new(now.Add(time.Hour))})
	require.NoError(t, err)
	require.ElementsMatch(t, viewer.ServerGrants.List(), made.APIKey.Scopes)
	forever, err := o.APIKeys.Update(admin.Ctx, access.UpdateAPIKeyInput{ID: made.APIKey.ID, Name: new("New"), ExpiresAt: graphql.OmittableOf[*time.Time](nil)})
	require.NoError(t, err)
	require.Nil(t, forever.ExpiresAt)
	require.Equal(t, []string{"expiresAt"}, notifytest.Paths(t, notifytest.Err(
		o.APIKeys.Update(admin.Ctx, access.UpdateAPIKeyInput{ID: made.APIKey.ID, ExpiresAt: graphql.OmittableOf(&now)}))))

	self := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: o.Scope, Role: viewer.RoleKey, APIKeyID: made.APIKey.ID, Grants: viewer.GrantsOf(viewer.GrantKeys),
	})
	_, err = o.APIKeys.Revoke(self, nil, made.APIKey.ID)
	require.Equal(t, "LAST_API_KEY", notifytest.Code(err), "nobody could make another one")
	_, err = o.APIKeys.Delete(self, nil, made.APIKey.ID)
	require.Equal(t, "LAST_API_KEY", notifytest.Code(err))
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(o.APIKeys.Update(self, access.UpdateAPIKeyInput{ID: made.APIKey.ID, Name: new("x")})))
	_, err = o.APIKeys.Revoke(admin.Ctx, nil, made.APIKey.ID)
	require.NoError(t, err, "others may")

	for name, c := range map[string]struct {
		in   access.CreateOrganizationKeyInput
		want []string
	}{
		"nothing":            {access.CreateOrganizationKeyInput{}, []string{"name", "scopes", "expiresAt"}},
		"an end in the past": {access.CreateOrganizationKeyInput{Name: "k", Scopes: trigger, ExpiresAt: now}, []string{"expiresAt"}},
		"an end too far":     {access.CreateOrganizationKeyInput{Name: "k", Scopes: trigger, ExpiresAt: now.Add(366*24*time.Hour + time.Second)}, []string{"expiresAt"}},
	} {
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(o.OrganizationKeys.Create(owner.Ctx, c.in))), name)
	}
	key, err := o.OrganizationKeys.Create(owner.Ctx, access.CreateOrganizationKeyInput{
		Name: "Setup", Scopes: []viewer.Grant{viewer.GrantMembers}, ExpiresAt: now.Add(366 * 24 * time.Hour),
	})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		filter *access.OrganizationKeyFilter
		want   int
	}{
		"none":           {nil, 1},
		"name":           {&access.OrganizationKeyFilter{NameContains: new("SET")}, 1},
		"hint":           {&access.OrganizationKeyFilter{Hint: new("none")}, 0},
		"revoked":        {&access.OrganizationKeyFilter{Revoked: new(true)}, 0},
		"not revoked":    {&access.OrganizationKeyFilter{Revoked: new(false)}, 1},
		"expires before": {&access.OrganizationKeyFilter{ExpiresBefore: &now}, 0},
		"used before":    {&access.OrganizationKeyFilter{LastUsedBefore: &now}, 0},
	} {
		list, err := o.OrganizationKeys.List(admin.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	first, err := o.OrganizationKeys.Revoke(owner.Ctx, key.OrganizationKey.ID)
	require.NoError(t, err)
	o.Pass(time.Hour)
	second, err := o.OrganizationKeys.Revoke(owner.Ctx, key.OrganizationKey.ID)
	require.NoError(t, err)
	require.Equal(t, first.RevokedAt.UTC(), second.RevokedAt.UTC(), "revoking again changes nothing")
	entries := o.DB.Ent.AuditEntry.Query().Where(auditentry.Action("revoke"), auditentry.RecordID(first.ID))
	require.Equal(t, 1, entries.CountX(viewer.SystemContext(t.Context())))
}

func TestSubscriberTokens(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	editor := o.Hire(t, o.Scope, member.RoleEditor)
	keys := make([]string, 6)
	for i := range keys {
		keys[i] = "k" + string(rune('a'+i)) + ":x"
	}
	for name, c := range map[string]struct {
		in   access.CreateSubscriberTokenInput
		want []string
	}{
		"no time":           {access.CreateSubscriberTokenInput{SubscriberID: "ada", TTLSeconds: new(0)}, []string{"ttlSeconds"}},
		"over a day":        {access.CreateSubscriberTokenInput{SubscriberID: "ada", TTLSeconds: new(24*60*60 + 1)}, []string{"ttlSeconds"}},
		"malformed context": {access.CreateSubscriberTokenInput{SubscriberID: "ada", ContextKeys: []string{"eu"}}, []string{"contextKeys"}},
		"too many contexts": {access.CreateSubscriberTokenInput{SubscriberID: "ada", ContextKeys: keys}, []string{"contextKeys"}},
		"no subscriber":     {access.CreateSubscriberTokenInput{SubscriberID: "a da"}, []string{"subscriberId"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(o.SubscriberTokens.Create(editor.Ctx, c.in))), name)
	}
	made, err := o.SubscriberTokens.Create(editor.Ctx, access.CreateSubscriberTokenInput{SubscriberID: " ada ", TTLSeconds: new(60)})
	require.NoError(t, err)
	require.Equal(t, "ada", made.Subscriber.SubscriberID, "one that is not known yet is made")
	require.Equal(t, o.Clock().Add(time.Minute), made.ExpiresAt)
	again, err := o.SubscriberTokens.Create(editor.Ctx, access.CreateSubscriberTokenInput{SubscriberID: "ada"})
	require.NoError(t, err)
	require.Equal(t, made.Subscriber.ID, again.Subscriber.ID)
	require.Equal(t, o.Clock().Add(access.DefaultTokenTTL), again.ExpiresAt)
	revoked, err := o.SubscriberTokens.Revoke(editor.Ctx, "ada")
	require.NoError(t, err)
	require.True(t, revoked.TokensValidAfter.After(o.Clock()), "those made in this very moment end as well")
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(o.SubscriberTokens.Revoke(editor.Ctx, "nobody")))
}
