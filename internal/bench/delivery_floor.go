package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// insert commits one INSERT of the request's bytes: the least that any service which keeps what it acknowledges must do.
func (f *floor) insert(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		_, err = f.db.Exec(r.Context(), `INSERT INTO bench_floor (body) VALUES ($1)`, body)
	}
	acknowledge(w, err)
}

func acknowledge(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, `{"acknowledged":true}`)
}

// webhook commits the request's bytes, posts them to the address that the request names, and commits the outcome.
func (f *floor) webhook(w http.ResponseWriter, r *http.Request) {
	acknowledge(w, f.relay(r))
}

func (f *floor) relay(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	var id int64
	if err := f.db.QueryRow(r.Context(), `INSERT INTO bench_floor (body) VALUES ($1) RETURNING id`, body).Scan(&id); err != nil {
		return fmt.Errorf("store the intent: %w", err)
	}
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, r.URL.Query().Get("hook"), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make the call: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := f.posts.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if _, err := f.db.Exec(r.Context(), `UPDATE bench_floor SET outcome = $2 WHERE id = $1`, id, resp.Status); err != nil {
		return fmt.Errorf("store the outcome: %w", err)
	}
	return nil
}

// floorSocket is an open front end of the floor.
type floorSocket struct {
	mu   sync.Mutex
	conn *websocket.Conn
}

// open keeps a front end until it leaves.
func (f *floor) open(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, Subprotocols: dialer.Subprotocols}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // answered by Upgrade
	}
	defer func() { _ = conn.Close() }()
	f.mu.Lock()
	f.sockets[r.PathValue("to")] = &floorSocket{conn: conn}
	f.mu.Unlock()
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			return
		}
	}
}

// push commits the request's bytes and tells the front end of its subscriber.
func (f *floor) push(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		_, err = f.db.Exec(r.Context(), `INSERT INTO bench_floor (body) VALUES ($1)`, body)
	}
	var said struct{ TransactionID string }
	if err == nil {
		err = json.Unmarshal(body, &said)
	}
	f.mu.Lock()
	to := f.sockets[r.PathValue("to")]
	f.mu.Unlock()
	if err == nil && to != nil {
		to.mu.Lock()
		err = to.conn.WriteMessage(websocket.TextMessage, []byte(said.TransactionID))
		to.mu.Unlock()
	}
	acknowledge(w, err)
}
