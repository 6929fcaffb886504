package prove

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind is a kind of breach.
type Kind string

// The breaches that are looked for.
const (
	Lost          Kind = "lost"
	Doubled       Kind = "doubled"
	InboxDouble   Kind = "inbox double"
	Unlabelled    Kind = "unlabelled provider double"
	DigestMissing Kind = "digest item missing"
	DigestTwice   Kind = "digest item twice"
	Stuck         Kind = "stuck"
	WrongCounter  Kind = "wrong counter"
	StreamGap     Kind = "stream gap"
)

// Kinds are all kinds of breaches, in the order of the table.
var Kinds = []Kind{Lost, Doubled, InboxDouble, Unlabelled, DigestMissing, DigestTwice, Stuck, WrongCounter, StreamGap}

// Breach is one broken promise.
type Breach struct {
	Kind   Kind   `json:"kind"`
	Detail string `json:"detail"`
}

// State is what was acknowledged and what is there after everything came to rest.
type State struct {
	Acknowledged []Acknowledged
	Events       []Event
	Runs         []Notification
	Messages     []Message
	Calls        []Call
	Open         []Open
	Inboxes      []Inbox
	Streams      map[string]Stream // by subscriber
}

// Acknowledged is an event that the API accepted, known by the text of its payload.
type Acknowledged struct {
	Text        string
	Workflow    string
	Subscribers []string
	Channels    []string // on which each subscriber gets a message
	Digest      bool     // its text is in one message of a digest, too
	Throttled   bool     // its run may be skipped
}

// Event is a stored event.
type Event struct{ ID, Text string }

// Notification is a stored notification.
type Notification struct{ ID, Text, Subscriber, Status string }

// Message is a stored message.
type Message struct {
	ID, RunID, Subscriber, StepID, Channel, Status string
	Items                                          []string // of a digest: the texts of its events
	Labelled                                       bool     // an attempt is marked as a possible duplicate
}

// Call is a message that a provider took.
type Call struct{ Text, Channel string }

// Open is a row that is not final, and why it will not become so: "" when it has an owner or a due time.
type Open struct{ Table, ID, Status, Why string }

// Inbox is an inbox's counters and what its rows come to.
type Inbox struct {
	Subscriber      string
	Sequence        int64
	Stored, Counted Counters
}

// Counters count messages that are neither archived nor snoozed.
type Counters struct{ Total, Unread, Unseen int }

// Stream is what an inbox's updates reported.
type Stream struct {
	Sequence int64           // of the last update
	Messages map[string]bool // ids that were reported
	Repeated []int64         // sequences that were not above the one before
}

// Judge returns every breach in a state, in a stable order.
func Judge(s State) []Breach {
	c := &checker{state: s, runs: map[place][]Notification{}, messages: map[string][]Message{}, events: map[string]int{}, calls: map[Call]int{}, items: map[place]int{}}
	c.index()
	for _, a := range s.Acknowledged {
		c.acknowledged(a)
	}
	c.rows()
	c.inboxes()
	slices.SortStableFunc(c.found, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(a.Detail, b.Detail))
	})
	return c.found
}

type place struct{ text, subscriber string }

type checker struct {
	state    State
	runs     map[place][]Notification
	messages map[string][]Message // by run
	events   map[string]int
	calls    map[Call]int
	items    map[place]int // of digests
	found    []Breach
}

func (c *checker) breach(k Kind, format string, args ...any) {
	c.found = append(c.found, Breach{k, fmt.Sprintf(format, args...)})
}

func (c *checker) index() {
	for _, e := range c.state.Events {
		c.events[e.Text]++
	}
	for _, r := range c.state.Runs {
		at := place{r.Text, r.Subscriber}
		c.runs[at] = append(c.runs[at], r)
	}
	for _, m := range c.state.Messages {
		c.messages[m.RunID] = append(c.messages[m.RunID], m)
		for _, item := range m.Items {
			c.items[place{item, m.Subscriber}]++
		}
	}
	for _, call := range c.state.Calls {
		c.calls[call]++
	}
}

func (c *checker) acknowledged(a Acknowledged) {
	switch stored := c.events[a.Text]; {
	case stored == 0:
		c.breach(Lost, "event %s of %s", a.Text, a.Workflow)
		return
	case stored > 1:
		c.breach(Doubled, "event %s of %s is stored %d times", a.Text, a.Workflow, stored)
	}
	for _, who := range a.Subscribers {
		runs := c.runs[place{a.Text, who}]
		if len(runs) == 0 {
			c.breach(Lost, "notification of %s for %s", a.Text, who)
			continue
		}
		if len(runs) > 1 {
			c.breach(Doubled, "%d notifications of %s for %s", len(runs), a.Text, who)
		}
		c.run(a, runs[0])
	}
}

func (c *checker) run(a Acknowledged, r Notification) {
	switch {
	case r.Status == "completed", r.Status == "merged" && a.Digest:
	case r.Status == "skipped" && a.Throttled:
		return
	case r.Status == "pending", r.Status == "waiting":
		return // reported with the rows that are not final
	default:
		c.breach(Lost, "notification of %s for %s ended as %s", a.Text, r.Subscriber, r.Status)
		return
	}
	for _, channel := range a.Channels {
		c.channel(a, r, channel)
	}
	if !a.Digest {
		return
	}
	switch times := c.items[place{a.Text, r.Subscriber}]; {
	case times == 0:
		c.breach(DigestMissing, "%s for %s", a.Text, r.Subscriber)
	case times > 1:
		c.breach(DigestTwice, "%s for %s is in %d", a.Text, r.Subscriber, times)
	}
}

// channel checks the message of a run on one channel. A digest's own message is checked by its items.
func (c *checker) channel(a Acknowledged, r Notification, channel string) {
	var stored []Message
	for _, m := range c.messages[r.ID] {
		if m.Channel == channel && m.Items == nil {
			stored = append(stored, m)
		}
	}
	if len(stored) == 0 {
		c.breach(Lost, "%s message of %s for %s", channel, a.Text, r.Subscriber)
		return
	}
	m := stored[0]
	if m.Status != "sent" && m.Status != "pending" {
		c.breach(Lost, "%s message of %s for %s ended as %s", channel, a.Text, r.Subscriber, m.Status)
	}
	if channel == inApp {
		if len(stored) > 1 {
			c.breach(InboxDouble, "%s for %s is there %d times", a.Text, r.Subscriber, len(stored))
		}
		return
	}
	if len(stored) > 1 {
		c.breach(Doubled, "%d %s messages of %s for %s", len(stored), channel, a.Text, r.Subscriber)
	}
	switch calls := c.calls[Call{a.Text, channel}]; {
	case calls == 0 && m.Status == "sent":
		c.breach(Lost, "%s of %s for %s is sent and was not received", channel, a.Text, r.Subscriber)
	case calls > 1 && !m.Labelled:
		c.breach(Unlabelled, "%s of %s for %s was received %d times", channel, a.Text, r.Subscriber, calls)
	}
}

func (c *checker) rows() {
	for _, o := range c.state.Open {
		c.breach(Stuck, "%s %s is %s: %s", o.Table, o.ID, o.Status, cmp.Or(o.Why, "it did not come to rest"))
	}
}

func (c *checker) inboxes() {
	for _, b := range c.state.Inboxes {
		if b.Stored != b.Counted {
			c.breach(WrongCounter, "inbox of %s says %+v, its rows %+v", b.Subscriber, b.Stored, b.Counted)
		}
		stream, watched := c.state.Streams[b.Subscriber]
		if !watched {
			continue
		}
		if stream.Sequence != b.Sequence {
			c.breach(StreamGap, "updates of %s end at sequence %d, the inbox is at %d", b.Subscriber, stream.Sequence, b.Sequence)
		}
		for _, sequence := range stream.Repeated {
			c.breach(StreamGap, "updates of %s came twice or out of order at sequence %d", b.Subscriber, sequence)
		}
	}
	for _, m := range c.state.Messages {
		stream, watched := c.state.Streams[m.Subscriber]
		if watched && m.Channel == inApp && !stream.Messages[m.ID] {
			c.breach(StreamGap, "message %s of %s was never reported", m.ID, m.Subscriber)
		}
	}
}
