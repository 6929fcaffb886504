package authoring

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/workflow"
)

// edited is what authors edit of a record. Its hash is the record's revision, by which a change says what it is based on.
type edited []any

func editedWorkflow(name, description string, draft *workflow.Definition) edited {
	return edited{name, description, draft}
}

// WorkflowDraftRevision is the revision of a workflow's name, description and draft.
func WorkflowDraftRevision(w *ent.Workflow) (string, error) {
	return editedWorkflow(w.Name, w.Description, w.Draft).revision()
}

func editedLayout(name, content string, isDefault bool) edited {
	return edited{name, content, isDefault}
}

// LayoutRevision is the revision of a layout.
func LayoutRevision(l *ent.Layout) (string, error) {
	return editedLayout(l.Name, l.Content, l.IsDefault).revision()
}

func editedSnippet(name, content string) edited { return edited{name, content} }

// SnippetRevision is the revision of a snippet.
func SnippetRevision(s *ent.Snippet) (string, error) {
	return editedSnippet(s.Name, s.Content).revision()
}

// TranslationRevision is the revision of the texts of a locale.
func TranslationRevision(t *ent.Translation) (string, error) { return edited{t.Content}.revision() }

func (e edited) revision() (string, error) {
	written, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	// Postgres writes numbers and the order of members in its own way: read and written again, both sides are alike.
	var read any
	if err := jsonnum.Unmarshal(written, &read); err != nil {
		return "", err
	}
	if written, err = json.Marshal(read); err != nil {
		return "", err
	}
	sum := sha256.Sum256(written)
	return hex.EncodeToString(sum[:16]), nil
}

// checkBase refuses a change that is based on another revision than the stored one; nil is any. A change that is stored already passes,
// so that it can be sent again when its answer was lost.
func checkBase(base *string, stored, wanted edited, refusal error) error {
	if base == nil {
		return nil
	}
	now, err := stored.revision()
	if err != nil || now == *base {
		return err
	}
	then, err := wanted.revision()
	if err != nil || then == now {
		return err
	}
	return refusal
}

// given is a field after a change: the new value, or the stored one when the change leaves it out.
func given[T any](value *T, stored T) T {
	if value == nil {
		return stored
	}
	return *value
}

// errWorkflowChanged and its likes refuse changes that are based on an earlier revision.
var (
	errWorkflowChanged    = fault.Conflictf("WORKFLOW_CHANGED", "The workflow has changed since the draftRevision that this change is based on. Read it again.")
	errLayoutChanged      = fault.Conflictf("LAYOUT_CHANGED", "The layout has changed since the revision that this change is based on. Read it again.")
	errSnippetChanged     = fault.Conflictf("SNIPPET_CHANGED", "The snippet has changed since the revision that this change is based on. Read it again.")
	errTranslationChanged = fault.Conflictf("TRANSLATION_CHANGED", "The translation has changed since the revision that this change is based on. Read it again.")
)
