package postgres

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

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
		texts, optional := make([]string, n), make([]*string, n)
		for i := range texts {
			texts[i] = strings.Repeat("ö\x01", random.IntN(50))
			if random.IntN(3) > 0 {
				optional[i] = &texts[i]
			}
		}
		for _, list := range []any{texts, optional, texts[:0], optional[:0], []string(nil), []*string(nil)} {
			before := []byte(strings.Repeat("x", random.IntN(300)))
			want, err := theirs.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, list, before)
			require.NoError(t, err)
			got, err := ours.Encode(pgtype.TextArrayOID, pgtype.BinaryFormatCode, list, before)
			require.NoError(t, err)
			require.Equal(t, want, got, list)
		}
	}
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
