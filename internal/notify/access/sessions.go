package access

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Sessions are the use cases of people who log in, and of their passwords.
type Sessions struct {
	proofs
	members *Members
	letters *letters
}

func newSessions(b usecase.Deps, cfg usecase.Config, members *Members) *Sessions {
	if cfg.Passwords == nil {
		cfg.Passwords = auth.NewPasswords(nil)
	}
	return &Sessions{
		proofs:  proofs{Deps: b, secrets: cfg.Secrets, passwords: cfg.Passwords, fresh: &atomic.Int64{}},
		members: members,
		letters: newLetters(cfg),
	}
}

// SessionTTL is how long a log-in lasts.
const SessionTTL = 12 * time.Hour

// start begins a session; elsewhere says that an OpenID Connect issuer verified the person.
func (s *Sessions) start(ctx context.Context, person *ent.User, environmentID *string, elsewhere bool) (out *LogInPayload, err error) {
	err = s.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) (err error) {
		if person.PasswordHash != "" { // it may have been changed while it was checked
			now, err := lockPerson(ctx, tx, user.ID(person.ID), user.PasswordHash(person.PasswordHash))
			if err != nil {
				return usecase.NotFound(err, "The password was changed meanwhile. Log in again.")
			}
			if !elsewhere && now.SecondFactorAt != nil && (person.SecondFactorAt == nil || !now.SecondFactorAt.Equal(*person.SecondFactorAt)) {
				return errCodeMissing // a second factor was set up meanwhile, which ended the log-ins without it
			}
		}
		out, err = s.begin(ctx, tx.Ent, person, environmentID, elsewhere, s.Stamp().Add(SessionTTL))
		return err
	})
	return out, postgres.Translate(err)
}

func (s *Sessions) begin(ctx context.Context, db *ent.Client, person *ent.User, environmentID *string, elsewhere bool, expires time.Time) (*LogInPayload, error) {
	memberships, err := db.Member.Query().Where(member.UserID(person.ID)).All(ctx)
	if err != nil {
		return nil, err
	}
	organizations := make([]string, len(memberships))
	for i, m := range memberships {
		organizations[i] = m.OrganizationID
	}
	query := db.Environment.Query().Where(environment.OrganizationIDIn(organizations...))
	if environmentID != nil {
		wanted, err := usecase.RecordID("Environment", *environmentID)
		if err != nil {
			return nil, err
		}
		query = query.Where(environment.ID(wanted))
	}
	query = query.Order(ent.Asc(environment.FieldID))
	env, err := query.Clone().Where(environment.Suspended(false), environment.HasOrganizationWith(
		organization.Suspended(false), organization.MoveEQ(organization.MoveNone))).First(ctx)
	if ent.IsNotFound(err) { // the answer to whatever the log-in is used for says why none takes requests
		env, err = query.First(ctx)
	}
	if err != nil {
		return nil, usecase.NotFound(err, "There is no such environment for this person.")
	}
	token := auth.NewSessionToken(s.Cell)
	err = db.Session.Create().SetUserID(person.ID).SetEnvironmentID(env.ID).SetHash(auth.HashKey(token)).
		SetVerifiedElsewhere(elsewhere).SetExpiresAt(expires).Exec(ctx)
	if err != nil {
		return nil, err
	}
	if person, err = db.User.UpdateOneID(person.ID).SetLastLoginAt(s.Stamp()).Save(ctx); err != nil {
		return nil, err
	}
	if err := usecase.Audit(asPerson(ctx, person, env.OrganizationID, env), db, "log_in", person, nil); err != nil {
		return nil, err
	}
	return &LogInPayload{Token: token, ExpiresAt: expires, User: person, Environment: env}, nil
}

// LogOut ends the viewer's own log-in, also on open connections, or with everywhere all of the person's.
func (s *Sessions) LogOut(ctx context.Context, everywhere bool) (bool, error) {
	v, err := usecase.Require(ctx, usecase.SetUpSecondFactor)
	if err != nil {
		return false, err
	}
	if v.SessionID == "" {
		return false, fault.Forbiddenf("Only a log-in can end: this is an API key.")
	}
	// All of a person's log-ins may lie in several environments.
	err = s.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		if err := lockLogIns(ctx, tx.Ent, v.UserID); err != nil {
			return err
		}
		if err := s.AccessOfChanged(ctx, tx.Ent, v.UserID); err != nil {
			return err
		}
		change := tx.Ent.Session.Update().Where(session.UserID(v.UserID), session.RevokedAtIsNil()).SetRevokedAt(s.Stamp())
		if !everywhere {
			change = change.Where(session.ID(v.SessionID))
		}
		if err := change.Exec(ctx); err != nil {
			return err
		}
		return usecase.Audit(viewer.NewContext(ctx, v), tx.Ent, "log_out", &ent.User{ID: v.UserID}, map[string]any{"everywhere": everywhere})
	})
	return err == nil, postgres.Translate(err)
}

// End ends the log-ins of another member in the viewer's organization; those in other organizations remain.
func (s *Sessions) End(ctx context.Context, userID string) (*ent.User, error) {
	return usecase.Write(ctx, s.Deps, usecase.ChangePeople, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		ctx, err := lockMembers(ctx, db)
		if err != nil {
			return nil, err
		}
		found, err := s.members.ByUser(ctx, userID)
		if err != nil {
			return nil, err
		}
		if err := mayGovern(ctx, db, found, &found.Role); err != nil {
			return nil, err
		}
		if err := s.members.endLogIns(ctx, db, found.UserID); err != nil {
			return nil, err
		}
		return found.Edges.User, usecase.Audit(ctx, db, "end_log_ins", found.Edges.User, nil)
	})
}

// lockLogIns keeps a person's log-ins from moving until the transaction ends: one that moves meanwhile would be missed by what ends
// them.
func lockLogIns(ctx context.Context, db *ent.Client, userID string) error {
	_, err := db.User.Query().Where(user.ID(userID)).ForUpdate().Exist(viewer.SystemContext(ctx))
	return err
}

// endAll ends all log-ins of a person, in every organization. Who may is decided before.
func (s *Sessions) endAll(ctx context.Context, db *ent.Client, userID string) error {
	if err := lockLogIns(ctx, db, userID); err != nil {
		return err
	}
	if err := s.AccessOfChanged(ctx, db, userID); err != nil {
		return err
	}
	return db.Session.Update().Where(session.UserID(userID), session.RevokedAtIsNil()).SetRevokedAt(s.Stamp()).Exec(viewer.SystemContext(ctx))
}

// endOthers ends all of the viewer's own log-ins but this one.
func (s *Sessions) endOthers(ctx context.Context, db *ent.Client, v viewer.Viewer) error {
	if err := s.AccessOfChanged(ctx, db, v.UserID); err != nil {
		return err
	}
	return db.Session.Update().Where(session.UserID(v.UserID), session.IDNEQ(v.SessionID), session.RevokedAtIsNil()).
		SetRevokedAt(s.Stamp()).Exec(viewer.SystemContext(ctx))
}

// Move continues a log-in in another environment of the person's: a new one begins, and the present one ends. It lasts no longer
// by that.
func (s *Sessions) Move(ctx context.Context, environmentID string) (*LogInPayload, error) {
	v, err := usecase.Require(ctx, usecase.ManageOwnLogIn)
	if err != nil {
		return nil, err
	}
	if v.SessionID == "" {
		return nil, fault.Forbiddenf("Only a log-in can move: this is an API key.")
	}
	var out *LogInPayload
	err = s.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		ended := fault.Unauthenticatedf("The log-in has ended. Log in again.")
		person, err := lockPerson(ctx, tx, user.ID(v.UserID))
		if ent.IsNotFound(err) {
			return ended
		}
		if err != nil {
			return err
		}
		present, err := tx.Ent.Session.Query().Where(session.ID(v.SessionID), session.RevokedAtIsNil()).Only(ctx) // under the lock
		if ent.IsNotFound(err) {
			return ended
		}
		if err != nil {
			return err
		}
		if out, err = s.begin(ctx, tx.Ent, person, &environmentID, present.VerifiedElsewhere, present.ExpiresAt); err != nil {
			return err
		}
		return tx.Ent.Session.Update().Where(session.ID(v.SessionID)).SetRevokedAt(s.Stamp()).Exec(ctx)
	})
	s.AccessChanged(ctx)
	return out, postgres.Translate(err)
}

// verifiedElsewhere reports whether an OpenID Connect issuer verified the person at the viewer's log-in.
func verifiedElsewhere(ctx context.Context, db *ent.Client, v viewer.Viewer) (bool, error) {
	return db.Session.Query().Where(session.ID(v.SessionID), session.VerifiedElsewhere(true)).Exist(viewer.SystemContext(ctx))
}

// Current is who is asking.
type Current struct {
	Role               viewer.Role
	User               *ent.User      // nil: a key
	Scopes             []viewer.Grant // of an environment's key; nil: another credential
	OrganizationScopes []viewer.Grant // of an organization's key; nil: another credential
	Environment        *ent.Environment

	SecondFactorMissing bool // and required
	VerifiedElsewhere   bool // an OpenID Connect issuer verified the person
}

// Current returns who is asking and for which environment. An organization's key has none, and people do not exist for an
// environment's.
func (s *Sessions) Current(ctx context.Context) (*Current, error) {
	return usecase.Read(ctx, s.Deps, usecase.AnyCredentialEnrolling, func(ctx context.Context, db *ent.Client) (*Current, error) {
		v, _ := viewer.FromContext(ctx)
		out := &Current{Role: v.Role, SecondFactorMissing: v.Enrolling}
		if v.OrganizationKeyID != "" {
			out.OrganizationScopes = v.Grants.List()
			return out, nil
		}
		var err error
		if out.Environment, err = db.Environment.Query().Where(environment.ID(v.EnvironmentID)).Only(ctx); err != nil {
			return nil, usecase.NotFound(err, "The environment was not found.")
		}
		if v.APIKeyID != "" {
			out.Scopes = v.Grants.List()
			return out, nil
		}
		out.User, err = db.User.Query().Where(user.ID(v.UserID)).Only(ctx)
		if ent.IsNotFound(err) {
			err = nil
		}
		if err == nil && v.SessionID != "" {
			out.VerifiedElsewhere, err = verifiedElsewhere(ctx, db, v)
		}
		return out, err
	})
}
