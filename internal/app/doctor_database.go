package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

const (
	minServerVersion = 140000 // what Carillon's SQL runs on
	connectPatience  = 5 * time.Second
	skewWarn         = time.Second      // ids of several processes lose their order
	skewFail         = 30 * time.Second // delays and retention are visibly wrong
	lateAfter        = time.Minute      // a due row that old is overdue
	leaseBeyond      = 15 * time.Minute // no worker leases for so long
	sample           = 10_000           // rows looked at, the newest
	listed           = 20               // findings of one kind
)

func (d *doctor) database(ctx context.Context) {
	db, err := d.openDatabase(ctx)
	if err != nil {
		d.fail("database", "check CARILLON_DATABASE_URL, the server and the way to it", "%s", err)
		return
	}
	defer func() {
		if err := db.close(); err != nil {
			d.failed("database", err)
		}
	}()
	facts, skew, err := readServer(ctx, db.DB, d.now)
	if err != nil {
		d.failed("database", err)
		return
	}
	d.server(facts, skew)
	if !facts.ReadOnly {
		d.writes(ctx, db.DB)
	}
	if !d.schema(ctx, db.DB) {
		return // the tables are not what the questions below expect
	}
	d.indexes(ctx, db.DB)
	d.triggers(ctx, db.DB)
	d.secrets(ctx, db.DB)
	d.gaps(ctx, db.DB)
	d.breakers(ctx, db.DB)
	d.pauses(ctx, db.DB)
	d.transactions(ctx, db.DB)
	d.moves(ctx, db.DB)
	d.rows(ctx, db.DB)
}

// transactions names sessions whose transactions do not end: others wait for what they hold, and no log says for whom.
func (d *doctor) transactions(ctx context.Context, db *postgres.DB) {
	held, err := pgupkeep.FindTransactions(ctx, db, d.now().Add(-lateAfter))
	if err != nil {
		d.failed("transactions", err)
		return
	}
	for _, t := range held {
		d.warn("transactions", fmt.Sprintf("let it end, or end it: SELECT pg_terminate_backend(%d)", t.PID),
			"session %d of Postgres (%s, %s) has had a transaction open for %s that writes or locks: what needs the same rows waits",
			t.PID, cmp.Or(t.Application, "without a name"), cmp.Or(t.State, "unknown"), d.now().Sub(t.Since).Round(time.Second))
	}
	if len(held) == 0 {
		d.ok("transactions", "none that writes or locks is open for long")
	}
}

// moves names organizations that neither cell serves, as one whose move has ended early.
func (d *doctor) moves(ctx context.Context, db *postgres.DB) {
	open, err := pgupkeep.OpenMoves(ctx, db, listed)
	if err != nil {
		d.failed("moves", err)
		return
	}
	for _, m := range open {
		to := cmp.Or(m.To, "this cell")
		d.warn("moves", "if no `carillon organizations move` is at work, run it again as it was run: it continues. --undo gives a move up whose copy is not complete",
			"organization %s (%s) is on its way to %s since %s: its requests are refused, and what waits is not sent",
			m.Name, m.Organization, to, d.now().Sub(m.Since).Round(time.Second))
	}
	if len(open) == 0 {
		d.ok("moves", "no organization is on its way to another cell")
	}
}

// writes tries to store something, which a database with a full disk refuses while it answers questions.
func (d *doctor) writes(ctx context.Context, db *postgres.DB) {
	err := pgupkeep.TryWrite(ctx, db)
	switch postgres.Code(err) {
	case "":
		if err != nil {
			d.failed("writes", err)
			return
		}
		d.ok("writes", "what is given to it is stored")
	case "42501": // the role may make no temporary tables, which Carillon does without
	case "53100":
		d.fail("writes", "make room on the disk of the database, or give it a larger one: what is due is delivered then",
			"what is given to it is not stored: %s", err)
	default:
		d.failed("writes", err)
	}
}

// openDatabase is quicker to give up than a service that waits for its database.
func (d *doctor) openDatabase(ctx context.Context) (*database, error) {
	dsn, server := d.cfg.DatabaseURL, (*embedded.Server)(nil)
	if d.cfg.Embedded() {
		var err error
		if dsn, server, err = startEmbedded(ctx, d.cfg, true, d.log); err != nil {
			return nil, err
		}
	}
	db, err := postgres.Open(ctx, dsn, postgres.Options{MaxConns: 4, Pooler: d.cfg.DatabasePooler, Patience: connectPatience})
	if err != nil {
		if server != nil {
			err = errors.Join(err, server.Stop())
		}
		return nil, connectError(d.cfg, err)
	}
	return &database{DB: db, server: server}, nil
}

// slowDisk is the random_page_cost above which Postgres prefers to read much in order to reading little along an index. 4 is its own
// default, for disks that spin; SSDs are given 1.1 to 2.
const slowDisk = 2

// server checks the settings that durability depends on, and those that plans do.
func (d *doctor) server(f pgupkeep.ServerFacts, skew time.Duration) {
	switch {
	case f.Version < minServerVersion:
		d.fail("database", "use PostgreSQL 14 or newer", "it is PostgreSQL %s", f.VersionText)
	case f.ReadOnly:
		d.fail("database", "connect to the primary: name all hosts in CARILLON_DATABASE_URL", "it takes no writes")
	default:
		d.ok("database", "PostgreSQL %s answers", f.VersionText)
	}
	if f.Encoding != "UTF8" {
		d.fail("encoding", "`carillon backup`, and `carillon restore` into a database that is made with ENCODING 'UTF8' TEMPLATE template0",
			"it is %s, and not every text can be stored", f.Encoding)
	}
	if !d.cfg.DatabasePooler && !f.OwnSettings {
		d.fail("pooler", "set CARILLON_DATABASE_POOLER=true", "%s", postgres.SettingsDropped)
	}
	if f.Isolation != "read committed" { // behind a pooler it cannot be set for each connection
		d.warn("isolation", "set default_transaction_isolation to 'read committed' for the database or the role",
			"transactions are %s, and requests are refused where others change the same records", f.Isolation)
	}
	if d.cfg.DatabasePooler && (f.RandomPageCost > slowDisk || f.JIT) { // as above; otherwise each connection sets them
		d.warn("planning", "set random_page_cost to 1.1 and jit to off for the database or the role",
			"random_page_cost is %g and jit is %t: lists of large tables may take long", f.RandomPageCost, f.JIT)
	}
	unsafe := []string{}
	for _, setting := range []struct{ name, value string }{
		{"fsync", f.FSync}, {"synchronous_commit", f.SynchronousCommit}, {"full_page_writes", f.FullPageWrites},
	} {
		if setting.value == "off" {
			unsafe = append(unsafe, setting.name)
		}
	}
	if len(unsafe) > 0 {
		d.fail("durability", "switch it on: what is acknowledged must survive a crash", "%s is off", strings.Join(unsafe, ", "))
	} else {
		d.ok("durability", "fsync and synchronous_commit are on")
	}
	d.connections(f)
	switch {
	case skew > skewFail:
		d.fail("clock", "run NTP on both machines", "this machine and the database differ by %s", skew.Round(time.Second))
	case skew > skewWarn:
		d.warn("clock", "run NTP on both machines", "this machine and the database differ by %s", skew.Round(100*time.Millisecond))
	default:
		d.ok("clock", "this machine and the database agree")
	}
}

func (d *doctor) connections(f pgupkeep.ServerFacts) {
	most, err := postgres.MaxConnections(d.cfg.DatabaseURL, postgres.Options{MaxConns: d.cfg.DatabaseMaxConns, Pooler: d.cfg.DatabasePooler})
	if err != nil {
		d.failed("connections", err)
		return
	}
	pool := int(most)
	const cure = "raise max_connections, or lower CARILLON_DATABASE_MAX_CONNS"
	switch {
	case pool > f.Connections:
		d.fail("connections", cure, "the pool may take %d, the server gives %d", pool, f.Connections)
	case 2*pool > f.Connections:
		d.warn("connections", cure, "the pool may take %d of %d: a second process would find none", pool, f.Connections)
	default:
		d.ok("connections", "the pool may take %d of %d, %d are open", pool, f.Connections, f.Used)
	}
}

func (d *doctor) schema(ctx context.Context, db *postgres.DB) bool {
	status, err := db.Status(ctx)
	if err != nil {
		d.failed("schema", err)
		return false
	}
	err = status.Err()
	switch {
	case err == nil:
		d.ok("schema", "current (%d migrations)", len(status.Applied))
	case len(status.Unknown) > 0:
		d.fail("schema", "use the newer Carillon", "%s", err)
	case len(status.Changed) > 0:
		d.fail("schema", "restore the migrations as they were applied", "%s", err)
	case d.cfg.Embedded():
		d.warn("schema", "the next start of serve migrates it", "%s", err)
	default:
		d.fail("schema", "run `carillon migrate`", "%s", err)
	}
	return err == nil
}

// indexes names each index that is missing or not valid, with the statement that makes it.
func (d *doctor) indexes(ctx context.Context, db *postgres.DB) {
	missing, err := db.MissingIndexes(ctx)
	if err != nil {
		d.failed("indexes", err)
		return
	}
	for _, i := range missing {
		report, harm := d.warn, "lists or due rows are slow"
		if i.Unique {
			report, harm = d.fail, "rows may be doubled, and serve does not start"
		}
		report("indexes", i.SQL, "%s is missing or not valid: %s", i.Name, harm)
	}
	if len(missing) == 0 {
		d.ok("indexes", "all are there")
	}
}

func (d *doctor) triggers(ctx context.Context, db *postgres.DB) {
	switch err := db.RequireTriggers(ctx); {
	case errors.Is(err, postgres.ErrTriggers):
		d.fail("triggers", "see the text; then restart the processes", "%s", err)
	case err != nil:
		d.failed("triggers", err)
	default:
		d.ok("triggers", "those by which changes are noticed are enabled")
	}
}

func (d *doctor) gaps(ctx context.Context, db *postgres.DB) {
	gaps, err := pgupkeep.Gaps(ctx, db, listed)
	if err != nil {
		d.failed("integrations", err)
		return
	}
	for _, g := range gaps {
		d.warn("integrations", "create an integration, or switch the step off",
			"environment %s has no active integration for %s, which %s use", g.Environment, g.Channel, enumerate(g.Workflows, g.Total))
	}
	if len(gaps) == 0 {
		d.ok("integrations", "every channel that a workflow uses has one")
	}
}

func enumerate(names []string, total int) string {
	names = names[:min(len(names), 5)]
	text := strings.Join(names, ", ")
	if total > len(names) {
		text += fmt.Sprintf(" and %d more", total-len(names))
	}
	return text
}

// rows looks for work that makes no progress and rows that point at nothing.
func (d *doctor) rows(ctx context.Context, db *postgres.DB) {
	parked, err := pgupkeep.Parked(ctx, db)
	if err != nil {
		d.failed("parked", err)
		return
	}
	before := len(d.findings)
	for _, p := range parked {
		if p.Count > 0 {
			d.warn("parked", "read the reason in the trace, and trigger again once it is gone",
				"%d %s failed too often, the newest is %s", p.Count, p.Table, p.ID)
		}
	}
	if len(d.findings) == before {
		d.ok("parked", "nothing is")
	}
	d.overdue(ctx, db)
	dangling, err := pgupkeep.FindDangling(ctx, db, sample)
	if err != nil {
		d.failed("references", err)
		return
	}
	before = len(d.findings)
	for _, g := range dangling {
		if g.Count > 0 {
			d.fail("references", "restore the database from a backup, or delete these rows",
				"%d %s have a %s that does not exist, the newest is %s", g.Count, g.Table, g.Column, g.ID)
		}
	}
	if len(d.findings) == before {
		d.ok("references", "none of the newest rows dangles")
	}
}

func (d *doctor) overdue(ctx context.Context, db *postgres.DB) {
	delivering, err := pgupkeep.Delivering(ctx, db)
	if err != nil {
		d.failed("due rows", err)
		return
	}
	late, err := pgupkeep.FindOverdue(ctx, db, d.now().Add(-lateAfter), sample)
	if err != nil {
		d.failed("due rows", err)
		return
	}
	stuck, err := pgupkeep.StuckLeases(ctx, db, leaseBeyond)
	if err != nil {
		d.failed("due rows", err)
		return
	}
	before := len(d.findings)
	for _, o := range late {
		switch age := d.now().Sub(o.Oldest).Round(time.Second); {
		case o.Count == 0:
		case delivering:
			d.fail("due rows", "look for errors in the log of serve and worker; start more of them if they are busy",
				"%d %s wait although they are due, the oldest (%s) since %s", o.Count, o.Table, o.ID, age)
		default:
			d.warn("due rows", "start `carillon serve` or `carillon worker`",
				"%d %s wait since %s and no process delivers", o.Count, o.Table, age)
		}
	}
	if stuck.Count > 0 {
		d.fail("due rows", "correct the database's clock, or set leased_until of these rows to null",
			"%d messages are leased for longer than any worker asks, the newest is %s", stuck.Count, stuck.ID)
	}
	if len(d.findings) == before {
		d.ok("due rows", "none is late")
	}
}
