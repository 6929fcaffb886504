package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/carillon/carillon/internal/client"
)

var explainTrigger = readOnly("explain_trigger", "Explain a trigger beforehand",
	"Says what a trigger would do, step by step and recipient by recipient, with reasons and the rendered messages. Nothing is stored and nothing is sent.")

var triggerEvent = writing("trigger_event", "Trigger a workflow",
	"Triggers a workflow: messages are really sent. A repeated call with the same transactionId has no effect. Try explain_trigger first.", false) // without one, the same arguments are another event

// event are the arguments of a trigger.
type event struct {
	Workflow         string   `json:"workflow" jsonschema:"trigger identifier of the workflow"`
	SubscriberIDs    []string `json:"subscriberIds,omitempty" jsonschema:"subscribers to notify, by the operator's identifiers; at most 100 recipients"`
	TopicKeys        []string `json:"topicKeys,omitempty" jsonschema:"topics whose subscribers are notified"`
	Payload          object   `json:"payload,omitempty" jsonschema:"data for templates and conditions"`
	Overrides        object   `json:"overrides,omitempty" jsonschema:"changes to what is sent, per step, channel or provider"`
	TenantIdentifier string   `json:"tenantIdentifier,omitempty" jsonschema:"an existing tenant on whose behalf it happens"`
	TransactionID    string   `json:"transactionId,omitempty" jsonschema:"idempotency key: the same one has no second effect; generated and returned when left out"`
}

// input is the event as the API takes it.
func (e event) input() (object, error) {
	to := []any{}
	for _, id := range e.SubscriberIDs {
		to = append(to, object{"subscriberId": id})
	}
	for _, key := range e.TopicKeys {
		to = append(to, object{"topic": object{"topicKey": key}})
	}
	if len(to) == 0 {
		return nil, errors.New("subscriberIds: is missing; name at least one subscriber there, or one topic in topicKeys")
	}
	in := object{"name": e.Workflow, "to": to}
	if e.Payload != nil {
		in["payload"] = e.Payload
	}
	if e.Overrides != nil {
		in["overrides"] = e.Overrides
	}
	for name, value := range map[string]string{"tenantIdentifier": e.TenantIdentifier, "transactionId": e.TransactionID} {
		if value != "" {
			in[name] = value
		}
	}
	return in, nil
}

type explainTriggerArguments struct {
	event
	paging
}

const explainTriggerQuery = `query($in: TriggerEventInput!, $first: Int, $after: String) { explain(input: $in, first: $first, after: $after) {
	status error repeated now nextCursor: next invalid { path reason } recipients { subscriberId created topics reached reason condition { text } status
		steps { stepId type decision at until channel reason reasons detail chain variant
			message { integrationIdentifier providerId to subject title content { text } } } } } }`

func (s *service) explainTrigger(ctx context.Context, in explainTriggerArguments) (*result, error) {
	input, err := in.input()
	if err != nil {
		return nil, err
	}
	variables := object{"in": input, "first": 10}
	if in.First != 0 {
		variables["first"] = in.First
	}
	if in.After != "" {
		variables["after"] = in.After
	}
	data, err := s.ask(ctx, explainTriggerQuery, variables)
	if err != nil {
		return nil, err
	}
	explained, _ := data["explain"].(object)
	maskTargets(explained)
	return &result{data: explained}, nil
}

// maskTargets counts device tokens and webhook URLs instead of showing them: who knows one may post there.
func maskTargets(explained object) {
	recipients, _ := explained["recipients"].([]any)
	for _, item := range recipients {
		recipient, _ := item.(object)
		steps, _ := recipient["steps"].([]any)
		for _, item := range steps {
			step, _ := item.(object)
			message, _ := step["message"].(object)
			if to, sent := message["to"].([]any); sent && (step["channel"] == "PUSH" || step["channel"] == "CHAT") {
				message["to"] = fmt.Sprintf("%d targets, not shown", len(to))
			}
		}
	}
}

const triggerEventMutation = `mutation($in: TriggerEventInput!) { triggerEvent(input: $in) { result { status error transactionId eventId } } }`

func (s *service) triggerEvent(ctx context.Context, in event) (*result, error) {
	if in.TransactionID == "" {
		in.TransactionID = "mcp-" + rand.Text()
	}
	input, err := in.input()
	if err != nil {
		return nil, err
	}
	data, err := s.ask(ctx, triggerEventMutation, object{"in": input})
	if err != nil {
		return nil, fmt.Errorf("transactionId %s (repeat the call with it, so that nothing is sent twice): %w", in.TransactionID, err)
	}
	triggered, _ := data["triggerEvent"].(object)
	outcome, _ := triggered["result"].(object)
	return &result{data: outcome}, nil
}

var saveWorkflowDraft = writing("save_workflow_draft", "Save a workflow's draft",
	"Saves the draft of a workflow, which is created when there is none. What is published stays as it is until a person publishes the draft.", true)

type draft struct {
	Identifier string `json:"identifier" jsonschema:"trigger identifier of the workflow"`
	Name       string `json:"name,omitempty" jsonschema:"name for people; needed when the workflow is new"`
	Definition object `json:"definition" jsonschema:"the whole definition, as the GraphQL input WorkflowDefinitionInput: steps with stepId, type (IN_APP, EMAIL, SMS, CHAT, PUSH, DIGEST, DELAY, …) and the controls of that type, such as inApp: {body}; payloadSchema, conditions, tags"`
}

const draftFields = `{ id identifier name status publishedNumber updatedAt issues { stepId issueType message } }`

func (s *service) saveWorkflowDraft(ctx context.Context, in draft) (*result, error) {
	var refused *client.Error
	known, err := s.ask(ctx, `query($r: String!) { workflowByIdentifier(identifier: $r) { id } }`, object{"r": in.Identifier})
	input := object{"definition": in.Definition, "publish": false}
	if in.Name != "" {
		input["name"] = in.Name
	}
	query := `mutation($in: UpdateWorkflowInput!) { saved: updateWorkflow(input: $in) { workflow ` + draftFields + ` } }`
	switch {
	case errors.As(err, &refused) && refused.Code == "NOT_FOUND":
		if in.Name == "" {
			return nil, fmt.Errorf("name: is missing; workflow %s is new", in.Identifier)
		}
		input["identifier"] = in.Identifier
		query = `mutation($in: CreateWorkflowInput!) { saved: createWorkflow(input: $in) { workflow ` + draftFields + ` } }`
	case err != nil:
		return nil, err
	default:
		workflow, _ := known["workflowByIdentifier"].(object)
		input["id"] = workflow["id"]
	}
	data, err := s.ask(ctx, query, object{"in": input})
	if err != nil {
		return nil, err
	}
	saved, _ := data["saved"].(object)
	workflow, _ := saved["workflow"].(object)
	return &result{data: workflow}, nil
}
