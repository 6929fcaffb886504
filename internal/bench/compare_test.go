package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// beside is a bench with a database of the test's; the test's own process is taken for that of the database.
func beside(t *testing.T) (*bench, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	b := &bench{dir: t.TempDir(), db: pgtest.New(t).Pool, table: tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)}
	require.NoError(t, os.Mkdir(filepath.Join(b.dir, "postgres"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "postgres", "postmaster.pid"), fmt.Appendf(nil, "%d\n%s\n", os.Getpid(), b.dir), 0o600))
	return b, &out
}

// TestCompareTakesTurns: a short round of each goes before those that count, and of each value the median is shown.
func TestCompareTakesTurns(t *testing.T) {
	t.Parallel()
	b, out := beside(t)
	var calls []string
	sideOf := func(name string, took ...time.Duration) side {
		n := 0
		return side{run: func(_ context.Context, total int) (load, error) {
			calls = append(calls, fmt.Sprint(name, " ", total))
			if total == 10 { // the short round
				return load{}, nil
			}
			n++
			return newLoad(took[n-1], upTo(total)), nil
		}}
	}
	ours, floor, err := b.compare(t.Context(), 100, sideOf("ours", 4*time.Second, time.Second, 2*time.Second), sideOf("floor", time.Second, time.Second, 9*time.Second))
	require.NoError(t, err)
	require.Equal(t, []string{"floor 10", "ours 10", "floor 100", "ours 100", "floor 100", "ours 100", "floor 100", "ours 100"}, calls)
	require.InDelta(t, 50, ours.perSecond(), 1e-9)
	require.InDelta(t, 100, floor.perSecond(), 1e-9)
	require.Equal(t, []time.Duration{51 * time.Millisecond, 100 * time.Millisecond}, []time.Duration{ours.p50(), ours.p99()})
	require.Len(t, ours.used, rounds)

	b.compared("accept", ours, floor, 100, false, "1.5")
	b.compared("steady", ours, floor, 100, true, "2")
	b.pairs("pairs", []pair{{10, 100}, {40, 80}, {30, 300}}, "0.7")
	require.NoError(t, b.table.Flush())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 5)
	require.Contains(t, lines[0], "50/s, p50 51.0 ms, p99 100.0 ms")
	require.Regexp(t, ` 1\.00 +1\.5$`, lines[0], "the median of the rounds' ratios: 0.25, 1 and 4.5")
	require.Contains(t, lines[1], "CPU s of 1,000")
	require.Contains(t, lines[2], "1.00, 1.00")
	require.NotContains(t, lines[2], "/s,", "a steady rate is given, not measured")
	require.Regexp(t, `pairs +30/s +100/s +0\.10 +0\.7`, lines[4])
}

// TestCompareEndsWithAFailure of either side, in the short round and in one that counts.
func TestCompareEndsWithAFailure(t *testing.T) {
	t.Parallel()
	b, _ := beside(t)
	failure := errors.New("no answer")
	for failing := 1; failing <= 4; failing++ {
		calls := 0
		run := func(context.Context, int) (load, error) {
			if calls++; calls == failing {
				return load{}, failure
			}
			return newLoad(time.Second, upTo(1)), nil
		}
		_, _, err := b.compare(t.Context(), 10, side{run: run}, side{run: run})
		require.ErrorIs(t, err, failure)
		require.Equal(t, failing, calls)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(b.dir, "postgres")))
	_, _, err := b.compare(t.Context(), 10, side{run: func(context.Context, int) (load, error) { return load{}, nil }}, side{run: func(context.Context, int) (load, error) { return load{}, nil }})
	require.ErrorContains(t, err, "find the database")
}

// TestUsageIsRead: what is written in between shows as WAL, a transaction that wrote as a commit.
func TestUsageIsRead(t *testing.T) {
	t.Parallel()
	b, _ := beside(t)
	_, err := b.db.Exec(t.Context(), `CREATE TABLE written (text text)`)
	require.NoError(t, err)
	before, err := b.usage(t.Context())
	require.NoError(t, err)
	_, err = b.db.Exec(t.Context(), `INSERT INTO written SELECT repeat('x', 1000) FROM generate_series(1, 1000)`)
	require.NoError(t, err)
	after, err := b.usage(t.Context())
	require.NoError(t, err)
	used := after.since(before)
	require.Greater(t, used.wal, int64(1_000_000))
	require.GreaterOrEqual(t, used.commits, int64(1))
	require.Positive(t, after.cpu)
	require.Zero(t, used.statements, "they are not counted")
	require.Regexp(t, `^\d+\.\d\d CPU s of 1,000, \d+\.\d kB WAL, \d+\.\d\d commits, 0\.0 statements$`, used.each(100))

	twice, err := b.cpu(os.Getpid())
	require.NoError(t, err)
	once, err := b.cpu()
	require.NoError(t, err)
	require.InDelta(t, once.Seconds(), twice.Seconds(), 0.5, "a process that is the database as well counts once")
	b.db.Close()
	_, err = b.usage(t.Context())
	require.ErrorContains(t, err, "read the counters of the database")
}
