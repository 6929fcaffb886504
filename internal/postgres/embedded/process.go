package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/subprocess"
)

// process is the running postmaster.
type process struct {
	pid  int
	done chan struct{}
	err  error // how it ended; valid once done is closed
}

// run starts cmd. When this process is killed, the server is asked for a fast shutdown where the platform can; elsewhere the next start
// stops what was left.
func run(cmd *exec.Cmd) (*process, error) {
	p := &process{done: make(chan struct{})}
	err := subprocess.Start(cmd, syscall.SIGINT, func(err error) {
		defer close(p.done)
		if p.err = err; err == nil {
			p.err = errors.New("exit status 0")
		}
		if c, ok := cmd.Stderr.(interface{ close() }); ok {
			c.close()
		}
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the program
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

// stop asks for a fast shutdown, then insists. Clean ends report nil.
func (p *process) stop(grace time.Duration) error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, grace}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
		select {
		case <-p.done:
			return nil
		default:
		}
		_ = syscall.Kill(p.pid, step.signal)
		select {
		case <-p.done:
			if step.signal == syscall.SIGINT {
				return nil
			}
			return fmt.Errorf("the embedded database had to be stopped by %s; it recovers at the next start", step.signal)
		case <-time.After(step.wait):
		}
	}
	return fmt.Errorf("the embedded database (process %d) does not end", p.pid)
}

// stopOrphans ends the server that a killed process left in the cluster's directory. The caller holds the lock, so no
// living Carillon owns it.
func stopOrphans(ctx context.Context, cluster string, log *slog.Logger) error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 20 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
		pids := serversIn(cluster)
		if len(pids) == 0 {
			return nil
		}
		log.WarnContext(ctx, "stopping the database that a killed process left", "pids", pids, "signal", step.signal.String())
		for _, pid := range pids {
			// Only the postmaster hears the first call: to its children the same signal means something else. Without a
			// postmaster they end by themselves.
			if step.signal == syscall.SIGINT && pid != pidInFile(cluster) {
				continue
			}
			_ = syscall.Kill(pid, step.signal)
		}
		if err := awaitNobody(ctx, cluster, step.wait); err != nil {
			return err
		}
	}
	if pids := serversIn(cluster); len(pids) > 0 {
		return fmt.Errorf("processes %v still use %s; stop them", pids, cluster)
	}
	return nil
}

// awaitNobody waits until no server uses the cluster, at most patience; only ctx's end is an error.
func awaitNobody(ctx context.Context, cluster string, patience time.Duration) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for len(serversIn(cluster)) > 0 {
		select {
		case <-ctx.Done():
			return fmt.Errorf("stop the database that a killed process left: %w", context.Cause(ctx))
		case <-deadline:
			return nil
		case <-tick.C:
		}
	}
	return nil
}

// pidInFile is the process that the cluster's pid file names, 0 when there is none.
func pidInFile(cluster string) int {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return 0
	}
	return pid
}
