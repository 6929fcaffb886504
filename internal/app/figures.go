package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// figures are measured on each read of /metrics: whether the process is ready, late work, the pool, live connections, the writer
// of events. /readyz asks for late work too.
type figures struct {
	db        *postgres.DB
	seats     *admission.Seats
	local     *queue.Queue
	stalled   func() (time.Duration, bool)
	condition func(context.Context) condition
	// late answers all who read at a time with one statement.
	late postgres.Gather[struct{}, map[pgdue.DueTable]time.Time]

	mu      sync.Mutex
	depths  []pgdue.Depth
	counted time.Time
}

// countEvery is how long counts of what waits are shown before it is counted again, which reads up to pgdue.DepthCap entries of
// an index for each.
const countEvery = 15 * time.Second

// dueWait bounds how long a reader waits for the database; without its answer the other figures are there.
const dueWait = 2 * time.Second

var (
	ready = prometheus.NewDesc("carillon_ready",
		"1 while /readyz says that the process can serve, otherwise 0. Without the database it is there, and what is read from it is not.", nil, nil)
	dueLate = prometheus.NewDesc("carillon_due_late_seconds",
		"By how much the oldest due row is late, by kind; 0 when none is. All processes on a database report the same.", []string{"kind"}, nil)
	queueRows = prometheus.NewDesc("carillon_queue_rows",
		"Rows that wait, by kind: due now, or later (events just accepted, retries, waits); at most 10,000 of each are counted, every 15 s. All processes on a database report the same.",
		[]string{"kind", "state"}, nil)
	queueLocal = prometheus.NewDesc("carillon_queue_local",
		"Events and messages that wait in this process for its workers, by lane.", []string{"kind", "lane"}, nil)
	poolConnections = prometheus.NewDesc("carillon_pool_connections",
		"Connections to the database: in use, idle, being opened, and how many there may be.", []string{"state"}, nil)
	poolWaits     = prometheus.NewDesc("carillon_pool_waits_total", "How often work waited for a connection because all were in use.", nil, nil)
	poolWaited    = prometheus.NewDesc("carillon_pool_wait_seconds_total", "How long work waited for connections.", nil, nil)
	liveSeats     = prometheus.NewDesc("carillon_live_connections", "WebSockets, event streams and operations on them that are open.", nil, nil)
	writerStalled = prometheus.NewDesc("carillon_writer_stalled_seconds",
		"For how long the writer of events has not moved although requests wait; 0 when it moves.", nil, nil)
)

func newFigures(db *postgres.DB, seats *admission.Seats, local *queue.Queue, stalled func() (time.Duration, bool),
	condition func(context.Context) condition,
) *figures {
	f := &figures{db: db, seats: seats, local: local, stalled: stalled, condition: condition}
	f.late.Ask = func(ctx context.Context, readers []struct{}) ([]map[pgdue.DueTable]time.Time, error) {
		next, err := pgdue.Next(ctx, db)
		answers := make([]map[pgdue.DueTable]time.Time, len(readers))
		for i := range answers {
			answers[i] = next
		}
		return answers, err
	}
	return f
}

// Describe names the figures.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{ready, dueLate, queueRows, queueLocal, poolConnections, poolWaits, poolWaited, liveSeats, writerStalled} {
		out <- d
	}
}

// Collect measures.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	pool := f.db.Connections()
	gauge(poolConnections, float64(pool.Used), "used")
	gauge(poolConnections, float64(pool.Idle), "idle")
	gauge(poolConnections, float64(pool.Opening), "opening")
	gauge(poolConnections, float64(pool.Max), "max")
	out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(pool.Waits))
	out <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, pool.Waited.Seconds())
	gauge(liveSeats, float64(f.seats.Taken()))
	for _, lane := range queue.Lanes {
		gauge(queueLocal, float64(f.local.Events.Len(lane)+f.local.Streams.Len(lane)), string(pgdue.DueEvents), string(lane))
		gauge(queueLocal, float64(f.local.Messages.Len(lane)), string(pgdue.DueMessages), string(lane))
	}
	still, stalled := f.stalled()
	if !stalled {
		still = 0
	}
	gauge(writerStalled, still.Seconds())

	ctx, cancel := context.WithTimeout(context.Background(), dueWait)
	defer cancel()
	c := f.condition(ctx)
	serves := 0.0
	if status, _ := c.readiness(); status == http.StatusOK {
		serves = 1
	}
	gauge(ready, serves)
	late := c.late
	if late == nil { // it is not asked for when something else is wrong
		if c.unknown {
			return
		}
		var err error
		if late, err = f.lateness(ctx); err != nil {
			return
		}
	}
	for kind, by := range late {
		gauge(dueLate, by.Seconds(), string(kind))
	}
	for _, d := range f.waiting(ctx) {
		gauge(queueRows, float64(d.Due), string(d.Kind), "due")
		gauge(queueRows, float64(d.Later), string(d.Kind), "later")
	}
}

// waiting counts the rows that wait, unless that was done a short while ago.
func (f *figures) waiting(ctx context.Context) []pgdue.Depth {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.counted) >= countEvery {
		depths, err := pgdue.Depths(ctx, f.db)
		if err != nil {
			return nil
		}
		f.depths, f.counted = depths, time.Now()
	}
	return f.depths
}

// lateness returns by how much the oldest due row of each kind is late; 0 when none is.
func (f *figures) lateness(ctx context.Context) (map[pgdue.DueTable]time.Duration, error) {
	next, err := f.late.Get(ctx, struct{}{})
	if err != nil {
		return nil, err
	}
	late := map[pgdue.DueTable]time.Duration{}
	for _, kind := range pgdue.Kinds {
		late[kind] = 0
		if at, some := next[kind]; some {
			late[kind] = max(0, time.Since(at))
		}
	}
	return late, nil
}
