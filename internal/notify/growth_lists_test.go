package notify_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/reply"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/notify/webhooks"
	"github.com/carillon/carillon/internal/workflow"
)

// growthLists are all filters of all lists of what grows.
type growthList func(context.Context, usecase.Page, *usecase.Order) error

func growthLists(t *testing.T, s *notify.Services, row func(i int) string) map[string]growthList {
	t.Helper()
	lists := map[string]growthList{}
	some := row(many()/2 + 2)
	early, late := time.Now().Add(-time.Duration(many()-100)*20*time.Second), time.Now().Add(-5*time.Minute)
	none, rareContext := []string{}, []string{"rare:x"}
	for _, f := range []activity.EventFilter{
		{},
		{StatusIn: []event.Status{event.StatusParked}},
		{StatusIn: []event.Status{event.StatusAccepted}},
		{StatusIn: []event.Status{event.StatusCancelled, event.StatusParked}},
		{StatusIn: []event.Status{event.StatusFannedOut}},
		{KindIn: []event.Kind{event.KindBroadcast}},
		{KindIn: []event.Kind{event.KindTrigger}},
		{Workflow: new("wf-a")},
		{Workflow: new("wf-b")},
		{Workflow: new("wf-f")},
		{TransactionID: new("t77")},
		{ContextKeys: none},
		{ContextKeys: rareContext},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
		{CreatedAfter: &early, CreatedBefore: &late},
	} {
		lists["events "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Events.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []activity.NotificationFilter{
		{},
		{StatusIn: []workflow.RunStatus{workflow.RunFailed}},
		{StatusIn: []workflow.RunStatus{workflow.RunPending}},
		{StatusIn: []workflow.RunStatus{workflow.RunWaiting}},
		{StatusIn: []workflow.RunStatus{workflow.RunWaiting, workflow.RunParked}},
		{StatusIn: []workflow.RunStatus{workflow.RunWaiting, workflow.RunPending, workflow.RunFailed}},
		{StatusIn: []workflow.RunStatus{workflow.RunCompleted}},
		{StatusIn: []workflow.RunStatus{workflow.RunCancelled}},
		{SubscriberID: new("u1")},
		{SubscriberID: new("u77")},
		{EventID: new(row(1))},
		{EventID: &some},
		{TransactionID: new("t1")},
		{TransactionID: new("t1"), Workflow: new("wf-f")},
		{TransactionID: new("t77")},
		{Workflow: new("wf-a")},
		{Workflow: new("wf-b")},
		{Workflow: new("wf-f")},
		{ProviderMessageID: new("m77")},
		{ProviderMessageID: new("m")},
		{ContextKeys: none},
		{ContextKeys: rareContext},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["notifications "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Notifications.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []inbox.MessageFilter{
		{},
		{SubscriberID: new("u1")},
		{SubscriberID: new("u77")},
		{ChannelIn: []workflow.Channel{workflow.ChannelSMS}},
		{ChannelIn: []workflow.Channel{workflow.ChannelEmail}},
		{ChannelIn: []workflow.Channel{workflow.ChannelPush}},
		{ChannelIn: []workflow.Channel{workflow.ChannelChat, workflow.ChannelSMS}},
		{ChannelIn: []workflow.Channel{workflow.ChannelPush, workflow.ChannelSMS}},
		{ChannelIn: []workflow.Channel{workflow.ChannelPush, workflow.ChannelSMS}, CreatedBefore: &early},
		{ChannelIn: []workflow.Channel{workflow.ChannelSMS}, SubscriberID: new("u1")},
		{ChannelIn: []workflow.Channel{workflow.ChannelInApp}, SubscriberID: new("u1")},
		{StatusIn: []workflow.MessageStatus{workflow.MessageError}},
		{StatusIn: []workflow.MessageStatus{workflow.MessagePending}},
		{StatusIn: []workflow.MessageStatus{workflow.MessageWarning}},
		{StatusIn: []workflow.MessageStatus{workflow.MessageError, workflow.MessageWarning}},
		{StatusIn: []workflow.MessageStatus{workflow.MessageError, workflow.MessagePending}},
		{StatusIn: []workflow.MessageStatus{workflow.MessageSent}},
		{Read: new(true)},
		{Read: new(false)},
		{Seen: new(true)},
		{Archived: new(true)},
		{Archived: new(false)},
		{Snoozed: new(true)},
		{Snoozed: new(false)},
		{Read: new(true), SubscriberID: new("u1")},
		{TransactionID: new("t77")},
		{TransactionID: new("t1")},
		{TransactionID: new("t1"), ChannelIn: []workflow.Channel{workflow.ChannelPush}},
		{NotificationID: &some},
		{Workflow: new("wf-b")}, // one with many messages has no index of its own (architecture.md §5)
		{SeverityIn: []workflow.Severity{workflow.SeverityHigh}},
		{FeedID: new(strings.Repeat("e", 24))},
		{ContextKeys: none},
		{ContextKeys: rareContext},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["messages "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Messages.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []activity.AttemptFilter{
		{},
		{MessageID: &some},
		{OutcomeIn: []workflow.AttemptOutcome{workflow.AttemptRejected}},
		{OutcomeIn: []workflow.AttemptOutcome{workflow.AttemptUnknown, workflow.AttemptRejected}},
		{OutcomeIn: []workflow.AttemptOutcome{workflow.AttemptAccepted}},
		{IntegrationID: new(strings.Repeat("c", 24))},
		{IntegrationID: new(strings.Repeat("d", 24))},
		{IntegrationID: new(strings.Repeat("e", 24))},
		{ProviderID: new("p-c")},
		{ProviderID: new("p-d")},
		{ProviderID: new("p-e")},
		{ProviderID: new("p-x")},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["attempts "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Attempts.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []activity.DigestFilter{
		{},
		{StatusIn: []digest.Status{digest.StatusOpen}},
		{StatusIn: []digest.Status{digest.StatusClosed}},
		{StatusIn: []digest.Status{digest.StatusOpen, digest.StatusCancelled}},
		{Workflow: new("wf-a")},
		{Workflow: new("wf-b")},
		{StepID: new("s")},
		{StepID: new("rare")},
		{SubscriberID: new("u1")},
		{SubscriberID: new("u78")},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
		{StepID: new("s"), CreatedBefore: &early},
	} {
		lists["digests "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Digests.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []integrations.ReceiptFilter{
		{},
		{IntegrationID: new(strings.Repeat("c", 24))},
		{IntegrationID: new(strings.Repeat("d", 24))},
		{IntegrationID: new(strings.Repeat("e", 24))},
		{MessageID: &some},
		{KindIn: []workflow.ReceiptKind{workflow.ReceiptBounced}},
		{KindIn: []workflow.ReceiptKind{workflow.ReceiptDelivered}},
		{KindIn: []workflow.ReceiptKind{workflow.ReceiptBounced, workflow.ReceiptComplained}},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["receipts "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Receipts.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []integrations.ReplyFilter{
		{},
		{MessageID: &some},
		{StatusIn: []reply.Status{reply.StatusFailed}},
		{StatusIn: []reply.Status{reply.StatusFailed, reply.StatusPending}},
		{StatusIn: []reply.Status{reply.StatusDelivered}},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["replies "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Replies.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []integrations.CaughtMessageFilter{
		{},
		{ChannelIn: []workflow.Channel{workflow.ChannelSMS}},
		{ChannelIn: []workflow.Channel{workflow.ChannelEmail}},
		{ChannelIn: []workflow.Channel{workflow.ChannelPush}},
		{ProviderIDIn: []string{"p-d"}},
		{ProviderIDIn: []string{"p-c"}},
		{MessageIDIn: []string{some}},
		{Recipient: new("rare")},
		{Recipient: new("common")},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
		{Recipient: new("common"), CreatedBefore: &early},
	} {
		lists["caught messages "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.CaughtMessages.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []integrations.SuppressionFilter{{}, {Address: new("77@example.com")}, {CreatedAfter: &late}, {CreatedBefore: &early}} {
		lists["suppressions "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Suppressions.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []webhooks.WebhookDeliveryFilter{
		{},
		{EndpointID: new(strings.Repeat("d", 24))},
		{StatusIn: []workflow.WebhookDeliveryStatus{workflow.WebhookFailed}},
		{StatusIn: []workflow.WebhookDeliveryStatus{workflow.WebhookDelivered}},
		{EventTypeIn: []workflow.WebhookEventType{workflow.WebhookPing}},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["webhook deliveries "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.WebhookDeliveries.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []access.AuditEntryFilter{
		{},
		{ActorTypeIn: []string{"user"}},
		{ActorTypeIn: []string{"key"}},
		{ActorID: new(strings.Repeat("f", 24))},
		{ActionIn: []string{"delete"}},
		{ActionIn: []string{"create"}},
		{RecordTypeIn: []string{"Topic"}},
		{RecordTypeIn: []string{"Feed"}},
		{RecordID: &some},
		{CreatedAfter: &late},
		{CreatedBefore: &early},
	} {
		lists["audit entries "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Audit.List(ctx, p, o, &f, false)
			return err
		}
	}
	for _, f := range []audience.SubscriberFilter{{}, {SubscriberIDIn: []string{"u77", "u78"}}, {Email: new("77@example.com")}, {Phone: new("+177")}, {Deleted: new(true)}} {
		lists["subscribers "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.Subscribers.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []audience.PreferenceChangeFilter{{}, {SubscriberID: new("u1")}, {SubscriberID: new("u78")}, {Workflow: new("wf-a")}, {Workflow: new("wf-b")}, {ContextKeys: none}, {ContextKeys: rareContext}, {CreatedAfter: &late}, {CreatedBefore: &early}} {
		lists["preference changes "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.PreferenceChanges.List(ctx, p, o, &f)
			return err
		}
	}
	for _, f := range []inbox.InboxStateFilter{{}, {SubscriberID: new("u77")}, {ContextKeys: none}, {ContextKeys: rareContext}} {
		lists["inbox states "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, o *usecase.Order) error {
			_, err := s.InboxStates.List(ctx, p, o, &f)
			return err
		}
	}
	for _, owner := range []string{"u1", "u2", "u77"} {
		for _, f := range []inbox.InboxFilter{
			{},
			{Read: new(true)},
			{Read: new(false)},
			{Seen: new(true)},
			{Seen: new(false)},
			{Archived: new(true)},
			{Snoozed: new(true)},
			{FeedID: new(strings.Repeat("e", 24))},
			{SeverityIn: []workflow.Severity{workflow.SeverityHigh}},
			{CreatedAfter: &late},
		} {
			lists["inbox of "+owner+" "+mustJSON(t, f)] = func(ctx context.Context, p usecase.Page, _ *usecase.Order) error {
				view, err := s.Inbox.Open(ctx, &owner, nil)
				if err != nil {
					return err
				}
				_, err = s.Inbox.Messages(ctx, view, p, &f)
				return err
			}
		}
	}
	return lists
}
