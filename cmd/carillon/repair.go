package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// repairCommand is what operators do by hand to what was triggered. Each command says what it would do, and does it with --yes.
type repairCommand struct {
	Resend  repairResendCommand  `cmd:"" help:"Send a message again."`
	Replay  repairReplayCommand  `cmd:"" help:"Replay a notification from a step on."`
	Retry   repairRetryCommand   `cmd:"" help:"Send the failed messages of a filter again, at a pace."`
	Cancel  repairCancelCommand  `cmd:"" help:"Stop what still waits of a transaction, and say who was stopped and who was too late."`
	Recall  repairRecallCommand  `cmd:"" help:"Stop what waits of a transaction, take its in-app messages back, have chat messages deleted, and list what has left."`
	Release repairReleaseCommand `cmd:"" help:"Close an open digest window now."`
	Drop    repairDropCommand    `cmd:"" help:"End an open digest window without sending."`
	Pause   repairPauseCommand   `cmd:"" help:"Hold the deliveries of the environment, a workflow, a broadcast, a subscriber, an integration or a channel."`
	Resume  repairResumeCommand  `cmd:"" help:"End a pause: what it held is taken up in order, at a pace."`
	Pauses  repairPausesCommand  `cmd:"" help:"List the pauses that last, and what they hold."`
	Pace    repairPaceCommand    `cmd:"" help:"Set how many notifications per second the fan-out of a broadcast makes."`
}

// repairFlags are what every repair has.
type repairFlags struct {
	environmentFlags `embed:""`

	Yes bool `help:"Do it; without it, only say what would happen."`
}

// nothingChanged is said by a command that was asked what it would do, and has done that: it ends well.
const nothingChanged = "Nothing was changed. --yes does it."

// run sends a mutation, as a dry run without --yes, and prints its answer as JSON. The document leaves out by $dry what names a record
// that a dry run makes and gives up.
func (f repairFlags) run(ctx context.Context, mutation string, input map[string]any) error {
	input["dryRun"] = !f.Yes
	answer, err := f.answer(ctx, mutation, input)
	if err == nil && !f.Yes {
		fmt.Fprintln(stderr, nothingChanged)
	}
	if err != nil {
		return err
	}
	return printJSON(answer)
}

func (f repairFlags) answer(ctx context.Context, document string, input map[string]any) (json.RawMessage, error) {
	var answer struct{ Answer json.RawMessage }
	err := f.client().GraphQL(ctx, document, map[string]any{"input": input, "dry": !f.Yes}, &answer)
	return answer.Answer, err
}

func printJSON(answer json.RawMessage) error {
	out, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err = fmt.Fprintln(stdout, string(out))
	return err
}

// given leaves out the flags that were not set.
func given(flags map[string]string) map[string]any {
	input := map[string]any{}
	for name, value := range flags {
		if value != "" {
			input[name] = value
		}
	}
	return input
}

type repairResendCommand struct {
	repairFlags `embed:""`

	ID          string `arg:"" help:"Id of the message."`
	Integration string `help:"Id of the integration that sends it; left out: the one that did."`
}

// Run sends a message again.
func (c repairResendCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: ResendMessageInput!, $dry: Boolean!) { answer: resendMessage(input: $input) {
  message { internalId @skip(if: $dry) channel target integrationId providerId } copied duplicatePossible dryRun
} }`, given(map[string]string{"id": c.ID, "integrationId": c.Integration}))
}

type repairReplayCommand struct {
	repairFlags `embed:""`

	ID      string `arg:"" help:"Id of the notification."`
	Step    string `arg:"" help:"Step from which it is replayed."`
	Version string `enum:"original,published" default:"original" help:"The version of the workflow: the one of then, or the one that triggers use now."`
}

// Run replays a notification.
func (c repairReplayCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: ReplayNotificationInput!, $dry: Boolean!) { answer: replayNotification(input: $input) {
  notification @skip(if: $dry) { internalId transactionId } versionNumber stepIds dryRun
} }`, map[string]any{"id": c.ID, "stepId": c.Step, "version": map[string]string{"original": "ORIGINAL", "published": "PUBLISHED"}[c.Version]})
}

type repairRetryCommand struct {
	repairFlags `embed:""`

	Workflow    string `help:"Only messages of this workflow."`
	Integration string `help:"Only messages that failed on this integration: its id."`
	Error       string `help:"Only messages with this error code."`
	Transaction string `help:"Only messages of this transactionId."`
	After       string `help:"Only messages created after this instant (RFC 3339)."`
	Before      string `help:"Only messages created before this instant (RFC 3339)."`
	Channel     string `enum:"email,sms,push,chat,any" default:"any" help:"Only messages of this channel."`
	Through     string `help:"Id of the integration that sends them, for e-mail and SMS."`
	PerSecond   int    `default:"50" help:"Messages per second."`
}

// Run begins a retry of failed messages.
func (c repairRetryCommand) Run(ctx context.Context) error {
	filter := given(map[string]string{
		"workflow": c.Workflow, "integrationId": c.Integration, "errorId": c.Error, "transactionId": c.Transaction,
		"createdAfter": c.After, "createdBefore": c.Before,
		"channel": map[string]string{"email": "EMAIL", "sms": "SMS", "push": "PUSH", "chat": "CHAT"}[c.Channel],
	})
	input := given(map[string]string{"integrationId": c.Through})
	input["filter"], input["perSecond"] = filter, c.PerSecond
	return c.run(ctx, `mutation($input: RetryMessagesInput!, $dry: Boolean!) { answer: retryMessages(input: $input) {
  messageRetry @skip(if: $dry) { internalId } chosen retried dryRun
} }`, input)
}

type repairCancelCommand struct {
	environmentFlags `embed:""`

	Transaction string `arg:"" help:"TransactionId of the trigger."`
	Yes         bool   `help:"Do it."`
}

// Run cancels a transaction.
func (c repairCancelCommand) Run(ctx context.Context) error {
	if !c.Yes {
		// A recall stops the same, and can be tried; what it would take back besides stays.
		return repairFlags{c.environmentFlags, false}.run(ctx, `mutation($input: RecallInput!) { answer: recall(input: $input) {
  eventsStopped stoppedCount complete dryRun
} }`, map[string]any{"transactionId": c.Transaction})
	}
	var answer struct {
		CancelTransaction struct{ Result json.RawMessage }
	}
	err := c.client().GraphQL(ctx, `mutation($id: String!) { cancelTransaction(transactionId: $id) { result {
  eventsStopped stoppedCount tooLateCount complete stopped { internalId subscriber { subscriberId } }
  tooLate { internalId subscriber { subscriberId } status }
} } }`, map[string]any{"id": c.Transaction}, &answer)
	if err != nil {
		return err
	}
	return printJSON(answer.CancelTransaction.Result)
}

type repairRecallCommand struct {
	repairFlags `embed:""`

	Transaction string `arg:"" help:"TransactionId of the trigger."`
}

// Run recalls a transaction.
func (c repairRecallCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: RecallInput!) { answer: recall(input: $input) {
  eventsStopped stoppedCount withdrawnCount recallingCount outOfReachCount complete dryRun
  outOfReach { internalId subscriber { subscriberId } channel target status }
} }`, map[string]any{"transactionId": c.Transaction})
}

type repairReleaseCommand struct {
	repairFlags `embed:""`

	ID string `arg:"" help:"Id of the digest window."`
}

// Run closes a digest window.
func (c repairReleaseCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: ReleaseDigestInput!) { answer: releaseDigest(input: $input) { digest { internalId closesAt } events dryRun } }`,
		map[string]any{"id": c.ID})
}

type repairDropCommand struct {
	repairFlags `embed:""`

	ID string `arg:"" help:"Id of the digest window."`
}

// Run drops a digest window.
func (c repairDropCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: DropDigestInput!) { answer: dropDigest(input: $input) { digest { internalId status } events complete dryRun } }`,
		map[string]any{"id": c.ID})
}

type repairPauseCommand struct {
	repairFlags `embed:""`

	Kind   string `arg:"" enum:"environment,workflow,broadcast,subscriber,integration,channel" help:"What is paused: environment, workflow, broadcast, subscriber, integration or channel."`
	Target string `arg:"" optional:"" help:"Which one; nothing for the environment."`
	Reason string `help:"Why; for those who see the pause."`
}

// Run begins a pause.
func (c repairPauseCommand) Run(ctx context.Context) error {
	input := given(map[string]string{"target": c.Target, "reason": c.Reason})
	input["kind"] = map[string]string{
		"environment": "ENVIRONMENT", "workflow": "WORKFLOW", "broadcast": "BROADCAST", "subscriber": "SUBSCRIBER", "integration": "INTEGRATION", "channel": "CHANNEL",
	}[c.Kind]
	return c.run(ctx, `mutation($input: PauseDeliveryInput!, $dry: Boolean!) { answer: pauseDelivery(input: $input) {
  pause { internalId @skip(if: $dry) kind target targetName @skip(if: $dry) } events notifications messages dryRun
} }`, input)
}

type repairResumeCommand struct {
	repairFlags `embed:""`

	ID        string `arg:"" help:"Id of the pause."`
	PerSecond int    `default:"50" help:"How much of what was held is taken up per second."`
}

// Run ends a pause.
func (c repairResumeCommand) Run(ctx context.Context) error {
	return c.run(ctx, `mutation($input: ResumeDeliveryInput!) { answer: resumeDelivery(input: $input) { pause { internalId kind targetName } held dryRun } }`,
		map[string]any{"id": c.ID, "perSecond": c.PerSecond})
}

type repairPaceCommand struct {
	repairFlags `embed:""`

	Event     string `arg:"" help:"The event: its id or transactionId."`
	PerSecond int    `help:"Notifications per second; 0: as many as possible."`
}

// Run sets a pace.
func (c repairPaceCommand) Run(ctx context.Context) error {
	input := map[string]any{"event": c.Event}
	if c.PerSecond != 0 {
		input["perSecond"] = c.PerSecond
	}
	return c.run(ctx, `mutation($input: PaceBroadcastInput!) { answer: paceBroadcast(input: $input) {
  event { internalId status progress { planned examined notified sent failed skipped perSecond } } dryRun
} }`, input)
}

type repairPausesCommand struct {
	environmentFlags `embed:""`
}

// Run lists the pauses that last.
func (c repairPausesCommand) Run(ctx context.Context) error {
	var answer struct {
		Pauses struct{ Nodes json.RawMessage }
	}
	err := c.client().GraphQL(ctx, `{ pauses(first: 100, lasting: true) { nodes { internalId kind target targetName reason createdAt heldCount } } }`, nil, &answer)
	if err != nil {
		return err
	}
	return printJSON(answer.Pauses.Nodes)
}
