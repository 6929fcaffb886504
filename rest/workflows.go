package rest

import (
	"context"
	"net/http"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

var workflowRoutes = []Route{{
	Method: http.MethodGet, Pattern: "/v2/workflows", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "listWorkflows", Tag: tagWorkflows, Summary: "List workflows", Text: "Filters combine with AND.",
	query: workflowListing, Success: http.StatusOK, answer: one[workflowList](), Failures: []int{http.StatusUnprocessableEntity},
	run: (*server).listWorkflows,
}}

// workflowList is the answer of the list of workflows.
type workflowList struct {
	_          struct{}       `doc:"A part of the list of workflows."`
	Workflows  []workflowItem `json:"workflows"`
	TotalCount int            `json:"totalCount"`
}

// workflowItem is the Workflow list item of api.md.
type workflowItem struct {
	_                    struct{}            `doc:"A workflow."`
	ID                   string              `json:"_id"`
	WorkflowID           string              `json:"workflowId" doc:"The trigger identifier."`
	Slug                 string              `json:"slug"`
	Name                 string              `json:"name"`
	Tags                 []string            `json:"tags"`
	Status               workflow.Status     `json:"status"`
	Origin               string              `json:"origin" doc:"Where the workflow was made."`
	CreatedAt            moment              `json:"createdAt"`
	UpdatedAt            moment              `json:"updatedAt"`
	UpdatedBy            *user               `json:"updatedBy,omitempty" doc:"Who changed it last; left out when unknown."`
	LastPublishedAt      *moment             `json:"lastPublishedAt" doc:"When it was last published; null before."`
	LastPublishedBy      *user               `json:"lastPublishedBy,omitempty" doc:"Who published it last; left out when unknown."`
	LastTriggeredAt      *moment             `json:"lastTriggeredAt" doc:"When it was last triggered, late by some seconds; null before."`
	StepTypeOverviews    []workflow.StepType `json:"stepTypeOverviews" doc:"The kind of each step, in order."`
	IsTranslationEnabled bool                `json:"isTranslationEnabled" doc:"Whether its texts are translated."`
	Steps                []stepItem          `json:"steps"`
}

// user is the User of api.md; its names may be null.
type user struct {
	_          struct{} `doc:"A user of the organization."`
	ID         string   `json:"_id"`
	FirstName  *string  `json:"firstName"`
	LastName   *string  `json:"lastName"`
	ExternalID *string  `json:"externalId" doc:"The user's id elsewhere."`
}

// stepItem is the StepListItem of api.md.
type stepItem struct {
	_      struct{}          `doc:"A step of a workflow."`
	Slug   string            `json:"slug"`
	Type   workflow.StepType `json:"type"`
	Issues stepIssues        `json:"issues,omitempty" doc:"Faults of the step; left out without any."`
}

// stepIssues are the faults of a step by group (controls, integration) and by control or channel.
type stepIssues map[string]map[string][]stepIssue

type stepIssue struct {
	_            struct{} `doc:"A fault of a step, found when its workflow was saved."`
	Type         string   `json:"issueType"`
	VariableName string   `json:"variableName,omitempty"`
	Message      string   `json:"message"`
}

// workflowQuery is which workflows are asked for.
type workflowQuery struct {
	limit, offset int
	order         usecase.Order
	filter        authoring.WorkflowFilter
}

var workflowListing = slices.Concat(
	shape.Query[workflowQuery]{
		shape.Param("limit", shape.Whole(authoring.DefaultSlice, shape.AtLeast(1)), "Workflows at most; above 1000 served as 1000.", func(q *workflowQuery, v int) { q.limit = v }),
		shape.Param("offset", shape.Whole(0, shape.AtLeast(0)), "Workflows to skip.", func(q *workflowQuery, v int) { q.offset = v }),
	},
	orderParameters(func(q *workflowQuery) *usecase.Order { return &q.order }, byCreation, byChange,
		column{"name", usecase.ColumnName}, column{"lastTriggeredAt", usecase.ColumnLastTriggeredAt}),
	shape.Query[workflowQuery]{
		shape.Param("query", shape.Word(), "A part of the name or of the identifier, in any case.", func(q *workflowQuery, v string) { q.filter.Query = &v }),
		shape.Param("tags", shape.Words(), "Workflows with any of these tags.", func(q *workflowQuery, v []string) { q.filter.TagsAny = v }),
		shape.Param("status", shape.Choices(workflow.StatusActive, workflow.StatusInactive, workflow.StatusError).As(func(*shape.Document) schema {
			return shape.ArrayOf(shape.Ref(nameStatus))
		}), "Workflows in any of these states.", func(q *workflowQuery, v []workflow.Status) { q.filter.StatusIn = v }),
	},
)

func (s *server) listWorkflows(ctx context.Context, in *Input) (*Reply, error) {
	q, err := workflowListing.Read(in.Request.URL.RawQuery, nil)
	if err != nil {
		return nil, err
	}
	slice, err := s.Resolvers.Query().WorkflowsByOffset(ctx, q.limit, q.offset, &q.order, &q.filter)
	if err != nil {
		return nil, err
	}
	users, err := s.Resolvers.WorkflowUsers(ctx, slice.Workflows)
	if err != nil {
		return nil, err
	}
	list := workflowList{Workflows: make([]workflowItem, len(slice.Workflows)), TotalCount: slice.TotalCount}
	for i, w := range slice.Workflows {
		if list.Workflows[i], err = s.workflowItem(ctx, w, users); err != nil {
			return nil, err
		}
	}
	return in.reply(list), nil
}

func (s *server) workflowItem(ctx context.Context, w *ent.Workflow, users map[string]*ent.User) (item workflowItem, err error) {
	item = workflowItem{
		ID: w.ID, WorkflowID: w.Identifier, Name: w.Name, Tags: listed(w.Tags), Status: w.Status,
		CreatedAt: moment(w.CreatedAt), UpdatedAt: moment(w.UpdatedAt), UpdatedBy: userView(users, w.UpdatedBy),
		LastPublishedAt: optional(w.LastPublishedAt), LastPublishedBy: userView(users, w.LastPublishedBy),
		LastTriggeredAt: optional(authoring.WorkflowLastTriggeredAt(w)), StepTypeOverviews: []workflow.StepType{}, Steps: []stepItem{},
	}
	resolver := s.Resolvers.Workflow()
	if item.Slug, err = resolver.Slug(ctx, w); err != nil {
		return item, err
	}
	if item.Origin = s.Resolvers.Services.Providers.ShownOrigin(w.Origin); w.Draft == nil {
		return item, nil
	}
	item.IsTranslationEnabled = w.Draft.Translations
	for i := range w.Draft.Steps {
		step := &w.Draft.Steps[i]
		item.StepTypeOverviews = append(item.StepTypeOverviews, step.Type)
		item.Steps = append(item.Steps, stepItem{Slug: step.Slug(), Type: step.Type, Issues: issuesOf(step.StepID, w.Issues)})
	}
	return item, nil
}

func userView(users map[string]*ent.User, userID *string) *user {
	if userID == nil || users[*userID] == nil {
		return nil
	}
	u := users[*userID]
	return &user{ID: u.ID, FirstName: u.FirstName, LastName: u.LastName, ExternalID: u.ExternalID}
}

func issuesOf(stepID string, all []workflow.StepIssue) stepIssues {
	issues := stepIssues{}
	for _, issue := range all {
		if issue.StepID != stepID {
			continue
		}
		if issues[issue.Group] == nil {
			issues[issue.Group] = map[string][]stepIssue{}
		}
		issues[issue.Group][issue.Key] = append(issues[issue.Group][issue.Key], stepIssue{Type: issue.Type, VariableName: issue.VariableName, Message: issue.Message})
	}
	return issues
}
