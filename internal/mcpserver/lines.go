package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestLine bounds a line, and so the memory that one takes.
const longestLine = 16 << 20

// transport talks in lines. The SDK ends the session at the first line that is no message; here that line is answered with an error.
func transport(in io.ReadCloser, out io.Writer) mcp.Transport {
	w := &lineWriter{out: out}
	return &mcp.IOTransport{Reader: &lineReader{closer: in, in: bufio.NewReader(in), out: w}, Writer: w, MaxLineLength: -1}
}

// lineReader passes on the lines that are messages, and refuses the others.
type lineReader struct {
	closer io.Closer
	in     *bufio.Reader
	out    *lineWriter
	line   []byte // what is left of the message that is passed on
}

// Read reads from the next message.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, whole, err := r.next()
		if err != nil && len(line) == 0 {
			return 0, err
		}
		r.line, err = accepted(line, whole)
		if err != nil {
			if err := r.out.refuse(err); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// next reads a line; one that is too long is cut, and not whole.
func (r *lineReader) next() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > longestLine {
			part, whole = part[:longestLine-len(line)], false
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err //nolint:wrapcheck // as a reader does
		}
	}
}

// Close closes what is read.
func (r *lineReader) Close() error { return r.closer.Close() } //nolint:wrapcheck // as a reader does

// accepted returns the messages of a line, each on a line of its own: several are a batch, which the SDK takes in sessions of
// older protocols only. A line without anything has none.
func accepted(line []byte, whole bool) ([]byte, error) {
	if !whole {
		return nil, refusal(jsonrpc.CodeInvalidRequest, "Invalid Request: a message has at most %d bytes", longestLine)
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, nil
	}
	if !json.Valid(line) {
		return nil, refusal(jsonrpc.CodeParseError, "Parse error: a message is one line of JSON")
	}
	messages := []json.RawMessage{line}
	if batch := []json.RawMessage(nil); json.Unmarshal(line, &batch) == nil && len(batch) > 0 {
		messages = batch
	}
	var lines []byte
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return nil, refusal(jsonrpc.CodeInvalidRequest, "Invalid Request: %s", err)
		}
		lines = append(append(lines, m...), '\n')
	}
	return lines, nil
}

func refusal(code int64, format string, args ...any) error {
	return &jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// lineWriter writes answers of the session and refusals, one at a time.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write writes what the session says: a line at a time.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p) //nolint:wrapcheck // as a writer does
}

// Close does nothing: the output is the process's.
func (*lineWriter) Close() error { return nil }

// refuse answers what is no message. Its id is not known, so that of the answer is null.
func (w *lineWriter) refuse(reason error) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": reason})
	if err != nil {
		return fmt.Errorf("write a refusal: %w", err)
	}
	_, err = w.Write(append(answer, '\n'))
	return err
}
