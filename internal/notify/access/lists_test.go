package access_test

import (
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestKeyFilters narrows the list of keys by each filter.
func TestKeyFilters(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin := o.Hire(t, o.Scope, member.RoleAdmin)
	soon, later := o.Clock().Add(time.Hour), o.Clock().Add(48*time.Hour)
	hints := map[string]string{}
	for name, expires := range map[string]*time.Time{"Shop": &soon, "shop, old": &later, "Desk": nil} {
		made, err := o.APIKeys.Create(admin.Ctx, access.CreateAPIKeyInput{Name: name, ExpiresAt: expires})
		require.NoError(t, err)
		hints[name] = made.APIKey.Hint
		if name == "shop, old" {
			require.NoError(t, notifytest.Err(o.APIKeys.Revoke(admin.Ctx, nil, made.APIKey.ID)))
		}
	}
	day, hour := o.Clock().Add(24*time.Hour), time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter access.APIKeyFilter
		want   []string
	}{
		"name":          {access.APIKeyFilter{NameContains: new("SHOP")}, []string{"Shop", "shop, old"}},
		"hint":          {access.APIKeyFilter{Hint: new(hints["Desk"])}, []string{"Desk"}},
		"revoked":       {access.APIKeyFilter{Revoked: notifytest.Yes()}, []string{"shop, old"}},
		"not revoked":   {access.APIKeyFilter{Revoked: notifytest.No()}, []string{"Shop", "Desk"}},
		"expiring":      {access.APIKeyFilter{ExpiresBefore: &day}, []string{"Shop"}},
		"never used":    {access.APIKeyFilter{LastUsedBefore: &hour}, nil},
		"created after": {access.APIKeyFilter{CreatedAfter: &hour}, nil},
		"all":           {access.APIKeyFilter{CreatedBefore: &hour}, []string{"Shop", "shop, old", "Desk"}},
	} {
		page, err := o.APIKeys.List(admin.Ctx, nil, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		var got []string
		for _, node := range page.Nodes() {
			got = append(got, node.Name)
		}
		require.ElementsMatch(t, c.want, got, name)
	}
}

// TestPeopleFilters narrows members, users and invitations; addresses are compared as people write them.
func TestPeopleFilters(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	reader := o.Hire(t, o.Scope, member.RoleViewer)
	stranger := o.Hire(t, o.MakeOrganization(t), member.RoleOwner)
	_, err := o.Users.Update(reader.Ctx, access.UpdateUserInput{ID: reader.UserID, FirstName: graphql.OmittableOf(new("Grace")), LastName: graphql.OmittableOf(new("Hopper"))})
	require.NoError(t, err)
	hour := time.Now().Add(time.Hour)

	for name, c := range map[string]struct {
		filter access.MemberFilter
		want   []string
	}{
		"role":     {access.MemberFilter{RoleIn: []member.Role{member.RoleViewer}}, []string{reader.ID}},
		"no role":  {access.MemberFilter{RoleIn: []member.Role{}}, []string{}},
		"users":    {access.MemberFilter{UserIDIn: []string{owner.UserID, stranger.UserID}}, []string{owner.ID}},
		"new ones": {access.MemberFilter{CreatedAfter: &hour}, []string{}},
	} {
		page, err := o.Members.List(owner.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		require.Equal(t, c.want, notifytest.NodeIDs(page.Nodes()), name)
	}
	_, err = o.Members.List(owner.Ctx, usecase.Page{}, nil, &access.MemberFilter{UserIDIn: []string{"no id"}})
	require.Error(t, err)

	for name, c := range map[string]struct {
		filter access.UserFilter
		want   []string
	}{
		"address":     {access.UserFilter{EmailIn: []string{" " + strings.ToUpper(reader.Email)}}, []string{reader.UserID}},
		"part of one": {access.UserFilter{EmailContains: new("VIEWER")}, []string{reader.UserID}},
		"first name":  {access.UserFilter{NameContains: new("grac")}, []string{reader.UserID}},
		"last name":   {access.UserFilter{NameContains: new("HOPP")}, []string{reader.UserID}},
		"a stranger":  {access.UserFilter{EmailIn: []string{stranger.Email}}, []string{}},
		"all":         {access.UserFilter{CreatedBefore: &hour}, []string{reader.UserID, owner.UserID}},
	} {
		page, err := o.Users.List(owner.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		require.Equal(t, c.want, notifytest.NodeIDs(page.Nodes()), name)
	}

	early, err := o.Invitations.Create(owner.Ctx, access.CreateInvitationInput{Email: "early@example.org", Role: member.RoleEditor})
	require.NoError(t, err)
	half := early.Invitation.ExpiresAt.Sub(o.Clock()) / 2
	o.Pass(half)
	late, err := o.Invitations.Create(owner.Ctx, access.CreateInvitationInput{Email: "Late@example.org", Role: member.RoleViewer})
	require.NoError(t, err)
	o.Pass(half)
	for name, c := range map[string]struct {
		filter access.InvitationFilter
		want   []string
	}{
		"address": {access.InvitationFilter{EmailIn: []string{"LATE@example.org "}}, []string{late.Invitation.ID}},
		"role":    {access.InvitationFilter{RoleIn: []member.Role{member.RoleEditor, member.RoleAdmin}}, []string{early.Invitation.ID}},
		"expired": {access.InvitationFilter{Expired: notifytest.Yes()}, []string{early.Invitation.ID}},
		"open":    {access.InvitationFilter{Expired: notifytest.No()}, []string{late.Invitation.ID}},
	} {
		page, err := o.Invitations.List(owner.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		require.Equal(t, c.want, notifytest.NodeIDs(page.Nodes()), name)
	}
}

// TestOwnNames holds that people change their own names only, and that a key changes no name.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner, reader := o.Hire(t, o.Scope, member.RoleOwner), o.Hire(t, o.Scope, member.RoleViewer)
	update := func(who notifytest.Colleague, in access.UpdateUserInput) error {
		return notifytest.Err(o.Users.Update(who.Ctx, in))
	}
	notifytest.RequireKind(t, fault.Forbidden, update(owner, access.UpdateUserInput{ID: reader.UserID, FirstName: graphql.OmittableOf(new("X"))}))
	require.ElementsMatch(t, []string{"firstName", "lastName"}, notifytest.Paths(t, update(reader, access.UpdateUserInput{
		ID: reader.UserID, FirstName: graphql.OmittableOf(new("")), LastName: graphql.OmittableOf(new(" ")),
	})))
	require.NoError(t, update(reader, access.UpdateUserInput{ID: reader.UserID, FirstName: graphql.OmittableOf(new("Ada")), LastName: graphql.OmittableOf(new("L"))}))
	require.NoError(t, update(reader, access.UpdateUserInput{ID: reader.UserID, LastName: graphql.OmittableOf[*string](nil)}))
	found, err := o.Users.ByEmail(owner.Ctx, strings.ToUpper(reader.Email))
	require.NoError(t, err)
	require.Equal(t, new("Ada"), found.FirstName, "what is left out stays")
	require.Nil(t, found.LastName)
}

// TestLogOut: one log-in ends, or all of a person's in every organization; a key has none.
func TestLogOut(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	here := o.Hire(t, o.Scope, member.RoleEditor)
	person := o.DB.Ent.User.GetX(viewer.SystemContext(t.Context()), here.UserID)
	again := o.Join(t, o.MakeOrganization(t), person, member.RoleViewer)
	o.Hire(t, o.Scope, member.RoleOwner)
	require.Equal(t, 2, o.OpenSessions(t, here.UserID))

	done, err := o.Sessions.LogOut(here.Ctx, false)
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, 1, o.OpenSessions(t, here.UserID))
	_, err = o.Sessions.LogOut(again.Ctx, true)
	require.NoError(t, err)
	require.Zero(t, o.OpenSessions(t, here.UserID))

	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.Scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "k"})
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(o.Sessions.LogOut(key, true)))
}

// TestOrganizationsOfAPerson: one sees the organizations that one belongs to and no other.
func TestOrganizationsOfAPerson(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	other := o.MakeOrganization(t)
	current, err := o.Organizations.Current(owner.Ctx)
	require.NoError(t, err)
	require.Equal(t, o.Scope.OrganizationID, current.ID)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(o.Organizations.Get(owner.Ctx, other.OrganizationID)))
	for name, c := range map[string]struct {
		filter access.OrganizationFilter
		want   int
	}{
		"name":      {access.OrganizationFilter{NameContains: new("ACME")}, 1},
		"no name":   {access.OrganizationFilter{NameContains: new("none")}, 0},
		"suspended": {access.OrganizationFilter{Suspended: notifytest.Yes()}, 0},
		"active":    {access.OrganizationFilter{Suspended: notifytest.No()}, 1},
	} {
		page, err := o.Organizations.List(owner.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		require.Len(t, page.Edges, c.want, name)
	}
}

// TestOperatorResets: the operator's own link counts for anyone, and a second factor that is not there cannot be removed.
func TestOperatorResets(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, true)
	person := o.Hire(t, o.Scope, member.RoleEditor)
	o.Join(t, o.MakeOrganization(t), o.DB.Ent.User.GetX(viewer.SystemContext(t.Context()), person.UserID), member.RoleEditor)
	operator := viewer.InScope(t.Context(), o.Scope)
	made, err := o.Operator.CreateReset(operator, strings.ToUpper(person.Email))
	require.NoError(t, err)
	require.Contains(t, made.URL, "https://notify.example.org/")
	require.Contains(t, made.URL, made.Token)
	require.NoError(t, notifytest.Err(o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: made.Token, Password: "another good password"})))
	require.Zero(t, o.OpenSessions(t, person.UserID))
	require.Error(t, notifytest.Err(o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: made.Token, Password: "another good password"})), "once")

	_, err = o.Operator.ResetSecondFactor(operator, person.Email)
	require.Equal(t, "NO_SECOND_FACTOR", notifytest.Code(err))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(o.Operator.CreateReset(operator, "nobody@example.org")))
	require.Equal(t, []string{"password"}, notifytest.Paths(t, notifytest.Err(o.Operator.SetPassword(operator, person.Email, "short"))))
}
