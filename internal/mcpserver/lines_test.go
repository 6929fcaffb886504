package mcpserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/mcpserver"
)

// spoken is a session in lines: write sends one, read reads the next answer.
type spoken struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func speak(t *testing.T) *spoken { t.Helper(); return speakTo(t, "http://127.0.0.1:1") }

// speakTo is a session that asks a Carillon at an address.
func speakTo(t *testing.T, address string) *spoken {
	t.Helper()
	in, input := io.Pipe()
	out, output := io.Pipe()
	s := &spoken{t: t, in: input, out: bufio.NewReader(out), done: make(chan error, 1)}
	go func() {
		s.done <- mcpserver.Serve(t.Context(), mcpserver.Config{Client: &client.Client{URL: address, Key: "key"}}, in, output)
		_ = output.Close()
	}()
	return s
}

func (s *spoken) write(line string) {
	s.t.Helper()
	_, err := io.WriteString(s.in, line)
	require.NoError(s.t, err)
}

func (s *spoken) read() (answer object) {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal([]byte(line), &answer), line)
	return answer
}

// refuses sends a line and expects an error of no request.
func (s *spoken) refuses(code float64, line string) {
	s.t.Helper()
	go s.write(line) // a long one is answered before all of it is read
	answer := s.read()
	require.Contains(s.t, answer, "id")
	require.Nil(s.t, answer["id"])
	problem, _ := answer["error"].(object)
	require.InDelta(s.t, code, problem["code"], 0, "%v", answer)
	require.NotEmpty(s.t, problem["message"])
}

// TestLinesThatAreNoMessages: the session continues after a line that is not JSON, or not JSON-RPC.
func TestLinesThatAreNoMessages(t *testing.T) {
	t.Parallel()
	s := speak(t)
	s.refuses(-32700, "hello\n")
	s.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\r\n")
	require.Contains(t, s.read(), "result")
	s.write("\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	s.refuses(-32700, `{"jsonrpc":"2.0","id":2,"method":"ping"} {"jsonrpc":"2.0","id":3,"method":"ping"}`+"\n")
	s.refuses(-32700, "{\"jsonrpc\":\"2.0\",\n")
	s.refuses(-32600, "[]\n")
	s.refuses(-32600, `{"method":"ping","id":4}`+"\n")
	s.refuses(-32600, `"`+strings.Repeat("x", 16<<20)+`"`+"\n")
	s.write(`[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]` + "\n")
	require.ElementsMatch(t, []any{5.0, 6.0}, []any{s.read()["id"], s.read()["id"]})
	s.write(`{"jsonrpc":"2.0","id":7,"method":"no/such"}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"ping"}` + "\n")
	require.ElementsMatch(t, []any{7.0, 8.0}, []any{s.read()["id"], s.read()["id"]})
	go func() {
		s.write("the last line has no end")
		_ = s.in.Close()
	}()
	require.Contains(t, s.read(), "error")
	require.NoError(t, <-s.done)
}

// TestCancelledCalls: a call that its client cancelled ends and gets no answer, those beside it do.
func TestCancelledCalls(t *testing.T) {
	t.Parallel()
	asked, ended := make(chan struct{}), make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server watch the connection
		close(asked)
		<-r.Context().Done()
		close(ended)
	}))
	t.Cleanup(api.Close)
	s := speakTo(t, api.URL)
	s.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	require.Contains(t, s.read(), "result")
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	s.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_subscriber","arguments":{"email":"a@example.com"}}}` + "\n")
	<-asked
	s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n")
	<-ended
	s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\n")
	require.InDelta(t, 3, s.read()["id"], 0, "which was not open when its id was cancelled")
	require.NoError(t, s.in.Close())
	rest, err := io.ReadAll(s.out)
	require.NoError(t, err)
	require.Empty(t, string(rest))
	require.NoError(t, <-s.done)
}

// TestAnswersAfterTheEndOfTheInput: a program that writes its requests and closes the pipe gets every answer.
func TestAnswersAfterTheEndOfTheInput(t *testing.T) {
	t.Parallel()
	requests := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"two","method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"digest"}}}
{"jsonrpc":"2.0","id":4,"method":"nope"}`
	for range 20 {
		var out bytes.Buffer
		err := mcpserver.Serve(t.Context(), mcpserver.Config{Client: &client.Client{URL: "http://127.0.0.1:1", Key: "key"}},
			io.NopCloser(strings.NewReader(requests)), &out)
		require.NoError(t, err)
		var ids []any
		for line := range strings.Lines(out.String()) {
			var answer object
			require.NoError(t, json.Unmarshal([]byte(line), &answer))
			if answer["id"] != nil {
				ids = append(ids, answer["id"])
			}
		}
		require.ElementsMatch(t, []any{1.0, "two", 3.0, 4.0}, ids)
	}
}
