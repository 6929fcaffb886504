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
func (p ViaPostgres) Publish(ctx context.Context, topics []Topic) error {
	return p.DB.Notify(ctx, channel, pack(topics))
}

// Listen is part of Broker.
func (p ViaPostgres) Listen(ctx context.Context, connected func(), hear func([]Topic)) error {
	return p.DB.Listen(ctx, channel, connected, func(payload string) { hear(unpack(payload)) })
}

// pack puts topics into as few payloads as the limit allows.
func pack(topics []Topic) (payloads []string) {
	var b strings.Builder
	for _, topic := range topics {
		if b.Len() > 0 && b.Len()+1+len(topic) > payloadLimit {
			payloads = append(payloads, b.String())
			b.Reset()
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(topic))
	}
	if b.Len() > 0 {
		payloads = append(payloads, b.String())
	}
	return payloads
}

func unpack(payload string) []Topic {
	fields := strings.Fields(payload)
	topics := make([]Topic, len(fields))
	for i, f := range fields {
		topics[i] = Topic(f)
	}
	return topics
}
