package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written is a folder with one file.
func written(t *testing.T, of file, text string) *Folder {
	t.Helper()
	f := &Folder{Dir: t.TempDir()}
	require.NoError(t, os.WriteFile(f.path(of), []byte(text), 0o600))
	return f
}

func numbers(lines []Line) (list []int) {
	for _, l := range lines {
		list = append(list, l.Number)
	}
	return list
}

// TestPagesOfAFile: a page holds at most pageSize lines that say something, each with its number in the file, and the next one
// begins behind it; the last line needs no end.
func TestPagesOfAFile(t *testing.T) {
	t.Parallel()
	f := written(t, subscribers, strings.Repeat("{}\n", pageSize)+"\n \t\n{}\r\n\n{\"last\": true}")
	lines, next, err := f.page(subscribers, Position{})
	require.NoError(t, err)
	require.Len(t, lines, pageSize)
	require.Equal(t, Position{Offset: 3 * pageSize, Line: pageSize}, next, "the rest is not read yet")
	lines, next, err = f.page(subscribers, next)
	require.NoError(t, err)
	require.Equal(t, []int{pageSize + 3, pageSize + 5}, numbers(lines), "lines without text count, and are not passed")
	require.Equal(t, []string{`{}`, `{"last": true}`}, []string{string(lines[0].Raw), string(lines[1].Raw)})
	info, err := os.Stat(f.path(subscribers))
	require.NoError(t, err)
	require.Equal(t, Position{Offset: info.Size(), Line: pageSize + 5}, next)
	lines, again, err := f.page(subscribers, next)
	require.NoError(t, err)
	require.Equal(t, []any{0, next}, []any{len(lines), again})

	lines, next, err = f.page(endpoints, Position{})
	require.NoError(t, err, "a file that is not there is empty")
	require.Equal(t, []any{0, Position{}}, []any{len(lines), next})
}

// TestFilesThatCannotBeReadOn: a file that is gone or shorter than what was read of it, and a line above the bound, say where
// and what to do.
func TestFilesThatCannotBeReadOn(t *testing.T) {
	t.Parallel()
	f := written(t, subscribers, "{}\n")
	_, next, err := f.page(subscribers, Position{Offset: 4, Line: 2})
	require.ErrorContains(t, err, "--restart")
	require.Equal(t, Position{Offset: 4, Line: 2}, next)
	_, _, err = f.page(endpoints, Position{Offset: 4})
	require.ErrorIs(t, err, os.ErrNotExist)

	long := `{"data":"` + strings.Repeat("x", maxLine) + `"}`
	f = written(t, subscribers, "{}\n"+long+"\n{}\n")
	_, next, err = f.page(subscribers, Position{})
	require.ErrorContains(t, err, fmt.Sprintf("subscribers.ndjson line 2: it is longer than %d bytes", maxLine))
	require.Equal(t, Position{}, next)
	f = written(t, subscribers, long[:maxLine-1]+"\n")
	lines, _, err := f.page(subscribers, Position{})
	require.NoError(t, err)
	require.Len(t, lines, 1, "a line of the bound with its end is read")
}

// TestAppend: what an interrupted run wrote behind the noted size is dropped, whatever its length, and no other byte is
// touched; a file that lost what was noted is refused.
func TestAppend(t *testing.T) {
	t.Parallel()
	f := &Folder{Dir: filepath.Join(t.TempDir(), "new", "folder")}
	first, err := f.appendAt(subscribers, 0, []json.RawMessage{[]byte(`{ "a":1 }`), []byte("{\n}")})
	require.NoError(t, err)
	_, err = f.appendAt(subscribers, first, []json.RawMessage{[]byte(`{"interrupted":"` + strings.Repeat("x", 1000) + `"}`)})
	require.NoError(t, err)
	_, err = f.appendAt(subscribers, first, []json.RawMessage{[]byte(`{"b":2}`)})
	require.NoError(t, err)
	raw, err := os.ReadFile(f.path(subscribers))
	require.NoError(t, err)
	require.Equal(t, "{\"a\":1}\n{}\n{\"b\":2}\n", string(raw))
	info, err := os.Stat(f.path(subscribers))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "people's data is for the owner alone")

	_, err = f.appendAt(subscribers, int64(len(raw))+1, nil)
	require.ErrorContains(t, err, "--restart")
	after, err := os.ReadFile(f.path(subscribers))
	require.NoError(t, err)
	require.Equal(t, raw, after)
	_, err = f.appendAt(subscribers, 0, []json.RawMessage{[]byte(`{`)})
	require.Error(t, err)
}

// TestStateOfAPage: a page counts when it is noted; the refused items of one that is not are dropped.
func TestStateOfAPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() *State {
		s, err := OpenState(dir, "old", "new", false)
		require.NoError(t, err)
		return s
	}
	s := open()
	s.progress(s.Import, "a").Line = 7
	require.NoError(t, s.note([]Item{{Kind: "k", Name: "1", Result: Taken}, {Kind: "k", Name: "2", Result: Refused, Reason: "why"}, {Kind: "k", Name: "3", Result: Unchanged}}))
	noted := s.RefusedBytes
	_, err := writeAt(filepath.Join(dir, refusedFile), noted, []byte(`{"kind":"k","name":"of a page that is not noted"}`+"\n"))
	require.NoError(t, err)

	s = open()
	require.Equal(t, []any{map[string]Counts{"k": {Taken: 1, Unchanged: 1, Refused: 1}}, noted, 7}, []any{s.Counts, s.RefusedBytes, s.progress(s.Import, "a").Line})
	require.Zero(t, s.progress(s.Read, "a").Line, "reading and importing are noted apart")
	var shown bytes.Buffer
	path, err := s.Report(&shown, nil)
	require.NoError(t, err)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var r struct{ Refused []Item }
	require.NoError(t, json.Unmarshal(raw, &r), string(raw))
	require.Equal(t, []Item{{Kind: "k", Name: "2", Reason: "why"}}, r.Refused)

	require.NoError(t, s.note(nil))
	require.NoError(t, s.note([]Item{{Kind: "k", Name: "4", Result: Refused, Reason: "then"}}))
	raw, err = os.ReadFile(filepath.Join(dir, refusedFile))
	require.NoError(t, err)
	require.Equal(t, `{"kind":"k","name":"2","reason":"why"}`+"\n"+`{"kind":"k","name":"4","reason":"then"}`+"\n", string(raw))
}

// TestStatesThatDoNotFit: a state that cannot be read or is of another move is refused with what to do, and a restart forgets
// it.
func TestStatesThatDoNotFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := OpenState(dir, "old", "new", false)
	require.NoError(t, err)
	require.NoError(t, s.note([]Item{{Kind: "k", Result: Refused}}))
	for _, c := range [][2]string{{"old", "other"}, {"other", "new"}, {"", "new"}} {
		_, err := OpenState(dir, c[0], c[1], false)
		require.ErrorContains(t, err, `from "old" to "new"`, c)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, stateFile), []byte(`{"source":`), 0o600))
	_, err = OpenState(dir, "old", "new", false)
	require.ErrorContains(t, err, "--restart")
	s, err = OpenState(dir, "old", "other", true)
	require.NoError(t, err)
	require.Equal(t, []any{0, int64(0), "other"}, []any{len(s.Counts), s.RefusedBytes, s.Target})
	require.NoError(t, s.note(nil))
	raw, err := os.ReadFile(filepath.Join(dir, refusedFile))
	require.NoError(t, err)
	require.Empty(t, raw, "what was refused before is forgotten, too")
	_, err = OpenState(filepath.Join(dir, stateFile), "", "", false)
	require.Error(t, err, "a file is no directory")
}

// TestReport: the table names as many refused items as fit on a screen, the file all of them.
func TestReport(t *testing.T) {
	t.Parallel()
	s, err := OpenState(t.TempDir(), "", "new", false)
	require.NoError(t, err)
	var items []Item
	for i := range shownReasons + 5 {
		items = append(items, Item{Kind: "k", Name: fmt.Sprint("n", i), Result: Refused, Reason: "because"})
	}
	require.NoError(t, s.note(append(items, Item{Kind: "a", Result: Taken})))
	var shown bytes.Buffer
	path, err := s.Report(&shown, []NotRead{{"profiles", "none is shown"}})
	require.NoError(t, err)
	out := shown.String()
	require.Equal(t, shownReasons, strings.Count(out, "refused: k "))
	require.Contains(t, out, "and 5 more\n")
	require.Contains(t, out, "not read: profiles: none is shown\n")
	require.Less(t, strings.Index(out, "\na "), strings.Index(out, "\nk "), "kinds are in order")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var r struct {
		Refused []Item
		NotRead []NotRead
		Counts  map[string]Counts
	}
	require.NoError(t, json.Unmarshal(raw, &r))
	require.Equal(t, []any{shownReasons + 5, 1, Counts{Refused: shownReasons + 5}}, []any{len(r.Refused), len(r.NotRead), r.Counts["k"]})

	empty, err := OpenState(t.TempDir(), "", "new", false)
	require.NoError(t, err)
	path, err = empty.Report(&shown, nil)
	require.NoError(t, err)
	raw, err = os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &r), "nothing done is a report as well")
}
