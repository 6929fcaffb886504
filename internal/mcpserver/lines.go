package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestLine bounds a line, and so the memory that one takes.
const longestLine = 16 << 20

// lastAnswers bounds how long the end of the input waits for answers.
const lastAnswers = 30 * time.Second

// transport talks in lines. The SDK ends the session at the first line that is no message; here that line is answered with an error. The SDK
// answers calls that their client cancelled, too; here they get no answer, as MCP has it.
func transport(in io.ReadCloser, out io.Writer) mcp.Transport {
	w := &lineWriter{out: out, open: map[jsonrpc.ID]bool{}, cancelled: map[jsonrpc.ID]bool{}}
	w.answered = sync.NewCond(&w.mu)
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
			r.out.waitForAnswers() // the SDK drops those that are not written when the input ends, as that of a pipe does at once
			return 0, err
		}
		var said []*jsonrpc.Request
		r.line, said, err = accepted(line, whole)
		for _, request := range said {
			r.out.expect(request)
		}
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
func (r *lineReader) Close() error {
	r.out.stopWaiting()
	return r.closer.Close() //nolint:wrapcheck // as a reader does
}

// accepted returns the messages of a line, each on a line of its own: several are a batch, which the SDK takes in sessions of
// older protocols only. A line without anything has none. said are the calls and notifications among them.
func accepted(line []byte, whole bool) (lines []byte, said []*jsonrpc.Request, err error) {
	if !whole {
		return nil, nil, refusal(jsonrpc.CodeInvalidRequest, "Invalid Request: a message has at most %d bytes", longestLine)
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, nil, nil
	}
	if !json.Valid(line) {
		return nil, nil, refusal(jsonrpc.CodeParseError, "Parse error: a message is one line of JSON")
	}
	messages := []json.RawMessage{line}
	if batch := []json.RawMessage(nil); json.Unmarshal(line, &batch) == nil && len(batch) > 0 {
		messages = batch
	}
	for _, m := range messages {
		message, err := jsonrpc.DecodeMessage(m)
		if err != nil {
			return nil, nil, refusal(jsonrpc.CodeInvalidRequest, "Invalid Request: %s", err)
		}
		if request, ok := message.(*jsonrpc.Request); ok {
			said = append(said, request)
		}
		lines = append(append(lines, m...), '\n')
	}
	return lines, said, nil
}

func refusal(code int64, format string, args ...any) error {
	return &jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// lineWriter writes answers of the session and refusals, one at a time.
type lineWriter struct {
	mu        sync.Mutex
	out       io.Writer
	open      map[jsonrpc.ID]bool // calls that have no answer yet
	cancelled map[jsonrpc.ID]bool // calls that get none
	closed    bool
	answered  *sync.Cond
}

// expect counts on the answer of a call, and no longer on that of one that a notification cancels.
func (w *lineWriter) expect(request *jsonrpc.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if request.ID.IsValid() {
		w.open[request.ID] = true
	} else if id := cancelledBy(request); w.open[id] {
		delete(w.open, id)
		w.cancelled[id] = true
	}
}

// cancelledBy is the call that a notification cancels; the zero ID when it cancels none.
func cancelledBy(request *jsonrpc.Request) (id jsonrpc.ID) {
	var params mcp.CancelledParams
	if request.Method == "notifications/cancelled" && json.Unmarshal(request.Params, &params) == nil {
		id, _ = jsonrpc.MakeID(params.RequestID)
	}
	return id
}

// waitForAnswers returns when every call has its answer, the session is closed, or too much time has passed.
func (w *lineWriter) waitForAnswers() {
	defer time.AfterFunc(lastAnswers, w.stopWaiting).Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.open) > 0 && !w.closed {
		w.answered.Wait()
	}
}

func (w *lineWriter) stopWaiting() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.answered.Broadcast()
}

// Write writes what the session says, a line at a time, but no answer to a call that was cancelled.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if message, err := jsonrpc.DecodeMessage(bytes.TrimSpace(p)); err == nil {
		if answer, ok := message.(*jsonrpc.Response); ok && w.cancelled[answer.ID] {
			delete(w.cancelled, answer.ID)
			return len(p), nil
		} else if ok {
			defer w.answered.Broadcast()
			defer delete(w.open, answer.ID)
		}
	}
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
