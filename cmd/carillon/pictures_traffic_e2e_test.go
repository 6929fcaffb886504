//go:build e2e

package main_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
)

// The spans of the overview's chart, each of which gets some messages, every second one four more.
const (
	trafficSpans = 60
	trafficSpan  = 12 * time.Hour
)

type traffic struct {
	channel, provider, status, outcome string
	took                               time.Duration
}

// trafficOf is the message n of a span.
func trafficOf(span, n int) traffic {
	senders := []traffic{{channel: "email", provider: "sendgrid"}, {channel: "push", provider: "fcm"}, {channel: "email", provider: "sendgrid"}, {channel: "sms", provider: "twilio"}, {channel: "chat", provider: "slack"}}
	of := senders[n%len(senders)]
	of.status, of.outcome, of.took = "sent", "accepted", time.Duration(180+40*((span*7+n*13)%11))*time.Millisecond
	if (span+3*n)%17 == 0 || of.channel == "sms" && span/4 == 9 {
		of.status, of.outcome = "error", "rejected"
	}
	return of
}

// furnishTraffic stores what was sent in the 30 days before began, the instant that pages take for now. Statistics go by the instants in
// identifiers, which no API lets a caller choose. The messages belong to the run of a message that there is.
func (o *office) furnishTraffic(t *testing.T, began time.Time) {
	t.Helper()
	var ids, channels, providers, statuses, outcomes []string
	var at, finished []time.Time
	// The page's period ends half an hour after began.
	end := began.Add(30 * time.Minute)
	for span := range trafficSpans {
		for n := range 3 + (span*5)%4 + 4*(span%2) {
			of, when := trafficOf(span, n), end.Add(-time.Duration(trafficSpans-span)*trafficSpan+trafficSpan/2+time.Duration(n)*time.Minute)
			ids = append(ids, fmt.Sprintf("%s%011x", id.Floor(when)[:13], len(ids)+1))
			channels, providers, statuses, outcomes = append(channels, of.channel), append(providers, of.provider), append(statuses, of.status), append(outcomes, of.outcome)
			at, finished = append(at, when), append(finished, when.Add(of.took))
		}
	}
	db, err := pgx.Connect(t.Context(), strings.TrimPrefix(o.database[0], "CARILLON_DATABASE_URL="))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) }()
	tag, err := db.Exec(t.Context(), `WITH made AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
	AS m (id, channel, provider_id, status, outcome, at, finished)),
likeness AS (SELECT m.id, m.environment_id FROM messages m JOIN subscribers s ON s.id = m.subscriber_id WHERE s.subscriber_id = 'ben' ORDER BY m.id LIMIT 1),
copied AS (INSERT INTO messages SELECT (jsonb_populate_record(l, jsonb_build_object('id', m.id, 'target', m.id, 'created_at', now(), 'channel', m.channel, 'status', m.status,
	'provider_id', m.provider_id))).* FROM messages l, made m WHERE l.id = (SELECT id FROM likeness))
INSERT INTO attempts (id, created_at, updated_at, environment_id, message_id, number, integration_id, provider_id, outcome, finished_at, duplicate_possible)
SELECT m.id, m.at, m.finished, l.environment_id, m.id, 1, 'integration', m.provider_id, m.outcome, m.finished, false FROM made m, likeness l`,
		ids, channels, providers, statuses, outcomes, at, finished)
	require.NoError(t, err)
	require.EqualValues(t, len(ids), tag.RowsAffected())
}
