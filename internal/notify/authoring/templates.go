package authoring

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/ent/snippet"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TemplateOwner is a kind of record that has templates.
type TemplateOwner string

// The kinds.
const (
	TemplateOwnerWorkflow TemplateOwner = "WORKFLOW"
	TemplateOwnerLayout   TemplateOwner = "LAYOUT"
	TemplateOwnerSnippet  TemplateOwner = "SNIPPET"
)

// template is one template of a record.
type template struct {
	owner TemplateOwner
	name  string // identifier of the record
	path  string // in the record; of a workflow it begins with the step
	text  string
	html  bool
	// secrets is set of a text that no message shows: it may use secret variables.
	secrets bool
}

// eachTemplate passes the templates of the records that have a text somewhere: of workflows those of the draft and of the
// version that triggers use, which may be the same.
func eachTemplate(ctx context.Context, db *ent.Client, text string, fn func(template)) error {
	err := eachDefinition(ctx, db, text, func(w *ent.Workflow, d *workflow.Definition) {
		for i := range d.Steps {
			for _, t := range d.Steps[i].Texts() {
				fn(template{TemplateOwnerWorkflow, w.Identifier, d.Steps[i].StepID + "." + t.Path, t.Text, t.HTML, t.Secrets})
			}
		}
	})
	if err != nil {
		return err
	}
	err = eachRow(func(after string) ([]*ent.Layout, error) {
		return db.Layout.Query().Where(layout.ContentContains(text), layout.IDGT(after)).Order(layout.ByID()).Limit(usecase.MaxPage).All(ctx)
	}, func(l *ent.Layout) {
		fn(template{TemplateOwnerLayout, l.Identifier, "content", l.Content, true, false})
	})
	if err != nil {
		return fmt.Errorf("read layouts with a text: %w", err)
	}
	err = eachRow(func(after string) ([]*ent.Snippet, error) {
		return db.Snippet.Query().Where(snippet.ContentContains(text), snippet.IDGT(after)).Order(snippet.ByID()).Limit(usecase.MaxPage).All(ctx)
	}, func(s *ent.Snippet) {
		fn(template{TemplateOwnerSnippet, s.Identifier, "content", s.Content, true, false})
	})
	if err != nil {
		return fmt.Errorf("read snippets with a text: %w", err)
	}
	return nil
}

// eachDefinition passes the drafts of workflows, and the versions that triggers use, that have a text somewhere. Of the
// workflow only the id and the identifier are read.
func eachDefinition(ctx context.Context, db *ent.Client, text string, fn func(w *ent.Workflow, d *workflow.Definition)) error {
	err := eachRow(func(after string) ([]*ent.Workflow, error) {
		return db.Workflow.Query().Where(func(s *sql.Selector) {
			s.Where(jsonContains(s.C(entworkflow.FieldDraft), text))
		}, entworkflow.Deleted(false), entworkflow.IDGT(after)).Order(entworkflow.ByID()).Limit(usecase.MaxPage).
			Select(entworkflow.FieldIdentifier, entworkflow.FieldDraft).All(ctx)
	}, func(w *ent.Workflow) { fn(w, w.Draft) })
	if err != nil {
		return fmt.Errorf("read workflows with a text: %w", err)
	}
	err = eachRow(func(after string) ([]*ent.WorkflowVersion, error) {
		return db.WorkflowVersion.Query().Where(func(s *sql.Selector) {
			published := sql.Table(entworkflow.Table)
			s.Where(sql.And(
				sql.In(s.C(workflowversion.FieldID), sql.Select(published.C(entworkflow.FieldPublishedVersionID)).From(published).
					Where(sql.And(sql.ColumnsEQ(published.C(entworkflow.FieldEnvironmentID), s.C(workflowversion.FieldEnvironmentID)),
						sql.EQ(published.C(entworkflow.FieldDeleted), false)))),
				jsonContains(s.C(workflowversion.FieldDefinition), text)))
		}, workflowversion.IDGT(after)).Order(workflowversion.ByID()).Limit(usecase.MaxPage).
			WithWorkflow(func(q *ent.WorkflowQuery) { q.Select(entworkflow.FieldIdentifier) }).All(ctx)
	}, func(v *ent.WorkflowVersion) { fn(v.Edges.Workflow, v.Definition) })
	if err != nil {
		return fmt.Errorf("read versions with a text: %w", err)
	}
	return nil
}

// eachRow passes the rows of a list, which read returns in batches of usecase.MaxPage in the order of their ids: together they
// may be large.
func eachRow[T any, R interface {
	*T
	ent.Node
}](read func(after string) ([]R, error), fn func(R)) error {
	for after := ""; ; {
		rows, err := read(after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			fn(row)
		}
		if len(rows) < usecase.MaxPage {
			return nil
		}
		after, _ = rows[len(rows)-1].OrderKey("id").(string)
	}
}

// jsonContains narrows to rows whose JSON has a text somewhere. The text must be one that JSON writes as it is, as it does
// identifiers of snippets and names of variables.
func jsonContains(column, text string) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		b.WriteString("strpos(").Ident(column).WriteString("::text, ").Arg(text).WriteString(") > 0")
	})
}
