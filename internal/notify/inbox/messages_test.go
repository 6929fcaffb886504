package inbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func TestMessagesList(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	ids := a.MakeMessages(t, u[0], 3)
	a.MakeMessages(t, u[1], 2, "region:eu")
	mark(t, a, inbox.MarkRead, ids[0])
	count := func(f *inbox.MessageFilter) int {
		page, err := a.Messages.List(a.Ctx, usecase.Page{}, nil, f)
		require.NoError(t, err)
		return len(page.Nodes())
	}
	require.Equal(t, 5, count(nil))
	require.Equal(t, 3, count(&inbox.MessageFilter{SubscriberID: new("u0"), ChannelIn: []workflow.Channel{workflow.ChannelInApp}}))
	require.Equal(t, 1, count(&inbox.MessageFilter{Read: notifytest.Yes()}))
	require.Equal(t, 2, count(&inbox.MessageFilter{ContextKeys: []string{"region:eu"}}))
	require.Equal(t, 0, count(&inbox.MessageFilter{StatusIn: []workflow.MessageStatus{workflow.MessagePending}}))
	require.Equal(t, 0, count(&inbox.MessageFilter{TransactionID: new("t")}), "no run of that transaction")
	require.Equal(t, 5, count(&inbox.MessageFilter{Snoozed: notifytest.No(), Archived: notifytest.No()}))
	message, err := a.Messages.Get(a.Ctx, ids[0])
	require.NoError(t, err)
	same, err := a.Messages.ByKey(a.Ctx, inbox.MessageKey{NotificationID: message.NotificationID, StepID: "s", Target: "inbox"})
	require.NoError(t, err)
	require.Equal(t, ids[0], same.ID)
}
