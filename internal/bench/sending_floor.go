package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// floors are the rates of plain clients that send the same bytes to the same sink: one that does nothing else, and one that
// commits an INSERT before and an UPDATE after each delivery. worker makes what one of the parallel senders uses.
func (b *bench) floors(ctx context.Context, total int, worker func(context.Context) func(context.Context) error) (plain, ledger float64, err error) {
	if plain, err = parallel(ctx, total, worker); err != nil {
		return 0, 0, fmt.Errorf("plain client: %w", err)
	}
	cfg := b.db.Config()
	cfg.MaxConns = sendParallel
	db, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return 0, 0, fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	for _, sql := range []string{
		`DROP TABLE IF EXISTS bench_ledger`,
		`CREATE TABLE bench_ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, created_at timestamptz DEFAULT now(), outcome text NOT NULL, finished_at timestamptz)`,
	} {
		if _, err := db.Exec(ctx, sql); err != nil {
			return 0, 0, fmt.Errorf("make the ledger: %w", err)
		}
	}
	ledger, err = parallel(ctx, total, func(ctx context.Context) func(context.Context) error {
		deliver := worker(ctx)
		return func(ctx context.Context) error {
			var id int64
			if err := db.QueryRow(ctx, `INSERT INTO bench_ledger (outcome) VALUES ('intent') RETURNING id`).Scan(&id); err != nil {
				return err
			}
			if err := deliver(ctx); err != nil {
				return err
			}
			_, err := db.Exec(ctx, `UPDATE bench_ledger SET outcome = 'accepted', finished_at = now() WHERE id = $1`, id)
			return err
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("client with a ledger: %w", err)
	}
	return plain, ledger, nil
}

// parallel is how many deliveries a second sendParallel workers make.
func parallel(ctx context.Context, total int, worker func(context.Context) func(context.Context) error) (perSecond float64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range sendParallel {
		all.Go(func() {
			deliver := worker(ctx)
			for int(next.Add(1)) <= total && ctx.Err() == nil {
				if err := deliver(ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return float64(total) / time.Since(began).Seconds(), context.Cause(ctx)
}

// poster repeats the last request that the sink got.
func (s *sink) poster() func(context.Context) func(context.Context) error {
	transport := &http.Transport{MaxIdleConnsPerHost: sendParallel, MaxConnsPerHost: sendParallel}
	return func(context.Context) func(context.Context) error {
		return func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, s.request.Method, s.url, bytes.NewReader(s.body))
			if err != nil {
				return err
			}
			req.Header = s.request.Header
			resp, err := transport.RoundTrip(req)
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			return err
		}
	}
}

// mailer repeats the last mail that the sink got, each worker over one connection: it pipelines (RFC 2920), so that a mail
// costs one write and one round trip.
func (s *sink) mailer() func(context.Context) func(context.Context) error {
	return func(ctx context.Context) func(context.Context) error {
		mail := fmt.Sprintf("MAIL FROM:<%s>\r\nRCPT TO:<%s>\r\nDATA\r\n", s.mail.From, s.mail.To[0])
		var content bytes.Buffer
		dots := textproto.NewWriter(bufio.NewWriter(&content)).DotWriter()
		_, _ = dots.Write(s.mail.Data) // to memory
		_ = dots.Close()
		c, err := textproto.Dial("tcp", s.smtp)
		say := func(text string, codes ...int) error {
			if err != nil {
				return err
			}
			if _, err := io.WriteString(c.W, text); err != nil {
				return err
			}
			if err := c.W.Flush(); err != nil {
				return err
			}
			for _, code := range codes {
				if _, _, err := c.ReadResponse(code); err != nil {
					return err
				}
			}
			return nil
		}
		if err == nil {
			context.AfterFunc(ctx, func() { _ = c.Close() })
			err = say("EHLO floor.example\r\n"+mail, 220, 250, 250, 250, 354)
		}
		next := content.String() + mail
		return func(context.Context) error { return say(next, 250, 250, 250, 354) }
	}
}
