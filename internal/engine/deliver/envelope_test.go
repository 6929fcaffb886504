package deliver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// TestEnvelopeKeepsDigits: a whole number that a double cannot hold leaves as it came, and is stored again with a retry as it was.
func TestEnvelopeKeepsDigits(t *testing.T) {
	t.Parallel()
	const stored = `{"step":{"events":[{"payload":{"id":9007199254740993,"price":1.5}}]}}`
	d := &Delivery{ClaimedMessage: pgmessage.ClaimedMessage{Envelope: json.RawMessage(stored)}}
	require.NoError(t, d.readEnvelope())
	require.JSONEq(t, stored, string(state.AsJSON(d.envelope)))
	require.Contains(t, string(state.AsJSON(d.envelope)), "9007199254740993")
}
