package child_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

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
