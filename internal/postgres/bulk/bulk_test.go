package bulk_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

type colour string

type row struct {
	ID     string
	Name   *string
	Colour colour
	Parent string
	N      int
	Big    int64
	Share  float64
	Raw    []byte
	On     bool
	At     *time.Time
	Tags   []string
	Data   map[string]any
	Text   json.RawMessage
}

var columns = bulk.Columns[row]{
	bulk.Field("id", func(r *row) *string { return &r.ID }),
	bulk.Field("name", func(r *row) **string { return &r.Name }),
	bulk.Text("colour", func(r *row) *colour { return &r.Colour }),
	bulk.Optional("parent", func(r *row) *string { return &r.Parent }),
	bulk.Field("n", func(r *row) *int { return &r.N }),
	bulk.Field("big", func(r *row) *int64 { return &r.Big }),
	bulk.Field("share", func(r *row) *float64 { return &r.Share }),
	bulk.Field("raw", func(r *row) *[]byte { return &r.Raw }),
	bulk.Field("is_on", func(r *row) *bool { return &r.On }),
	bulk.Field("at", func(r *row) **time.Time { return &r.At }),
	bulk.List("tags", func(r *row) *[]string { return &r.Tags }),
	bulk.JSON("data", func(r *row) *map[string]any { return &r.Data }),
	bulk.JSON("text", func(r *row) *json.RawMessage { return &r.Text }),
}

const things = `CREATE TABLE things (id text PRIMARY KEY, name text, colour text, parent text, n int, big bigint, share float8,
	raw bytea, is_on bool, at timestamptz, tags jsonb, data jsonb, text jsonb, note text)`

// wholeRow has a value in each column.
func wholeRow() row {
	return row{
		ID: "a", Name: new("naïve \"name\""), Colour: "red", Parent: "p", N: 1, Big: 1 << 40, Share: 0.25, Raw: []byte{0, 255}, On: true,
		At: new(time.Date(2026, 3, 29, 1, 30, 0, 123456000, time.UTC)), Tags: []string{"x", "y"}, Data: map[string]any{"k": "v"},
		Text: json.RawMessage(`{"a": 1}`),
	}
}

// TestRoundTrip writes rows and reads them back, whole ones and empty ones.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	_, err := db.Pool.Exec(ctx, things)
	require.NoError(t, err)
	whole := wholeRow()
	empty := row{ID: "b", Raw: []byte{}, Tags: []string{}}
	insert := bulk.Insert("things", columns).Set("note", "'made as ' || u.id || @1").OnConflict("(id) DO UPDATE SET note = t.note || '!'")
	batch := &pgx.Batch{}
	insert.Queue(batch, []row{whole, empty}, " here")
	insert.Queue(batch, []row{empty}, " twice")
	insert.Queue(batch, nil, " never")
	require.NoError(t, db.Pool.SendBatch(ctx, batch).Close())

	rows, err := db.Pool.Query(ctx, `SELECT `+columns.Select("t")+` FROM things t ORDER BY id`)
	stored, err := columns.Collect(rows, err, "read things")
	require.NoError(t, err)
	require.Len(t, stored, 2)
	require.True(t, whole.At.Equal(*stored[0].At))
	stored[0].At = whole.At
	require.Equal(t, []row{whole, empty}, stored)

	var notes []string
	var nulls int
	require.NoError(t, db.Pool.QueryRow(ctx, `SELECT array_agg(note ORDER BY id),
		count(*) FILTER (WHERE name IS NULL AND parent IS NULL AND at IS NULL AND data IS NULL AND text IS NULL AND tags = '[]') FROM things`).Scan(&notes, &nulls))
	require.Equal(t, []string{"made as a here", "made as b here!"}, notes)
	require.Equal(t, 1, nulls, "what is empty is NULL, lists excepted")
}

// TestOneRow: a row alone, which goes to Postgres in another form, becomes what it becomes among others.
func TestOneRow(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	_, err := db.Pool.Exec(ctx, things)
	require.NoError(t, err)
	insert := bulk.Insert("things", columns).Set("note", "u.place || @1").InOrder().With("")
	for i, r := range []row{wholeRow(), {}, {Raw: []byte{}, Tags: []string{}, Text: json.RawMessage("null")}} {
		batch := &pgx.Batch{}
		alone, beside, other := r, r, row{ID: fmt.Sprint("other ", i)}
		alone.ID, beside.ID = fmt.Sprint("alone ", i), fmt.Sprint("beside ", i)
		require.NotEqual(t, insert.Queue(batch, []row{alone}, "!").SQL, insert.Queue(batch, []row{beside, other}, "!").SQL)
		require.NoError(t, db.Pool.SendBatch(ctx, batch).Close())
	}
	var different []string
	require.NoError(t, db.Pool.QueryRow(ctx, `SELECT array_agg(x::text || y::text) FROM things x JOIN things y ON x.id LIKE 'alone %' AND y.id = replace(x.id, 'alone', 'beside')
		WHERE to_jsonb(x) - 'id' <> to_jsonb(y) - 'id'`).Scan(&different))
	require.Empty(t, different)
	require.Equal(t, 3, ask(t, db, `SELECT count(*) FROM things WHERE note = '1!' AND id LIKE 'alone %'`))
}

func ask(t *testing.T, db *postgres.DB, sql string) (n int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// TestTextThatNamesArrays has one form only.
func TestTextThatNamesArrays(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for n := 1; n < 3; n++ {
		batch, counted := &pgx.Batch{}, 0
		bulk.New(`SELECT cardinality($1) FROM {rows} LIMIT 1`, columns.Pick("id")).Queue(batch, make([]row, n)).
			QueryRow(func(r pgx.Row) error { return r.Scan(&counted) })
		require.NoError(t, db.Pool.SendBatch(t.Context(), batch).Close())
		require.Equal(t, n, counted)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	few := columns.Pick("n", "id", "data")
	for name, c := range map[string]struct {
		statement bulk.Statement[row]
		text      string
	}{
		"Insert": {
			bulk.Insert("things", few).With(""),
			"INSERT INTO things AS t (n, id, data)\nSELECT u.n, u.id, u.data::jsonb\nFROM unnest($1::int[], $2::text[], $3::text[]) AS u (n, id, data)\n",
		},
		"InOrder": {
			bulk.Insert("things", few).InOrder().OnConflict("DO NOTHING"),
			"INSERT INTO things AS t (n, id, data)\nSELECT u.n, u.id, u.data::jsonb\nFROM unnest($1::int[], $2::text[], $3::text[]) WITH ORDINALITY AS u (n, id, data, place) ORDER BY u.place\nON CONFLICT DO NOTHING",
		},
		"SetOfTheList": {
			bulk.Insert("things", columns.Pick("id", "n")).Set("n", "u.n + @1").With(""),
			"INSERT INTO things AS t (id, n)\nSELECT u.id, u.n + $3\nFROM unnest($1::text[], $2::int[]) AS u (id, n)\n",
		},
		"Joined": {
			bulk.Insert("things", columns.Pick("id")).Joined("JOIN x ON x.id = u.id").Set("n", "x.n").With(""),
			"INSERT INTO things AS t (id, n)\nSELECT u.id, x.n\nFROM unnest($1::text[]) AS u (id)\nJOIN x ON x.id = u.id\n",
		},
		"Update": {
			bulk.New("UPDATE things t SET n = u.n, at = @2 FROM {rows} WHERE t.id = u.id AND t.data @> @1", columns.Pick("id", "n")),
			"UPDATE things t SET n = u.n, at = $4 FROM unnest($1::text[], $2::int[]) AS u (id, n) WHERE t.id = u.id AND t.data @> $3",
		},
		"Within": {
			bulk.Insert("things", columns.Pick("id")).With("RETURNING id").Within("WITH made AS ({insert}) SELECT id, @1 FROM made"),
			"WITH made AS (INSERT INTO things AS t (id)\nSELECT u.id\nFROM unnest($1::text[]) AS u (id)\nRETURNING id) SELECT id, $2 FROM made",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.text, c.statement.Text)
		})
	}
}

// TestBuildingLeavesItsPartsAlone derives two statements from one beginning.
func TestBuildingLeavesItsPartsAlone(t *testing.T) {
	t.Parallel()
	begun := bulk.Insert("things", columns.Pick("id")).Set("n", "1")
	one, other := begun.Set("n", "2").Set("on", "true").With(""), begun.Set("big", "3").With("")
	require.Contains(t, one.Text, "(id, n, on)\nSELECT u.id, 2, true\n")
	require.Contains(t, other.Text, "(id, n, big)\nSELECT u.id, 1, 3\n")
	require.Contains(t, begun.With("").Text, "(id, n)\nSELECT u.id, 1\n")
}

func TestSelect(t *testing.T) {
	t.Parallel()
	list := append(columns.Pick("id", "parent"),
		bulk.Value("derived", func(r *row) int { return len(r.ID) }),
		bulk.Read[row]("now()", func(r *row) any { return &r.At }),
		bulk.JSON("data", func(r *row) *map[string]any { return &r.Data }).As("coalesce(%s, '{}')"))
	require.Equal(t, "x.id, coalesce(x.parent, ''), now(), coalesce(x.data, '{}')", list.Select("x"), "what is only written is not read")
	var r row
	require.Equal(t, []any{&r.ID, &r.Parent, &r.At, &r.Data}, list.Targets(&r))
	require.Equal(t, []any{[]string{"abc"}, []*string{nil}, []int{3}, [][]byte{nil}, "more"}, list.Args([]row{{ID: "abc"}}, "more"),
		"what is only read is not written")
}

func TestPickOfAnUnknownColumn(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, `bulk: no column "idd"`, func() { columns.Pick("id", "idd") })
}

func TestJSONText(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		v    any
		want *string
	}{
		"Map": {map[string]any{"a": 1}, text(`{"a":1}`)}, "NilMap": {map[string]any(nil), nil}, "EmptyMap": {map[string]any{}, text(`{}`)},
		"List": {[]string{"a"}, text(`["a"]`)}, "NilList": {[]string(nil), nil}, "EmptyList": {[]string{}, text(`[]`)},
		"Raw": {json.RawMessage(`{"a": 1}`), text(`{"a": 1}`)}, "NoRaw": {json.RawMessage(nil), nil}, "EmptyRaw": {json.RawMessage{}, nil},
		"NilPointer": {(*row)(nil), nil}, "Zero": {0, text(`0`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, bulk.JSONText(c.v))
		})
	}
}

func TestJSONTextLosesNothing(t *testing.T) {
	t.Parallel()
	require.Nil(t, bulk.JSONText(nil))
	require.Nil(t, bulk.JSONText(map[string]any(nil)))
	require.Nil(t, bulk.JSONText(json.RawMessage(nil)))
	require.Equal(t, `{"a":1}`, *bulk.JSONText(map[string]any{"a": 1}))
	require.False(t, json.Valid([]byte(*bulk.JSONText(math.Inf(1)))), "Postgres refuses the row")
}
