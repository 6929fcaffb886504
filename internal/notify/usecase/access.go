package usecase

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Need is what an operation asks of whoever calls it (decisions.md §13). Each kind of credential is checked by a field of its
// own, and a field that is empty refuses that kind.
type Need struct {
	Keys         []viewer.Grant // an environment's key needs one of these scopes
	Role         viewer.Role    // a member needs this role, or a higher one
	Organization []viewer.Grant // an organization's key needs one of these scopes
	Subscriber   bool           // a subscriber's own credential may, on that subscriber's behalf; see OrSelf
	Public       bool           // nothing is needed: the operation checks what it is given
	// Enrolment is open to a member who has to set up a second factor first; see viewer.Viewer.
	Enrolment bool
	// Hidden refuses an environment's key as if there were no such record, because for it there is none.
	Hidden bool

	self self // of a call; see OrSelf
}

// The needs that use cases name.
var (
	everyKey             = viewer.EnvironmentGrants()
	everyOrganizationKey = viewer.OrganizationGrants()

	// AnyCredential is for what any credential may know: who it is, where it is, what this server can do.
	AnyCredential = Need{Keys: everyKey, Role: viewer.RoleViewer, Organization: everyOrganizationKey}
	// AnyCredentialEnrolling is about for who is asking, which may be a person who has to set up a second factor first.
	AnyCredentialEnrolling = Need{Keys: everyKey, Role: viewer.RoleViewer, Organization: everyOrganizationKey, Enrolment: true}
	// ReadReferences is for the names of records that other records refer to.
	ReadReferences = Need{Keys: everyKey, Role: viewer.RoleViewer}

	TriggerEvents = Need{Keys: []viewer.Grant{viewer.GrantTrigger}, Role: viewer.RoleEditor}

	ReadAudience  = Need{Keys: []viewer.Grant{viewer.GrantAudienceRead}, Role: viewer.RoleViewer}
	WriteAudience = Need{Keys: []viewer.Grant{viewer.GrantAudience}, Role: viewer.RoleEditor}
	// ReadPerson is for everything that is stored about a person: profile, payloads, messages and attempts.
	ReadPerson = Need{Keys: []viewer.Grant{viewer.GrantActivity}, Role: viewer.RoleAdmin}
	// ErasePerson is for erasing all of that.
	ErasePerson       = Need{Keys: []viewer.Grant{viewer.GrantActivity}, Role: viewer.RoleAdmin}
	ReadContent       = Need{Keys: []viewer.Grant{viewer.GrantContentRead}, Role: viewer.RoleViewer}
	WriteContent      = Need{Keys: []viewer.Grant{viewer.GrantContent}, Role: viewer.RoleEditor}
	ReadIntegrations  = Need{Keys: []viewer.Grant{viewer.GrantIntegrationsRead}, Role: viewer.RoleViewer}
	WriteIntegrations = Need{Keys: []viewer.Grant{viewer.GrantIntegrations}, Role: viewer.RoleAdmin}
	ReadActivity      = Need{Keys: []viewer.Grant{viewer.GrantActivityRead}, Role: viewer.RoleViewer}
	WriteActivity     = Need{Keys: []viewer.Grant{viewer.GrantActivity}, Role: viewer.RoleEditor}
	// RepairDelivery is for what operators do by hand to what was triggered: sending again, replaying, recalling.
	RepairDelivery = Need{Keys: []viewer.Grant{viewer.GrantActivity}, Role: viewer.RoleEditor}
	// ManageEnvironment is for what is the environment's own record: the audit log, idempotency records, the clock.
	ManageEnvironment = Need{Keys: []viewer.Grant{viewer.GrantActivity}, Role: viewer.RoleAdmin}
	// ReadMessages is for what messages show, which come with inboxes and with the activity.
	ReadMessages = Need{Keys: []viewer.Grant{viewer.GrantActivityRead, viewer.GrantAudienceRead}, Role: viewer.RoleViewer}

	ManageKeys = Need{
		Keys: []viewer.Grant{viewer.GrantKeys}, Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantKeys},
	}
	// ManageSecrets is for secrets of an environment that are not API keys.
	ManageSecrets = Need{Keys: []viewer.Grant{viewer.GrantKeys}, Role: viewer.RoleAdmin}

	// ReadOrganization and readPeople let an environment's keys ask, and the schema answers that there is nothing.
	ReadOrganization  = Need{Keys: everyKey, Role: viewer.RoleViewer, Organization: everyOrganizationKey}
	WriteOrganization = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantSettings}, Hidden: true}
	ReadPeople        = Need{Keys: everyKey, Role: viewer.RoleViewer, Organization: []viewer.Grant{viewer.GrantMembers}}
	InvitePeople      = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantMembers}}
	ReadInvitations   = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantMembers}, Hidden: true}
	ChangePeople      = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantMembers}, Hidden: true}
	// ChangeMembership lets everybody leave and step down; mayGovern checks the rest.
	ChangeMembership   = Need{Role: viewer.RoleViewer, Organization: []viewer.Grant{viewer.GrantMembers}, Hidden: true}
	ChangeUser         = Need{Role: viewer.RoleViewer, Hidden: true}
	CreateEnvironment  = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantEnvironments}}
	ChangeEnvironments = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantEnvironments}, Hidden: true}

	// RequireFactors is for the setting by which members need a second factor.
	RequireFactors = Need{Role: viewer.RoleOwner}

	ReadOrganizationKeys  = Need{Role: viewer.RoleAdmin, Hidden: true}
	CreateOrganizationKey = Need{Role: viewer.RoleOwner}
	ChangeOrganizationKey = Need{Role: viewer.RoleOwner, Hidden: true}

	// AuditOrganization is for the audit of a whole organization.
	AuditOrganization = Need{Role: viewer.RoleAdmin, Organization: []viewer.Grant{viewer.GrantSettings}}

	// ManageOwnLogIn is for what a person does with their own log-in.
	ManageOwnLogIn = Need{Role: viewer.RoleViewer}
	// SetUpSecondFactor is for what a person does to set up a second factor, or to log out instead.
	SetUpSecondFactor = Need{Role: viewer.RoleViewer, Enrolment: true}
	// open is for what needs no credential.
	open = Need{Public: true}
)

// bySelf is a need that a subscriber's own credential meets as well.
func bySelf(n Need) Need {
	n.Subscriber = true
	return n
}

// Require returns the viewer if it meets a need, or the failure to answer with. A subscriber meets only what its use cases
// require with OrSelf.
func Require(ctx context.Context, need Need) (viewer.Viewer, error) {
	v, ok := viewer.FromContext(ctx)
	switch {
	case !ok:
		return v, fault.Unauthenticatedf("Send an API key: Authorization: ApiKey <key>.")
	case v.APIKeyID != "":
		return v, need.ofKey(v)
	case v.OrganizationKeyID != "":
		return v, need.ofOrganizationKey(v)
	case v.Role == viewer.RoleSubscriber && len(need.self.subscriberIDs) > 0:
		return v, need.self.ofSubscriber(v)
	case need.Role == "" || !v.At(need.Role):
		return v, fault.Forbiddenf("This needs the role %s.", need.Role)
	case v.Enrolling && !need.Enrolment:
		return v, &fault.Error{Kind: fault.Forbidden, Code: codeSecondFactorMissing, Message: "This organization requires a second factor. Set up yours first."}
	}
	return v, nil
}

const codeSecondFactorMissing = "SECOND_FACTOR_MISSING"

func (n Need) ofKey(v viewer.Viewer) error {
	const other = "use a member's log-in or an organization key"
	switch {
	case slices.ContainsFunc(n.Keys, v.Grants.Has):
		return nil
	case len(n.Keys) > 0:
		return lacksScope(n.Keys)
	case n.Hidden:
		return fault.NotFoundf("There is no such record for an environment's API key; %s.", other)
	}
	return fault.Forbiddenf("An environment's API key does not reach this; %s.", other)
}

func (n Need) ofOrganizationKey(v viewer.Viewer) error {
	switch {
	case slices.ContainsFunc(n.Organization, v.Grants.Has):
		return nil
	case len(n.Organization) > 0:
		return lacksScope(n.Organization)
	}
	return fault.Forbiddenf("An organization key does not reach this; use an environment's API key or a member's log-in.")
}

func lacksScope(grants []viewer.Grant) error {
	names := make([]string, len(grants))
	for i, g := range grants {
		names[i] = string(g)
	}
	return fault.Forbiddenf("This needs a key with the scope %s.", strings.Join(names, " or "))
}
