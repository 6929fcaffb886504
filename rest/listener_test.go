package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/rest"
)

// Requests that net/http cannot parse meet the one shape of errors, also behind others on one connection.
func TestRequestsThatCannotBeParsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewUnstartedServer(b.handler)
	server.Config.MaxHeaderBytes = 4 << 10
	server.Listener = rest.Listen(server.Listener, timeNow)
	server.Start()
	t.Cleanup(server.Close)
	for _, c := range []struct {
		request string
		status  int
		path    string
	}{
		{"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "/%zz"},
		{"GET /v1/channel-endpoints/%?a=<b> HTTP/1.1\r\nHost: x\r\n\r\n", 400, "/v1/channel-endpoints/%?a=<b>"},
		{"GET /v2/workflows HTTP/1.1\r\n\r\n", 400, "/v2/workflows"},
		{"nonsense\r\n\r\n", 400, ""},
		{"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n", 501, "/v1/events/trigger"},
		{"GET /v2/workflows HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 20<<10) + "\r\n\r\n", 431, ""},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		reader := bufio.NewReader(conn)
		_, err = io.WriteString(conn, "GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		first, err := http.ReadResponse(reader, nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, first.StatusCode)
		_, err = io.Copy(io.Discard, first.Body)
		require.NoError(t, err)
		require.NoError(t, first.Body.Close())

		_, err = io.WriteString(conn, c.request)
		require.NoError(t, err)
		w, err := http.ReadResponse(reader, nil)
		require.NoError(t, err, c.request)
		body, err := io.ReadAll(w.Body)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		require.Equal(t, c.status, w.StatusCode, c.request)
		require.Equal(t, "application/json; charset=utf-8", w.Header.Get("Content-Type"))
		require.True(t, w.Close)
		more := ""
		if c.status == http.StatusBadRequest {
			more = `,"type":"MALFORMED_REQUEST","errors":[]`
		}
		require.JSONEq(t, fmt.Sprintf(`{"statusCode":%d,"timestamp":"2025-03-01T09:30:00.000Z","path":%q,"message":"The request cannot be read: %s."%s}`,
			c.status, c.path, http.StatusText(c.status), more), string(body))
		require.NoError(t, conn.Close())
	}
}

// A caller that falls silent in the middle of a body gets an answer and loses the connection, whatever was asked for; one
// that goes on slowly is waited for, and a request that takes long goes on when its body is there.
func TestSilentCallers(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *rest.Config) { cfg.BodyPause = 200 * time.Millisecond })
	b.workflows(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	const silent = "Content-Length: 50\r\n\r\n{"
	key := "Authorization: ApiKey " + b.key + "\r\n"
	for request, status := range map[string]int{
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + silent:                                     http.StatusBadRequest,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + "Transfer-Encoding: chunked\r\n\r\n5\r\n{": http.StatusBadRequest,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + "Content-Encoding: gzip\r\n" + silent:      http.StatusBadRequest,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + silent:                                           http.StatusUnauthorized,
		"GET /v2/workflows HTTP/1.1\r\nHost: x\r\n" + key + silent:                                           http.StatusOK,
		"PUT /v2/workflows HTTP/1.1\r\nHost: x\r\n" + silent:                                                 http.StatusMethodNotAllowed,
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, request)
		require.NoError(t, err)
		reader := bufio.NewReader(conn)
		w, err := http.ReadResponse(reader, nil)
		require.NoError(t, err, request)
		require.Equal(t, status, w.StatusCode, request)
		_, err = io.Copy(io.Discard, w.Body)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		_, err = reader.ReadByte()
		require.Error(t, err, "the connection ends")
		require.NoError(t, conn.Close())
	}

	// Each pause is a thirtieth of what is allowed, all of them together are more.
	patient := setup(t, func(cfg *rest.Config) { cfg.BodyPause = 3 * time.Second })
	patient.workflows(t)
	server = httptest.NewServer(patient.handler)
	t.Cleanup(server.Close)
	body := `{"name":"order-shipped","to":"u1"}`
	slow := slowReader{strings.NewReader(body)}
	asked, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/events/trigger", slow)
	require.NoError(t, err)
	asked.Header.Set("Authorization", "ApiKey "+patient.key)
	w, err := server.Client().Do(asked)
	require.NoError(t, err)
	require.NoError(t, w.Body.Close())
	require.Equal(t, http.StatusCreated, w.StatusCode)
}

// slowReader gives a byte at a time.
type slowReader struct{ *strings.Reader }

func (s slowReader) Read(p []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return s.Reader.Read(p[:1])
}
