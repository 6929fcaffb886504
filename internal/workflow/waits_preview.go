package workflow

import (
	"time"

	"github.com/carillon/carillon/internal/workflow/calendar"
)

// previewedWaits is how many waits are shown to authors.
const previewedWaits = 5

// PreviewedWait is one wait of a step.
type PreviewedWait struct {
	Begins, Ends time.Time
	Extended     bool // until the subscriber's hours open
}

// PreviewWaits are the next waits of a digest or delay step as a run's would end, each beginning where the one before it
// ends; of a delay until a time in the payload there is one. A fault says why there are none. A nil schedule is always
// open; longest is how far ahead a delay may reach, 0: as far as it likes.
func (s *Step) PreviewWaits(now time.Time, payload map[string]any, loc *time.Location, hours *calendar.Schedule, longest time.Duration) (waits []PreviewedWait, fault string) {
	for begins := now; len(waits) < previewedWaits; {
		w := PreviewedWait{Begins: begins}
		switch {
		case s.Digest != nil:
			w.Ends = s.Digest.ClosesAt(begins, loc)
		case s.Delay != nil:
			d := s.Delay.EndsAt(begins, payload, loc, nil, longest)
			if d.Fault != "" && len(waits) == 0 {
				return nil, d.Fault
			}
			if d.Fault != "" {
				return waits, ""
			}
			if d.Past != "" {
				return nil, "The time in the payload has passed: " + d.Until.In(loc).Format(time.RFC3339) + "."
			}
			w.Ends = d.Until
		}
		if !w.Ends.After(begins) {
			return waits, ""
		}
		if s.Extends() && hours != nil && !hours.OpenAt(w.Ends, loc) {
			if opens, ok := hours.NextOpen(w.Ends, loc); ok {
				w.Ends, w.Extended = opens, true
			}
		}
		waits = append(waits, w)
		if s.Delay != nil && s.Delay.Type == DelayScheduled {
			break
		}
		begins = w.Ends
	}
	return waits, ""
}
