package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// Notify sends payloads of at most 8,000 bytes each to all who listen to the channel. They carry no tenant's data: topics
// name ids only.
func (db *DB) Notify(ctx context.Context, channel string, payloads []string) error {
	if len(payloads) == 0 {
		return nil
	}
	if _, err := db.Pool.Exec(ctx, `SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p`, channel, payloads); err != nil {
		return fmt.Errorf("notify %s: %w", channel, err)
	}
	return nil
}

// Listen calls hear for every payload that is sent to the channel, after it has called connected once. It holds a
// connection of its own, outside the pools, until ctx ends, which is no error, or the connection is lost.
func (db *DB) Listen(ctx context.Context, channel string, connected func(), hear func(payload string)) error {
	cfg := db.lists.Config().ConnConfig
	cfg.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler { // it waits for nothing that could be cancelled
		return &pgconn.DeadlineContextWatcherHandler{Conn: pg.Conn()}
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return unlessOver(ctx, fmt.Errorf("connect to listen: %w", err))
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	// Whoever listens is idle for as long as nothing happens: a bound of the role for that would end the session again and again.
	if _, err := conn.Exec(ctx, "SET idle_session_timeout = 0"); err != nil {
		return unlessOver(ctx, fmt.Errorf("lift the bound of idle sessions: %w", err))
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return unlessOver(ctx, fmt.Errorf("listen to %s: %w", channel, err))
	}
	connected()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return unlessOver(ctx, fmt.Errorf("listen to %s: %w", channel, err))
		}
		hear(n.Payload)
	}
}

// unlessOver is err, or nil when it only says that ctx has ended.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Pooled reports whether the database is reached through a transaction pooler, where LISTEN does not work.
func (db *DB) Pooled() bool { return db.pooler }
