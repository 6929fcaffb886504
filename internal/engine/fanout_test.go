package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func TestFanOutDirect(t *testing.T) {
	t.Parallel()

	t.Run("StoresAnInAppMessage", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}} {{subscriber.subscriberId}}")}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		runs, messages := b.runs(ev), b.messages(ev)
		require.Len(t, runs, 1)
		require.Equal(t, workflow.RunCompleted, runs[0].Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonSent, workflow.ReasonCompleted}, reasons(runs[0]))
		require.Len(t, messages, 1)
		require.Equal(t, "hello u1", messages[0].Content.Text)
		require.Equal(t, workflow.MessageSent, messages[0].Status)
		require.Equal(t, int64(1), messages[0].Sequence)
		state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
		require.Equal(t, 1, state.Unread)
		b.fanOut(ev)
		require.Len(t, b.messages(ev), 1)
	})
	t.Run("UpsertsTheRecipientsOfManyEventsTogether", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("hi {{subscriber.firstName}}")}})
		b.db.Ent.Subscriber.Create().SetSubscriberID("old").SetFirstName("Ann").SetLastName("Lee").SetEmail("a@x.org").
			SetData(map[string]any{"kept": "no"}).SaveX(b.ctx)
		change := &workflow.Recipients{Direct: []workflow.SubscriberInput{{
			SubscriberID: "old", Profile: workflow.ProfileInput{FirstName: workflow.Given("Anna"), Email: workflow.Cleared[string]()},
			Data:     workflow.Given(map[string]any{"plan": "pro"}),
			Channels: []workflow.ChannelInput{{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t1", "t2"}}}},
		}}}
		more := &workflow.Recipients{Direct: []workflow.SubscriberInput{{
			SubscriberID: "old",
			Channels:     []workflow.ChannelInput{{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t2", "t3"}}}},
		}, {SubscriberID: "new"}}}
		events := []string{b.triggered(wf, change), b.triggered(wf, to("old", "fresh")), b.triggered(wf, more)}
		b.fanOut(events...)
		old := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("old")).OnlyX(b.ctx)
		require.Equal(t, "Anna", *old.FirstName)
		require.Equal(t, "Lee", *old.LastName)
		require.Nil(t, old.Email)
		require.Equal(t, map[string]any{"plan": "pro"}, old.Data)
		require.Equal(t, 3, b.db.Ent.Subscriber.Query().CountX(b.ctx))
		require.Equal(t, []string{"t1", "t2", "t3"}, b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Credentials.DeviceTokens)
		require.Equal(t, "hi Anna", b.messages(events[1])[0].Content.Text)
		again := b.triggered(wf, more)
		b.fanOut(again)
		require.Equal(t, []string{"t1", "t2", "t3"}, b.db.Ent.SubscriberChannel.Query().OnlyX(b.ctx).Credentials.DeviceTokens)
		b.triggered(wf, change)
		require.Equal(t, 4, b.db.Ent.InboxState.Query().Where(inboxstate.SubscriberID(old.ID)).OnlyX(b.ctx).Unread)
	})

	t.Run("SkipsWithEveryReason", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		off := false
		wf := b.workflow(workflow.Definition{
			Steps:       []workflow.Step{inAppStep("x"), emailStep(), {StepID: "text", Type: workflow.StepSMS, SMS: &workflow.TextControls{Body: "x"}}},
			Preferences: workflow.ChannelPreferences{InApp: &off},
		})
		ev := b.triggered(wf, to("nobody"))
		b.fanOut(ev)
		run := b.runs(ev)[0]
		require.Equal(t, workflow.RunCompleted, run.Status)
		require.Equal(t, []workflow.Reason{workflow.ReasonPreference, workflow.ReasonNoAddress, workflow.ReasonNoAddress, workflow.ReasonCompleted}, reasons(run))
		require.Empty(t, b.messages(ev))
	})

	t.Run("OneBrokenEventSpoilsNoOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		good, bad := b.triggered(wf, to("u1")), b.triggered(published{wf.workflow, "000000000000000000000000"}, to("u2"))
		b.fanOut(good, bad)
		require.Len(t, b.messages(good), 1)
		require.Equal(t, 1, b.db.Ent.Event.GetX(b.ctx, bad).Failures)
		for range 10 {
			b.fanOut(bad)
		}
		parked := b.db.Ent.Event.GetX(b.ctx, bad)
		require.Equal(t, event.StatusParked, parked.Status)
		require.Nil(t, parked.DueAt)
		require.Equal(t, workflow.ReasonParked, parked.Trace[0].Reason)
	})
}

// topic makes a topic with a subscription for each of the subscribers.
func (b *bundle) topic(key string, subscribers ...string) (topicID string, subscriptions []string) {
	b.tb.Helper()
	topicID = b.db.Ent.Topic.Create().SetKey(key).SaveX(b.ctx).ID
	for _, s := range subscribers {
		who := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(s)).FirstX(b.ctx)
		subscriptions = append(subscriptions, b.db.Ent.Subscription.Create().SetTopicID(topicID).SetSubscriberID(who.ID).
			SetIdentifier("tk="+key+":si="+s).SetContextKeys([]string{}).SaveX(b.ctx).ID)
	}
	return topicID, subscriptions
}

// reached are the subscriberIds that an event reached, sorted.
func (b *bundle) reached(eventID string) []string {
	b.tb.Helper()
	var out []string
	for _, m := range b.messages(eventID) {
		out = append(out, b.db.Ent.Subscriber.GetX(b.ctx, m.SubscriberID).SubscriberID)
	}
	slices.Sort(out)
	return out
}

// paged is a bundle whose streams have pages of so many subscribers. With pages this small every topic is streamed.
func paged(tb testing.TB, size int) *bundle {
	tb.Helper()
	b := setup(tb)
	b.config.PageSize = size
	b.engine = b.newEngine(b.config)
	return b
}

func TestFanOutTopics(t *testing.T) {
	t.Parallel()
	for name, pageSize := range map[string]int{"Together": 0, "Streamed": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFanOutTopics(t, pageSize)
		})
	}
}

func testFanOutTopics(t *testing.T, pageSize int) {
	t.Helper()
	t.Run("ReachesEachOnceWithoutActorAndExcluded", func(t *testing.T) {
		t.Parallel()
		b := paged(t, pageSize)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		for _, s := range []string{"a", "b", "c", "d", "e", "f"} {
			b.subscriber(s)
		}
		b.topic("one", "a", "b", "c", "d")
		b.topic("two", "c", "d", "e", "f")
		ev := b.triggered(wf, &workflow.Recipients{
			Direct: []workflow.SubscriberInput{{SubscriberID: "a"}},
			Topics: []workflow.TopicRecipient{{TopicKey: "one", Exclude: []string{"b"}}, {TopicKey: "two"}, {TopicKey: "unknown"}},
		}, func(e *ent.EventCreate) { e.SetActor(map[string]any{"subscriberId": "f"}) })
		b.fanOut(ev)
		require.Equal(t, []string{"a", "c", "d", "e"}, b.reached(ev))
		stored := b.db.Ent.Event.GetX(b.ctx, ev)
		require.Equal(t, event.StatusFannedOut, stored.Status)
		require.Equal(t, 4, stored.Notified)
		require.Nil(t, stored.DueAt)
	})

	t.Run("HonoursSubscriptionPreferencesAndContext", func(t *testing.T) {
		t.Parallel()
		b := paged(t, pageSize)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		for _, s := range []string{"free", "blocked", "rich", "poor", "both", "eu"} {
			b.subscriber(s)
		}
		topicID, subs := b.topic("news", "free", "blocked", "rich", "poor", "both")
		prefer := func(subscription string, enabled bool, condition map[string]any) {
			c := b.db.Ent.SubscriptionPreference.Create().SetSubscriptionID(subscription).SetWorkflowID(wf.workflow).SetPosition(0).SetEnabled(enabled)
			if condition != nil {
				c.SetCondition(condition)
			}
			c.ExecX(b.ctx)
		}
		is := func(v string) map[string]any {
			return map[string]any{"==": []any{map[string]any{"var": "payload.text"}, v}}
		}
		prefer(subs[1], false, nil)
		prefer(subs[2], true, is("hello"))
		prefer(subs[3], true, is("other"))
		prefer(subs[4], false, nil)
		both := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("both")).OnlyX(b.ctx)
		b.db.Ent.Subscription.Create().SetTopicID(topicID).SetSubscriberID(both.ID).SetIdentifier("second").SetContextKeys([]string{}).ExecX(b.ctx)
		eu := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("eu")).OnlyX(b.ctx)
		b.db.Ent.Subscription.Create().SetTopicID(topicID).SetSubscriberID(eu.ID).SetIdentifier("ctx").
			SetContextKeys([]string{"region:eu"}).SetScope("region:eu").ExecX(b.ctx)
		toTopic := &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "news"}}}
		ev := b.triggered(wf, toTopic)
		inEU := b.triggered(wf, toTopic, func(e *ent.EventCreate) { e.SetContextKeys([]string{"region:eu"}).SetScope("region:eu") })
		b.fanOut(ev, inEU)
		require.Equal(t, []string{"both", "free", "rich"}, b.reached(ev))
		require.Equal(t, []string{"eu"}, b.reached(inEU))
		for _, n := range b.runs(ev) {
			if n.SubscriberID == both.ID {
				require.Equal(t, []string{"second"}, n.Topics)
			}
		}
	})

	t.Run("HonoursPreferences", func(t *testing.T) {
		t.Parallel()
		b := paged(t, pageSize)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		off := false
		for _, s := range []string{"a", "b", "c"} {
			who, write := b.subscriber(s), b.db.Ent.Preference.Create()
			switch s {
			case "b":
				write.SetSubscriberID(who.ID).SetWorkflowID(wf.workflow).SetChannels(workflow.ChannelPreferences{InApp: &off}).ExecX(b.ctx)
			case "c":
				write.SetSubscriberID(who.ID).SetWorkflowID("").SetChannels(workflow.ChannelPreferences{InApp: &off}).ExecX(b.ctx)
			}
		}
		b.topic("news", "a", "b", "c")
		ev := b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "news"}}})
		b.fanOut(ev)
		require.Len(t, b.runs(ev), 3)
		require.Equal(t, []string{"a"}, b.reached(ev))
	})
}

func TestTopicsStreamInPages(t *testing.T) {
	t.Parallel()

	t.Run("SubscriptionsAcrossPages", func(t *testing.T) {
		t.Parallel()
		b := paged(t, 7)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		var all []string
		for i := range 40 {
			all = append(all, fmt.Sprintf("s%02d", i))
			b.subscriber(all[i])
		}
		topicID, _ := b.topic("many", all...)
		for _, s := range all[:10] { // several subscriptions of one subscriber lie across page bounds
			who := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(s)).OnlyX(b.ctx)
			for k := range 3 {
				b.db.Ent.Subscription.Create().SetTopicID(topicID).SetSubscriberID(who.ID).SetIdentifier(fmt.Sprint(s, k)).
					SetContextKeys([]string{}).ExecX(b.ctx)
			}
		}
		ev := b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "many"}}})
		b.fanOut(ev)
		require.Equal(t, all, b.reached(ev))
		require.Equal(t, 40, b.db.Ent.Event.GetX(b.ctx, ev).Notified)
		require.Equal(t, 40, b.db.Ent.InboxState.Query().CountX(b.ctx))
	})
}

// TestFanOutStaysInItsEnvironment sends to names that two other environments of the organization have as well, an older
// and a younger one: their subscribers get nothing and stay as they are.
func TestFanOutStaysInItsEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	system := viewer.SystemContext(t.Context())
	own, ownScope := b.ctx, b.scope
	inside := func(identifier string, fill func()) {
		env := b.db.Ent.Environment.Create().SetName(identifier).SetIdentifier(identifier).SetOrganizationID(ownScope.OrganizationID).SaveX(system)
		b.ctx = viewer.InScope(t.Context(), viewer.Scope{OrganizationID: ownScope.OrganizationID, EnvironmentID: env.ID})
		fill()
		b.ctx = own
	}
	theirs := func() {
		for _, name := range []string{"u1", "u2", "u3", "only-there"} {
			b.db.Ent.Subscriber.Create().SetSubscriberID(name).SetFirstName("Theirs").SaveX(b.ctx)
		}
		b.topic("news", "u3", "only-there")
	}
	inside("twin", theirs)
	for _, name := range []string{"u1", "u2"} {
		b.db.Ent.Subscriber.Create().SetSubscriberID(name).SetFirstName("Ours").SaveX(b.ctx)
	}
	b.topic("news", "u2")
	inside("younger", theirs)

	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("hi {{subscriber.firstName}}")}})
	named := to("u1")
	named.Direct[0].FirstName = workflow.Given("Changed")
	direct := b.triggered(wf, named)
	topic := b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "news"}}})
	b.fanOut(direct, topic)
	require.Equal(t, []string{"u1"}, b.reached(direct))
	require.Equal(t, []string{"u2"}, b.reached(topic))
	require.Equal(t, 8, b.db.Ent.Subscriber.Query().Where(subscriber.FirstName("Theirs")).CountX(system))
	require.Equal(t, b.db.Ent.Message.Query().CountX(own), b.db.Ent.Message.Query().CountX(system))
	require.Equal(t, b.db.Ent.Notification.Query().CountX(own), b.db.Ent.Notification.Query().CountX(system))
}

// TestInboxesStayOnTheirPages: what a fan-out changes of inboxes fits beside them, so that their indexes are left alone.
func TestInboxesStayOnTheirPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const crowd = 400
	b.crowd(crowd)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	places := func() (list []string) {
		b.fanOut(b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "crowd"}}}))
		rows, err := b.db.Pool.Query(b.ctx, `SELECT id || (ctid::text::point)[0] FROM inbox_states ORDER BY id`)
		list, err = postgres.Collect(rows, err, "read where inboxes are", pgx.RowTo[string])
		require.NoError(t, err)
		return list
	}
	first := places()
	require.Len(t, first, crowd)
	for range 3 {
		b.prunable()
		moved := 0
		for i, place := range places() {
			if place != first[i] {
				moved++
			}
		}
		require.Less(t, moved, crowd/10)
	}
}

// prunable waits until the room of what was updated so far can be used again: until then an older transaction, of any test on this server,
// might still read it.
func (b *bundle) prunable() {
	b.tb.Helper()
	var now int64
	require.NoError(b.tb, b.db.Pool.QueryRow(b.ctx, `SELECT pg_current_xact_id()::text::bigint`).Scan(&now))
	require.Eventually(b.tb, func() (free bool) {
		err := b.db.Pool.QueryRow(b.ctx, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1 AND NOT EXISTS (SELECT FROM pg_stat_activity
	WHERE datname = current_database() AND backend_xmin::text::bigint <= $1)`, now).Scan(&free)
		return err == nil && free
	}, stall.Limit(time.Minute), 10*time.Millisecond)
}

func TestFanOutBroadcast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.PageSize = 4
	b.engine = b.newEngine(b.config)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	var before []string
	for i := range 10 {
		before = append(before, fmt.Sprintf("s%02d", i))
		b.subscriber(before[i])
	}
	newest := b.db.Ent.Subscriber.Query().Order(ent.Desc("id")).FirstX(b.ctx).ID
	b.db.Ent.Subscriber.Update().Where(subscriber.SubscriberID("s03")).SetDeleted(true).ExecX(b.ctx)
	ev := b.triggered(wf, nil, func(e *ent.EventCreate) {
		e.SetKind(event.KindBroadcast).SetCheckpoint(map[string]any{"max_subscriber_id": newest}).SetActor(map[string]any{"subscriberId": "s01"})
	})
	b.subscriber("late")
	b.fanOut(ev)
	require.Equal(t, slices.Delete(before, 3, 4), b.reached(ev))
}

func TestTwoEnginesShareWork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.config.PageSize = 20
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), emailStep()}})
	var all []string
	for i := range 300 {
		all = append(all, fmt.Sprintf("s%03d", i))
		b.subscriber(all[i])
	}
	b.topic("many", all...)
	events := []string{b.triggered(wf, &workflow.Recipients{Topics: []workflow.TopicRecipient{{TopicKey: "many"}}})}
	for i := range 50 {
		events = append(events, b.triggered(wf, to(all[i], all[i+1])))
	}
	engines := []*engine.Engine{b.newEngine(b.config), b.newEngine(b.config), b.newEngine(b.config)}
	errs := make(chan error)
	for _, e := range engines {
		go func() {
			err := e.FanOut(b.ctx, events)
			for n := 1; err == nil && n > 0; {
				n, err = e.Wake(b.ctx, pgdue.DueMessages)
			}
			errs <- err
		}()
	}
	for range engines {
		require.NoError(t, <-errs)
	}
	b.fanOut(events...)
	for n := 1; n > 0; {
		n = b.wake(pgdue.DueMessages)
	}
	const runs = 300 + 50*2
	require.Equal(t, runs, b.db.Ent.Notification.Query().CountX(b.ctx))
	require.Equal(t, 2*runs, b.db.Ent.Message.Query().CountX(b.ctx))
	require.Equal(t, runs, b.db.Ent.Message.Query().Where(message.ChannelEQ(workflow.ChannelInApp)).CountX(b.ctx))
	require.Len(t, b.vendor.messages(), runs)
	require.Equal(t, runs, b.db.Ent.Notification.Query().Where(notification.StatusEQ(workflow.RunCompleted)).CountX(b.ctx))
}
