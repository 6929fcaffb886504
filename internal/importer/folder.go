package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	pageSize = 100     // lines that are worked on between two notes of the state
	maxLine  = 4 << 20 // bytes of one line
)

// file is a file of lines in a folder.
type file string

// The files. Those that Read writes have names of their own, so that it overwrites nothing that people wrote.
const (
	workflowsRead     file = "workflows" + readSuffix
	subscribers       file = "subscribers.ndjson"
	subscribersRead   file = "subscribers" + readSuffix
	subscriptions     file = "subscriptions.ndjson"
	subscriptionsRead file = "subscriptions" + readSuffix
	endpoints         file = "channel-endpoints.ndjson"
	endpointsRead     file = "channel-endpoints" + readSuffix
	preferencesFile   file = "preferences.ndjson"
	preferencesRead   file = "preferences" + readSuffix
)

// readSuffix ends the names of files that Read writes.
const readSuffix = "-read.ndjson"

// Folder is an export folder.
type Folder struct{ Dir string }

// Position is a place in a file of lines.
type Position struct {
	Offset int64 `json:"offset"` // bytes
	Line   int   `json:"line"`   // lines before it
}

// Line is one line of a file.
type Line struct {
	Number int // from 1
	Raw    []byte

	file file
}

// decode reads a line. Numbers keep their digits.
func (l Line) decode(into any) error {
	if !utf8.Valid(l.Raw) {
		return errors.New("it is not UTF-8: save the file in that encoding")
	}
	d := json.NewDecoder(bytes.NewReader(l.Raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		if errors.Is(err, errNoIdentifier) || errors.Is(err, errNulCharacter) {
			return err //nolint:wrapcheck // says it all
		}
		var of *json.UnmarshalTypeError
		if errors.As(err, &of) {
			return fmt.Errorf("it is no JSON of its form: %s cannot be %s", cmp.Or(of.Field, "the line"), kindName(of.Value))
		}
		return fmt.Errorf("it is no JSON of its form: %w", err)
	}
	return nil
}

// kindName is what people call a kind of JSON value that the decoder names; of numbers it names the digits as well.
func kindName(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	return cmp.Or(map[string]string{"array": "a list", "object": "an object", "string": "a text", "bool": "true or false"}[kind], "a "+kind)
}

// check refuses a folder that holds nothing, and lines in a file that is not read. A state may be kept in it.
func (f *Folder) check(configured bool) error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return fmt.Errorf("list the folder: %w", err)
	}
	written := []string{string(subscribers), string(subscriptions), string(endpoints), string(preferencesFile)}
	holds := configured
	for _, e := range entries {
		switch name := e.Name(); {
		case filepath.Ext(name) != filepath.Ext(string(subscribers)), name == refusedFile:
		case slices.Contains(written, name), strings.HasSuffix(name, readSuffix):
			holds = true
		default:
			return fmt.Errorf("%s is no file of an export folder; those of lines are %s", filepath.Join(f.Dir, name), strings.Join(written, ", "))
		}
	}
	if !holds {
		return fmt.Errorf("%s holds nothing to import: none of workflows/, %s and so on is there", f.Dir, subscribers)
	}
	return nil
}

func (f *Folder) path(of file) string { return filepath.Join(f.Dir, string(of)) }

// page reads up to pageSize lines from a position; fewer mean that the file ends, none that there is no file.
func (f *Folder) page(of file, from Position) (lines []Line, next Position, err error) {
	file, err := os.Open(f.path(of))
	if errors.Is(err, fs.ErrNotExist) && from.Offset == 0 {
		return nil, from, nil
	}
	if err != nil {
		return nil, from, fmt.Errorf("open the file: %w", err)
	}
	defer func() { _ = file.Close() }()
	if size, err := file.Seek(0, io.SeekEnd); err != nil || size < from.Offset {
		return nil, from, shorter(file.Name())
	}
	if _, err := file.Seek(from.Offset, io.SeekStart); err != nil {
		return nil, from, fmt.Errorf("read on: %w", err)
	}
	in := bufio.NewReaderSize(file, 64<<10)
	next = from
	for len(lines) < pageSize {
		raw, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, from, fmt.Errorf("%s line %d: %w", file.Name(), next.Line+1, err)
		}
		if len(raw) > 0 {
			next.Offset, next.Line = next.Offset+int64(len(raw)), next.Line+1
			if next.Line == 1 {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // some editors begin with this mark
			}
			if text := bytes.TrimSpace(raw); len(text) > 0 {
				lines = append(lines, Line{Number: next.Line, Raw: text, file: of})
			}
		}
		if err != nil {
			break
		}
	}
	return lines, next, nil
}

// shorter is the error of a file that lost what the state notes of it.
func shorter(path string) error {
	return fmt.Errorf("%s is shorter than at the last run; begin anew with --restart", path)
}

// readLine reads a line with its end, and refuses one that is longer than maxLine before it is in memory.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err //nolint:wrapcheck // io.EOF is compared
		}
	}
}

// appendAt writes lines behind the first offset bytes of a file, and drops what an interrupted run wrote there. It returns
// the new offset.
func (f *Folder) appendAt(of file, offset int64, lines []json.RawMessage) (int64, error) {
	if err := os.MkdirAll(f.Dir, 0o750); err != nil {
		return 0, fmt.Errorf("make the folder: %w", err)
	}
	var text bytes.Buffer
	for _, line := range lines {
		if err := json.Compact(&text, line); err != nil {
			return 0, fmt.Errorf("write %s: %w", of, err)
		}
		text.WriteByte('\n')
	}
	return writeAt(f.path(of), offset, text.Bytes())
}

// writeAt makes a file hold its first offset bytes and text behind them. People's data is for the owner alone to read.
func writeAt(path string, offset int64, text []byte) (int64, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, fmt.Errorf("open the file: %w", err)
	}
	if info, err := file.Stat(); err != nil || info.Size() < offset {
		_ = file.Close()
		return 0, shorter(path)
	}
	_, errWrite := file.WriteAt(text, offset)
	end := offset + int64(len(text))
	if err := errors.Join(errWrite, file.Truncate(end), file.Sync(), file.Close()); err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	return end, nil
}
