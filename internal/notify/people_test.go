package notify_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

const rightPassword = "correct horse battery"

// rightHash is made once: hashing takes a while by design.
var rightHash = sync.OnceValues(func() (string, error) { return auth.HashPassword(rightPassword) })

// office is a database with organizations of people, and a clock.
type office struct {
	*notify.Services
	db    *postgres.DB
	scope viewer.Scope // of the first organization

	mu    sync.Mutex
	now   time.Time
	mails []usecase.Mail
}

func newOffice(t *testing.T, mailing bool) *office {
	t.Helper()
	o := &office{db: pgtest.New(t), now: time.Now().UTC().Truncate(time.Microsecond)}
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	cfg := usecase.Config{DB: o.db, Secrets: keeper, Now: func() time.Time {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.now
	}}
	if mailing {
		cfg.PublicURL = "https://notify.example.org"
		cfg.Mail = func(_ context.Context, m usecase.Mail) error {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.mails = append(o.mails, m)
			return nil
		}
	}
	o.Services = notify.New(cfg)
	o.scope = o.organization(t)
	return o
}

func (o *office) organization(t *testing.T) viewer.Scope {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	org := o.db.Ent.Organization.Create().SetName("Acme " + id.New(time.Now())).SaveX(system)
	env := o.db.Ent.Environment.Create().SetOrganizationID(org.ID).SetIdentifier("development").SetName("Development").SaveX(system)
	return viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
}

func (o *office) pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(d)
}

// colleague is a person in one organization, and what they do there while logged in.
type colleague struct {
	*ent.Member
	email string
	ctx   context.Context //nolint:containedctx // every call of a person has the same viewer
}

// hire makes a member with rightPassword, who is logged in.
func (o *office) hire(t *testing.T, scope viewer.Scope, role member.Role) colleague {
	t.Helper()
	hash, err := rightHash()
	require.NoError(t, err)
	email := string(role) + id.New(time.Now()) + "@example.org"
	person := o.db.Ent.User.Create().SetEmail(email).SetPasswordHash(hash).SaveX(viewer.SystemContext(t.Context()))
	return o.join(t, scope, person, role)
}

func (o *office) join(t *testing.T, scope viewer.Scope, person *ent.User, role member.Role) colleague {
	t.Helper()
	system := viewer.SystemContext(t.Context())
	m := o.db.Ent.Member.Create().SetOrganizationID(scope.OrganizationID).SetUserID(person.ID).SetRole(role).SaveX(system)
	session := o.db.Ent.Session.Create().SetEnvironmentID(scope.EnvironmentID).SetUserID(person.ID).
		SetHash(auth.HashKey(auth.NewSessionToken())).SetExpiresAt(time.Now().Add(access.SessionTTL)).SaveX(system)
	return colleague{m, person.Email, viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: scope, Role: viewer.Role(role), UserID: person.ID, SessionID: session.ID, Name: person.Email,
	})}
}

func (o *office) openSessions(t *testing.T, userID string) (n int) {
	t.Helper()
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM sessions WHERE user_id = $1 AND revoked_at IS NULL", userID).Scan(&n))
	return n
}

var roles = []member.Role{member.RoleViewer, member.RoleEditor, member.RoleAdmin, member.RoleOwner}

func rank(role member.Role) int {
	for i, r := range roles {
		if r == role {
			return i
		}
	}
	return -1
}

// TestNobodyReachesAboveTheOwnRank tries every role on every other one by every way in which one person reaches another.
func TestNobodyReachesAboveTheOwnRank(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	o.hire(t, o.scope, member.RoleOwner) // so that no other one is the last
	program := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.scope.OrganizationID}, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantMembers),
	})
	type actor struct {
		name string
		ctx  context.Context //nolint:containedctx // a table of viewers
		rank int
	}
	actors := []actor{{"organization key", program, rank(member.RoleAdmin)}}
	for _, role := range roles {
		actors = append(actors, actor{string(role), o.hire(t, o.scope, role).ctx, rank(role)})
	}
	for _, a := range actors {
		for _, target := range roles {
			may := a.rank >= rank(member.RoleAdmin) && a.rank >= rank(target)
			check := func(what string, err error) {
				t.Helper()
				if may {
					require.NoError(t, err, "%s: %s %s", a.name, what, target)
					return
				}
				require.Equal(t, fault.Forbidden, fault.KindOf(err), "%s: %s %s: %v", a.name, what, target, err)
			}
			m := o.hire(t, o.scope, target)
			before := o.db.Ent.User.GetX(viewer.SystemContext(t.Context()), m.UserID)
			_, err := o.Sessions.CreateReset(a.ctx, m.UserID)
			check("resets the password of", err)
			_, err = o.Sessions.End(a.ctx, m.UserID)
			check("ends the log-ins of", err)
			_, err = o.Members.Update(a.ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleViewer})
			check("demotes", err)
			v := o.hire(t, o.scope, member.RoleViewer)
			_, err = o.Members.Update(a.ctx, access.UpdateMemberInput{ID: v.ID, Role: target})
			check("promotes to", err)
			_, err = o.Invitations.Create(a.ctx, access.CreateInvitationInput{Email: id.New(time.Now()) + "@example.org", Role: target})
			check("invites", err)
			invited, err := o.Invitations.Create(viewer.InScope(t.Context(), o.scope), access.CreateInvitationInput{Email: id.New(time.Now()) + "@example.org", Role: target})
			require.NoError(t, err)
			_, err = o.Invitations.Delete(a.ctx, invited.Invitation.ID)
			check("withdraws the invitation of", err)
			if !may {
				require.Equal(t, 1, o.openSessions(t, m.UserID))
				after := o.db.Ent.User.GetX(viewer.SystemContext(t.Context()), m.UserID)
				require.Equal(t, before.PasswordHash, after.PasswordHash)
				require.Equal(t, before.PasswordReset, after.PasswordReset)
			}
			m = o.hire(t, o.scope, target)
			_, err = o.Members.Delete(a.ctx, m.ID)
			check("removes", err)
			m = o.hire(t, o.scope, target)
			_, err = o.Users.Delete(a.ctx, m.UserID)
			check("deletes", err)
			_, err = o.Users.Update(a.ctx, access.UpdateUserInput{ID: v.UserID})
			require.Equal(t, fault.Forbidden, fault.KindOf(err), "%s: renames another person", a.name)
		}
	}
}

func TestEverybodyMayLeaveAndStepDown(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	for _, role := range roles {
		m := o.hire(t, o.scope, role)
		if role == member.RoleOwner {
			o.hire(t, o.scope, role)
			_, err := o.Members.Update(m.ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleAdmin})
			require.NoError(t, err)
			_, err = o.Members.Update(m.ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleOwner})
			require.Equal(t, fault.Forbidden, fault.KindOf(err), "the log-in is from before; the rank is that of now")
		}
		_, err := o.Members.Delete(m.ctx, m.ID)
		require.NoError(t, err, role)
		require.False(t, o.db.Ent.User.Query().Where(user.ID(m.UserID)).ExistX(viewer.SystemContext(t.Context())), "the account ends with the last membership")
		_, err = o.Members.Delete(m.ctx, m.ID)
		require.Error(t, err)
	}
}

func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	last := o.hire(t, o.scope, member.RoleOwner)
	operator := viewer.InScope(t.Context(), o.scope)
	for _, ctx := range []context.Context{last.ctx, operator} {
		for what, do := range map[string]func() error{
			"steps down": func() error {
				_, err := o.Members.Update(ctx, access.UpdateMemberInput{ID: last.ID, Role: member.RoleAdmin})
				return err
			},
			"leaves":     func() error { _, err := o.Members.Delete(ctx, last.ID); return err },
			"is deleted": func() error { _, err := o.Users.Delete(ctx, last.UserID); return err },
		} {
			err := do()
			require.Equal(t, fault.Conflict, fault.KindOf(err), "%s: %v", what, err)
		}
	}
}

// TestLastOwnerStaysUnderARace has two owners remove each other at once, and themselves: one of them stays.
func TestLastOwnerStaysUnderARace(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	for _, self := range []bool{true, false} {
		scope := o.organization(t)
		pair := []colleague{o.hire(t, scope, member.RoleOwner), o.hire(t, scope, member.RoleOwner)}
		var both sync.WaitGroup
		begin := make(chan struct{})
		for i, who := range pair {
			whom := pair[1-i]
			if self {
				whom = who
			}
			both.Go(func() {
				<-begin
				if _, err := o.Members.Delete(who.ctx, whom.ID); err != nil {
					_, _ = o.Members.Update(who.ctx, access.UpdateMemberInput{ID: whom.ID, Role: member.RoleViewer})
				}
			})
		}
		close(begin)
		both.Wait()
		left := o.db.Ent.Member.Query().Where(member.OrganizationID(scope.OrganizationID)).AllX(viewer.SystemContext(t.Context()))
		require.Len(t, left, 1)
		require.Equal(t, member.RoleOwner, left[0].Role)
	}
}

func TestPeopleOfSeveralOrganizations(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	there := o.organization(t)
	system := viewer.SystemContext(t.Context())
	admin := o.hire(t, o.scope, member.RoleAdmin)
	shared := o.hire(t, there, member.RoleOwner)
	person := o.db.Ent.User.GetX(system, shared.UserID)
	here := o.join(t, o.scope, person, member.RoleViewer)

	// The link that an admin here makes is worth nothing: it would let its holder in there.
	link, err := o.Sessions.CreateReset(admin.ctx, shared.UserID)
	require.NoError(t, err)
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: link.Token, Password: "another long one"})
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	require.Equal(t, person.PasswordHash, o.db.Ent.User.GetX(system, person.ID).PasswordHash)

	_, err = o.Sessions.End(admin.ctx, shared.UserID)
	require.NoError(t, err)
	require.Equal(t, 1, o.openSessions(t, shared.UserID), "log-ins there go on")
	_, err = o.Members.Get(admin.ctx, shared.ID)
	require.Equal(t, fault.NotFound, fault.KindOf(err))

	deleted, err := o.Users.Delete(admin.ctx, shared.UserID)
	require.NoError(t, err)
	require.Equal(t, person.Email, deleted.Email)
	require.True(t, o.db.Ent.User.Query().Where(user.ID(person.ID)).ExistX(system), "the person stays there")
	require.False(t, o.db.Ent.Member.Query().Where(member.ID(here.ID)).ExistX(system))
	require.True(t, o.db.Ent.Member.Query().Where(member.ID(shared.ID)).ExistX(system))
	for _, email := range []string{person.Email, "nobody@example.org"} { // there, and nowhere
		_, err = o.Users.ByEmail(admin.ctx, email)
		require.EqualError(t, err, "User "+email+" was not found.")
	}
}

func TestInvitationsTellNothingOfOtherAccounts(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	admin, elsewhere := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.organization(t), member.RoleOwner)
	for _, email := range []string{"nobody@example.org", elsewhere.email, strings.ToUpper(elsewhere.email)} {
		made, err := o.Invitations.Create(admin.ctx, access.CreateInvitationInput{Email: email, Role: member.RoleAdmin})
		require.NoError(t, err)
		require.Equal(t, strings.ToLower(email), made.Invitation.Email)
		require.Equal(t, "/dashboard/invitation#"+made.Token, made.URL)
		require.False(t, made.Mailed)
		offer, err := o.Invitations.Offer(t.Context(), made.Token)
		require.NoError(t, err)
		require.Equal(t, admin.email, *offer.InvitedBy)
	}
	require.Zero(t, o.db.Ent.Member.Query().Where(member.UserID(elsewhere.UserID), member.OrganizationID(o.scope.OrganizationID)).CountX(viewer.SystemContext(t.Context())), "an invitation alone makes nobody a member")
	_, err := o.Invitations.Create(admin.ctx, access.CreateInvitationInput{Email: admin.email, Role: member.RoleViewer})
	require.Equal(t, fault.Conflict, fault.KindOf(err), "whom the organization sees anyway")
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	admin := o.hire(t, o.scope, member.RoleAdmin)
	system := viewer.SystemContext(t.Context())
	invite := func(email string) string {
		t.Helper()
		made, err := o.Invitations.Create(admin.ctx, access.CreateInvitationInput{Email: email, Role: member.RoleEditor})
		require.NoError(t, err)
		require.True(t, made.Mailed)
		stored := o.db.Ent.Invitation.GetX(system, made.Invitation.ID)
		require.NotContains(t, string(stored.Hash), made.Token, "only a hash is kept")
		return made.Token
	}
	accept := func(ctx context.Context, token string) (*access.AcceptInvitationPayload, error) {
		return o.Invitations.Accept(ctx, access.AcceptInvitationInput{Token: token, Password: new("a long enough one"), FirstName: new("Ada")})
	}
	gone := func(token string) {
		t.Helper()
		_, err := o.Invitations.Offer(t.Context(), token)
		require.Equal(t, fault.NotFound, fault.KindOf(err))
		_, err = accept(t.Context(), token)
		require.Equal(t, fault.NotFound, fault.KindOf(err))
	}

	// A new one ends the earlier one; time ends it; so does withdrawing it.
	first := invite("ada@example.org")
	second := invite("ada@example.org")
	gone(first)
	gone("")
	gone(strings.ToLower(second))
	o.pass(24*time.Hour + time.Second)
	gone(second)
	third := invite("ada@example.org")
	pending, err := o.Invitations.ByEmail(admin.ctx, "Ada@example.org")
	require.NoError(t, err)
	_, err = o.Invitations.Delete(admin.ctx, pending.ID)
	require.NoError(t, err)
	gone(third)

	// It rests on the rank of who made it.
	token := invite("ada@example.org")
	o.db.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleEditor).ExecX(system)
	gone(token)
	o.db.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleAdmin).ExecX(system)

	// It is taken once, however many try at once.
	var joined sync.Map
	var tries sync.WaitGroup
	for range 3 {
		tries.Go(func() {
			if out, err := accept(t.Context(), token); err == nil {
				joined.Store(out, true)
			}
		})
	}
	tries.Wait()
	n := 0
	joined.Range(func(out, _ any) bool {
		n++
		got, _ := out.(*access.AcceptInvitationPayload)
		require.Equal(t, member.RoleEditor, got.Role)
		return true
	})
	require.Equal(t, 1, n)
	gone(token)
	ada := o.db.Ent.User.Query().Where(user.Email("ada@example.org")).OnlyX(system)
	require.Equal(t, "Ada", *ada.FirstName)

	o.Close(t.Context())
	require.Len(t, o.mails, 4)
	require.Contains(t, o.mails[0].Text, "https://notify.example.org/dashboard/invitation#cri_mail_")
	require.Equal(t, "ada@example.org", o.mails[0].To)
}

// TestInviterLearnsNothingOfAccounts: the link that an inviter sees answers alike for known and unknown addresses, and the mailed
// one makes the account.
func TestInviterLearnsNothingOfAccounts(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	admin, elsewhere := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.organization(t), member.RoleOwner)
	accept := func(token string) error {
		_, err := o.Invitations.Accept(t.Context(), access.AcceptInvitationInput{Token: token, Password: new("a long enough one")})
		return err
	}
	invite := func(ctx context.Context, email string) (*access.CreateInvitationPayload, bool) {
		made, err := o.Invitations.Create(ctx, access.CreateInvitationInput{Email: email, Role: member.RoleViewer})
		require.NoError(t, err)
		offer, err := o.Invitations.Offer(t.Context(), made.Token)
		require.NoError(t, err)
		return made, offer.LogInFirst
	}
	for _, email := range []string{elsewhere.email, "nobody@example.org"} {
		made, first := invite(admin.ctx, email)
		require.True(t, first, email)
		err := accept(made.Token)
		require.Equal(t, "LOG_IN_FIRST", codeIn(err), email)
		require.Equal(t, accept(made.Token), err, email)
	}
	o.Close(t.Context())
	links := map[string]string{}
	for _, m := range o.mails {
		links[m.To] = regexp.MustCompile(`invitation#(\S+)`).FindStringSubmatch(m.Text)[1]
	}
	offer, err := o.Invitations.Offer(t.Context(), links["nobody@example.org"])
	require.NoError(t, err)
	require.False(t, offer.LogInFirst)
	require.NoError(t, accept(links["nobody@example.org"]))
	require.Equal(t, "LOG_IN_FIRST", codeIn(accept(links[elsewhere.email])), "its owner reads it")
	_, err = o.Invitations.Accept(elsewhere.ctx, access.AcceptInvitationInput{Token: links[elsewhere.email]})
	require.NoError(t, err)

	made, first := invite(viewer.InScope(t.Context(), o.scope), "operator@example.org")
	require.False(t, first, "the operator sees all accounts anyway")
	require.NoError(t, accept(made.Token))
}

func TestWhoHasAnAccountAcceptsWithItsLogIn(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	system := viewer.SystemContext(t.Context())
	admin, invited, other := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.organization(t), member.RoleViewer), o.hire(t, o.scope, member.RoleOwner)
	made, err := o.Invitations.Create(admin.ctx, access.CreateInvitationInput{Email: invited.email, Role: member.RoleAdmin})
	require.NoError(t, err)
	before := o.db.Ent.User.GetX(system, invited.UserID)

	_, err = o.Invitations.Accept(t.Context(), access.AcceptInvitationInput{Token: made.Token, Password: new("a long enough one")})
	require.Equal(t, "LOG_IN_FIRST", codeIn(err), "holding the link does not prove to be the account's owner")
	require.Equal(t, before.PasswordHash, o.db.Ent.User.GetX(system, invited.UserID).PasswordHash)
	for _, ctx := range []context.Context{other.ctx, admin.ctx} {
		_, err = o.Invitations.Accept(ctx, access.AcceptInvitationInput{Token: made.Token})
		require.Equal(t, fault.Forbidden, fault.KindOf(err), "of another person")
	}
	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.scope, Role: viewer.RoleKey, APIKeyID: "k", UserID: invited.UserID, Grants: viewer.FullGrants})
	_, err = o.Invitations.Accept(key, access.AcceptInvitationInput{Token: made.Token})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "a key is not its owner")

	out, err := o.Invitations.Accept(invited.ctx, access.AcceptInvitationInput{Token: made.Token})
	require.NoError(t, err)
	require.Equal(t, id.Global("Environment", o.scope.EnvironmentID), *out.EnvironmentID)
	joined, err := o.Members.ByUser(admin.ctx, invited.UserID)
	require.NoError(t, err)
	require.Equal(t, member.RoleAdmin, joined.Role)
	_, err = o.Invitations.Accept(invited.ctx, access.AcceptInvitationInput{Token: made.Token})
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}

func TestResetLinks(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	system := viewer.SystemContext(t.Context())
	admin, person := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.scope, member.RoleEditor)
	link := func() string {
		t.Helper()
		made, err := o.Sessions.CreateReset(admin.ctx, person.UserID)
		require.NoError(t, err)
		require.Equal(t, "/dashboard/new-password#"+made.Token, made.URL)
		return made.Token
	}
	reset := func(token string) error {
		_, err := o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
		return err
	}
	gone := func(token string) {
		t.Helper()
		require.Equal(t, fault.NotFound, fault.KindOf(reset(token)))
	}
	_, err := o.Sessions.CreateReset(admin.ctx, admin.UserID)
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "a log-in that was taken over sets no password without the present one")

	first := link()
	second := link()
	gone(first)
	gone("")
	gone("crp_" + person.UserID)
	gone("crp_" + admin.UserID + strings.TrimPrefix(second, "crp_"+person.UserID))
	o.pass(24*time.Hour + time.Second)
	gone(second)

	third := link()
	o.db.Ent.Member.UpdateOneID(person.ID).SetRole(member.RoleOwner).ExecX(system)
	gone(third) // the person has risen above who made it
	o.db.Ent.Member.UpdateOneID(person.ID).SetRole(member.RoleEditor).ExecX(system)
	o.db.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleViewer).ExecX(system)
	gone(third) // or who made it has fallen
	o.db.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleAdmin).ExecX(system)
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: third, Password: "short"})
	require.Equal(t, fault.Invalid, fault.KindOf(err))

	require.Equal(t, 1, o.openSessions(t, person.UserID))
	errs := make(chan error, 3)
	for range cap(errs) {
		go func() { errs <- reset(third) }()
	}
	used := 0
	for range cap(errs) {
		if err := <-errs; err == nil {
			used++
		} else {
			require.Equal(t, fault.NotFound, fault.KindOf(err))
		}
	}
	require.Equal(t, 1, used, "a link counts once")
	require.Zero(t, o.openSessions(t, person.UserID), "all log-ins end")
	_, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: person.email, Password: "another long one"})
	require.NoError(t, err)
}

func TestResetLinksByMail(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	admin, person := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.scope, member.RoleEditor)
	o.join(t, o.organization(t), o.db.Ent.User.GetX(viewer.SystemContext(t.Context()), person.UserID), member.RoleOwner)
	ask := func(email string) {
		t.Helper()
		ok, err := o.Sessions.RequestReset(t.Context(), email)
		require.NoError(t, err)
		require.True(t, ok, "whether there is such a person or not")
	}
	ask("nobody@example.org")
	ask(person.email)
	o.Close(t.Context())
	ask(strings.ToUpper(person.email)) // one mail is under way
	o.Close(t.Context())
	require.Len(t, o.mails, 1)
	require.Equal(t, person.email, o.mails[0].To)
	token := o.mails[0].Text[strings.Index(o.mails[0].Text, "#")+1:]
	token, _, _ = strings.Cut(token, "\n")

	shown, err := o.Sessions.CreateReset(admin.ctx, person.UserID)
	require.NoError(t, err)
	require.True(t, shown.Mailed)
	o.Close(t.Context())
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
	require.Equal(t, fault.NotFound, fault.KindOf(err), "a new link ends the earlier one")
	require.Len(t, o.mails, 2)
	require.NotContains(t, o.mails[1].Text, shown.Token, "the mailed link is not the one that somebody else saw")
	token = o.mails[1].Text[strings.Index(o.mails[1].Text, "#")+1:]
	token, _, _ = strings.Cut(token, "\n")
	email, err := o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
	require.NoError(t, err, "it counts for members of several organizations: it went to their own address")
	require.Equal(t, person.email, email)

	ask(person.email) // the third and last free one: the reset did not give any back
	_, err = o.Sessions.RequestReset(t.Context(), person.email)
	require.Equal(t, fault.RateLimited, fault.KindOf(err))
	require.Positive(t, fault.RetrySeconds(err))
	o.Close(t.Context())
}

func TestOperatorMakesAPersonOrNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	system, operator := viewer.SystemContext(t.Context()), viewer.InScope(t.Context(), o.scope)
	create := func(ctx context.Context, email, password string) error {
		_, err := o.Operator.CreatePerson(ctx, access.CreatePersonInput{Email: email, Role: member.RoleOwner, Password: password})
		return err
	}
	require.Equal(t, fault.Invalid, fault.KindOf(create(operator, "ada@example.org", "short")))
	require.Equal(t, fault.Invalid, fault.KindOf(create(operator, "ada", rightPassword)))
	require.Zero(t, o.db.Ent.User.Query().CountX(system))
	owner := o.hire(t, o.scope, member.RoleOwner)
	require.Equal(t, fault.Forbidden, fault.KindOf(create(owner.ctx, "ada@example.org", rightPassword)), "no door leads here")
	require.NoError(t, create(operator, "Ada@example.org", rightPassword))
	require.Equal(t, fault.Conflict, fault.KindOf(create(operator, "ada@example.org", "another long one")))
	out, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: "ada@example.org", Password: rightPassword})
	require.NoError(t, err, "the password of an account that is there stays")
	require.Equal(t, o.scope.EnvironmentID, out.Environment.ID)
	_, err = o.Operator.SetPassword(owner.ctx, "ada@example.org", "another long one")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	_, err = o.Operator.ResetSecondFactor(owner.ctx, "ada@example.org")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
}
