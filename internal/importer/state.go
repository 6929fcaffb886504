package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The files of a state directory.
const (
	stateFile   = "state.json"
	refusedFile = "refused.ndjson"
	reportFile  = "report.json"
)

// State is how far a run has come, kept in a directory. A second run continues from it.
type State struct {
	Source string               `json:"source,omitempty"` // address of what is read
	Target string               `json:"target,omitempty"` // address of what is written to
	Read   map[string]*Progress `json:"read"`             // by kind
	Import map[string]*Progress `json:"import"`           // by kind
	Counts map[string]Counts    `json:"counts"`           // by the kind of items
	// RefusedBytes is how much of the file of refused items counts; the rest is of a page that is not noted.
	RefusedBytes int64 `json:"refusedBytes"`

	dir string
}

// Progress is how far one kind has come.
type Progress struct {
	Position

	Cursor  string  `json:"cursor,omitempty"` // of the next page of what is read
	Visited visited `json:"visited,omitzero"` // of the cursors so far
	Size    int64   `json:"size,omitempty"`   // bytes written to the file so far
	Done    bool    `json:"done"`
}

// visited notices that cursors repeat, whatever the length of their cycle, and remembers one of them: that of a page whose
// number is a power of two (Brent's algorithm).
type visited struct {
	Cursor string `json:"cursor,omitempty"`
	Pages  int    `json:"pages,omitempty"` // since that one
	Limit  int    `json:"limit,omitempty"` // how many pages it is remembered for
}

// again reports whether cursor was seen before. A cycle is noticed before it was walked three times.
func (v *visited) again(cursor string) bool {
	if cursor == v.Cursor {
		return true
	}
	if v.Pages == v.Limit {
		*v = visited{Cursor: cursor, Limit: max(1, 2*v.Limit)}
	}
	v.Pages++
	return false
}

// Counts are how many items of a kind had which result.
type Counts struct {
	Taken     int `json:"taken"`
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
}

// OpenState reads the state that a directory holds, or begins one. restart forgets an earlier one. A state of other
// addresses is refused, because what it notes as done was done elsewhere.
func OpenState(dir, source, target string, restart bool) (*State, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("make the directory of the state: %w", err)
	}
	s := &State{Source: source, Target: target, dir: dir}
	raw, err := os.ReadFile(filepath.Join(dir, stateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && restart:
	case err != nil:
		return nil, fmt.Errorf("read the state: %w", err)
	default:
		if err := json.Unmarshal(raw, s); err != nil {
			return nil, fmt.Errorf("read the state: %s: %w; begin anew with --restart", stateFile, err)
		}
		if s.Source != source || s.Target != target {
			return nil, fmt.Errorf("the state in %s is of a move from %q to %q; name another --state, or begin anew with --restart", dir, s.Source, s.Target)
		}
	}
	for _, m := range []*map[string]*Progress{&s.Read, &s.Import} {
		if *m == nil {
			*m = map[string]*Progress{}
		}
	}
	if s.Counts == nil {
		s.Counts = map[string]Counts{}
	}
	return s, nil
}

func (s *State) progress(of map[string]*Progress, kind string) *Progress {
	if of[kind] == nil {
		of[kind] = &Progress{}
	}
	return of[kind]
}

// note counts the items of a page, appends those that were refused to their file, and stores the state. It comes last, so
// that an interrupted page is worked on again and counted once.
func (s *State) note(items []Item) error {
	var refused bytes.Buffer
	encode := json.NewEncoder(&refused)
	for _, item := range items {
		c := s.Counts[item.Kind]
		switch item.Result {
		case Taken:
			c.Taken++
		case Unchanged:
			c.Unchanged++
		case Refused:
			c.Refused++
			if err := encode.Encode(item); err != nil {
				return fmt.Errorf("note what was refused: %w", err)
			}
		}
		s.Counts[item.Kind] = c
	}
	if refused.Len() > 0 || s.RefusedBytes == 0 {
		size, err := writeAt(filepath.Join(s.dir, refusedFile), s.RefusedBytes, refused.Bytes())
		if err != nil {
			return err
		}
		s.RefusedBytes = size
	}
	return s.store()
}

// store replaces the file of the state as a whole.
func (s *State) store() error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("store the state: %w", err)
	}
	path := filepath.Join(s.dir, stateFile)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("store the state: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("store the state: %w", err)
	}
	return nil
}
