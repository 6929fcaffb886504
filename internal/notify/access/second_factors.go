package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// SecondFactors are the use cases by which people add a code of an authenticator application to their own password. It
// cannot be done for another person: only the server's operator removes a second factor whose owner lost it.
type SecondFactors struct{ sessions *Sessions }

// Begin makes a secret for the viewer's application. Nothing changes at log-ins until Confirm; beginning again replaces the
// secret.
func (f *SecondFactors) Begin(ctx context.Context, password string) (*auth.Enrolment, error) {
	s := f.sessions
	person, err := s.self(ctx, usecase.SetUpSecondFactor)
	if err != nil {
		return nil, err
	}
	if s.secrets == nil {
		return nil, fault.BadRequestf("NO_SECRETS", "This server keeps no secrets, and so no second factors.")
	}
	if person.PasswordHash == "" {
		return nil, fault.Conflictf("SECOND_FACTOR_ELSEWHERE", "You log in through your identity provider, which asks for second factors itself: set yours up there.")
	}
	if err := s.ownPassword(ctx, person, "password", &password); err != nil {
		return nil, f.explained(ctx, err)
	}
	factor, shown, err := auth.NewSecondFactor(person.Email)
	if err != nil {
		return nil, err
	}
	return change(ctx, f, usecase.SetUpSecondFactor, person, func(ctx context.Context, _ *ent.Client, person *ent.User) (*auth.Enrolment, error) {
		if person.SecondFactorAt != nil {
			return nil, fault.Conflictf("SECOND_FACTOR_ON", "You have a second factor already; remove it first.")
		}
		return &shown, f.store(ctx, person, factor, nil)
	})
}

// explained adds, for a person whom an issuer verified and who gave a wrong password, that they need none.
func (f *SecondFactors) explained(ctx context.Context, err error) error {
	v, _ := viewer.FromContext(ctx)
	if fault.KindOf(err) != fault.Invalid {
		return err
	}
	elsewhere, readErr := verifiedElsewhere(ctx, f.sessions.DB.Client(ctx), v)
	if readErr != nil || !elsewhere {
		return err
	}
	return fault.Invalidf("password", "is not right; you are logged in through your identity provider, which asks for second factors itself: "+
		"one set up here is asked for at log-ins with your password only")
}

// Confirm switches the second factor on when the application shows the right code, and returns recovery codes, which cannot
// be read again. The person's other log-ins end.
func (f *SecondFactors) Confirm(ctx context.Context, code string) ([]string, error) {
	s := f.sessions
	person, err := s.self(ctx, usecase.SetUpSecondFactor)
	if err != nil {
		return nil, err
	}
	v, _ := viewer.FromContext(ctx)
	key := tryKey("confirm", v.SessionID)
	if err := s.try(ctx, key, codeTries); err != nil {
		return nil, err
	}
	codes, err := change(ctx, f, usecase.SetUpSecondFactor, person, func(ctx context.Context, db *ent.Client, person *ent.User) ([]string, error) {
		if len(person.SecondFactor) == 0 || person.SecondFactorAt != nil || s.secrets == nil {
			return nil, fault.Conflictf("SECOND_FACTOR_NOT_BEGUN", "Begin with a new secret first.")
		}
		factor, err := auth.OpenSecondFactor(s.secrets, person.ID, person.SecondFactor)
		if err != nil {
			return nil, err
		}
		if !factor.AcceptCode(code, s.Now()) {
			return nil, fault.Invalidf("code", "is not right; check the time of your device")
		}
		codes := factor.NewRecoveryCodes()
		if err := f.store(ctx, person, factor, new(s.Stamp())); err != nil {
			return nil, err
		}
		if err := s.endOthers(ctx, db, v); err != nil {
			return nil, err
		}
		return codes, usecase.Audit(ctx, db, "confirm_second_factor", person, nil)
	})
	if err == nil {
		err = pgaccess.EndTries(ctx, s.DB, key)
	}
	return codes, err
}

// RemoveSecondFactorInput proves by one of the two that the person is more than a passer-by at their screen.
type RemoveSecondFactorInput struct {
	Password *string
	Code     *string // of the application, or a recovery code
}

// Remove switches the viewer's own second factor off, for the password or a code.
func (f *SecondFactors) Remove(ctx context.Context, in RemoveSecondFactorInput) (*ent.User, error) {
	s := f.sessions
	person, err := s.self(ctx, usecase.ManageOwnLogIn)
	if err != nil {
		return nil, err
	}
	if err := f.prove(ctx, person, in.Password, in.Code); err != nil {
		return nil, err
	}
	return change(ctx, f, usecase.ManageOwnLogIn, person, func(ctx context.Context, db *ent.Client, person *ent.User) (*ent.User, error) {
		updated, err := person.Update().ClearSecondFactor().ClearSecondFactorAt().Save(viewer.SystemContext(ctx))
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "remove_second_factor", updated, nil)
	})
}

// ReplaceRecoveryCodesInput proves by one of the two that the person is more than a passer-by at their screen.
type ReplaceRecoveryCodesInput struct {
	Password *string
	Code     *string // of the application, or a recovery code
}

// ReplaceRecoveryCodes makes new recovery codes for the viewer's own second factor and returns them, this once; the old ones
// end.
func (f *SecondFactors) ReplaceRecoveryCodes(ctx context.Context, in ReplaceRecoveryCodesInput) ([]string, error) {
	s := f.sessions
	person, err := s.self(ctx, usecase.ManageOwnLogIn)
	if err != nil {
		return nil, err
	}
	none := fault.Conflictf("NO_SECOND_FACTOR", "You have no second factor; set it up first.")
	if person.SecondFactorAt == nil || s.secrets == nil {
		return nil, none
	}
	if err := f.prove(ctx, person, in.Password, in.Code); err != nil {
		return nil, err
	}
	return change(ctx, f, usecase.ManageOwnLogIn, person, func(ctx context.Context, db *ent.Client, person *ent.User) ([]string, error) {
		if person.SecondFactorAt == nil {
			return nil, none
		}
		factor, err := auth.OpenSecondFactor(s.secrets, person.ID, person.SecondFactor)
		if err != nil {
			return nil, err
		}
		codes := factor.NewRecoveryCodes()
		if err := f.store(ctx, person, factor, nil); err != nil {
			return nil, err
		}
		return codes, usecase.Audit(ctx, db, "replace_recovery_codes", person, nil)
	})
}

// prove refuses unless a person who is logged in gives a code of their second factor or, without one, their password.
func (f *SecondFactors) prove(ctx context.Context, person *ent.User, password, code *string) error {
	if code == nil {
		return f.sessions.ownPassword(ctx, person, "password", password)
	}
	accepted, err := f.sessions.secondFactorOf(ctx, person.ID, *code)
	if err == nil && !accepted {
		err = fault.Invalidf("code", "is not right, or was used before")
	}
	return err
}

// store keeps a second factor; confirmed says since when it counts (nil: as before).
func (f *SecondFactors) store(ctx context.Context, person *ent.User, factor auth.SecondFactor, confirmed *time.Time) error {
	sealed, err := factor.Seal(f.sessions.secrets, person.ID)
	if err != nil {
		return err
	}
	return person.Update().SetSecondFactor(sealed).SetNillableSecondFactorAt(confirmed).Exec(viewer.SystemContext(ctx))
}

// change runs a change of the viewer's own second factor, one at a time.
func change[T any](ctx context.Context, f *SecondFactors, need usecase.Need, person *ent.User, fn func(ctx context.Context, db *ent.Client, person *ent.User) (T, error)) (T, error) {
	return usecase.Write(ctx, f.sessions.Deps, need, func(ctx context.Context, db *ent.Client) (T, error) {
		tx, _ := postgres.TxFromContext(ctx)
		locked, err := lockPerson(viewer.SystemContext(ctx), tx, user.ID(person.ID))
		if err != nil {
			return *new(T), usecase.NotFound(err, "The user was not found.")
		}
		return fn(ctx, db, locked)
	})
}
