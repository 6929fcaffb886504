package realtime_test

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/realtime"
)

// lines hands on what is logged, a line at a time.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

// next is the next line's message and error.
func (l lines) next(t *testing.T) (msg, problem string) {
	t.Helper()
	var line struct{ Level, Msg, Error string }
	select {
	case text := <-l:
		require.NoError(t, json.Unmarshal([]byte(text), &line), text)
	case <-time.After(patience):
		require.Fail(t, "nothing was logged")
	}
	return line.Msg, line.Error
}

// TestNATSThatRefusesLogIns is said once and tried until it takes them: at the start, and after the connection was lost.
func TestNATSThatRefusesLogIns(t *testing.T) {
	t.Parallel()
	refusing := startNATS(t, server.Options{Username: "carillon", Password: "another"})
	address := refusing.Addr().(*net.TCPAddr) //nolint:forcetypeassert // it listens on TCP
	log := make(lines, 64)
	broker, err := realtime.ConnectNATS((&url.URL{Scheme: "nats", User: url.UserPassword("carillon", "right"), Host: address.String()}).String(),
		slog.New(slog.NewJSONHandler(log, nil)))
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	refusedThrice := func(s *server.Server) {
		t.Helper()
		require.Eventually(t, func() bool {
			figures, err := s.Varz(nil)
			return err == nil && figures.TotalConnections >= 3
		}, patience, 10*time.Millisecond)
		s.Shutdown()
		s.WaitForShutdown()
	}
	connected := func() {
		t.Helper()
		said := 0
		for msg, _ := log.next(t); msg != "connected to NATS"; msg, _ = log.next(t) {
			said++
		}
		require.Less(t, said, 3, "not every refusal is said")
	}
	msg, problem := log.next(t)
	require.Contains(t, msg, "NATS is not reached")
	require.Contains(t, problem, "uthorization")
	refusedThrice(refusing)

	taking := startNATS(t, server.Options{Port: address.Port, Username: "carillon", Password: "right"})
	connected()
	requireShared(t, start(t, broker), start(t, broker))
	taking.Shutdown()
	taking.WaitForShutdown()
	msg, _ = log.next(t)
	require.Contains(t, msg, "the connection to NATS was lost")

	refusing = startNATS(t, server.Options{Port: address.Port, Username: "carillon", Password: "another"})
	msg, _ = log.next(t)
	require.Contains(t, msg, "NATS")
	refusedThrice(refusing)
	startNATS(t, server.Options{Port: address.Port, Username: "carillon", Password: "right"})
	connected()
}

// TestNATSThatIsAway at the start is said, and does not keep the process from starting.
func TestNATSThatIsAway(t *testing.T) {
	t.Parallel()
	addr, err := child.FreeAddr(t.Context())
	require.NoError(t, err)
	log := make(lines, 64)
	broker, err := realtime.ConnectNATS("nats://"+addr, slog.New(slog.NewJSONHandler(log, nil)))
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	msg, problem := log.next(t)
	require.Contains(t, msg, "NATS is not reached")
	require.NotEmpty(t, problem)
}

// TestNATSIsHeardFromTheStart: whoever listens over a connection that is there already hears of it, and with that asks who else watches.
func TestNATSIsHeardFromTheStart(t *testing.T) {
	t.Parallel()
	s := startNATS(t, server.Options{})
	broker, err := realtime.ConnectNATS(s.ClientURL(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	connected := make(chan struct{}, 1)
	go func() {
		_ = broker.Listen(t.Context(), func() { connected <- struct{}{} }, func(string, []realtime.Topic) {})
	}()
	select {
	case <-connected:
	case <-time.After(patience):
		require.Fail(t, "it does not say that it hears")
	}
}
