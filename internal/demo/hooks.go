package demo

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Call is one request that a webhook received.
type Call struct {
	Channel string // sms, chat or push
	Genuine bool   // it bears the right signature, or for sms the right key
	Body    map[string]any
}

// Text is what the recipient would read.
func (c Call) Text() string {
	text, _ := c.Body["content"].(string)
	return text
}

// Hooks receives the webhooks of three channels over HTTP.
type Hooks struct {
	Addr   string // host:port
	Secret string // signs chat and push, and is the API key of sms

	prefix string // names the signature's header
	server *http.Server
	mu     sync.Mutex
	calls  []Call
}

// StartHooks listens on a free port of the loopback interface. prefix is the product's name in header names.
func StartHooks(ctx context.Context, secret, prefix string) (*Hooks, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for webhooks: %w", err)
	}
	h := &Hooks{Addr: ln.Addr().String(), Secret: secret, prefix: prefix}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sms", h.receive("sms", func(r *http.Request, _ []byte) bool { return r.Header.Get("X-Api-Key") == secret }))
	mux.HandleFunc("POST /chat", h.receive("chat", h.signed))
	mux.HandleFunc("POST /push", h.receive("push", h.signed))
	h.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = h.server.Serve(ln) }() // ends with Stop
	return h, nil
}

// URL is the address of one channel's webhook.
func (h *Hooks) URL(channel string) string { return "http://" + h.Addr + "/" + channel }

// Calls are the requests received so far.
func (h *Hooks) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Call(nil), h.calls...)
}

// Stop ends the server.
func (h *Hooks) Stop() { _ = h.server.Close() }

func (h *Hooks) receive(channel string, genuine func(*http.Request, []byte) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
		call := Call{Channel: channel}
		if err == nil {
			err = json.Unmarshal(raw, &call.Body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		call.Genuine = genuine(r, raw)
		h.mu.Lock()
		h.calls = append(h.calls, call)
		number := len(h.calls)
		h.mu.Unlock()
		if !call.Genuine {
			http.Error(w, "not signed with the right key", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"id":"%s-%d"}`, channel, number) // a client that left needs no answer
	}
}

// signed checks the signature as a receiver would: the lower-case hex of HMAC-SHA256 over the exact body.
func (h *Hooks) signed(r *http.Request, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(h.Secret))
	mac.Write(body)
	given := r.Header.Get("X-" + strings.ToUpper(h.prefix[:1]) + h.prefix[1:] + "-Signature")
	return hmac.Equal([]byte(given), []byte(hex.EncodeToString(mac.Sum(nil))))
}
