package intake_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/stall"
)

const limit = 20 << 20

// reading answers with the length of the body that it read, or with the kind of the fault. It tells arrived of every body
// that it begins to read.
func reading(read func(*http.Request, int64) ([]byte, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		intake.Own(r.Context(), r.Header.Get("Authorization"))
		body, err := read(r, limit)
		if err != nil {
			http.Error(w, fault.KindOf(err).String(), http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprint(w, len(body))
	})
}

func serve(t *testing.T, meter *intake.Meter, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(meter.Handler(handler))
	server.Listener = meter.Listen(server.Listener)
	server.Config.ConnContext = intake.ConnContext
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func dial(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func answer(t *testing.T, conn net.Conn) string {
	t.Helper()
	w, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	require.NoError(t, w.Body.Close())
	return strings.TrimSpace(string(text))
}

// A promised length costs nothing: what counts is what arrived, and it is given back with the answer.
func TestPromisedLengthsCostNothing(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 1 << 20, Wait: time.Hour})
	reached := make(chan struct{}, 200)
	inner := reading(intake.ReadAll)
	server := serve(t, meter, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = &told{ReadCloser: r.Body, reached: reached}
		inner.ServeHTTP(w, r)
	}))
	conns := make([]net.Conn, 150)
	for i := range conns {
		conns[i] = dial(t, server)
		_, err := fmt.Fprintf(conns[i], "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n{", limit)
		require.NoError(t, err)
	}
	for range conns {
		<-reached
	}
	require.EqualValues(t, len(conns), meter.Held())
	for _, conn := range conns {
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool { return meter.Held() == 0 }, stall.Limit(time.Minute), time.Millisecond)
}

// told sends on reached once the first byte was read, and is asked for more.
type told struct {
	io.ReadCloser
	reached chan<- struct{}
	read    bool
}

func (b *told) Read(p []byte) (int, error) {
	if b.read {
		b.reached <- struct{}{} // the byte before is counted
		return b.ReadCloser.Read(p)
	}
	n, err := b.ReadCloser.Read(p[:1])
	b.read = n > 0
	return n, err
}

// Memory is shared: strangers have a quarter of it, and no holder more than half.
func TestSharesOfMemory(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 1 << 20, Wait: time.Hour})
	server := serve(t, meter, reading(intake.ReadAll))
	for _, c := range []struct {
		holder string
		size   int
		answer string
	}{
		{"", 256 << 10, "262144"},
		{"", 256<<10 + 1, "UNAVAILABLE"},
		{"a", 512 << 10, "524288"},
		{"a", 512<<10 + 1, "UNAVAILABLE"},
	} {
		require.Equal(t, c.answer, post(t, server, c.holder, make([]byte, c.size)), c.holder)
		require.Zero(t, meter.Held())
	}
	first := dial(t, server)
	_, err := fmt.Fprintf(first, "POST / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Length: %d\r\n\r\n", 512<<10)
	require.NoError(t, err)
	_, err = first.Write(make([]byte, 512<<10-1))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return meter.Held() == 512<<10-1 }, stall.Limit(time.Minute), time.Millisecond)
	require.Equal(t, "UNAVAILABLE", post(t, server, "a", make([]byte, 2)), "one holder's share")
	require.Equal(t, "400000", post(t, server, "b", make([]byte, 400_000)), "another has room")
	_, err = first.Write([]byte{0})
	require.NoError(t, err)
	require.Equal(t, "524288", answer(t, first))
}

func post(t *testing.T, server *httptest.Server, holder string, body []byte) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Authorization", holder)
	w, err := server.Client().Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	require.NoError(t, w.Body.Close())
	return strings.TrimSpace(string(text))
}

// What unpacks to too much is refused once it has passed its limit, and counts as what it unpacks to.
func TestUnpackedBytesCount(t *testing.T) {
	t.Parallel()
	bomb := func(size int) []byte {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(make([]byte, size))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return packed.Bytes()
	}
	meter := intake.New(intake.Config{Memory: 64 << 20, Wait: time.Hour})
	server := serve(t, meter, reading(intake.Unpack))
	require.Equal(t, "TOO_LARGE", post(t, server, "a", bomb(40<<20)))
	require.Equal(t, "1000000", post(t, server, "a", bomb(1_000_000)))
	require.Equal(t, "BAD_REQUEST", post(t, server, "a", bomb(1_000)[:30]), "cut off")
	require.Equal(t, "BAD_REQUEST", post(t, server, "a", []byte("{}")), "not packed")
	require.Equal(t, "0", post(t, server, "a", nil))
	small := serve(t, intake.New(intake.Config{Memory: 1 << 20, Wait: time.Hour}), reading(intake.Unpack))
	require.Equal(t, "UNAVAILABLE", post(t, small, "a", bomb(1_000_000)))
	require.Zero(t, meter.Held())
}

// A body stays what it was while others, and others that are refused, are read into the same parts.
func TestBodiesShareParts(t *testing.T) {
	t.Parallel()
	for reader := range byte(8) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			var sent, read [][]byte
			for i := range 20 {
				body := bytes.Repeat([]byte{reader, byte(i)}, 20_000*(i+1))
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", io.MultiReader(bytes.NewReader(body))) // no length is promised
				got, err := intake.ReadAll(r, limit)
				require.NoError(t, err)
				sent, read = append(sent, body), append(read, got)
				_, err = intake.ReadAll(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", io.MultiReader(bytes.NewReader(body))), 200_000)
				require.Equal(t, len(body) > 200_000, err != nil)
			}
			require.True(t, slices.EqualFunc(sent, read, bytes.Equal))
		})
	}
}

// What was read of a body that is refused is given back at once, while its request continues.
func TestRefusedBodiesHoldNothing(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 8 << 20, Wait: time.Hour})
	held := make(chan int64, 1)
	server := serve(t, meter, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := intake.ReadAll(r, 1<<20)
		held <- meter.Held()
		_, _ = fmt.Fprint(w, fault.KindOf(err))
	}))
	conn := dial(t, server)
	_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n", 2<<20)
	require.NoError(t, err)
	_, err = conn.Write(make([]byte, 2<<20))
	require.NoError(t, err)
	require.Zero(t, <-held)
	require.Equal(t, "TOO_LARGE", answer(t, conn))
}

// A request that arrives too slowly is answered, and its connection ends; one whose body is there may take its time.
func TestRequestsArriveInTime(t *testing.T) {
	t.Parallel()
	const wait = 50 * time.Millisecond
	meter := intake.New(intake.Config{Wait: wait})
	server := serve(t, meter, reading(intake.ReadAll))
	conn := dial(t, server)
	_, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1")
	require.NoError(t, err)
	text, err := io.ReadAll(conn)
	require.NoError(t, err, "it ends")
	require.Contains(t, string(text), "REQUEST_TIMEOUT")
	require.Contains(t, string(text), "Connection: close")

	ended := errors.New("the request ended")
	patient := serve(t, intake.New(intake.Config{Wait: wait}), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := intake.ReadAll(r, limit)
		passed, cancel := context.WithTimeoutCause(r.Context(), 4*wait, ended)
		defer cancel()
		<-passed.Done()
		_, _ = fmt.Fprint(w, err, errors.Is(context.Cause(passed), ended))
	}))
	require.Equal(t, "<nil> true", post(t, patient, "", []byte("{}")))
}

// A response that is not read ends with its connection.
func TestResponsesAreRead(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	server := serve(t, intake.New(intake.Config{Wait: 50 * time.Millisecond, Rate: 1 << 30}), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	}))
	conn := dial(t, server)
	_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	require.ErrorContains(t, <-failed, "timeout")
}

// TestHeadsShareMemory: large heads that do not end hold no more memory together than bodies of those who have shown no credential, and
// small ones are not kept out.
func TestHeadsShareMemory(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 1 << 20})
	server := serve(t, meter, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	large := "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 100<<10)
	var waiting []net.Conn
	for range 8 {
		conn := dial(t, server)
		_, _ = io.WriteString(conn, large) // fails where the server has closed the connection already
		waiting = append(waiting, conn)
	}
	closed := 0
	for _, conn := range waiting {
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(200*time.Millisecond)))
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	require.GreaterOrEqual(t, closed, 5)
	require.LessOrEqual(t, meter.Held(), int64(256<<10))
	conn := dial(t, server)
	for range 2 {
		_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		require.Equal(t, "ok", answer(t, conn))
	}
	for _, conn := range waiting {
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool { return meter.Held() == 0 }, stall.Limit(10*time.Second), time.Millisecond)
	_, err := io.WriteString(conn, large+"\r\n\r\n")
	require.NoError(t, err)
	require.Equal(t, "ok", answer(t, conn))
	require.Zero(t, meter.Held())
}
