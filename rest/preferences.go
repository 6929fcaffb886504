package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// workflowSummary is the WorkflowSummary of api.md.
type workflowSummary struct {
	ID         string            `json:"id"`
	Identifier string            `json:"identifier"`
	Name       string            `json:"name"`
	Critical   bool              `json:"critical"`
	Tags       []string          `json:"tags"`
	Data       map[string]any    `json:"data,omitempty"`
	Severity   workflow.Severity `json:"severity"`
}

func summary(w *notify.WorkflowSummary) *workflowSummary {
	return &workflowSummary{
		ID: w.ID, Identifier: w.Identifier, Name: w.Name, Critical: w.Critical, Tags: listed(w.Tags), Data: w.Data, Severity: w.Severity,
	}
}

// subscriberPreferences are what holds for one subscriber (api.md, Subscriber preferences).
type subscriberPreferences struct {
	Global    globalPreference     `json:"global"`
	Workflows []workflowPreference `json:"workflows"`
}

type globalPreference struct {
	Enabled  bool                        `json:"enabled"`
	Channels workflow.ChannelPreferences `json:"channels"`
	Schedule *workflow.Schedule          `json:"schedule,omitempty"`
}

type workflowPreference struct {
	Enabled   bool                        `json:"enabled"`
	Channels  workflow.ChannelPreferences `json:"channels"`
	Overrides []preferenceOverride        `json:"overrides"`
	Workflow  preferenceWorkflow          `json:"workflow"`
	UpdatedAt *moment                     `json:"updatedAt,omitempty"`
}

type preferenceOverride struct {
	Channel workflow.Channel          `json:"channel"`
	Source  workflow.PreferenceSource `json:"source"`
}

type preferenceWorkflow struct {
	Slug       string `json:"slug"`
	Identifier string `json:"identifier"`
	Name       string `json:"name"`
	UpdatedAt  moment `json:"updatedAt"`
}

func workflowPreferenceView(p *notify.WorkflowPreference) workflowPreference {
	view := workflowPreference{
		Enabled: p.Enabled, Channels: p.Channels, Overrides: make([]preferenceOverride, len(p.Overrides)), UpdatedAt: optional(p.UpdatedAt),
		Workflow: preferenceWorkflow{
			Slug: p.Workflow.Slug, Identifier: p.Workflow.Identifier, Name: p.Workflow.Name, UpdatedAt: moment(p.Workflow.UpdatedAt),
		},
	}
	for i, e := range p.Overrides {
		view.Overrides[i] = preferenceOverride{e.Channel, e.Source}
	}
	return view
}

// GET /v2/subscribers/{subscriberId}/preferences
func (s *server) readPreferences(ctx context.Context, in *Input) (*Reply, error) {
	q := in.query()
	criticality := chosen(q, "criticality", notify.CriticalityCritical, notify.CriticalityNonCritical, notify.CriticalityAll)
	contextKeys := q.contextKeys()
	if err := q.err(); err != nil {
		return nil, err
	}
	subscriberID, err := in.name("subscriberId", "Subscriber")
	if err != nil {
		return nil, err
	}
	read, err := s.Resolvers.Query().SubscriberPreferences(ctx, subscriberID, criticality, contextKeys)
	if err != nil {
		return nil, err
	}
	return &Reply{Status: http.StatusOK, Body: subscriberPreferences{
		Global:    globalPreference{read.Global.Enabled, read.Global.Channels, read.Global.Schedule},
		Workflows: views(read.Workflows, workflowPreferenceView),
	}}, nil
}

// preference is the Preference of api.md. Preferences of this route carry no condition.
type preference struct {
	Level    notify.PreferenceLevelName  `json:"level"`
	Workflow *workflowSummary            `json:"workflow,omitempty"`
	Enabled  bool                        `json:"enabled"`
	Channels workflow.ChannelPreferences `json:"channels"`
}

// PATCH /v2/subscribers/{subscriberId}/preferences/bulk
func (s *server) updatePreferences(ctx context.Context, in *Input) (*Reply, error) {
	var p fault.Problems
	body := in.object(&p)
	input := notify.UpdatePreferencesInput{Context: body.plain("context")}
	list := body.list("preferences")
	if body.members["preferences"] == nil {
		p.Add("preferences", nil, "is required")
	}
	for i, value := range list {
		input.Preferences = append(input.Preferences, preferenceWish(body, i, value))
	}
	input.Check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	var err error
	if input.SubscriberID, err = in.name("subscriberId", "Subscriber"); err != nil {
		return nil, err
	}
	results, err := s.Resolvers.Mutation().UpdatePreferences(ctx, input)
	if err != nil {
		return nil, err
	}
	return &Reply{Status: http.StatusOK, Body: views(results, func(r *notify.PreferenceResult) preference {
		return preference{r.Level, summary(r.Workflow), r.Enabled, r.Channels}
	})}, nil
}

func preferenceWish(body object, i int, value any) (wish notify.WorkflowPreferenceInput) {
	in, position := body.item("preferences", i, value)
	members, ok := in.inner(position)
	if !ok {
		if value == nil {
			in.required(position)
		}
		return wish
	}
	wish.WorkflowID = members.required("workflowId")
	channels, ok := members.inner("channels")
	if !ok {
		if members.members["channels"] == nil {
			members.required("channels")
		}
		return wish
	}
	for _, c := range workflow.Channels() {
		wish.Channels.Set(c, channels.flag(string(c)))
	}
	return wish
}
