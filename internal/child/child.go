// Package child runs the carillon binary as a child process, with a data directory and a port of its own. The demo, the
// bench and the crash tests drive Carillon from outside through it.
package child

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/subprocess"
)

// Config says what to run.
type Config struct {
	Binary  string   // path of the carillon binary
	Command string   // serve or worker; serve when empty
	DataDir string   // required
	Addr    string   // host:port to listen on; a free port of the loopback interface when empty
	OpsAddr string   // host:port of health and metrics, if it is not Addr
	Key     string   // the first environment's API key
	Env     []string // more settings, NAME=value
	Log     io.Writer
}

// OwnDatabase are settings with which a child runs a Postgres in its data directory, whatever database this process was given.
var OwnDatabase = []string{"CARILLON_DATABASE_URL=", "CARILLON_DATABASE_POOLER=false"}

// Process is a running child.
type Process struct {
	Addr string // host:port
	ops  string // where it is asked whether it is ready
	cmd  *exec.Cmd
	done chan struct{}
	tail *tail
	err  error
}

// portTries is how many free ports a child is given: another program may take one before the child listens there.
const portTries = 3

// Start runs the binary and returns when it is ready. ctx bounds the start only.
func Start(ctx context.Context, cfg Config) (*Process, error) {
	if cfg.Addr != "" {
		return start(ctx, cfg)
	}
	for tries := 1; ; tries++ {
		addr, err := FreeAddr(ctx)
		if err != nil {
			return nil, err
		}
		cfg.Addr = addr
		p, err := start(ctx, cfg)
		if err == nil || tries == portTries || !strings.Contains(err.Error(), "another program listens on "+addr) {
			return p, err
		}
	}
}

func start(ctx context.Context, cfg Config) (*Process, error) {
	if cfg.Command == "" {
		cfg.Command = "serve"
	}
	p := &Process{Addr: cfg.Addr, ops: cmp.Or(cfg.OpsAddr, cfg.Addr), done: make(chan struct{}), tail: &tail{next: cfg.Log}}
	p.cmd = exec.Command(cfg.Binary, cfg.Command) //nolint:noctx // the child outlives the start's context
	p.cmd.Env = append(os.Environ(), "CARILLON_ADDR="+cfg.Addr, "CARILLON_OPERATIONS_ADDR="+cfg.OpsAddr, "CARILLON_DATA_DIR="+cfg.DataDir,
		"CARILLON_BOOTSTRAP_API_KEY="+cfg.Key)
	p.cmd.Env = append(p.cmd.Env, cfg.Env...)
	p.cmd.Stdout, p.cmd.Stderr = p.tail, p.tail
	ended := func(err error) {
		p.err = err
		close(p.done)
	}
	if err := subprocess.Start(p.cmd, syscall.SIGTERM, ended); err != nil {
		return nil, fmt.Errorf("start %s: %w", cfg.Binary, err)
	}
	if err := p.awaitReady(ctx); err != nil {
		p.Kill()
		return nil, err
	}
	return p, nil
}

func (p *Process) awaitReady(ctx context.Context) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if p.ready(ctx) {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("carillon ended while starting: %w\n%s", errors.Join(p.err, errors.New("its last words")), p.tail)
		case <-ctx.Done():
			return fmt.Errorf("carillon is not ready: %w\n%s", context.Cause(ctx), p.tail)
		case <-tick.C:
		}
	}
}

func (p *Process) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.ops+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// URL is the address of the child's doors.
func (p *Process) URL() string { return "http://" + p.Addr }

// PID is the child's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Output is the end of what the child printed.
func (p *Process) Output() string { return p.tail.String() }

// Kill ends the child at once, as a crash would.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Crashed says how the child ended, with its last words. It is nil while the child runs, and when the child was killed or ended well.
func (p *Process) Crashed() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
			return nil
		}
	}
	return p.ended()
}

// ended is how the child ended, with its last words if it did not end well.
func (p *Process) ended() error {
	if p.err == nil {
		return nil
	}
	return fmt.Errorf("%w; its last words\n%s", p.err, p.tail)
}

// Signal sends sig to the child. A second signal ends it at once; see Wait.
func (p *Process) Signal(sig os.Signal) error { return p.cmd.Process.Signal(sig) }

// Wait waits for the child's end and reports how it ended, as exec.Cmd does.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("carillon has not ended: %w", context.Cause(ctx))
	}
}

// Stop asks the child to end and waits for it; one that does not within the grace is killed and that is an error.
func (p *Process) Stop(grace time.Duration) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return p.ended()
	case <-time.After(grace):
		p.Kill()
		return fmt.Errorf("carillon did not stop within %s", grace)
	}
}

// Memory is the child's resident memory and its highest value so far, in bytes.
func (p *Process) Memory() (now, peak int64, err error) { return Memory(p.PID()) }

// Memory is the resident memory of a running process and its highest value so far, in bytes.
func Memory(pid int) (now, peak int64, err error) {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, 0, fmt.Errorf("read the child's memory: %w", err)
	}
	return statusBytes(status, "VmRSS:"), statusBytes(status, "VmHWM:"), nil
}

func statusBytes(status []byte, field string) int64 {
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// firstPort and lastPort bound the ports of children. They lie below those that systems give to who asks for any port
// (Linux from 32768 on), so that a server of another program never gets a port whose readiness is asked for here.
const firstPort, lastPort = 20_000, 32_000

// FreeAddr returns an address of the loopback interface that is free now. Another process may take it before it is listened on;
// a child's start is tried with another one then.
func FreeAddr(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	var taken error
	for range 100 {
		addr := "127.0.0.1:" + strconv.Itoa(firstPort+rand.IntN(lastPort-firstPort)) //nolint:gosec // a port is no secret
		ln, err := lc.Listen(ctx, "tcp", addr)
		if err == nil {
			return addr, ln.Close()
		}
		taken = err
	}
	return "", fmt.Errorf("find a free port: %w", taken)
}

// tail keeps the end of what is written and hands everything on.
type tail struct {
	mu   sync.Mutex
	last bytes.Buffer
	next io.Writer
}

const tailSize = 16 << 10

// Write never fails, so that the child never blocks on a full pipe.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last.Write(b)
	if over := t.last.Len() - tailSize; over > 0 {
		t.last.Next(over)
	}
	if t.next != nil {
		_, _ = t.next.Write(b)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.String()
}
