package access

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/invitation"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// Invitations are the use cases by which people become members. Whether an invited address has an account already is known
// to its owner only: inviting neither asks nor reveals it, and the link that the inviter sees does not either (logInFirst).
type Invitations struct {
	usecase.Deps
	sessions *Sessions
	letters  *letters
}

// InvitationConnection is a page of invitations.
type InvitationConnection = usecase.Connection[ent.Invitation]

// InvitationEdge is one invitation of a page.
type InvitationEdge = usecase.Edge[ent.Invitation]

// InvitationFilter narrows a list of invitations; the fields that are set combine with AND.
type InvitationFilter struct {
	EmailIn       []string
	RoleIn        []member.Role
	Expired       *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *InvitationFilter) predicates(now time.Time) (ps []predicate.Invitation) {
	if f == nil {
		return nil
	}
	if f.EmailIn != nil {
		ps = append(ps, invitation.EmailIn(normalEmails(f.EmailIn)...))
	}
	if f.RoleIn != nil {
		roles := make([]invitation.Role, len(f.RoleIn))
		for i, role := range f.RoleIn {
			roles[i] = invitation.Role(role)
		}
		ps = append(ps, invitation.RoleIn(roles...))
	}
	ps = usecase.WithFilter(ps, f.Expired, func(expired bool) predicate.Invitation {
		if expired {
			return invitation.ExpiresAtLTE(now)
		}
		return invitation.ExpiresAtGT(now)
	})
	ps = usecase.WithFilter(ps, f.CreatedAfter, invitation.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, invitation.CreatedAtLT)
}

// List is a page of the organization's invitations.
func (i *Invitations) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *InvitationFilter) (*InvitationConnection, error) {
	return usecase.Read(ctx, i.Deps, usecase.ReadInvitations, func(ctx context.Context, db *ent.Client) (*InvitationConnection, error) {
		return usecase.Paginate(ctx, db.Invitation.Query(), filter.predicates(i.Stamp()), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one invitation by its global or internal id.
func (i *Invitations) Get(ctx context.Context, globalID string) (*ent.Invitation, error) {
	recordID, err := usecase.RecordID("Invitation", globalID)
	if err != nil {
		return nil, err
	}
	return i.one(ctx, invitation.ID(recordID), globalID)
}

// ByEmail is the organization's invitation of an address, in either case.
func (i *Invitations) ByEmail(ctx context.Context, email string) (*ent.Invitation, error) {
	return i.one(ctx, invitation.Email(normalEmail(email)), "of "+email)
}

func (i *Invitations) one(ctx context.Context, p predicate.Invitation, name string) (*ent.Invitation, error) {
	return usecase.Read(ctx, i.Deps, usecase.ReadInvitations, func(ctx context.Context, db *ent.Client) (*ent.Invitation, error) {
		found, err := db.Invitation.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Invitation %s was not found.", name)
	})
}

// CreateInvitationInput says who is invited, and as what.
type CreateInvitationInput struct {
	Email string
	Role  member.Role
}

// CreateInvitationPayload is a new invitation. Its token and link cannot be read again.
type CreateInvitationPayload struct {
	Invitation *ent.Invitation
	Token      string
	URL        string
	Mailed     bool // whether the link is on its way to the address as well
}

// Create invites an address to the viewer's organization; an earlier invitation of it ends.
func (i *Invitations) Create(ctx context.Context, in CreateInvitationInput) (*CreateInvitationPayload, error) {
	in.Email = normalEmail(in.Email)
	var problems fault.Problems
	checkEmail(&problems, "email", in.Email)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	token := newInvitationTokens()
	made, err := usecase.Write(ctx, i.Deps, usecase.InvitePeople, func(ctx context.Context, db *ent.Client) (*ent.Invitation, error) {
		ctx, err := lockMembers(ctx, db)
		if err != nil {
			return nil, err
		}
		if err := mayGovern(ctx, db, nil, &in.Role); err != nil {
			return nil, err
		}
		return i.store(ctx, db, in, token.shown)
	})
	if err != nil {
		return nil, err
	}
	shown := token.shown
	if v, _ := viewer.FromContext(ctx); v.UserID == "" && v.OrganizationKeyID == "" && v.APIKeyID == "" {
		shown = token.mailed // the operator, who sees all accounts anyway
	}
	out := &CreateInvitationPayload{Invitation: made, Token: shown, URL: i.letters.link(invitationPath, shown), Mailed: i.letters.able()}
	if out.Mailed {
		mailed := i.letters.link(invitationPath, token.mailed)
		out.Mailed = i.letters.later(ctx, func(ctx context.Context) error { return i.mail(ctx, made, mailed) }) == nil
	}
	return out, nil
}

func (i *Invitations) store(ctx context.Context, db *ent.Client, in CreateInvitationInput, token string) (*ent.Invitation, error) {
	already, err := db.Member.Query().Where(member.HasUserWith(user.Email(in.Email))).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if already {
		return nil, fault.Conflictf("ALREADY_EXISTS", "%s is a member already.", in.Email)
	}
	_, err = db.Invitation.Delete().Where(invitation.Or(invitation.Email(in.Email), invitation.ExpiresAtLTE(i.Stamp()))).Exec(ctx)
	if err != nil {
		return nil, err
	}
	v, _ := viewer.FromContext(ctx)
	create := db.Invitation.Create().SetEmail(in.Email).SetRole(invitation.Role(in.Role)).SetHash(auth.HashKey(token)).
		SetInvitedBy(v.Name).SetExpiresAt(i.Stamp().Add(linkTTL))
	if v.SessionID != "" {
		create.SetInvitedByID(v.UserID)
	}
	made, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return made, usecase.Audit(ctx, db, "create", made, map[string]any{"email": in.Email, "role": in.Role})
}

func (i *Invitations) mail(ctx context.Context, made *ent.Invitation, url string) error {
	org, err := i.DB.Client(ctx).Organization.Get(viewer.SystemContext(ctx), made.OrganizationID)
	if err != nil {
		return err
	}
	by, name := inOneLine(cmp.Or(made.InvitedBy, "Its operator")), inOneLine(org.Name)
	return i.letters.send(ctx, usecase.Mail{
		To: made.Email, Subject: "You are invited to " + name,
		Text: fmt.Sprintf("%s invites you to work on %s in Carillon, as %s.\n\nAccept the invitation within 24 hours:\n%s\n\n"+
			"If you do not know what this is about, do nothing.\n", by, name, made.Role, url),
	})
}

// inOneLine is a name within a mail to strangers, of which it writes no header and no paragraph.
func inOneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

// Delete withdraws an invitation and returns what it was.
func (i *Invitations) Delete(ctx context.Context, globalID string) (*ent.Invitation, error) {
	return usecase.Write(ctx, i.Deps, usecase.ChangePeople, func(ctx context.Context, db *ent.Client) (*ent.Invitation, error) {
		ctx, err := lockMembers(ctx, db)
		if err != nil {
			return nil, err
		}
		found, err := i.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		role := member.Role(found.Role)
		if err := mayGovern(ctx, db, nil, &role); err != nil {
			return nil, err
		}
		if err := db.Invitation.DeleteOne(found).Exec(ctx); err != nil {
			return nil, usecase.NotFound(err, "Invitation %s was not found.", globalID)
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"email": found.Email, "role": found.Role})
	})
}

// InvitationOffer is what the holder of an invitation reads before accepting it. LogInFirst does not depend on whether the
// address has an account.
type InvitationOffer struct {
	OrganizationName string
	Email            string
	Role             member.Role
	InvitedBy        *string // nil: the operator
	ExpiresAt        time.Time
	LogInFirst       bool // whether it is accepted only while logged in
}

// Offer returns what an invitation offers. It needs no viewer: the token is the credential.
func (i *Invitations) Offer(ctx context.Context, token string) (*InvitationOffer, error) {
	db, ctx := i.DB.Client(ctx), viewer.SystemContext(ctx)
	found, err := i.open(ctx, db, token)
	if err != nil {
		return nil, postgres.Translate(err)
	}
	org, err := db.Organization.Get(ctx, found.OrganizationID)
	if err != nil {
		return nil, postgres.Translate(err)
	}
	out := &InvitationOffer{OrganizationName: org.Name, Email: found.Email, Role: member.Role(found.Role), ExpiresAt: found.ExpiresAt}
	if found.InvitedBy != "" {
		out.InvitedBy = &found.InvitedBy
	}
	out.LogInFirst, err = logInFirst(ctx, db, found, token)
	return out, postgres.Translate(err)
}

// open is the invitation with a token, as long as it counts. ctx is Carillon's own.
func (i *Invitations) open(ctx context.Context, db *ent.Client, token string) (*ent.Invitation, error) {
	found, err := db.Invitation.Query().Where(invitation.Hash(auth.HashKey(shownToken(token))), invitation.ExpiresAtGT(i.Stamp())).Only(ctx)
	if err != nil {
		return nil, usecase.NotFound(err, "%s", invitationGone)
	}
	counts, err := stillReaches(ctx, db, found.OrganizationID, found.InvitedByID, member.Role(found.Role))
	if err == nil && !counts {
		err = fault.NotFoundf(invitationGone)
	}
	return found, err
}

const invitationGone = "This invitation does not count: it was accepted, withdrawn or replaced, or it is older than 24 hours. Ask for a new one."

// AcceptInvitationInput accepts an invitation. Without a log-in it makes an account, for which it needs a password.
type AcceptInvitationInput struct {
	Token     string
	Password  *string
	FirstName *string
	LastName  *string
}

// AcceptInvitationPayload says what the person now is a member of.
type AcceptInvitationPayload struct {
	OrganizationName string
	Email            string
	Role             member.Role
	EnvironmentID    *string // global id of its oldest environment; nil: it has none
}

// Accept makes the invited person a member. Who has an account already must be logged in with it: holding the link does not
// prove to be its owner.
func (i *Invitations) Accept(ctx context.Context, in AcceptInvitationInput) (*AcceptInvitationPayload, error) {
	var problems fault.Problems
	usecase.CheckGivenName(&problems, "firstName", in.FirstName)
	usecase.CheckGivenName(&problems, "lastName", in.LastName)
	v, loggedIn := viewer.FromContext(ctx)
	if loggedIn && v.SessionID == "" {
		return nil, fault.Forbiddenf("An invitation is accepted by a person, not with a key.")
	}
	if !loggedIn {
		if in.Password == nil {
			problems.Add("password", nil, "is required without a log-in")
		} else {
			checkPassword(&problems, *in.Password)
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	system := viewer.SystemContext(ctx)
	offered, err := i.open(system, i.DB.Client(system), in.Token)
	if err != nil {
		return nil, postgres.Translate(err)
	}
	hash := ""
	if !loggedIn {
		first, err := logInFirst(system, i.DB.Client(system), offered, in.Token)
		if err != nil {
			return nil, postgres.Translate(err)
		}
		if first {
			return nil, errLogInFirst
		}
		if hash, err = i.sessions.hash(ctx, *in.Password); err != nil {
			return nil, err
		}
	}
	var out *AcceptInvitationPayload
	err = i.DB.Tx(system, func(ctx context.Context, tx *postgres.Tx) (err error) {
		if err := pgaccess.LockOrganization(ctx, tx, viewer.Scope{OrganizationID: offered.OrganizationID}); err != nil {
			return err
		}
		offered, err = i.open(ctx, tx.Ent, in.Token) // under the lock it is taken once
		if err != nil {
			return err
		}
		if err := tx.Ent.Invitation.DeleteOne(offered).Exec(ctx); err != nil {
			return err
		}
		person, err := i.person(ctx, tx, v, offered, in, hash)
		if err != nil {
			return err
		}
		out, err = i.join(ctx, tx.Ent, person, offered)
		return err
	})
	if err == nil && !loggedIn {
		err = i.sessions.forgetTries(ctx, offered.Email)
	}
	return out, postgres.Translate(err)
}

// person is who accepts an invitation: who is logged in with its address, or else a new account.
func (i *Invitations) person(ctx context.Context, tx *postgres.Tx, v viewer.Viewer, offered *ent.Invitation, in AcceptInvitationInput, hash string) (*ent.User, error) {
	person, err := lockPerson(ctx, tx, user.Email(offered.Email))
	switch {
	case err != nil && !ent.IsNotFound(err):
		return nil, err
	case v.SessionID != "" && (person == nil || person.ID != v.UserID):
		return nil, fault.Forbiddenf("This invitation is for another address than that of your log-in.")
	case v.SessionID != "":
		return person, i.sessions.forgetShownPassword(ctx, tx.Ent, v, person)
	}
	set, err := resetLinks{SetByShown: !strings.HasPrefix(in.Token, mailedInvitationPrefix)}.withoutLinks()
	if err != nil {
		return nil, err
	}
	if person == nil {
		return tx.Ent.User.Create().SetEmail(offered.Email).SetPasswordHash(hash).SetPasswordReset(set).
			SetNillableFirstName(in.FirstName).SetNillableLastName(in.LastName).Save(ctx)
	}
	// Accounts end with their last membership. One without any is from before that rule, and has nothing to lose.
	some, err := tx.Ent.Member.Query().Where(member.UserID(person.ID)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if some {
		return nil, errLogInFirst
	}
	return person.Update().SetPasswordHash(hash).ClearSecondFactor().ClearSecondFactorAt().SetPasswordReset(set).
		SetNillableFirstName(in.FirstName).SetNillableLastName(in.LastName).Save(ctx)
}

func (i *Invitations) join(ctx context.Context, db *ent.Client, person *ent.User, offered *ent.Invitation) (*AcceptInvitationPayload, error) {
	made, err := db.Member.Create().SetOrganizationID(offered.OrganizationID).SetUserID(person.ID).SetRole(member.Role(offered.Role)).Save(ctx)
	if err != nil {
		return nil, usecase.AlreadyExists(err, "%s is a member already.", offered.Email)
	}
	org, err := db.Organization.Get(ctx, offered.OrganizationID)
	if err != nil {
		return nil, err
	}
	out := &AcceptInvitationPayload{OrganizationName: org.Name, Email: offered.Email, Role: made.Role}
	env, err := oldestEnvironment(ctx, db, offered.OrganizationID)
	if err != nil {
		return nil, err
	}
	if env != nil {
		out.EnvironmentID = new(env.GlobalID())
	}
	as := asPerson(ctx, person, offered.OrganizationID, env)
	return out, usecase.Audit(as, db, "accept_invitation", made, map[string]any{"email": offered.Email, "role": offered.Role})
}

// oldestEnvironment is where what concerns an organization is recorded when no environment is named; nil when it has none.
func oldestEnvironment(ctx context.Context, db *ent.Client, organizationID string) (*ent.Environment, error) {
	env, err := db.Environment.Query().Where(environment.OrganizationID(organizationID)).
		Order(ent.Asc(environment.FieldID)).First(viewer.SystemContext(ctx))
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // none is an answer
	}
	return env, err
}

// asPerson is the context of what a person does without a log-in, for the audit.
func asPerson(ctx context.Context, person *ent.User, organizationID string, env *ent.Environment) context.Context {
	v := viewer.Viewer{Scope: viewer.Scope{OrganizationID: organizationID}, Role: viewer.RoleViewer, UserID: person.ID, Name: person.Email}
	if env != nil {
		v.EnvironmentID = env.ID
	}
	return viewer.NewContext(ctx, v)
}
