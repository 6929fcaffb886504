package pginbox_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestReadInboxNews(t *testing.T) {
	t.Parallel()
	s := newInbox(t)
	s.Exec(`DELETE FROM inbox_removals`)
	changed := map[int]string{}
	for _, sequence := range []int{3, 1, 5} {
		changed[sequence] = shown(s, s.Here, fmt.Sprint("n", sequence), pgtest.Values{"sequence": sequence})
	}
	s.Add(s.Here, "inbox_removals", pgtest.Values{"message_id": "gone", "sequence": 4, "scope": ""})
	shown(s, s.Here, "elsewhere", pgtest.Values{"sequence": 2, "scope": "x"})
	shown(s, s.Here, "mail", pgtest.Values{"sequence": 2, "channel": "email"})
	theirs := shown(s, s.There, "theirs", pgtest.Values{"sequence": 7})
	ask := func(rows pgtest.Rows, scope string, after int64, limit int) pginbox.InboxQuestion {
		return pginbox.InboxQuestion{Scope: rows.Scope, InboxKey: pginbox.InboxKey{SubscriberID: rows.IDs["subscribers"], ScopeKey: scope}, After: after, Limit: limit}
	}
	crossed := ask(s.Here, "", 0, 9)
	crossed.Scope = s.There.Scope
	news, err := pginbox.ReadInboxNews(s.Ctx, s.DB, []pginbox.InboxQuestion{
		ask(s.Here, "", 0, 9), ask(s.Here, "", 3, 9), ask(s.Here, "", 0, 3), ask(s.Here, "", 5, 9), ask(s.There, "", 0, 9), ask(s.Here, "none", 0, 9), crossed, ask(s.Here, "", 4, 9),
	})
	require.NoError(t, err)
	for i, want := range [][]string{
		{changed[1], changed[3], "gone", changed[5]}, {"gone", changed[5]}, {changed[1], changed[3], "gone"}, {}, {theirs}, {}, {}, {changed[5]},
	} {
		require.Equal(t, want, pgtest.Names(news[i].Steps, func(s *pginbox.InboxStep) string { return s.MessageID }), "question %d", i)
	}
	require.Nil(t, news[0].Steps[2].Message, "a removed message is gone")
	require.Equal(t, changed[5], news[0].Steps[3].Message.ID)
	require.Equal(t, int64(10), news[0].State.Sequence)
	require.NotNil(t, news[3].State, "the state comes also when nothing has changed")
	require.Nil(t, news[5].State, "this inbox never held a message")
	require.Nil(t, news[6].State, "an inbox belongs to its environment")
}

func TestPresence(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	a, b := s.Here.IDs["subscribers"], s.There.IDs["subscribers"]
	online := func() []bool {
		return pgtest.Ask[[]bool](s, `SELECT ARRAY[(SELECT coalesce(is_online, false) FROM subscribers WHERE id = $1), (SELECT coalesce(is_online, false) FROM subscribers WHERE id = $2)]`, a, b)
	}
	require.NoError(t, pginbox.SetPresence(s.Ctx, s.DB, pgtest.Noon, []id.ID{a, b, "none"}, []bool{true, true, true}))
	require.Equal(t, []bool{true, true}, online())
	require.NoError(t, pginbox.SetPresence(s.Ctx, s.DB, *pgtest.At(5), []id.ID{b}, []bool{true}))
	require.NoError(t, pginbox.EndPresence(s.Ctx, s.DB, *pgtest.At(0), 9))
	require.Equal(t, []bool{true, true}, online(), "both were reported since")
	require.NoError(t, pginbox.EndPresence(s.Ctx, s.DB, *pgtest.At(6), 1))
	require.Equal(t, []bool{false, true}, online(), "the one that was silent for longest goes first")
	require.Equal(t, pgtest.JSONTime(0), s.Record("subscribers", a)["last_online_at"], "when it was last seen stays")
	require.NoError(t, pginbox.SetPresence(s.Ctx, s.DB, *pgtest.At(7), []id.ID{b}, []bool{false}))
	require.Equal(t, []bool{false, false}, online())
}

func TestReadMessageParents(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM subscriber_channels`)
	event := s.Add(s.Here, "events", pgtest.Values{"transaction_id": "x", "payload": `{"p": 1}`, "overrides": `{"o": 1}`})
	subscriber := s.Here.IDs["subscribers"]
	s.Exec(`DELETE FROM channel_endpoints`)
	add := func(identifier string, change pgtest.Values) string {
		values := pgtest.Values{"provider_id": "slack", "identifier": identifier, "active": true}
		maps.Copy(values, change)
		return s.Add(s.Here, "integrations", values)
	}
	add("old", nil)
	newest := add("new", nil)
	named := add("named", pgtest.Values{"active": false})
	add("deleted", pgtest.Values{"deleted": true})
	add("other", pgtest.Values{"provider_id": "discord"})
	for _, identifier := range []string{"", "named", "missing"} {
		s.Add(s.Here, "subscriber_channels", pgtest.Values{"provider_id": "slack", "integration_identifier": identifier, "integration_id": nil})
	}
	parents, err := pginbox.ReadMessageParents(s.Ctx, s.DB, s.Here.Scope, []id.ID{event, s.There.IDs["events"]}, []id.ID{subscriber, s.There.IDs["subscribers"]})
	require.NoError(t, err)
	require.Equal(t, []string{event}, pgtest.Names(parents.Events, func(e **ent.Event) string { return (*e).ID }), "of the environment alone")
	require.Equal(t, []string{subscriber}, pgtest.Names(parents.Subscribers, func(o **ent.Subscriber) string { return (*o).ID }))
	require.Equal(t, []string{newest, named, ""}, pgtest.Names(parents.Channels, func(c **ent.SubscriberChannel) string {
		if (*c).IntegrationID == nil {
			return ""
		}
		return *(*c).IntegrationID
	}), "without a name the newest active one of the provider, with one that of the name")
	events, err := pginbox.EventsShown(s.Ctx, s.Pool, s.Here.Scope, []id.ID{event, s.There.IDs["events"]})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, []int{1, 1}, []int{len(events[0].Payload), len(events[0].Overrides)})
}
