package pgmessage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// sent stores a mail to ada@example.org that the provider accepted and knows as "pm-name".
func sent(s *pgtest.Store, name string) {
	s.T.Helper()
	m := s.Message(name)
	m.Status, m.DueAt, m.Email = workflow.MessageSent, nil, new("ada@example.org")
	s.InsertRuns(s.Run(name))
	m.IntegrationID = "i"
	s.InsertMessages(m)
	s.Exec(`UPDATE messages SET provider_message_id = $2 WHERE id = $1`, m.ID, "pm-"+name)
	s.Add(s.Here, "attempts", pgtest.Values{"message_id": m.ID, "integration_id": "i", "outcome": "accepted", "provider_message_id": "pm-" + name})
}

func receipt(event, message string, kind workflow.ReceiptKind, minutes int) pgmessage.ReceiptRow {
	return pgmessage.ReceiptRow{EventID: event, Kind: kind, ProviderMessageID: "pm-" + message, At: *pgtest.At(minutes)}
}

func record(s *pgtest.Store, report pgmessage.ReceiptReport) {
	s.T.Helper()
	require.NoError(s.T, pgmessage.RecordReceipts(s.Ctx, s.DB, s.Here.Scope, "i", workflow.ChannelEmail, report))
}

// state of a message: "status receipt error_id".
func state(s *pgtest.Store, name string) string {
	s.T.Helper()
	return pgtest.Ask[string](s, `SELECT concat_ws(' ', status, coalesce(receipt, '-'), coalesce(error_id, '-')) FROM messages WHERE id = $1`, "m-"+name)
}

// TestReceiptsMoveForward brings the same receipts in different orders, which must come to the same.
func TestReceiptsMoveForward(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	delivered, opened, clicked, bounced, failed, complained := workflow.ReceiptDelivered, workflow.ReceiptOpened, workflow.ReceiptClicked, workflow.ReceiptBounced, workflow.ReceiptFailed, workflow.ReceiptComplained
	for name, c := range map[string]struct {
		kinds []workflow.ReceiptKind
		want  string
	}{
		"delivered":       {[]workflow.ReceiptKind{delivered}, "sent delivered -"},
		"forward":         {[]workflow.ReceiptKind{delivered, opened, clicked}, "sent clicked -"},
		"backward":        {[]workflow.ReceiptKind{clicked, opened, delivered}, "sent clicked -"},
		"bounced":         {[]workflow.ReceiptKind{bounced}, "error bounced bounced"},
		"failed":          {[]workflow.ReceiptKind{failed}, "error failed failed"},
		"complained":      {[]workflow.ReceiptKind{delivered, complained, opened}, "sent complained -"},
		"after a bounce":  {[]workflow.ReceiptKind{bounced, delivered}, "sent delivered -"},
		"before a bounce": {[]workflow.ReceiptKind{delivered, bounced}, "sent delivered -"},
	} {
		t.Run(name, func(t *testing.T) {
			sent(s, name)
			for i, kind := range c.kinds {
				record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{receipt(name+string(kind), name, kind, i)}})
			}
			require.Equal(t, c.want, state(s, name))
			moves := pgtest.Ask[int](s, `SELECT jsonb_array_length(trace) FROM notifications WHERE id = $1`, "n-"+name)
			for i := range c.kinds {
				record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{receipt(name+string(c.kinds[i]), name, c.kinds[i], i)}})
			}
			require.Equal(t, c.want, state(s, name), "what is reported again counts once")
			require.Equal(t, moves, pgtest.Ask[int](s, `SELECT jsonb_array_length(trace) FROM notifications WHERE id = $1`, "n-"+name))
			together := name + " at once"
			sent(s, together)
			var all []pgmessage.ReceiptRow
			for i, kind := range c.kinds {
				all = append(all, receipt(together+string(kind), together, kind, i))
			}
			record(s, pgmessage.ReceiptReport{Receipts: all})
			require.Equal(t, c.want, state(s, together), "in one request")
		})
	}
}

// TestReceiptsBeforeTheAnswer keeps a receipt whose message is not known yet.
func TestReceiptsBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{receipt("e", "late", workflow.ReceiptDelivered, 0)}})
	sent(s, "late")
	require.Equal(t, "sent - -", state(s, "late"))
	for _, c := range []struct {
		rows        pgtest.Rows
		integration string
		want        string
	}{{s.There, "i", "sent - -"}, {s.Here, "j", "sent - -"}, {s.Here, "i", "sent delivered -"}} {
		require.NoError(t, pgmessage.LinkReceipts(s.Ctx, s.DB, c.rows.Scope, c.integration, []string{"pm-late"}))
		require.Equal(t, c.want, state(s, "late"), "%s of %s", c.integration, c.rows.Scope.EnvironmentID)
	}
	require.Equal(t, "m-late", pgtest.Ask[string](s, `SELECT message_id FROM receipts WHERE provider_event_id = 'e'`))
}

// TestReceiptsOfOthers shows that a receipt moves only a message of its integration and environment.
func TestReceiptsOfOthers(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	sent(s, "x")
	report := pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{receipt("e", "x", workflow.ReceiptBounced, 0)}}
	require.NoError(t, pgmessage.RecordReceipts(s.Ctx, s.DB, s.There.Scope, "i", workflow.ChannelEmail, report))
	require.NoError(t, pgmessage.RecordReceipts(s.Ctx, s.DB, s.Here.Scope, "j", workflow.ChannelEmail, report))
	require.Equal(t, "sent - -", state(s, "x"))
	record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{{EventID: "f", Kind: workflow.ReceiptBounced, At: pgtest.Noon}}})
	require.Equal(t, "sent - -", state(s, "x"), "one that names no message moves none")
	record(s, report)
	require.Equal(t, "error bounced bounced", state(s, "x"), "the provider's ids are unique per integration only")
	record(s, pgmessage.ReceiptReport{})
}

// TestReceiptsSuppress says which receipts stop further messages to an address.
func TestReceiptsSuppress(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		receipt pgmessage.ReceiptRow
		proven  bool
		want    []string
	}{
		"permanent bounce":         {pgmessage.ReceiptRow{Kind: workflow.ReceiptBounced, Permanent: true, Recipient: "Ada@Example.org"}, true, []string{"email ada@example.org bounce"}},
		"passing bounce":           {pgmessage.ReceiptRow{Kind: workflow.ReceiptBounced, Recipient: "ada@example.org"}, true, nil},
		"complaint":                {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained, Recipient: "ada@example.org"}, true, []string{"email ada@example.org complaint"}},
		"delivery":                 {pgmessage.ReceiptRow{Kind: workflow.ReceiptDelivered, Permanent: true, Recipient: "ada@example.org"}, true, nil},
		"no address":               {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained}, true, nil},
		"proven of another":        {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained, Recipient: "eve@example.org"}, true, []string{"email eve@example.org complaint"}},
		"not proven, own message":  {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained, Recipient: "ada@example.org", ProviderMessageID: "pm-x"}, false, []string{"email ada@example.org complaint"}},
		"not proven, own, bounce":  {pgmessage.ReceiptRow{Kind: workflow.ReceiptBounced, Permanent: true, Recipient: "ada@example.org", ProviderMessageID: "pm-x"}, false, []string{"email ada@example.org bounce"}},
		"not proven, not its own":  {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained, Recipient: "eve@example.org", ProviderMessageID: "pm-x"}, false, nil},
		"not proven, no message":   {pgmessage.ReceiptRow{Kind: workflow.ReceiptComplained, Recipient: "ada@example.org"}, false, nil},
		"not proven, just failing": {pgmessage.ReceiptRow{Kind: workflow.ReceiptFailed, Permanent: true, Recipient: "ada@example.org", ProviderMessageID: "pm-x"}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pgtest.NewStore(t)
			s.Exec(`DELETE FROM suppressions`)
			sent(s, "x")
			c.receipt.EventID, c.receipt.At = "e", pgtest.Noon
			record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{c.receipt}, Proven: c.proven})
			line := `concat_ws(' ', channel, address, reason)`
			require.ElementsMatch(t, c.want, pgtest.Column[string](s, s.Here, "suppressions", line))
			require.Empty(t, pgtest.Column[string](s, s.There, "suppressions", line))
		})
	}
}

// TestReceiptTokensCountOnce drops a request that comes with a used token.
func TestReceiptTokensCountOnce(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	sent(s, "x")
	report := func(event, token string) pgmessage.ReceiptReport {
		return pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{receipt(event, "x", workflow.ReceiptDelivered, 0)}, Token: token, Expires: pgtest.Noon.Add(time.Hour)}
	}
	events := func() int { return pgtest.Ask[int](s, `SELECT count(*) FROM receipts WHERE integration_id = 'i'`) }
	record(s, report("a", "t1"))
	record(s, report("b", "t1"))
	require.Equal(t, 1, events())
	record(s, report("b", "t2"))
	require.Equal(t, 2, events())
	record(s, report("c", ""))
	record(s, report("d", ""))
	require.Equal(t, 4, events(), "without a token all count")
	require.NoError(t, pgmessage.RecordReceipts(s.Ctx, s.DB, s.Here.Scope, "j", workflow.ChannelEmail, report("a", "t1")))
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM receipts WHERE integration_id = 'j'`), "another integration's tokens are its own")
	record(s, pgmessage.ReceiptReport{Token: "alone", Expires: pgtest.Noon})
	require.True(t, pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM used_tokens WHERE token = 'alone' AND integration_id = 'i')`))
}

// TestRecordedReceipts are reported, and those that a provider repeats are not.
func TestRecordedReceipts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	var recorded []workflow.ReceiptKind
	report := func(token string, receipts ...pgmessage.ReceiptRow) []workflow.ReceiptKind {
		recorded = nil
		record(s, pgmessage.ReceiptReport{
			Receipts: receipts, Token: token, Expires: pgtest.Noon.Add(time.Hour),
			Recorded: func(kind workflow.ReceiptKind) { recorded = append(recorded, kind) },
		})
		return recorded
	}
	opened, bounced := receipt("a", "x", workflow.ReceiptOpened, 0), receipt("b", "x", workflow.ReceiptBounced, 0)
	require.Equal(t, []workflow.ReceiptKind{workflow.ReceiptOpened}, report("", opened, opened))
	require.Equal(t, []workflow.ReceiptKind{workflow.ReceiptBounced}, report("t", opened, bounced))
	require.Empty(t, report("t", receipt("c", "x", workflow.ReceiptOpened, 0)), "under a used token")
	require.Empty(t, report("", opened, bounced))
}

// TestManyReceipts of one request are recorded a part at a time, and come to what they say all the same.
func TestManyReceipts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM suppressions`)
	sent(s, "first")
	sent(s, "last")
	const many = 2_500
	var all []pgmessage.ReceiptRow
	for i := range many {
		r := receipt(fmt.Sprint("e", i), fmt.Sprint("unknown", i), workflow.ReceiptBounced, 0)
		r.Permanent, r.Recipient = true, fmt.Sprintf("u%d@example.org", i)
		all = append(all, r)
	}
	all[0].ProviderMessageID, all[many-1].ProviderMessageID = "pm-first", "pm-last"
	all = append(all, all[0], all[many-1])
	record(s, pgmessage.ReceiptReport{Receipts: all, Proven: true})
	require.Equal(t, many, pgtest.Ask[int](s, `SELECT count(*) FROM receipts WHERE integration_id = 'i'`))
	require.Equal(t, many, pgtest.Ask[int](s, `SELECT count(*) FROM suppressions`))
	for _, name := range []string{"first", "last"} {
		require.Equal(t, "error bounced bounced", state(s, name))
	}
	require.LessOrEqual(t, pgtest.Ask[int](s, `SELECT max(n) FROM (SELECT count(*) AS n FROM receipts WHERE message_id IS NULL GROUP BY xmin) AS written`),
		1_000, "what a statement takes grows with the square of its receipts")
}

// TestReceiptsOfCopies: what became of a copy says nothing of the message. The trace says it, the address is suppressed, and no webhook
// reports it as an event of the message.
func TestReceiptsOfCopies(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM suppressions`)
	s.Exec(`DELETE FROM webhook_deliveries`)
	s.Exec(`UPDATE webhook_endpoints SET active = true, channels = '[]', workflows = '[]',
	event_types = '["message.delivered", "message.opened", "message.bounced", "message.complained"]' WHERE environment_id = $1`, s.Here.Scope.EnvironmentID)
	about := func(event, message, recipient string, kind workflow.ReceiptKind, minutes int) pgmessage.ReceiptRow {
		r := receipt(event, message, kind, minutes)
		r.Recipient, r.Permanent, r.Detail = recipient, kind == workflow.ReceiptBounced, "550 gone"
		return r
	}
	traced := func(name string) (entries []string) {
		for _, e := range s.Record("notifications", "n-"+name)["trace"].([]any) {
			entries = append(entries, e.(map[string]any)["detail"].(string))
		}
		return entries
	}
	for name, proven := range map[string]bool{"proven": true, "unproven": false} {
		eve := "eve-" + name + "@example.org"
		sent(s, name)
		s.Exec(`UPDATE messages SET envelope = jsonb_build_object('to', '["ada@example.org"]'::jsonb, 'copies', jsonb_build_array($2::text)) WHERE id = $1`, "m-"+name, eve)
		report := func(rows ...pgmessage.ReceiptRow) { record(s, pgmessage.ReceiptReport{Proven: proven, Receipts: rows}) }
		report(about(name+"1", name, "Ada@example.org", workflow.ReceiptDelivered, 1), about(name+"2", name, "Eve-"+name+"@Example.org", workflow.ReceiptBounced, 2))
		require.Equal(t, "sent delivered -", state(s, name))
		require.Equal(t, []string{"bounced, copy to " + eve + ": 550 gone", "delivered: 550 gone"}, traced(name))
		require.Contains(t, pgtest.Column[string](s, s.Here, "suppressions", "address"), eve)

		report(about(name+"3", name, eve, workflow.ReceiptOpened, 3), about(name+"4", name, eve, workflow.ReceiptOpened, 4))
		report(about(name+"5", name, eve, workflow.ReceiptOpened, 5), about(name+"6", name, eve, workflow.ReceiptComplained, 6))
		require.Equal(t, "sent delivered -", state(s, name), "a copy was read, and its reader complained")
		require.Len(t, traced(name), 4, "the first of each kind")

		report(about(name+"7", name, "ada@example.org", workflow.ReceiptOpened, 7))
		require.Equal(t, "sent opened -", state(s, name))
		s.Exec(`UPDATE messages SET envelope = NULL WHERE id = $1`, "m-"+name)
		report(about(name+"8", name, "forwarded@example.net", workflow.ReceiptBounced, 8))
		require.Equal(t, "error bounced bounced", state(s, name), "where a server forwarded the mail, the vendor may name the address behind it")
	}
	reported := []string{"message.delivered sent", "message.opened sent", "message.bounced error"}
	require.ElementsMatch(t, append(reported, reported...), pgtest.Column[string](s, s.Here, "webhook_deliveries", `event_type || ' ' || (payload->'data'->>'status')`),
		"with the status that the receipt has brought about")
}

// TestReceiptsNameTheMessage: where a provider has an id for the mail of each recipient, the copies are told by the id of the message here.
func TestReceiptsNameTheMessage(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM suppressions`)
	sent(s, "x")
	s.Exec(`UPDATE messages SET envelope = '{"to": ["ada@example.org"], "copies": ["eve@example.org"]}' WHERE id = 'm-x'`)
	ofCopy := receipt("e", "of-eve", workflow.ReceiptBounced, 1)
	ofCopy.MessageID, ofCopy.Recipient, ofCopy.Permanent = "m-x", "Eve@example.org", true
	foreign := receipt("f", "of-another", workflow.ReceiptBounced, 1)
	foreign.MessageID = "m-none"
	report := pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{ofCopy, foreign}}
	require.NoError(t, pgmessage.RecordReceipts(s.Ctx, s.DB, s.Here.Scope, "j", workflow.ChannelEmail, report))
	require.NoError(t, pgmessage.RecordReceipts(s.Ctx, s.DB, s.There.Scope, "i", workflow.ChannelEmail, report))
	require.Empty(t, pgtest.Column[string](s, s.Here, "suppressions", "address"), "it names a message of another integration or environment")
	record(s, report)
	require.Equal(t, []string{"eve@example.org"}, pgtest.Column[string](s, s.Here, "suppressions", "address"))
	require.Equal(t, "sent - -", state(s, "x"))
	of := func(event string) string {
		return pgtest.Ask[string](s, `SELECT coalesce(message_id, '-') || ' ' || provider_message_id FROM receipts
WHERE environment_id = $1 AND integration_id = 'i' AND provider_event_id = $2`, s.Here.Scope.EnvironmentID, event)
	}
	require.Equal(t, []string{"m-x pm-x", "- pm-of-another"}, []string{of("e"), of("f")})
}

// TestMissedReceipts are those whose message is known and that were not linked to it, and no others.
func TestMissedReceipts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	began := time.Now().Add(-time.Minute)
	missed := func(since time.Time) []pgmessage.SentID {
		found, err := pgmessage.MissedReceipts(s.Ctx, s.DB, since, 9)
		require.NoError(t, err)
		return found
	}
	require.Empty(t, missed(began))
	record(s, pgmessage.ReceiptReport{Receipts: []pgmessage.ReceiptRow{
		receipt("a", "early", workflow.ReceiptBounced, 0), receipt("b", "early", workflow.ReceiptOpened, 1), receipt("c", "unknown", workflow.ReceiptOpened, 0),
	}})
	require.Empty(t, missed(began), "the answer is not recorded yet")
	sent(s, "early") // and its process ends
	require.Equal(t, []pgmessage.SentID{{EnvironmentID: s.Here.Scope.EnvironmentID, IntegrationID: "i", ProviderMessageID: "pm-early"}}, missed(began))
	require.Empty(t, missed(time.Now().Add(time.Hour)))
	require.NoError(t, pgmessage.LinkReceipts(s.Ctx, s.DB, s.Here.Scope, "i", []string{"pm-early"}))
	require.Empty(t, missed(began))
	require.Equal(t, "sent opened -", state(s, "early"))
}
