package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/rest/client/webhook"
)

// webhooksCommand is the outgoing webhooks of an environment (internal/docs/webhooks.md).
type webhooksCommand struct {
	List       webhooksListCommand       `cmd:"" help:"List the endpoints."`
	Create     webhooksCreateCommand     `cmd:"" help:"Make an endpoint, and print it with its secret."`
	Update     webhooksUpdateCommand     `cmd:"" help:"Change an endpoint; flags that are left out stay as they are."`
	Delete     webhooksDeleteCommand     `cmd:"" help:"Delete an endpoint; its waiting deliveries end."`
	Rotate     webhooksRotateCommand     `cmd:"" help:"Make another secret for an endpoint, and print it."`
	Ping       webhooksPingCommand       `cmd:"" help:"Send a test event to an endpoint, wait for the answer, and print it. Exits with 1 when it is not taken."`
	Deliveries webhooksDeliveriesCommand `cmd:"" help:"List deliveries, newest first, with what they were answered."`
	Replay     webhooksReplayCommand     `cmd:"" help:"Send deliveries again: one, those that failed, or those of a range of time."`
	Verify     webhooksVerifyCommand     `cmd:"" help:"Check the signature of a received body, on standard input."`
}

const (
	endpointFields = `id internalId url description eventTypes workflows channels ordered active failingSince disabledReason previousSecretUntil`
	deliveryFields = `internalId eventType status attempts dueAt finishedAt createdAt payload attemptLog { number at durationMs httpStatus errorText body }`
)

// ask sends an operation and prints its field "answer" as JSON.
func (f environmentFlags) ask(ctx context.Context, document string, variables map[string]any) error {
	var answer struct{ Answer json.RawMessage }
	if err := f.client().GraphQL(ctx, document, variables, &answer); err != nil {
		return err
	}
	return printJSON(answer.Answer)
}

type webhooksListCommand struct {
	environmentFlags `embed:""`
}

// Run lists the endpoints; an environment has fewer than a page of them.
func (c webhooksListCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `{ answer: webhookEndpoints(first: 100) { nodes { `+endpointFields+` } } }`, nil)
}

// webhookFlags choose what an endpoint receives.
type webhookFlags struct {
	Description string   `help:"What the endpoint is for."`
	Events      []string `help:"Types of events, such as message.sent; all when left out." placeholder:"TYPE,..."`
	Workflows   []string `help:"Only what concerns these workflows, by trigger identifier." placeholder:"NAME,..."`
	Channels    []string `help:"Only what concerns these channels." placeholder:"CHANNEL,..."`
}

func (f webhookFlags) input() map[string]any {
	input := given(map[string]string{"description": f.Description})
	for name, values := range map[string][]string{"eventTypes": enumerated(f.Events), "workflows": f.Workflows, "channels": enumerated(f.Channels)} {
		if values != nil {
			input[name] = values
		}
	}
	return input
}

// enumerated writes message.sent as MESSAGE_SENT, the form of enumerations in GraphQL.
func enumerated(names []string) (values []string) {
	for _, name := range names {
		values = append(values, strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name)))
	}
	return values
}

type webhooksCreateCommand struct {
	environmentFlags `embed:""`
	webhookFlags     `embed:""`

	URL     string `arg:"" name:"endpoint" help:"URL that is called."`
	Ordered bool   `help:"Deliveries about one subscriber follow one another."`
}

// Run makes an endpoint.
func (c webhooksCreateCommand) Run(ctx context.Context) error {
	input := c.input()
	input["url"], input["ordered"] = c.URL, c.Ordered
	return c.ask(ctx, `mutation($in: CreateWebhookEndpointInput!) { answer: createWebhookEndpoint(input: $in) { secret webhookEndpoint { `+endpointFields+` } } }`,
		map[string]any{"in": input})
}

type webhooksUpdateCommand struct {
	environmentFlags `embed:""`
	webhookFlags     `embed:""`

	ID      string   `arg:"" help:"Id of the endpoint."`
	Address string   `help:"Another URL."`
	All     []string `enum:"events,workflows,channels" help:"What is no longer restricted: events, workflows or channels."`
	Ordered *bool    `help:"Deliveries about one subscriber follow one another." negatable:""`
	Active  *bool    `help:"Whether it is called." negatable:""`
}

// Run changes an endpoint.
func (c webhooksUpdateCommand) Run(ctx context.Context) error {
	input := c.input()
	input["id"] = c.ID
	for _, name := range c.All {
		if name == "events" {
			name = "eventTypes"
		}
		input[name] = []string{}
	}
	if c.Address != "" {
		input["url"] = c.Address
	}
	if c.Ordered != nil {
		input["ordered"] = *c.Ordered
	}
	if c.Active != nil {
		input["active"] = *c.Active
	}
	return c.ask(ctx, `mutation($in: UpdateWebhookEndpointInput!) { answer: updateWebhookEndpoint(input: $in) { webhookEndpoint { `+endpointFields+` } } }`,
		map[string]any{"in": input})
}

type webhooksDeleteCommand struct {
	environmentFlags `embed:""`

	ID string `arg:"" help:"Id of the endpoint."`
}

// Run deletes an endpoint.
func (c webhooksDeleteCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `mutation($id: ID!) { answer: deleteWebhookEndpoint(id: $id) { deletedId } }`, map[string]any{"id": c.ID})
}

type webhooksRotateCommand struct {
	environmentFlags `embed:""`

	ID      string `arg:"" help:"Id of the endpoint."`
	Overlap string `default:"P1D" help:"How long deliveries are signed under both secrets: an ISO 8601 duration, at most seven days."`
}

// Run replaces the secret of an endpoint.
func (c webhooksRotateCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `mutation($in: RotateWebhookSecretInput!) { answer: rotateWebhookSecret(input: $in) { secret webhookEndpoint { internalId previousSecretUntil } } }`,
		map[string]any{"in": map[string]any{"id": c.ID, "overlap": c.Overlap}})
}

type webhooksPingCommand struct {
	environmentFlags `embed:""`

	ID   string        `arg:"" help:"Id of the endpoint."`
	Wait time.Duration `default:"20s" help:"How long to wait for the answer."`
}

// webhookDelivery is what a ping looks at of its delivery.
type webhookDelivery struct {
	InternalID string `json:"internalId"`
	Status     string `json:"status"`
	AttemptLog []struct {
		HTTPStatus *int    `json:"httpStatus"`
		ErrorText  *string `json:"errorText"`
		DurationMs int     `json:"durationMs"`
	} `json:"attemptLog"`
}

// Run sends a ping and waits for its first attempt.
func (c webhooksPingCommand) Run(ctx context.Context) error {
	server := c.client()
	var made struct {
		PingWebhookEndpoint struct{ WebhookDelivery webhookDelivery }
	}
	if err := server.GraphQL(ctx, `mutation($id: ID!) { pingWebhookEndpoint(id: $id) { webhookDelivery { internalId status } } }`, map[string]any{"id": c.ID}, &made); err != nil {
		return err
	}
	found := made.PingWebhookEndpoint.WebhookDelivery
	within, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	err := client.Until(within, 100*time.Millisecond, func(ctx context.Context) (bool, error) {
		var answer struct{ WebhookDelivery *webhookDelivery }
		err := server.GraphQL(ctx, `query($id: ID!) { webhookDelivery(id: $id) { internalId status attemptLog { httpStatus errorText durationMs } } }`,
			map[string]any{"id": found.InternalID}, &answer)
		if err == nil && answer.WebhookDelivery != nil {
			found = *answer.WebhookDelivery
		}
		return len(found.AttemptLog) > 0, err
	})
	if len(found.AttemptLog) == 0 {
		if err != nil && within.Err() == nil {
			return err
		}
		return fmt.Errorf("no attempt within %s; `carillon webhooks deliveries %s` shows what comes later", c.Wait, c.ID)
	}
	first := found.AttemptLog[0]
	if found.Status != "DELIVERED" {
		reason := "no answer"
		if first.HTTPStatus != nil {
			reason = "it answered " + strconv.Itoa(*first.HTTPStatus)
		} else if first.ErrorText != nil {
			reason = *first.ErrorText
		}
		return fmt.Errorf("the endpoint did not take it: %s", reason)
	}
	fmt.Fprintf(stdout, "The endpoint took it in %d ms.\n", first.DurationMs)
	return nil
}

type webhooksDeliveriesCommand struct {
	environmentFlags `embed:""`

	ID     string `arg:"" optional:"" help:"Id of the endpoint; all when left out."`
	Status string `enum:"pending,delivered,failed,any" default:"any" help:"Only deliveries of this status: pending, delivered, failed or any."`
	Event  string `help:"Only events of this type, such as message.sent."`
	After  string `help:"Only those made after this instant (RFC 3339)."`
	Before string `help:"Only those made before this instant (RFC 3339)."`
	First  int    `default:"20" help:"How many, at most 100."`
}

// Run lists deliveries.
func (c webhooksDeliveriesCommand) Run(ctx context.Context) error {
	filter := given(map[string]string{"endpointId": c.ID, "createdAfter": c.After, "createdBefore": c.Before})
	if c.Status != "any" {
		filter["statusIn"] = enumerated([]string{c.Status})
	}
	if c.Event != "" {
		filter["eventTypeIn"] = enumerated([]string{c.Event})
	}
	return c.ask(ctx, `query($n: Int, $f: WebhookDeliveryFilter) { answer: webhookDeliveries(first: $n, filter: $f) { nodes { `+deliveryFields+` } } }`,
		map[string]any{"n": c.First, "f": filter})
}

type webhooksReplayCommand struct {
	environmentFlags `embed:""`

	Endpoint string `help:"Id of an endpoint: its failed deliveries are sent again, or those that --all, --from and --to choose." xor:"which"`
	Delivery string `help:"Id of one delivery." xor:"which"`
	All      bool   `help:"Not only those that failed; with --from and --to."`
	From     string `help:"Only those made from this instant on (RFC 3339)."`
	To       string `help:"Only those made before this instant (RFC 3339)."`
}

// Run sends deliveries again. Failed ones go page by page until none is left; of others, a page that was taken in between would be
// chosen anew.
func (c webhooksReplayCommand) Run(ctx context.Context) error {
	if c.Delivery != "" {
		return c.ask(ctx, `mutation($id: ID!) { answer: replayWebhookDelivery(id: $id) { webhookDelivery { internalId status dueAt } } }`, map[string]any{"id": c.Delivery})
	}
	if c.Endpoint == "" {
		return errors.New("say what is sent again: --delivery or --endpoint")
	}
	input := given(map[string]string{"endpointId": c.Endpoint, "from": c.From, "to": c.To})
	input["failedOnly"] = !c.All
	if c.To == "" && !c.All {
		input["to"] = time.Now().UTC().Format(time.RFC3339Nano) // those that fail meanwhile are not chosen
	}
	server, sent := c.client(), 0
	for {
		var answer struct {
			ReplayWebhookDeliveries struct {
				Count int
				More  bool
			}
		}
		err := server.GraphQL(ctx, `mutation($in: ReplayWebhookDeliveriesInput!) { replayWebhookDeliveries(input: $in) { count more } }`, map[string]any{"in": input}, &answer)
		if err != nil {
			return err
		}
		sent += answer.ReplayWebhookDeliveries.Count
		if !answer.ReplayWebhookDeliveries.More {
			break
		}
		if c.All {
			return fmt.Errorf("the range holds more than the %d oldest, which are sent again: go on with a later --from", sent)
		}
		fmt.Fprintf(stderr, "%d sent again so far\n", sent)
	}
	fmt.Fprintf(stdout, "%d deliveries are sent again.\n", sent)
	return nil
}

type webhooksVerifyCommand struct {
	Secret    string        `env:"CARILLON_WEBHOOK_SECRET" required:"" help:"The endpoint's secret, whsec_…"`
	ID        string        `required:"" help:"The header webhook-id."`
	Timestamp string        `required:"" help:"The header webhook-timestamp."`
	Signature string        `required:"" help:"The header webhook-signature."`
	Tolerance time.Duration `default:"5m" help:"How old it may be."`
}

// Run verifies a body as a receiver does.
func (c webhooksVerifyCommand) Run(context.Context) error {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read the body: %w", err)
	}
	verifier, err := webhook.New(c.Secret)
	if err != nil {
		return err
	}
	verifier.Tolerance = c.Tolerance
	header := map[string][]string{"Webhook-Id": {c.ID}, "Webhook-Timestamp": {c.Timestamp}, "Webhook-Signature": {c.Signature}}
	if err := verifier.Verify(header, body); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "The signature is right.")
	return nil
}
