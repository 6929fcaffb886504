package access

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Users are the use cases of the people who sign in. A user comes into being as a member of an organization
// (Invitations.Accept) and ends with the last membership; an organization sees its own members only.
type Users struct {
	usecase.Deps
	members *Members
}

// UserConnection is a page of users.
type UserConnection = usecase.Connection[ent.User]

// UserEdge is one user of a page.
type UserEdge = usecase.Edge[ent.User]

// UserFilter narrows a list of users; the fields that are set combine with AND.
type UserFilter struct {
	EmailIn       []string
	EmailContains *string // case-insensitive
	NameContains  *string // case-insensitive; of the first or the last name
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *UserFilter) predicates() (ps []predicate.User) {
	if f == nil {
		return nil
	}
	if f.EmailIn != nil {
		ps = append(ps, user.EmailIn(normalEmails(f.EmailIn)...))
	}
	ps = usecase.WithFilter(ps, f.EmailContains, user.EmailContainsFold)
	ps = usecase.WithFilter(ps, f.NameContains, func(text string) predicate.User {
		return user.Or(user.FirstNameContainsFold(text), user.LastNameContainsFold(text))
	})
	ps = usecase.WithFilter(ps, f.CreatedAfter, user.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, user.CreatedAtLT)
}

// List is a page of the organization's users.
func (u *Users) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *UserFilter) (*UserConnection, error) {
	return usecase.Read(ctx, u.Deps, usecase.ReadPeople, func(ctx context.Context, db *ent.Client) (*UserConnection, error) {
		return usecase.Paginate(ctx, db.User.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one user by its global or internal id.
func (u *Users) Get(ctx context.Context, globalID string) (*ent.User, error) {
	recordID, err := usecase.RecordID("User", globalID)
	if err != nil {
		return nil, err
	}
	return u.one(ctx, user.ID(recordID), globalID)
}

// ByEmail is one user by e-mail address, in either case.
func (u *Users) ByEmail(ctx context.Context, email string) (*ent.User, error) {
	return u.one(ctx, user.Email(normalEmail(email)), email)
}

// OfMember is the person behind a membership; lists have read it along already.
func (u *Users) OfMember(ctx context.Context, m *ent.Member) (*ent.User, error) {
	if m.Edges.User != nil {
		return m.Edges.User, nil
	}
	return u.one(ctx, user.ID(m.UserID), m.UserID)
}

func (u *Users) one(ctx context.Context, p predicate.User, name string) (*ent.User, error) {
	return usecase.Read(ctx, u.Deps, usecase.ReadPeople, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := db.User.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "User %s was not found.", name)
	})
}

// UpdateUserInput changes a user; absent fields stay as they are, null clears.
type UpdateUserInput struct {
	ID        string
	FirstName graphql.Omittable[*string]
	LastName  graphql.Omittable[*string]
}

// Update changes one's own names. Those of another person may be known to other organizations as well.
func (u *Users) Update(ctx context.Context, in UpdateUserInput) (*ent.User, error) {
	var problems fault.Problems
	usecase.CheckGivenName(&problems, "firstName", in.FirstName.Value())
	usecase.CheckGivenName(&problems, "lastName", in.LastName.Value())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, u.Deps, usecase.ChangeUser, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := u.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if v, _ := viewer.FromContext(ctx); v.SessionID == "" || v.UserID != found.ID {
			return nil, fault.Forbiddenf("Only the person can change this name.")
		}
		change := db.User.UpdateOneID(found.ID)
		usecase.SetOrClear(in.FirstName, change.SetFirstName, change.ClearFirstName)
		usecase.SetOrClear(in.LastName, change.SetLastName, change.ClearLastName)
		updated, err := change.Save(viewer.SystemContext(ctx)) // the schema leaves people to Carillon itself
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete ends a user's membership, as Members.Delete does, and answers who was removed.
func (u *Users) Delete(ctx context.Context, globalID string) (*ent.User, error) {
	return usecase.Write(ctx, u.Deps, usecase.ChangeMembership, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		membership, err := u.members.ByUser(ctx, globalID)
		if err != nil {
			return nil, notFoundUser(err, globalID)
		}
		ctx, found, err := u.members.govern(ctx, db, membership.ID, nil)
		if err != nil {
			return nil, err
		}
		return found.Edges.User, u.members.end(ctx, db, found)
	})
}

// notFoundUser says of a missing membership what users' other operations say of a missing user.
func notFoundUser(err error, name string) error {
	if fault.KindOf(err) == fault.NotFound {
		return fault.NotFoundf("User %s was not found.", name)
	}
	return err
}

// normalEmail is the form in which addresses are stored and compared. A letter outside ASCII never becomes one of ASCII, as the
// Kelvin sign and the dotted capital I would: the mailbox is another one.
func normalEmail(email string) string {
	return strings.Map(func(r rune) rune {
		if small := unicode.ToLower(r); small > unicode.MaxASCII || r <= unicode.MaxASCII {
			return small
		}
		return r
	}, strings.TrimSpace(email))
}

func normalEmails(emails []string) []string {
	normal := make([]string, len(emails))
	for i, e := range emails {
		normal[i] = normalEmail(e)
	}
	return normal
}

func checkEmail(problems *fault.Problems, path, email string) {
	if !workflow.ValidEmail(email) {
		problems.Add(path, email, "must be an e-mail address")
	}
}
