package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

var preferenceRoutes = []Route{{
	Method: http.MethodPatch, Pattern: "/v2/subscribers/{subscriberId}/preferences/bulk", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "updatePreferences", Tag: tagPreferences, Summary: "Bulk update subscriber preferences", Text: "All or nothing: an unknown or a critical workflow refuses the whole call.",
	body: preferenceUpdate, Success: http.StatusOK, answer: many[preference](),
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).updatePreferences,
}, {
	Method: http.MethodGet, Pattern: "/v2/subscribers/{subscriberId}/preferences", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "getPreferences", Tag: tagPreferences, Summary: "Retrieve subscriber preferences", Text: "Effective values of all five channels, globally and for every active workflow.",
	query: preferenceListing, Success: http.StatusOK, answer: one[subscriberPreferences](),
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).readPreferences,
}}

// workflowSummary is the WorkflowSummary of api.md.
type workflowSummary struct {
	_          struct{}          `doc:"A workflow in short."`
	ID         string            `json:"id"`
	Identifier string            `json:"identifier"`
	Name       string            `json:"name"`
	Critical   bool              `json:"critical"`
	Tags       []string          `json:"tags"`
	Data       map[string]any    `json:"data,omitempty"`
	Severity   workflow.Severity `json:"severity"`
}

func summary(w *audience.WorkflowSummary) *workflowSummary {
	return &workflowSummary{
		ID: w.ID, Identifier: w.Identifier, Name: w.Name, Critical: w.Critical, Tags: listed(w.Tags), Data: w.Data, Severity: w.Severity,
	}
}

// subscriberPreferences are what holds for one subscriber (api.md, Subscriber preferences).
type subscriberPreferences struct {
	_         struct{}             `doc:"A subscriber's effective preferences."`
	Global    globalPreference     `json:"global" doc:"What holds for all workflows."`
	Workflows []workflowPreference `json:"workflows"`
}

type globalPreference struct {
	_        struct{}                    `doc:"What holds for all workflows."`
	Enabled  bool                        `json:"enabled"`
	Channels workflow.ChannelPreferences `json:"channels"`
	Schedule *calendar.Schedule          `json:"schedule,omitempty" doc:"Left out when there is none."`
}

type workflowPreference struct {
	_         struct{}                    `doc:"What holds for a workflow."`
	Enabled   bool                        `json:"enabled"`
	Channels  workflow.ChannelPreferences `json:"channels"`
	Overrides []preferenceOverride        `json:"overrides" doc:"Who decided, for each channel."`
	Workflow  preferenceWorkflow          `json:"workflow"`
	UpdatedAt *moment                     `json:"updatedAt,omitempty" doc:"When the subscriber last set it; left out when never."`
}

type preferenceOverride struct {
	_       struct{}                  `doc:"Who decided about a channel."`
	Channel workflow.Channel          `json:"channel"`
	Source  workflow.PreferenceSource `json:"source"`
}

type preferenceWorkflow struct {
	_          struct{} `doc:"The workflow of a preference."`
	Slug       string   `json:"slug"`
	Identifier string   `json:"identifier"`
	Name       string   `json:"name"`
	UpdatedAt  moment   `json:"updatedAt"`
}

func workflowPreferenceView(p *audience.WorkflowPreference) workflowPreference {
	view := workflowPreference{
		Enabled: p.Enabled, Channels: p.Channels, Overrides: make([]preferenceOverride, len(p.Overrides)), UpdatedAt: optional(p.UpdatedAt),
		Workflow: preferenceWorkflow{
			Slug: p.Workflow.Slug, Identifier: p.Workflow.Identifier, Name: p.Workflow.Name, UpdatedAt: moment(p.Workflow.UpdatedAt),
		},
	}
	for i, e := range p.Overrides {
		view.Overrides[i] = preferenceOverride{Channel: e.Channel, Source: e.Source}
	}
	return view
}

// preferenceQuery is which preferences of a subscriber are asked for.
type preferenceQuery struct {
	criticality audience.Criticality
	contextKeys []string
}

var preferenceListing = shape.Query[preferenceQuery]{
	shape.Param("criticality", shape.Choice(audience.CriticalityNonCritical, audience.CriticalityCritical, audience.CriticalityNonCritical, audience.CriticalityAll),
		"Which workflows.", func(q *preferenceQuery, v audience.Criticality) { q.criticality = v }),
	contextKeysParameter("The scope of the preferences; without it the one without context.", func(q *preferenceQuery, v []string) { q.contextKeys = v }),
}

func (s *server) readPreferences(ctx context.Context, in *Input) (*Reply, error) {
	q, err := preferenceListing.Read(in.Request.URL.RawQuery, nil)
	if err != nil {
		return nil, err
	}
	subscriberID, err := in.name("subscriberId", "Subscriber")
	if err != nil {
		return nil, err
	}
	read, err := s.Resolvers.Query().SubscriberPreferences(ctx, subscriberID, &q.criticality, q.contextKeys)
	if err != nil {
		return nil, err
	}
	return in.reply(subscriberPreferences{
		Global:    globalPreference{Enabled: read.Global.Enabled, Channels: read.Global.Channels, Schedule: read.Global.Schedule},
		Workflows: views(read.Workflows, workflowPreferenceView),
	}), nil
}

// preference is the Preference of api.md. Preferences of this route carry no condition.
type preference struct {
	_        struct{}                     `doc:"What holds for a workflow after an update."`
	Level    audience.PreferenceLevelName `json:"level" doc:"What it speaks for."`
	Workflow *workflowSummary             `json:"workflow,omitempty"`
	Enabled  bool                         `json:"enabled"`
	Channels workflow.ChannelPreferences  `json:"channels"`
}

// wishedChannels are wishes by channel; answers show them in the same form.
var wishedChannels = shape.Object(nameChannels, "", channelWishes()...).As(refTo(nameChannels))

func channelWishes() []shape.Member[workflow.ChannelPreferences] {
	wishes := make([]shape.Member[workflow.ChannelPreferences], 0, len(workflow.Channels()))
	for _, c := range workflow.Channels() {
		wishes = append(wishes, shape.Optional(string(c), shape.Flag(), "", func(in *workflow.ChannelPreferences, v bool) { in.Set(c, &v) }))
	}
	return wishes
}

var preferenceUpdate = shape.Object("UpdatePreferencesRequest", "A subscriber's wishes for single workflows: all are stored or none.",
	shape.Required("preferences", shape.List(
		shape.Object("WorkflowPreferenceInput", "A wish for one workflow.",
			shape.Required("workflowId", workflowID, "", func(in *audience.WorkflowPreferenceInput, v string) { in.WorkflowID = v }),
			shape.Required("channels", wishedChannels, "", func(in *audience.WorkflowPreferenceInput, v workflow.ChannelPreferences) { in.Channels = v }),
		).Type, shape.Between(1, audience.MaxPreferenceItems),
	), "One wish per workflow; of several the last counts.", func(in *audience.UpdatePreferencesInput, v []audience.WorkflowPreferenceInput) { in.Preferences = v }),
	shape.Optional("context", contexts, "", func(in *audience.UpdatePreferencesInput, v map[string]any) { in.Context = v }),
)

func (s *server) updatePreferences(ctx context.Context, in *Input) (*Reply, error) {
	input, err := preferenceUpdate.Read(in.Body, (*audience.UpdatePreferencesInput).Check)
	if err != nil {
		return nil, err
	}
	if input.SubscriberID, err = in.name("subscriberId", "Subscriber"); err != nil {
		return nil, err
	}
	updated, err := s.Resolvers.Mutation().UpdatePreferences(ctx, input)
	if err != nil {
		return nil, err
	}
	return in.reply(views(updated.Preferences, func(r *audience.PreferenceResult) preference {
		return preference{Level: r.Level, Workflow: summary(r.Workflow), Enabled: r.Enabled, Channels: r.Channels}
	})), nil
}
