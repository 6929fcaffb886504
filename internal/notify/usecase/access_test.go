package usecase_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// as returns the context of a viewer.
func as(t *testing.T, v viewer.Viewer) context.Context {
	t.Helper()
	return viewer.NewContext(t.Context(), v)
}

// TestRequire holds which kind of credential meets which need, and how each that does not is refused.
func TestRequire(t *testing.T) {
	t.Parallel()
	key := func(grants ...viewer.Grant) viewer.Viewer {
		return viewer.Viewer{Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.GrantsOf(grants...)}
	}
	organizationKey := func(grants ...viewer.Grant) viewer.Viewer {
		return viewer.Viewer{Role: viewer.RoleOrganizationKey, OrganizationKeyID: "key", Grants: viewer.GrantsOf(grants...)}
	}
	member := func(role viewer.Role) viewer.Viewer { return viewer.Viewer{Role: role, UserID: "ada"} }
	subscriber := viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "s", ExternalID: "u"}
	for name, c := range map[string]struct {
		v    viewer.Viewer
		need usecase.Need
		text string // of the refusal; "": the need is met
		kind fault.Kind
	}{
		"a key with the scope":           {key(viewer.GrantAudienceRead), usecase.ReadAudience, "", 0},
		"a key with the writing scope":   {key(viewer.GrantAudience), usecase.ReadAudience, "", 0},
		"a key with another scope":       {key(viewer.GrantContent), usecase.ReadAudience, "audience:read", fault.Forbidden},
		"a key that may only read":       {key(viewer.GrantAudienceRead), usecase.WriteAudience, "audience", fault.Forbidden},
		"a key without scopes":           {key(), usecase.AnyCredential, "needs a key with the scope", fault.Forbidden},
		"a key with one of two":          {key(viewer.GrantAudienceRead), usecase.ReadMessages, "", 0},
		"a key for people":               {key(viewer.EnvironmentGrants()...), usecase.InvitePeople, "does not reach this", fault.Forbidden},
		"a key for what is hidden to it": {key(viewer.EnvironmentGrants()...), usecase.WriteOrganization, "no such record", fault.NotFound},

		"an organization key":                {organizationKey(viewer.GrantEnvironments), usecase.CreateEnvironment, "", 0},
		"an organization key without scope":  {organizationKey(viewer.GrantMembers), usecase.CreateEnvironment, "environments", fault.Forbidden},
		"an organization key in environment": {organizationKey(viewer.OrganizationGrants()...), usecase.ReadAudience, "does not reach this", fault.Forbidden},

		"a member of the role":         {member(viewer.RoleEditor), usecase.WriteContent, "", 0},
		"a member of a higher role":    {member(viewer.RoleOwner), usecase.WriteContent, "", 0},
		"a member of a lower role":     {member(viewer.RoleViewer), usecase.WriteContent, "role editor", fault.Forbidden},
		"a member where admins may":    {member(viewer.RoleEditor), usecase.WriteIntegrations, "role admin", fault.Forbidden},
		"a member where owners may":    {member(viewer.RoleAdmin), usecase.CreateOrganizationKey, "role owner", fault.Forbidden},
		"a member where no role may":   {member(viewer.RoleOwner), usecase.Need{Keys: []viewer.Grant{viewer.GrantContent}}, "role", fault.Forbidden},
		"a member without a role":      {viewer.Viewer{UserID: "ada"}, usecase.ReadContent, "role viewer", fault.Forbidden},
		"a subscriber":                 {subscriber, usecase.AnyCredential, "role viewer", fault.Forbidden},
		"a subscriber on their behalf": {subscriber, usecase.WriteAudience.OrSelf(nil, "u"), "", 0},
		"the server itself":            {viewer.Viewer{Role: viewer.RoleSystem}, usecase.RequireFactors, "", 0},
	} {
		got, err := usecase.Require(as(t, c.v), c.need)
		if c.text == "" {
			require.NoError(t, err, name)
			require.Equal(t, c.v, got, name)
			continue
		}
		notifytest.RequireKind(t, c.kind, err)
		require.ErrorContains(t, err, c.text, name)
	}
	_, err := usecase.Require(t.Context(), usecase.AnyCredential)
	notifytest.RequireKind(t, fault.Unauthenticated, err)
}

// TestEnrolling holds that a person who has to set up a second factor may do that and little else.
func TestEnrolling(t *testing.T) {
	t.Parallel()
	ctx := as(t, viewer.Viewer{Role: viewer.RoleOwner, UserID: "ada", Enrolling: true})
	for _, need := range []usecase.Need{usecase.AnyCredentialEnrolling, usecase.SetUpSecondFactor} {
		require.NoError(t, notifytest.Err(usecase.Require(ctx, need)))
	}
	for _, need := range []usecase.Need{usecase.AnyCredential, usecase.ReadContent, usecase.ManageOwnLogIn, usecase.ReadOrganization} {
		err := notifytest.Err(usecase.Require(ctx, need))
		require.Equal(t, "SECOND_FACTOR_MISSING", notifytest.Code(err))
	}
	open := 0
	for _, need := range usecase.Operations() {
		if need.Enrolment {
			open++
			require.NotEqual(t, viewer.RoleOwner, need.Role)
		}
	}
	require.Equal(t, 4, open, "viewer, logOut, beginSecondFactor and confirmSecondFactor")
}

// TestAuthorize holds that an operation is refused by the table before anything else of it is looked at.
func TestAuthorize(t *testing.T) {
	t.Parallel()
	subscriber := as(t, viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "s", ExternalID: "u"})
	editor := as(t, viewer.Viewer{Role: viewer.RoleEditor, UserID: "ada"})
	owner := as(t, viewer.Viewer{Role: viewer.RoleOwner, UserID: "ada"})
	for name, c := range map[string]struct {
		ctx       context.Context //nolint:containedctx // a row of a table
		operation string
		refused   fault.Kind
		may       bool
	}{
		"unknown operation":              {owner, "openSesame", fault.Forbidden, false},
		"no operation":                   {owner, "", fault.Forbidden, false},
		"public, without a credential":   {t.Context(), "logIn", 0, true},
		"public, with one":               {subscriber, "resetPassword", 0, true},
		"private, without a credential":  {t.Context(), "subscribers", fault.Unauthenticated, false},
		"a subscriber's own":             {subscriber, "markMessages", 0, true},
		"a list for a subscriber":        {subscriber, "messages", fault.Forbidden, false},
		"a subscriber's, for an editor":  {editor, "markMessages", 0, true},
		"a trigger for an editor":        {editor, "POST /v1/events/trigger", 0, true},
		"an integration for an editor":   {editor, "createIntegration", fault.Forbidden, false},
		"keys of the organization":       {owner, "createOrganizationKey", 0, true},
		"a route by another method":      {owner, "PUT /v1/events/trigger", fault.Forbidden, false},
		"triggers without a credential":  {t.Context(), "POST /v1/events/trigger", fault.Unauthenticated, false},
		"a subscriber's, without anyone": {t.Context(), "markMessages", fault.Unauthenticated, false},
	} {
		err := usecase.Authorize(c.ctx, c.operation)
		if c.may {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.refused, fault.KindOf(err), "%s: %v", name, err)
	}
}

// TestOperations holds what is true of every operation, whichever it is.
func TestOperations(t *testing.T) {
	t.Parallel()
	operations := usecase.Operations()
	maps.DeleteFunc(operations, func(string, usecase.Need) bool { return true })
	operations = usecase.Operations()
	require.NotEmpty(t, operations, "the table is not the callers' to change")
	var public, closedToKeys []string
	for name, need := range operations {
		if need.Public {
			public = append(public, name)
			require.Empty(t, need.Keys, name)
			require.Empty(t, need.Role, name)
			continue
		}
		require.NotEmpty(t, need.Role, "%s: some member may", name)
		if len(need.Keys) == 0 {
			closedToKeys = append(closedToKeys, name)
		}
		writes := slices.ContainsFunc([]string{"create", "update", "delete", "set", "POST ", "PATCH ", "DELETE ", "publish", "duplicate", "clear", "triggerEvent", "cancel"},
			func(verb string) bool { return strings.HasPrefix(name, verb) })
		if writes && len(need.Keys) > 0 {
			require.NotEqual(t, viewer.RoleViewer, need.Role, "%s: whoever may only read may not write", name)
			require.False(t, slices.ContainsFunc(need.Keys, func(g viewer.Grant) bool { return strings.HasSuffix(string(g), ":read") }), name)
		}
		if need.Subscriber {
			require.Subset(t, []viewer.Grant{viewer.GrantAudience, viewer.GrantAudienceRead}, need.Keys, "%s: a subscriber has its own part of the audience", name)
		}
	}
	slices.Sort(public)
	require.Equal(t, []string{"acceptInvitation", "invitationOffer", "logIn", "requestPasswordReset", "resetPassword"}, public)
	for _, name := range closedToKeys {
		require.False(t, strings.Contains(name, "/v"), "%s: documented routes are for keys", name)
	}
}
