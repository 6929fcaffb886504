package realtime

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOutgoingIsBounded: what was not published does not come on top of what was gathered meanwhile.
func TestOutgoingIsBounded(t *testing.T) {
	t.Parallel()
	h := NewHub(Config{Broker: ViaPostgres{}, Logger: slog.New(slog.DiscardHandler)})
	h.others["other"] = time.Now()
	for round := range 2 {
		topics := h.take()
		for i := range maxOutgoing {
			h.Publish(Topic(fmt.Sprint(round, ".", i)))
		}
		h.restore(topics)
		require.Len(t, h.outgoing, maxOutgoing)
	}
}
