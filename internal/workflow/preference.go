package workflow

import "slices"

// PreferenceSource names who decided a preference (api.md, Subscriber preferences).
type PreferenceSource string

// The sources.
const (
	SourceSubscriber       PreferenceSource = "subscriber"
	SourceTemplate         PreferenceSource = "template"
	SourceWorkflowOverride PreferenceSource = "workflowOverride"
)

// PreferenceRule is the row of the precedence table that decided (decisions.md §8).
type PreferenceRule int

// The rows, first match first.
const (
	RuleCritical           PreferenceRule = 1
	RuleSubscriberWorkflow PreferenceRule = 2
	RuleSubscriberGlobal   PreferenceRule = 3
	RuleTenant             PreferenceRule = 4
	RuleAuthor             PreferenceRule = 5
	RuleDefault            PreferenceRule = 6
)

// Source is who a row speaks for.
func (r PreferenceRule) Source() PreferenceSource {
	switch r {
	case RuleSubscriberWorkflow, RuleSubscriberGlobal:
		return SourceSubscriber
	case RuleTenant:
		return SourceWorkflowOverride
	default:
		return SourceTemplate
	}
}

// PreferenceLevel is what one level holds: a switch for everything and a wish per channel.
type PreferenceLevel struct {
	Enabled  *bool              `json:"enabled,omitempty"`
	Channels ChannelPreferences `json:"channels,omitzero"`
}

// Get is the level's wish for c. Enabled=false turns off all five channels (semantics.md §11.10).
func (l *PreferenceLevel) Get(c Channel) *bool {
	if l == nil {
		return nil
	}
	if l.Enabled != nil && !*l.Enabled {
		return l.Enabled
	}
	return l.Channels.Get(c)
}

// On is false when the level switches everything off, by its switch or channel by channel (decisions.md §10).
func (l *PreferenceLevel) On() bool {
	return slices.ContainsFunc(Channels(), func(c Channel) bool {
		wish := l.Get(c)
		return wish == nil || *wish
	})
}

// Preferences are all inputs of the precedence table for one subscriber, workflow and context set. The levels of the
// subscriber are those stored under exactly that context set; nil when nothing is stored.
type Preferences struct {
	Critical bool
	Author   ChannelPreferences
	Workflow *PreferenceLevel
	Global   *PreferenceLevel
	Tenant   *PreferenceLevel // the workflow's override for the trigger's tenant; nil in plain reads
}

// EffectivePreference is the outcome for one channel.
type EffectivePreference struct {
	Channel Channel          `json:"channel"`
	Enabled bool             `json:"enabled"`
	Source  PreferenceSource `json:"source"`
	Rule    PreferenceRule   `json:"rule"`
}

// Effective decides one channel: the first row of the table that is set wins.
func (p Preferences) Effective(c Channel) EffectivePreference {
	if p.Critical {
		v := p.Author.Get(c)
		return outcome(c, v == nil || *v, RuleCritical)
	}
	for _, row := range []struct {
		rule PreferenceRule
		wish *bool
	}{
		{RuleSubscriberWorkflow, p.Workflow.Get(c)},
		{RuleSubscriberGlobal, p.Global.Get(c)},
		{RuleTenant, p.Tenant.Get(c)},
		{RuleAuthor, p.Author.Get(c)},
	} {
		if row.wish != nil {
			return outcome(c, *row.wish, row.rule)
		}
	}
	return outcome(c, true, RuleDefault)
}

// All decides the five channels in the order of the documented routes.
func (p Preferences) All() []EffectivePreference {
	all := make([]EffectivePreference, 0, len(Channels()))
	for _, c := range Channels() {
		all = append(all, p.Effective(c))
	}
	return all
}

func outcome(c Channel, enabled bool, rule PreferenceRule) EffectivePreference {
	return EffectivePreference{Channel: c, Enabled: enabled, Source: rule.Source(), Rule: rule}
}
