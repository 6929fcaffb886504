package access

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// proofs checks what people prove who they are with: passwords and codes. Wrong ones are counted in the database, for all
// processes, by what they were for and where they came from together, so that one person's guesses never keep another out.
type proofs struct {
	usecase.Deps
	secrets   *secret.Keeper // nil: no second factors, and no device is known
	passwords *auth.Passwords
	fresh     *atomic.Int64 // rows made by this process since the table was trimmed
}

// The limits of guesses.
var (
	// passwordTries hold for one address from one network, or within one log-in.
	passwordTries = pgaccess.TryLimit{Free: 5, First: 2 * time.Second, Longest: 15 * time.Minute, Forget: 24 * time.Hour}
	// deviceTries hold for a device in which the person logged in before: guesses of others do not count there.
	deviceTries = pgaccess.TryLimit{Free: 50, First: 2 * time.Second, Longest: 15 * time.Minute, Forget: 24 * time.Hour}
	// codeTries hold for one person, wherever the codes come from: whoever enters one knows the password.
	codeTries = pgaccess.TryLimit{Free: 5, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: 24 * time.Hour}
	// resetTries hold for requests of links by mail.
	resetTries = pgaccess.TryLimit{Free: 3, First: time.Minute, Longest: time.Hour, Forget: 24 * time.Hour}
)

const (
	maxTryRows = 100_000
	trimEvery  = 1_000 // rows made by one process
)

// tryKey is what tries are counted under.
func tryKey(parts ...string) []byte { return auth.HashKey(strings.Join(parts, "\x00")) }

// try counts a try and refuses it while earlier ones delay it.
func (p *proofs) try(ctx context.Context, key []byte, limit pgaccess.TryLimit) error {
	tried, err := pgaccess.TryLogIn(ctx, p.DB, key, p.Stamp(), limit)
	if err != nil {
		return err
	}
	if tried.Wait > 0 {
		seconds := int((tried.Wait + time.Second - 1) / time.Second)
		return &fault.Error{
			Kind: fault.RateLimited, Message: "Too many wrong tries. Try again in " + (time.Duration(seconds) * time.Second).String() + ".",
			Details: map[string]any{fault.RetryAfter: seconds},
		}
	}
	if tried.Fresh && p.fresh.Add(1)%trimEvery == 0 {
		return pgaccess.TrimTries(ctx, p.DB, maxTryRows)
	}
	return nil
}

// passwordKey counts log-ins with an address from the network that a request came from.
func passwordKey(ctx context.Context, email string) []byte {
	return tryKey("password", email, viewer.Network(ctx))
}

// forgetTries forgets wrong log-ins with an address from the network that a request came from.
func (p *proofs) forgetTries(ctx context.Context, email string) error {
	return pgaccess.EndTries(ctx, p.DB, passwordKey(ctx, email))
}

// hash is what is stored of a new password.
func (p *proofs) hash(ctx context.Context, password string) (string, error) {
	return p.passwords.Hash(ctx, password)
}

// passwordOf reports whether a password is that of a person; nil: of no account, which takes as long. device is the token of a
// device in which the person logged in before.
func (p *proofs) passwordOf(ctx context.Context, person *ent.User, email, password, device string) (bool, error) {
	key, limit, hash, known := passwordKey(ctx, email), passwordTries, "", ""
	if person != nil {
		hash = person.PasswordHash
		if known = auth.KnownDevice(p.secrets, device, person.ID, hash, p.Now()); known != "" {
			key, limit = tryKey("device", person.ID, known), deviceTries
		}
	}
	if err := p.try(ctx, key, limit); err != nil {
		return false, err
	}
	matches, err := p.passwords.Matches(ctx, known != "", hash, password)
	if err != nil || !matches {
		return false, err
	}
	return true, pgaccess.EndTries(ctx, p.DB, key, passwordKey(ctx, email))
}

// ownPassword refuses unless a person who is logged in knows their own password. Whoever took over a log-in does not learn
// the password by it, nor keep the person from changing it in another log-in. Tries count by the end of the log-in, which stays the
// same in whatever environment it continues.
func (p *proofs) ownPassword(ctx context.Context, person *ent.User, path string, password *string) error {
	if password == nil {
		return fault.Invalidf(path, "is required")
	}
	v, _ := viewer.FromContext(ctx)
	present, err := p.DB.Client(ctx).Session.Get(viewer.SystemContext(ctx), v.SessionID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, "The log-in has ended. Log in again."))
	}
	key := tryKey("session", person.ID, present.ExpiresAt.UTC().Format(time.RFC3339Nano))
	if err := p.try(ctx, key, passwordTries); err != nil {
		return err
	}
	matches, err := p.passwords.Matches(ctx, true, person.PasswordHash, *password)
	if err != nil {
		return err
	}
	if !matches {
		return fault.Invalidf(path, "is not right")
	}
	return pgaccess.EndTries(ctx, p.DB, key)
}

// secondFactorOf reports whether a code is one of a person's: of their application, or a recovery code. It counts once.
func (p *proofs) secondFactorOf(ctx context.Context, personID, code string) (accepted bool, err error) {
	key := tryKey("code", personID)
	if !auth.IsRecoveryCode(code) { // those are beyond guessing, and let in whom guesses of others delay
		if err := p.try(ctx, key, codeTries); err != nil {
			return false, err
		}
	}
	err = p.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		person, err := lockPerson(ctx, tx, user.ID(personID))
		if err != nil {
			return err
		}
		if person.SecondFactorAt == nil || p.secrets == nil {
			return nil
		}
		factor, err := auth.OpenSecondFactor(p.secrets, person.ID, person.SecondFactor)
		if err != nil {
			return err
		}
		if accepted = factor.AcceptCode(code, p.Now()) || factor.AcceptRecoveryCode(code); !accepted {
			return nil
		}
		sealed, err := factor.Seal(p.secrets, person.ID)
		if err != nil {
			return err
		}
		return person.Update().SetSecondFactor(sealed).Exec(ctx)
	})
	if err == nil && accepted {
		err = pgaccess.EndTries(ctx, p.DB, key)
	}
	return accepted, postgres.Translate(err)
}

// LogInInput is what a person proves who they are with.
type LogInInput struct {
	Email         string
	Password      string
	Code          *string // of the second factor, or a recovery code
	Device        *string // what an earlier log-in in this device answered
	EnvironmentID *string // global or internal id; nil: the oldest of those that take requests
}

// LogInPayload is a new log-in. Its token cannot be read again.
type LogInPayload struct {
	Token       string
	ExpiresAt   time.Time
	Device      string // marks this device as known; "" when the server keeps no secrets
	User        *ent.User
	Environment *ent.Environment
}

// codeSecondFactor asks a client for a code and to log in again with it.
const codeSecondFactor = "SECOND_FACTOR_REQUIRED"

var errCodeMissing = &fault.Error{Kind: fault.Unauthenticated, Code: codeSecondFactor, Message: "Enter the code of your second factor, or a recovery code."}

// LogIn begins a session in one environment. Like LogInVerified it needs no viewer.
func (s *Sessions) LogIn(ctx context.Context, in LogInInput) (*LogInPayload, error) {
	wrong := fault.Unauthenticatedf("The address or the password is not right.")
	if len(in.Password) > 4*maxPassword || len(in.Email) > maxEmail {
		return nil, wrong
	}
	email := normalEmail(in.Email)
	person, err := s.personOf(ctx, email)
	if err != nil {
		return nil, err
	}
	right, err := s.passwordOf(ctx, person, email, in.Password, usecase.Text(in.Device))
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, wrong
	}
	if person.SecondFactorAt != nil {
		if usecase.Text(in.Code) == "" {
			return nil, errCodeMissing
		}
		accepted, err := s.secondFactorOf(ctx, person.ID, *in.Code)
		if err != nil {
			return nil, err
		}
		if !accepted {
			return nil, &fault.Error{Kind: fault.Unauthenticated, Code: codeSecondFactor, Message: "The code is not right, or was used before."}
		}
	}
	out, err := s.start(ctx, person, in.EnvironmentID, false)
	if err == nil {
		out.Device = auth.NewDeviceToken(s.secrets, person.ID, person.PasswordHash, s.Now())
	}
	return out, err
}

// LogInVerified begins a session of the member who has an e-mail address that a trusted party has verified. A second
// factor is that issuer's business.
func (s *Sessions) LogInVerified(ctx context.Context, email string) (*LogInPayload, error) {
	person, err := s.personOf(ctx, normalEmail(email))
	if err != nil {
		return nil, err
	}
	if person == nil {
		return nil, fault.Forbiddenf("Your e-mail address does not belong to a member of this organization. Ask an administrator to add you.")
	}
	return s.start(ctx, person, nil, true)
}

// personOf is the person with an e-mail address; nil when there is none.
func (s *Sessions) personOf(ctx context.Context, email string) (*ent.User, error) {
	ctx = viewer.SystemContext(ctx)
	person, err := s.DB.Client(ctx).User.Query().Where(user.Email(email)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // no account is an answer, and takes as long as one
	}
	return person, postgres.Translate(err)
}
