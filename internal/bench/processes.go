package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/carillon/carillon/internal/child"
)

// processes measures two processes on one database beside one of them alone, at 64 connections in all. The other one is idle
// meanwhile.
func (b *bench) processes(ctx context.Context) (err error) {
	second, err := child.Start(ctx, child.Config{
		Binary: b.Binary, DataDir: filepath.Join(b.dir, "second"), Key: b.api.Key,
		Env: append(b.env(), "CARILLON_DATABASE_URL="+b.db.Config().ConnString()),
	})
	if err != nil {
		return fmt.Errorf("start the second process: %w", err)
	}
	defer func() { err = errors.Join(err, second.Stop(time.Minute)) }()
	if err := b.quietWorkflow(ctx, b.api, "bench-processes"); err != nil {
		return err
	}
	pids := []int{b.server.PID(), second.PID()}
	of := func(urls ...string) func(context.Context, int) (load, error) {
		return func(ctx context.Context, total int) (load, error) {
			began := time.Now()
			l, err := send(ctx, "", 64, total, func(n int) request {
				return request{method: http.MethodPost, path: urls[n%len(urls)] + "/v1/events/trigger", key: b.api.Key, body: trigger("bench-processes", n)}
			})
			if err != nil {
				return load{}, err
			}
			err = b.drained(ctx)
			l.took = time.Since(began)
			return l, err
		}
	}
	two, one, err := b.compare(ctx, b.Requests, side{pids, of(b.api.URL, second.URL())}, side{pids, of(b.api.URL)})
	if err != nil {
		return err
	}
	b.compared("triggers until each is in its inbox, two processes beside one", two, one, b.Requests, false, "0.95 at least")
	return nil
}
