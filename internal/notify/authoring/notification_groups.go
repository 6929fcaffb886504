package authoring

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/notificationgroup"
	"github.com/carillon/carillon/ent/predicate"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// NotificationGroups are the use cases of notification groups, which sort workflows.
type NotificationGroups struct{ usecase.Deps }

// NotificationGroupConnection is a page of notification groups.
type NotificationGroupConnection = usecase.Connection[ent.NotificationGroup]

// NotificationGroupEdge is one notification group of a page.
type NotificationGroupEdge = usecase.Edge[ent.NotificationGroup]

// NotificationGroupFilter narrows a list of notification groups; the fields that are set combine with AND.
type NotificationGroupFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	ParentIDs     []string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *NotificationGroupFilter) predicates() (ps []predicate.NotificationGroup) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, notificationgroup.IdentifierIn(f.IdentifierIn...))
	}
	if f.ParentIDs != nil {
		ps = append(ps, notificationgroup.ParentIDIn(usecase.PlainIDs("NotificationGroup", f.ParentIDs)...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, notificationgroup.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, notificationgroup.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, notificationgroup.CreatedAtLT)
}

// List is a page of notification groups.
func (g *NotificationGroups) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *NotificationGroupFilter) (*NotificationGroupConnection, error) {
	return usecase.Read(ctx, g.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*NotificationGroupConnection, error) {
		return usecase.Paginate(ctx, db.NotificationGroup.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one notification group by its global or internal id.
func (g *NotificationGroups) Get(ctx context.Context, globalID string) (*ent.NotificationGroup, error) {
	recordID, err := usecase.RecordID("NotificationGroup", globalID)
	if err != nil {
		return nil, err
	}
	return g.one(ctx, notificationgroup.ID(recordID), globalID)
}

// ByIdentifier is one notification group by its identifier.
func (g *NotificationGroups) ByIdentifier(ctx context.Context, identifier string) (*ent.NotificationGroup, error) {
	return g.one(ctx, notificationgroup.Identifier(identifier), identifier)
}

func (g *NotificationGroups) one(ctx context.Context, p predicate.NotificationGroup, name string) (*ent.NotificationGroup, error) {
	return usecase.Read(ctx, g.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.NotificationGroup, error) {
		found, err := db.NotificationGroup.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Notification group %s was not found.", name)
	})
}

// CreateNotificationGroupInput describes a new notification group.
type CreateNotificationGroupInput struct {
	Identifier *string // made from the name when nil
	Name       string
	Parent     *string // id or identifier of the group above
}

// Create makes a notification group.
func (g *NotificationGroups) Create(ctx context.Context, in CreateNotificationGroupInput) (*ent.NotificationGroup, error) {
	problems := fault.Problems{}
	usecase.CheckIdentifier(&problems, in.Identifier)
	usecase.CheckName(&problems, "name", in.Name)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.WriteNamed(ctx, g.Deps, usecase.WriteContent, in.Identifier, func(ctx context.Context, db *ent.Client) (*ent.NotificationGroup, error) {
		identifier, err := usecase.GivenOrFree(in.Identifier, in.Name, "group", g.Now(), func(candidate string) (bool, error) {
			return db.NotificationGroup.Query().Where(notificationgroup.Identifier(candidate)).Exist(ctx)
		})
		if err != nil {
			return nil, err
		}
		create := db.NotificationGroup.Create().SetIdentifier(identifier).SetName(in.Name)
		if in.Parent != nil {
			parent, err := notificationGroupRef(ctx, db, "parent", *in.Parent)
			if err != nil {
				return nil, err
			}
			create.SetParentID(parent.ID)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Notification group %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

// UpdateNotificationGroupInput changes a notification group; absent fields stay as they are, null clears.
type UpdateNotificationGroupInput struct {
	ID     string
	Name   *string
	Parent graphql.Omittable[*string]
}

// Update changes a notification group.
func (g *NotificationGroups) Update(ctx context.Context, in UpdateNotificationGroupInput) (*ent.NotificationGroup, error) {
	problems := fault.Problems{}
	usecase.CheckGivenName(&problems, "name", in.Name)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, g.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.NotificationGroup, error) {
		found, err := g.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := found.Update().SetNillableName(in.Name)
		switch ref, given := in.Parent.ValueOK(); {
		case !given:
		case ref == nil:
			change.ClearParentID()
		default:
			parent, err := notificationGroupRef(ctx, db, "parent", *ref)
			if err != nil {
				return nil, err
			}
			if err := acyclic(ctx, db, found, parent); err != nil {
				return nil, err
			}
			change.SetParentID(parent.ID)
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// acyclic refuses a parent that lies below the group itself.
func acyclic(ctx context.Context, db *ent.Client, group, parent *ent.NotificationGroup) error {
	return CheckParent(group.ID, parent.ID, func(id string) (string, error) {
		found, err := db.NotificationGroup.Get(ctx, id)
		if ent.IsNotFound(err) || err == nil && found.ParentID == nil {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return *found.ParentID, nil
	})
}

// CheckParent refuses a parent that is the group itself or lies below it. above returns the group above another one, "" when
// it has none.
func CheckParent(group, parent string, above func(group string) (string, error)) error {
	passed := map[string]bool{} // a circle that the group is not part of ends as well
	for at := parent; at != "" && !passed[at]; {
		if at == group {
			return fault.Invalidf("parent", "is the group itself or lies below it")
		}
		passed[at] = true
		var err error
		if at, err = above(at); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes a notification group. Its workflows and the groups below it stay, without it.
func (g *NotificationGroups) Delete(ctx context.Context, globalID string) (*ent.NotificationGroup, error) {
	return usecase.Write(ctx, g.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.NotificationGroup, error) {
		found, err := g.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Workflow.Update().Where(entworkflow.NotificationGroupID(found.ID)).ClearNotificationGroupID().Exec(ctx); err != nil {
			return nil, err
		}
		if err := db.NotificationGroup.Update().Where(notificationgroup.ParentID(found.ID)).ClearParentID().Exec(ctx); err != nil {
			return nil, err
		}
		if err := db.NotificationGroup.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"identifier": found.Identifier})
	})
}

// notificationGroupRef is the group that a field of a request names by id or identifier.
func notificationGroupRef(ctx context.Context, db *ent.Client, field, ref string) (*ent.NotificationGroup, error) {
	by := notificationgroup.Identifier(ref)
	if recordID, err := usecase.RecordID("NotificationGroup", ref); err == nil {
		by = notificationgroup.Or(by, notificationgroup.ID(recordID))
	}
	found, err := db.NotificationGroup.Query().Where(by).First(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Invalidf(field, "no notification group has this id or identifier")
	}
	return found, err
}
