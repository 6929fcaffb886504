package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/rest"
)

// Serve answers requests and delivers until ctx ends, and then lets what is under way finish. What a new operator needs
// to know is printed to out.
func Serve(ctx context.Context, cfg *config.Config, log *slog.Logger, version string, out io.Writer) error {
	return runApp(ctx, cfg, cfg.Addr, log, version, func(ctx context.Context, a *App) (stop func(context.Context) error, err error) {
		// The port first: when it is taken, nothing else has happened yet.
		var lc net.ListenConfig
		ln, err := lc.Listen(ctx, "tcp", cfg.Addr)
		if err != nil {
			return nil, listenError(cfg.Addr, "CARILLON_ADDR", err)
		}
		if err := a.acceptor.Start(ctx); err != nil {
			return nil, errors.Join(err, ln.Close())
		}
		stopMail, err := a.receiveMail(ctx)
		if err != nil {
			return nil, errors.Join(err, ln.Close())
		}
		stopOperations, operationsFailed, err := a.serveOperations(ctx)
		if err != nil {
			return nil, errors.Join(err, stopMail(ctx), ln.Close())
		}
		// Late, so that a start that fails has not used up the first one, which shows the key.
		first, err := a.firstStart(ctx)
		if err != nil {
			return nil, errors.Join(err, stopOperations(ctx), stopMail(ctx), ln.Close())
		}
		stopServing, failed := a.serveHTTP(ctx, ln)
		if err := a.startWork(ctx); err != nil {
			return nil, errors.Join(err, stopServing(ctx), stopMail(ctx), stopOperations(ctx))
		}
		greet(out, cfg, ln.Addr(), first)
		return func(ctx context.Context) error {
			err := errors.Join(stopServing(ctx), stopMail(ctx))
			err = errors.Join(err, a.acceptor.Stop(ctx), a.stopWork(ctx), a.auth.Close(ctx))
			// Last, so that a process that still delivers does not look dead.
			return errors.Join(err, stopOperations(ctx), <-failed, <-operationsFailed)
		}, nil
	})
}

// Work delivers until ctx ends, beside processes that serve.
func Work(ctx context.Context, cfg *config.Config, log *slog.Logger, version string) error {
	if cfg.Embedded() {
		return errors.New("a worker shares a database with processes that serve: set CARILLON_DATABASE_URL")
	}
	addr := cmp.Or(cfg.OperationsAddr, cfg.Addr)
	return runApp(ctx, cfg, addr, log, version, func(ctx context.Context, a *App) (func(context.Context) error, error) {
		var lc net.ListenConfig
		ln, err := lc.Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, listenError(addr, "CARILLON_OPERATIONS_ADDR or CARILLON_ADDR", err)
		}
		stopOperations, failed := a.serveHealth(ctx, ln, cfg.OperationsAddr != "")
		if err := a.startWork(ctx); err != nil {
			return nil, errors.Join(err, stopOperations(ctx))
		}
		return func(ctx context.Context) error {
			a.draining.Store(true)
			return errors.Join(a.stopWork(ctx), stopOperations(ctx), <-failed)
		}, nil
	})
}

// runApp builds a process that listens on addr, starts it, waits for ctx or the end of the embedded database, and stops it within the
// drain time.
func runApp(ctx context.Context, cfg *config.Config, addr string, log *slog.Logger, version string,
	start func(context.Context, *App) (stop func(context.Context) error, err error),
) (err error) {
	began := time.Now()
	a, err := open(ctx, cfg, log, version, false, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	stop, err := start(ctx, a)
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "started", slog.String("version", version), slog.String("addr", addr),
		slog.Bool("embedded_database", cfg.Embedded()), telemetry.DurationMs(time.Since(began)))
	if cfg.Clock == "virtual" {
		log.WarnContext(ctx, "the clocks of development environments can be moved: CARILLON_CLOCK=virtual")
	}
	idling, busy := context.WithCancel(ctx)
	defer busy()
	collectFromFloor()
	go giveBack(idling, log)
	var ended <-chan struct{}
	if a.db.server != nil {
		ended = a.db.server.Done()
	}
	select {
	case <-ctx.Done():
	case <-ended:
		err = fmt.Errorf("the embedded database ended by itself; its log is in %s", cfg.DataDir)
	}
	log.InfoContext(ctx, "stopping", "drain_timeout", cfg.DrainTimeout.String())
	drain, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), cfg.DrainTimeout, errors.New("the drain time is over"))
	defer cancel()
	err = errors.Join(err, stop(drain))
	log.InfoContext(ctx, "stopped")
	return err
}

// serveHTTP answers on ln. stop refuses new requests and waits for those under way.
func (a *App) serveHTTP(ctx context.Context, ln net.Listener) (stop func(context.Context) error, failed <-chan error) {
	return a.serveOn(ctx, ln, a.doors(), func() { close(a.live.closing) }) //nolint:contextcheck // handlers act under their request's context
}

func (a *App) serveOn(ctx context.Context, ln net.Listener, handler http.Handler, endStreams func()) (func(context.Context) error, <-chan error) {
	server := &http.Server{
		Handler:           ruled(handler),
		ReadHeaderTimeout: cmp.Or(a.cfg.RequestTime, 10*time.Second),
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    128 << 10, // the REST door answers what is too long for it
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ConnContext:       intake.ConnContext,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(endStreams)
	failed := make(chan error, 1)
	go func() {
		defer close(failed)
		if err := server.Serve(a.intake.Listen(rest.Listen(ln, time.Now))); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	return func(ctx context.Context) error {
		a.draining.Store(true)
		if err := server.Shutdown(ctx); err != nil {
			return errors.Join(fmt.Errorf("requests under way were cut off: %w", err), server.Close())
		}
		return nil
	}, failed
}
