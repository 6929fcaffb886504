package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/stall"
)

// link is a connection with one subscription.
type link struct {
	update func() (inboxUpdate, error)
	cut    func()
}

func openSocket(ctx context.Context, p *child.Process, token string, after *int) (link, error) {
	s, err := dialSocket(ctx, p, token, after)
	if err != nil {
		return link{}, err
	}
	return link{s.update, func() { _ = s.conn.NetConn().Close() }}, nil
}

func openEvents(ctx context.Context, p *child.Process, token string, after *int) (link, error) {
	ctx, cancel := context.WithCancel(ctx)
	body, err := json.Marshal(object{"query": watchInbox, "variables": object{"after": after}})
	if err != nil {
		cancel()
		return link{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL()+"/graphql", bytes.NewReader(body))
	if err != nil {
		cancel()
		return link{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req) //nolint:bodyclose // closed with the link
	if err != nil {
		cancel()
		return link{}, err
	}
	lines := bufio.NewReader(resp.Body)
	return link{func() (inboxUpdate, error) {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return inboxUpdate{}, err
			}
			if data, ok := strings.CutPrefix(line, "data:"); ok {
				return parseUpdate([]byte(data))
			}
		}
	}, func() { cancel(); _ = resp.Body.Close() }}, nil
}

func parseUpdate(payload []byte) (inboxUpdate, error) {
	var answer struct {
		Data   *struct{ InboxUpdates inboxUpdate }
		Errors json.RawMessage
	}
	if err := json.Unmarshal(payload, &answer); err != nil {
		return inboxUpdate{}, err
	}
	if answer.Data == nil || answer.Errors != nil {
		return inboxUpdate{}, fmt.Errorf("the subscription failed: %s", payload)
	}
	return answer.Data.InboxUpdates, nil
}

// socket is a graphql-transport-ws client with one subscription.
type socket struct{ conn *websocket.Conn }

type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// dialSocket opens a connection with a subscriber token and subscribes after a sequence.
func dialSocket(ctx context.Context, p *child.Process, token string, after *int) (*socket, error) {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: stall.Limit(patience)}
	conn, resp, err := dialer.DialContext(ctx, "ws://"+p.Addr+"/graphql", nil)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	s := &socket{conn}
	if err := s.send("", "connection_init", object{"Authorization": "Bearer " + token}); err != nil {
		return nil, err
	}
	if f, err := s.read(); err != nil || f.Type != "connection_ack" {
		return nil, fmt.Errorf("%s in place of connection_ack: %w", f.Type, err)
	}
	return s, s.send("1", "subscribe", object{"query": watchInbox, "variables": object{"after": after}})
}

func (s *socket) send(id, kind string, payload any) error {
	raw, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return s.conn.WriteJSON(frame{id, kind, raw})
}

// read is the next frame that is not a ping.
func (s *socket) read() (f frame, err error) {
	for {
		if err := s.conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			return f, err
		}
		if err := s.conn.ReadJSON(&f); err != nil || f.Type != "ping" {
			return f, err
		}
		if err := s.send("", "pong", nil); err != nil {
			return f, err
		}
	}
}

func (s *socket) update() (inboxUpdate, error) {
	f, err := s.read()
	if err != nil {
		return inboxUpdate{}, err
	}
	if f.Type != "next" {
		return inboxUpdate{}, fmt.Errorf("%s in place of next: %s", f.Type, f.Payload)
	}
	return parseUpdate(f.Payload)
}
