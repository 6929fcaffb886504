package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/stall"
)

// flooded is a process that is sent what strangers and careless callers send.
type flooded struct {
	*child.Process
	client *client.Client
	http   *http.Client
}

// TestFloods: whatever is sent, the process refuses it in little memory, ends the connections that do not move, and serves
// others meanwhile. What is judged are answers and the memory of the process, never time.
func TestFloods(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	cluster.env = append(cluster.env, "CARILLON_REQUEST_TIME=2s", "CARILLON_LIVE_CONNECTIONS=400", "CARILLON_QUEUE_TIME="+stall.Limit(time.Minute).String())
	p := cluster.start(t, "serve")
	f := &flooded{p, &client.Client{URL: p.URL(), Key: cluster.key}, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	f.works(t) // and has what a first request makes
	for _, c := range []struct {
		name  string
		flood func(*flooded, *testing.T)
		most  int64 // MiB
	}{
		{"PromisedLengths", (*flooded).promisedLengths, 48},
		{"SlowSenders", (*flooded).slowSenders, 48},
		{"GzipBombs", (*flooded).gzipBombs, 448},
		{"OtherCodings", (*flooded).otherCodings, 48},
		{"Headers", (*flooded).headers, 128},
		{"Parts", (*flooded).parts, 64},
		{"Documents", (*flooded).documents, 128},
		{"UnreadAnswers", (*flooded).unreadAnswers, 256},
		{"LiveConnections", (*flooded).liveConnections, 128},
		{"Schemas", (*flooded).schemas, 128},
	} {
		t.Run(c.name, func(t *testing.T) { // not parallel: the memory is that of one flood
			require.NoError(t, os.WriteFile(filepath.Join("/proc", strconv.Itoa(p.PID()), "clear_refs"), []byte("5"), 0)) // the peak begins anew
			before, _, err := p.Memory()
			require.NoError(t, err)
			c.flood(f, t)
			_, peak, err := p.Memory()
			require.NoError(t, err)
			t.Logf("%d MiB more at most", (peak-before)>>20)
			require.Less(t, (peak-before)>>20, c.most, "MiB")
			f.works(t)
		})
	}
}

// works triggers, as any caller does.
func (f *flooded) works(t *testing.T) {
	t.Helper()
	_, err := f.client.Do(within(t, time.Minute), http.MethodPost, "/v1/events/trigger", object{"name": "hello", "to": "ada"}, nil)
	require.NoError(t, err)
}

func (f *flooded) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", f.Addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// post sends a body with a key, and returns the status.
func (f *flooded) post(t *testing.T, path string, body []byte, header ...string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(within(t, 2*time.Minute), http.MethodPost, f.URL()+path, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "ApiKey "+f.client.Key)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := f.http.Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// together runs the parts of a flood at the same time.
func together(n int, part func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { part(i) })
	}
	all.Wait()
}

// promisedLengths says that 20 MiB will come, 300 times, and sends a byte. Each is told that it was too slow.
func (f *flooded) promisedLengths(t *testing.T) {
	t.Helper()
	together(300, func(i int) {
		conn := f.dial(t)
		_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ApiKey %s\r\nContent-Length: 20971520\r\n\r\n{",
			[]string{"/v1/events/trigger", "/graphql"}[i%2], f.client.Key)
		if err == nil {
			f.ends(t, conn, "408")
		}
	})
}

// ends reads until the server closes, and holds the answer against a status; "": none is expected.
func (f *flooded) ends(t *testing.T, conn net.Conn, status string) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(stall.Limit(time.Minute))); err != nil {
		t.Error(err)
	}
	text, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection does not end")
	}
	if status != "" && !strings.HasPrefix(string(text), "HTTP/1.1 "+status) {
		t.Errorf("%.60q in place of %s", text, status)
	}
}

// slowSenders send a byte now and then, at every door and at every stage of a request.
func (f *flooded) slowSenders(t *testing.T) {
	t.Helper()
	const length = "\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
	key := "\r\nAuthorization: ApiKey " + f.client.Key
	starts := []string{
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x" + key + length,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x" + key + "\r\nContent-Encoding: gzip" + length,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x" + key + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n",
		"PATCH /v2/subscribers/ada/preferences/bulk HTTP/1.1\r\nHost: x" + key + length,
		"POST /v1/events/trigger HTTP/1.1\r\nHost: x" + length,
		"POST /graphql HTTP/1.1\r\nHost: x" + key + length,
		"POST /graphql HTTP/1.1\r\nHost: x" + length,
		"POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream" + key + length,
		"POST /graphql HTTP/1.1\r\nHost: x" + key + "\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n",
		"POST /dashboard/session HTTP/1.1\r\nHost: x" + length,
		"POST /v1/inbound/token HTTP/1.1\r\nHost: x" + length,
		"POST /v1/unsubscribe/token HTTP/1.1\r\nHost: x" + length,
		"POST /nowhere HTTP/1.1\r\nHost: x" + length,
		"GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
			"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n\x81\xfe\x0f\xff",
		"GET /v2/workflows HTTP/1.1\r\nX-Slow: ",
		"G",
	}
	together(5*len(starts), func(i int) {
		conn := f.dial(t)
		_, err := io.WriteString(conn, starts[i%len(starts)])
		if err != nil {
			t.Error(err)
			return
		}
		ended := make(chan struct{})
		go func() {
			f.ends(t, conn, "")
			close(ended)
		}()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				_, _ = conn.Write([]byte{'x'}) // fails when the server has ended it, which the reader hears of
			}
		}
	})
}

func packed(t *testing.T, text string, times int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for range times {
		_, err := io.WriteString(w, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// gzipBombs unpack to far more than is allowed, and to the most that is.
func (f *flooded) gzipBombs(t *testing.T) {
	t.Helper()
	mebibyte := strings.Repeat(" ", 1<<20)
	bomb, largest := packed(t, mebibyte, 200), packed(t, mebibyte, 31)
	together(20, func(int) {
		if status := f.post(t, "/v1/events/trigger", bomb, "Content-Encoding", "gzip"); status != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d", status)
		}
	})
	together(20, func(int) {
		status := f.post(t, "/v1/events/trigger", largest, "Content-Encoding", "gzip")
		if status != http.StatusBadRequest && status != http.StatusServiceUnavailable && status != http.StatusUnprocessableEntity {
			t.Errorf("status %d", status)
		}
	})
}

// otherCodings are not unpacked at all, nor is a bomb inside a bomb.
func (f *flooded) otherCodings(t *testing.T) {
	t.Helper()
	bomb := packed(t, string(packed(t, strings.Repeat(" ", 1<<20), 30)), 1)
	for _, coding := range []string{"gzip, gzip", "deflate", "br", "zstd", "compress"} {
		require.Equal(t, http.StatusUnsupportedMediaType, f.post(t, "/v1/events/trigger", bomb, "Content-Encoding", coding), coding)
	}
	require.Equal(t, http.StatusBadRequest, f.post(t, "/v1/events/trigger", bomb, "Content-Encoding", "gzip"), "what is inside is no JSON")
	require.Equal(t, http.StatusBadRequest, f.post(t, "/graphql", bomb, "Content-Encoding", "gzip"), "GraphQL unpacks nothing")
}

// headers are many, or long, or never end.
func (f *flooded) headers(t *testing.T) {
	t.Helper()
	many := strings.Repeat("X-A: b\r\n", 12_000)
	together(100, func(i int) {
		conn := f.dial(t)
		text := "GET /v2/workflows HTTP/1.1\r\nHost: x\r\n" + many
		switch i % 3 {
		case 0:
			text += strings.Repeat("X-B: c\r\n", 12_000) + "\r\n"
		case 1:
			text = "GET /v2/workflows HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("a", 300<<10) + "\r\n\r\n"
		}
		_, _ = io.WriteString(conn, text) // the server may refuse it before it has read all
		f.ends(t, conn, "")
	})
}

// parts come to doors that take none.
func (f *flooded) parts(t *testing.T) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := range 10_000 {
		require.NoError(t, w.WriteField("p"+strconv.Itoa(i), "x"))
	}
	require.NoError(t, w.Close())
	together(50, func(i int) {
		path := []string{"/graphql", "/v1/events/trigger", "/v2/topics/t/subscriptions"}[i%3]
		if status := f.post(t, path, body.Bytes(), "Content-Type", w.FormDataContentType()); status != http.StatusUnsupportedMediaType && status != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d of %s", status, path)
		}
	})
}

// documents spread fragments over each other, come as a list, and ask for the schema in many ways, with a key and without.
func (f *flooded) documents(t *testing.T) {
	t.Helper()
	send := func(text any) []byte {
		body, err := json.Marshal(object{"query": text})
		require.NoError(t, err)
		return body
	}
	spreads := send("{" + strings.Repeat("...fa...fb", 1_500) + "}fragment fa on Query{__typename}fragment fb on Query{__typename}")
	together(60, func(int) {
		if status := f.post(t, "/graphql", spreads, "Authorization", ""); status != http.StatusUnauthorized {
			t.Errorf("status %d", status)
		}
		if status := f.post(t, "/graphql", spreads); status != http.StatusOK { // as GraphQL refuses
			t.Errorf("status %d", status)
		}
	})
	list := append(append([]byte("["), bytes.Repeat(append(send("{__typename}"), ','), 20_000)...), []byte("{}]")...)
	require.Equal(t, http.StatusBadRequest, f.post(t, "/graphql", list))
	together(60, func(i int) {
		text := fmt.Sprintf("{a%d:__schema{types{name description fields{name description args{name description type{name}}}}}}", i)
		if status := f.post(t, "/graphql", send(text)); status != http.StatusOK && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
			t.Errorf("status %d", status)
		}
	})
}

// unreadAnswers asks for much, over and over, and reads nothing.
func (f *flooded) unreadAnswers(t *testing.T) {
	t.Helper()
	text := "{__schema{types{name description fields{name description}}}}"
	body, err := json.Marshal(object{"query": text, "variables": object{"unused": strings.Repeat(" ", 16<<10)}}) // more than all buffers hold
	require.NoError(t, err)
	together(50, func(int) {
		conn := f.dial(t)
		for range 2_000 {
			if conn.SetWriteDeadline(time.Now().Add(stall.Limit(time.Minute))) != nil {
				return
			}
			_, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ApiKey %s\r\nContent-Length: %d\r\n\r\n%s",
				f.client.Key, len(body), body)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the connection does not end")
			}
			if err != nil {
				return
			}
		}
		t.Error("all was taken")
	})
}

// liveConnections opens event streams and WebSockets, more than the process holds, and reads nothing.
func (f *flooded) liveConnections(t *testing.T) {
	t.Helper()
	const watch = `{"query":"subscription { notificationUpdates { id } }"}`
	var mu sync.Mutex
	statuses, ctx := map[int]int{}, within(t, 5*time.Minute)
	together(300, func(int) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.URL()+"/graphql", strings.NewReader(watch))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Authorization", "ApiKey "+f.client.Key)
		resp, err := f.http.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		mu.Lock()
		defer mu.Unlock()
		statuses[resp.StatusCode]++
	})
	require.Equal(t, map[int]int{http.StatusOK: 200, http.StatusServiceUnavailable: 100}, statuses)
	opened, refused := 0, 0
	together(200, func(int) {
		dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: stall.Limit(time.Minute)}
		conn, resp, err := dialer.DialContext(ctx, "ws://"+f.Addr+"/graphql", nil)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			opened++
			_ = resp.Body.Close()
			t.Cleanup(func() { _ = conn.Close() })
		case resp != nil && resp.StatusCode == http.StatusServiceUnavailable:
			refused++
			_ = resp.Body.Close()
		default:
			t.Error(err)
		}
	})
	require.Equal(t, 200, opened+refused)
	require.Positive(t, refused, "one address has 25 of them at a time without a credential")
}

// schemas cost more with each level, or with each level of the payload.
func (f *flooded) schemas(t *testing.T) {
	t.Helper()
	create := func(ctx context.Context, name string, schema object) error {
		return f.client.GraphQL(ctx, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
			"identifier": name, "name": name, "definition": object{
				"payloadSchema": schema, "validatePayload": true,
				"steps": []object{{"stepId": "bell", "type": "IN_APP", "inApp": object{"body": "hello"}}},
			},
		}}, nil)
	}
	defs := object{"d0": object{"type": "object"}}
	for i := range 40 {
		below := object{"$ref": fmt.Sprintf("#/$defs/d%d", i)}
		defs[fmt.Sprintf("d%d", i+1)] = object{"allOf": []object{below, below}}
	}
	ctx := within(t, 2*time.Minute)
	err := create(ctx, "doubling", object{"$ref": "#/$defs/d40", "$defs": defs})
	require.ErrorContains(t, err, "payloadSchema")

	again := object{"properties": object{"a": object{"$ref": "#"}}}
	require.NoError(t, create(ctx, "recursive", object{"allOf": []object{again, again}}))
	payload := strings.Repeat(`{"a":`, 40) + `{}` + strings.Repeat(`}`, 40)
	together(50, func(int) {
		if status := f.post(t, "/v1/events/trigger", []byte(`{"name":"recursive","to":"ada","payload":`+payload+`}`)); status != http.StatusUnprocessableEntity {
			t.Errorf("status %d", status)
		}
	})
}
