package authoring_test

import (
	"encoding/json"
	"strconv"
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

// TestDraftsOfLargeNumbers: whole numbers that doubles cannot tell apart make two drafts, which are read as they were given.
func TestDraftsOfLargeNumbers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	definition := func(n string) workflow.Definition {
		return workflow.Definition{Steps: []workflow.Step{notifytest.InAppStep()}, Data: map[string]any{"account": json.Number(n)}}
	}
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Numbers", Definition: definition("9007199254740992")})
	require.NoError(t, err)
	first, err := authoring.WorkflowDraftRevision(made)
	require.NoError(t, err)
	save := func(n string) error {
		d := definition(n)
		return notifytest.Err(a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.ID, Definition: &d, DraftRevision: &first}))
	}
	require.NoError(t, save("9007199254740993"))
	require.Equal(t, "WORKFLOW_CHANGED", notifytest.Code(save("9007199254740994")))

	stored, err := a.Workflows.ByReference(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"account": int64(9007199254740993)}, stored.Draft.Data)
	published, err := a.Workflows.Publish(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, stored.Draft.Data, published.Data)
}

// based is a record of the kinds that are changed as a whole, and how it is changed; nil: whatever is stored.
type based struct {
	code     string
	revision func(t *testing.T) string
	save     func(base *string, text string) error
	text     func(t *testing.T) string
}

// records makes one record of each of these kinds.
func records(t *testing.T, a *notifytest.Authoring) map[string]based {
	t.Helper()
	ok := func(text string, err error) string {
		t.Helper()
		require.NoError(t, err)
		return text
	}
	l, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "L", Content: "{{ content }}"})
	require.NoError(t, err)
	s, err := a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "S", Content: "s"})
	require.NoError(t, err)
	texts, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "de", Content: map[string]string{"b": "B"}})
	require.NoError(t, err)
	return map[string]based{
		"Layout": {
			"LAYOUT_CHANGED",
			func(t *testing.T) string {
				t.Helper()
				l, err := a.Layouts.Get(a.Ctx, l.ID)
				require.NoError(t, err)
				return ok(authoring.LayoutRevision(l))
			},
			func(base *string, text string) error {
				return notifytest.Err(a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: l.ID, Content: &text, Revision: base}))
			},
			func(t *testing.T) string {
				t.Helper()
				l, err := a.Layouts.Get(a.Ctx, l.ID)
				require.NoError(t, err)
				return l.Content
			},
		},
		"Snippet": {
			"SNIPPET_CHANGED",
			func(t *testing.T) string {
				t.Helper()
				s, err := a.Snippets.Get(a.Ctx, s.ID)
				require.NoError(t, err)
				return ok(authoring.SnippetRevision(s))
			},
			func(base *string, text string) error {
				return notifytest.Err(a.Snippets.Update(a.Ctx, authoring.UpdateSnippetInput{ID: s.ID, Content: &text, Revision: base}))
			},
			func(t *testing.T) string {
				t.Helper()
				s, err := a.Snippets.Get(a.Ctx, s.ID)
				require.NoError(t, err)
				return s.Content
			},
		},
		"Translation": {
			"TRANSLATION_CHANGED",
			func(t *testing.T) string {
				t.Helper()
				found, err := a.Translations.Get(a.Ctx, texts.ID)
				require.NoError(t, err)
				return ok(authoring.TranslationRevision(found))
			},
			func(base *string, text string) error {
				return notifytest.Err(a.Translations.Update(a.Ctx, authoring.UpdateTranslationInput{ID: texts.ID, Content: map[string]string{"b": text, "a": "A"}, Revision: base}))
			},
			func(t *testing.T) string {
				t.Helper()
				found, err := a.Translations.Get(a.Ctx, texts.ID)
				require.NoError(t, err)
				return found.Content["b"]
			},
		},
	}
}

// TestTemplatesAreNotOverwritten: what TestDraftIsNotOverwritten says, of layouts, snippets and translations.
func TestTemplatesAreNotOverwritten(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for name, r := range records(t, a) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := r.revision(t)
			require.NoError(t, r.save(&first, "mine"))
			require.NotEqual(t, first, r.revision(t))
			err := r.save(&first, "theirs")
			require.Equal(t, fault.Conflict, fault.KindOf(err))
			require.Equal(t, r.code, notifytest.Code(err))
			require.Equal(t, "mine", r.text(t))
			require.NoError(t, r.save(&first, "mine"), "sent again because the answer was lost")
			second := r.revision(t)
			require.NoError(t, r.save(&second, "later"))
			require.NoError(t, r.save(nil, "whatever is stored"))

			// Of several changes of one state that arrive together, one is made.
			base := r.revision(t)
			faults := make(chan error)
			for i := range 4 {
				go func() { faults <- r.save(&base, strconv.Itoa(i)) }()
			}
			refused := 0
			for range 4 {
				if err := <-faults; err != nil {
					require.Equal(t, r.code, notifytest.Code(err))
					refused++
				}
			}
			require.Equal(t, 3, refused)
		})
	}
}

// TestDefaultLayoutIsNotTakenBack: another layout has become the default since.
func TestDefaultLayoutIsNotTakenBack(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	first, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "First", Content: "{{ content }}", IsDefault: new(true)})
	require.NoError(t, err)
	base, err := authoring.LayoutRevision(first)
	require.NoError(t, err)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Second", Content: "{{ content }}", IsDefault: new(true)})
	require.NoError(t, err)
	_, err = a.Layouts.Update(a.Ctx, authoring.UpdateLayoutInput{ID: first.ID, Name: new("New"), IsDefault: new(true), Revision: &base})
	require.Equal(t, "LAYOUT_CHANGED", notifytest.Code(err))
}
