package prove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/prove"
)

// sound is a state without a breach: an event on two channels, two events in one digest, one that a throttle ended.
func sound() prove.State {
	return prove.State{
		Acknowledged: []prove.Acknowledged{
			{Text: "a", Workflow: "everything", Subscribers: []string{"ada"}, Channels: []string{"in_app", "sms"}},
			{Text: "b", Workflow: "digested", Subscribers: []string{"ben"}, Channels: []string{"in_app"}, Digest: true},
			{Text: "c", Workflow: "digested", Subscribers: []string{"ben"}, Channels: []string{"in_app"}, Digest: true},
			{Text: "d", Workflow: "throttled", Subscribers: []string{"ada"}, Channels: []string{"in_app"}, Throttled: true},
		},
		Events: []prove.Event{{ID: "e1", Text: "a"}, {ID: "e2", Text: "b"}, {ID: "e3", Text: "c"}, {ID: "e4", Text: "d"}},
		Runs: []prove.Notification{
			{ID: "n1", Text: "a", Subscriber: "ada", Status: "completed"},
			{ID: "n2", Text: "b", Subscriber: "ben", Status: "completed"},
			{ID: "n3", Text: "c", Subscriber: "ben", Status: "merged"},
			{ID: "n4", Text: "d", Subscriber: "ada", Status: "skipped"},
		},
		Messages: []prove.Message{
			{ID: "m1", RunID: "n1", Subscriber: "ada", Channel: "in_app", Status: "sent"},
			{ID: "m2", RunID: "n1", Subscriber: "ada", Channel: "sms", Status: "sent"},
			{ID: "m3", RunID: "n2", Subscriber: "ben", Channel: "in_app", Status: "sent"},
			{ID: "m4", RunID: "n3", Subscriber: "ben", Channel: "in_app", Status: "sent"},
			{ID: "m5", RunID: "n2", Subscriber: "ben", Channel: "in_app", Status: "sent", Items: []string{"b", "c"}},
		},
		Calls: []prove.Call{{Text: "a", Channel: "sms"}},
		Inboxes: []prove.Inbox{
			{Subscriber: "ada", Sequence: 1, Stored: prove.Counters{Total: 1, Unread: 1, Unseen: 1}, Counted: prove.Counters{Total: 1, Unread: 1, Unseen: 1}},
			{Subscriber: "ben", Sequence: 3, Stored: prove.Counters{Total: 3, Unread: 2}, Counted: prove.Counters{Total: 3, Unread: 2}},
		},
		Streams: map[string]prove.Stream{
			"ada": {Sequence: 1, Messages: map[string]bool{"m1": true}},
			"ben": {Sequence: 3, Messages: map[string]bool{"m3": true, "m4": true, "m5": true}},
		},
	}
}

func TestJudgeFindsEachBreach(t *testing.T) {
	t.Parallel()
	require.Empty(t, prove.Judge(sound()))
	for name, c := range map[string]struct {
		plant func(*prove.State)
		want  prove.Breach
	}{
		"event lost":                 {func(s *prove.State) { s.Events = s.Events[1:] }, prove.Breach{Kind: prove.Lost, Detail: "event a of everything"}},
		"notification lost":          {func(s *prove.State) { s.Runs = s.Runs[1:] }, prove.Breach{Kind: prove.Lost, Detail: "notification of a for ada"}},
		"notification failed":        {func(s *prove.State) { s.Runs[0].Status = "parked" }, prove.Breach{Kind: prove.Lost, Detail: "notification of a for ada ended as parked"}},
		"merged without a digest":    {func(s *prove.State) { s.Runs[0].Status = "merged" }, prove.Breach{Kind: prove.Lost, Detail: "notification of a for ada ended as merged"}},
		"skipped without a throttle": {func(s *prove.State) { s.Runs[0].Status = "skipped" }, prove.Breach{Kind: prove.Lost, Detail: "notification of a for ada ended as skipped"}},
		"message lost":               {func(s *prove.State) { s.Messages[1].Channel = "push" }, prove.Breach{Kind: prove.Lost, Detail: "sms message of a for ada"}},
		"in-app message lost":        {func(s *prove.State) { s.Messages[3].RunID = "n9" }, prove.Breach{Kind: prove.Lost, Detail: "in_app message of c for ben"}},
		"message failed":             {func(s *prove.State) { s.Messages[1].Status = "error" }, prove.Breach{Kind: prove.Lost, Detail: "sms message of a for ada ended as error"}},
		"sent and not received":      {func(s *prove.State) { s.Calls = nil }, prove.Breach{Kind: prove.Lost, Detail: "sms of a for ada is sent and was not received"}},
		"event twice":                {func(s *prove.State) { s.Events = append(s.Events, prove.Event{ID: "e9", Text: "a"}) }, prove.Breach{Kind: prove.Doubled, Detail: "event a of everything is stored 2 times"}},
		"notification twice":         {func(s *prove.State) { s.Runs = append(s.Runs, s.Runs[0]) }, prove.Breach{Kind: prove.Doubled, Detail: "2 notifications of a for ada"}},
		"message twice":              {func(s *prove.State) { s.Messages = append(s.Messages, s.Messages[1]) }, prove.Breach{Kind: prove.Doubled, Detail: "2 sms messages of a for ada"}},
		"inbox twice":                {func(s *prove.State) { s.Messages = append(s.Messages, s.Messages[0]) }, prove.Breach{Kind: prove.InboxDouble, Detail: "a for ada is there 2 times"}},
		"provider double":            {func(s *prove.State) { s.Calls = append(s.Calls, s.Calls[0]) }, prove.Breach{Kind: prove.Unlabelled, Detail: "sms of a for ada was received 2 times"}},
		"item in no digest":          {func(s *prove.State) { s.Messages[4].Items = []string{"b"} }, prove.Breach{Kind: prove.DigestMissing, Detail: "c for ben"}},
		"item in two digests": {func(s *prove.State) {
			s.Messages = append(s.Messages, prove.Message{ID: "m3", RunID: "n3", Subscriber: "ben", Channel: "in_app", Status: "sent", Items: []string{"c"}})
		}, prove.Breach{Kind: prove.DigestTwice, Detail: "c for ben is in 2"}},
		"row without owner": {func(s *prove.State) {
			s.Open = []prove.Open{{Table: "message", ID: "m9", Status: "pending", Why: "no due time and no owner"}}
		}, prove.Breach{Kind: prove.Stuck, Detail: "message m9 is pending: no due time and no owner"}},
		"row that does not rest": {func(s *prove.State) { s.Open = []prove.Open{{Table: "digest", ID: "d9", Status: "open"}} }, prove.Breach{Kind: prove.Stuck, Detail: "digest d9 is open: it did not come to rest"}},
		"unread counter":         {func(s *prove.State) { s.Inboxes[0].Stored.Unread = 2 }, prove.Breach{Kind: prove.WrongCounter, Detail: "inbox of ada says {Total:1 Unread:2 Unseen:1}, its rows {Total:1 Unread:1 Unseen:1}"}},
		"update missing":         {func(s *prove.State) { delete(s.Streams["ada"].Messages, "m1") }, prove.Breach{Kind: prove.StreamGap, Detail: "message m1 of ada was never reported"}},
		"stream behind":          {func(s *prove.State) { s.Streams["ada"] = prove.Stream{Messages: s.Streams["ada"].Messages} }, prove.Breach{Kind: prove.StreamGap, Detail: "updates of ada end at sequence 0, the inbox is at 1"}},
		"update twice or out of order": {func(s *prove.State) {
			s.Streams["ada"] = prove.Stream{Sequence: 1, Messages: s.Streams["ada"].Messages, Repeated: []int64{1}}
		}, prove.Breach{Kind: prove.StreamGap, Detail: "updates of ada came twice or out of order at sequence 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sound()
			c.plant(&s)
			require.Equal(t, []prove.Breach{c.want}, prove.Judge(s))
		})
	}
}

// TestJudgePermits: what the promises leave open is no breach.
func TestJudgePermits(t *testing.T) {
	t.Parallel()
	s := sound()
	s.Messages[1].Labelled = true
	s.Calls = append(s.Calls, s.Calls[0])
	require.Empty(t, prove.Judge(s), "a double that is marked as possible")
	s = sound()
	s.Runs[3].Status = "completed"
	s.Messages = append(s.Messages, prove.Message{ID: "m6", RunID: "n4", Subscriber: "cleo", Channel: "in_app", Status: "sent"})
	require.Empty(t, prove.Judge(s), "a run that a throttle lets through")
}
