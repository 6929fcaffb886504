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

	"github.com/carillon/carillon/internal/intake"
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
		{"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n", 417, "/v1/events/trigger"},
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
		require.Equal(t, "Accept-Encoding", w.Header.Get("Vary"))
		require.True(t, w.Close)
		if method, target, _ := strings.Cut(strings.TrimSuffix(strings.SplitN(c.request, "\r\n", 2)[0], " HTTP/1.1"), " "); strings.HasPrefix(target, "/v") && c.status < 500 {
			require.NoError(t, b.promised.check(method, target, recorded(w, body)), c.request)
		}
		message, more := "The request cannot be read: "+http.StatusText(c.status)+".", ""
		switch c.status {
		case http.StatusBadRequest:
			more = `,"type":"MALFORMED_REQUEST","errors":[]`
		case http.StatusExpectationFailed:
			message = "Only the expectation 100-continue is met."
		}
		require.JSONEq(t, fmt.Sprintf(`{"statusCode":%d,"timestamp":"2025-03-01T09:30:00.000Z","path":%q,"message":%q%s}`,
			c.status, c.path, message, more), string(body))
		require.NoError(t, conn.Close())
	}
}

// A caller that falls silent in the middle of a body, or sends it too slowly, gets an answer in the one shape and loses the
// connection, whatever was asked for.
func TestSilentCallers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	server := httptest.NewServer(intake.New(intake.Config{Wait: 200 * time.Millisecond}).Handler(b.handler))
	t.Cleanup(server.Close)
	const silent = "Content-Length: 50\r\n\r\n{"
	key := "Authorization: ApiKey " + b.key + "\r\n"
	for request, status := range map[string]int{
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + silent:                                     http.StatusRequestTimeout,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + "Transfer-Encoding: chunked\r\n\r\n5\r\n{": http.StatusRequestTimeout,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\n" + key + "Content-Encoding: gzip\r\n" + silent:      http.StatusRequestTimeout,
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
		body, err := io.ReadAll(w.Body)
		require.NoError(t, err)
		if status == http.StatusRequestTimeout {
			require.JSONEq(t, `{"statusCode":408,"timestamp":"2025-03-01T09:30:00.000Z","path":"/v1/events/trigger","message":"The request did not arrive in time."}`, string(body))
			require.NoError(t, b.promised.check(http.MethodPost, "/v1/events/trigger", recorded(w, body)))
		}
		require.NoError(t, w.Body.Close())
		_, err = reader.ReadByte()
		require.Error(t, err, "the connection ends")
		require.NoError(t, conn.Close())
	}
}

// recorded is a response as the contract takes it.
func recorded(w *http.Response, body []byte) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	rec.Code = w.StatusCode
	rec.Header().Set("Content-Type", w.Header.Get("Content-Type"))
	rec.Body.Write(body)
	return rec
}
