package run

import (
	"context"
	"slices"

	"github.com/carillon/carillon/internal/engine/pace"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/workflow"
)

// chosen reads a page of the audience under way: whom it chooses, and those before them in the order of ids.
func (f *FanOut) chosen(ctx context.Context, s *EventContext, want pgfanout.PageQuery, p *page, most int) ([]pgfanout.PageRow, error) {
	at := p.before.Topic
	audience := s.audience(at)
	want.Topic, want.Max, want.Limit = audience.TopicKey, s.ID, f.PageSize // ids of subscribers from before the event are smaller
	if at > 0 {
		want.Earlier = append(want.Earlier, audience.Identifier)
	}
	rows, err := pgfanout.ChosenPage(ctx, f.DB.Pool, want)
	if err != nil {
		return nil, err
	}
	full := len(rows) == want.Limit
	if s.PerSecond != nil {
		n := pace.Take(len(rows), most, func(int) bool { return false }, func(i int) bool {
			return !rows[i].Reached && !rows[i].Gone && audience.Chooses((&Recipient{SubscriberRow: rows[i].SubscriberRow}).View())
		})
		full, rows = full || n < len(rows), rows[:n]
	}
	if !full {
		p.after.Topic, p.after.After = at+1, ""
		p.last = p.after.Topic == len(s.Recipients.Topics)+len(s.Recipients.Audiences)
	}
	return rows, nil
}

// audience is the audience at a position behind the topics.
func (s *EventContext) audience(at int) *workflow.AudienceRecipient {
	return &s.Recipients.Audiences[at-len(s.Recipients.Topics)]
}

// choose leaves those of a page whom the audience under way chooses; of a topic or a broadcast that is all of them.
func (s *EventContext) choose(rows []pgfanout.PageRow, at *pgfanout.Checkpoint) []pgfanout.PageRow {
	if !s.inAudience(at) {
		return rows
	}
	audience := s.audience(at.Topic)
	return slices.DeleteFunc(rows, func(r pgfanout.PageRow) bool {
		return !audience.Chooses((&Recipient{SubscriberRow: r.SubscriberRow}).View())
	})
}

// inAudience reports whether an audience is under way.
func (s *EventContext) inAudience(at *pgfanout.Checkpoint) bool {
	return s.Recipients != nil && s.Kind != "broadcast" && at.Topic >= len(s.Recipients.Topics)
}
