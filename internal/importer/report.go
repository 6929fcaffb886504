package importer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// shownReasons is how many refused items the table names; the report has all.
const shownReasons = 20

// NotRead is what a deployment holds and its documented routes do not show.
type NotRead struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Report writes what became of everything: a table for people to out, and report.json into the directory of the state, whose
// path it returns. The refused items are copied one by one, so that any number of them fits.
func (s *State) Report(out io.Writer, notRead []NotRead) (path string, err error) {
	path = filepath.Join(s.dir, reportFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	w := bufio.NewWriter(file)
	err = s.writeReport(w, notRead)
	if err := errors.Join(err, w.Flush(), file.Close()); err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	return path, s.print(out, notRead)
}

func (s *State) writeReport(w io.Writer, notRead []NotRead) error {
	head, err := json.MarshalIndent(struct {
		Source  string            `json:"source,omitempty"`
		Target  string            `json:"target,omitempty"`
		Counts  map[string]Counts `json:"counts"`
		NotRead []NotRead         `json:"notRead"`
	}{s.Source, s.Target, s.Counts, notRead}, "", "  ")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s,\n  \"refused\": [", head[:len(head)-2]); err != nil {
		return err
	}
	between := "\n    "
	err = s.refused(func(line []byte) error {
		_, err := fmt.Fprintf(w, "%s%s", between, line)
		between = ",\n    "
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n  ]\n}\n")
	return err
}

// refused passes the refused items, each as JSON.
func (s *State) refused(pass func(line []byte) error) error {
	file, err := os.Open(filepath.Join(s.dir, refusedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(io.LimitReader(file, s.RefusedBytes))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if err := pass(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// print writes the table: a line for each kind, then the first refused items, then what was not read.
func (s *State) print(out io.Writer, notRead []NotRead) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "kind\ttaken\tunchanged\trefused")
	for _, kind := range slices.Sorted(maps.Keys(s.Counts)) {
		c := s.Counts[kind]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\n", kind, c.Taken, c.Unchanged, c.Refused)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	shown := 0
	err := s.refused(func(line []byte) error {
		var item Item
		if shown++; shown > shownReasons {
			return nil
		}
		if err := json.Unmarshal(line, &item); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "refused: %s %s: %s\n", item.Kind, item.Name, item.Reason)
		return err
	})
	if shown > shownReasons {
		fmt.Fprintf(out, "and %d more\n", shown-shownReasons)
	}
	for _, n := range notRead {
		fmt.Fprintf(out, "not read: %s: %s\n", n.What, n.Why)
	}
	return err
}
