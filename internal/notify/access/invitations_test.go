package access_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

func TestInvitationsTellNothingOfOtherAccounts(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin, elsewhere := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.MakeOrganization(t), member.RoleOwner)
	for _, email := range []string{"nobody@example.org", elsewhere.Email, strings.ToUpper(elsewhere.Email)} {
		made, err := o.Invitations.Create(admin.Ctx, access.CreateInvitationInput{Email: email, Role: member.RoleAdmin})
		require.NoError(t, err)
		require.Equal(t, strings.ToLower(email), made.Invitation.Email)
		require.Equal(t, "/dashboard/invitation#"+made.Token, made.URL)
		require.False(t, made.Mailed)
		offer, err := o.Invitations.Offer(t.Context(), made.Token)
		require.NoError(t, err)
		require.Equal(t, admin.Email, *offer.InvitedBy)
	}
	require.Zero(t, o.DB.Ent.Member.Query().Where(member.UserID(elsewhere.UserID), member.OrganizationID(o.Scope.OrganizationID)).CountX(viewer.SystemContext(t.Context())), "an invitation alone makes nobody a member")
	_, err := o.Invitations.Create(admin.Ctx, access.CreateInvitationInput{Email: admin.Email, Role: member.RoleViewer})
	require.Equal(t, fault.Conflict, fault.KindOf(err), "whom the organization sees anyway")
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, true)
	admin := o.Hire(t, o.Scope, member.RoleAdmin)
	system := viewer.SystemContext(t.Context())
	invite := func(email string) string {
		t.Helper()
		made, err := o.Invitations.Create(admin.Ctx, access.CreateInvitationInput{Email: email, Role: member.RoleEditor})
		require.NoError(t, err)
		require.True(t, made.Mailed)
		stored := o.DB.Ent.Invitation.GetX(system, made.Invitation.ID)
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
	o.Pass(24*time.Hour + time.Second)
	gone(second)
	third := invite("ada@example.org")
	pending, err := o.Invitations.ByEmail(admin.Ctx, "Ada@example.org")
	require.NoError(t, err)
	_, err = o.Invitations.Delete(admin.Ctx, pending.ID)
	require.NoError(t, err)
	gone(third)

	// It rests on the rank of who made it.
	token := invite("ada@example.org")
	o.DB.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleEditor).ExecX(system)
	gone(token)
	o.DB.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleAdmin).ExecX(system)

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
	ada := o.DB.Ent.User.Query().Where(user.Email("ada@example.org")).OnlyX(system)
	require.Equal(t, "Ada", *ada.FirstName)

	o.Close(t.Context())
	require.Len(t, o.Mails, 4)
	require.Contains(t, o.Mails[0].Text, "https://notify.example.org/dashboard/invitation#cri_mail_")
	require.Equal(t, "ada@example.org", o.Mails[0].To)
}

// TestInviterLearnsNothingOfAccounts: the link that an inviter sees answers alike for known and unknown addresses, and the mailed
// one makes the account.
func TestInviterLearnsNothingOfAccounts(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, true)
	admin, elsewhere := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.MakeOrganization(t), member.RoleOwner)
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
	for _, email := range []string{elsewhere.Email, "nobody@example.org"} {
		made, first := invite(admin.Ctx, email)
		require.True(t, first, email)
		err := accept(made.Token)
		require.Equal(t, "LOG_IN_FIRST", notifytest.Code(err), email)
		require.Equal(t, accept(made.Token), err, email)
	}
	o.Close(t.Context())
	links := map[string]string{}
	for _, m := range o.Mails {
		links[m.To] = regexp.MustCompile(`invitation#(\S+)`).FindStringSubmatch(m.Text)[1]
	}
	offer, err := o.Invitations.Offer(t.Context(), links["nobody@example.org"])
	require.NoError(t, err)
	require.False(t, offer.LogInFirst)
	require.NoError(t, accept(links["nobody@example.org"]))
	require.Equal(t, "LOG_IN_FIRST", notifytest.Code(accept(links[elsewhere.Email])), "its owner reads it")
	_, err = o.Invitations.Accept(elsewhere.Ctx, access.AcceptInvitationInput{Token: links[elsewhere.Email]})
	require.NoError(t, err)

	made, first := invite(viewer.InScope(t.Context(), o.Scope), "operator@example.org")
	require.False(t, first, "the operator sees all accounts anyway")
	require.NoError(t, accept(made.Token))
}

func TestWhoHasAnAccountAcceptsWithItsLogIn(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	system := viewer.SystemContext(t.Context())
	admin, invited, other := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.MakeOrganization(t), member.RoleViewer), o.Hire(t, o.Scope, member.RoleOwner)
	made, err := o.Invitations.Create(admin.Ctx, access.CreateInvitationInput{Email: invited.Email, Role: member.RoleAdmin})
	require.NoError(t, err)
	before := o.DB.Ent.User.GetX(system, invited.UserID)

	_, err = o.Invitations.Accept(t.Context(), access.AcceptInvitationInput{Token: made.Token, Password: new("a long enough one")})
	require.Equal(t, "LOG_IN_FIRST", notifytest.Code(err), "holding the link does not prove to be the account's owner")
	require.Equal(t, before.PasswordHash, o.DB.Ent.User.GetX(system, invited.UserID).PasswordHash)
	for _, ctx := range []context.Context{other.Ctx, admin.Ctx} {
		_, err = o.Invitations.Accept(ctx, access.AcceptInvitationInput{Token: made.Token})
		require.Equal(t, fault.Forbidden, fault.KindOf(err), "of another person")
	}
	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.Scope, Role: viewer.RoleKey, APIKeyID: "k", UserID: invited.UserID, Grants: viewer.FullGrants})
	_, err = o.Invitations.Accept(key, access.AcceptInvitationInput{Token: made.Token})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "a key is not its owner")

	out, err := o.Invitations.Accept(invited.Ctx, access.AcceptInvitationInput{Token: made.Token})
	require.NoError(t, err)
	require.Equal(t, id.Global("Environment", o.Scope.EnvironmentID), *out.EnvironmentID)
	joined, err := o.Members.ByUser(admin.Ctx, invited.UserID)
	require.NoError(t, err)
	require.Equal(t, member.RoleAdmin, joined.Role)
	_, err = o.Invitations.Accept(invited.Ctx, access.AcceptInvitationInput{Token: made.Token})
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
