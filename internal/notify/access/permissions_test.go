package access_test

import (
	"context"
	"testing"
	"time"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestPermissions holds which members and which keys may manage an organization, its people and its keys.
func TestPermissions(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	page, none := usecase.Page{}, id.New(time.Now())
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantKeys, viewer.RoleAdmin, map[string]notifytest.Call{
		"apiKeys":      func(c context.Context) error { return notifytest.Err(o.APIKeys.List(c, nil, page, nil, nil)) },
		"apiKey":       func(c context.Context) error { return notifytest.Err(o.APIKeys.Get(c, nil, none)) },
		"apiKeyByHint": func(c context.Context) error { return notifytest.Err(o.APIKeys.ByHint(c, nil, "abcd")) },
		"updateAPIKey": func(c context.Context) error {
			return notifytest.Err(o.APIKeys.Update(c, access.UpdateAPIKeyInput{ID: none}))
		},
		"rotateAPIKey": func(c context.Context) error { return notifytest.Err(o.APIKeys.Rotate(c, nil, none, "PT1H")) },
		"revokeAPIKey": func(c context.Context) error { return notifytest.Err(o.APIKeys.Revoke(c, nil, none)) },
		"deleteAPIKey": func(c context.Context) error { return notifytest.Err(o.APIKeys.Delete(c, nil, none)) },
		"createAPIKey": func(c context.Context) error {
			return notifytest.Err(o.APIKeys.Create(c, access.CreateAPIKeyInput{Name: "k"}))
		},
		"rotateInboxSecret": func(c context.Context) error { return notifytest.Err(o.SubscriberTokens.RotateInboxSecret(c)) },
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleAdmin, map[string]notifytest.Call{
		"auditEntries": func(c context.Context) error { return notifytest.Err(o.Audit.List(c, page, nil, nil, false)) },
		"auditEntry":   func(c context.Context) error { return notifytest.Err(o.Audit.Get(c, none)) },
	})
	permissions.Add(viewer.GrantAudience, viewer.RoleEditor, map[string]notifytest.Call{
		"createSubscriberToken": func(c context.Context) error {
			return notifytest.Err(o.SubscriberTokens.Create(c, access.CreateSubscriberTokenInput{SubscriberID: "u0"}))
		},
		"revokeSubscriberTokens": func(c context.Context) error { return notifytest.Err(o.SubscriberTokens.Revoke(c, "u0")) },
	})
	permissions.Add("", viewer.RoleAdmin, map[string]notifytest.Call{
		"auditOfOrganization": func(c context.Context) error { return notifytest.Err(o.Audit.List(c, page, nil, nil, true)) },
		"createEnvironment": func(c context.Context) error {
			return notifytest.Err(o.Environments.Create(c, access.CreateEnvironmentInput{Identifier: "staging"}))
		},
		"updateEnvironment": func(c context.Context) error {
			return notifytest.Err(o.Environments.Update(c, access.UpdateEnvironmentInput{ID: none}))
		},
		"deleteEnvironment": func(c context.Context) error { return notifytest.Err(o.Environments.Delete(c, none, "")) },
		"updateOrganization": func(c context.Context) error {
			return notifytest.Err(o.Organizations.Update(c, access.UpdateOrganizationInput{}))
		},
		"invitations":       func(c context.Context) error { return notifytest.Err(o.Invitations.List(c, page, nil, nil)) },
		"invitation":        func(c context.Context) error { return notifytest.Err(o.Invitations.Get(c, none)) },
		"invitationByEmail": func(c context.Context) error { return notifytest.Err(o.Invitations.ByEmail(c, "x@example.org")) },
		"createInvitation": func(c context.Context) error {
			return notifytest.Err(o.Invitations.Create(c, access.CreateInvitationInput{Email: "x@example.org", Role: member.RoleViewer}))
		},
		"deleteInvitation":    func(c context.Context) error { return notifytest.Err(o.Invitations.Delete(c, none)) },
		"endSessions":         func(c context.Context) error { return notifytest.Err(o.Sessions.End(c, none)) },
		"createPasswordReset": func(c context.Context) error { return notifytest.Err(o.Sessions.CreateReset(c, none)) },
		"organizationKeys":    func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.List(c, page, nil, nil)) },
		"organizationKey":     func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.Get(c, none)) },
	})
	permissions.Add("", viewer.RoleOwner, map[string]notifytest.Call{
		"createOrganizationKey": func(c context.Context) error {
			return notifytest.Err(o.OrganizationKeys.Create(c, access.CreateOrganizationKeyInput{
				Name: "k", Scopes: []viewer.Grant{viewer.GrantSettings}, ExpiresAt: o.Clock().Add(time.Hour),
			}))
		},
		"rotateOrganizationKey": func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.Rotate(c, none, "PT1H")) },
		"revokeOrganizationKey": func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.Revoke(c, none)) },
		"deleteOrganizationKey": func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.Delete(c, none)) },
	})
	for name, call := range map[string]notifytest.Call{
		"environments":       func(c context.Context) error { return notifytest.Err(o.Environments.List(c, page, nil, nil)) },
		"environment":        func(c context.Context) error { return notifytest.Err(o.Environments.Get(c, none)) },
		"currentEnvironment": func(c context.Context) error { return notifytest.Err(o.Environments.Current(c)) },
		"organizations":      func(c context.Context) error { return notifytest.Err(o.Organizations.List(c, page, nil, nil)) },
		"members":            func(c context.Context) error { return notifytest.Err(o.Members.List(c, page, nil, nil)) },
		"users":              func(c context.Context) error { return notifytest.Err(o.Users.List(c, page, nil, nil)) },
	} {
		permissions[name] = notifytest.Permission{Keys: viewer.EnvironmentGrants(), Role: viewer.RoleViewer, Call: call}
	}
	notifytest.RequirePermissions(t, o.Scope, permissions)
}

// TestOrganizationKeysReachNoEnvironment holds that a key of the organization does the organization's work by its scopes, and
// nothing inside an environment.
func TestOrganizationKeysReachNoEnvironment(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	page := usecase.Page{}
	as := func(grants ...viewer.Grant) context.Context {
		return viewer.NewContext(t.Context(), viewer.Viewer{
			Scope: o.Scope, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "key", Grants: viewer.GrantsOf(grants...),
		})
	}
	everything := as(viewer.OrganizationGrants()...)
	for name, c := range map[string]struct {
		grant viewer.Grant // "": none is enough
		call  notifytest.Call
	}{
		"topics":           {"", func(c context.Context) error { return notifytest.Err(o.Topics.List(c, page, nil, nil)) }},
		"workflows":        {"", func(c context.Context) error { return notifytest.Err(o.Workflows.List(c, page, nil, nil)) }},
		"integrations":     {"", func(c context.Context) error { return notifytest.Err(o.Integrations.List(c, page, nil, nil)) }},
		"events":           {"", func(c context.Context) error { return notifytest.Err(o.Events.List(c, page, nil, nil)) }},
		"cancel":           {"", func(c context.Context) error { return notifytest.Err(o.Cancellations.Transaction(c, "t")) }},
		"organizationKeys": {"", func(c context.Context) error { return notifytest.Err(o.OrganizationKeys.List(c, page, nil, nil)) }},
		"apiKeys":          {viewer.GrantKeys, func(c context.Context) error { return notifytest.Err(o.APIKeys.List(c, nil, page, nil, nil)) }},
		"members":          {viewer.GrantMembers, func(c context.Context) error { return notifytest.Err(o.Members.List(c, page, nil, nil)) }},
		"invitations":      {viewer.GrantMembers, func(c context.Context) error { return notifytest.Err(o.Invitations.List(c, page, nil, nil)) }},
		"audit":            {viewer.GrantSettings, func(c context.Context) error { return notifytest.Err(o.Audit.List(c, page, nil, nil, true)) }},
		"organization": {viewer.GrantSettings, func(c context.Context) error {
			return notifytest.Err(o.Organizations.Update(c, access.UpdateOrganizationInput{}))
		}},
		"createEnvironment": {viewer.GrantEnvironments, func(c context.Context) error {
			return notifytest.Err(o.Environments.Create(c, access.CreateEnvironmentInput{Identifier: "staging"}))
		}},
	} {
		if c.grant == "" {
			notifytest.RequireRefused(t, true, c.call(everything), name)
			continue
		}
		for _, grant := range viewer.OrganizationGrants() {
			notifytest.RequireRefused(t, grant != c.grant, c.call(as(grant)), name+" with "+string(grant))
		}
	}
}
