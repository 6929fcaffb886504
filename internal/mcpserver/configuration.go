package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *service) addConfiguration(server *mcp.Server) {
	addTool(server, readOnly("list_workflows", "List workflows", "Lists workflows, newest first, with status and published version."), s.listWorkflows)
	addTool(server, readOnly("get_workflow", "Get a workflow",
		"Returns one workflow: its issues, the payload's schema, and the steps of the draft and of the published version, without their content. explain_trigger shows the rendered content."), s.getWorkflow)
	addTool(server, readOnly("list_integrations", "List integrations with health",
		"Lists integrations with their provider, breaker state and the outcomes of the last hour's calls. Credentials are not returned."), s.listIntegrations)
}

type listWorkflowsArguments struct {
	Query  string `json:"query,omitempty" jsonschema:"part of the name or identifier"`
	Active *bool  `json:"active,omitempty" jsonschema:"switched on or off"`
	paging
}

const listWorkflowsQuery = `query($first: Int, $after: String, $filter: WorkflowFilter) {
	workflows(first: $first, after: $after, filter: $filter) {
		nodes { identifier name description active status critical severity tags publishedNumber lastPublishedAt lastTriggeredAt }
		pageInfo { hasNextPage endCursor } } }`

func (s *service) listWorkflows(ctx context.Context, in listWorkflowsArguments) (*result, error) {
	return s.list(ctx, in, "workflows", listWorkflowsQuery)
}

type getWorkflowArguments struct {
	Workflow string `json:"workflow" jsonschema:"trigger identifier, slug or id of the workflow"`
}

const getWorkflowQuery = `query($reference: String!) { workflowByReference(reference: $reference) {
	identifier name description active status critical severity tags data publishedNumber lastPublishedAt lastTriggeredAt
	issues { stepId key issueType message } draft { ...definition } published { number definition { ...definition } } } }
	fragment definition on WorkflowDefinition { validatePayload strictVariables payloadSchema preferences { email sms inApp chat push } translations
		steps { stepId name type active shouldStopOnFail unknownOutcome deadlineSeconds } }`

func (s *service) getWorkflow(ctx context.Context, in getWorkflowArguments) (*result, error) {
	data, err := s.ask(ctx, getWorkflowQuery, object{"reference": in.Workflow})
	if err != nil {
		return nil, err
	}
	found, _ := data["workflowByReference"].(object)
	shortenValues(found, "data")
	published, _ := found["published"].(object)
	for _, definition := range []any{found["draft"], published["definition"]} {
		if d, defined := definition.(object); defined {
			shortenValues(d, "payloadSchema")
		}
	}
	return &result{data: found}, nil
}

type listIntegrationsArguments struct {
	ChannelIn []channel `json:"channelIn,omitempty" jsonschema:"on one of these channels"`
	Active    *bool     `json:"active,omitempty" jsonschema:"switched on or off"`
	paging
}

const listIntegrationsQuery = `query($first: Int, $after: String, $filter: IntegrationFilter) {
	integrations(first: $first, after: $after, filter: $filter) {
		nodes { identifier name providerId channel active primary breaker breakerCause breakerFailures breakerOpenedAt breakerProbeAt
			rateLimit learnedRate health { since attempts accepted rejected unknown pending } }
		pageInfo { hasNextPage endCursor } } }`

func (s *service) listIntegrations(ctx context.Context, in listIntegrationsArguments) (*result, error) {
	return s.list(ctx, in, "integrations", listIntegrationsQuery)
}
