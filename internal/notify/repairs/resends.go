package repairs

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
)

// Resends are the use cases of sending messages again.
type Resends struct{ usecase.Deps }

// ResendMessageInput names a message that is sent again.
type ResendMessageInput struct {
	ID            string  // global or internal id
	IntegrationID *string // likewise, of the integration that sends it; nil: the one that did
	DryRun        *bool
}

// ResendMessagePayload is what a message sent again became.
type ResendMessagePayload struct {
	Message           *ent.Message // the one that is sent
	Copied            bool         // it is a new one, because a provider has accepted the original
	DuplicatePossible bool         // the recipient may have the original
	DryRun            bool
}

// Message sends a message again. One that no provider has accepted gets further attempts; else a new message is made, which
// names the original.
func (r *Resends) Message(ctx context.Context, in ResendMessageInput) (*ResendMessagePayload, error) {
	recordID, err := usecase.RecordID("Message", in.ID)
	if err != nil {
		return nil, err
	}
	at, err := r.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return try(ctx, r.Deps, usecase.RepairDelivery, isDry(in.DryRun), func(ctx context.Context, db *ent.Client) (*ResendMessagePayload, error) {
		found, err := db.Message.Query().Where(message.ID(recordID)).Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Message %s was not found.", in.ID)
		}
		if err := mayResend(found); err != nil {
			return nil, err
		}
		through, err := sendsThrough(ctx, db, in.IntegrationID, found)
		if err != nil {
			return nil, err
		}
		tx, scope := usecase.TxScope(ctx)
		accepted, unknown, err := pgrepair.Accepted(ctx, tx, found.ID)
		if err != nil {
			return nil, err
		}
		sent := found.ID
		out := &ResendMessagePayload{Copied: accepted, DuplicatePossible: accepted || unknown, DryRun: isDry(in.DryRun)}
		if accepted {
			sent = r.NewID()
			err = pgrepair.CopyMessage(ctx, tx, scope, sent, found.ID, through, at)
		} else {
			var retried []pgrepair.Retried
			if retried, err = pgrepair.RetryMessages(ctx, tx, scope, []string{sent}, through, at); err == nil && len(retried) == 0 {
				err = fault.Conflictf(codeNotResendable, "Message %s was cancelled, or changed meanwhile.", in.ID)
			}
		}
		if err != nil {
			return nil, err
		}
		if out.Message, err = db.Message.Get(ctx, sent); err != nil {
			return nil, err
		}
		r.Publish(ctx, realtime.Notification(scope.EnvironmentID, found.NotificationID))
		return out, usecase.Audit(ctx, db, "resend", found, map[string]any{"message": sent, "copied": accepted, "integrationId": through.ID})
	})
}

const codeNotResendable = "NOT_RESENDABLE"

// mayResend refuses messages that cannot be sent again.
func mayResend(m *ent.Message) error {
	switch {
	case m.Channel == workflow.ChannelInApp:
		return fault.Conflictf(codeNotResendable, "An in-app message is in its inbox already; mark it as unread instead.")
	case m.DueAt != nil || m.LeaseID != nil:
		return fault.Conflictf(codeNotResendable, "Message %s is still being sent.", m.ID)
	case m.Envelope == nil:
		return fault.Conflictf(codeNotResendable, "Message %s was recalled; replay its notification instead.", m.ID)
	}
	return nil
}

// sendsThrough is the integration that sends a message instead of its own. Devices and endpoints are known to one provider.
func sendsThrough(ctx context.Context, db *ent.Client, id *string, m *ent.Message) (pgrepair.Integration, error) {
	if id == nil {
		return pgrepair.Integration{}, nil
	}
	recordID, err := usecase.RecordID("Integration", *id)
	if err != nil {
		return pgrepair.Integration{}, err
	}
	found, err := db.Integration.Query().Where(integration.ID(recordID), integration.Deleted(false)).Only(ctx)
	if err != nil {
		return pgrepair.Integration{}, usecase.NotFound(err, "Integration %s was not found.", *id)
	}
	var problems fault.Problems
	anyProvider := m.Channel == workflow.ChannelEmail || m.Channel == workflow.ChannelSMS
	switch {
	case found.Channel != m.Channel:
		problems.Add("integrationId", nil, "serves the channel %s, the message is for %s", found.Channel, m.Channel)
	case !found.Active:
		problems.Add("integrationId", nil, "is switched off")
	case !anyProvider && m.ProviderID != nil && found.ProviderID != *m.ProviderID:
		problems.Add("integrationId", nil, "must be of the provider %s, which knows the recipient", *m.ProviderID)
	}
	return pgrepair.Integration{ID: found.ID, ProviderID: found.ProviderID}, problems.Err()
}
