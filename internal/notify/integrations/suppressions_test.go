package integrations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/reply"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

func TestSuppressions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for name, c := range map[string]struct {
		in   integrations.CreateSuppressionInput
		want []string
	}{
		"no e-mail address": {integrations.CreateSuppressionInput{Channel: workflow.ChannelEmail, Address: "ada"}, []string{"address"}},
		"no phone number":   {integrations.CreateSuppressionInput{Channel: workflow.ChannelSMS, Address: "0151 1"}, []string{"address"}},
		"a mail's SMS":      {integrations.CreateSuppressionInput{Channel: workflow.ChannelSMS, Address: "ada@example.org"}, []string{"address"}},
		"another channel":   {integrations.CreateSuppressionInput{Channel: workflow.ChannelPush, Address: "token"}, []string{"channel"}},
		"a long detail": {
			integrations.CreateSuppressionInput{Channel: workflow.ChannelSMS, Address: "+4915112345678", Detail: new(strings.Repeat("x", 256))}, []string{"detail"},
		},
		"nothing": {integrations.CreateSuppressionInput{}, []string{"channel"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.Suppressions.Create(a.Ctx, c.in))), name)
	}
	mail, err := a.Suppressions.Create(a.Ctx, integrations.CreateSuppressionInput{Channel: workflow.ChannelEmail, Address: "Ada@Example.org", Detail: new("asked for it")})
	require.NoError(t, err)
	require.Equal(t, workflow.SuppressionManual, mail.Reason)
	sms, err := a.Suppressions.Create(a.Ctx, integrations.CreateSuppressionInput{Channel: workflow.ChannelSMS, Address: "+4915112345678"})
	require.NoError(t, err)
	_, err = a.Suppressions.Create(a.Ctx, integrations.CreateSuppressionInput{Channel: workflow.ChannelEmail, Address: "ada@example.org"})
	notifytest.RequireKind(t, fault.Conflict, err)
	for _, address := range []string{"ada@example.org", "ADA@EXAMPLE.ORG"} {
		found, err := a.Suppressions.ByAddress(a.Ctx, workflow.ChannelEmail, address)
		require.NoError(t, err, "the case of an address does not count")
		require.Equal(t, mail.ID, found.ID)
	}
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Suppressions.ByAddress(a.Ctx, workflow.ChannelSMS, "ada@example.org")))

	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *integrations.SuppressionFilter
		want   []string
	}{
		"none":           {nil, []string{sms.ID, mail.ID}},
		"channel":        {&integrations.SuppressionFilter{ChannelIn: []workflow.Channel{workflow.ChannelSMS}}, []string{sms.ID}},
		"address":        {&integrations.SuppressionFilter{Address: new("ADA@example.org")}, []string{mail.ID}},
		"reason":         {&integrations.SuppressionFilter{ReasonIn: []workflow.SuppressionReason{workflow.SuppressionManual}}, []string{sms.ID, mail.ID}},
		"of no reason":   {&integrations.SuppressionFilter{ReasonIn: []workflow.SuppressionReason{}}, []string{}},
		"created after":  {&integrations.SuppressionFilter{CreatedAfter: &hour}, []string{}},
		"created before": {&integrations.SuppressionFilter{CreatedBefore: &hour}, []string{sms.ID, mail.ID}},
	} {
		list, err := a.Suppressions.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, c.want, notifytest.NodeIDs(list.Nodes()), name)
	}
	lifted, err := a.Suppressions.Delete(a.Ctx, mail.GlobalID())
	require.NoError(t, err)
	require.Equal(t, mail.ID, lifted.ID)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Suppressions.Delete(a.Ctx, mail.ID)))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Suppressions.Get(a.Ctx, mail.ID)))
	_, err = a.Suppressions.Create(a.Ctx, integrations.CreateSuppressionInput{Channel: workflow.ChannelEmail, Address: "ada@example.org"})
	require.NoError(t, err, "and may be suppressed again")
}

func TestProviders(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	for _, channel := range []workflow.Channel{workflow.ChannelEmail, workflow.ChannelSMS, workflow.ChannelChat, workflow.ChannelPush} {
		list, err := a.Providers.List(a.Ctx, &channel)
		require.NoError(t, err)
		require.NotEmpty(t, list, channel)
		for _, definition := range list {
			require.Equal(t, channel, definition.Channel, definition.ID)
		}
	}
	all, err := a.Providers.List(a.Ctx, nil)
	require.NoError(t, err)
	for _, definition := range all {
		found, err := a.Providers.Get(a.Ctx, definition.ID)
		require.NoError(t, err)
		require.Equal(t, definition.ID, found.ID)
	}
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Providers.Get(a.Ctx, "carrier-pigeon")))
	notifytest.RequireKind(t, fault.Unauthenticated, notifytest.Err(a.Providers.List(t.Context(), nil)))
}

func TestReplyFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	messages := id.Batch(time.Now(), 2)
	var made []string
	for i, mailID := range []string{"<a@x>", "<b@x>", "<a@x>"} {
		made = append(made, a.DB.Ent.Reply.Create().SetMessageID(messages[i/2]).SetMailID(mailID).SetURL("https://app.example.com").SetBody(map[string]any{}).SetDueAt(time.Now()).SaveX(a.Ctx).ID)
	}
	global := id.Global("Message", messages[0])
	for name, c := range map[string]struct {
		filter *integrations.ReplyFilter
		want   []string
	}{
		"none":                 {nil, []string{made[2], made[1], made[0]}},
		"message":              {&integrations.ReplyFilter{MessageID: &messages[1]}, []string{made[2]}},
		"message, by its name": {&integrations.ReplyFilter{MessageID: &global}, []string{made[1], made[0]}},
		"no message":           {&integrations.ReplyFilter{MessageID: new("none")}, []string{}},
		"of no status":         {&integrations.ReplyFilter{StatusIn: []reply.Status{}}, []string{}},
	} {
		list, err := a.Replies.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, c.want, notifytest.NodeIDs(list.Nodes()), name)
	}
	found, err := a.Replies.ByMailID(a.Ctx, messages[1], "<a@x>")
	require.NoError(t, err)
	require.Equal(t, made[2], found.ID, "of two messages that were answered by the same mail")
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Replies.ByMailID(a.Ctx, messages[1], "<b@x>")))
}
