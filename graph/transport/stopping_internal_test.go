package transport

import (
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// TestLiveConnectionsEndWithTheServer: clients are told that the server goes away, as after a restart, so that they come back. A connection
// that begins while it stops ends at once.
func TestLiveConnectionsEndWithTheServer(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	before := []*socket{d.open(), d.open()}
	close(d.closing)
	for _, s := range append(before, d.open()) {
		_, _, err := s.ReadMessage()
		require.True(t, websocket.IsCloseError(err, websocket.CloseGoingAway), "%v", err)
	}
	_, _, events := d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, ":", event(t, events))
	ends(t, events)
	require.Zero(t, d.seats.Taken())
}
