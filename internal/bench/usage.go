package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// usage is what the machine and the database have done so far, or what a run took of them.
type usage struct {
	cpu        time.Duration // of processes and their database
	wal        int64         // bytes
	commits    int64         // of transactions that wrote
	statements int64         // 0: the database does not count them
}

const databaseUsage = `SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

// usage reads the counters of the database, and the computing time of it and of processes.
func (b *bench) usage(ctx context.Context, pids ...int) (now usage, err error) {
	if now.cpu, err = b.cpu(pids...); err != nil {
		return usage{}, err
	}
	err = b.db.QueryRow(ctx, databaseUsage).Scan(&now.wal, &now.commits)
	if err == nil && b.counts {
		err = b.db.QueryRow(ctx, `SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements`).Scan(&now.statements)
	}
	if err != nil {
		return usage{}, fmt.Errorf("read the counters of the database: %w", err)
	}
	return now, nil
}

// since is what was used after an earlier reading.
func (u usage) since(before usage) usage {
	return usage{u.cpu - before.cpu, u.wal - before.wal, u.commits - before.commits, u.statements - before.statements}
}

// each says what one of n units of work took; CPU is that of a thousand.
func (u usage) each(n int) string {
	per := func(total int64) float64 { return float64(total) / float64(n) }
	return fmt.Sprintf("%.2f CPU s of 1,000, %.1f kB WAL, %.2f commits, %.1f statements", u.cpu.Seconds()*1000/float64(n), per(u.wal)/1000, per(u.commits), per(u.statements))
}

// countStatements has the database count statements from its next start on, if it can.
func (b *bench) countStatements(ctx context.Context) error {
	err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements')`).Scan(&b.counts)
	if err == nil && b.counts {
		_, err = b.db.Exec(ctx, `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
	}
	if err != nil {
		return fmt.Errorf("have statements counted: %w", err)
	}
	return nil
}

// cpu is the time that the database and processes have computed so far.
func (b *bench) cpu(pids ...int) (all time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join(b.dir, "postgres", "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("find the database: %w", err)
	}
	postmaster, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, fmt.Errorf("look at processes: %w", err)
	}
	for _, name := range stats {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it ended
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		fields := strings.Fields(rest)
		pid := filepath.Base(filepath.Dir(name))
		number, _ := strconv.Atoi(pid)
		if len(fields) < 15 || pid != postmaster && fields[1] != postmaster && !slices.Contains(pids, number) {
			continue
		}
		for _, at := range []int{11, 12, 13, 14} { // user, system, and those of children that ended
			ticks, _ := strconv.ParseInt(fields[at], 10, 64)
			all += time.Duration(ticks) * (time.Second / 100)
		}
	}
	return all, nil
}
