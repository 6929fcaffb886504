// Package viewer says who is asking, for which environment and with which rights. It is a leaf, so that ent/schema can
// read it: tenancy is enforced there, for every query and mutation, from what this package puts into the context.
package viewer

import "context"

// Scope is the tenancy of a request or of a row: one environment of one organization.
type Scope struct {
	OrganizationID string
	EnvironmentID  string
}

// Role is what a viewer may do inside its scope. Higher roles include lower ones; those of keys and subscribers are apart,
// and include none.
type Role string

// The roles.
const (
	RoleSystem     Role = "system"     // Carillon itself; the only one that is not bound to a scope
	RoleOwner      Role = "owner"      // everything in the organization
	RoleAdmin      Role = "admin"      // everything in the environment, its keys included
	RoleEditor     Role = "editor"     // resources and triggers, no keys, no members
	RoleViewer     Role = "viewer"     // reads
	RoleSubscriber Role = "subscriber" // one subscriber's own inbox and preferences

	RoleKey             Role = "key"              // an environment's API key: what its grants say, in that environment
	RoleOrganizationKey Role = "organization_key" // an organization's key: what its grants say, of the organization's own work
)

// ranks orders the roles. An organization's key ranks as an admin among the people whose memberships it changes; what it may
// do at all is decided by its grants.
var ranks = map[Role]int{RoleViewer: 1, RoleEditor: 2, RoleAdmin: 3, RoleOrganizationKey: 3, RoleOwner: 4, RoleSystem: 5}

// Viewer is the authenticated caller.
type Viewer struct {
	Scope
	Role      Role
	APIKeyID  string // set when an API key was used
	Grants    Grants // what a key may do; empty for everybody else
	UserID    string // set for a signed-in user, or the user who owns the key
	SessionID string // set when a user's log-in was used

	OrganizationKeyID string // set when an organization's key was used
	// Enrolling says that the organization requires a second factor that this person has not set up yet: until they have,
	// they may do that and nothing else.
	Enrolling bool
	Name      string // what the audit calls the viewer: a key's name, a person's address

	// Set for RoleSubscriber only.
	SubscriberID string  // internal id
	ExternalID   string  // the operator's identifier of the same subscriber
	ContextScope *string // the one context set that the credential is bound to (workflow.ContextSet.Scope); nil: any
}

// InEnvironment reports whether the viewer's credential opens one environment and nothing else of its organization: an
// environment's key, or a subscriber's own credential.
func (v Viewer) InEnvironment() bool {
	return v.APIKeyID != "" || v.SubscriberID != "" || v.Role == RoleKey
}

// At reports whether the viewer's role includes role.
func (v Viewer) At(role Role) bool { return ranks[v.Role] >= ranks[role] && ranks[v.Role] > 0 }

// SameRights reports whether the viewer has the rights of before, the same credential's at an earlier time: no fewer and no others.
func (v Viewer) SameRights(before Viewer) bool {
	return v.Scope == before.Scope && v.Role == before.Role && v.Grants == before.Grants && v.Enrolling == before.Enrolling
}

// System reports whether the viewer is Carillon itself, which no scope binds.
func (v Viewer) System() bool { return v.Role == RoleSystem }

type key struct{}

// NewContext carries v.
func NewContext(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, key{}, v)
}

// FromContext is the viewer of ctx; ok is false when there is none, and then no tenant row may be touched.
func FromContext(ctx context.Context) (v Viewer, ok bool) {
	v, ok = ctx.Value(key{}).(Viewer)
	return v, ok
}

// SystemContext acts as Carillon itself, across environments: for authentication, workers and maintenance only.
func SystemContext(ctx context.Context) context.Context {
	return NewContext(ctx, Viewer{Role: RoleSystem})
}

// InScope acts as Carillon itself inside one environment, so that tenancy still binds: for workers that handle the
// rows of one environment.
func InScope(ctx context.Context, s Scope) context.Context {
	return NewContext(ctx, Viewer{Scope: s, Role: RoleOwner})
}
