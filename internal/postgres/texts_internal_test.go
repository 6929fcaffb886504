package postgres

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// TestTextsAreEncodedAsByPgx compares lists of many lengths, behind other arguments in the same buffer.
func TestTextsAreEncodedAsByPgx(t *testing.T) {
	t.Parallel()
	theirs, ours := pgtype.NewMap(), pgtype.NewMap()
	ours.RegisterType(newTextArrays(ours))
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		texts, optional, raw := make([]string, n), make([]*string, n), make([][]byte, n)
		for i := range texts {
			texts[i] = strings.Repeat("ö\x01", random.IntN(50))
			if random.IntN(3) > 0 {
				optional[i], raw[i] = &texts[i], []byte(texts[i])
			}
		}
		for _, list := range []any{texts, optional, raw, texts[:0], optional[:0], raw[:0], []string(nil), []*string(nil), [][]byte(nil)} {
			before := []byte(strings.Repeat("x", random.IntN(300)))
			want, err := theirs.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, list, before)
			require.NoError(t, err)
			got, err := ours.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, list, before)
			require.NoError(t, err)
			require.Equal(t, want, got, list)
		}
	}
}

// TestArgumentsShareSpace builds many statements one after the other, as pgx does, on connections side by side: the arguments of each are
// what pgx makes of them until those of the next are built, whether their size was foreseen or not.
func TestArgumentsShareSpace(t *testing.T) {
	t.Parallel()
	var connections sync.WaitGroup
	for seed := range uint64(8) {
		connections.Go(func() {
			theirs, ours := pgtype.NewMap(), pgtype.NewMap()
			texts := newTextArrays(ours)
			ours.RegisterType(texts)
			arguments := texts.Codec.(textArrays).arguments
			random := rand.New(rand.NewPCG(seed, 3))
			var built, want pgx.ExtendedQueryBuilder
			for range 100 {
				batch := make([][]any, random.IntN(4))
				largest := 0
				for i := range batch {
					batch[i] = randomArguments(random)
					largest = max(largest, statementSize(batch[i]))
				}
				arguments.begin(largest / (1 + random.IntN(3)))
				for _, args := range batch {
					statement := &pgconn.StatementDescription{ParamOIDs: []uint32{
						pgtype.TextArrayOID, pgtype.TextOID, pgtype.TextArrayOID, pgtype.TextArrayOID, pgtype.Int8ArrayOID, pgtype.TextArrayOID,
					}}
					if err := errors.Join(built.Build(ours, statement, args), want.Build(theirs, statement, args)); err != nil {
						t.Error(err)
						return
					}
					if !reflect.DeepEqual(want.ParamValues, built.ParamValues) {
						t.Errorf("%d arguments are not what pgx makes of them", len(args))
						return
					}
				}
				arguments.end()
				if arguments.space != nil {
					t.Error("the space is not given back")
				}
			}
		})
	}
	connections.Wait()
}

func randomArguments(random *rand.Rand) []any {
	n := random.IntN(300)
	texts, optional, raw, numbers := make([]string, n), make([]*string, n), make([][]byte, n), make([]int64, n)
	for i := range n {
		texts[i], numbers[i] = strings.Repeat(string(rune('a'+random.IntN(26))), random.IntN(50)), random.Int64()
		if random.IntN(3) > 0 {
			optional[i], raw[i] = &texts[i], []byte(texts[i])
		}
	}
	return []any{texts, strings.Repeat("x", random.IntN(9_000)), optional, raw, numbers, texts[:n/2]}
}

// TestOtherArraysOfTexts are left to pgx.
func TestOtherArraysOfTexts(t *testing.T) {
	t.Parallel()
	theirs, ours := pgtype.NewMap(), pgtype.NewMap()
	ours.RegisterType(newTextArrays(ours))
	for _, c := range []struct {
		format int16
		value  any
	}{
		{pgtype.TextFormatCode, []string{"a b", `"`}},
		{pgtype.BinaryFormatCode, []fmt.Stringer{time.Second}},
		{pgtype.BinaryFormatCode, [2]string{"a", "b"}},
	} {
		want, err := theirs.Encode(pgtype.TextArrayOID, c.format, c.value, nil)
		require.NoError(t, err)
		got, err := ours.Encode(pgtype.TextArrayOID, c.format, c.value, nil)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := ours.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, 1, nil)
	require.ErrorContains(t, err, "cannot find encode plan")
}

// TestStatementSize is at least what pgx makes of the arguments, so that the buffer does not grow again, and not much more.
func TestStatementSize(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	types := pgtype.NewMap()
	for _, c := range []struct {
		oid uint32
		arg any
	}{
		{pgtype.TextOID, long},
		{pgtype.TextOID, &long},
		{pgtype.TextOID, (*string)(nil)},
		{pgtype.ByteaOID, []byte(long)},
		{pgtype.TextArrayOID, []string{long, ""}},
		{pgtype.TextArrayOID, []*string{&long, nil}},
		{pgtype.TextArrayOID, [][]byte{[]byte(long), nil}},
		{pgtype.Int8ArrayOID, make([]int64, 1000)},
		{pgtype.TimestamptzArrayOID, make([]*time.Time, 1000)},
		{pgtype.TimestamptzOID, time.Now()},
		{pgtype.Int4OID, 1},
	} {
		encoded, err := types.Encode(c.oid, types.FormatCodeForOID(c.oid), c.arg, nil)
		require.NoError(t, err)
		size := statementSize([]any{c.arg, c.arg}) - statementSize([]any{c.arg})
		require.GreaterOrEqual(t, size, len(encoded)+8, "with its length and formats: %T", c.arg)
		require.LessOrEqual(t, size, 3*len(encoded)+40, "%T", c.arg)
	}
}
