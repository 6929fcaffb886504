package bulk_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// fields set a column of a row to one of several values, the first of which is nothing.
var fields = []func(r *row, n int){
	func(r *row, n int) { r.Name = []*string{nil, new(""), new("Ann")}[n%3] },
	func(r *row, n int) { r.Colour = []colour{"", "red", "blue"}[n%3] },
	func(r *row, n int) { r.Parent = []string{"", "p", "q"}[n%3] },
	func(r *row, n int) { r.N = n },
	func(r *row, n int) { r.Big = int64(n) << 40 },
	func(r *row, n int) { r.Share = float64(n) / 4 },
	func(r *row, n int) { r.Raw = [][]byte{nil, {}, {0, 255}}[n%3] },
	func(r *row, n int) { r.On = n > 0 },
	func(r *row, n int) { r.At = []*time.Time{nil, new(time.UnixMicro(1)), new(time.UnixMicro(2))}[n%3] },
	func(r *row, n int) { r.Tags = [][]string{nil, {}, {"x", `"`}}[n%3] },
	func(r *row, n int) { r.Data = []map[string]any{nil, {}, {"k": "v"}}[n%3] },
	func(r *row, n int) {
		r.Text = []json.RawMessage{nil, json.RawMessage("null"), json.RawMessage(`[1]`)}[n%3]
	},
}

// alikeRows have the same values in all fields but those that vary says.
func alikeRows(random *rand.Rand, n int, varies ...int) []row {
	rows := make([]row, n)
	for i, set := range fields {
		same := random.IntN(3)
		for k := range rows {
			if slices.Contains(varies, i) {
				set(&rows[k], k%3)
			} else {
				set(&rows[k], same)
			}
		}
	}
	for k := range rows {
		rows[k].ID = fmt.Sprintf("%d-%d", random.Uint64(), k)
	}
	return rows
}

// TestAlikeRowsBecomeWhatOthersBecome inserts rows that are alike in any columns, several statements at once, and compares each with the
// same row inserted alone.
func TestAlikeRowsBecomeWhatOthersBecome(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	_, err := db.Pool.Exec(ctx, things)
	require.NoError(t, err)
	inOrder := bulk.Insert("things", columns).Set("note", "u.place || @1").InOrder().With("")
	upsert := bulk.Insert("things", columns).Set("note", "@1").OnConflict("(id) DO UPDATE SET note = excluded.note, n = excluded.n")
	alone := bulk.Insert("things", columns).Set("note", "@1").With("")
	var group sync.WaitGroup
	var texts sync.Map
	for seed := range uint64(8) {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1))
			for range 20 {
				varies := random.Perm(len(fields))[:random.IntN(len(fields)+1)]
				rows := alikeRows(random, 1+random.IntN(40), varies...)
				b := &pgx.Batch{}
				texts.Store(upsert.Queue(b, rows, "!").SQL, true)
				texts.Store(inOrder.Queue(b, prefixed(rows, "ordered "), "!").SQL, true)
				for _, r := range prefixed(rows, "alone ") {
					alone.Queue(b, []row{r}, "!")
				}
				if !noError(t, db.Pool.SendBatch(ctx, b).Close()) {
					return
				}
			}
		})
	}
	group.Wait()
	var different int
	require.NoError(t, db.Pool.QueryRow(ctx, `SELECT count(*) FROM things x JOIN things y ON y.id IN ('alone ' || x.id, 'ordered ' || x.id)
		WHERE to_jsonb(x) - 'id' - 'note' <> to_jsonb(y) - 'id' - 'note'`).Scan(&different))
	require.Zero(t, different)
	require.Positive(t, ask(t, db, `SELECT count(*) FROM things WHERE id LIKE 'ordered %'`))
	require.Zero(t, ask(t, db, `SELECT count(*) FROM things WHERE id LIKE 'ordered %' AND note <> split_part(id, '-', 2)::int + 1 || '!'`), "places")
	var once int
	for text := range keys(&texts) {
		if strings.Contains(text, "AS v (") {
			once++
		}
	}
	require.Positive(t, once)
}

func prefixed(rows []row, prefix string) []row {
	copied := slices.Clone(rows)
	for i := range copied {
		copied[i].ID = prefix + copied[i].ID
	}
	return copied
}

func noError(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

func keys(m *sync.Map) map[string]bool {
	all := map[string]bool{}
	for key := range m.Range {
		all[key.(string)] = true //nolint:forcetypeassert // stored so
	}
	return all
}

// TestFormsOfStatement: large statements make forms, small ones use them, and there are few, from which columns that were the same by
// chance disappear.
func TestFormsOfStatement(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	insert := bulk.Insert("things", columns).With("")
	text := func(n int, varies ...int) string {
		return insert.Queue(&pgx.Batch{}, alikeRows(random, n, varies...)).SQL
	}
	arrays := func(text string) (n int) { return strings.Count(text, "[]") }
	require.Equal(t, insert.Text, text(2, 0), "few rows make no form")
	first := text(16, 0)
	require.Equal(t, 2, arrays(first), "of the ids and the names")
	require.Equal(t, first, text(2, 0), "few rows use it")
	require.Equal(t, first, text(16), "nor do rows that are more alike make another")
	require.Equal(t, insert.Text, text(2, 1), "it does not fit")
	second, third, fourth := text(16, 0, 1), text(16, 2), text(16, 3)
	require.Equal(t, []int{3, 2, 2}, []int{arrays(second), arrays(third), arrays(fourth)})
	narrowed := text(16, 4)
	require.Equal(t, 3, arrays(narrowed), "there are many, so that one of them fits both")
	require.Equal(t, narrowed, text(2, 0))
	require.Equal(t, []string{second, third, fourth}, []string{text(2, 0, 1), text(2, 2), text(2, 3)})
	require.Equal(t, insert.Text, text(16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "none would keep enough")
}

// TestStatementsWithoutForms: a text that names the arrays, or that joins tables to them, is as it is written.
func TestStatementsWithoutForms(t *testing.T) {
	t.Parallel()
	rows := alikeRows(rand.New(rand.NewPCG(1, 2)), 20)
	for _, s := range []bulk.Statement[row]{
		bulk.New(`SELECT FROM {rows}`, columns), bulk.Insert("things", columns).Set("n", "cardinality($1)").With(""),
		bulk.Insert("things", columns).Joined("JOIN things o ON o.id = u.parent").With(""),
	} {
		require.Equal(t, s.Text, s.Queue(&pgx.Batch{}, rows).SQL)
	}
}
