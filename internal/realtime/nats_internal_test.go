package realtime

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSilentNATSIsLeft holds that a server which hangs keeps live events away for no longer than it takes until watchers look by themselves.
func TestSilentNATSIsLeft(t *testing.T) {
	t.Parallel()
	broker, err := ConnectNATS("nats://127.0.0.1:1", slog.New(slog.DiscardHandler)) // nothing listens there
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	silent := broker.conn.Opts.PingInterval * time.Duration(broker.conn.Opts.MaxPingsOut+1)
	require.LessOrEqual(t, silent, NewHub(Config{Broker: broker}).cfg.Poll)
}
