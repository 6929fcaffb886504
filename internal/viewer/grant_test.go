package viewer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/viewer"
)

// TestGrantsImplyReading: who may change may read, and not the other way; an unknown grant is nothing.
func TestGrantsImplyReading(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]viewer.Grant{
		{viewer.GrantAudience, viewer.GrantAudienceRead},
		{viewer.GrantContent, viewer.GrantContentRead},
		{viewer.GrantIntegrations, viewer.GrantIntegrationsRead},
		{viewer.GrantActivity, viewer.GrantActivityRead},
	} {
		full, reading := viewer.GrantsOf(pair[0]), viewer.GrantsOf(pair[1])
		require.True(t, full.Has(pair[1]))
		require.False(t, reading.Has(pair[0]))
		require.True(t, full.Covers(reading))
		require.False(t, reading.Covers(full))
		require.Equal(t, []viewer.Grant{pair[0]}, full.List(), "its reading form says nothing more")
		require.Equal(t, []viewer.Grant{pair[1]}, reading.List())
	}
	for _, alone := range []viewer.Grant{viewer.GrantTrigger, viewer.GrantKeys, viewer.GrantEnvironments, viewer.GrantMembers, viewer.GrantSettings} {
		require.Equal(t, []viewer.Grant{alone}, viewer.GrantsOf(alone).List())
		require.False(t, viewer.GrantsOf(alone).Has(alone+":read"))
	}
	require.Equal(t, viewer.Grants{}, viewer.GrantsOf("fax", ""))
	for _, unknown := range []viewer.Grant{"", "fax", "trigger:write", ":read"} {
		require.False(t, viewer.FullGrants.Has(unknown), "%q is no grant, though every set covers nothing", unknown)
	}
	require.True(t, viewer.FullGrants.Covers(viewer.Grants{}))
	require.Equal(t, []viewer.Grant{}, viewer.Grants{}.List(), "an empty list is shown as one")
}

// TestGrantSets: an environment's key never reaches the organization's own work, and a server's key neither keys nor content.
func TestGrantSets(t *testing.T) {
	t.Parallel()
	require.Equal(t, "trigger, audience, content, integrations, activity, keys", viewer.FullGrants.String())
	require.Equal(t, "trigger, audience, content:read, activity:read", viewer.ServerGrants.String())
	require.True(t, viewer.FullGrants.Covers(viewer.ServerGrants))
	organization := viewer.GrantsOf(viewer.OrganizationGrants()...)
	require.Equal(t, "keys, environments, members, settings", organization.String())
	for _, g := range organization.List() {
		require.Equal(t, g == viewer.GrantKeys, viewer.FullGrants.Has(g), g)
	}
	require.Equal(t, viewer.FullGrants, viewer.PresetFull.Grants())
	require.Equal(t, viewer.ServerGrants, viewer.PresetServer.Grants())
	require.Equal(t, viewer.Grants{}, viewer.Preset("root").Grants())
	viewer.EnvironmentGrants()[0] = "changed"
	require.Equal(t, viewer.GrantTrigger, viewer.EnvironmentGrants()[0], "a list is the caller's own")
}

func TestParseGrants(t *testing.T) {
	t.Parallel()
	got, err := viewer.ParseGrants([]string{"trigger", "content:read"}, viewer.EnvironmentGrants())
	require.NoError(t, err)
	require.Equal(t, []viewer.Grant{viewer.GrantTrigger, viewer.GrantContentRead}, got)
	for _, name := range []string{"members", "Trigger", "", "trigger ", "content:write"} {
		_, err = viewer.ParseGrants([]string{"trigger", name}, viewer.EnvironmentGrants())
		require.ErrorContains(t, err, "is no scope; there are: trigger, audience, audience:read", name)
	}
	got, err = viewer.ParseGrants(nil, viewer.EnvironmentGrants())
	require.NoError(t, err)
	require.Empty(t, got)
}

// TestRoles: higher roles of people include lower ones; a key's and a subscriber's role include none.
func TestRoles(t *testing.T) {
	t.Parallel()
	order := []viewer.Role{viewer.RoleViewer, viewer.RoleEditor, viewer.RoleAdmin, viewer.RoleOwner, viewer.RoleSystem}
	for i, own := range order {
		for j, asked := range order {
			require.Equal(t, i >= j, viewer.Viewer{Role: own}.At(asked), "%s at %s", own, asked)
		}
		require.Equal(t, own == viewer.RoleSystem, viewer.Viewer{Role: own}.System())
	}
	for _, apart := range []viewer.Role{viewer.RoleSubscriber, viewer.RoleKey, "", "root"} {
		for _, asked := range append(order, apart, "root") {
			require.False(t, viewer.Viewer{Role: apart}.At(asked), "%s at %s", apart, asked)
		}
	}
}

// TestContexts carry who asks, and nothing when nobody does.
func TestContexts(t *testing.T) {
	t.Parallel()
	_, ok := viewer.FromContext(t.Context())
	require.False(t, ok, "without a viewer no row may be touched")
	require.Empty(t, viewer.RequestID(t.Context()))
	ctx := viewer.WithRequestID(viewer.SystemContext(t.Context()), "r-1")
	v, ok := viewer.FromContext(ctx)
	require.True(t, ok)
	require.True(t, v.System())
	require.Equal(t, "r-1", viewer.RequestID(ctx))
	scope := viewer.Scope{OrganizationID: "o", EnvironmentID: "e"}
	v, _ = viewer.FromContext(viewer.InScope(ctx, scope))
	require.Equal(t, scope, v.Scope)
	require.False(t, v.System(), "tenancy binds a worker that handles one environment")
	for want, list := range map[bool][]viewer.Viewer{
		true:  {{APIKeyID: "k"}, {SubscriberID: "s"}, {Role: viewer.RoleKey}},
		false: {{}, {Role: viewer.RoleOwner, UserID: "u"}, {OrganizationKeyID: "ok"}, {Role: viewer.RoleSystem}},
	} {
		for _, v := range list {
			require.Equal(t, want, v.InEnvironment(), "%+v", v)
		}
	}
}
