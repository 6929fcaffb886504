package access_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// statements writes down what goes to Postgres.
type statements struct {
	mu   sync.Mutex
	seen []string
}

var blanks = regexp.MustCompile(`\s+`)

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if _, limited := ctx.Deadline(); limited || ctx.Value(watched{}) == nil {
		return ctx // of another request, or behind the answer: letters have a time limit
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, blanks.ReplaceAllString(data.SQL, " "))
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// watched marks the context of a request whose statements count.
type watched struct{}

// TestKnownAndUnknownAddressesCostTheSame compares answers and work: the statements of the request, and how many passwords
// were hashed.
func TestKnownAndUnknownAddressesCostTheSame(t *testing.T) {
	t.Parallel()
	seen, hashes := &statements{}, atomic.Int64{}
	db := pgtest.OpenTraced(t, pgtest.NewURL(t), seen)
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	held := make(chan struct{}) // letters go out behind the answer
	now := time.Now().UTC().Truncate(time.Microsecond)
	o := &notifytest.Office{DB: db}
	o.Services = notify.New(usecase.Config{
		DB: db, Secrets: keeper, Now: func() time.Time { return now }, Passwords: auth.NewPasswords(func() { hashes.Add(1) }),
		PublicURL: "https://notify.example.org", Mail: func(context.Context, usecase.Mail) error { <-held; return nil },
	})
	o.Scope = o.MakeOrganization(t)
	admin, elsewhere := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.MakeOrganization(t), member.RoleOwner)

	type work struct {
		answer     string
		statements []string
		hashes     int64
	}
	of := func(ctx context.Context, request func(context.Context) string) work {
		before := hashes.Load()
		answer := request(context.WithValue(ctx, watched{}, true))
		seen.mu.Lock()
		defer seen.mu.Unlock()
		did := work{answer, seen.seen, hashes.Load() - before}
		seen.seen = nil
		return did
	}
	text := func(err error) string {
		if err == nil {
			return ""
		}
		return fault.KindOf(err).String() + " " + err.Error()
	}
	for name, request := range map[string]func(email string) work{
		"LogIn": func(email string) work {
			return of(t.Context(), func(ctx context.Context) string {
				_, err := o.Sessions.LogIn(ctx, access.LogInInput{Email: email, Password: "wrong"})
				return text(err)
			})
		},
		"LogInWithADevice": func(email string) work {
			return of(t.Context(), func(ctx context.Context) string {
				_, err := o.Sessions.LogIn(ctx, access.LogInInput{Email: email, Password: "wrong", Device: new("crd_x.y.z"), Code: new("123456")})
				return text(err)
			})
		},
		"RequestReset": func(email string) work {
			return of(t.Context(), func(ctx context.Context) string {
				_, err := o.Sessions.RequestReset(ctx, email)
				return text(err)
			})
		},
		"Invitation": func(email string) work {
			return of(admin.Ctx, func(ctx context.Context) string {
				made, err := o.Invitations.Create(ctx, access.CreateInvitationInput{Email: email, Role: member.RoleViewer})
				if err != nil {
					return text(err)
				}
				require.Equal(t, email, made.Invitation.Email)
				return string(made.Invitation.Role) + made.URL[:len(made.URL)-len(made.Token)]
			})
		},
		"AcceptInvitation": func(email string) work {
			made, err := o.Invitations.Create(admin.Ctx, access.CreateInvitationInput{Email: email, Role: member.RoleViewer})
			require.NoError(t, err)
			return of(t.Context(), func(ctx context.Context) string {
				_, err := o.Invitations.Accept(ctx, access.AcceptInvitationInput{Token: made.Token, Password: new("a long enough one")})
				return text(err)
			})
		},
	} {
		known, unknown := request(elsewhere.Email), request("nobody@example.org")
		require.NotEmpty(t, known.statements, name)
		require.Equal(t, known, unknown, name)
		if strings.HasPrefix(name, "LogIn") {
			require.EqualValues(t, 1, known.hashes, "%s: a wrong password is compared whether there is a person or not", name)
		}
	}
	close(held)
	o.Close(viewer.SystemContext(context.WithoutCancel(t.Context())))
}
