package transport

import (
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// TestLiveConnectionsEndWithTheServer: clients are told that the server goes away, as after a restart, so that they come back. A connection
// that begins while it stops ends at once, and so does one that has not shown a credential.
func TestLiveConnectionsEndWithTheServer(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	sockets := []*socket{d.open(), d.open(), d.dial()}
	close(d.closing)
	late := d.dial()
	late.say(`{"type":"connection_init","payload":{"Authorization":"` + d.key + `"}}`)
	for _, s := range append(sockets, late) {
		_, heard, err := s.ReadMessage()
		if s == late && err == nil { // it may be acknowledged before
			require.JSONEq(t, `{"type":"connection_ack"}`, string(heard))
			_, _, err = s.ReadMessage()
		}
		require.True(t, websocket.IsCloseError(err, websocket.CloseGoingAway), "%v", err)
	}
	_, _, events := d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, ":", event(t, events))
	ends(t, events)
	require.Zero(t, d.seats.Taken())
}
