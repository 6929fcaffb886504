package app

import (
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/intake"
)

// scarce has no file descriptor for the first connection.
type scarce struct {
	net.Listener
	asked atomic.Bool
}

func (l *scarce) Accept() (net.Conn, error) {
	if !l.asked.Swap(true) {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

type lines chan string

func (w lines) Write(line []byte) (int, error) {
	w <- string(line)
	return len(line), nil
}

// TestServerLogsAsEverythingElse: what the HTTP server says by itself is a line of the log.
func TestServerLogsAsEverythingElse(t *testing.T) {
	t.Parallel()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	logged := make(lines, 1)
	a := &App{cfg: &config.Config{}, log: slog.New(slog.NewJSONHandler(logged, nil)), intake: intake.New(intake.Config{})}
	stop, _ := a.serveOn(t.Context(), &scarce{Listener: ln}, http.NotFoundHandler(), func() {})
	require.Contains(t, <-logged, `"level":"WARN","msg":"http: Accept error: accept: too many open files; retrying in 5ms"}`)
	require.NoError(t, stop(t.Context()))
}
