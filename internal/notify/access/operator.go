package access

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Operator are the use cases of whoever runs the server and owns its database: what is not allowed over HTTP, because it
// reaches into other people's accounts. Only the command line calls them.
type Operator struct {
	usecase.Deps
	sessions *Sessions
	members  *Members
}

// CreatePersonInput describes a person who can log in at once.
type CreatePersonInput struct {
	Email    string
	Role     member.Role
	Password string
}

// CreatePerson makes a person with a password and a member of the viewer's organization, or nothing at all.
func (o *Operator) CreatePerson(ctx context.Context, in CreatePersonInput) (*ent.Member, error) {
	in.Email = normalEmail(in.Email)
	var problems fault.Problems
	checkEmail(&problems, "email", in.Email)
	checkPassword(&problems, in.Password)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	hash, err := o.sessions.hash(ctx, in.Password)
	if err != nil {
		return nil, err
	}
	return o.write(ctx, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		person, err := db.User.Create().SetEmail(in.Email).SetPasswordHash(hash).Save(viewer.SystemContext(ctx))
		if err != nil {
			return nil, usecase.AlreadyExists(err, "%s has an account already; its password stays. To make them a member: carillon users invite", in.Email)
		}
		made, err := db.Member.Create().SetUserID(person.ID).SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, err
		}
		made.Edges.User = person
		return made, usecase.Audit(ctx, db, "create", made, map[string]any{"email": in.Email, "role": in.Role})
	})
}

// SetPassword sets a member's password, which ends their log-ins.
func (o *Operator) SetPassword(ctx context.Context, email, password string) (*ent.Member, error) {
	var problems fault.Problems
	checkPassword(&problems, password)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	hash, err := o.sessions.hash(ctx, password)
	if err != nil {
		return nil, err
	}
	return o.change(ctx, email, "set_password", func(ctx context.Context, db *ent.Client, person *ent.User) error {
		_, err := o.sessions.replacePassword(ctx, db, person, hash, resetLinks{})
		return err
	})
}

// CreateReset makes a link by which a member sets a new password. Unlike one of an admin it counts for members of several
// organizations as well.
func (o *Operator) CreateReset(ctx context.Context, email string) (*CreatePasswordResetPayload, error) {
	s := o.sessions
	out := &CreatePasswordResetPayload{ExpiresAt: s.Stamp().Add(linkTTL)}
	_, err := o.change(ctx, email, "create_password_reset", func(ctx context.Context, _ *ent.Client, person *ent.User) error {
		out.User, out.Token = person, newResetToken(person.ID)
		out.URL = s.letters.link(resetPath, out.Token)
		before, err := readResetLinks(person)
		if err != nil {
			return err
		}
		links := resetLinks{Mailed: &resetLink{Hash: auth.HashKey(out.Token), MadeAt: s.Stamp()}, SetByShown: before.SetByShown}
		return storeResetLinks(ctx, person, links)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ResetSecondFactor removes the second factor of a member who lost it; their log-ins end.
func (o *Operator) ResetSecondFactor(ctx context.Context, email string) (*ent.Member, error) {
	return o.change(ctx, email, "reset_second_factor", func(ctx context.Context, db *ent.Client, person *ent.User) error {
		if len(person.SecondFactor) == 0 {
			return fault.Conflictf("NO_SECOND_FACTOR", "%s has no second factor.", person.Email)
		}
		if err := o.sessions.endAll(ctx, db, person.ID); err != nil {
			return err
		}
		return person.Update().ClearSecondFactor().ClearSecondFactorAt().Exec(viewer.SystemContext(ctx))
	})
}

// change runs a change of a member's account.
func (o *Operator) change(ctx context.Context, email, action string, fn func(ctx context.Context, db *ent.Client, person *ent.User) error) (*ent.Member, error) {
	return o.write(ctx, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		found, err := db.Member.Query().Where(member.HasUserWith(user.Email(normalEmail(email)))).Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "There is no member with the address %s.", email)
		}
		tx, _ := postgres.TxFromContext(ctx)
		person, err := lockPerson(viewer.SystemContext(ctx), tx, user.ID(found.UserID))
		if err != nil {
			return nil, err
		}
		if err := fn(ctx, db, person); err != nil {
			return nil, err
		}
		found.Edges.User = person
		return found, usecase.Audit(ctx, db, action, person, nil)
	})
}

// Write refuses whoever came through a door: they have a credential.
func (o *Operator) write(ctx context.Context, fn func(ctx context.Context, db *ent.Client) (*ent.Member, error)) (*ent.Member, error) {
	if v, ok := viewer.FromContext(ctx); !ok || v.UserID != "" || v.SessionID != "" || v.APIKeyID != "" || v.OrganizationKeyID != "" || !v.At(viewer.RoleOwner) {
		return nil, fault.Forbiddenf("Only the server's operator can do this, on the command line.")
	}
	return usecase.Write(ctx, o.Deps, usecase.ChangePeople, fn)
}
