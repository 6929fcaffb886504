package triggers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// explaining is an explainer that keeps what it is asked.
type explaining struct {
	item   accept.Acceptance
	page   explain.Page
	called int
}

// Explain answers with one message of the operator's own provider.
func (e *explaining) Explain(_ context.Context, item accept.Acceptance, page explain.Page) (*explain.Explanation, error) {
	e.item, e.page, e.called = item, page, e.called+1
	return &explain.Explanation{
		Status: workflow.TriggerProcessed, TransactionID: &item.TransactionID,
		Recipients: []*explain.ExplainedRecipient{{Steps: []*explain.ExplainedStep{
			{}, {Message: &explain.ExplainedMessage{ProviderID: workflow.OwnPrefix + "-email"}}, {Message: &explain.ExplainedMessage{ProviderID: "resend"}},
		}}},
	}, nil
}

// TestExplainAsksLikeATrigger holds that an explanation reads an event as a trigger does, and hides what is not the caller's.
func TestExplainAsksLikeATrigger(t *testing.T) {
	t.Parallel()
	explainer := &explaining{}
	a, accepted := newRecorded(t, func(cfg *usecase.Config) { cfg.Explain, cfg.Prefix = explainer, "acme" })
	const document = `{"name":"w","to":["u",{"topicKey":"t"}],"payload":{"n":1},"transactionId":"t1","tenant":"acme"}`
	out, err := a.Triggers.Explain(a.Ctx, documented(document), nil, nil)
	require.NoError(t, err)
	_, err = a.Triggers.Trigger(a.Ctx, documented(document))
	require.NoError(t, err)
	require.Equal(t, accepted.last(t), explainer.item)
	require.Equal(t, explain.Page{Limit: workflow.MaxRecipients}, explainer.page)
	require.Equal(t, "t1", *out.TransactionID)
	require.Equal(t, "acme-email", out.Recipients[0].Steps[1].Message.ProviderID, "as callers write it")
	require.Equal(t, "resend", out.Recipients[0].Steps[2].Message.ProviderID)

	out, err = a.Triggers.ExplainBroadcast(a.Ctx, documented(`{"name":"w","payload":{}}`), new(7), new("cursor"))
	require.NoError(t, err)
	require.Equal(t, event.KindBroadcast, explainer.item.Kind)
	require.Equal(t, explain.Page{Limit: 7, After: "cursor"}, explainer.page)
	require.Nil(t, out.TransactionID, "an id that only the explanation had")
	require.Len(t, accepted.given, 1, "an explanation accepts nothing")
}

// TestExplainRefusals holds what is refused before anything is explained.
func TestExplainRefusals(t *testing.T) {
	t.Parallel()
	explainer := &explaining{}
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) { cfg.Explain = explainer })
	const valid = `{"name":"w","to":"u"}`
	for _, first := range []int{-1, 0, workflow.MaxRecipients + 1} {
		_, err := a.Triggers.Explain(a.Ctx, documented(valid), &first, nil)
		require.Equal(t, []string{"first"}, notifytest.Paths(t, err))
	}
	_, err := a.Triggers.Explain(a.Ctx, documented(`{"to":1,"payload":2}`), nil, nil)
	require.Equal(t, []string{"name", "payload"}, notifytest.Paths(t, err))
	_, err = a.Triggers.Explain(a.Ctx, triggers.TriggerInput{Name: "w", To: []*triggers.RecipientInput{{}}}, nil, nil)
	require.Equal(t, []string{"to.0"}, notifytest.Paths(t, err))
	_, err = a.Triggers.ExplainBroadcast(a.Ctx, documented(valid), nil, nil)
	require.Equal(t, []string{"payload"}, notifytest.Paths(t, err))
	large := documented(`{"name":"w","to":"u","payload":{"a":"` + strings.Repeat("a", triggers.MaxEventBytes) + `"}}`)
	notifytest.RequireKind(t, fault.TooLarge, notifytest.Err(a.Triggers.Explain(a.Ctx, large, nil, nil)))
	require.Zero(t, explainer.called)
	for _, first := range []int{1, workflow.MaxRecipients} {
		_, err := a.Triggers.Explain(a.Ctx, documented(valid), &first, nil)
		require.NoError(t, err)
	}
}
