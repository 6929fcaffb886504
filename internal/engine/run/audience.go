package run

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
)

// Most topics have few subscriptions. An event to such topics is not worth a stream of its own, with several commits: it is
// fanned out together with other events, as if its audience had been named.

// smallTopics is how many topics such an event may have; together they have at most a smallShare of a page.
const (
	smallTopics = 5
	smallShare  = 5
)

func (f *FanOut) smallAudience() int { return f.PageSize / smallShare }

// audiencesOf are the topics of an event; ok is false when it is streamed whatever their sizes are: it has too many of
// them, names an audience, is a broadcast, has a pace, or has begun as a stream.
func audiencesOf(ev *pgfanout.EventRow) (audiences []pgfanout.Audience, ok bool) {
	if ev.Kind == "broadcast" || ev.Recipients != nil && len(ev.Recipients.Audiences) > 0 {
		return nil, false
	}
	if ev.Recipients == nil || len(ev.Recipients.Topics) == 0 {
		return nil, true
	}
	if len(ev.Recipients.Topics) > smallTopics || ev.Checkpoint != nil || ev.PerSecond != nil {
		return nil, false
	}
	for _, t := range ev.Recipients.Topics {
		audiences = append(audiences, pgfanout.Audience{EnvironmentID: ev.EnvironmentID, Topic: t.TopicKey, Scope: ev.Scope, WorkflowID: ev.WorkflowID})
	}
	return audiences, true
}

// distinctAudiences are the audiences of events, each once.
func distinctAudiences(events []pgfanout.EventRow) (list []pgfanout.Audience) {
	seen := map[pgfanout.Audience]bool{}
	for i := range events {
		audiences, _ := audiencesOf(&events[i])
		for _, a := range audiences {
			if !seen[a] {
				seen[a] = true
				list = append(list, a)
			}
		}
	}
	return list
}

// audienceSizes counts the subscriptions of the audiences of events, each as far as it may still be small.
func (f *FanOut) audienceSizes(ctx context.Context, q postgres.Querier, events []pgfanout.EventRow) (map[pgfanout.Audience]int, error) {
	list := distinctAudiences(events)
	if len(list) == 0 {
		return nil, nil
	}
	counted, err := pgfanout.AudienceSizes(ctx, q, list, f.smallAudience()+1)
	if err != nil {
		return nil, err
	}
	sizes := make(map[pgfanout.Audience]int, len(list))
	for i, a := range list {
		sizes[a] = counted[i]
	}
	return sizes, nil
}

// size is how many runs an event may have; fits is false when it is streamed.
func (f *FanOut) size(ev *pgfanout.EventRow, sizes map[pgfanout.Audience]int) (runs int, fits bool) {
	audiences, ok := audiencesOf(ev)
	for _, a := range audiences {
		runs += sizes[a]
	}
	fits = ok && runs <= f.smallAudience()
	if ev.Recipients != nil {
		runs += len(ev.Recipients.Direct)
	}
	return runs, fits
}

// loadAudiences reads the audiences of small events.
func loadAudiences(ctx context.Context, tx pgx.Tx, events []pgfanout.EventRow) (map[pgfanout.Audience][]pgfanout.PageRow, error) {
	list := distinctAudiences(events)
	if len(list) == 0 {
		return nil, nil
	}
	loaded, err := pgfanout.LoadAudiences(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	rows := make(map[pgfanout.Audience][]pgfanout.PageRow, len(list))
	for i, a := range list {
		rows[a] = loaded[i]
	}
	return rows, nil
}

// runsOfAudiences makes the runs of an event's audiences, topic by topic: who has one already is left out.
func (b *batch) runsOfAudiences(s *EventContext, rows map[pgfanout.Audience][]pgfanout.PageRow) (all []*run) {
	if len(rows) == 0 {
		return nil
	}
	audiences, _ := audiencesOf(&s.EventRow)
	skip := s.leftOut()
	for _, a := range audiences {
		runs := b.runsOf(s, rows[a], skip)
		for _, r := range runs {
			skip[r.subscriber.SubscriberID] = true
		}
		all = append(all, runs...)
	}
	return all
}
