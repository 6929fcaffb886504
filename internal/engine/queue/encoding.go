package queue

import (
	"encoding/json"
	"fmt"
	"strings"
)

// fanOutJSON is FanOutArgs as it is stored: the ids as one text. River indexes every text inside a job's arguments, and
// an index entry per event would cost as much as the event itself.
type fanOutJSON struct {
	EventIDs string `json:"event_ids"`
}

// MarshalJSON writes the stored form.
func (a FanOutArgs) MarshalJSON() ([]byte, error) {
	return json.Marshal(fanOutJSON{strings.Join(a.EventIDs, " ")})
}

// UnmarshalJSON reads the stored form.
func (a *FanOutArgs) UnmarshalJSON(raw []byte) error {
	var stored fanOutJSON
	if err := json.Unmarshal(raw, &stored); err != nil {
		return fmt.Errorf("read a fan-out job: %w", err)
	}
	a.EventIDs = strings.Fields(stored.EventIDs)
	return nil
}
