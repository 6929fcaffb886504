package child_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
)

// parent starts a child, prints its address, and runs until it is killed.
func parent() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := child.Start(context.Background(), child.Config{Binary: self, Env: []string{roleVariable + "=serves"}})
	if err != nil {
		panic(err)
	}
	fmt.Println("child at", p.Addr)
	select {}
}

// TestChildrenEndWithTheirParent: what a killed process leaves is asked to end, so that it ends its database, too.
func TestChildrenEndWithTheirParent(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(patience(t), self)
	cmd.Env = append(os.Environ(), roleVariable+"=parent")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	addr := ""
	for lines := bufio.NewScanner(out); addr == "" && lines.Scan(); {
		_, addr, _ = strings.Cut(lines.Text(), "child at ")
	}
	require.NotEmpty(t, addr)
	conn, err := (&net.Dialer{}).DialContext(patience(t), "tcp", addr)
	require.NoError(t, err)
	defer conn.Close()
	deadline, _ := patience(t).Deadline()
	require.NoError(t, conn.SetReadDeadline(deadline))

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	_, err = io.ReadAll(conn)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the child has ended, and with it its connection")
}

// TestEndOfAChildEndsNoOther: the kernel was asked to kill other programs with their parent. They keep running when a child ends that
// was started on the same thread.
func TestEndOfAChildEndsNoOther(t *testing.T) {
	t.Parallel()
	type echo struct {
		to   io.Writer
		from *bufio.Reader
	}
	others := make([]echo, 8)
	var starting, all sync.WaitGroup
	all.Add(len(others))
	for i := range others {
		cmd := exec.CommandContext(patience(t), "cat")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		to, err := cmd.StdinPipe()
		require.NoError(t, err)
		from, err := cmd.StdoutPipe()
		require.NoError(t, err)
		others[i] = echo{to, bufio.NewReader(from)}
		starting.Go(func() { // each on a thread of its own
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			all.Done()
			all.Wait()
			assert.NoError(t, cmd.Start())
		})
		t.Cleanup(func() { _, _ = to.Close(), cmd.Wait() })
	}
	starting.Wait()
	for range 20 {
		_, err := start(patience(t), t, "ends", &log{})
		require.ErrorContains(t, err, "no database")
	}
	for _, o := range others {
		_, err := io.WriteString(o.to, "still here\n")
		require.NoError(t, err)
		line, err := o.from.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "still here\n", line)
	}
}
