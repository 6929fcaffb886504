package client

import (
	"bytes"
	"encoding/json"
)

// WithoutEnvelope returns a JSON answer without the envelope {"data": {…}} that some deployments of the documented API put
// around every object; any other answer as it is.
func WithoutEnvelope(raw []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members) != 1 {
		return raw
	}
	if inner := bytes.TrimSpace(members["data"]); bytes.HasPrefix(inner, []byte("{")) {
		return inner
	}
	return raw
}
