package notify

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Sessions are the use cases of people who log in, and of their passwords.
type Sessions struct {
	base
	users *Users

	byAccount, byAddress tries
}

// SessionTTL is how long a log-in lasts.
const SessionTTL = 12 * time.Hour

// The bounds of passwords, in characters.
const (
	minPassword = 10
	maxPassword = 200
)

// LogInInput is what a person proves who they are with.
type LogInInput struct {
	Email         string
	Password      string
	EnvironmentID *string // global or internal id; nil: the oldest of the person's organizations
}

// LogInPayload is a new log-in. Its token cannot be read again.
type LogInPayload struct {
	Token       string
	ExpiresAt   time.Time
	User        *ent.User
	Environment *ent.Environment
}

// LogIn begins a session in one environment. Like LogInVerified it needs no viewer. Guesses are limited in each process:
// for one account to five at once and one more each half minute, from one network address to thirty at once and one more
// every two seconds.
func (s *Sessions) LogIn(ctx context.Context, in LogInInput) (*LogInPayload, error) {
	email := normalEmail(in.Email)
	if address := viewer.Address(ctx); address != "" && !s.byAddress.allow(address, s.now(), rate.Every(2*time.Second), 30) {
		return nil, &fault.Error{Kind: fault.RateLimited, Message: "Too many log-ins from this network address. Try again in a minute."}
	}
	if !s.byAccount.allow(email, s.now(), rate.Every(30*time.Second), 5) {
		return nil, &fault.Error{Kind: fault.RateLimited, Message: "Too many log-ins for this address. Try again in half a minute."}
	}
	person, err := s.personOf(ctx, email)
	if err != nil {
		return nil, err
	}
	hash := ""
	if person != nil {
		hash = person.PasswordHash
	}
	if len(in.Password) > 4*maxPassword || !auth.PasswordMatches(hash, in.Password) {
		return nil, fault.Unauthenticatedf("The address or the password is not right.")
	}
	return s.start(ctx, person, in.EnvironmentID)
}

// LogInVerified begins a session of the member who has an e-mail address that somebody trusted has verified.
func (s *Sessions) LogInVerified(ctx context.Context, email string) (*LogInPayload, error) {
	person, err := s.personOf(ctx, normalEmail(email))
	if err != nil {
		return nil, err
	}
	if person == nil {
		return nil, fault.Forbiddenf("Nobody with your e-mail address is a member here. Ask an administrator to add you.")
	}
	return s.start(ctx, person, nil)
}

// personOf is the person with an e-mail address; nil when there is none.
func (s *Sessions) personOf(ctx context.Context, email string) (*ent.User, error) {
	ctx = viewer.SystemContext(ctx)
	person, err := s.db.Client(ctx).User.Query().Where(user.Email(email)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // nobody is an answer, and takes as long as somebody
	}
	return person, postgres.Translate(err)
}

func (s *Sessions) start(ctx context.Context, person *ent.User, environmentID *string) (out *LogInPayload, err error) {
	err = s.db.InTx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) (err error) {
		out, err = s.begin(ctx, tx.Ent, person, environmentID)
		return err
	})
	return out, postgres.Translate(err)
}

func (s *Sessions) begin(ctx context.Context, db *ent.Client, person *ent.User, environmentID *string) (*LogInPayload, error) {
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
		wanted, err := recordID("Environment", *environmentID)
		if err != nil {
			return nil, err
		}
		query = query.Where(environment.ID(wanted))
	}
	env, err := query.Order(ent.Asc(environment.FieldID)).First(ctx)
	if err != nil {
		return nil, notFound(err, "There is no such environment for this person.")
	}
	token, expires := auth.NewSessionToken(), s.stamp().Add(SessionTTL)
	err = db.Session.Create().SetUserID(person.ID).SetEnvironmentID(env.ID).SetHash(auth.HashKey(token)).SetExpiresAt(expires).Exec(ctx)
	if err != nil {
		return nil, err
	}
	if person, err = db.User.UpdateOneID(person.ID).SetLastLoginAt(s.stamp()).Save(ctx); err != nil {
		return nil, err
	}
	as := viewer.Viewer{Scope: viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID}, Role: viewer.RoleViewer, UserID: person.ID}
	if err := audit(viewer.NewContext(ctx, as), db, "log_in", person, nil); err != nil {
		return nil, err
	}
	return &LogInPayload{Token: token, ExpiresAt: expires, User: person, Environment: env}, nil
}

// LogOut ends the viewer's own log-in, also on open connections, or with everywhere all of the person's.
func (s *Sessions) LogOut(ctx context.Context, everywhere bool) (bool, error) {
	v, err := allowed(ctx, viewer.RoleViewer)
	if err != nil {
		return false, err
	}
	if v.SessionID == "" {
		return false, fault.Forbiddenf("Only a log-in can end: this is an API key.")
	}
	// All of a person's log-ins may lie in several environments.
	err = s.db.InTx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		if err := s.accessOfChanged(ctx, tx.Ent, v.UserID); err != nil {
			return err
		}
		change := tx.Ent.Session.Update().Where(session.UserID(v.UserID), session.RevokedAtIsNil()).SetRevokedAt(s.stamp())
		if !everywhere {
			change = change.Where(session.ID(v.SessionID))
		}
		if err := change.Exec(ctx); err != nil {
			return err
		}
		return audit(viewer.NewContext(ctx, v), tx.Ent, "log_out", &ent.User{ID: v.UserID}, map[string]any{"everywhere": everywhere})
	})
	return err == nil, postgres.Translate(err)
}

// Move goes on with a log-in in another environment of the person's: a new one begins, and the present one ends.
func (s *Sessions) Move(ctx context.Context, environmentID string) (*LogInPayload, error) {
	v, err := allowed(ctx, viewer.RoleViewer)
	if err != nil {
		return nil, err
	}
	if v.SessionID == "" {
		return nil, fault.Forbiddenf("Only a log-in can move: this is an API key.")
	}
	var out *LogInPayload
	err = s.db.InTx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		person, err := tx.Ent.User.Get(ctx, v.UserID)
		if err != nil {
			return err
		}
		if out, err = s.begin(ctx, tx.Ent, person, &environmentID); err != nil {
			return err
		}
		return tx.Ent.Session.Update().Where(session.ID(v.SessionID)).SetRevokedAt(s.stamp()).Exec(ctx)
	})
	s.accessChanged(ctx)
	return out, postgres.Translate(err)
}

// SetPasswordInput changes a password.
type SetPasswordInput struct {
	UserID          *string // global or internal id; nil: one's own
	Password        string
	CurrentPassword *string // required for one's own
}

// SetPassword changes one's own password, or as an admin that of somebody who belongs to this organization alone. All
// log-ins of that person end.
func (s *Sessions) SetPassword(ctx context.Context, in SetPasswordInput) (*ent.User, error) {
	var p fault.Problems
	if n := len([]rune(in.Password)); n < minPassword || n > maxPassword {
		p.Add("password", nil, "must have %d to %d characters", minPassword, maxPassword)
	}
	if p.Any() {
		return nil, p.Err()
	}
	hash, err := auth.HashPassword(in.Password)
	if err != nil {
		return nil, err
	}
	return write(ctx, s.base, viewer.RoleViewer, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := s.whose(ctx, db, in)
		if err != nil {
			return nil, err
		}
		if err := s.accessOfChanged(ctx, db, found.ID); err != nil {
			return nil, err
		}
		system := viewer.SystemContext(ctx)
		updated, err := db.User.UpdateOneID(found.ID).SetPasswordHash(hash).Save(system)
		if err != nil {
			return nil, err
		}
		if err := db.Session.Update().Where(session.UserID(found.ID), session.RevokedAtIsNil()).SetRevokedAt(s.stamp()).Exec(system); err != nil {
			return nil, err
		}
		return updated, audit(ctx, db, "set_password", updated, nil)
	})
}

// whose is the person whose password changes, when the viewer may.
func (s *Sessions) whose(ctx context.Context, db *ent.Client, in SetPasswordInput) (*ent.User, error) {
	v, _ := viewer.FromContext(ctx)
	if in.UserID == nil && v.UserID == "" {
		return nil, fault.Invalidf("userId", "is required: an API key belongs to nobody in particular")
	}
	if own := in.UserID == nil || sameRecord("User", *in.UserID, v.UserID); !own {
		if _, err := allowed(ctx, viewer.RoleAdmin); err != nil {
			return nil, err
		}
		found, err := s.users.Get(ctx, *in.UserID)
		if err != nil {
			return nil, err
		}
		return found, s.users.mayChange(ctx, db, found)
	}
	found, err := db.User.Query().Where(user.ID(v.UserID)).Only(ctx)
	if err != nil {
		return nil, notFound(err, "The user was not found.")
	}
	return found, s.proves(found, in.CurrentPassword)
}

// proves that somebody who is logged in knows their own password. Guesses are limited as those of log-ins are: whoever took
// over a log-in does not learn the password by it.
func (s *Sessions) proves(person *ent.User, password *string) error {
	if password == nil {
		return fault.Invalidf("currentPassword", "is required")
	}
	if !s.byAccount.allow(person.Email, s.now(), rate.Every(30*time.Second), 5) {
		return &fault.Error{Kind: fault.RateLimited, Message: "Too many tries with this password. Try again in half a minute."}
	}
	if !auth.PasswordMatches(person.PasswordHash, *password) {
		return fault.Invalidf("currentPassword", "is not right")
	}
	return nil
}

func sameRecord(typ, given, record string) bool {
	found, err := recordID(typ, given)
	return err == nil && found == record
}

// Current is who is asking.
type Current struct {
	Role        viewer.Role
	User        *ent.User // nil: an API key that belongs to nobody in particular
	Environment *ent.Environment
}

// Current tells who is asking and for which environment.
func (s *Sessions) Current(ctx context.Context) (*Current, error) {
	return read(ctx, s.base, func(ctx context.Context, db *ent.Client) (*Current, error) {
		v, _ := viewer.FromContext(ctx)
		env, err := db.Environment.Query().Where(environment.ID(v.EnvironmentID)).Only(ctx)
		if err != nil {
			return nil, notFound(err, "The environment was not found.")
		}
		out := &Current{Role: v.Role, Environment: env}
		if v.UserID != "" {
			out.User, err = db.User.Query().Where(user.ID(v.UserID)).Only(ctx)
			if ent.IsNotFound(err) {
				err = nil
			}
		}
		return out, err
	})
}

// tries limits guesses by whom they come from or are about.
type tries struct {
	mu    sync.Mutex
	byKey map[string]*rate.Limiter
}

// maxTries bounds the keys that are remembered; beyond it all of them are forgotten, which gives a guesser no more than the
// restart of a process would.
const maxTries = 10_000

func (t *tries) allow(key string, now time.Time, every rate.Limit, burst int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil || len(t.byKey) > maxTries {
		t.byKey = map[string]*rate.Limiter{}
	}
	if t.byKey[key] == nil {
		t.byKey[key] = rate.NewLimiter(every, burst)
	}
	return t.byKey[key].AllowN(now, 1)
}
