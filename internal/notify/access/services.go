// Package access owns the use cases of who may do what: organizations, environments, keys, users, members, invitations,
// log-ins, tokens of subscribers and the audit log.
package access

import (
	"context"

	"github.com/carillon/carillon/internal/notify/usecase"
)

// Services are the use cases of this package.
type Services struct {
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

// New builds the use cases. defaults make the records that a new environment starts with.
func New(b usecase.Deps, cfg usecase.Config, defaults ...environmentDefault) Services {
	members := &Members{b}
	sessions := newSessions(b, cfg, members)
	environments := &Environments{b, defaults}
	return Services{
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
func (s Services) Close(ctx context.Context) { s.Sessions.letters.wait(ctx) }
