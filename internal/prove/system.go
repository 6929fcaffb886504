package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

// system is the installation under proof: a database, the network in front of it, and two processes.
type system struct {
	cfg     Config
	dir     string
	server  *embedded.Server // nil when the database is the caller's
	url     string           // of the database, without the network between
	network links            // between the processes and the database's hosts
	db      *pgxpool.Pool
	serve   *process
	worker  *process
	api     *client.Client
}

// process is a child that is started again after it was killed.
type process struct {
	name string
	cfg  child.Config
	now  *child.Process
}

// start starts the process, again and again as a supervisor does: one that finds no database ends.
func (p *process) start(ctx context.Context) error {
	var last error
	err := until(ctx, patience, func(ctx context.Context) (bool, error) {
		var now *child.Process
		if now, last = child.Start(ctx, p.cfg); last != nil {
			return false, nil
		}
		p.now, p.cfg.Addr = now, now.Addr // callers and readers keep their address
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", p.name, errors.Join(err, last))
	}
	return nil
}

// startSystem starts everything on an empty database. The caller closes the system, also after an error.
func startSystem(ctx context.Context, cfg Config, key string) (s *system, err error) {
	s = &system{cfg: cfg}
	if s.dir, err = embedded.TempDir("carillon-prove-*", embedded.RAMDisk()...); err != nil {
		return s, fmt.Errorf("make a data directory: %w", err)
	}
	if err := s.startDatabase(ctx); err != nil {
		return s, err
	}
	target, err := pgconn.ParseConfig(s.url)
	if err != nil {
		return s, fmt.Errorf("read the database's address: %w", err)
	}
	if s.network, err = newLinks(ctx, target); err != nil {
		return s, err
	}
	through, err := s.through()
	if err != nil {
		return s, err
	}
	env := []string{
		"CARILLON_DATABASE_URL=" + through, "CARILLON_SECRET_KEY=" + cfg.SecretKey, "CARILLON_LOG_LEVEL=error",
		"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_DATABASE_MAX_CONNS=8",
	}
	migrate := exec.CommandContext(ctx, cfg.Binary, "migrate")
	migrate.Env = append(os.Environ(), env...)
	if cfg.DirectURL != "" {
		migrate.Env = append(migrate.Env, "CARILLON_DATABASE_URL="+cfg.DirectURL, "CARILLON_DATABASE_POOLER=false")
	}
	if out, err := migrate.CombinedOutput(); err != nil {
		return s, fmt.Errorf("migrate: %w\n%s", err, out)
	}
	base := child.Config{Binary: cfg.Binary, DataDir: s.dir, Key: key, Env: env}
	serve, worker := base, base
	worker.Command = "worker"
	s.serve, s.worker = &process{name: "serve", cfg: serve}, &process{name: "worker", cfg: worker}
	if err := errors.Join(s.serve.start(ctx), s.worker.start(ctx)); err != nil {
		return s, err
	}
	s.api = &client.Client{URL: s.serve.now.URL(), Key: key}
	return s, nil
}

// startDatabase starts a database in the system's directory, or takes the caller's, which must be empty.
func (s *system) startDatabase(ctx context.Context) (err error) {
	s.url = s.cfg.DatabaseURL
	if s.url == "" {
		if err := s.startPostgres(ctx); err != nil {
			return err
		}
		s.url = s.server.DSN(embedded.Database)
	}
	if s.db, err = pgxpool.New(ctx, cmp.Or(s.cfg.DirectURL, s.url)); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	var used bool
	if err := s.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema())`).Scan(&used); err != nil {
		return fmt.Errorf("look into the database: %w", err)
	}
	if used {
		return errors.New("the database is not empty; prove writes events, kills what uses them, and needs one of its own")
	}
	return nil
}

func (s *system) startPostgres(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	own := embedded.Config{DataDir: s.dir, BinDir: s.cfg.PostgresBin}
	if s.cfg.ObtainPostgres {
		own.Obtain = embedded.ObtainPinned
	}
	if s.server, err = embedded.Start(ctx, own); err != nil {
		return fmt.Errorf("start Postgres: %w", err)
	}
	return nil
}

// through is the database's URL with the network between.
func (s *system) through() (string, error) {
	u, err := url.Parse(s.url)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "", errors.New("the database's address must be a URL such as postgres://user:password@host/name")
	}
	query := u.Query()
	if user := query.Get("user"); user != "" {
		u.User = url.User(user)
	}
	for _, name := range []string{"host", "port", "user"} {
		query.Del(name)
	}
	u.Host, u.RawQuery = s.network.Addr(), query.Encode()
	return u.String(), nil
}

// close ends everything and removes the system's own files.
func (s *system) close() error {
	var errs []error
	for _, p := range []*process{s.worker, s.serve} {
		if p != nil && p.now != nil {
			if err := p.now.Stop(30 * time.Second); err != nil {
				errs = append(errs, fmt.Errorf("stop %s: %w", p.name, err))
			}
		}
	}
	if s.db != nil {
		s.db.Close()
	}
	s.network.Close()
	if s.server != nil {
		errs = append(errs, s.server.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// kill ends a process as a crash would, and starts it again. It is an error that the process had ended by itself: its start would hide
// that.
func (p *process) kill(ctx context.Context) error {
	p.now.Kill()
	if err := p.now.Crashed(); err != nil {
		return fmt.Errorf("%s ended by itself: %w", p.name, err)
	}
	return p.start(ctx)
}

// freeze stops a process for a while; it notices nothing but the time.
func (p *process) freeze(ctx context.Context, span time.Duration) error {
	if err := p.now.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("freeze %s: %w", p.name, err)
	}
	wait(ctx, span)
	if err := p.now.Signal(syscall.SIGCONT); err != nil {
		return fmt.Errorf("thaw %s: %w", p.name, err)
	}
	return nil
}

// killPostgres ends the server as a crash would, and starts it again, which recovers.
func (s *system) killPostgres(ctx context.Context) error {
	if err := syscall.Kill(s.server.PID(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill Postgres: %w", err)
	}
	<-s.server.Done()
	_ = s.server.Stop() // releases the lock
	s.db.Reset()        // its connections ended with the server
	return s.startPostgres(ctx)
}

// freezePostgres stops the server and all its processes for a while.
func (s *system) freezePostgres(ctx context.Context, span time.Duration) error {
	var pids []int
	err := s.db.QueryRow(ctx, `SELECT array_agg(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()`).Scan(&pids)
	if err != nil {
		return fmt.Errorf("list Postgres's processes: %w", err)
	}
	pids = append(pids, s.server.PID())
	signal := func(sig syscall.Signal) {
		for _, pid := range pids {
			_ = syscall.Kill(pid, sig) // connections end meanwhile
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	wait(ctx, span)
	return nil
}

// wait returns after a while, or when ctx ends.
func wait(ctx context.Context, span time.Duration) {
	select {
	case <-time.After(span):
	case <-ctx.Done():
	}
}
