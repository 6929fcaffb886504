package pgmove_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmove"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestConflictsAreForeseen: a value that another organization of the target has is named before anything is held, and one that
// came afterwards is not taken.
func TestConflictsAreForeseen(t *testing.T) {
	t.Parallel()
	c := newCells(t)
	conflicts := func() []string {
		t.Helper()
		plan, err := c.move(nil).Plan(t.Context())
		require.NoError(t, err)
		return plan.Conflicts
	}
	require.Empty(t, conflicts())
	for _, u := range pgmove.Unique() {
		row, there := c.source.Here.IDs[u.Table], c.target.There.IDs[u.Table]
		before := pgtest.Ask[string](c.target, `SELECT `+u.Column+`::text FROM `+u.Table+` WHERE id = $1`, there)
		same := pgtest.Ask[string](c.source, `SELECT `+u.Column+`::text FROM `+u.Table+` WHERE id = $1`, row)
		c.target.Exec(`UPDATE `+u.Table+` SET `+u.Column+` = $2::text::`+u.Kind+` WHERE id = $1`, there, same)
		require.Equal(t, []string{u.Table + " " + row + " (" + u.Column + ")"}, conflicts())
		c.target.Exec(`UPDATE `+u.Table+` SET `+u.Column+` = $2::text::`+u.Kind+` WHERE id = $1`, there, before)
	}

	key, there := pgtest.Ask[string](c.source, `SELECT hash::text FROM api_keys WHERE id = $1`, c.source.Here.IDs["api_keys"]), c.target.There.IDs["api_keys"]
	c.target.Exec(`UPDATE api_keys SET hash = $2::text::bytea WHERE id = $1`, there, key)
	err := c.move(func(pgmove.Step) {}).Run(t.Context())
	require.True(t, postgres.IsUniqueViolation(err, "api_keys_hash_key"), "%v", err)
	require.Equal(t, [2]string{"leaving", ""}, c.states())
	require.NoError(t, c.move(func(pgmove.Step) {}).Undo(t.Context()))
	c.target.Exec(`DELETE FROM api_keys WHERE id = $1`, there)
	c.run()
	require.Empty(t, conflicts(), "what has arrived is its own")
	c.requireMoved()
}

// TestUniqueValuesAreKnown: an index over one column, which is unique in the whole cell, is looked at before a move, or is named
// here with what keeps it from failing one.
func TestUniqueValuesAreKnown(t *testing.T) {
	t.Parallel()
	known := []string{"users.email"} // people of both cells become one
	for _, u := range pgmove.Unique() {
		known = append(known, u.Table+"."+u.Column)
	}
	s := pgtest.NewStore(t)
	found := pgtest.Ask[[]string](s, `SELECT array_agg(c.relname || '.' || a.attname) FROM pg_index i
		JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
		WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique AND NOT i.indisprimary AND i.indnkeyatts = 1 AND i.indpred IS NULL`)
	found = slices.DeleteFunc(found, func(name string) bool { return name == "sessions.hash" || name == "log_in_tries.key" }) // they stay
	require.ElementsMatch(t, known, found)
}
