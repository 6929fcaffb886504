package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Connections are those of both pools.
type Connections struct {
	Used, Idle, Opening, Max int32
	Waits                    int64         // how often work waited because all were in use
	Waited                   time.Duration // for how long
}

// Connections counts them.
func (db *DB) Connections() (c Connections) {
	pools := []*pgxpool.Pool{db.Pool}
	if db.lists != db.Pool {
		pools = append(pools, db.lists)
	}
	for _, pool := range pools {
		s := pool.Stat()
		c.Used += s.AcquiredConns()
		c.Idle += s.IdleConns()
		c.Opening += s.ConstructingConns()
		c.Max += s.MaxConns()
		c.Waits += s.EmptyAcquireCount()
		c.Waited += s.EmptyAcquireWaitTime()
	}
	return c
}

// MaxConnections is how many connections a process takes at most that is opened with dsn and opts.
func MaxConnections(dsn string, opts Options) (int32, error) {
	cfg, err := poolConfig(dsn, opts)
	if err != nil {
		return 0, err
	}
	if opts.Pooler {
		return cfg.MaxConns, nil
	}
	return 2 * cfg.MaxConns, nil
}

// Busy reports whether the pool of the hot path has no connection that is free, and may open no more.
func (db *DB) Busy() bool {
	s := db.Pool.Stat()
	return s.AcquiredConns() == s.MaxConns()
}
