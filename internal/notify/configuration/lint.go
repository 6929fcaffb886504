package configuration

import (
	"cmp"
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// LintOptions decide what a document is checked against.
type LintOptions struct {
	Workflows usecase.WorkflowSettings
	Providers *provider.Registry
	// Prefix is VALUE_PREFIX (decisions.md §1).
	Prefix string
	// DefaultLocale is the environment's, whose texts serve readers of every other one. Empty: en.
	DefaultLocale string
}

// Findings are what a document may be saved with all the same.
type Findings struct {
	Issues  []Issue
	Missing []MissingTranslation // of the locales that the document has, and the default locale
	Doubts  []render.Doubt       // about the plural forms of translations
}

// Lint runs every check of a save that needs no database, on a document alone. What its workflows name, layouts, snippets, feeds and
// notification groups, must be in the document as well, when it has that section. Faults are in err, all of them together.
func Lint(opts LintOptions, document map[string]any) (findings Findings, err error) {
	d, err := decode(document)
	if err != nil {
		return Findings{}, err
	}
	l := linter{opts: opts, document: d}
	for _, s := range sections {
		for _, name := range s.names(d) {
			var own fault.Problems
			if err := l.check(s.kind, name, &own); err != nil {
				return Findings{}, err
			}
			if err := l.problems.Merge("document."+s.name+"."+name, asFieldsOf(name, own.Err())); err != nil {
				return Findings{}, err
			}
		}
	}
	return Findings{l.issues, missingTranslations(d, cmp.Or(opts.DefaultLocale, "en")), textsOf(d).Doubts()}, l.problems.Err()
}

type linter struct {
	opts     LintOptions
	document *Document
	problems fault.Problems
	issues   []Issue
}

func (l *linter) check(k Kind, name string, problems *fault.Problems) error {
	switch k {
	case KindVariable:
		checkVariable(problems, name, l.document.Variables[name])
	case KindNotificationGroup:
		group := l.document.NotificationGroups[name]
		usecase.CheckName(problems, "name", group.Name)
		if _, known := l.document.NotificationGroups[group.Parent]; group.Parent != "" && !known {
			problems.Add("parent", group.Parent, "no notification group has this identifier")
		}
		return problems.Merge("", authoring.CheckParent(name, group.Parent, func(group string) (string, error) {
			return l.document.NotificationGroups[group].Parent, nil
		}))
	case KindFeed:
		usecase.CheckName(problems, "name", l.document.Feeds[name].Name)
	case KindSnippet:
		snippet := l.document.Snippets[name]
		authoring.CheckSnippetIdentifier(problems, name)
		authoring.CheckSnippet(l.opts.Workflows.Templates, problems, &snippet.Name, &snippet.Content)
		l.snippets("content", problems, render.SnippetsOf(snippet.Content)...)
		snippetGraph(l.document).Check(problems, name)
		authoring.ReportSecrets(l.opts.Workflows.Templates, problems, snippet.Content, workflow.TemplateScope{Variables: l.variables()})
	case KindLayout:
		layout := l.document.Layouts[name]
		authoring.CheckLayout(l.opts.Workflows.Templates, problems, &layout.Name, &layout.Content)
		l.snippets("content", problems, render.SnippetsOf(layout.Content)...)
		authoring.ReportSecrets(l.opts.Workflows.Templates, problems, layout.Content, workflow.TemplateScope{Variables: l.variables()})
	case KindTranslation:
		authoring.CheckTranslation(problems, name, l.document.Translations[name])
	case KindIntegration:
		l.checkIntegration(l.document.Integrations[name], problems)
	case KindTopic:
		if !workflow.ValidTopicKey(name) {
			problems.Add("key", name, audience.WrongTopicKey)
		}
		title := l.document.Topics[name].Name
		usecase.CheckText(problems, "name", &title, usecase.MaxNameLength)
	case KindWorkflow:
		return l.checkWorkflow(name, l.document.Workflows[name], problems)
	}
	return nil
}

// checkIntegration leaves out credentials, of which a document may hold only those that are no secrets.
func (l *linter) checkIntegration(i Integration, problems *fault.Problems) {
	if _, known := l.opts.Providers.Lookup(workflow.ProviderIDIn(l.opts.Prefix, i.ProviderID)); !known {
		problems.Add("providerId", i.ProviderID, "is no provider")
	}
	condition.ValidateFilters(problems, "conditions", i.Conditions, nil)
}

func (l *linter) checkWorkflow(name string, w Workflow, problems *fault.Problems) error {
	complete(&w)
	usecase.CheckName(problems, "name", w.Name)
	usecase.CheckText(problems, "description", &w.Description, usecase.MaxTextLength)
	if !workflow.ValidWorkflowIdentifier(name) {
		problems.Add("identifier", name, "must be 1 to 255 letters, digits, '-', '_' or '.'")
	}
	if _, known := l.document.NotificationGroups[w.NotificationGroup]; w.NotificationGroup != "" && l.document.NotificationGroups != nil && !known {
		problems.Add("notificationGroup", w.NotificationGroup, "no notification group has this id or identifier")
	}
	if err := authoring.CheckDefinition(l.opts.Workflows, &w.Definition, problems); err != nil {
		return err
	}
	if *w.Published && !problems.Any() { // as a save does, which publishes only what it could store
		if err := problems.Merge("", authoring.Publishable(l.opts.Workflows, &w.Definition)); err != nil {
			return err
		}
		if err := problems.Merge("", w.CheckVariables(l.issueInput())); err != nil {
			return err
		}
	}
	if l.document.Layouts != nil {
		missing := authoring.LayoutsNamed(&w.Definition)
		maps.DeleteFunc(missing, func(layout string, _ []string) bool { _, known := l.document.Layouts[layout]; return known })
		authoring.ReportLayouts(problems, missing)
	}
	for snippet, paths := range authoring.SnippetsNamed(&w.Definition) {
		for _, path := range paths {
			l.snippets(path, problems, snippet)
		}
	}
	for _, i := range w.Issues(l.issueInput()) {
		refused := func(f fault.Field) bool { return f.Message == "step "+i.StepID+": "+i.Message }
		if slices.ContainsFunc(problems.Fields(), refused) {
			continue
		}
		l.issues = append(l.issues, Issue{Workflow: name, StepID: i.StepID, Message: i.Message})
	}
	return nil
}

// snippets reports those that the document does not have, when it has the section.
func (l *linter) snippets(path string, problems *fault.Problems, names ...string) {
	for _, name := range names {
		if _, known := l.document.Snippets[name]; l.document.Snippets != nil && !known {
			authoring.ReportSnippet(problems, path, name)
		}
	}
}

// variables are those that the document has, and whether each is secret; nil: it has no such section.
func (l *linter) variables() map[string]bool {
	if l.document.Variables == nil {
		return nil
	}
	out := map[string]bool{}
	for name, v := range l.document.Variables {
		out[name] = v.Secret
	}
	return out
}

// issueInput takes every channel for served and the inbox for connected, which only a server can know.
func (l *linter) issueInput() workflow.IssueInput {
	in := workflow.IssueInput{ActiveChannels: map[workflow.Channel]bool{}, InboxConnected: true, MaxDelay: l.opts.Workflows.MaxDelay}
	for _, c := range workflow.Channels() {
		in.ActiveChannels[c] = true
	}
	if l.opts.Workflows.Templates != nil {
		in.Analyze = l.opts.Workflows.Templates.Analyze
	}
	if l.document.Feeds != nil {
		in.KnownFeed = func(ref string) bool { _, known := l.document.Feeds[ref]; return known }
	}
	in.Variables = l.variables()
	if l.document.Translations != nil {
		in.Texts = textsOf(l.document).TextsOf
	}
	if l.document.Snippets != nil {
		in.Snippets = map[string]string{}
		for name, s := range l.document.Snippets {
			in.Snippets[name] = s.Content
		}
	}
	return in
}
