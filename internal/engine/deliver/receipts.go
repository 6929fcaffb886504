package deliver

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// linkReceipts gives receipts that came before the answer to their own request their messages. Only integrations that
// report are asked about, in one read for all of them. When it fails, the next receipt of the message brings it about, or LinkMissed.
func (r *recorder) linkReceipts(ctx context.Context, outcomes []pgmessage.MessageOutcome) {
	var sent []pgmessage.SentID
	for i := range outcomes {
		if a := outcomes[i].Attempt; a != nil && a.ProviderMessageID != nil && outcomes[i].Reports {
			sent = append(sent, pgmessage.SentID{EnvironmentID: a.EnvironmentID, IntegrationID: a.IntegrationID, ProviderMessageID: *a.ProviderMessageID})
		}
	}
	if len(sent) == 0 {
		return
	}
	early, err := pgmessage.EarlyReceipts(ctx, r.DB, sent)
	if err != nil {
		r.Logger.WarnContext(ctx, "early receipts not linked", slog.Int("messages", len(sent)), slog.String("error", err.Error()))
		return
	}
	if err := r.link(ctx, early); err != nil {
		r.Logger.WarnContext(ctx, "early receipts not linked", slog.Int("messages", len(early)), slog.String("error", err.Error()))
	}
}

// missedAtOnce bounds how many messages LinkMissed looks for at a time.
const missedAtOnce = 500

// LinkMissed gives receipts that were recorded since an instant their messages, where that failed, or the process ended before it.
func (w *Worker) LinkMissed(ctx context.Context, since time.Time) error {
	for ctx.Err() == nil {
		missed, err := pgmessage.MissedReceipts(ctx, w.DB, since, missedAtOnce)
		if err == nil {
			err = w.outcomes.link(ctx, missed)
		}
		if err != nil || len(missed) < missedAtOnce {
			return err
		}
	}
	return nil
}

// link gives receipts of the named messages their messages.
func (r *recorder) link(ctx context.Context, sent []pgmessage.SentID) (failed error) {
	type group struct{ environment, integration string }
	ids := map[group][]string{}
	for _, one := range sent {
		g := group{one.EnvironmentID, one.IntegrationID}
		ids[g] = append(ids[g], one.ProviderMessageID)
	}
	for g, ids := range ids {
		failed = errors.Join(failed, pgmessage.LinkReceipts(ctx, r.DB, viewer.Scope{EnvironmentID: g.environment}, g.integration, ids))
	}
	return failed
}

// simulatedReceipt is how a simulated integration reports on messages that it took: in the background, as vendors do.
func (a *adapters) simulatedReceipt(row *pgrun.IntegrationRow) func(string, []workflow.ReceiptKind) {
	pause := time.Duration(row.Simulation.ReceiptDelayMs) * time.Millisecond
	integrationID, environmentID, channel := row.ID, row.EnvironmentID, row.Channel
	return func(providerMessageID string, kinds []workflow.ReceiptKind) {
		a.Background.Go(func() {
			ctx := viewer.SystemContext(context.Background())
			for _, kind := range kinds {
				select {
				case <-time.After(pause):
				case <-a.Background.Stopping:
					return
				}
				now := a.Clocks.Now(environmentID).UTC()
				err := pgmessage.RecordReceipts(ctx, a.DB, viewer.Scope{EnvironmentID: environmentID}, integrationID, channel, pgmessage.ReceiptReport{Proven: true, Receipts: []pgmessage.ReceiptRow{{
					EventID: id.New(time.Now()), Kind: kind, ProviderMessageID: providerMessageID, At: now, Permanent: true, Detail: "simulated",
				}}})
				if err != nil {
					a.Logger.WarnContext(ctx, "simulated receipt lost", slog.String("error", err.Error()))
				}
			}
		})
	}
}
