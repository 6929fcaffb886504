package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/carillon/carillon/internal/auth"
)

const (
	liveConns    = 10_000
	liveRate     = 500 // messages per second
	liveSeconds  = 10
	liveOpeners  = 32 // connections that are opened at once
	liveWorkflow = "bench-live"
)

// live measures what open inboxes cost, and the time from a trigger to the front end, with all of them open. The floor is a
// bare WebSocket that says again what it hears, with as many connections.
func (b *bench) live(ctx context.Context) error {
	if err := b.quietWorkflow(ctx, b.api, liveWorkflow); err != nil {
		return err
	}
	if err := b.liveSubscribers(ctx); err != nil {
		return err
	}
	var rotated struct {
		RotateInboxSecret struct{ InboxSecret string }
	}
	if err := b.api.GraphQL(ctx, `mutation { rotateInboxSecret { inboxSecret } }`, nil, &rotated); err != nil {
		return fmt.Errorf("make an inbox secret: %w", err)
	}
	var floor load
	err := b.withFloor(ctx, func(url string, _ int) (err error) {
		floor, err = echoes(ctx, url)
		return err
	})
	if err != nil {
		return fmt.Errorf("the floor: %w", err)
	}
	heard := newArrivals(liveRate * liveSeconds)
	began := time.Now()
	sockets, err := openAll(ctx, liveConns, func(n int) (*websocket.Conn, error) {
		who := fmt.Sprintf("live-%d", n)
		s, err := b.openInbox(ctx, auth.SubscriberCredential(b.environment, who, auth.SubscriberHash([]byte(rotated.RotateInboxSecret.InboxSecret), who)))
		if err == nil {
			go heard.listen(s)
		}
		return s, err
	})
	defer closeAll(sockets)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.Progress, "%d inboxes are open after %s\n", liveConns, time.Since(began).Round(time.Millisecond))
	select { // until the garbage of their beginning is gone
	case <-time.After(5 * time.Second):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now, _, err := b.server.Memory()
	if err != nil {
		return err
	}
	b.row(fmt.Sprintf("memory with %d open inboxes", liveConns), mebibytes(now), "", "", "500 MiB at most")
	api := *b.api
	api.HTTP = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer api.HTTP.CloseIdleConnections()
	ours, err := steadily(ctx, heard, liveConns, liveRate, func(n int, transaction string) error {
		body := map[string]any{"name": liveWorkflow, "to": fmt.Sprintf("live-%d", n), "transactionId": transaction, "payload": map[string]any{"text": "hello"}}
		_, err := api.Do(ctx, http.MethodPost, "/v1/events/trigger", body, nil)
		return err
	})
	if err != nil {
		return err
	}
	b.row(fmt.Sprintf("trigger to front end, %d/s", liveRate), latencies(ours), latencies(floor), ratio(milliseconds(ours.p99), milliseconds(floor.p99)), "p99 100 ms at most")
	return nil
}

func latencies(l load) string {
	return fmt.Sprintf("p50 %.1f ms, p99 %.1f ms", milliseconds(l.p50), milliseconds(l.p99))
}

// liveSubscribers makes the owners of the inboxes.
func (b *bench) liveSubscribers(ctx context.Context) error {
	const chunk = 100
	for from := 0; from < liveConns; from += chunk {
		to := make([]string, chunk)
		for n := range to {
			to[n] = fmt.Sprintf("live-%d", from+n)
		}
		if _, err := b.api.Do(ctx, http.MethodPost, "/v1/events/trigger", map[string]any{"name": "bench-quiet", "to": to}, nil); err != nil {
			return err
		}
	}
	return b.drained(ctx)
}

var dialer = websocket.Dialer{
	Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: time.Minute, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10,
}

func dial(ctx context.Context, url string) (*websocket.Conn, error) {
	s, resp, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(url, "http"), nil)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", url, err)
	}
	return s, resp.Body.Close()
}

// openInbox watches an inbox and has received its sequence.
func (b *bench) openInbox(ctx context.Context, credential string) (*websocket.Conn, error) {
	s, err := dial(ctx, b.api.URL+"/graphql")
	if err != nil {
		return nil, err
	}
	const query = `subscription { inboxUpdates { sequence messages { internalId transactionId subject read } state { unread } } }`
	for _, step := range []struct {
		say  map[string]any
		hear string
	}{
		{map[string]any{"type": "connection_init", "payload": map[string]any{"Authorization": credential}}, "connection_ack"},
		{map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": query}}, "next"},
	} {
		if err := s.WriteJSON(step.say); err != nil {
			return s, fmt.Errorf("ask for an inbox: %w", err)
		}
		for heard := ""; heard != step.hear; {
			var frame liveFrame
			if err := s.ReadJSON(&frame); err != nil {
				return s, fmt.Errorf("hear of an inbox: %w", err)
			}
			if heard = frame.Type; heard == "error" {
				return s, errors.New("watching an inbox was refused")
			}
		}
	}
	return s, nil
}

// liveFrame is what a front end hears.
type liveFrame struct {
	Type    string
	Payload struct {
		Data struct {
			InboxUpdates struct {
				Messages []struct{ TransactionID string }
			}
		}
	}
}

// openAll opens connections.
func openAll(ctx context.Context, conns int, open func(n int) (*websocket.Conn, error)) ([]*websocket.Conn, error) {
	sockets := make([]*websocket.Conn, conns)
	failures := make([]error, liveOpeners)
	var openers sync.WaitGroup
	for i := range liveOpeners {
		openers.Go(func() {
			for n := i; n < conns && ctx.Err() == nil && failures[i] == nil; n += liveOpeners {
				sockets[n], failures[i] = open(n)
			}
		})
	}
	openers.Wait()
	return sockets, errors.Join(append(failures, context.Cause(ctx))...)
}

func closeAll(sockets []*websocket.Conn) {
	for _, s := range sockets {
		if s != nil {
			_ = s.Close()
		}
	}
}

// arrivals are the messages that were sent and have not come.
type arrivals struct {
	mu   sync.Mutex
	sent map[string]time.Time
	took []time.Duration
	all  chan struct{} // closed when the last came
	left int
}

func newArrivals(total int) *arrivals {
	return &arrivals{sent: map[string]time.Time{}, all: make(chan struct{}), left: total}
}

// again begins anew, once all have arrived.
func (a *arrivals) again(total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.took, a.all, a.left = nil, make(chan struct{}), total
}

// await waits until all have arrived.
func (a *arrivals) await(ctx context.Context) (load, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Minute, errNotAll)
	defer cancel()
	select {
	case <-a.all:
	case <-ctx.Done():
		return load{}, context.Cause(ctx)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return newLoad(0, a.took), nil
}

var errNotAll = errors.New("not every message arrived")

// messageName is a name for the n-th message of a run.
func messageName(began time.Time, n int) string {
	return fmt.Sprintf("live-%d-%d-message", began.UnixNano(), n)
}

func (a *arrivals) expect(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent[name] = time.Now()
}

func (a *arrivals) arrive(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, waiting := a.sent[name]
	if !waiting {
		return
	}
	delete(a.sent, name)
	a.took = append(a.took, time.Since(at))
	if a.left--; a.left == 0 {
		close(a.all)
	}
}

// listen notes what a front end hears until its connection ends.
func (a *arrivals) listen(s *websocket.Conn) {
	for {
		_, text, err := s.ReadMessage()
		if err != nil {
			return
		}
		now := string(text)
		if !strings.HasPrefix(now, "{") { // an echo
			a.arrive(now)
			continue
		}
		var frame liveFrame
		if json.Unmarshal(text, &frame) != nil {
			return
		}
		if frame.Type == "ping" {
			if s.WriteJSON(map[string]string{"type": "pong"}) != nil {
				return
			}
		}
		for _, m := range frame.Payload.Data.InboxUpdates.Messages {
			a.arrive(m.TransactionID)
		}
	}
}

// steadily sends to one connection after the other, at random, at the measured rate, and waits for the arrivals. The clock
// of each begins before it is sent.
func steadily(ctx context.Context, heard *arrivals, conns, rate int, send func(n int, name string) error) (load, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Minute, errNotAll)
	defer cancel()
	total := heard.left
	failures := make(chan error, total)
	pace := time.NewTicker(time.Second / time.Duration(rate))
	defer pace.Stop()
	began := time.Now()
	for i := range total {
		select {
		case <-pace.C:
		case <-ctx.Done():
			return load{}, context.Cause(ctx)
		}
		go func() {
			name := messageName(began, i)
			heard.expect(name)
			if err := send(rand.N(conns), name); err != nil {
				failures <- err
			}
		}()
	}
	select {
	case <-heard.all:
	case err := <-failures:
		return load{}, err
	case <-ctx.Done():
		return load{}, context.Cause(ctx)
	}
	heard.mu.Lock()
	defer heard.mu.Unlock()
	return newLoad(time.Since(began), heard.took), nil
}

// echoes measures the floor.
func echoes(ctx context.Context, url string) (load, error) {
	sockets, err := openAll(ctx, liveConns, func(int) (*websocket.Conn, error) { return dial(ctx, url+"/echo") })
	defer closeAll(sockets)
	if err != nil {
		return load{}, err
	}
	heard := newArrivals(liveRate * liveSeconds)
	for _, s := range sockets {
		go heard.listen(s)
	}
	writing := make([]sync.Mutex, liveConns)
	return steadily(ctx, heard, liveConns, liveRate, func(n int, name string) error {
		writing[n].Lock()
		defer writing[n].Unlock()
		return sockets[n].WriteMessage(websocket.TextMessage, []byte(name))
	})
}

// echo says again what it hears.
func echo(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, Subprotocols: dialer.Subprotocols}
	s, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered by Upgrade
	}
	defer func() { _ = s.Close() }()
	for {
		kind, text, err := s.ReadMessage()
		if err != nil || s.WriteMessage(kind, text) != nil {
			return
		}
	}
}
