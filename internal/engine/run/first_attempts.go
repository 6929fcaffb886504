package run

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// Sender makes the first attempts of messages. Whatever it does not begin at once is due, and is claimed.
type Sender interface {
	// Begin says which of the new messages are attempted as soon as they are committed; their intents are stored with them.
	Begin(ctx context.Context, q postgres.Querier, fresh []FreshMessage) (Begun, error)
}

// FreshMessage is a message that is about to be stored, with what its first attempt needs.
type FreshMessage struct {
	*pgmessage.MessageRow
	Event      *EventContext
	Subscriber *Recipient
}

// Begun are first attempts whose intents are stored with their messages.
type Begun interface {
	Attempts() []pgmessage.AttemptRow
	// Send makes the calls, beside the caller, once the intents are committed.
	Send(ctx context.Context)
}

// SendWith lets the messages of e's runs be sent by s from their commit on.
func (e *Executor) SendWith(s Sender) { e.sender = s }

// sending is a message of a batch that is to be sent.
type sending struct {
	message int // its position in the batch's messages
	run     *run
}

// begin begins the first attempts of the batch's messages, and leaves the others to be claimed.
func (b *batch) begin(ctx context.Context, q postgres.Querier) (err error) {
	b.begun, b.byLane = nil, map[string][]string{}
	if len(b.sends) == 0 {
		return nil
	}
	fresh := make([]FreshMessage, len(b.sends))
	for i, s := range b.sends {
		fresh[i] = FreshMessage{&b.messages[s.message], s.run.event, s.run.subscriber}
		fresh[i].Attempts = 0
	}
	if b.executor.sender != nil {
		if b.begun, err = b.executor.sender.Begin(ctx, q, fresh); err != nil {
			return err
		}
	}
	begun := map[string]bool{}
	for _, a := range b.intents() {
		begun[a.MessageID] = true
	}
	for i := range fresh {
		m := fresh[i].MessageRow
		if begun[m.ID] {
			m.Attempts = 1
		} else {
			b.byLane[m.Lane] = append(b.byLane[m.Lane], m.ID)
		}
	}
	return nil
}

func (b *batch) intents() []pgmessage.AttemptRow {
	if b.begun == nil {
		return nil
	}
	return b.begun.Attempts()
}

// queueMessages queues the batch's messages with the intents of those that are attempted at once.
func (b *batch) queueMessages(q *pgx.Batch) {
	pgmessage.InsertMessages(q, b.messages, b.executor.Lease)
	pgmessage.InsertIntents(q, b.intents())
}
