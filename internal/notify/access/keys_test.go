package access_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

func TestKeysGiveNoMoreThanTheyHave(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	owner := viewer.InScope(t.Context(), a.Scope)
	keeper := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: a.Scope, Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantKeys, viewer.GrantAudience),
	})
	full, err := a.APIKeys.Create(owner, access.CreateAPIKeyInput{Name: "full"})
	require.NoError(t, err)
	require.Equal(t, viewer.FullGrants, viewer.GrantsOf(full.APIKey.Scopes...))
	same, err := a.APIKeys.Create(keeper, access.CreateAPIKeyInput{Name: "same"})
	require.NoError(t, err)
	require.Equal(t, []viewer.Grant{viewer.GrantAudience, viewer.GrantKeys}, same.APIKey.Scopes)
	less, err := a.APIKeys.Create(keeper, access.CreateAPIKeyInput{Name: "less", Scopes: []viewer.Grant{viewer.GrantAudienceRead}})
	require.NoError(t, err)
	require.Equal(t, []viewer.Grant{viewer.GrantAudienceRead}, less.APIKey.Scopes)

	name := "mine"
	for what, try := range map[string]func() error{
		"a scope that it lacks": func() error {
			_, err := a.APIKeys.Create(keeper, access.CreateAPIKeyInput{Name: "x", Scopes: []viewer.Grant{viewer.GrantContentRead}})
			return err
		},
		"a preset": func() error {
			_, err := a.APIKeys.Create(keeper, access.CreateAPIKeyInput{Name: "x", Preset: new(viewer.PresetFull)})
			return err
		},
		"the successor of a key with more": func() error {
			_, err := a.APIKeys.Rotate(keeper, nil, full.APIKey.ID, "P1D")
			return err
		},
		"a longer life of a key with more": func() error {
			_, err := a.APIKeys.Update(keeper, access.UpdateAPIKeyInput{ID: full.APIKey.ID, Name: &name})
			return err
		},
	} {
		require.Equal(t, fault.Forbidden, fault.KindOf(try()), what)
	}
	_, err = a.APIKeys.Revoke(keeper, nil, full.APIKey.ID)
	require.NoError(t, err, "a key that may have leaked")

	for what, in := range map[string]access.CreateAPIKeyInput{
		"no scope": {Name: "x", Scopes: []viewer.Grant{}},
		"both":     {Name: "x", Scopes: []viewer.Grant{viewer.GrantKeys}, Preset: new(viewer.PresetServer)},
	} {
		_, err := a.APIKeys.Create(owner, in)
		require.Equal(t, fault.Invalid, fault.KindOf(err), what)
	}
}

func TestKeyRotation(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	owner := viewer.InScope(t.Context(), a.Scope)
	a.Now = time.Now().UTC().Truncate(time.Microsecond)
	create := func(in access.CreateAPIKeyInput) *ent.APIKey {
		made, err := a.APIKeys.Create(owner, in)
		require.NoError(t, err)
		return made.APIKey
	}
	for _, overlap := range []string{"", "a day", "P31D", "P1Y"} {
		_, err := a.APIKeys.Rotate(owner, nil, create(access.CreateAPIKeyInput{Name: "k"}).ID, overlap)
		require.Equal(t, fault.Invalid, fault.KindOf(err), overlap)
	}

	old := create(access.CreateAPIKeyInput{Name: "server", Preset: new(viewer.PresetServer)})
	made, err := a.APIKeys.Rotate(owner, nil, old.ID, "P7D")
	require.NoError(t, err)
	require.NotEmpty(t, made.Key)
	require.Equal(t, old.Name, made.APIKey.Name)
	require.Equal(t, old.Scopes, made.APIKey.Scopes)
	require.Nil(t, made.APIKey.ExpiresAt)
	replaced := a.DB.Ent.APIKey.GetX(owner, old.ID)
	require.Equal(t, made.APIKey.ID, *replaced.SuccessorID)
	require.True(t, replaced.ExpiresAt.Equal(a.Now.Add(7*24*time.Hour)))
	_, err = a.APIKeys.Rotate(owner, nil, old.ID, "P7D")
	require.Equal(t, fault.Conflict, fault.KindOf(err), "it has a successor")

	end := a.Now.Add(10 * 24 * time.Hour)
	limited := create(access.CreateAPIKeyInput{Name: "limited", ExpiresAt: &end})
	made, err = a.APIKeys.Rotate(owner, nil, limited.ID, "P30D")
	require.NoError(t, err)
	require.WithinDuration(t, end, *made.APIKey.ExpiresAt, time.Hour, "it lives as long as the other one was to")
	require.True(t, a.DB.Ent.APIKey.GetX(owner, limited.ID).ExpiresAt.Equal(end), "an overlap prolongs nothing")

	atOnce := create(access.CreateAPIKeyInput{Name: "leaked"})
	_, err = a.APIKeys.Rotate(owner, nil, atOnce.ID, "PT0S")
	require.NoError(t, err)
	require.True(t, a.DB.Ent.APIKey.GetX(owner, atOnce.ID).ExpiresAt.Equal(a.Now))
}

func TestOrganizationKeys(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.Now = time.Now().UTC().Truncate(time.Microsecond)
	owner := viewer.InScope(t.Context(), a.Scope)
	in := access.CreateOrganizationKeyInput{Name: "ops", Scopes: viewer.OrganizationGrants(), ExpiresAt: a.Now.Add(24 * time.Hour)}
	made, err := a.OrganizationKeys.Create(owner, in)
	require.NoError(t, err)
	require.NotEmpty(t, made.Key)
	itself := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: a.Scope.OrganizationID}, Role: viewer.RoleOrganizationKey,
		OrganizationKeyID: made.OrganizationKey.ID, Grants: viewer.GrantsOf(made.OrganizationKey.Scopes...),
	})
	admin := viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.Scope, Role: viewer.RoleAdmin, UserID: "u"})

	for _, ends := range []time.Time{a.Now, a.Now.Add(-time.Hour), a.Now.Add(367 * 24 * time.Hour)} {
		late := in
		late.ExpiresAt = ends
		_, err := a.OrganizationKeys.Create(owner, late)
		require.Equal(t, fault.Invalid, fault.KindOf(err), ends)
	}
	_, err = a.OrganizationKeys.Create(admin, in)
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "only an owner makes one")
	_, err = a.OrganizationKeys.Create(itself, in)
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "and no organization key")

	_, err = a.Invitations.Create(itself, access.CreateInvitationInput{Email: "ann@example.org", Role: member.RoleAdmin})
	require.NoError(t, err)
	_, err = a.Operator.CreatePerson(viewer.InScope(t.Context(), a.Scope), access.CreatePersonInput{Email: "boss@example.org", Role: member.RoleOwner, Password: "correct horse battery"})
	require.NoError(t, err)
	_, err = a.Invitations.Create(itself, access.CreateInvitationInput{Email: "eve@example.org", Role: member.RoleOwner})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "it makes nobody an owner")

	env, err := a.Environments.Create(itself, access.CreateEnvironmentInput{Identifier: "live"})
	require.NoError(t, err)
	id := env.GlobalID()
	key, err := a.APIKeys.Create(itself, access.CreateAPIKeyInput{Name: "k", EnvironmentID: &id})
	require.NoError(t, err)
	require.Equal(t, env.ID, key.APIKey.EnvironmentID)
	_, err = a.Topics.List(itself, usecase.Page{}, nil, nil)
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "it opens no environment's data")
}

func TestBootstrapOrganizationKey(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	_, err := a.Bootstrap(t.Context(), access.BootstrapInput{APIKey: "same", OrganizationKey: "same"})
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	require.Zero(t, a.DB.Ent.OrganizationKey.Query().CountX(viewer.SystemContext(t.Context())), "none unless the operator chose one")
}
