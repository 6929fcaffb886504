package schema

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/carillon/carillon/internal/workflow"
)

// Workflow holds the draft and points at the published version that triggers use.
type Workflow struct{ ent.Schema }

// Mixin gives the common columns.
func (Workflow) Mixin() []ent.Mixin { return []ent.Mixin{record{}, environmentOwned{}, softDeleted{}} }

// Fields are the columns.
func (Workflow) Fields() []ent.Field {
	return []ent.Field{
		fixed("identifier"),
		required("name"),
		blank("description"),
		field.Bool("active").Default(true),
		field.Bool("critical").Default(false).Comment("of the published version, for lists and preferences"),
		field.Enum("severity").GoType(workflow.Severity("")).Default(string(workflow.SeverityNone)),
		list("tags"),
		object("data"),
		field.Enum("origin").GoType(workflow.Origin("")).Default(string(workflow.OriginCloud)).Immutable(),
		field.JSON("draft", &workflow.Definition{}),
		field.JSON("issues", []workflow.StepIssue{}).Default([]workflow.StepIssue{}).Comment("of the draft, computed when saved"),
		field.Enum("status").GoType(workflow.Status("")).Default(string(workflow.StatusActive)).Comment("follows from active and issues; a column so that lists can filter by it"),
		optional("published_version_id"),
		field.Int("published_number").Default(0),
		optional("notification_group_id"),
		moment("last_published_at"),
		optional("last_published_by"),
		optional("updated_by"),
		// Never null, so that lists can be ordered by it: unset counts as oldest (decisions.md §11).
		field.Time("last_triggered_at").Default(workflow.NeverTriggered),
		field.Text("search").Default("").Annotations(byCodePoint()).Comment("name and identifier in lower case, see workflow.SearchText"),
		field.JSON("search_grams", []string{}).Optional().Comment("what an index knows of search, see workflow.Grams"),
	}
}

// Indexes serve uniqueness and the lists.
func (Workflow) Indexes() []ent.Index {
	return append(listOrders(),
		uniqueWhere("NOT deleted", "identifier"),
		index.Fields("environment_id", "name", "id"),
		index.Fields("environment_id", "last_triggered_at", "id"),
		index.Fields("environment_id", "status", "id"),
		index.Fields("environment_id", "status", "created_at", "id"),
		contained("tags"),
		contained("search_grams"),
	)
}

// contained is an index that finds the rows whose list holds some values.
func contained(column string) ent.Index {
	return index.Fields(column).Annotations(entsql.IndexType("GIN"), entsql.OpClass("jsonb_path_ops"))
}

// Hooks keep what searches look through.
func (Workflow) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if err := setSearch(ctx, m); err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	}}
}

func setSearch(ctx context.Context, m ent.Mutation) error {
	name, named := m.Field("name")
	if !named {
		return nil
	}
	identifier, given := m.Field("identifier")
	if !given {
		var err error
		if identifier, err = m.OldField(ctx, "identifier"); err != nil {
			return fmt.Errorf("search of workflows: %w", err)
		}
	}
	texts := []string{name.(string), identifier.(string)} //nolint:forcetypeassert // both columns are texts
	return errors.Join(m.SetField("search", workflow.SearchText(texts...)), m.SetField("search_grams", workflow.Grams(texts...)))
}
