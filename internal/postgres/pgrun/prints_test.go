package pgrun_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
)

// TestPrints: whatever changes of what planning reads is found by a check of the prints and the version that were read with it, and
// nothing else is.
func TestPrints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string // $1 is the subscriber's internal id
		found  bool
	}{
		"Nothing":              {`SELECT $1::text`, false},
		"Profile":              {`UPDATE subscribers SET email = 'new@example.com' WHERE id = $1`, true},
		"Data":                 {`UPDATE subscribers SET data = '{"a": 2}' WHERE id = $1`, true},
		"Schedule":             {`UPDATE subscribers SET schedule = '{"isEnabled": true}' WHERE id = $1`, true},
		"Presence":             {`UPDATE subscribers SET is_online = true, updated_at = now() WHERE id = $1`, false},
		"Deleted":              {`UPDATE subscribers SET deleted = true WHERE id = $1`, true},
		"Gone":                 {`DELETE FROM subscribers WHERE id = $1`, true},
		"SubscriberElsewhere":  {`UPDATE subscribers SET email = 'new@example.com' WHERE id <> $1`, false},
		"GlobalPreference":     {`UPDATE preferences SET enabled = false WHERE subscriber_id = $1 AND workflow_id = ''`, true},
		"Preference":           {`UPDATE preferences SET channels = '{"sms": false}' WHERE subscriber_id = $1 AND workflow_id = 'w'`, true},
		"NoPreference":         {`DELETE FROM preferences WHERE subscriber_id = $1 AND workflow_id = 'w'`, true},
		"PreferenceOfAnother":  {`UPDATE preferences SET enabled = false WHERE subscriber_id = $1 AND workflow_id = 'another'`, false},
		"Setting":              {`UPDATE subscriber_channels SET credentials = '{"webhookUrl": "https://b.example"}' WHERE subscriber_id = $1`, true},
		"NoSetting":            {`DELETE FROM subscriber_channels WHERE subscriber_id = $1`, true},
		"Endpoint":             {`UPDATE channel_endpoints SET endpoint = '{"url": "https://b.example"}' WHERE subscriber_id = $1 AND scope = ''`, true},
		"EndpointOfScope":      {`UPDATE channel_endpoints SET endpoint = '{"url": "https://b.example"}' WHERE subscriber_id = $1 AND scope = 'other'`, false},
		"Locale":               {`UPDATE environments SET default_locale = 'fr' WHERE $1 <> ''`, true},
		"Configuration":        {`UPDATE environments SET configuration_version = 'next' WHERE $1 <> ''`, true},
		"EnvironmentOtherwise": {`UPDATE environments SET name = 'another', updated_at = now() WHERE $1 <> ''`, false},
		"Breaker":              {`UPDATE integrations SET breaker = 'open' WHERE $1 <> ''`, true},
		"LearnedRate":          {`UPDATE integrations SET learned_rate = 7 WHERE $1 <> ''`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pgtest.NewStore(t)
			for _, table := range []string{"preferences", "subscriber_channels", "channel_endpoints"} {
				s.Exec(`DELETE FROM ` + table)
			}
			s.Exec(`UPDATE integrations SET active = true, deleted = false, breaker = 'closed', breaker_failures = 0, learned_rate = NULL`)
			who := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "data": `{"a": 1}`})
			for i, of := range []string{"", "w", "another"} {
				s.Add(s.Here, "preferences", pgtest.Values{"subscriber_id": who, "workflow_id": of, "scope": "", "enabled": true, "channels": `{"email": true}`, "id": "p" + string('0'+rune(i))})
			}
			s.Add(s.Here, "subscriber_channels", pgtest.Values{"subscriber_id": who, "credentials": `{"webhookUrl": "https://a.example"}`})
			for i, scope := range []string{"", "other"} {
				s.Add(s.Here, "channel_endpoints", pgtest.Values{"subscriber_id": who, "scope": scope, "identifier": "e" + string('0'+rune(i)), "endpoint": `{"url": "https://a.example"}`})
			}
			environment := s.Here.Scope.EnvironmentID
			prints := &pgrun.Prints{
				Environments: []string{environment},
				People: []pgrun.PersonPrint{
					{PersonKey: pgrun.PersonKey{EnvironmentID: environment, SubscriberID: "ada", WorkflowID: "w", Preferences: true, Settings: true, Endpoints: true}},
					{PersonKey: pgrun.PersonKey{EnvironmentID: environment, SubscriberID: "nobody"}},
				},
			}
			snapshot, err := pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{Environments: []string{environment}, Prints: prints})
			require.NoError(t, err)
			require.Empty(t, prints.People[1].Print)
			prints.People = prints.People[:1]

			s.Exec(c.change, who)
			check, batch := &bulk.Check{}, &pgx.Batch{}
			pgaccept.ExpectVersions(check, []pgaccept.EnvironmentVersion{{EnvironmentID: environment, Version: snapshot.Environments[environment].Version}})
			prints.Expect(check)
			check.Queue(batch)
			require.Equal(t, c.found, pgaccept.Overtaken(s.Pool.SendBatch(s.Ctx, batch).Close()))
		})
	}
}

// TestPrintsAreOfWhatIsRead: a recipient who is changed while it is read has the print of the row that was read.
func TestPrintsAreOfWhatIsRead(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada", "first_name": "Ada"})
	environment := s.Here.Scope.EnvironmentID
	conn, err := s.Pool.Acquire(s.Ctx)
	require.NoError(t, err)
	defer conn.Release()
	read := func() (*pgrun.Snapshot, *pgrun.Prints, error) {
		prints := &pgrun.Prints{People: []pgrun.PersonPrint{{PersonKey: pgrun.PersonKey{EnvironmentID: environment, SubscriberID: "ada"}}}}
		snapshot, err := pgrun.LoadSnapshot(s.Ctx, conn, pgrun.SnapshotQuery{
			Environments: []string{environment}, Prints: prints, Subscribers: []pgsubscriber.SubscriberKey{{EnvironmentID: environment, SubscriberID: "ada"}},
		})
		return snapshot, prints, err
	}
	_, before, err := read() // its statements are prepared
	require.NoError(t, err)
	other, err := s.Pool.Begin(s.Ctx)
	require.NoError(t, err)
	_, err = other.Exec(s.Ctx, `LOCK TABLE environments IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	type answer struct {
		snapshot *pgrun.Snapshot
		prints   *pgrun.Prints
		err      error
	}
	done := make(chan answer, 1)
	go func() {
		snapshot, prints, err := read()
		done <- answer{snapshot, prints, err}
	}()
	require.Eventually(t, func() bool {
		return pgtest.Ask[bool](s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
	}, stall.Limit(time.Minute), time.Millisecond, "it has read the print, and waits for the environment")
	s.Exec(`UPDATE subscribers SET first_name = 'Eve' WHERE subscriber_id = 'ada'`)
	require.NoError(t, other.Commit(s.Ctx))
	got := <-done
	require.NoError(t, got.err)
	require.Equal(t, before.People[0].Print, got.prints.People[0].Print)
	require.Equal(t, "Ada", *got.snapshot.Subscribers[0].FirstName)
	require.Equal(t, byte('I'), conn.Conn().PgConn().TxStatus(), "the connection is free for others")
}

// TestPrintsByWhatIsWanted: a check of recipients of whom different things are wanted finds the prints that were read, whatever is wanted
// of each, and finds each change of what is wanted.
func TestPrintsByWhatIsWanted(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	environment := s.Here.Scope.EnvironmentID
	var keys []pgrun.PersonKey
	for n := range 8 {
		name := "s" + string('0'+rune(n))
		who := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": name})
		s.Add(s.Here, "preferences", pgtest.Values{"subscriber_id": who, "workflow_id": "w", "scope": "", "enabled": true, "channels": `{"email": true}`})
		s.Add(s.Here, "subscriber_channels", pgtest.Values{"subscriber_id": who, "credentials": `{"webhookUrl": "https://a.example"}`})
		s.Add(s.Here, "channel_endpoints", pgtest.Values{"subscriber_id": who, "scope": "", "identifier": "e" + name, "endpoint": `{"url": "https://a.example"}`})
		keys = append(keys, pgrun.PersonKey{
			EnvironmentID: environment, SubscriberID: name, WorkflowID: "w", Preferences: n&1 > 0, Settings: n&2 > 0, Endpoints: n&4 > 0,
		})
	}
	read := func(keys ...pgrun.PersonKey) *pgrun.Prints {
		prints := &pgrun.Prints{}
		for _, key := range keys {
			prints.People = append(prints.People, pgrun.PersonPrint{PersonKey: key})
		}
		_, err := pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{Environments: []string{environment}, Prints: prints})
		require.NoError(t, err)
		return prints
	}
	changed := func(prints *pgrun.Prints) bool {
		check, batch := &bulk.Check{}, &pgx.Batch{}
		prints.Expect(check)
		check.Queue(batch)
		err := s.Pool.SendBatch(s.Ctx, batch).Close()
		require.True(t, err == nil || pgaccept.Overtaken(err), err)
		return err != nil
	}
	all, alone := read(keys...), make([]*pgrun.Prints, len(keys))
	require.False(t, changed(all))
	for i, key := range keys {
		alone[i] = read(key)
		require.False(t, changed(alone[i]), key)
	}
	for bit, change := range []string{
		`UPDATE preferences SET enabled = NOT enabled`, `UPDATE subscriber_channels SET credentials = '{"webhookUrl": "https://b.example"}'`,
		`UPDATE channel_endpoints SET endpoint = endpoint || '{"url": "https://b.example"}'`,
	} {
		s.Exec(change)
		require.True(t, changed(all))
		for i, key := range keys {
			require.Equal(t, i&(1<<bit) > 0, changed(alone[i]), "%s: %+v", change, key)
			alone[i] = read(key)
		}
		all = read(keys...)
	}
}

// TestLiving: a recipient who was deleted, or is gone, is found by a check, whatever else was changed is not.
func TestLiving(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	ada, bob := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada"}), s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "bob"})
	for _, c := range []struct {
		change string
		found  []bool // of ada alone, of both
	}{
		{`UPDATE subscribers SET email = 'new@example.com'`, []bool{false, false}},
		{`UPDATE subscribers SET deleted = true WHERE subscriber_id = 'bob'`, []bool{false, true}},
		{`DELETE FROM subscribers WHERE subscriber_id = 'ada'`, []bool{true, true}},
	} {
		s.Exec(c.change)
		for i, living := range [][]string{{ada}, {ada, bob}} {
			check, batch := &bulk.Check{}, &pgx.Batch{}
			(&pgrun.Prints{Living: living}).Expect(check)
			check.Queue(batch)
			require.Equal(t, c.found[i], pgaccept.Overtaken(s.Pool.SendBatch(s.Ctx, batch).Close()), c.change)
		}
	}
}

// TestCompactPrints leaves one of those that are named twice, and both where they are not the same.
func TestCompactPrints(t *testing.T) {
	t.Parallel()
	one, other := pgrun.PersonKey{EnvironmentID: "e", SubscriberID: "a"}, pgrun.PersonKey{EnvironmentID: "e", SubscriberID: "a", WorkflowID: "w"}
	prints := &pgrun.Prints{
		Environments: []string{"e", "d", "e"},
		People:       []pgrun.PersonPrint{{one, "1"}, {other, "1"}, {one, "2"}, {one, "1"}},
		Living:       []string{"b", "a", "b"},
	}
	prints.Compact()
	require.Equal(t, &pgrun.Prints{
		Environments: []string{"d", "e"},
		People:       []pgrun.PersonPrint{{one, "1"}, {one, "2"}, {other, "1"}},
		Living:       []string{"a", "b"},
	}, prints)
}

// TestPrintsWithoutMD5: a server in FIPS mode has no md5.
func TestPrintsWithoutMD5(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	environment := s.Here.Scope.EnvironmentID
	s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "ada"})
	conn, err := s.Pool.Acquire(s.Ctx)
	require.NoError(t, err)
	defer conn.Release()
	for _, as := range []string{
		`CREATE SCHEMA fips`,
		`CREATE FUNCTION fips.md5(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'unsupported'; END $$`,
		`SET search_path = fips, pg_catalog, public`,
	} {
		_, err := conn.Exec(s.Ctx, as)
		require.NoError(t, err)
	}
	prints := &pgrun.Prints{People: []pgrun.PersonPrint{{PersonKey: pgrun.PersonKey{EnvironmentID: environment, SubscriberID: "ada"}}}}
	_, err = pgrun.LoadSnapshot(s.Ctx, conn, pgrun.SnapshotQuery{
		Environments: []string{environment}, Prints: prints, Subscribers: []pgsubscriber.SubscriberKey{{EnvironmentID: environment, SubscriberID: "ada"}},
	})
	require.NoError(t, err)
	require.NotEmpty(t, prints.People[0].Print)
}
