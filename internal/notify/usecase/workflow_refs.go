package usecase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	workflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
)

// ShownWorkflowColumns are the columns of a workflow that anybody reads. What only the search looks at is longer than all of them.
var ShownWorkflowColumns = slices.DeleteFunc(slices.Clone(workflow.Columns), func(column string) bool {
	return column == workflow.FieldSearch || column == workflow.FieldSearchGrams
})

// WorkflowRefs finds the living workflows that references name: a record's id, a slug, a global id or a trigger
// identifier, tried in this order (decisions.md §1). A reference that names none is not in the map. Cost: one query.
func WorkflowRefs(ctx context.Context, db *ent.Client, refs []string) (map[string]*ent.Workflow, error) {
	if len(refs) == 0 {
		return map[string]*ent.Workflow{}, nil
	}
	wanted := RecordIDs(refs)
	rows, err := db.Workflow.Query().
		Where(workflow.Deleted(false), workflow.Or(workflow.IDIn(wanted...), workflow.IdentifierIn(refs...))).Select(ShownWorkflowColumns...).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find workflows: %w", err)
	}
	return NamedWorkflows(refs, rows, func(w *ent.Workflow) (id.ID, string) { return w.ID, w.Identifier }), nil
}

// RecordIDs are the record ids inside references to workflows.
func RecordIDs(refs []string) (ids []id.ID) {
	for _, ref := range refs {
		if recordID, ok := workflowID(ref); ok {
			ids = append(ids, recordID)
		}
	}
	return ids
}

// NamedWorkflows are the workflows that references name, of those found by recordIDs and by identifier.
func NamedWorkflows[T any](refs []string, rows []*T, names func(*T) (id.ID, string)) map[string]*T {
	byID, byName := make(map[id.ID]*T, len(rows)), make(map[string]*T, len(rows))
	for _, row := range rows {
		recordID, identifier := names(row)
		byID[recordID], byName[identifier] = row, row
	}
	found := make(map[string]*T, len(refs))
	for _, ref := range refs {
		var row *T
		if recordID, ok := workflowID(ref); ok {
			row = byID[recordID]
		}
		if row == nil && !id.Valid(ref) {
			row = byName[ref]
		}
		if row != nil {
			found[ref] = row
		}
	}
	return found
}

// WorkflowRef is the one living workflow that a reference names.
func WorkflowRef(ctx context.Context, db *ent.Client, ref string) (*ent.Workflow, error) {
	found, err := WorkflowRefs(ctx, db, []string{ref})
	if err != nil {
		return nil, err
	}
	if found[ref] == nil {
		return nil, fault.NotFoundf("Workflow %s was not found.", ref)
	}
	return found[ref], nil
}

// workflowID is the record id inside a reference, unless it is a trigger identifier.
func workflowID(ref string) (id.ID, bool) {
	if id.Valid(ref) {
		return strings.ToLower(ref), true
	}
	if recordID, ok := id.ParseSlug(ref, "wf"); ok {
		return recordID, true
	}
	typ, recordID, ok := id.ParseGlobal(ref)
	return recordID, ok && typ == "Workflow"
}
