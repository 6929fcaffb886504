package notify

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Users are the use cases of the people who sign in. A user comes into being as a member of an organization
// (Members.Create); an organization sees its own members only.
type Users struct{ base }

// UserConnection is a page of users.
type UserConnection = Connection[ent.User]

// UserEdge is one user of a page.
type UserEdge = Edge[ent.User]

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
	ps = with(ps, f.EmailContains, user.EmailContainsFold)
	ps = with(ps, f.NameContains, func(text string) predicate.User {
		return user.Or(user.FirstNameContainsFold(text), user.LastNameContainsFold(text))
	})
	ps = with(ps, f.CreatedAfter, user.CreatedAtGT)
	return with(ps, f.CreatedBefore, user.CreatedAtLT)
}

// List is a page of the organization's users.
func (u *Users) List(ctx context.Context, page Page, order *Order, filter *UserFilter) (*UserConnection, error) {
	return read(ctx, u.base, func(ctx context.Context, db *ent.Client) (*UserConnection, error) {
		return paginate(ctx, db.User.Query(), filter.predicates(), page, order.orElse(ColumnID, OrderDesc))
	})
}

// Get is one user by its global or internal id.
func (u *Users) Get(ctx context.Context, globalID string) (*ent.User, error) {
	recordID, err := recordID("User", globalID)
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
	return read(ctx, u.base, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := db.User.Query().Where(p).Only(ctx)
		return found, notFound(err, "User %s was not found.", name)
	})
}

// UpdateUserInput changes a user; absent fields stay as they are, null clears.
type UpdateUserInput struct {
	ID        string
	FirstName graphql.Omittable[*string]
	LastName  graphql.Omittable[*string]
}

// Update changes a user's names: one's own, or those of somebody who belongs to this organization alone.
func (u *Users) Update(ctx context.Context, in UpdateUserInput) (*ent.User, error) {
	var problems fault.Problems
	checkGivenName(&problems, "firstName", in.FirstName.Value())
	checkGivenName(&problems, "lastName", in.LastName.Value())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return write(ctx, u.base, viewer.RoleViewer, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := u.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if err := u.mayChange(ctx, db, found); err != nil {
			return nil, err
		}
		// Whoever may is decided above; the schema leaves people to Carillon itself.
		change := db.User.UpdateOneID(found.ID)
		setOrClear(in.FirstName, change.SetFirstName, change.ClearFirstName)
		setOrClear(in.LastName, change.SetLastName, change.ClearLastName)
		updated, err := change.Save(viewer.SystemContext(ctx))
		if err != nil {
			return nil, err
		}
		return updated, audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a person who belongs to this organization alone, with the membership.
func (u *Users) Delete(ctx context.Context, globalID string) (*ent.User, error) {
	return write(ctx, u.base, viewer.RoleAdmin, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		found, err := u.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := u.mayChange(ctx, db, found); err != nil {
			return nil, err
		}
		membership, err := db.Member.Query().Where(member.UserID(found.ID)).Only(ctx)
		if err != nil {
			return nil, err
		}
		if err := mayGovern(ctx, db, membership, nil); err != nil {
			return nil, err
		}
		if err := db.User.DeleteOneID(found.ID).Exec(viewer.SystemContext(ctx)); err != nil {
			return nil, err
		}
		return found, audit(ctx, db, "delete", found, map[string]any{"email": found.Email})
	})
}

// mayChange lets people change themselves, and admins those who are nobody else's members.
func (u *Users) mayChange(ctx context.Context, db *ent.Client, found *ent.User) error {
	v, _ := viewer.FromContext(ctx)
	if v.UserID == found.ID && v.APIKeyID == "" {
		return nil
	}
	if _, err := allowed(ctx, viewer.RoleAdmin); err != nil {
		return err
	}
	elsewhere, err := db.Member.Query().Where(member.UserID(found.ID), member.OrganizationIDNEQ(v.OrganizationID)).
		Exist(viewer.SystemContext(ctx))
	if err != nil {
		return err
	}
	if elsewhere {
		return fault.Forbiddenf("This person belongs to another organization as well; only they themselves may change this.")
	}
	return nil
}

// findOrCreate is the user with the given address, in whatever organization; made when there is none.
func (u *Users) findOrCreate(ctx context.Context, db *ent.Client, email string, first, last *string) (*ent.User, error) {
	ctx = viewer.SystemContext(ctx)
	found, err := db.User.Query().Where(user.Email(email)).Only(ctx)
	if err == nil || !ent.IsNotFound(err) {
		return found, err
	}
	return db.User.Create().SetEmail(email).SetNillableFirstName(first).SetNillableLastName(last).Save(ctx)
}

// normalEmail is the form in which addresses are stored and compared.
func normalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

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
