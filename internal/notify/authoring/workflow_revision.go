package authoring

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
)

// WorkflowDraftRevision is a hash of what authors edit of a workflow: its name, its description and its draft.
func WorkflowDraftRevision(w *ent.Workflow) (string, error) {
	return draftRevision(w.Name, w.Description, w.Draft)
}

func draftRevision(name, description string, draft *workflow.Definition) (string, error) {
	written, err := json.Marshal([]any{name, description, draft})
	if err != nil {
		return "", err
	}
	// Postgres writes numbers and the order of members in its own way: read and written again, both sides are alike.
	var read any
	if err := json.Unmarshal(written, &read); err != nil {
		return "", err
	}
	if written, err = json.Marshal(read); err != nil {
		return "", err
	}
	sum := sha256.Sum256(written)
	return hex.EncodeToString(sum[:16]), nil
}

// checkBase refuses a change that is based on another state of a workflow than the stored one. A change that is stored already passes, so
// that it can be sent again when its answer was lost.
func checkBase(stored *ent.Workflow, in UpdateWorkflowInput, draft *workflow.Definition) error {
	if in.DraftRevision == nil {
		return nil
	}
	now, err := WorkflowDraftRevision(stored)
	if err != nil || now == *in.DraftRevision {
		return err
	}
	name, description := stored.Name, stored.Description
	if in.Name != nil {
		name = *in.Name
	}
	if in.Description != nil {
		description = *in.Description
	}
	wanted, err := draftRevision(name, description, draft)
	if err != nil || wanted == now {
		return err
	}
	return fault.Conflictf("WORKFLOW_CHANGED", "The workflow has changed since the draftRevision that this change is based on. Read it again.")
}
