package workflow

import (
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

// The groups and types of issues (api.md, Workflow list item; decisions.md §11).
const (
	IssueGroupControls    = "controls"
	IssueGroupIntegration = "integration"

	IssueMissingIntegration = "MISSING_INTEGRATION"
	IssueInboxNotConnected  = "INBOX_NOT_CONNECTED"
	IssueMissingValue       = "MISSING_VALUE"
	IssueIllegalVariable    = "ILLEGAL_VARIABLE_IN_CONTROL_VALUE"
	IssueInvalidFilterArg   = "INVALID_FILTER_ARG_IN_VARIABLE"
	IssueTierLimit          = "TIER_LIMIT_EXCEEDED"
)

// TemplateScope is what a template of a step may name.
type TemplateScope struct {
	PayloadSchema map[string]any // without one every payload variable is known
	Steps         []string       // the steps before it, roots of steps.<id>
	HTML          bool
	Variables     map[string]bool // of the environment by name: whether each is secret; nil: unknown
	Secrets       bool            // the template may use secret variables
	// Translation is the text that every reader gets at least for a key of the filter t; nil: unknown.
	Translation func(key string) (text string, known bool)
	Texts       func(key string) map[string]string // of a key of the filter t, by locale; nil: unknown
	Snippets    map[string]string                  // sources by identifier, analyzed where they are rendered; nil: they are not
	Strict      bool                               // of a snippet everything is reported, not only its use of env
}

// TemplateFault is one fault of one template. Type is IssueIllegalVariable, IssueInvalidFilterArg or, for a key without
// translation, IssueMissingValue.
type TemplateFault struct {
	Type     string
	Variable string
	Message  string
	OfText   bool // a text of translations cannot be written with the arguments that the template gives
	Secret   bool // the variable is secret, and would render nothing
}

// IssueInput is what computing issues needs from outside: the analysis of templates is above this package.
type IssueInput struct {
	ActiveChannels map[Channel]bool // channels served by at least one active integration
	InboxConnected bool             // some subscriber of the environment has opened an inbox session
	MaxDelay       time.Duration    // how far ahead a delay may reach; 0: there is no bound
	Analyze        func(text string, scope TemplateScope) []TemplateFault
	KnownFeed      func(ref string) bool                      // whether a feed has this id or identifier; nil: unknown
	Variables      map[string]bool                            // of the environment by name: whether each is secret; nil: unknown
	Translation    func(key string) (text string, known bool) // in the environment's default locale; nil: unknown
	Texts          func(key string) map[string]string         // of a key of translations by locale; nil: unknown
	Snippets       map[string]string                          // sources by identifier; nil: they are not analyzed
}

// Issues lists the faults of a definition that is saved all the same, in step order.
func (d *Definition) Issues(in IssueInput) []StepIssue {
	var out []StepIssue
	for i := range d.Steps {
		s := &d.Steps[i]
		out = append(out, s.integrationIssues(in)...)
		out = append(out, s.feedIssues(in.KnownFeed)...)
		scope := TemplateScope{PayloadSchema: d.PayloadSchema, Steps: d.StepIDs(i), Translation: in.Translation, Texts: in.Texts, Variables: in.Variables, Snippets: in.Snippets}
		for _, t := range s.Texts() {
			scope.HTML, scope.Secrets = t.HTML, t.Secrets
			out = append(out, s.textIssues(in, t, scope)...)
		}
		out = append(out, s.waitIssues(in.MaxDelay)...)
	}
	return out
}

// CheckVariables refuses the templates of a definition that name a secret variable where it would render nothing, each by the
// path of its text; those of a strict definition also when they name a variable which does not exist, or do not give a
// translation what it needs. A payload without schema may hold anything. Of in it reads Analyze, Variables, Texts and Snippets.
func (d *Definition) CheckVariables(in IssueInput) error {
	if in.Analyze == nil {
		return nil
	}
	problems := fault.Problems{}
	for i := range d.Steps {
		scope := TemplateScope{PayloadSchema: d.PayloadSchema, Steps: d.StepIDs(i), Variables: in.Variables, Texts: in.Texts, Snippets: in.Snippets, Strict: d.Strict}
		for _, t := range d.Steps[i].Texts() {
			scope.HTML, scope.Secrets = t.HTML, t.Secrets
			for _, f := range in.Analyze(t.Text, scope) {
				if f.Secret || d.Strict && (f.Type == IssueIllegalVariable || f.OfText) {
					problems.Add(fmt.Sprintf("definition.steps.%d.%s", i, t.Path), f.Variable, "step %s: %s", d.Steps[i].StepID, f.Message)
				}
			}
		}
	}
	return problems.Err()
}

func (s *Step) integrationIssues(in IssueInput) []StepIssue {
	c, ok := s.Type.Channel()
	if !ok {
		return nil
	}
	issue := StepIssue{StepID: s.StepID, Group: IssueGroupIntegration, Key: string(c)}
	switch {
	case !in.ActiveChannels[c]:
		issue.Type, issue.Message = IssueMissingIntegration, fmt.Sprintf("No active integration serves the channel %s.", c)
	case c == ChannelInApp && !in.InboxConnected:
		issue.Type, issue.Message = IssueInboxNotConnected, "No subscriber has opened an inbox in this environment yet."
	default:
		return nil
	}
	return []StepIssue{issue}
}

// feedIssues are the feeds that a step names and that do not exist; its messages are in none until then.
func (s *Step) feedIssues(known func(ref string) bool) (out []StepIssue) {
	if known == nil {
		return nil
	}
	for _, ref := range s.feeds() {
		if !known(*ref) {
			out = append(out, StepIssue{
				StepID: s.StepID, Group: IssueGroupControls, Key: "feedId", Type: IssueMissingValue,
				Message: fmt.Sprintf("No feed has the identifier or id %q. Make it, then publish the workflow.", *ref),
			})
		}
	}
	return out
}

func (s *Step) textIssues(in IssueInput, t ControlText, scope TemplateScope) []StepIssue {
	issue := StepIssue{StepID: s.StepID, Group: IssueGroupControls, Key: t.Key}
	if t.Required && strings.TrimSpace(t.Text) == "" {
		issue.Type, issue.Message = IssueMissingValue, fmt.Sprintf("The control %s must not be empty.", t.Key)
		return []StepIssue{issue}
	}
	if t.Text == "" || in.Analyze == nil {
		return nil
	}
	var out []StepIssue
	for _, f := range in.Analyze(t.Text, scope) {
		issue.Type, issue.VariableName, issue.Message = f.Type, f.Variable, f.Message
		out = append(out, issue)
	}
	return out
}

func (s *Step) waitIssues(longest time.Duration) []StepIssue {
	if longest <= 0 || s.Delay == nil || s.Delay.Type != DelayRegular || s.Delay.Unit.atLeast(s.Delay.Amount) <= longest {
		return nil
	}
	return []StepIssue{{
		StepID: s.StepID, Group: IssueGroupControls, Key: "amount", Type: IssueTierLimit,
		Message: fmt.Sprintf("The wait is longer than the %s that this server allows.", longest),
	}}
}

// atLeast is the shortest time that amount units last; a month counts 28 days, daylight saving is not worth the
// trouble for a limit.
func (u Unit) atLeast(amount int) time.Duration {
	day := 24 * time.Hour
	unit := map[Unit]time.Duration{
		UnitSeconds: time.Second, UnitMinutes: time.Minute, UnitHours: time.Hour,
		UnitDays: day, UnitWeeks: 7 * day, UnitMonths: 28 * day,
	}[u]
	if unit > 0 && amount > int(maxDuration/unit) {
		return maxDuration
	}
	return time.Duration(amount) * unit
}

const maxDuration = time.Duration(1<<63 - 1)

// IssueTypes are the documented kinds of a step's issue.
func IssueTypes() []string {
	return []string{
		IssueIllegalVariable, IssueInvalidFilterArg, IssueMissingValue, IssueTierLimit, IssueMissingIntegration, IssueInboxNotConnected,
	}
}
