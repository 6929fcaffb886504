package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// floorConns are as many as Carillon itself uses for one of its two pools.
const floorConns = 16

// ServeFloor answers as plain code would: every documented route by its one best query, and any other POST by committing
// one INSERT of the same bytes. It runs as a process of its own, as Carillon does.
func ServeFloor(ctx context.Context, dsn string, ln net.Listener) error {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	cfg.MaxConns = floorConns
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, `CREATE TABLE IF NOT EXISTS bench_floor (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body jsonb NOT NULL, outcome text);
		CREATE TABLE IF NOT EXISTS floor_events (LIKE events INCLUDING ALL)`)
	if err != nil {
		return fmt.Errorf("make the floor's table: %w", err)
	}
	f := &floor{db: pool, sockets: map[string]*floorSocket{}, posts: &http.Transport{MaxIdleConnsPerHost: sendParallel}}
	if err := pool.QueryRow(ctx, `SELECT min(id) FROM environments WHERE identifier = 'development'`).Scan(&f.environment); err != nil {
		return fmt.Errorf("find the environment: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /", f.insert)
	mux.HandleFunc("POST /webhook", f.webhook)
	mux.HandleFunc("GET /push/{to}", f.open)
	mux.HandleFunc("POST /push/{to}", f.push)
	mux.HandleFunc("GET /echo", echo)
	f.routes(mux)
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: mux}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(ln); ctx.Err() == nil {
		return fmt.Errorf("serve the floor: %w", err)
	}
	return nil
}

// twinOf makes a table with the same columns as another one.
type twinOf string

const (
	keyed   twinOf = "INCLUDING DEFAULTS" // with no index but that of the key
	indexed twinOf = "INCLUDING ALL"      // with all its indexes
)

// copyFloor times plain COPY of rows that exist into twins of their tables.
func copyFloor(ctx context.Context, db *pgxpool.Pool, twins twinOf, tables map[string]string) (rows int, took time.Duration, err error) {
	for table, where := range tables {
		n, d, err := copyTable(ctx, db, twins, table, where)
		if err != nil {
			return 0, 0, fmt.Errorf("copy %s: %w", table, err)
		}
		rows, took = rows+n, took+d
	}
	return rows, took, nil
}

func copyTable(ctx context.Context, db *pgxpool.Pool, twins twinOf, table, where string) (int, time.Duration, error) {
	var columns, quoted []string // without those that the database computes
	named, err := db.Query(ctx, `SELECT column_name::text FROM information_schema.columns
WHERE table_schema = current_schema AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`, table)
	if err != nil {
		return 0, 0, err
	}
	if columns, err = pgx.CollectRows(named, pgx.RowTo[string]); err != nil {
		return 0, 0, err
	}
	if len(columns) == 0 {
		return 0, 0, errors.New("there is no such table")
	}
	for _, name := range columns {
		quoted = append(quoted, pgx.Identifier{name}.Sanitize())
	}
	twin := pgx.Identifier{"bench_" + table}
	statements := []string{
		"DROP TABLE IF EXISTS " + twin.Sanitize(),
		"CREATE TABLE " + twin.Sanitize() + " (LIKE " + pgx.Identifier{table}.Sanitize() + " " + string(twins) + ")",
	}
	if twins == keyed {
		statements = append(statements, "ALTER TABLE "+twin.Sanitize()+" ADD PRIMARY KEY ("+pgx.Identifier{columns[0]}.Sanitize()+")")
	}
	for _, sql := range statements {
		if _, err := db.Exec(ctx, sql); err != nil {
			return 0, 0, err
		}
	}
	// Decoded once here, so that the floor pays for encoding rows, as any program would, and for nothing else.
	found, err := db.Query(ctx, "SELECT "+strings.Join(quoted, ", ")+" FROM "+pgx.Identifier{table}.Sanitize()+" WHERE "+where)
	if err != nil {
		return 0, 0, err
	}
	values, err := pgx.CollectRows(found, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	_, err = db.CopyFrom(ctx, twin, columns, pgx.CopyFromRows(values))
	return len(values), time.Since(began), err
}
