package authoring_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDraftIsNotOverwritten: a change says which state it is based on, and takes nothing back that was saved since.
func TestDraftIsNotOverwritten(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	revision := func(w *ent.Workflow) *string {
		t.Helper()
		r, err := authoring.WorkflowDraftRevision(w)
		require.NoError(t, err)
		stored, err := a.Workflows.ByReference(a.Ctx, w.ID)
		require.NoError(t, err)
		read, err := authoring.WorkflowDraftRevision(stored)
		require.NoError(t, err)
		require.Equal(t, read, r, "what is answered is what is stored")
		return &r
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"b": map[string]any{"maximum": 1e21}, "a": map[string]any{"minimum": 1.50}}}
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Shared", Definition: workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}, PayloadSchema: schema}})
	require.NoError(t, err)
	first := revision(made)
	save := func(base *string, name string) (*ent.Workflow, error) {
		d := workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}, PayloadSchema: schema}
		return a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.ID, Name: &name, Definition: &d, DraftRevision: base})
	}

	mine, err := save(first, "Mine")
	require.NoError(t, err)
	require.NotEqual(t, first, revision(mine))
	_, err = save(first, "Theirs")
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	require.Equal(t, "WORKFLOW_CHANGED", notifytest.Code(err))
	again, err := save(first, "Mine")
	require.NoError(t, err, "sent again because the answer was lost")
	require.Equal(t, revision(mine), revision(again))

	// What is no part of the draft is no conflict.
	_, err = a.Workflows.SetActive(a.Ctx, made.ID, false)
	require.NoError(t, err)
	published, err := a.Workflows.Publish(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, revision(mine), revision(published))
	_, err = save(revision(mine), "Mine, later")
	require.NoError(t, err)
	_, err = save(nil, "Whatever is stored")
	require.NoError(t, err)
}
