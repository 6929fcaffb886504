// Package bench measures Carillon from outside, as its users would meet it, and puts a floor beside every figure: what
// plain code needs for the same bytes, on the same machine, against the same database, in the same run.
package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
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
		{"single-recipient messages end to end", (*bench).endToEnd},
		{"request to stored message", (*bench).latency},
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
}

// Run measures everything and prints one table.
func Run(ctx context.Context, cfg Config) (err error) {
	dir, err := embedded.TempDir("carillon-bench-*")
	if err != nil {
		return fmt.Errorf("make a data directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{Config: cfg, dir: dir, size: measuredSize, table: tabwriter.NewWriter(cfg.Out, 0, 0, 2, ' ', 0)}
	defer func() {
		if b.server != nil {
			_ = b.server.Stop(time.Minute)
		}
		if b.db != nil {
			b.db.Close()
		}
	}()
	defer func() { err = errors.Join(err, b.table.Flush()) }() // what was measured is worth reading, whatever came then
	b.row("figure", "Carillon", "floor", "ratio", "goal")
	if err := b.start(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	for _, p := range parts {
		if cfg.Parts != nil && !slices.Contains(cfg.Parts, p.name) {
			continue
		}
		for _, step := range p.steps {
			fmt.Fprintf(cfg.Progress, "measuring: %s\n", step.name)
			if err := step.run(b, ctx); err != nil {
				return fmt.Errorf("%s: %w", step.name, err)
			}
		}
	}
	return nil
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

// start measures the start on an existing database: the first start makes it, the second is the figure.
func (b *bench) start(ctx context.Context) error {
	b.api = &client.Client{Key: "crl_" + rand.Text() + rand.Text()}
	for run := range 2 {
		if b.server != nil {
			if err := b.server.Stop(time.Minute); err != nil {
				return err
			}
		}
		began := time.Now()
		server, err := child.Start(ctx, child.Config{Binary: b.Binary, DataDir: b.dir, Key: b.api.Key, Env: []string{"CARILLON_LOG_LEVEL=warn", "CARILLON_EGRESS_ALLOW=127.0.0.0/8"}})
		if err != nil {
			return err
		}
		b.server, b.api.URL = server, server.URL()
		if run == 1 {
			b.row("ready on an existing database", fmt.Sprintf("%.2f s", time.Since(began).Seconds()), "", "", "2 s at most")
		}
	}
	dsn, ok := embedded.Running(ctx, b.dir, "carillon")
	if !ok {
		return fmt.Errorf("the embedded database in %s does not answer", b.dir)
	}
	var err error
	if b.db, err = pgxpool.New(ctx, dsn); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if err := b.db.QueryRow(ctx, `SELECT id FROM environments WHERE identifier = 'development'`).Scan(&b.environment); err != nil {
		return fmt.Errorf("find the environment: %w", err)
	}
	return b.quietWorkflow(ctx, b.api, "bench-quiet")
}

// idle measures memory once the start's garbage is gone.
func (b *bench) idle(ctx context.Context) error {
	select {
	case <-time.After(3 * time.Second):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now, _, err := b.server.Memory()
	b.row("idle memory without Postgres", mebibytes(now), "", "", "120 MiB at most")
	return err
}

func (b *bench) peak(context.Context) error {
	_, peak, err := b.server.Memory()
	b.row("peak memory without Postgres", mebibytes(peak), "", "", "")
	return err
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

// trigger is the body of the n-th measured trigger: a payload of about 250 bytes for one recipient.
func trigger(workflow string, n int) []byte {
	body, _ := json.Marshal(map[string]any{
		"name": workflow,
		"to":   fmt.Sprintf("bench-%d", n%1000),
		"payload": map[string]any{
			"order": map[string]any{"id": n, "total": "129.90", "currency": "EUR"},
			"text":  "Your parcel left our warehouse this morning and should be with you within two working days. Thank you for shopping with us.",
			"url":   "https://shop.example/orders/" + fmt.Sprint(n),
		},
	})
	return body
}

// withFloor runs the floor's server as a process of its own, as Carillon is one, and gives its address.
func (b *bench) withFloor(ctx context.Context, run func(url string) error) error {
	dsn := b.db.Config().ConnString()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	floor := exec.CommandContext(ctx, b.Binary, "bench-floor")
	floor.Env = append(os.Environ(), "CARILLON_BENCH_DSN="+dsn)
	address, err := floor.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	if err := floor.Start(); err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	defer func() { _ = floor.Wait() }()
	defer cancel()
	var url string
	if _, err := fmt.Fscanln(address, &url); err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	return run(url)
}

// accept measures triggers per second and their latency beside the floor, at one and at 64 connections.
func (b *bench) accept(ctx context.Context) error {
	return b.withFloor(ctx, func(floorURL string) error {
		for _, conns := range []int{1, 64} {
			total := b.Requests
			if conns == 1 {
				total /= 4
			}
			// A short run of each first, so that neither pays for cold caches and new connections.
			var ours, floor load
			for _, n := range []int{total / 10, total} {
				var err error
				if floor, err = post(ctx, floorURL, "", conns, n, func(i int) []byte { return trigger("bench-quiet", i) }); err != nil {
					return err
				}
				if ours, err = post(ctx, b.api.URL+"/v1/events/trigger", b.api.Key, conns, n, func(i int) []byte { return trigger("bench-quiet", i) }); err != nil {
					return err
				}
			}
			goal := ""
			if conns == 64 {
				goal = "1.3 at least; p99 25 ms at most"
			}
			b.row(fmt.Sprintf("triggers accepted, %d connections", conns), rate(ours), rate(floor), ratio(ours.perSecond(), floor.perSecond()), goal)
			if err := b.drained(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func rate(l load) string {
	return fmt.Sprintf("%.0f/s, p50 %.1f ms, p99 %.1f ms", l.perSecond(), milliseconds(l.p50), milliseconds(l.p99))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// drained waits until nothing is left to do.
func (b *bench) drained(ctx context.Context) error {
	return client.Until(ctx, 5*time.Millisecond, func(ctx context.Context) (bool, error) {
		var busy bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM events WHERE due_at IS NOT NULL) OR EXISTS (SELECT FROM notifications WHERE due_at IS NOT NULL)`).Scan(&busy)
		return !busy, err
	})
}

// endToEnd measures triggers until their in-app messages are stored, beside the floor's inserts.
func (b *bench) endToEnd(ctx context.Context) error {
	return b.withFloor(ctx, func(floorURL string) error {
		floor, err := post(ctx, floorURL, "", 64, b.Requests, func(i int) []byte { return trigger("bench-inbox", i) })
		if err != nil {
			return err
		}
		began := time.Now()
		if _, err := post(ctx, b.api.URL+"/v1/events/trigger", b.api.Key, 64, b.Requests, func(i int) []byte { return trigger("bench-inbox", i) }); err != nil {
			return err
		}
		if err := b.stored(ctx, "bench-inbox", b.Requests); err != nil {
			return err
		}
		ours := float64(b.Requests) / time.Since(began).Seconds()
		b.row("in-app messages, one recipient each", fmt.Sprintf("%.0f/s", ours), fmt.Sprintf("%.0f/s", floor.perSecond()), ratio(ours, floor.perSecond()), "0.4 at least")
		return nil
	})
}

// stored waits until nothing is left to do, and makes sure that a workflow has n messages in the inboxes.
func (b *bench) stored(ctx context.Context, workflow string, n int) error {
	if err := b.drained(ctx); err != nil {
		return err
	}
	var have int
	err := b.db.QueryRow(ctx, `SELECT count(*) FROM messages WHERE workflow_identifier = $1 AND status = 'sent'`, workflow).Scan(&have)
	if err == nil && have != n {
		err = fmt.Errorf("%d messages of %s are stored, not %d", have, workflow, n)
	}
	return err
}

// latency measures the time from a request to its stored message at a steady rate.
func (b *bench) latency(ctx context.Context) error {
	total := 5 * b.Rate
	sent := make(map[string]time.Time, total)
	var took []time.Duration
	pace := time.NewTicker(time.Second / time.Duration(b.Rate))
	defer pace.Stop()
	var before string // the newest message so far; those of the run lie above it, whatever order they commit in
	if err := b.db.QueryRow(ctx, `SELECT coalesce(max(id), '') FROM messages`).Scan(&before); err != nil {
		return err
	}
	look := func() error {
		rows, err := b.db.Query(ctx, `SELECT transaction_id FROM messages WHERE id > $1 AND workflow_identifier = 'bench-latency'`, before)
		if err != nil {
			return err
		}
		stored, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, transaction := range stored {
			if at, waiting := sent[transaction]; waiting {
				took = append(took, time.Since(at))
				delete(sent, transaction)
			}
		}
		return err
	}
	answers := make(chan error, total)
	for n := 0; len(took) < total; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-answers:
			if err != nil {
				return err
			}
		case <-pace.C:
			if n < total {
				transaction := fmt.Sprintf("latency-%d", n)
				sent[transaction] = time.Now()
				go func() {
					body := map[string]any{"name": "bench-latency", "to": fmt.Sprintf("bench-%d", n%1000), "payload": map[string]any{}, "transactionId": transaction}
					_, err := b.api.Do(ctx, "POST", "/v1/events/trigger", body, nil)
					answers <- err
				}()
				n++
			}
		default:
			if err := look(); err != nil {
				return err
			}
		}
	}
	slices.Sort(took)
	p50, p99 := percentile(took, 50), percentile(took, 99)
	b.row(fmt.Sprintf("request to stored message, %d/s", b.Rate), fmt.Sprintf("p50 %.1f ms, p99 %.1f ms", milliseconds(p50), milliseconds(p99)), "", "", "p50 10 ms at most")
	return nil
}

// fanOut measures one trigger to a topic until every message is stored, beside COPY of the very same rows.
func (b *bench) fanOut(ctx context.Context) error {
	began := time.Now()
	var answer struct {
		TransactionID string `json:"transactionId"`
	}
	_, err := b.api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{
		"name": "bench-topic", "to": map[string]any{"type": "Topic", "topicKey": "bench"}, "payload": map[string]any{"text": "hello"},
	}, &answer)
	if err != nil {
		return err
	}
	if err := b.stored(ctx, "bench-topic", b.Topic); err != nil {
		return err
	}
	took := time.Since(began)
	rows, floor, err := copyFloor(ctx, b.db, map[string]string{
		"notifications": "transaction_id = '" + answer.TransactionID + "'",
		"messages":      "transaction_id = '" + answer.TransactionID + "'",
		"inbox_states":  "subscriber_id IN (SELECT subscriber_id FROM messages WHERE transaction_id = '" + answer.TransactionID + "')",
	})
	if err != nil {
		return err
	}
	ours, copied := float64(rows)/took.Seconds(), float64(rows)/floor.Seconds()
	b.row(fmt.Sprintf("fan-out to %d of a topic", b.Topic), fmt.Sprintf("%.0f rows/s (%.0f ms)", ours, milliseconds(took)),
		fmt.Sprintf("%.0f rows/s (%.0f ms)", copied, milliseconds(floor)), ratio(ours, copied), "0.35 at least")
	return nil
}
