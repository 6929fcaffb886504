package run

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// Sender makes the first attempts of messages. Whatever it does not begin at once is due, and is claimed.
type Sender interface {
	// Begin returns the first attempts of new messages, in their order, that are made as soon as they are committed: their
	// intents are stored with the messages. It is nil for a message that is to be claimed.
	Begin(ctx context.Context, fresh []NewMessage) []FirstAttempt
	// LeaveSuppressed queues that first attempts whose intents the batch has stored are left to a claim after all when their
	// address is suppressed; leave gets the ids of their messages.
	LeaveSuppressed(b *pgx.Batch, firsts []FirstAttempt, leave func(messageIDs []string))
	// SendFirst makes first attempts in the background, once their intents are committed.
	SendFirst(ctx context.Context, firsts []FirstAttempt)
}

// FirstAttempt is a first attempt that is stored with its message.
type FirstAttempt interface{ Intent() pgmessage.AttemptRow }

// NewMessage is a message that is about to be stored, with what its first attempt needs.
type NewMessage struct {
	*pgmessage.MessageRow
	Event      *EventContext
	Subscriber *Recipient
}

// SendWith lets the messages of e's runs be sent by s from their commit on.
func (e *Executor) SendWith(s Sender) { e.sender = s }

// sending is a message of a batch that is to be sent.
type sending struct {
	batchMessage
	first FirstAttempt // nil: it is to be claimed
}

// begin begins the first attempts of batches' messages, of all together: how many an integration may have is counted over them.
func (e *Executor) begin(ctx context.Context, batches ...*batch) {
	var fresh []NewMessage
	var sends []*sending
	for _, b := range batches {
		for i := range b.sends {
			s := &b.sends[i]
			fresh, sends = append(fresh, NewMessage{&b.messages[s.message], s.run.event, s.run.subscriber}), append(sends, s)
		}
	}
	if len(fresh) == 0 || e.sender == nil {
		return
	}
	for i, first := range e.sender.Begin(ctx, fresh) {
		sends[i].first = first
	}
}

// queueMessages queues the batch's messages with the intents of those that are attempted at once.
func (b *batch) queueMessages(q *pgx.Batch) {
	var firsts []FirstAttempt
	var intents []pgmessage.AttemptRow
	for _, s := range b.sends {
		b.messages[s.message].Attempts = 0
		if s.first != nil {
			b.messages[s.message].Attempts = 1
			firsts, intents = append(firsts, s.first), append(intents, s.first.Intent())
		}
	}
	b.lease(q)
	pgmessage.InsertMessages(q, b.messages, b.executor.Lease)
	pgmessage.InsertIntents(q, intents)
	if len(firsts) > 0 {
		b.executor.sender.LeaveSuppressed(q, firsts, b.leave)
	}
}

// lease puts the messages that this process sends soon under one lease. They are those whose first attempts begin, and as many others as
// its workers take up within seconds.
func (b *batch) lease(q *pgx.Batch) {
	var ids []string
	leased := make([]int, 0, len(b.sends))
	room := map[event.Lane]int{}
	for _, s := range b.sends {
		m := &b.messages[s.message]
		m.LeaseID = ""
		if lane := event.Lane(m.Lane); s.first == nil {
			if _, known := room[lane]; !known {
				room[lane] = b.executor.Queue.Messages.Room(lane)
			}
			if room[lane]--; room[lane] < 0 || b.executor.DB.VirtualClocks {
				continue
			}
		}
		ids, leased = append(ids, m.ID), append(leased, s.message)
	}
	if len(ids) == 0 {
		return
	}
	leaseID := b.id()
	for _, i := range leased {
		b.messages[i].LeaseID = leaseID
	}
	pgmessage.InsertLease(q, leaseID, ids, b.executor.Lease)
}

// leave leaves messages to a claim.
func (b *batch) leave(messageIDs []string) {
	if len(messageIDs) == 0 {
		return
	}
	for i := range b.sends {
		if slices.Contains(messageIDs, b.messages[b.sends[i].message].ID) {
			b.sends[i].first = nil
		}
	}
}

// handOver lets the first attempts of a committed batch be made, and hands over what is to be claimed.
func (b *batch) handOver(ctx context.Context) {
	accept.HandOver(b.executor.Queue, b.starts.written)
	var firsts []FirstAttempt
	lanes := map[[2]string][]string{}
	for _, s := range b.sends {
		if m := &b.messages[s.message]; s.first != nil {
			firsts = append(firsts, s.first)
		} else {
			of := [2]string{m.Lane, m.EnvironmentID}
			lanes[of] = append(lanes[of], m.ID)
		}
	}
	if len(firsts) > 0 {
		b.executor.sender.SendFirst(ctx, firsts)
	}
	for of, ids := range lanes {
		b.executor.Queue.Messages.Put(event.Lane(of[0]), of[1], ids...)
	}
}
