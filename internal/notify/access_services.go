package notify

import "context"

// accessServices are the use cases of this package.
type accessServices struct {
	*Installation
	Organizations *Organizations
	Environments  *Environments
	APIKeys       *APIKeys
	// OrganizationKeys do the organization's own work.
	OrganizationKeys *OrganizationKeys
	Users            *Users
	Members          *Members
	Sessions         *Sessions
	SecondFactors    *SecondFactors
	Invitations      *Invitations
	Operator         *Operator
	Audit            *AuditEntries
	SubscriberTokens *SubscriberTokens
}

// newAccessServices builds the use cases. defaults make the records that a new environment starts with.
func newAccessServices(b base, cfg Config, defaults ...environmentDefault) accessServices {
	members := &Members{b}
	sessions := newSessions(b, cfg, members)
	environments := &Environments{b, defaults}
	return accessServices{
		Installation:     &Installation{b, environments},
		Organizations:    &Organizations{b},
		Environments:     environments,
		APIKeys:          &APIKeys{b, environments},
		OrganizationKeys: &OrganizationKeys{b},
		Users:            &Users{b, members},
		Members:          members,
		Sessions:         sessions,
		SecondFactors:    &SecondFactors{sessions},
		Invitations:      &Invitations{b, sessions, sessions.letters},
		Operator:         &Operator{b, sessions, members},
		Audit:            &AuditEntries{b},
		SubscriberTokens: &SubscriberTokens{b, cfg.Secrets, cfg.RefuseUnknown},
	}
}

// Close waits for the letters that no request waited for, at the longest until ctx ends.
func (s accessServices) Close(ctx context.Context) { s.Sessions.letters.wait(ctx) }
