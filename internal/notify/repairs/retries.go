package repairs

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/messageretry"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/workflow"
)

// Retries are the use cases of sending all failed messages of a filter again.
type Retries struct{ usecase.Deps }

// MessageRetryConnection is a page of retries.
type MessageRetryConnection = usecase.Connection[ent.MessageRetry]

// MessageRetryEdge is one retry of a page.
type MessageRetryEdge = usecase.Edge[ent.MessageRetry]

// FailedMessageFilter chooses among the messages that failed; the fields that are set combine with AND.
type FailedMessageFilter struct {
	Workflow      *string // id, slug or identifier
	IntegrationID *string // global or internal id
	Channel       *workflow.Channel
	ErrorID       *string
	TransactionID *string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

// RetryMessagesInput says which failed messages are sent again, and how.
type RetryMessagesInput struct {
	Filter        *FailedMessageFilter
	IntegrationID *string // global or internal id, of the one that sends them; nil: that of each
	PerSecond     *int    // nil: DefaultPerSecond
	DryRun        *bool
}

// RetryMessagesPayload is a retry that has begun, with how many messages it concerns; each count stops at CountLimit.
type RetryMessagesPayload struct {
	MessageRetry *ent.MessageRetry
	Chosen       int // that the filter chooses
	Retried      int // of them, that no provider has accepted, or may have taken
	DryRun       bool
}

// Begin begins to send the failed messages of a filter again, those that have failed by now.
func (r *Retries) Begin(ctx context.Context, in RetryMessagesInput) (*RetryMessagesPayload, error) {
	rate, err := perSecond(in.PerSecond)
	if err != nil {
		return nil, err
	}
	return try(ctx, r.Deps, usecase.RepairDelivery, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*RetryMessagesPayload, error) {
		chosen, err := in.Filter.stored(ctx, db)
		if err != nil {
			return nil, err
		}
		through, err := retriesThrough(ctx, db, in.IntegrationID, &chosen)
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		out := &RetryMessagesPayload{DryRun: isDry(in.DryRun)}
		if out.Chosen, out.Retried, err = pgrepair.CountFailed(ctx, tx, scope.EnvironmentID, &chosen, through != "", CountLimit); err != nil {
			return nil, err
		}
		full := fault.Conflictf("TOO_MANY_RETRIES", "At most %d retries of an environment run at once.", maxRetries)
		if err := usecase.CheckRoom(ctx, messageretry.Table, maxRetries, db.MessageRetry.Query().Where(messageretry.StatusEQ(messageretry.StatusRunning)).Count, full); err != nil {
			return nil, err
		}
		// Ids are in the order of creation: one that is made now is behind those of all messages that there are.
		create := db.MessageRetry.Create().SetFilter(chosen).SetPerSecond(rate).SetUpTo(r.NewID()).SetDueAt(usecase.RecordTime())
		if through != "" {
			create.SetIntegrationID(through)
		}
		if out.MessageRetry, err = create.Save(ctx); err != nil {
			return nil, err
		}
		return out, usecase.Audit(ctx, db, "retry", out.MessageRetry, map[string]any{"filter": chosen, "integrationId": through, "perSecond": rate, "messages": out.Retried})
	})
}

func (f *FailedMessageFilter) stored(ctx context.Context, db *ent.Client) (chosen workflow.FailedMessages, err error) {
	if f == nil {
		return chosen, nil
	}
	if f.Workflow != nil {
		if chosen.WorkflowID, err = usecase.NamedWorkflow(ctx, db, *f.Workflow); err != nil {
			return chosen, err
		}
		if chosen.WorkflowID == "" {
			return chosen, fault.NotFoundf("Workflow %s was not found.", *f.Workflow)
		}
	}
	if f.IntegrationID != nil {
		if chosen.IntegrationID, err = usecase.RecordID("Integration", *f.IntegrationID); err != nil {
			return chosen, err
		}
	}
	if f.Channel != nil {
		if chosen.Channel = *f.Channel; chosen.Channel == workflow.ChannelInApp {
			return chosen, fault.Invalidf("filter.channel", "in-app messages do not fail")
		}
	}
	for _, text := range []struct {
		field string
		from  *string
		to    *string
	}{{"filter.errorId", f.ErrorID, &chosen.ErrorID}, {"filter.transactionId", f.TransactionID, &chosen.TransactionID}} {
		switch {
		case text.from == nil:
		case *text.from == "" || len(*text.from) > maxText:
			return chosen, fault.Invalidf(text.field, "must have from 1 to %d bytes", maxText)
		default:
			*text.to = *text.from
		}
	}
	chosen.CreatedAfter, chosen.CreatedBefore = f.CreatedAfter, f.CreatedBefore
	return chosen, nil
}

// retriesThrough is the integration that sends all messages of a retry. It must be known that it can: the channel is named,
// and is one whose addresses every provider takes.
func retriesThrough(ctx context.Context, db *ent.Client, id *string, chosen *workflow.FailedMessages) (string, error) {
	if id == nil {
		return "", nil
	}
	recordID, err := usecase.RecordID("Integration", *id)
	if err != nil {
		return "", err
	}
	found, err := db.Integration.Query().Where(integration.ID(recordID), integration.Deleted(false)).Only(ctx)
	if err != nil {
		return "", usecase.NotFound(err, "Integration %s was not found.", *id)
	}
	var problems fault.Problems
	switch {
	case found.Channel != workflow.ChannelEmail && found.Channel != workflow.ChannelSMS:
		problems.Add("integrationId", nil, "must serve e-mail or SMS: devices and chats are known to the provider that failed")
	case !found.Active:
		problems.Add("integrationId", nil, "is switched off")
	case chosen.Channel != found.Channel:
		problems.Add("filter.channel", nil, "must be %s, which the integration serves", found.Channel)
	}
	return found.ID, problems.Err()
}

// CancelMessageRetryInput names a retry that is to end.
type CancelMessageRetryInput struct {
	ID string // global or internal id
}

// CancelMessageRetryPayload is a retry that was ended; what it has retried so far stays so.
type CancelMessageRetryPayload struct{ MessageRetry *ent.MessageRetry }

// Cancel ends a retry that runs.
func (r *Retries) Cancel(ctx context.Context, in CancelMessageRetryInput) (*CancelMessageRetryPayload, error) {
	recordID, err := usecase.RecordID("MessageRetry", in.ID)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, r.Deps, usecase.RepairDelivery, func(ctx context.Context, db *ent.Client) (*CancelMessageRetryPayload, error) {
		found, err := db.MessageRetry.Query().Where(messageretry.ID(recordID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Retry %s was not found.", in.ID)
		}
		if found.Status != messageretry.StatusRunning {
			return nil, fault.Conflictf("RETRY_ENDED", "The retry has ended already; its status is %s.", found.Status)
		}
		ended, err := found.Update().SetStatus(messageretry.StatusCancelled).ClearDueAt().Save(ctx)
		if err != nil {
			return nil, err
		}
		return &CancelMessageRetryPayload{ended}, usecase.Audit(ctx, db, "cancel", ended, map[string]any{"retried": ended.Retried})
	})
}

// List is a page of retries.
func (r *Retries) List(ctx context.Context, page usecase.Page, order *usecase.Order) (*MessageRetryConnection, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*MessageRetryConnection, error) {
		return usecase.Paginate(ctx, db.MessageRetry.Query(), nil, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one retry by its global or internal id.
func (r *Retries) Get(ctx context.Context, globalID string) (*ent.MessageRetry, error) {
	recordID, err := usecase.RecordID("MessageRetry", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.MessageRetry, error) {
		found, err := db.MessageRetry.Query().Where(messageretry.ID(recordID)).Only(ctx)
		return found, usecase.NotFound(err, "Retry %s was not found.", globalID)
	})
}
