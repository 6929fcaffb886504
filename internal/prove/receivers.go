package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/mail"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

// manner is how providers treat messages.
type manner int32

const (
	takes   manner = iota
	refuses        // 500, or 451 for mail, and takes nothing
	hangs          // takes, keeps silent and resets the connection after hangFor
	resets         // takes, or not, and resets the connection
	manners
)

// hangFor is how long a provider that hangs keeps silent.
const hangFor = 3 * time.Second

func (m manner) String() string { return [...]string{"takes", "500", "time-out", "reset"}[m] }

// receivers are the providers of all channels but in-app, behind a network of their own.
type receivers struct {
	web, smtp *link
	manner    atomic.Int32

	server *http.Server
	stop   context.CancelFunc
	mu     sync.Mutex
	taken  []Call
}

func startReceivers(ctx context.Context) (*receivers, error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &receivers{stop: stop}
	var lc net.ListenConfig
	web, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, fmt.Errorf("listen for webhooks: %w", err)
	}
	mails, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, fmt.Errorf("listen for mail: %w", err)
	}
	r.server = &http.Server{Handler: http.HandlerFunc(r.hear), ReadHeaderTimeout: time.Minute}
	go func() { _ = r.server.Serve(web) }()
	go func() { _ = (&smtpsink.Sink{Deliver: r.mail}).Serve(ctx, mails) }()
	if r.web, err = newLink(ctx, "tcp", web.Addr().String()); err == nil {
		r.smtp, err = newLink(ctx, "tcp", mails.Addr().String())
	}
	return r, err
}

// Close ends the servers.
func (r *receivers) Close() {
	r.web.Close()
	r.smtp.Close()
	_ = r.server.Close()
	r.stop()
}

// Calls are the messages that were taken.
func (r *receivers) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Call(nil), r.taken...)
}

func (r *receivers) take(text, channel string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken = append(r.taken, Call{text, channel})
}

// hear receives the webhook of the channel that the path names.
func (r *receivers) hear(w http.ResponseWriter, req *http.Request) {
	var body struct{ Content string }
	raw, err := io.ReadAll(req.Body)
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil {
		return // the client was cut off: nothing was taken
	}
	channel := strings.TrimPrefix(req.URL.Path, "/")
	m := manner(r.manner.Load())
	switch m {
	case refuses:
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case resets:
		if rand.IntN(2) == 0 { //nolint:gosec // either is right
			r.take(body.Content, channel)
		}
		panic(http.ErrAbortHandler)
	}
	r.take(body.Content, channel)
	if m == hangs {
		select {
		case <-time.After(hangFor):
		case <-req.Context().Done():
		}
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"id":"taken"}`) // a client that left needs no answer
}

func (r *receivers) mail(m smtpsink.Mail) error {
	if now := manner(r.manner.Load()); now == refuses || now == resets {
		return smtpsink.Refuse(451, [3]int{4, 3, 0}, "out of order")
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Data))
	if err != nil {
		return fmt.Errorf("read a mail: %w", err)
	}
	r.take(parsed.Header.Get("Subject"), "email")
	return nil
}
