// Package demo shows Carillon at work on a small real case: an order service that sends on all five channels. It is a
// client of the public doors only, with an SMTP server and webhooks on the other side.
package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// Config says where the demo runs.
type Config struct {
	Binary  string        // path of the carillon program: the SMTP server, and the Carillon of the demo's own
	URL     string        // of a running Carillon on this machine that may call 127.0.0.0/8; "": one of its own
	Key     string        // organization key of the running Carillon
	Prefix  string        // VALUE_PREFIX of the running Carillon; svc when empty
	DataDir string        // for a Carillon of its own: an empty directory that its database's user can reach
	Keep    bool          // leave the demo's environment behind
	Timeout time.Duration // for everything; 0: a minute
	Out     io.Writer
}

// ErrIncomplete says that not everything arrived, or more than that.
var ErrIncomplete = errors.New("what arrived is not what was sent; see the table")

// Run plays the whole demo and prints it. It fails with ErrIncomplete when the other side did not receive exactly what it
// should.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute
	}
	if cfg.Prefix == "" {
		cfg.Prefix = "svc"
	}
	limited, cancel := context.WithTimeoutCause(ctx, cfg.Timeout, fmt.Errorf("not done within %s", cfg.Timeout))
	defer cancel()
	s := &stage{cfg: cfg, print: &printer{out: cfg.Out}}
	defer s.strike(ctx)
	if err := s.build(limited); err != nil {
		return err
	}
	began := time.Now()
	err := s.play(limited)
	if err != nil && limited.Err() == nil || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, s.verify(ctx, began)) // when the time is up, the table shows what is missing
}

// stage is everything the play needs.
type stage struct {
	cfg   Config
	print *printer

	own   *child.Process // nil when a running Carillon is used
	sink  *Sink
	hooks *Hooks

	admin       *client.Client // of the organization
	client      *client.Client // of the demo's environment
	environment string         // global id of the demo's environment
	wanted      []delivery
}

// build starts all programs and makes the case.
func (s *stage) build(ctx context.Context) (err error) {
	s.print.title("Carillon demo: an order service on five channels")
	err = s.print.step("Carillon", func() (string, error) { return s.startCarillon(ctx) })
	if err != nil {
		return err
	}
	err = s.print.step("SMTP server", func() (string, error) {
		if s.sink, err = StartSink(ctx, s.cfg.Binary); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, process %d", s.sink.Addr, s.sink.PID), nil
	})
	if err != nil {
		return err
	}
	err = s.print.step("Webhooks", func() (string, error) {
		if s.hooks, err = StartHooks(ctx, strings.ToLower(rand.Text()), s.cfg.Prefix); err != nil {
			return "", err
		}
		return "http://" + s.hooks.Addr + "/{sms,chat,push}", nil
	})
	if err != nil {
		return err
	}
	return s.print.step("The case", func() (string, error) { return s.prepare(ctx) })
}

func (s *stage) startCarillon(ctx context.Context) (string, error) {
	s.admin = &client.Client{URL: s.cfg.URL, Key: s.cfg.Key}
	if s.cfg.URL != "" {
		return s.cfg.URL, nil
	}
	began := time.Now()
	s.admin.Key = "demo-" + strings.ToLower(rand.Text())
	organization := "CARILLON_BOOTSTRAP_ORGANIZATION_KEY=" + s.admin.Key // which may make environments
	var err error
	s.own, err = child.Start(ctx, child.Config{
		Binary: s.cfg.Binary, DataDir: s.cfg.DataDir, Key: "demo-" + strings.ToLower(rand.Text()),
		Env: append([]string{"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_VALUE_PREFIX=" + s.cfg.Prefix, organization}, child.OwnDatabase...),
	})
	if err != nil {
		return "", err
	}
	s.admin.URL = s.own.URL()
	return fmt.Sprintf("%s with its own Postgres, ready in %s", s.admin.URL, short(time.Since(began))), nil
}

// strike ends and removes what build made, also when ctx has ended.
func (s *stage) strike(ctx context.Context) {
	if s.environment != "" && s.own == nil && !s.cfg.Keep {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := s.admin.GraphQL(ctx, deleteEnvironment, map[string]any{"id": s.environment}, nil); err != nil {
			s.print.line("The demo's environment could not be deleted: %s", err)
		}
	}
	if s.own != nil {
		if err := s.own.Stop(30 * time.Second); err != nil {
			s.print.line("Carillon did not stop well: %s\n%s", err, s.own.Output())
		}
	}
	if s.hooks != nil {
		s.hooks.Stop()
	}
	if s.sink != nil {
		s.sink.Stop()
	}
}
