package authoring

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Complete fills in a definition that came from a caller: defaults, the record ids of its steps and variants, and names
// for steps that have none. Ids given stay when the step was in the draft before; a step without an id keeps that of
// the former step of the same stepId and type, so that slugs and digest windows survive an edit, and a variant without an
// id that of the step's former variant of the same name.
func Complete(d, former *workflow.Definition, newID func() id.ID) {
	SetDefaults(d)
	kept := idKeeper{taken: map[id.ID]bool{}, known: map[id.ID]bool{}, byName: map[string]id.ID{}, newID: newID}
	if former != nil {
		for _, s := range former.Steps {
			kept.known[s.ID], kept.byName[stepKey(s)] = true, s.ID
			for _, v := range s.Variants {
				kept.known[v.ID], kept.byName[variantKey(s, v)] = true, v.ID
			}
		}
	}
	names := map[string]bool{}
	for _, s := range d.Steps {
		names[s.StepID] = true
	}
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.StepID == "" {
			s.StepID = freeStepID(s, names)
		}
		if s.Name == "" {
			s.Name = s.StepID
		}
		s.ID = kept.assign(s.ID, kept.byName[stepKey(*s)])
		for j := range s.Variants {
			v := &s.Variants[j]
			if v.Name == "" {
				v.Name = "Variant " + strconv.Itoa(j+1)
			}
			v.ID = kept.assign(v.ID, kept.byName[variantKey(*s, *v)])
		}
	}
}

func stepKey(s workflow.Step) string { return string(s.Type) + "\x00" + s.StepID }

func variantKey(s workflow.Step, v workflow.Variant) string { return stepKey(s) + "\x00" + v.Name }

// SetDefaults sets what a definition leaves to its default.
func SetDefaults(d *workflow.Definition) {
	if d.Severity == "" {
		d.Severity = workflow.SeverityNone
	}
	if d.Versioning == "" {
		d.Versioning = workflow.VersionPinned
	}
	if d.Tags == nil {
		d.Tags = []string{}
	}
	if d.Steps == nil {
		d.Steps = []workflow.Step{}
	}
	for i := range d.Steps {
		if d.Steps[i].UnknownOutcome == "" {
			d.Steps[i].UnknownOutcome = workflow.UnknownRetry
		}
	}
}

// idKeeper hands out record ids, each once.
type idKeeper struct {
	taken, known map[id.ID]bool
	byName       map[string]id.ID
	newID        func() id.ID
}

func (k *idKeeper) assign(given, former id.ID) id.ID {
	for _, candidate := range []id.ID{strings.ToLower(given), former} {
		if candidate != "" && k.known[candidate] && !k.taken[candidate] {
			k.taken[candidate] = true
			return candidate
		}
	}
	fresh := k.newID()
	k.taken[fresh] = true
	return fresh
}

// freeStepID names a step after its name or type, with a number when that is taken.
func freeStepID(s *workflow.Step, names map[string]bool) string {
	base := usecase.Slug(s.Name)
	if base == "" {
		base = usecase.Slug(string(s.Type))
	}
	name := base
	for n := 2; names[name]; n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	names[name] = true
	return name
}

// check reports every fault of a definition together with the problems found before.
func (w *Workflows) check(ctx context.Context, db *ent.Client, d *workflow.Definition, problems *fault.Problems) error {
	if err := CheckDefinition(w.settings, d, problems); err != nil {
		return err
	}
	if err := checkLayouts(ctx, db, d, problems); err != nil {
		return err
	}
	if err := checkSnippets(ctx, db, problems, SnippetsNamed(d)); err != nil {
		return err
	}
	return problems.Err()
}

// CheckDefinition adds the faults of a definition that can be found without a database: of its steps, and texts that no
// subscriber would ever receive, because they cannot be parsed. An error is none of the definition.
func CheckDefinition(settings usecase.WorkflowSettings, d *workflow.Definition, problems *fault.Problems) error {
	if err := problems.Merge("definition", d.Check(workflow.CheckOptions{InboundDomain: settings.InboundDomain})); err != nil {
		return err
	}
	if settings.Templates == nil {
		return nil
	}
	for i := range d.Steps {
		for _, text := range d.Steps[i].Texts() {
			if err := settings.Templates.Check(text.Text, text.HTML); err != nil {
				problems.Add(fmt.Sprintf("definition.steps.%d.%s", i, text.Path), nil, "is no valid template: %s", err.Error())
			}
		}
	}
	return nil
}

// LayoutsNamed lists the layouts that e-mails of a definition name, each with the paths that do.
func LayoutsNamed(d *workflow.Definition) map[string][]string {
	named := map[string][]string{} // identifier → paths
	for i, s := range d.Steps {
		path := fmt.Sprintf("definition.steps.%d", i)
		if s.Email != nil && s.Email.LayoutID != "" {
			named[s.Email.LayoutID] = append(named[s.Email.LayoutID], path+".email.layoutId")
		}
		for j, v := range s.Variants {
			if v.Email != nil && v.Email.LayoutID != "" {
				named[v.Email.LayoutID] = append(named[v.Email.LayoutID], fmt.Sprintf("%s.variants.%d.email.layoutId", path, j))
			}
		}
	}
	return named
}

// ReportLayouts adds a fault for each e-mail that names one of the layouts, which do not exist.
func ReportLayouts(problems *fault.Problems, missing map[string][]string) {
	for name, paths := range missing {
		for _, path := range paths {
			problems.Add(path, name, "no layout has this identifier")
		}
	}
}

// checkLayouts reports e-mails that name a layout which does not exist.
func checkLayouts(ctx context.Context, db *ent.Client, d *workflow.Definition, problems *fault.Problems) error {
	wanted := LayoutsNamed(d)
	if len(wanted) == 0 {
		return nil
	}
	known, err := db.Layout.Query().Where(layout.IdentifierIn(slices.Collect(maps.Keys(wanted))...)).Select(layout.FieldIdentifier).Strings(ctx)
	if err != nil {
		return fmt.Errorf("look for layouts: %w", err)
	}
	for _, name := range known {
		delete(wanted, name)
	}
	ReportLayouts(problems, wanted)
	return nil
}

// issues computes what is wrong with a definition that is saved all the same (decisions.md §11).
func (w *Workflows) issues(ctx context.Context, db *ent.Client, d *workflow.Definition) ([]workflow.StepIssue, error) {
	var channels []workflow.Channel
	err := db.Integration.Query().Where(integration.Active(true), integration.Deleted(false)).
		GroupBy(integration.FieldChannel).Scan(ctx, &channels)
	if err != nil {
		return nil, fmt.Errorf("list served channels: %w", err)
	}
	env, err := environmentOf(ctx, db)
	if err != nil {
		return nil, err
	}
	in := workflow.IssueInput{ActiveChannels: map[workflow.Channel]bool{}, InboxConnected: env.InboxSeen, MaxDelay: w.settings.MaxDelay}
	texts, err := storedTranslations(ctx, db)
	if err != nil {
		return nil, err
	}
	// All fall back to the default locale (semantics.md §11.20).
	in.Translation, in.Texts = texts.For(env.DefaultLocale, env.DefaultLocale).Lookup, texts.TextsOf
	if in.Variables, err = variableNames(ctx, db); err != nil {
		return nil, err
	}
	if in.Snippets, err = snippetSources(ctx, db); err != nil {
		return nil, err
	}
	for _, c := range channels {
		in.ActiveChannels[c] = true
	}
	feeds, err := feedsOf(ctx, db, d)
	if err != nil {
		return nil, err
	}
	in.KnownFeed = func(ref string) bool { return feeds[ref] != "" }
	if w.settings.Templates != nil {
		in.Analyze = w.settings.Templates.Analyze
	}
	issues := d.Issues(in)
	if issues == nil {
		issues = []workflow.StepIssue{}
	}
	return issues, nil
}

// checkVariables refuses secret variables in templates that messages show and in the snippets that they render; of a strict
// definition also unknown variables, and keys whose translations need arguments that are not given.
func (w *Workflows) checkVariables(ctx context.Context, db *ent.Client, d *workflow.Definition) (err error) {
	if w.settings.Templates == nil || !d.Strict && !mayNameVariables(d) {
		return nil
	}
	in := workflow.IssueInput{Analyze: w.settings.Templates.Analyze}
	if in.Variables, err = variableNames(ctx, db); err != nil {
		return err
	}
	if !d.Strict && !anySecret(in.Variables) {
		return nil
	}
	if in.Snippets, err = snippetSources(ctx, db); err != nil {
		return err
	}
	if !d.Strict {
		return d.CheckVariables(in)
	}
	texts, err := storedTranslations(ctx, db)
	if err != nil {
		return err
	}
	in.Texts = texts.TextsOf
	return d.CheckVariables(in)
}

// mayNameVariables reports whether a template of a definition, or a snippet that it renders, may name variables of the environment.
func mayNameVariables(d *workflow.Definition) bool {
	for i := range d.Steps {
		for _, t := range d.Steps[i].Texts() {
			if strings.Contains(t.Text, "env") || strings.Contains(t.Text, "render") {
				return true
			}
		}
	}
	return false
}
