package prove

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/carillon/carillon/internal/client"
)

// reader follows one inbox over WebSocket, as a page does: it connects again when its connection ends and resumes behind the
// last sequence that it saw.
type reader struct {
	api        *client.Client
	subscriber string

	mu     sync.Mutex
	stream Stream
	begun  bool
}

// readers follow inboxes until ctx ends.
type readers struct {
	all   []*reader
	group sync.WaitGroup
}

func startReaders(ctx context.Context, api *client.Client) *readers {
	rs := &readers{}
	for _, who := range everybody() {
		r := &reader{api: api, subscriber: who, stream: Stream{Messages: map[string]bool{}}}
		rs.all = append(rs.all, r)
		rs.group.Go(func() {
			for ctx.Err() == nil {
				_ = r.follow(ctx) // a connection that ends is what is tried here
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		})
	}
	return rs
}

// begun reports whether every reader has its first update, from which on none may be missing.
func (rs *readers) begun() bool {
	for _, r := range rs.all {
		r.mu.Lock()
		begun := r.begun
		r.mu.Unlock()
		if !begun {
			return false
		}
	}
	return true
}

// streams are what was seen so far.
func (rs *readers) streams() map[string]Stream {
	all := map[string]Stream{}
	for _, r := range rs.all {
		r.mu.Lock()
		all[r.subscriber] = r.stream
		r.mu.Unlock()
	}
	return all
}

// readerFrame is what a reader receives.
type readerFrame struct {
	Type    string
	Payload json.RawMessage
}

type inboxUpdate struct {
	Sequence int64
	Messages []struct{ InternalID string }
}

func (r *reader) follow(ctx context.Context) error {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 5 * time.Second}
	socket, resp, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(r.api.URL, "http")+"/graphql", http.Header{})
	if err != nil {
		return fmt.Errorf("open an inbox: %w", err)
	}
	_ = resp.Body.Close()
	stop := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer stop()
	defer func() { _ = socket.Close() }()
	variables := object{"who": r.subscriber}
	r.mu.Lock()
	if r.begun {
		variables["after"] = r.stream.Sequence
	}
	r.mu.Unlock()
	subscribe := object{"id": "1", "type": "subscribe", "payload": object{
		"query":     `subscription($who: String!, $after: Int) { inboxUpdates(subscriberId: $who, after: $after) { sequence messages { internalId } } }`,
		"variables": variables,
	}}
	if err := socket.WriteJSON(object{"type": "connection_init", "payload": object{"Authorization": "ApiKey " + r.api.Key}}); err != nil {
		return fmt.Errorf("open an inbox: %w", err)
	}
	for {
		// The service pings every few seconds; a frozen one does not.
		_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
		var frame readerFrame
		if err := socket.ReadJSON(&frame); err != nil {
			return fmt.Errorf("follow an inbox: %w", err)
		}
		switch frame.Type {
		case "connection_ack":
			err = socket.WriteJSON(subscribe)
		case "ping":
			err = socket.WriteJSON(object{"type": "pong"})
		case "next":
			err = r.update(frame.Payload)
		case "error", "complete":
			err = fmt.Errorf("%s: %s", frame.Type, frame.Payload)
		}
		if err != nil {
			return fmt.Errorf("follow an inbox: %w", err)
		}
	}
}

// update takes in what a frame reports. The first update may hold the present sequence; later ones lie above the one before.
func (r *reader) update(payload json.RawMessage) error {
	var answer struct {
		Data *struct{ InboxUpdates *inboxUpdate }
	}
	if err := json.Unmarshal(payload, &answer); err != nil {
		return fmt.Errorf("read an update: %w", err)
	}
	if answer.Data == nil || answer.Data.InboxUpdates == nil {
		return fmt.Errorf("an update without data: %s", payload)
	}
	u := answer.Data.InboxUpdates
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun && u.Sequence <= r.stream.Sequence {
		r.stream.Repeated = append(r.stream.Repeated, u.Sequence)
	}
	r.begun, r.stream.Sequence = true, u.Sequence
	for _, m := range u.Messages {
		r.stream.Messages[m.InternalID] = true
	}
	return nil
}
