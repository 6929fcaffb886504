package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// workflowList is the answer of the list of workflows.
type workflowList struct {
	Workflows  []workflowItem `json:"workflows"`
	TotalCount int            `json:"totalCount"`
}

// workflowItem is the Workflow list item of api.md.
type workflowItem struct {
	ID                   string              `json:"_id"`
	WorkflowID           string              `json:"workflowId"`
	Slug                 string              `json:"slug"`
	Name                 string              `json:"name"`
	Tags                 []string            `json:"tags"`
	Status               workflow.Status     `json:"status"`
	Origin               string              `json:"origin"`
	CreatedAt            moment              `json:"createdAt"`
	UpdatedAt            moment              `json:"updatedAt"`
	UpdatedBy            *user               `json:"updatedBy,omitempty"`
	LastPublishedAt      *moment             `json:"lastPublishedAt"`
	LastPublishedBy      *user               `json:"lastPublishedBy,omitempty"`
	LastTriggeredAt      *moment             `json:"lastTriggeredAt"`
	StepTypeOverviews    []workflow.StepType `json:"stepTypeOverviews"`
	IsTranslationEnabled bool                `json:"isTranslationEnabled"`
	Steps                []stepItem          `json:"steps"`
}

// user is the User of api.md; its names may be null.
type user struct {
	ID         string  `json:"_id"`
	FirstName  *string `json:"firstName"`
	LastName   *string `json:"lastName"`
	ExternalID *string `json:"externalId"`
}

// stepItem is the StepListItem of api.md.
type stepItem struct {
	Slug   string            `json:"slug"`
	Type   workflow.StepType `json:"type"`
	Issues stepIssues        `json:"issues,omitempty"`
}

// stepIssues are the faults of a step by group (controls, integration) and by control or channel.
type stepIssues map[string]map[string][]stepIssue

type stepIssue struct {
	Type         string `json:"issueType"`
	VariableName string `json:"variableName,omitempty"`
	Message      string `json:"message"`
}

// GET /v2/workflows
func (s *server) listWorkflows(ctx context.Context, in *Input) (*Reply, error) {
	q := in.query()
	limit, offset := q.whole("limit", notify.DefaultSlice), q.whole("offset", 0)
	notify.CheckSlice(&q.problems, limit, offset)
	order := q.order(byCreation, byChange, column{"name", notify.ColumnName}, column{"lastTriggeredAt", notify.ColumnLastTriggeredAt})
	filter := &notify.WorkflowFilter{
		Query: q.text("query"), TagsAny: q.texts("tags"),
		StatusIn: chosenAll(q, "status", workflow.StatusActive, workflow.StatusInactive, workflow.StatusError),
	}
	if err := q.err(); err != nil {
		return nil, err
	}
	slice, err := s.Resolvers.Query().WorkflowsByOffset(ctx, limit, offset, order, filter)
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
	return &Reply{Status: http.StatusOK, Body: list}, nil
}

func (s *server) workflowItem(ctx context.Context, w *ent.Workflow, users map[string]*ent.User) (item workflowItem, err error) {
	item = workflowItem{
		ID: w.ID, WorkflowID: w.Identifier, Name: w.Name, Tags: listed(w.Tags), Status: w.Status,
		CreatedAt: moment(w.CreatedAt), UpdatedAt: moment(w.UpdatedAt), UpdatedBy: userView(users, w.UpdatedBy),
		LastPublishedAt: optional(w.LastPublishedAt), LastPublishedBy: userView(users, w.LastPublishedBy),
		LastTriggeredAt: optional(notify.WorkflowLastTriggeredAt(w)), StepTypeOverviews: []workflow.StepType{}, Steps: []stepItem{},
	}
	resolver := s.Resolvers.Workflow()
	if item.Slug, err = resolver.Slug(ctx, w); err != nil {
		return item, err
	}
	if item.Origin, err = resolver.Origin(ctx, w); err != nil || w.Draft == nil {
		return item, err
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
		issues[issue.Group][issue.Key] = append(issues[issue.Group][issue.Key], stepIssue{issue.Type, issue.VariableName, issue.Message})
	}
	return issues
}
