// Package bench measures Carillon from outside, as its users would meet it, and puts a floor beside every figure: what
// plain code needs for the same bytes, on the same machine, against the same database, in the same run.
package bench

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

// Config says how large a run is.
type Config struct {
	Binary   string // of carillon
	Requests int    // triggers of each measured run
	Topic    int    // subscribers of the topic
	Rate     int    // triggers per second of the latency run
	// Broadcast is how many subscribers the large broadcast reaches, a tenth of them a topic; 0: it is left out.
	Broadcast int
	Parts     []string // what is measured, of Parts(); nil: everything
	Route     string   // only the documented routes whose names contain this
	Out       io.Writer
	Progress  io.Writer // says what runs now
}

// bench is a run under way.
type bench struct {
	Config
	dir         string
	server      *child.Process
	api         *client.Client
	db          *pgxpool.Pool
	environment string    // of the key
	size        routeSize // of what the documented routes are measured on
	others      []other
	hook        string // where chat messages of the measured sends go
	secret      string // that encrypts stored secrets
	counts      bool   // whether the database counts statements
	started     bool   // a part has started its server before
	table       *tabwriter.Writer
}

type step struct {
	name string
	run  func(*bench, context.Context) error
}

// parts are what can be measured by itself.
var parts = []struct {
	name  string
	steps []step
}{
	{"delivery", []step{
		{"set up", (*bench).setUp},
		{"idle memory", (*bench).idle},
		{"accept", (*bench).accept},
		{"one webhook each", (*bench).webhooks},
		{"one message each on a socket", (*bench).pushes},
		{"fan-out of a topic", (*bench).fanOut},
		{"peak memory", (*bench).peak},
	}},
	{"routes", []step{{"documented routes", (*bench).documented}}},
	{"waits", []step{
		{"set up", (*bench).setUpWaits},
		{"planner", (*bench).planner},
		{"timers", (*bench).timers},
		{"large fan-outs", (*bench).large},
	}},
	{"live", []step{{"live inboxes", (*bench).live}}},
	{"sending", []step{{"sending", (*bench).sending}}},
	{"idempotency", []step{{"idempotency keys", (*bench).idempotency}}},
	{"overload", []step{{"past capacity", (*bench).overload}}},
	{"processes", []step{{"two processes on one database", (*bench).processes}}},
}

// Run measures everything and prints one table.
func Run(ctx context.Context, cfg Config) (err error) {
	b := &bench{Config: cfg, size: measuredSize, table: tabwriter.NewWriter(cfg.Out, 0, 0, 2, ' ', 0)}
	defer func() { err = errors.Join(err, b.table.Flush()) }() // what was measured is worth reading, whatever came then
	b.row("figure", "Carillon", "floor", "ratio", "goal")
	for _, p := range parts {
		if cfg.Parts != nil && !slices.Contains(cfg.Parts, p.name) {
			continue
		}
		if err := b.onNewDatabase(ctx, p.steps); err != nil {
			return err
		}
	}
	return nil
}

// onNewDatabase takes the steps of a part on a database of its own. What other parts stored would count else: a broadcast reaches all
// subscribers that there are.
func (b *bench) onNewDatabase(ctx context.Context, steps []step) (err error) {
	if b.dir, err = embedded.TempDir("carillon-bench-*"); err != nil {
		return fmt.Errorf("make a data directory: %w", err)
	}
	defer func() { err = errors.Join(err, b.stop(), os.RemoveAll(b.dir)) }()
	if err := b.start(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	for _, step := range steps {
		fmt.Fprintf(b.Progress, "measuring: %s\n", step.name)
		if err := step.run(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// stop ends the server and its database.
func (b *bench) stop() (err error) {
	if b.db != nil {
		b.db.Close()
	}
	if b.server != nil {
		err = b.server.Stop(time.Minute)
	}
	b.db, b.server = nil, nil
	return err
}

func (b *bench) row(columns ...string) {
	for i, c := range columns {
		if i > 0 {
			fmt.Fprint(b.table, "\t")
		}
		fmt.Fprint(b.table, c)
	}
	fmt.Fprintln(b.table)
}

// ratio prints a figure of Carillon over a figure of its floor.
func ratio(ours, floor float64) string { return fmt.Sprintf("%.2f", ours/floor) }

// starts are the starts that are measured, and what they may take.
var starts = []struct{ name, goal string }{
	{"ready with a new database", "1.2 s at most"},
	{"ready on an existing database", "2 s at most"},
}

// start starts the server with a new database and once more on that one. Of the first part both are measured.
func (b *bench) start(ctx context.Context) error {
	b.api = &client.Client{Key: "crl_" + rand.Text() + rand.Text()}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	b.secret = base64.StdEncoding.EncodeToString(secret[:])
	b.counts = false
	for _, row := range starts {
		if b.server != nil {
			if err := errors.Join(b.countStatements(ctx), b.stop()); err != nil {
				return err
			}
		}
		began := time.Now()
		server, err := child.Start(ctx, child.Config{Binary: b.Binary, DataDir: b.dir, Key: b.api.Key, Env: b.env()})
		if err != nil {
			return err
		}
		b.server, b.api.URL = server, server.URL()
		if !b.started {
			b.row(row.name, fmt.Sprintf("%.2f s", time.Since(began).Seconds()), "", "", row.goal)
		}
		if err := b.open(ctx); err != nil {
			return err
		}
	}
	b.started = true
	if err := b.db.QueryRow(ctx, `SELECT id FROM environments WHERE identifier = 'development'`).Scan(&b.environment); err != nil {
		return fmt.Errorf("find the environment: %w", err)
	}
	return b.quietWorkflow(ctx, b.api, "bench-quiet")
}

// env are the settings of every process that is measured.
func (b *bench) env() []string {
	return append([]string{"CARILLON_LOG_LEVEL=warn", "CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_SECRET_KEY=" + b.secret}, child.OwnDatabase...)
}

// open connects with the database of the server. What the bench itself asks is not counted.
func (b *bench) open(ctx context.Context) error {
	dsn, err := embedded.Running(ctx, b.dir, "carillon")
	if err != nil {
		return err
	}
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if b.counts {
		cfg.ConnConfig.RuntimeParams["pg_stat_statements.track"] = "none"
	}
	if b.db, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if b.counts {
		if _, err := b.db.Exec(ctx, `CREATE EXTENSION pg_stat_statements`); err != nil {
			return fmt.Errorf("have statements counted: %w", err)
		}
	}
	return nil
}

// idleAfter is how long a process has nothing to do before it is measured as idle; it gives memory back after ten to twenty seconds.
const idleAfter = 22 * time.Second

// idle measures memory once the process has given back what it does not need.
func (b *bench) idle(ctx context.Context) error {
	select {
	case <-time.After(idleAfter):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now, _, err := b.server.Memory()
	b.row("idle memory without Postgres", mebibytes(now), "", "", "50 MiB at most")
	return err
}

func (b *bench) peak(context.Context) error {
	_, peak, err := b.server.Memory()
	b.row("peak memory without Postgres", mebibytes(peak), "", "", "")
	return err
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
