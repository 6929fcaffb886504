package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/workflow"
)

// acceptor is a working acceptor of the bundle's database.
func (b *bundle) acceptor() *accept.Acceptor {
	b.tb.Helper()
	a := accept.NewAcceptor(accept.Config{DB: b.db, Queue: b.config.Queue, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(b.tb, a.Start(b.ctx))
	b.tb.Cleanup(func() { require.NoError(b.tb, a.Stop(context.WithoutCancel(b.ctx))) })
	return a
}

// news is an in-app workflow, and the ways of accepting events of it.
type news struct {
	*bundle
	published
	acceptor   *accept.Acceptor
	identifier string
}

func (b *bundle) news(a *accept.Acceptor) news {
	b.tb.Helper()
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	return news{b, wf, a, b.db.Ent.Workflow.GetX(b.ctx, wf.workflow).Identifier}
}

func (n news) accept(change func(*accept.Acceptance)) (eventID string) {
	n.tb.Helper()
	item := n.item(n.identifier, &workflow.Recipients{})
	item.TransactionID = "txn-" + time.Now().Format(time.RFC3339Nano)
	change(&item)
	outcomes, err := n.acceptor.Accept(n.ctx, accept.Request{Items: []accept.Acceptance{item}})
	require.NoError(n.tb, err)
	require.NotEmpty(n.tb, outcomes[0].EventID)
	return outcomes[0].EventID
}

func (n news) trigger(subscribers ...string) (eventID string) {
	n.tb.Helper()
	raw, err := json.Marshal(to(subscribers...))
	require.NoError(n.tb, err)
	return n.accept(func(item *accept.Acceptance) { item.Recipients = raw })
}

func (n news) broadcast() (eventID string) {
	n.tb.Helper()
	return n.accept(func(item *accept.Acceptance) { item.Kind, item.Recipients = event.KindBroadcast, nil })
}

// known are the subscribers of the bundle's environment.
func (b *bundle) known() (out []string) {
	b.tb.Helper()
	for _, s := range b.db.Ent.Subscriber.Query().Order(ent.Asc(subscriber.FieldSubscriberID)).AllX(b.ctx) {
		out = append(out, s.SubscriberID)
	}
	return out
}

func TestBroadcastReachesWhomEarlierEventsName(t *testing.T) {
	t.Parallel()

	t.Run("WhileTheyWait", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.config.PageSize = 2
		b.engine = b.newEngine(b.config)
		a := b.acceptor()
		mine, theirs := b.news(a), b.beside("other").news(a)
		b.subscriber("old")
		first, foreign := mine.trigger("u1", "u2", "u3"), theirs.trigger("v1", "u1")
		second := mine.trigger("u3", "u4", "old")
		wide, foreignWide := mine.broadcast(), theirs.broadcast()
		mine.trigger("u5")
		mine.fanOut(wide)
		require.Equal(t, []string{"old", "u1", "u2", "u3", "u4"}, mine.reached(wide))
		require.Equal(t, []string{"old", "u1", "u2", "u3", "u4"}, mine.known())
		require.Empty(t, theirs.known(), "the other environment's events are its own business")
		require.Equal(t, 5, b.db.Ent.Event.GetX(b.ctx, wide).Notified)
		mine.fanOut(first, second)
		require.Equal(t, []string{"u1", "u2", "u3"}, mine.reached(first))
		require.Equal(t, []string{"old", "u3", "u4"}, mine.reached(second))
		theirs.fanOut(foreign, foreignWide)
		require.Equal(t, []string{"u1", "v1"}, theirs.reached(foreignWide))
	})
	t.Run("WhenTheyAreDoneMeanwhile", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		n := b.news(b.acceptor())
		first, wide := n.trigger("u1", "u2"), n.broadcast()
		n.fanOut(first, n.trigger("u3"))
		b.subscriber("later")
		n.fanOut(wide)
		require.Equal(t, []string{"u1", "u2"}, n.reached(wide), "neither who was named nor who was made later")
	})
	t.Run("ThoughALaterEventCreatedThem", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		n := b.news(b.acceptor())
		done, waits, wide, overtakes := n.trigger("u1"), n.trigger("u2"), n.broadcast(), n.trigger("u1", "u2", "u3")
		n.fanOut(overtakes)
		n.fanOut(done)
		n.fanOut(wide)
		require.Equal(t, []string{"u1", "u2"}, n.reached(wide))
		n.fanOut(waits)
		n.fanOut(wide)
		require.Equal(t, []string{"u1", "u2"}, n.reached(wide))
	})
	t.Run("AlsoWithTopicsAndAsActor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		n := b.news(b.acceptor())
		n.accept(func(item *accept.Acceptance) {
			item.Recipients = []byte(`{"direct":[{"subscriberId":"u1","firstName":"Ann"}],"topics":[{"topicKey":"none"}]}`)
			item.Actor, item.Topics = []byte(`{"subscriberId":"boss"}`), true
		})
		wide := n.broadcast()
		n.fanOut(wide)
		require.Equal(t, []string{"boss", "u1"}, n.reached(wide))
		require.Equal(t, "Ann", *b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("u1")).OnlyX(b.ctx).FirstName)
	})
	t.Run("ThoughTheyFail", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		n := b.news(b.acceptor())
		bad := b.triggered(published{n.published.workflow, "000000000000000000000000"}, to("u1"))
		b.triggered(n.published, to("nobody"), func(e *ent.EventCreate) { e.SetRecipients(map[string]any{"direct": "unreadable"}) })
		n.fanOut(bad)
		wide := n.broadcast()
		n.fanOut(wide)
		require.Equal(t, []string{"u1"}, n.reached(wide))

		parked := b.triggered(published{n.published.workflow, "000000000000000000000000"}, to("u2"))
		for range 8 {
			n.fanOut(parked)
		}
		require.Equal(t, event.StatusParked, b.db.Ent.Event.GetX(b.ctx, parked).Status)
		wide = n.broadcast()
		n.fanOut(wide)
		require.Equal(t, []string{"u1", "u2"}, n.reached(wide))
	})
}

// long is a text of so many characters of four bytes, which Postgres cannot make shorter.
func long(characters int) string {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]rune, characters)
	for i := range out {
		out[i] = 0x10000 + random.Int32N(0x20000)
	}
	return string(out)
}

// TestEventsThatPostgresRefusesHoldUpNobody stores events as they were accepted before their texts were bounded. A broadcast creates
// whom Postgres refuses by the subscriberId alone, and the others as they are named. So does the event, when it is parked in the end.
func TestEventsThatPostgresRefusesHoldUpNobody(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"Email":       `"email":"` + long(700) + `"`,
		"Phone":       `"phone":"` + long(700) + `"`,
		"Integration": `"channels":[{"providerId":"fcm","integrationIdentifier":"` + long(700) + `","credentials":{"deviceTokens":["t"]}}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			n := b.news(b.acceptor())
			naming := func(direct string) (eventID string) {
				return n.accept(func(item *accept.Acceptance) { item.Recipients = []byte(`{"direct":[` + direct + `]}`) })
			}
			naming(`{"subscriberId":"ann","email":"ann@example.com"}`)
			bad := naming(`{"subscriberId":"bad",` + said + `},{"subscriberId":"eve","email":"eve@example.com"}`)
			wide := n.broadcast()
			n.fanOut(wide)
			require.Equal(t, []string{"ann", "bad", "eve"}, n.reached(wide))
			require.Equal(t, []string{"ann@example.com", "", "eve@example.com"}, n.emails())
			require.Empty(t, b.db.Ent.SubscriberChannel.Query().AllX(b.ctx))

			b.exec(`DELETE FROM subscribers`)
			for range 8 {
				n.fanOut(bad)
			}
			require.Equal(t, event.StatusParked, b.db.Ent.Event.GetX(b.ctx, bad).Status)
			require.Equal(t, []string{"bad", "eve"}, n.known())
			require.Equal(t, []string{"", "eve@example.com"}, n.emails())
		})
	}
}

// emails are those of the known subscribers; "" for one without.
func (b *bundle) emails() (out []string) {
	b.tb.Helper()
	for _, s := range b.db.Ent.Subscriber.Query().Order(ent.Asc(subscriber.FieldSubscriberID)).AllX(b.ctx) {
		out = append(out, *cmp.Or(s.Email, new("")))
	}
	return out
}

// TestLongestTextsAreStored: what the bounds let pass fits the indexes, whatever its alphabet.
func TestLongestTextsAreStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := b.news(b.acceptor())
	said := map[string]any{"subscriberId": strings.Repeat("u", 255), "channels": []any{map[string]any{
		"providerId": "fcm", "integrationIdentifier": long(255), "credentials": map[string]any{"deviceTokens": []any{"t"}},
	}}}
	for _, text := range workflow.ProfileTexts() {
		said[text.Name] = long(text.Most)
	}
	raw, err := json.Marshal(map[string]any{"direct": []any{said}})
	require.NoError(t, err)
	n.fanOut(n.accept(func(item *accept.Acceptance) { item.Recipients = raw }))
	require.True(t, slices.Equal([]string{long(512)}, n.emails()))
}

// TestBroadcastReachesWhomEventsNamedInAnyOrder takes an event that names somebody, a later one that names the same, and a
// broadcast accepted between them through every order in which they can be done, the broadcast page by page. Nobody existed
// before.
func TestBroadcastReachesWhomEventsNamedInAnyOrder(t *testing.T) {
	t.Parallel()
	// How the earlier event names u1, and what becomes of it.
	type naming struct {
		change func(*accept.Acceptance)
		parked bool
	}
	actor := func(item *accept.Acceptance) {
		item.Recipients, item.Actor = []byte(`{"direct":[{"subscriberId":"x"}]}`), []byte(`{"subscriberId":"u1"}`)
	}
	recipient := func(item *accept.Acceptance) {
		item.Recipients = []byte(`{"direct":[{"subscriberId":"u1"},{"subscriberId":"x"}]}`)
	}
	for name, how := range map[string]naming{
		"Recipient": {change: recipient}, "Actor": {change: actor},
		"ParkedRecipient": {change: recipient, parked: true}, "ParkedActor": {change: actor, parked: true},
		"ActorOfABroadcast": {change: func(item *accept.Acceptance) {
			item.Kind, item.Recipients, item.Actor = event.KindBroadcast, nil, []byte(`{"subscriberId":"u1"}`)
		}},
		"Streamed": {change: func(item *accept.Acceptance) {
			item.Recipients, item.Topics = []byte(`{"direct":[{"subscriberId":"u1"}],"topics":[{"topicKey":"everybody"}]}`), true
		}},
	} {
		// When the earlier and the later event are done: before the broadcast begins (0), or after so many of its pages; the
		// broadcast has at most five.
		for earlier := range 6 {
			for _, later := range []int{0, earlier, 9} {
				t.Run(fmt.Sprintf("%s/%d/%d", name, earlier, later), func(t *testing.T) {
					t.Parallel()
					b := paged(t, 1)
					for _, s := range []string{"old1", "old2"} {
						b.subscriber(s)
					}
					b.topic("everybody", "old1", "old2")
					n := b.news(b.acceptor())
					first := n.accept(how.change)
					wide := n.broadcast()
					second := n.trigger("u1", "u2")
					plain := b.newEngine(b.config)
					do := func(eventID string) { require.NoError(t, plain.FanOut(b.ctx, []string{eventID})) }
					doEarlier := func() {
						if how.parked {
							b.exec(`UPDATE events SET workflow_version_id = 'gone', failures = 7 WHERE id = $1`, first)
						}
						do(first)
					}
					pages := 0
					var page sync.Mutex
					at := func() { // the later event goes first where both are due
						if pages == later {
							do(second)
						}
						if pages == earlier {
							doEarlier()
						}
					}
					b.config.Live = func(context.Context, []state.InboxChange) { // two pages may be published at once
						page.Lock()
						defer page.Unlock()
						pages++
						at()
					}
					b.engine = b.newEngine(b.config)
					at()
					n.fanOut(wide)
					reached := n.reached(wide)
					require.Subset(t, reached, []string{"old1", "old2", "u1"})
					require.NotContains(t, reached, "u2", "only the later event named it")
					require.Len(t, reached, len(slices.Compact(slices.Clone(reached))), "each once")
				})
			}
		}
	}
}

// TestBroadcastReachesWhomAnEventNamedThatExistedMeanwhile: somebody who was made by hand after the broadcast was accepted,
// and whom an event from before it names, belongs to it; others who were made by hand do not.
func TestBroadcastReachesWhomAnEventNamedThatExistedMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := b.news(b.acceptor())
	first, wide := n.trigger("u1"), n.broadcast()
	b.subscriber("u1")
	b.subscriber("u2")
	n.fanOut(first)
	n.fanOut(wide)
	require.Equal(t, []string{"u1"}, n.reached(wide))
}
