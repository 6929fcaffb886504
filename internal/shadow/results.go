package shadow

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/carillon/carillon/internal/client"
)

// maxGroups bounds the groups of differences that are told apart.
const maxGroups = 1000

// maxLogged bounds the differences, and the receivers, of one line of the log.
const maxLogged = 50

// results are what became of the calls so far.
type results struct {
	since              time.Time
	forwarded, dropped atomic.Int64

	mu      sync.Mutex
	summary Summary
	groups  map[group]*Group
}

type group struct{ route, kind, path string }

// Summary is what became of the calls.
type Summary struct {
	Since     time.Time        `json:"since"`
	Forwarded int64            `json:"forwarded"`
	Played    int64            `json:"played"`  // played here and compared
	Same      int64            `json:"same"`    // of them, without a difference
	Differ    int64            `json:"differ"`  // of them, with one at least
	Dropped   int64            `json:"dropped"` // not played, because too many waited
	Skipped   map[string]int64 `json:"skipped"` // not played, by the reason
	Failed    map[string]int64 `json:"failed"`  // Carillon could not be asked, by route
	LastError string           `json:"lastError,omitempty"`
	// Held are the messages that Carillon would have sent, by channel. None was.
	Held   map[string]int64 `json:"held"`
	Groups []Group          `json:"groups"` // the most frequent first
	// LogError is why a line of the log could not be written.
	LogError string `json:"logError,omitempty"`
}

// Group are differences of one route, kind and place.
type Group struct {
	Route   string     `json:"route"`
	Count   int64      `json:"count"`
	Example Difference `json:"example"`
}

func (r *results) change(do func(s *Summary)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.groups == nil {
		r.groups = map[group]*Group{}
		r.summary = Summary{Skipped: map[string]int64{}, Failed: map[string]int64{}, Held: map[string]int64{}}
	}
	do(&r.summary)
}

func (r *results) skip(why string) { r.change(func(s *Summary) { s.Skipped[why]++ }) }

func (r *results) fail(of *route, err error) {
	r.change(func(s *Summary) {
		s.Failed[of.method+" "+of.pattern]++
		s.LastError = err.Error()
	})
}

// compare compares the answers of a call, counts and logs the differences.
func (r *results) compare(log io.Writer, of *route, c *call, raw []byte, status int, here any) {
	var found []Difference
	switch {
	case c.status != status:
		found = []Difference{{Kind: "status", Old: fmt.Sprint(c.status), Here: fmt.Sprint(status), Reason: reasonOf(decoded(here), decoded(json.RawMessage(raw)))}}
	case status/100 == 2: // the bodies of errors are texts for people
		var old any
		if err := json.Unmarshal(raw, &old); err != nil {
			found = []Difference{{Kind: "type", Old: "no JSON", Here: short(here)}}
			break
		}
		found = differences("", decoded(old), decoded(here))
	}
	name := of.method + " " + of.pattern
	r.change(func(s *Summary) {
		s.Played++
		for _, r := range c.held {
			for _, channel := range r.Channels {
				s.Held[channel]++
			}
		}
		if len(found) == 0 {
			s.Same++
			return
		}
		s.Differ++
		for _, d := range found {
			key := group{name, d.Kind, d.Path}
			if r.groups[key] == nil {
				if len(r.groups) == maxGroups {
					key = group{name, "other", ""}
					d = Difference{Kind: "other"}
				}
				r.groups[key] = cmp.Or(r.groups[key], &Group{Route: name, Example: d})
			}
			r.groups[key].Count++
		}
	})
	if log == nil || len(found) == 0 {
		return
	}
	err := json.NewEncoder(log).Encode(struct {
		At          time.Time    `json:"at"`
		Route       string       `json:"route"`
		Path        string       `json:"path"`
		Old         int          `json:"old"`
		Here        int          `json:"here"`
		Differences []Difference `json:"differences"`
		Held        []receiver   `json:"held,omitempty"` // who would have received what here
	}{c.at, name, c.path, c.status, status, found[:min(len(found), maxLogged)], c.held[:min(len(c.held), maxLogged)]})
	if err != nil {
		r.change(func(s *Summary) { s.LogError = err.Error() })
	}
}

// decoded is a value as JSON has it, without an envelope.
func decoded(value any) (out any) {
	raw, _ := json.Marshal(value)
	_ = json.Unmarshal(client.WithoutEnvelope(raw), &out)
	return out
}

// Summary is what became of the calls so far.
func (s *Shadow) Summary() Summary {
	r := &s.results
	var out Summary
	r.change(func(now *Summary) {
		out = *now
		out.Skipped, out.Failed, out.Held = maps.Clone(now.Skipped), maps.Clone(now.Failed), maps.Clone(now.Held)
		for _, g := range r.groups {
			out.Groups = append(out.Groups, *g)
		}
	})
	slices.SortFunc(out.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Route+a.Example.Path, b.Route+b.Example.Path))
	})
	out.Since, out.Forwarded, out.Dropped = r.since, r.forwarded.Load(), r.dropped.Load()
	return out
}

// Print writes a summary for people.
func (s Summary) Print(out io.Writer) error {
	fmt.Fprintf(out, "%d calls forwarded since %s: %d played (%d same, %d differ), %d dropped\n",
		s.Forwarded, s.Since.UTC().Format(time.RFC3339), s.Played, s.Same, s.Differ, s.Dropped)
	for _, list := range []struct {
		title  string
		counts map[string]int64
	}{{"not played", s.Skipped}, {"Carillon could not be asked", s.Failed}, {"held messages", s.Held}} {
		for _, name := range slices.Sorted(maps.Keys(list.counts)) {
			fmt.Fprintf(out, "%s: %d: %s\n", list.title, list.counts[name], name)
		}
	}
	for _, problem := range []string{s.LastError, s.LogError} {
		if problem != "" {
			fmt.Fprintln(out, "last error:", problem)
		}
	}
	if len(s.Groups) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "differences\troute\tkind\tmember\told\there\treason")
	for _, g := range s.Groups {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", g.Count, g.Route, g.Example.Kind, g.Example.Path, g.Example.Old, g.Example.Here, g.Example.Reason)
	}
	return table.Flush() //nolint:wrapcheck // names the output
}

// Status serves the summary to whoever has the token, as the password of HTTP's basic authentication: for people at /, as JSON
// at /status.json. The examples of differences are parts of answers.
func (s *Shadow) Status(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_ = s.Summary().Print(w)
	})
	mux.HandleFunc("GET /status.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.Summary())
	})
	wanted := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		_, password, _ := r.BasicAuth()
		given := sha256.Sum256([]byte(password))
		if token == "" || subtle.ConstantTimeCompare(given[:], wanted[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="carillon shadow"`)
			http.Error(w, "the password is the token of the status page", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
