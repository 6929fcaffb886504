package rest

import (
	"context"
	"net/http"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

var integrationRoutes = []Route{{
	Method: http.MethodDelete, Pattern: "/v1/integrations/{integrationId}", Category: admission.CategoryGlobal, MaxBody: maxBody,
	ID: "deleteIntegration", Tag: tagIntegrations, Summary: "Delete an integration", Text: "For good. Answers with the integrations that remain, by ascending id.",
	Success: http.StatusOK, answer: many[integration](), Failures: []int{http.StatusNotFound}, run: (*server).deleteIntegration,
}}

// integration is the Integration of api.md. Secrets in it are masked.
type integration struct {
	_              struct{}               `doc:"An account with a provider."`
	ID             string                 `json:"_id"`
	EnvironmentID  string                 `json:"_environmentId"`
	OrganizationID string                 `json:"_organizationId"`
	Name           string                 `json:"name"`
	Identifier     string                 `json:"identifier"`
	ProviderID     string                 `json:"providerId"`
	Channel        workflow.Channel       `json:"channel"`
	Credentials    map[string]any         `json:"credentials"`
	Configurations *configurations        `json:"configurations,omitempty" doc:"Left out when nothing is configured."`
	Active         bool                   `json:"active"`
	Deleted        bool                   `json:"deleted"`
	Primary        bool                   `json:"primary" doc:"Whether it comes first in its channel; e-mail and SMS only."`
	Conditions     []condition.StepFilter `json:"conditions,omitempty"`
}

type configurations struct {
	_                        struct{} `doc:"How an integration behaves."`
	InboundWebhookEnabled    *bool    `json:"inboundWebhookEnabled,omitempty" doc:"Whether the vendor's receipts are taken."`
	InboundWebhookSigningKey *string  `json:"inboundWebhookSigningKey,omitempty" doc:"The key of those receipts, masked."`
}

func (s *server) deleteIntegration(ctx context.Context, in *Input) (*Reply, error) {
	integrationID, err := in.name("integrationId", "Integration")
	if err != nil {
		return nil, err
	}
	if !id.Valid(integrationID) {
		return nil, fault.NotFoundf("Integration %s was not found.", integrationID)
	}
	deleted, err := s.Resolvers.Mutation().DeleteIntegration(ctx, integrationID)
	if err != nil {
		return nil, err
	}
	shown := make([]integration, len(deleted.Integrations))
	for i, row := range deleted.Integrations {
		if shown[i], err = s.integrationView(ctx, in.request.viewer.OrganizationID, row); err != nil {
			return nil, err
		}
	}
	return in.reply(shown), nil
}

func (s *server) integrationView(ctx context.Context, organizationID string, row *ent.Integration) (view integration, err error) {
	view = integration{
		ID: row.ID, EnvironmentID: row.EnvironmentID, OrganizationID: organizationID, Name: row.Name, Identifier: row.Identifier,
		Channel: row.Channel, Active: row.Active, Deleted: row.Deleted, Primary: row.Primary, Conditions: documented(row.Conditions),
	}
	resolver := s.Resolvers.Integration()
	if view.ProviderID, err = resolver.ProviderID(ctx, row); err != nil {
		return view, err
	}
	if view.Credentials, err = resolver.Credentials(ctx, row); err != nil {
		return view, err
	}
	shown, err := resolver.Configurations(ctx, row)
	if shown != nil {
		view.Configurations = &configurations{InboundWebhookEnabled: shown.InboundWebhookEnabled, InboundWebhookSigningKey: shown.InboundWebhookSigningKey}
	}
	return view, err
}

// documented are the groups of conditions with the comparisons that the documented API has a word for. Clients refuse a whole
// response for an unknown word, so the others are left out, and a group of nothing else with them.
func documented(conditions []condition.StepFilter) []condition.StepFilter {
	var shown []condition.StepFilter
	for _, group := range conditions {
		group.Children = slices.DeleteFunc(slices.Clone(group.Children), func(part condition.FieldFilterPart) bool {
			return part.On != condition.OnSubscriber && part.On != condition.OnPayload
		})
		if len(group.Children) > 0 {
			shown = append(shown, group)
		}
	}
	return shown
}
