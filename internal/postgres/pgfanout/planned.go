package pgfanout

import (
	"context"

	"github.com/carillon/carillon/internal/postgres"
)

// Planned counts whom a streamed event may reach, up to PlannedLimit.
func Planned(ctx context.Context, q postgres.Querier, ev *EventRow, at *Checkpoint) (n int, err error) {
	if ev.Kind == "broadcast" {
		return SubscribersUpTo(ctx, q, ev.EnvironmentID, at.MaxSubscriberID, PlannedLimit)
	}
	var topics []Audience
	for _, t := range ev.Recipients.Topics {
		topics = append(topics, Audience{EnvironmentID: ev.EnvironmentID, Topic: t.TopicKey, Scope: ev.Scope})
	}
	for i := range ev.Recipients.Audiences {
		if a := &ev.Recipients.Audiences[i]; a.TopicKey != "" {
			topics = append(topics, Audience{EnvironmentID: ev.EnvironmentID, Topic: a.TopicKey, Scope: ev.Scope})
		}
	}
	sizes, err := AudienceSizes(ctx, q, topics, PlannedLimit)
	for i := range ev.Recipients.Audiences {
		if err != nil || ev.Recipients.Audiences[i].TopicKey != "" {
			continue // its topic was counted
		}
		var size int
		size, err = SubscribersUpTo(ctx, q, ev.EnvironmentID, ev.ID, PlannedLimit)
		sizes = append(sizes, size)
	}
	for _, size := range sizes {
		n = min(n+size, PlannedLimit)
	}
	return n, err
}
