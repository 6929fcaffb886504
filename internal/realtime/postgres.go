package realtime

import (
	"context"
	"strings"

	"github.com/carillon/carillon/internal/postgres"
)

// channel is the name under which processes notify each other.
const channel = "carillon_live"

// payloadLimit is below the 8,000 bytes that Postgres allows a notification.
const payloadLimit = 7_500

// ViaPostgres carries signals through the database that all processes share (NOTIFY). It is enough for a few processes;
// behind a transaction pooler it does not work, because LISTEN does not work there.
type ViaPostgres struct{ DB *postgres.DB }

// Publish is part of Broker.
func (p ViaPostgres) Publish(ctx context.Context, from string, topics []Topic) error {
	return p.DB.Notify(ctx, channel, pack(from, topics))
}

// Listen is part of Broker.
func (p ViaPostgres) Listen(ctx context.Context, connected func(), hear func(string, []Topic)) error {
	return p.DB.Listen(ctx, channel, connected, func(payload string) { hear(unpack(payload)) })
}

// sender marks the name of who sends a payload, its first word.
const sender = "@"

// pack puts topics of a sender into as few payloads as the limit allows.
func pack(from string, topics []Topic) (payloads []string) {
	var b strings.Builder
	for _, topic := range topics {
		if b.Len() > 0 && b.Len()+1+len(topic) > payloadLimit {
			payloads = append(payloads, b.String())
			b.Reset()
		}
		if b.Len() == 0 {
			b.WriteString(sender + from)
		}
		b.WriteByte(' ')
		b.WriteString(string(topic))
	}
	if b.Len() > 0 {
		payloads = append(payloads, b.String())
	}
	return payloads
}

// unpack is what pack has put into a payload; from is empty in one of an older process.
func unpack(payload string) (from string, topics []Topic) {
	for i, word := range strings.Fields(payload) {
		if name, ok := strings.CutPrefix(word, sender); ok && i == 0 {
			from = name
			continue
		}
		topics = append(topics, Topic(word))
	}
	return from, topics
}
