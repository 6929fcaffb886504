package notifytest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// RightPassword is the password of every Colleague.
const RightPassword = "correct horse battery"

// RightHash returns its hash, which is made once: hashing takes a while by design.
var RightHash = sync.OnceValues(func() (string, error) { return auth.HashPassword(RightPassword) })

// Office is a database with organizations of people, and a clock.
type Office struct {
	*notify.Services
	DB    *postgres.DB
	Scope viewer.Scope // of the first organization

	Mails []usecase.Mail // that were sent

	mu  sync.Mutex
	now time.Time
}

// NewOffice returns an Office with one organization, which sends mails or does not.
func NewOffice(t *testing.T, mailing bool) *Office {
	t.Helper()
	o := &Office{DB: pgtest.New(t), now: time.Now().UTC().Truncate(time.Microsecond)}
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	cfg := usecase.Config{DB: o.DB, Secrets: keeper, Now: o.Clock}
	if mailing {
		cfg.PublicURL = "https://notify.example.org"
		cfg.Mail = func(_ context.Context, m usecase.Mail) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.Mails = append(o.Mails, m)
			return nil
		}
	}
	o.Services = notify.New(cfg)
	o.Scope = o.MakeOrganization(t)
	return o
}

// MakeOrganization makes an organization with one environment.
func (o *Office) MakeOrganization(t *testing.T) viewer.Scope {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	org := o.DB.Ent.Organization.Create().SetName("Acme " + id.New(time.Now())).SaveX(system)
	env := o.DB.Ent.Environment.Create().SetOrganizationID(org.ID).SetIdentifier("development").SetName("Development").SaveX(system)
	return viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
}

// Clock returns the present.
func (o *Office) Clock() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.now
}

// Pass moves the clock on.
func (o *Office) Pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(d)
}

// Colleague is a person in one organization, and what they do there while logged in.
type Colleague struct {
	*ent.Member
	Email string
	Ctx   context.Context //nolint:containedctx // every call of a person has the same viewer
}

// Hire makes a member with RightPassword, who is logged in.
func (o *Office) Hire(t *testing.T, scope viewer.Scope, role member.Role) Colleague {
	t.Helper()
	hash, err := RightHash()
	require.NoError(t, err)
	email := string(role) + id.New(time.Now()) + "@example.org"
	person := o.DB.Ent.User.Create().SetEmail(email).SetPasswordHash(hash).SaveX(viewer.SystemContext(t.Context()))
	return o.Join(t, scope, person, role)
}

// Join makes a person a member, who is logged in.
func (o *Office) Join(t *testing.T, scope viewer.Scope, person *ent.User, role member.Role) Colleague {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	m := o.DB.Ent.Member.Create().SetOrganizationID(scope.OrganizationID).SetUserID(person.ID).SetRole(role).SaveX(system)
	session := o.DB.Ent.Session.Create().SetEnvironmentID(scope.EnvironmentID).SetUserID(person.ID).
		SetHash(auth.HashKey(auth.NewSessionToken(""))).SetExpiresAt(time.Now().Add(access.SessionTTL)).SaveX(system)
	return Colleague{m, person.Email, viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: scope, Role: viewer.Role(role), UserID: person.ID, SessionID: session.ID, Name: person.Email,
	})}
}

// OpenSessions counts the sessions of a person that have not ended.
func (o *Office) OpenSessions(t *testing.T, userID string) (n int) {
	t.Helper()
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), "SELECT count(*) FROM sessions WHERE user_id = $1 AND revoked_at IS NULL", userID).Scan(&n))
	return n
}
