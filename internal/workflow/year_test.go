package workflow_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// yearDigests are digests of every kind with every unit and option. Some have a key, so that gaps between the events of
// one identity differ.
var yearDigests = []struct {
	name   string
	digest workflow.DigestControls
}{
	{"every 5400 seconds", lasting(5400, "seconds")},
	{"every 90 minutes", lasting(90, "minutes")},
	{"every 5 hours", lasting(5, "hours")},
	{"every day", lasting(1, "days")},
	{"every 2 weeks", lasting(2, "weeks")},
	{"every month", lasting(1, "months")},
	{"backoff hours", workflow.DigestControls{Type: "backoff", Amount: 3, Unit: "hours", BackoffAmount: 2, BackoffUnit: "hours", DigestKey: "few"}},
	{"backoff days", workflow.DigestControls{Type: "regular", Amount: 2, Unit: "days", Backoff: true, BackoffAmount: 1, BackoffUnit: "days", DigestKey: "payload.many"}},
	{"daily 02:30", days(1, "02:30")},
	{"daily 23:45", days(0, "23:45")},
	{"third day 00:00", days(3, "00:00")},
	{"weekly mon thu 08:00", weeks(1, "08:00", "monday", "thursday")},
	{"weekly sun 02:15", weeks(1, "02:15", "sunday")},
	{"fortnight fri sat 00:30", weeks(2, "00:30", "friday", "saturday")},
	{"dates 1 15 00:30", dates(1, "00:30", "1", "15")},
	{"date 31 23:59", dates(1, "23:59", "31")},
	{"second month 29 02:30", dates(2, "02:30", "29")},
	{"first monday 09:00", ordinal(1, "09:00", "1", "monday")},
	{"fifth sunday 02:45", ordinal(1, "02:45", "5", "sunday")},
	{"last sunday 02:00", ordinal(1, "02:00", "last", "sunday")},
	{"last day 23:00", ordinal(1, "23:00", "last", "day")},
	{"second weekday 12:00", ordinal(1, "12:00", "2", "weekday")},
	{"third month last weekend 00:00", ordinal(3, "00:00", "last", "weekend")},
}

func lasting(amount int, unit workflow.Unit) workflow.DigestControls {
	return workflow.DigestControls{Type: "regular", Amount: amount, Unit: unit}
}

// yearEvent is one of the hourly triggers of 2026.
type yearEvent struct {
	at  time.Time
	key string
}

func yearEvents(path string) []yearEvent {
	list := make([]yearEvent, 365*24)
	for i := range list {
		payload := map[string]any{"few": float64(bits.OnesCount(uint(i)) % 3), "many": map[string]any{"n": float64(i * i / 37 % 13)}}
		list[i] = yearEvent{time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC), workflow.KeyValue(payload, path)}
	}
	return list
}

// firing is a digest that continues, with what it holds.
type firing struct {
	at     time.Time
	key    string
	events int
}

func inOrder(list []firing) []firing {
	slices.SortFunc(list, func(a, b firing) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.key, b.key), cmp.Compare(a.events, b.events))
	})
	return list
}

// judged plays the events one after the other by the verdicts of the code under test.
func judged(d *workflow.DigestControls, events []yearEvent, loc *time.Location) (list []firing) {
	states := map[string]workflow.DigestState{}
	open := map[string]int{}
	for _, e := range events {
		state := states[e.key]
		verdict, closesAt := d.Decide(state, e.at, loc)
		switch verdict {
		case workflow.DigestPasses:
			list = append(list, firing{e.at, e.key, 1})
		case workflow.DigestOpens:
			open[e.key] = len(list)
			list = append(list, firing{closesAt, e.key, 1})
			state.ClosesAt = closesAt
		case workflow.DigestJoins:
			list[open[e.key]].events++
		}
		state.Last = e.at
		states[e.key] = state
	}
	return inOrder(list)
}

// walked is a zone's year of minutes on the wall clock, from the end of 2025 on: each with the instant at which it is
// reached.
type walked struct {
	referenceCalendar
	first   int64
	reached []time.Time
}

func walk(loc *time.Location) *walked {
	w := &walked{referenceCalendar: referenceCalendar{loc: loc}}
	at := time.Date(2025, 12, 20, 0, 0, 0, 0, time.UTC)
	w.first = w.shows(at) + 1
	mark := w.first - 1
	for end := time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC); at.Before(end); {
		at = at.Add(time.Minute)
		for now := w.shows(at); mark < now; mark++ {
			w.reached = append(w.reached, at)
		}
	}
	return w
}

func (w *walked) at(minute int64) time.Time { return w.reached[minute-w.first] }

// closes is the end of a window by looking, and the same question as calendar.closes.
func (w *walked) closes(opened time.Time) time.Time {
	d := w.digest
	if d.Type != "timed" {
		return w.shift(opened, d.Amount, d.Unit)
	}
	var hour, minute int64
	_, _ = fmt.Sscanf(d.Timed.AtTime, "%d:%d", &hour, &minute)
	first := w.dayOf(opened)
	for day := first; ; day++ {
		m := day*24*60 + hour*60 + minute
		if w.at(m).After(opened) && w.names(m, first) {
			return w.at(m)
		}
	}
}

// shift moves an instant of a whole minute; days, weeks and months by the wall clock.
func (w *walked) shift(t time.Time, amount int, unit workflow.Unit) time.Time {
	day, clock := w.dayOf(t), w.shows(t)%(24*60)
	switch unit {
	case "days":
		day += int64(amount)
	case "weeks":
		day += 7 * int64(amount)
	case "months":
		month := utc(day).Month()
		for day += int64(amount) * 31; int(utc(day).Month()-month+12)%12 != amount%12 || utc(day).Day() > utc(w.dayOf(t)).Day(); {
			day--
		}
	default:
		return t.Add(time.Duration(amount) * map[workflow.Unit]time.Duration{"seconds": time.Second, "minutes": time.Minute, "hours": time.Hour}[unit])
	}
	return w.at(day*24*60 + clock)
}

// looked finds the firings of each key for itself: from the event that opens a window to the first at or after its end.
func (w *walked) looked(events []yearEvent) (list []firing) {
	byKey := map[string][]yearEvent{}
	for _, e := range events {
		byKey[e.key] = append(byKey[e.key], e)
	}
	for key, events := range byKey {
		for i := 0; i < len(events); {
			at := events[i].at
			if w.digest.BackoffAmount > 0 && (i == 0 || !events[i-1].at.After(w.shift(at, -w.digest.BackoffAmount, w.digest.BackoffUnit))) {
				list = append(list, firing{at, key, 1})
				i++
				continue
			}
			closesAt := w.closes(at)
			next := i
			for next < len(events) && events[next].at.Before(closesAt) {
				next++
			}
			list = append(list, firing{closesAt, key, next - i})
			i = next
		}
	}
	return inOrder(list)
}

// shortened shows firings in one line: the first by the local clock, then how long after the one before each comes and
// what it holds, equal neighbours as one. Lists without such a pattern end with their hash.
func shortened(list []firing, loc *time.Location) string {
	const most = 40
	var parts []string
	total := 0
	for i := 0; i < len(list); {
		total += list[i].events
		if i == 0 {
			parts = append(parts, fmt.Sprintf("%s:%d", list[0].at.In(loc).Format("01-02T15:04Z07:00"), list[0].events))
			i++
			continue
		}
		after, times := list[i].at.Sub(list[i-1].at), 1
		for i+times < len(list) && list[i+times].at.Sub(list[i+times-1].at) == after && list[i+times].events == list[i].events {
			times++
		}
		total += (times - 1) * list[i].events
		parts = append(parts, fmt.Sprintf("%dx%s:%d", times, shortDuration.Replace(after.String()), list[i].events))
		i += times
	}
	if len(parts) > most {
		whole := sha256.New()
		for _, f := range list {
			_, _ = fmt.Fprintln(whole, f.at.In(loc).Format(time.RFC3339), f.key, f.events)
		}
		parts = append(parts[:6], "… "+hex.EncodeToString(whole.Sum(nil)[:8]))
	}
	return fmt.Sprintf("%d of %d: %s", len(list), total, strings.Join(parts, " "))
}

var shortDuration = strings.NewReplacer("h0m0s", "h", "m0s", "m")

// TestYear plays a year of hourly events with both changes of the clocks, twelve zones and every kind of digest: against
// minute by minute search, and against testdata/year.golden, which UPDATE_GOLDEN writes anew.
func TestYear(t *testing.T) {
	t.Parallel()
	var lines []string
	byKey := map[string][]yearEvent{}
	for _, kind := range yearDigests {
		byKey[kind.digest.DigestKey] = yearEvents(kind.digest.DigestKey)
	}
	for _, name := range zonesOfTests {
		w := walk(workflowtest.Zone(t, name))
		for _, kind := range yearDigests {
			events := byKey[kind.digest.DigestKey]
			w.digest = kind.digest
			got, want := judged(&kind.digest, events, w.loc), w.looked(events)
			require.Len(t, got, len(want), "%s in %s", kind.name, name)
			for i := range want {
				if !want[i].at.Equal(got[i].at) || want[i].key != got[i].key || want[i].events != got[i].events {
					require.Failf(t, "another firing", "%s in %s: want %+v, got %+v", kind.name, name, want[i], got[i])
				}
			}
			lines = append(lines, name+" "+kind.name+" "+shortened(got, w.loc))
		}
	}
	path := filepath.Join("testdata", "year.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	}
	golden, err := os.ReadFile(path) //nolint:gosec // a file of ours
	require.NoError(t, err)
	require.Equal(t, strings.Split(strings.TrimSpace(string(golden)), "\n"), lines)
}
