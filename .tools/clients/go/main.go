// Command go walks from a trigger to the inbox with the client that genqlient makes from the schema: ADDRESS and KEY say on
// which server, and with which API key.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/Khan/genqlient/graphql"
)

type withKey struct{ key string }

func (k withKey) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("Authorization", "ApiKey "+k.key)
	return http.DefaultClient.Do(req)
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := journey(ctx, graphql.NewClient(os.Getenv("ADDRESS")+"/graphql", withKey{os.Getenv("KEY")})); err != nil {
		log.Fatal("Go client: ", err)
	}
	fmt.Println("Go client: from a trigger to the inbox")
}

func journey(ctx context.Context, client graphql.Client) error {
	identifier, transaction, subscriber, payload := "from-go", "from-go-1", "gopher", map[string]any{"name": "Gopher"}
	if _, err := CreateSubscriber(ctx, client, &CreateSubscriberInput{SubscriberId: subscriber}); err != nil {
		return fmt.Errorf("create a subscriber: %w", err)
	}
	_, err := CreateWorkflow(ctx, client, &CreateWorkflowInput{
		Identifier: &identifier, Name: "From Go",
		Definition: &WorkflowDefinitionInput{Severity: SeverityNone, Versioning: VersionPolicyPinned, Steps: []*WorkflowStepInput{{
			Type: StepTypeInApp, Active: true, UnknownOutcome: UnknownPolicyRetry, InApp: &InAppControlsInput{Body: "Hello {{payload.name}}"},
		}}},
	})
	if err != nil {
		return fmt.Errorf("create a workflow: %w", err)
	}
	accepted, err := Trigger(ctx, client, &TriggerEventInput{
		Name: identifier, To: []*RecipientInput{{SubscriberId: &subscriber}}, Payload: &payload, TransactionId: &transaction,
	})
	if err != nil {
		return fmt.Errorf("trigger: %w", err)
	}
	if accepted.TriggerEvent.Result.Status != TriggerStatusProcessed {
		return fmt.Errorf("trigger: answered %s", accepted.TriggerEvent.Result.Status)
	}
	message, err := arrival(ctx, client, subscriber)
	if err != nil {
		return err
	}
	if message.TransactionId != transaction || message.Read {
		return fmt.Errorf("the inbox holds another message: %+v", message)
	}
	marked, err := Mark(ctx, client, &MarkMessagesInput{SubscriberId: subscriber, MessageIds: []string{message.Id}, MarkAs: MarkAsRead})
	if err != nil || len(marked.MarkMessages.Messages) != 1 || !marked.MarkMessages.Messages[0].Read {
		return fmt.Errorf("mark: %+v, %w", marked, err)
	}
	record, err := Record(ctx, client, message.Id)
	if err != nil {
		return fmt.Errorf("look up: %w", err)
	}
	if node, ok := (*record.Node).(*RecordNodeMessage); !ok || !node.Read {
		return fmt.Errorf("node(id) is not the message: %T", *record.Node)
	}
	return nil
}

// arrival waits for the subscriber's first message.
func arrival(ctx context.Context, client graphql.Client, subscriber string) (*InboxInboxMessagesMessageConnectionEdgesMessageEdgeNodeMessage, error) {
	for {
		inbox, err := Inbox(ctx, client, subscriber)
		if err != nil {
			return nil, fmt.Errorf("look into the inbox: %w", err)
		}
		if found := inbox.Inbox; found != nil && len(found.Messages.Edges) > 0 {
			return found.Messages.Edges[0].Node, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the message came not into the inbox: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
