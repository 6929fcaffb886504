package notifytest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Permission is who may use a case.
type Permission struct {
	Keys []viewer.Grant // an environment's key needs one of them; nil: no key may
	Role viewer.Role    // a member needs it, or a higher one
	Self bool           // the subscriber u0 may as well
	Call Call
}

// Call makes a call and returns its failure.
type Call = func(ctx context.Context) error

// Permissions is who may use which cases, by their names.
type Permissions map[string]Permission

// Add says that calls take a scope of a key ("": no key may) or a role of a member.
func (p Permissions) Add(key viewer.Grant, role viewer.Role, calls map[string]Call) {
	var keys []viewer.Grant
	if key != "" {
		keys = []viewer.Grant{key}
	}
	for name, call := range calls {
		p[name] = Permission{Keys: keys, Role: role, Call: call}
	}
}

// AddSelf is Add for calls that the subscriber u0 may make as well.
func (p Permissions) AddSelf(key viewer.Grant, role viewer.Role, calls map[string]Call) {
	for name, call := range calls {
		p[name] = Permission{Keys: []viewer.Grant{key}, Role: role, Self: true, Call: call}
	}
}

// memberRoles is every role of a member, the lowest first.
var memberRoles = []viewer.Role{viewer.RoleViewer, viewer.RoleEditor, viewer.RoleAdmin, viewer.RoleOwner}

// RequirePermissions makes every call as each kind of viewer: those who may are not refused, whatever else the answer is, and
// all others are.
func RequirePermissions(t *testing.T, scope viewer.Scope, permissions Permissions) {
	t.Helper()
	for name, p := range permissions {
		RequireKind(t, fault.Unauthenticated, p.Call(t.Context()))
		as := func(who string, v viewer.Viewer, may bool) {
			t.Helper()
			v.Scope = scope
			err := p.Call(viewer.NewContext(t.Context(), v))
			RequireRefused(t, !may, err, name+" as "+who)
		}
		var lacking []viewer.Grant
		for _, grant := range viewer.EnvironmentGrants() {
			if !slices.ContainsFunc(p.Keys, viewer.GrantsOf(grant).Has) {
				lacking = append(lacking, grant)
			}
		}
		as("a key with all other scopes", keyWith(lacking...), false)
		for _, grant := range p.Keys {
			as("a key with "+string(grant), keyWith(grant), true)
		}
		lowest := slices.Index(memberRoles, p.Role)
		if lowest > 0 {
			as(string(memberRoles[lowest-1]), viewer.Viewer{Role: memberRoles[lowest-1], UserID: "person"}, false)
		}
		as(string(p.Role), viewer.Viewer{Role: p.Role, UserID: "person"}, true)
		as("a subscriber", viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "internal", ExternalID: "u0"}, p.Self)
		as("another subscriber", viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "internal", ExternalID: "u1"}, false)
	}
}

// RequireRefused fails the test unless err says that a viewer was refused, or, for want false, says anything else.
func RequireRefused(t *testing.T, want bool, err error, what string) {
	t.Helper()
	require.Equal(t, want, refused(err), "%s: %v", what, err)
}

func keyWith(grants ...viewer.Grant) viewer.Viewer {
	return viewer.Viewer{Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.GrantsOf(grants...)}
}

// refused reports whether a viewer was refused. To a key some records are as if they were not there.
func refused(err error) bool {
	return fault.KindOf(err) == fault.Forbidden ||
		fault.KindOf(err) == fault.NotFound && strings.Contains(err.Error(), "for an environment's API key")
}
