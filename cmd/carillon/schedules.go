package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carillon/carillon/internal/client"
)

// schedulesCommand is the schedules of an environment (internal/docs/decisions.md §19).
type schedulesCommand struct {
	List    schedulesListCommand    `cmd:"" help:"List the schedules, with the next run of each."`
	Create  schedulesCreateCommand  `cmd:"" help:"Make a schedule that triggers a workflow at a time or by a rule."`
	Update  schedulesUpdateCommand  `cmd:"" help:"Change when a schedule runs, switch it off or on again; flags that are left out stay as they are."`
	Preview schedulesPreviewCommand `cmd:"" help:"Print the next ten runs of a schedule that is not made yet."`
	Run     schedulesRunCommand     `cmd:"" help:"Run a schedule now; its next run stays as it is."`
	Delete  schedulesDeleteCommand  `cmd:"" help:"Delete a schedule. The events that it made stay."`
}

const scheduleFields = `id internalId name workflow { identifier } to { subscriberId topic { topicKey } audience } startsAt timeZone recipientsZone rrule exceptions
	enabled nextRunAt lastRunAt lastStatus lastError`

// scheduleTimes say when a schedule runs.
type scheduleTimes struct {
	At         string   `help:"When it runs first, as the clock of --zone shows it: 2026-12-01T09:00." placeholder:"TIME"`
	Zone       string   `help:"Time zone of these times, such as Europe/Berlin; UTC when left out." placeholder:"ZONE"`
	Rule       string   `help:"How it is repeated: an RRULE such as FREQ=WEEKLY;BYDAY=MO. Left out: it runs once." placeholder:"RRULE"`
	Exceptions []string `help:"Days on which it does not run." placeholder:"DAY,..."`
	Local      *bool    `name:"recipients-zone" help:"It runs for each recipient when the clock of their own zone shows the time." negatable:""`
}

func (f scheduleTimes) input() map[string]any {
	input := given(map[string]string{"startsAt": f.At, "timeZone": f.Zone, "rrule": f.Rule})
	if f.Exceptions != nil {
		input["exceptions"] = f.Exceptions
	}
	if f.Local != nil {
		input["recipientsZone"] = *f.Local
	}
	return input
}

// flagged names the flags whose values the API refused, by which the person gave them.
func flagged(err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) || len(refused.Fields) == 0 {
		return err
	}
	flags := map[string]string{"startsAt": "--at", "timeZone": "--zone", "rrule": "--rule", "exceptions": "--exceptions", "recipientsZone": "--recipients-zone"}
	var lines []error
	for _, f := range refused.Fields {
		lines = append(lines, fmt.Errorf("%s: %s", cmp.Or(flags[f.Path], f.Path), f.Message))
	}
	return errors.Join(lines...)
}

type schedulesListCommand struct {
	environmentFlags `embed:""`

	After string `help:"The cursor behind which the list continues."`
}

// Run lists the schedules, a hundred at a time.
func (c schedulesListCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `query($after: String) { answer: triggerSchedules(first: 100, after: $after) { nodes { `+scheduleFields+` } pageInfo { hasNextPage endCursor } } }`,
		given(map[string]string{"after": c.After}))
}

type schedulesCreateCommand struct {
	environmentFlags `embed:""`
	scheduleTimes    `embed:""`

	Name        string   `arg:"" help:"What the schedule is called."`
	Workflow    string   `arg:"" help:"Trigger identifier of the workflow."`
	Subscribers []string `help:"Subscribers that it reaches, by subscriberId." placeholder:"ID,..."`
	Topics      []string `help:"Topics that it reaches, by key." placeholder:"KEY,..."`
	Audiences   []string `help:"Audiences that it reaches, by identifier." placeholder:"NAME,..."`
	Everyone    bool     `help:"It reaches every subscriber: a broadcast."`
	Payload     string   `help:"The payload: a JSON object." placeholder:"JSON"`
}

// Run makes a schedule.
func (c schedulesCreateCommand) Run(ctx context.Context) error {
	input := c.input()
	input["name"], input["workflow"] = c.Name, c.Workflow
	to := c.recipients()
	switch {
	case c.Everyone == (len(to) > 0):
		return errors.New("name recipients by --subscribers, --topics and --audiences, or reach every subscriber by --everyone")
	case !c.Everyone:
		input["to"] = to
	}
	if c.Payload != "" {
		var payload map[string]any
		if err := json.Unmarshal([]byte(c.Payload), &payload); err != nil {
			return fmt.Errorf("--payload is not a JSON object: %w", err)
		}
		input["payload"] = payload
	}
	return flagged(c.ask(ctx, `mutation($in: CreateTriggerScheduleInput!) { answer: createTriggerSchedule(input: $in) { triggerSchedule { `+scheduleFields+` nextRuns(first: 10) } } }`,
		map[string]any{"in": input}))
}

func (c schedulesCreateCommand) recipients() (to []map[string]any) {
	for _, id := range c.Subscribers {
		to = append(to, map[string]any{"subscriberId": id})
	}
	for _, key := range c.Topics {
		to = append(to, map[string]any{"topic": map[string]any{"topicKey": key}})
	}
	for _, identifier := range c.Audiences {
		to = append(to, map[string]any{"audience": identifier})
	}
	return to
}

type schedulesUpdateCommand struct {
	environmentFlags `embed:""`
	scheduleTimes    `embed:""`

	ID      string `arg:"" help:"Id of the schedule."`
	Name    string `help:"Another name."`
	Enabled *bool  `help:"Whether it runs." negatable:""`
}

// Run changes a schedule.
func (c schedulesUpdateCommand) Run(ctx context.Context) error {
	input := c.input()
	input["id"] = c.ID
	if c.Name != "" {
		input["name"] = c.Name
	}
	if c.Enabled != nil {
		input["enabled"] = *c.Enabled
	}
	return flagged(c.ask(ctx, `mutation($in: UpdateTriggerScheduleInput!) { answer: updateTriggerSchedule(input: $in) { triggerSchedule { `+scheduleFields+` nextRuns(first: 10) } } }`,
		map[string]any{"in": input}))
}

type schedulesPreviewCommand struct {
	environmentFlags `embed:""`
	scheduleTimes    `embed:""`
}

// Run prints the next runs of a rule.
func (c schedulesPreviewCommand) Run(ctx context.Context) error {
	return flagged(c.ask(ctx, `query($in: TriggerSchedulePreviewInput!) { answer: triggerSchedulePreview(input: $in) { runs } }`, map[string]any{"in": c.input()}))
}

type schedulesRunCommand struct {
	environmentFlags `embed:""`

	ID string `arg:"" help:"Id of the schedule."`
}

// Run triggers what the schedule triggers, now.
func (c schedulesRunCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `mutation($id: ID!) { answer: runTriggerSchedule(id: $id) { result { status error transactionId } triggerSchedule { internalId nextRunAt } } }`,
		map[string]any{"id": c.ID})
}

type schedulesDeleteCommand struct {
	environmentFlags `embed:""`

	ID string `arg:"" help:"Id of the schedule."`
}

// Run deletes a schedule.
func (c schedulesDeleteCommand) Run(ctx context.Context) error {
	return c.ask(ctx, `mutation($id: ID!) { answer: deleteTriggerSchedule(id: $id) { deletedId } }`, map[string]any{"id": c.ID})
}
