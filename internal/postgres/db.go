// Package postgres owns the database: the pool, the transaction that ent and plain SQL share, the meaning of database
// errors and the migrations. SQL that is not generated is in the packages pg… beside it, one for each noun.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/carillon/carillon/ent"
	_ "github.com/carillon/carillon/ent/runtime" // registers the schema's hooks and interceptors: tenancy lives there
	"github.com/carillon/carillon/internal/jsonnum"
)

// DB is the database and the two ways to use it. Options.MaxConns bounds what this process asks of the server.
type DB struct {
	// Pool is for the hot path: plain pgx, statements with fixed plans (see hotPath).
	Pool *pgxpool.Pool
	// SQL lends connections to database/sql, whose statements are planned for their arguments.
	SQL *sql.DB
	// Ent is the typed client over SQL, outside any transaction. Inside Tx use the Tx's.
	Ent *ent.Client
	// VirtualClocks lets the clocks of development environments be set, see clocks.go. Set before use.
	VirtualClocks bool

	lists   *pgxpool.Pool // behind SQL; Pool itself behind a pooler
	pooler  bool
	refused *refusals
}

// everyPath makes transactions see what others have committed meanwhile, whatever the server, the database or the role is set to: a
// writer waits for a row and works on it as it is then, where a stricter isolation would refuse it.
var everyPath = map[string]string{"default_transaction_isolation": "read committed"}

// keepalive makes Postgres end the sessions of a machine that has lost its power or its network after 40 seconds. By the defaults of Linux
// it takes them for alive for two hours and eleven minutes, and they keep their connections and the rows that they have locked. Milliseconds
// of tcp_user_timeout count for what Postgres has sent without an answer, which keeps it from asking.
var keepalive = map[string]string{
	"tcp_keepalives_idle":     "20",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "4",
	"tcp_user_timeout":        "40000",
}

// planning has Postgres plan for a disk that reads any page as fast as the next one, as all do but those that spin, and compile no plan: lists
// read pages along an index, and by the defaults of Postgres a bitmap of all rows of an environment costs less. The connection string may say
// otherwise.
var planning = map[string]string{"random_page_cost": "1.1", "jit": "off"}

// idleBound is what the role or the database may have for idle sessions: it would end connections that a pool takes for alive. Servers
// before Postgres 14 do not know it.
const idleBound = "idle_session_timeout"

// hotPath makes Postgres plan a statement of the hot path once, for all arguments, by its indexes. Planning a statement
// anew for every small batch costs more than running it: 1.3 ms of planning for one event from accept to its message.
// Every such statement looks rows up by a key, so scans and hash joins would only be chosen while a table is still small,
// and then be kept when it is not; an incremental sort is a scan of what shares the beginning of a key.
var hotPath = map[string]string{
	"plan_cache_mode":         "force_generic_plan",
	"enable_incremental_sort": "off",
	"enable_seqscan":          "off",
	"enable_hashjoin":         "off",
	"enable_mergejoin":        "off",
	// A scan that cannot be avoided looks so dear with these settings that parallel workers would be started for a few rows.
	"max_parallel_workers_per_gather": "0",
}

// listPath makes Postgres plan a list for the values that it is asked for, at the tenth execution as at the first. A plan for
// all values cannot use an index that holds only some (channel = 'in_app'), and takes a rare value for a common one.
var listPath = map[string]string{"plan_cache_mode": "force_custom_plan"}

// Options tune Open; the zero value is right for a server that is reached directly.
type Options struct {
	// MaxConns bounds the pool. 0: what the connection string says (pool_max_conns), else 32.
	MaxConns int32
	// Pooler says that the connection string leads to a transaction pooler such as pgbouncer: no named prepared
	// statements, no LISTEN, no migrations.
	Pooler bool
	// Delivers says that this process takes up due rows; see DeliversSuffix.
	Delivers bool
	// Patience bounds how long Open waits for a server that does not answer yet. 0: 30 seconds.
	Patience time.Duration
	// Logger receives one line per failed attempt; nil: none.
	Logger *slog.Logger
	// Tracer is called for every statement; nil: none is.
	Tracer pgx.QueryTracer
}

// DeliversSuffix ends the application names of processes that take up due rows.
const DeliversSuffix = " (delivers)"

const (
	defaultMaxConns = 32
	// trusted is for how long a connection is taken for alive after its last use. An idle process uses one each second.
	trusted  = 5 * time.Second
	minConns = 4 // a migration holds one for its lock and works on others
	// A statement whose caller has left may end by itself before it is cancelled, and its connection is kept then. pgx closes the
	// connection at once, by which callers that leave again and again would take all connections from the others.
	cancelAfter     = 100 * time.Millisecond
	abandonAfter    = time.Second // of a server that does not answer
	connectTimeout  = 20 * time.Second
	connectNext     = 5 * time.Second // of several hosts: a dead one must not hold up the search for a living one
	defaultPatience = 30 * time.Second
)

// Open connects to dsn, a URL or key=value string that may name several hosts; of several the one that accepts writes is
// used. A server that is starting or failing over is waited for; a wrong password, user or database name is not.
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	cfg, err := poolConfig(dsn, opts)
	if err != nil {
		return nil, err
	}
	db := &DB{pooler: opts.Pooler, refused: new(refusals)}
	db.observe(&cfg.ConnConfig.Config)
	cfg.BeforeConnect = db.watchCommits
	if db.lists, err = listPool(ctx, cfg, opts); err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	if err := awaitServer(ctx, db.lists, opts); err != nil {
		db.lists.Close()
		if Code(err) == "42704" && strings.Contains(err.Error(), idleBound) {
			return nil, fmt.Errorf("connect to the database: use PostgreSQL 14 or newer: %w", err)
		}
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if !opts.Pooler && opts.Logger != nil {
		warnOfPooler(ctx, db.lists, opts.Logger)
	}
	if db.Pool, err = hotPool(ctx, cfg, db.lists, opts); err != nil {
		db.lists.Close()
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	// OpenDBFromPool keeps no idle connections of its own, and must not: they would keep Close waiting for ever.
	db.SQL = stdlib.OpenDBFromPool(db.lists)
	db.Ent = ent.NewClient(ent.Driver(limitedDriver{entsql.OpenDB(dialect.Postgres, db.SQL)}))
	return db, nil
}

// listPool serves ent. A pooler shares its sessions with others, so their settings cannot be changed.
func listPool(ctx context.Context, cfg *pgxpool.Config, opts Options) (*pgxpool.Pool, error) {
	lists := cfg.Copy()
	if !opts.Pooler {
		maps.Copy(lists.ConnConfig.RuntimeParams, listPath)
	}
	return pgxpool.NewWithConfig(ctx, lists)
}

// hotPool takes half of the permitted connections for the hot path. Behind a pooler the two are one.
func hotPool(ctx context.Context, cfg *pgxpool.Config, lists *pgxpool.Pool, opts Options) (*pgxpool.Pool, error) {
	if opts.Pooler {
		return lists, nil
	}
	hot := cfg.Copy()
	maps.Copy(hot.ConnConfig.RuntimeParams, hotPath)
	return pgxpool.NewWithConfig(ctx, hot)
}

// Close gives every connection back. It waits for the ones in use.
func (db *DB) Close() {
	_ = db.SQL.Close() // first: what database/sql holds would keep the pool waiting
	db.Pool.Close()
	db.lists.Close() // a second Close does nothing
}

func poolConfig(dsn string, opts Options) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the database's connection string: %w", err)
	}
	conn := cfg.ConnConfig
	switch {
	case opts.MaxConns > 0:
		cfg.MaxConns = opts.MaxConns
	case !strings.Contains(dsn, "pool_max_conns"):
		cfg.MaxConns = defaultMaxConns
	}
	cfg.MaxConns = max(cfg.MaxConns, minConns)
	cfg.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool { return p.IdleDuration > trusted }
	if !opts.Pooler {
		cfg.MaxConns = max(cfg.MaxConns/2, minConns) // each of the two pools
	}
	if conn.ConnectTimeout == 0 { // connect_timeout of the connection string
		conn.ConnectTimeout = connectTimeout
		if severalHosts(&conn.Config) {
			conn.ConnectTimeout = connectNext
		}
	}
	if severalHosts(&conn.Config) && conn.ValidateConnect == nil {
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if opts.Pooler && conn.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	conn.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		// Behind a pooler a statement is not cancelled while its connection is kept: pgbouncer before 1.18 may cancel that of another
		// client, and 1.18 ends, with all connections, when a request to cancel is given up because the statement has ended.
		if opts.Pooler {
			return &pgconn.DeadlineContextWatcherHandler{Conn: pg.Conn(), DeadlineDelay: abandonAfter}
		}
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pg, CancelRequestDelay: cancelAfter, DeadlineDelay: abandonAfter}
	}
	cfg.AfterConnect = registerTypes
	conn.Tracer = tracers(opts.Tracer)
	name := cmp.Or(conn.RuntimeParams["application_name"], "carillon")
	if opts.Delivers {
		name += DeliversSuffix
	}
	conn.RuntimeParams["application_name"] = name
	if !opts.Pooler {
		for _, settings := range []map[string]string{keepalive, planning, {idleBound: "0"}} {
			for name, value := range settings {
				conn.RuntimeParams[name] = cmp.Or(conn.RuntimeParams[name], value)
			}
		}
		maps.Copy(conn.RuntimeParams, everyPath)
	}
	return cfg, nil
}

// registerTypes has JSON read with all digits of its numbers, which are the callers' own, and arrays of texts encoded in one go.
func registerTypes(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "jsonb", OID: pgtype.JSONBOID, Codec: &pgtype.JSONBCodec{Marshal: json.Marshal, Unmarshal: jsonnum.Unmarshal},
	})
	conn.TypeMap().RegisterType(newTextArrays(conn.TypeMap()))
	return nil
}

// severalHosts is true when a fallback leads elsewhere; a fallback to the same host only tries another encryption.
func severalHosts(cfg *pgconn.Config) bool {
	for _, f := range cfg.Fallbacks {
		if f.Host != cfg.Host || f.Port != cfg.Port {
			return true
		}
	}
	return false
}

func awaitServer(ctx context.Context, pool *pgxpool.Pool, opts Options) error {
	patience := cmp.Or(opts.Patience, defaultPatience)
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := pool.Ping(ctx)
		if err == nil || hopeless(err) {
			return err
		}
		if opts.Logger != nil {
			opts.Logger.WarnContext(ctx, "database does not answer yet", "error", err.Error(), "retry_in_ms", wait.Milliseconds())
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(wait):
		}
	}
}

// hopeless reports whether waiting does not cure err: authentication (28*), an unknown database (3D*), a missing right (42*), a
// pooler of which Options do not say that it is one.
func hopeless(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	if FromPooler(pg) {
		return true
	}
	switch pg.Code[:2] {
	case "28", "3D", "42":
		return true
	}
	return false
}

// FromPooler reports whether err is a transaction pooler's refusal of the settings that a connection to a server begins with. The code
// is that of all that pgbouncer says.
func FromPooler(err *pgconn.PgError) bool {
	return err.Code == "08P01" && strings.Contains(err.Message, "startup parameter")
}

// SettingsDropped says what shows that a pooler is between Carillon and its database, although Options do not say so.
const SettingsDropped = "the settings that a connection begins with do not reach the database, as behind a transaction pooler such as pgbouncer"

// warnOfPooler logs a mistake that makes statements fail now and then. A pooler that keeps a session for each client does no harm,
// so it is no reason not to start.
func warnOfPooler(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) {
	var mode string
	err := pool.QueryRow(ctx, "SELECT current_setting('plan_cache_mode')", pgx.QueryExecModeSimpleProtocol).Scan(&mode)
	if err == nil && mode != listPath["plan_cache_mode"] {
		log.WarnContext(ctx, SettingsDropped+": set CARILLON_DATABASE_POOLER=true")
	}
}
