package pgmessage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgcount"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// AttemptRow is one call to a provider.
type AttemptRow struct {
	ID                string
	EnvironmentID     string
	MessageID         string
	Number            int
	IntegrationID     string
	ProviderID        string
	Outcome           workflow.AttemptOutcome
	FinishedAt        *time.Time
	HTTPStatus        *int
	Code              *string
	ErrorText         *string
	Class             *string
	ProviderMessageID *string
	DuplicatePossible bool
	CreatedAt         time.Time
}

var attemptColumns = bulk.Columns[AttemptRow]{
	bulk.Field("id", func(a *AttemptRow) *string { return &a.ID }),
	bulk.Field("created_at", func(a *AttemptRow) *time.Time { return &a.CreatedAt }),
	bulk.Field("environment_id", func(a *AttemptRow) *string { return &a.EnvironmentID }),
	bulk.Field("message_id", func(a *AttemptRow) *string { return &a.MessageID }),
	bulk.Field("number", func(a *AttemptRow) *int { return &a.Number }),
	bulk.Field("integration_id", func(a *AttemptRow) *string { return &a.IntegrationID }),
	bulk.Field("provider_id", func(a *AttemptRow) *string { return &a.ProviderID }),
	bulk.Field("duplicate_possible", func(a *AttemptRow) *bool { return &a.DuplicatePossible }),
	bulk.Text("outcome", func(a *AttemptRow) *workflow.AttemptOutcome { return &a.Outcome }),
	bulk.Field("finished_at", func(a *AttemptRow) **time.Time { return &a.FinishedAt }),
	bulk.Field("http_status", func(a *AttemptRow) **int { return &a.HTTPStatus }),
	bulk.Field("code", func(a *AttemptRow) **string { return &a.Code }),
	bulk.Field("error_text", func(a *AttemptRow) **string { return &a.ErrorText }),
	bulk.Field("class", func(a *AttemptRow) **string { return &a.Class }),
	bulk.Field("provider_message_id", func(a *AttemptRow) **string { return &a.ProviderMessageID }),
}

var newIntents = bulk.Insert("attempts", attemptColumns.Pick("id", "created_at", "environment_id", "message_id", "number",
	"integration_id", "provider_id", "duplicate_possible", "provider_message_id")).Set("updated_at", "u.created_at").Set("outcome", "'intent'")

var insertIntents = newIntents.With("")

// InsertIntents queues the first attempts of messages as intents: of new messages, which InsertMessages counts, or of claimed ones that
// are under a lease, which are not rewritten for it. Attempts of the latter are counted by their outcome or by the end of the lease.
func InsertIntents(b *pgx.Batch, attempts []AttemptRow) {
	if len(attempts) > 0 {
		insertIntents.Queue(b, attempts)
	}
}

var beginAttempts = newIntents.With("RETURNING message_id, environment_id, number, integration_id, provider_id").
	Within(`WITH begun AS ({insert})
UPDATE messages m SET attempts = begun.number, integration_id = begun.integration_id, provider_id = begun.provider_id,
	leased_until = clock_timestamp() + @1::interval
FROM begun WHERE m.id = begun.message_id AND m.environment_id = begun.environment_id`)

// BeginAttempts queues attempts as intents, before their calls, and counts them on their messages, which the caller has
// locked and which are under no lease. Those and the held ones, to which no call is made now, are the caller's until the lease ends. It is real time:
// when the worker dies, others take over after it.
func BeginAttempts(b *pgx.Batch, attempts []AttemptRow, held []string, lease time.Duration) {
	if len(held) > 0 {
		b.Queue(`UPDATE messages SET leased_until = clock_timestamp() + $2::interval WHERE id = ANY($1)`, held, lease)
	}
	if len(attempts) == 0 {
		return
	}
	beginAttempts.Queue(b, attempts, lease)
}

// AbandonIntents queues the settling of intents that a worker left behind when it died: their outcome is unknown.
func AbandonIntents(b *pgx.Batch, messageIDs []string) {
	if len(messageIDs) == 0 {
		return
	}
	b.Queue(pgrun.AbandonAttempts+` WHERE a.message_id = ANY($1) AND a.outcome = 'intent'`, messageIDs)
}

// MessageOutcome is what an attempt, or the lack of one, means for its message and its run.
type MessageOutcome struct {
	EnvironmentID     string
	MessageID         string
	NotificationID    string
	StepID            string
	Channel           string
	Attempt           *AttemptRow // finished; nil when no call was made
	Status            workflow.MessageStatus
	DueAt             *time.Time // of the next attempt; nil: final
	IntegrationID     string
	ProviderID        string
	DeliveredAt       json.RawMessage
	ErrorID           *string
	ErrorText         *string
	ProviderMessageID *string
	Envelope          json.RawMessage // nil: as it is
	Trace             []workflow.TraceEntry
	At                time.Time // the environment's clock
	DropToken         string
	SettingID         string // channel setting that the token is taken out of
	Reports           bool   // the integration's provider sends receipts
	Lane              string
	Took              time.Duration // that the message needed to be taken, without chosen waits; 0: it was not
	Sign              *Health       // what the call says of its integration; nil: nothing. RecordHealth hears of it
}

// RecordOutcomes writes outcomes in one round trip and one transaction: attempts finished, messages moved, traces
// appended, dead tokens dropped, and runs ended or called up when nothing of what they wait for is left. The runs are
// locked first, so that of two messages that end at the same time the second sees the first. calledUp are the runs that
// continue because the outcome they waited for is here; completed is how many have ended.
func RecordOutcomes(ctx context.Context, db *postgres.DB, outcomes []MessageOutcome) (calledUp []string, completed int, err error) {
	b := &pgx.Batch{}
	var runs []string
	var attempts []AttemptRow
	for i := range outcomes {
		runs = append(runs, outcomes[i].NotificationID)
		if outcomes[i].Attempt != nil {
			attempts = append(attempts, *outcomes[i].Attempt)
		}
	}
	b.Queue(`SELECT FROM (SELECT id FROM notifications WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE) AS locked`, runs)
	finishAttempts(b, attempts)
	for i := range outcomes {
		if o := &outcomes[i]; o.DropToken != "" {
			b.Queue(`UPDATE subscriber_channels SET credentials = jsonb_set(credentials, '{deviceTokens}', (credentials->'deviceTokens') - $3::text),
	registered = registered - $3::text, updated_at = now() WHERE environment_id = $1 AND id = $2 AND credentials ? 'deviceTokens'`, o.EnvironmentID, o.SettingID, o.DropToken)
		}
	}
	moveMessages(b, outcomes)
	settleRuns(b, outcomes).Query(func(rows pgx.Rows) error {
		var run string
		var goesOn bool
		_, err := pgx.ForEachRow(rows, []any{&run, &goesOn}, func() error {
			if goesOn {
				calledUp = append(calledUp, run)
			} else {
				completed++
			}
			return nil
		})
		return err
	})
	if err := db.Pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, 0, fmt.Errorf("record outcomes: %w", err)
	}
	return calledUp, completed, nil
}

// OutcomesRecorded reports whether RecordOutcomes has committed, though its answer was lost: all of them are recorded or none is. Another
// process that took messages over meanwhile finished their attempts at a time of its own. Outcomes without an attempt are known by their
// messages, which were claimed before and are not afterwards.
func OutcomesRecorded(ctx context.Context, db *postgres.DB, outcomes []MessageOutcome) (committed bool, err error) {
	var ids []string
	var finished []*time.Time
	var without []string
	var due []*time.Time
	for i := range outcomes {
		if a := outcomes[i].Attempt; a != nil {
			ids, finished = append(ids, a.ID), append(finished, a.FinishedAt)
		} else {
			without, due = append(without, outcomes[i].MessageID), append(due, outcomes[i].DueAt)
		}
	}
	err = db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM unnest($1::text[], $2::timestamptz[]) AS u (id, finished_at)
	JOIN attempts a ON a.id = u.id AND a.finished_at = u.finished_at) OR EXISTS (SELECT FROM unnest($3::text[], $4::timestamptz[]) AS u (id, due_at)
	JOIN messages m ON m.id = u.id AND m.due_at IS NOT DISTINCT FROM u.due_at AND m.leased_until IS NULL AND m.lease_id IS NULL)`,
		ids, finished, without, due).Scan(&committed)
	if err != nil {
		return false, fmt.Errorf("look for recorded outcomes: %w", err)
	}
	return committed, nil
}

var updateAttempts = bulk.New(`UPDATE attempts a SET outcome = u.outcome, finished_at = u.finished_at, http_status = u.http_status, code = u.code,
	error_text = u.error_text, class = u.class, provider_message_id = u.provider_message_id, updated_at = now()
FROM {rows} WHERE a.id = u.id AND a.environment_id = u.environment_id AND a.outcome IN ('intent', 'unknown')`,
	attemptColumns.Pick("environment_id", "id", "outcome", "finished_at", "http_status", "code", "error_text", "class", "provider_message_id"))

func finishAttempts(b *pgx.Batch, attempts []AttemptRow) {
	if len(attempts) > 0 {
		updateAttempts.Queue(b, attempts)
	}
}

// A receipt may have moved the message on before the answer to its own request is recorded: then only the error and the ids
// of the answer are kept, the status never goes back (semantics.md §9.3).
//
// When the lease of an attempt ended before its outcome came, another process has begun the next attempt. It may die before that ends,
// and no claim takes up a message that is final: its attempt is unknown until its outcome comes.
//
// A pause may hold it by then, where no process has begun the next attempt; it holds nothing any more of what was answered.
//
// The next process may also have given the message up meanwhile, for its deadline as a rule, or it was cancelled. The outcome corrects
// that: who took the message has it. What the provider reported of it counts more. A cancelled message was not counted as failed.
//
// A cancellation may have found the attempt under way. Its message is due at once then instead of after a pause, and the claim ends it.
var updateMessages = bulk.New(`WITH given AS (SELECT u.* FROM {rows}),
moved AS (UPDATE messages m SET status = CASE WHEN m.status = 'pending' THEN u.status ELSE m.status END,
	due_at = CASE WHEN u.due_at IS NOT NULL AND `+pgrun.CancelledMessage("m.")+` THEN m.created_at ELSE u.due_at END,
	held_by = NULL, leased_until = NULL, lease_id = NULL, attempts = greatest(m.attempts, u.attempts), integration_id = u.integration_id, provider_id = u.provider_id,
	delivered_at = coalesce(u.delivered_at::jsonb, m.delivered_at),
	error_id = CASE WHEN m.status = 'pending' AND u.due_at IS NULL THEN u.error_id ELSE coalesce(m.error_id, u.error_id) END,
	error_text = CASE WHEN m.status = 'pending' THEN u.error_text ELSE coalesce(m.error_text, u.error_text) END,
	provider_message_id = coalesce(u.provider_message_id, m.provider_message_id), envelope = coalesce(u.envelope::jsonb, m.envelope),
	updated_at = now()
FROM given u WHERE m.id = u.id AND m.environment_id = u.environment_id AND `+pgdue.OpenMessage("m.")+`
RETURNING m.event_id, m.environment_id, CASE WHEN m.due_at IS NULL AND u.status IN ('sent', 'warning') THEN 1 ELSE 0 END AS sent,
	CASE WHEN m.due_at IS NULL AND u.status = 'error' AND u.error_text IS DISTINCT FROM '`+workflow.CancelledText+`' THEN 1 ELSE 0 END AS failed, m.id, m.due_at IS NULL AND m.attempts > u.attempts AS overtaken),
abandoned AS (`+pgrun.AbandonAttempts+` WHERE a.id IN (SELECT i.id FROM moved CROSS JOIN LATERAL (SELECT id FROM attempts
	WHERE message_id = moved.id AND outcome = 'intent' OFFSET 0) i WHERE moved.overtaken)),
given_up AS (SELECT u.*, m.error_text IS DISTINCT FROM '`+workflow.CancelledText+`' AS counted
	FROM (SELECT given.* FROM given WHERE NOT EXISTS (SELECT FROM moved WHERE moved.id = given.id) OFFSET 0) u
	JOIN messages m ON m.id = u.id AND m.environment_id = u.environment_id
	WHERE u.attempts > 0 AND u.status IN ('sent', 'warning') AND m.status = 'error' AND NOT `+pgdue.OpenMessage("m.")+`
	AND (m.receipt IS NULL OR m.receipt NOT IN ('failed', 'bounced')) FOR NO KEY UPDATE OF m),
corrected AS (UPDATE messages m SET status = u.status, error_id = NULL, error_text = u.error_text, integration_id = u.integration_id,
	provider_id = u.provider_id, provider_message_id = u.provider_message_id, delivered_at = u.delivered_at::jsonb,
	envelope = coalesce(u.envelope::jsonb, m.envelope), updated_at = now()
FROM given_up u WHERE m.id = u.id RETURNING m.event_id, m.environment_id, u.counted)
`+pgcount.Moved(`(SELECT event_id, environment_id, sent, failed FROM moved
	UNION ALL SELECT event_id, environment_id, 1, CASE WHEN counted THEN -1 ELSE 0 END FROM corrected)`), bulk.Columns[MessageOutcome]{
	bulk.Field("environment_id", func(o *MessageOutcome) *string { return &o.EnvironmentID }),
	bulk.Field("id", func(o *MessageOutcome) *string { return &o.MessageID }),
	bulk.Text("status", func(o *MessageOutcome) *workflow.MessageStatus { return &o.Status }),
	bulk.Field("due_at", func(o *MessageOutcome) **time.Time { return &o.DueAt }),
	bulk.Optional("integration_id", func(o *MessageOutcome) *string { return &o.IntegrationID }),
	bulk.Optional("provider_id", func(o *MessageOutcome) *string { return &o.ProviderID }),
	bulk.JSON("delivered_at", func(o *MessageOutcome) *json.RawMessage { return &o.DeliveredAt }),
	bulk.Field("error_id", func(o *MessageOutcome) **string { return &o.ErrorID }),
	bulk.Field("error_text", func(o *MessageOutcome) **string { return &o.ErrorText }),
	bulk.Field("provider_message_id", func(o *MessageOutcome) **string { return &o.ProviderMessageID }),
	bulk.JSON("envelope", func(o *MessageOutcome) *json.RawMessage { return &o.Envelope }),
	bulk.Value("attempts", func(o *MessageOutcome) int { return o.number() }),
})

// number is that of the attempt; 0 when none was made.
func (o *MessageOutcome) number() int {
	if o.Attempt == nil {
		return 0
	}
	return o.Attempt.Number
}

func moveMessages(b *pgx.Batch, outcomes []MessageOutcome) { updateMessages.Queue(b, outcomes) }

// runOutcome is what the outcomes of a batch say of one run.
type runOutcome struct {
	environment, id string
	at              time.Time
	trace           []workflow.TraceEntry
}

// runOutcomes sums outcomes up by run.
func runOutcomes(outcomes []MessageOutcome) []runOutcome {
	at := map[string]int{}
	var runs []runOutcome
	for i := range outcomes {
		o := &outcomes[i]
		k, seen := at[o.NotificationID]
		if !seen {
			k = len(runs)
			at[o.NotificationID] = k
			runs = append(runs, runOutcome{environment: o.EnvironmentID, id: o.NotificationID})
		}
		runs[k].at = o.At
		runs[k].trace = append(runs[k].trace, o.Trace...)
	}
	return runs
}

var settle = bulk.New(`WITH left_over AS (
	SELECT u.*, n.status = 'pending' AND n.due_at IS NULL AS ready, n.state ->> 'awaiting' AS awaiting,
		EXISTS (SELECT FROM (SELECT due_at, lease_id, step_id FROM messages WHERE notification_id = u.id OFFSET 0) m
			WHERE `+pgdue.OpenMessage("m.")+` AND (n.state ->> 'awaiting' IS NULL OR m.step_id = n.state ->> 'awaiting')) AS busy
	FROM {rows} JOIN notifications n ON n.id = u.id AND n.environment_id = u.environment_id),
settled AS (UPDATE notifications n SET
	trace = CASE WHEN l.repeats THEN `+pgrun.Folded("n.trace || l.trace::jsonb")+` ELSE n.trace || l.trace::jsonb END || CASE WHEN l.ready AND NOT l.busy AND l.awaiting IS NULL AND NOT l.stopped
		THEN jsonb_build_array(jsonb_build_object('at', to_jsonb(l.at AT TIME ZONE 'UTC') #>> '{}' || 'Z', 'reason', 'completed'))
		ELSE '[]'::jsonb END,
	status = CASE WHEN l.ready AND NOT l.busy AND l.awaiting IS NULL THEN CASE WHEN l.stopped THEN 'cancelled' ELSE 'completed' END ELSE n.status END,
	finished_at = CASE WHEN l.ready AND NOT l.busy AND l.awaiting IS NULL THEN l.at ELSE n.finished_at END,
	due_at = CASE WHEN l.ready AND NOT l.busy AND l.awaiting IS NOT NULL THEN l.at ELSE n.due_at END,
	updated_at = now()
FROM left_over l WHERE n.id = l.id)
SELECT id, awaiting IS NOT NULL FROM left_over WHERE ready AND NOT busy AND NOT (stopped AND awaiting IS NULL)`, bulk.Columns[runOutcome]{
	bulk.Field("environment_id", func(r *runOutcome) *string { return &r.environment }),
	bulk.Field("id", func(r *runOutcome) *string { return &r.id }),
	bulk.Field("at", func(r *runOutcome) *time.Time { return &r.at }),
	bulk.List("trace", func(r *runOutcome) *[]workflow.TraceEntry { return &r.trace }),
	bulk.Value("repeats", func(r *runOutcome) bool { return pgrun.Repeats(r.trace) }),
	bulk.Value("stopped", func(r *runOutcome) bool {
		return slices.ContainsFunc(r.trace, func(t workflow.TraceEntry) bool { return t.Reason == workflow.ReasonCancelled })
	}),
})

// settleRuns appends the traces and looks whether a run still waits. A run that waits for a step's outcome carries the
// step in state.awaiting; one without has reached all its steps and ends with its last message. OFFSET 0 keeps the search
// for its messages on the run's own index: over the index of what is due it would walk a whole broadcast for each run.
func settleRuns(b *pgx.Batch, outcomes []MessageOutcome) *pgx.QueuedQuery {
	return settle.Queue(b, runOutcomes(outcomes))
}

// StepOutcome is what became of one step's messages, for conditions of later steps.
type StepOutcome struct {
	NotificationID string
	StepID         string
	Pending        bool
	Sent           bool
	Failed         bool // every message of the step failed
	Skipped        bool // every message of the step lacked an integration, which is no failure (decisions.md §6)
	Seen           bool
	Read           bool
}

// LoadStepOutcomes sums up the messages of runs, by step.
func LoadStepOutcomes(ctx context.Context, q postgres.Querier, environments, notifications []string) ([]StepOutcome, error) {
	rows, err := q.Query(ctx, `SELECT m.notification_id, m.step_id, bool_or(m.status = 'pending'), bool_or(m.status IN ('sent', 'warning')),
	bool_and(m.status = 'error') AND bool_or(m.error_id IS DISTINCT FROM 'no_integration'),
	bool_and(m.status = 'error' AND m.error_id IS NOT DISTINCT FROM 'no_integration'), bool_or(m.seen), bool_or(m.read)
FROM unnest($1::text[], $2::text[]) AS u (env, id) JOIN messages m ON m.notification_id = u.id AND m.environment_id = u.env
GROUP BY 1, 2`, environments, notifications)
	return postgres.Collect(rows, err, "load the outcomes of steps", pgx.RowToStructByPos[StepOutcome])
}

// ConnectionRow is a channel connection, its access token still encrypted.
type ConnectionRow struct {
	ID            string
	EnvironmentID string
	WorkspaceID   string
	AccessToken   []byte
}

// LoadConnections reads channel connections of several environments by id.
func LoadConnections(ctx context.Context, q postgres.Querier, environments, ids []string) ([]ConnectionRow, error) {
	rows, err := q.Query(ctx, `SELECT c.id, c.environment_id, c.workspace_id, c.access_token
FROM (SELECT DISTINCT env, id FROM unnest($1::text[], $2::text[]) AS u (env, id)) AS u
JOIN channel_connections c ON c.id = u.id AND c.environment_id = u.env`, environments, ids)
	return postgres.Collect(rows, err, "load channel connections", pgx.RowToStructByPos[ConnectionRow])
}

// LoadMessageOrigins reads what an outcome must know of its message, and nothing that could fail to be decoded.
func LoadMessageOrigins(ctx context.Context, q postgres.Querier, ids []string) ([]MessageOutcome, error) {
	rows, err := q.Query(ctx, `SELECT environment_id, id, notification_id, step_id, channel, coalesce(integration_id, ''),
	coalesce(provider_id, ''), due_at FROM messages WHERE id = ANY($1) AND `+pgdue.OpenMessage(""), ids)
	return postgres.Collect(rows, err, "load messages", func(r pgx.CollectableRow) (o MessageOutcome, err error) {
		return o, r.Scan(&o.EnvironmentID, &o.MessageID, &o.NotificationID, &o.StepID, &o.Channel, &o.IntegrationID, &o.ProviderID, &o.DueAt)
	})
}
