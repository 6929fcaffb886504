package prove

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// Report is what a run came to.
type Report struct {
	Seed     uint64         `json:"seed"`
	Seconds  Seconds        `json:"seconds"`
	Kills    int            `json:"kills"`
	Faults   map[string]int `json:"faults"` // by name, kills included
	Counts   Counts         `json:"counts"`
	Breached map[Kind]int   `json:"breached"` // how many of every kind
	Breaches []Breach       `json:"breaches"`
}

// Seconds are how long the parts of a run took.
type Seconds struct {
	Load   float64 `json:"load"`
	Settle float64 `json:"settle"`
	Pause  float64 `json:"pause"` // the longest time in which no call was acknowledged
}

// Counts are what was checked.
type Counts struct {
	Acknowledged  int   `json:"acknowledged"`  // events
	Repeated      int64 `json:"repeated"`      // calls that were not acknowledged and sent again
	Notifications int   `json:"notifications"` // stored
	Messages      int   `json:"messages"`      // stored
	Calls         int   `json:"calls"`         // messages that providers took
	Labelled      int   `json:"labelled"`      // messages marked as possible duplicates
	Digests       int   `json:"digests"`       // messages of digests
}

func (p *run) report(s State, breaches []Breach) *Report {
	r := &Report{
		Seed: p.Seed, Seconds: Seconds{p.loaded.Seconds(), p.settled.Seconds(), p.pause.Seconds()}, Faults: p.counted(), Breached: map[Kind]int{}, Breaches: breaches,
		Counts: Counts{Acknowledged: len(s.Acknowledged), Repeated: p.repeats, Notifications: len(s.Runs), Messages: len(s.Messages), Calls: len(s.Calls)},
	}
	r.Kills = p.counted().kills(p.system.processFaults())
	for _, m := range s.Messages {
		if m.Labelled {
			r.Counts.Labelled++
		}
		if m.Items != nil {
			r.Counts.Digests++
		}
	}
	for _, k := range Kinds {
		r.Breached[k] = 0
	}
	for _, b := range breaches {
		r.Breached[b.Kind]++
	}
	return r
}

// shown is how many breaches of a kind are printed; the JSON report holds all.
const shown = 5

// Print writes the report as a table.
func (r *Report) Print(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, value any) { fmt.Fprintf(table, "%s\t%v\n", name, value) }
	row("seed", r.Seed)
	row("load, coming to rest", fmt.Sprintf("%s, %s", seconds(r.Seconds.Load), seconds(r.Seconds.Settle)))
	row("longest time without an acknowledgement", seconds(r.Seconds.Pause))
	for _, name := range slices.Sorted(maps.Keys(r.Faults)) {
		row(name, r.Faults[name])
	}
	row("kills", r.Kills)
	row("events acknowledged", r.Counts.Acknowledged)
	row("calls repeated", r.Counts.Repeated)
	row("notifications, messages", fmt.Sprintf("%d, %d", r.Counts.Notifications, r.Counts.Messages))
	row("taken by providers", r.Counts.Calls)
	row("marked as possible duplicates", r.Counts.Labelled)
	row("digests", r.Counts.Digests)
	for _, k := range Kinds {
		row("breach: "+string(k), r.Breached[k])
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	printed := map[Kind]int{}
	for _, b := range r.Breaches {
		if printed[b.Kind]++; printed[b.Kind] <= shown {
			fmt.Fprintf(out, "%s: %s\n", b.Kind, b.Detail)
		}
	}
	return nil
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond)
}

// Write writes the report as JSON to a file.
func (r *Report) Write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil { //nolint:gosec // it holds no secret
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
