package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/gorilla/websocket"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/client"
)

const (
	webhookConns = 64
	pushInboxes  = 200
	steadySecs   = 5 // of a round at a steady rate
)

// named is how a webhook says which trigger it is of.
var named = regexp.MustCompile(`live-\d+-\d+-message`)

// webhooks measures the time from a trigger to its webhook, at 64 connections and at a steady rate, beside a floor that
// commits an INSERT before and an UPDATE after each call. A run ends when each outcome is stored.
func (b *bench) webhooks(ctx context.Context) error {
	heard := newArrivals(0)
	hook, stop, err := listenTo(ctx, heard)
	if err != nil {
		return err
	}
	defer stop()
	if err := b.people(ctx, 0, sendPeople); err != nil {
		return err
	}
	if err := b.wayOut(ctx, "live", "email-webhook", "EMAIL", map[string]any{"webhookUrl": hook, "secretKey": "k", "from": "a@shop.example"}); err != nil {
		return err
	}
	body := func(n int, name string) []byte {
		raw, _ := json.Marshal(map[string]any{"name": "bench-send-live", "to": fmt.Sprintf("send-%d", n%sendPeople), "payload": map[string]any{"order": name, "text": filler}})
		return raw
	}
	return b.withFloor(ctx, func(floorURL string, pid int) error {
		ours, floor := b.api.URL+"/v1/events/trigger", floorURL+"/webhook?hook="+url.QueryEscape(hook)
		crowd := func(url, key string) func(context.Context, int) (load, error) {
			return func(ctx context.Context, total int) (load, error) { return b.crowd(ctx, heard, url, key, total, body) }
		}
		mine, plain, err := b.compare(ctx, b.Requests, side{[]int{b.server.PID()}, crowd(ours, b.api.Key)}, side{[]int{pid}, crowd(floor, "")})
		if err != nil {
			return err
		}
		b.compared(fmt.Sprintf("trigger to webhook, %d connections", webhookConns), mine, plain, b.Requests, false, "1.5 at least")
		total := steadySecs * b.Rate
		paced := func(url, key string) func(context.Context, int) (load, error) {
			return b.paced(heard, b.Rate, sendPeople, func(int) string { return url }, key, body)
		}
		mine, plain, err = b.compare(ctx, total, side{[]int{b.server.PID()}, paced(ours, b.api.Key)}, side{[]int{pid}, paced(floor, "")})
		if err != nil {
			return err
		}
		b.compared(fmt.Sprintf("trigger to webhook, %d/s", b.Rate), mine, plain, total, true, "2 times the floor at most")
		return nil
	})
}

// filler makes the body of a trigger about as long as that of others.
const filler = "Your parcel left our warehouse this morning and should be with you within two working days. Thank you for shopping with us."

// listenTo receives webhooks.
func listenTo(ctx context.Context, heard *arrivals) (address string, stop func(), err error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard.arrive(string(named.Find(body)))
		_, _ = io.WriteString(w, "{}")
	})}
	go func() { _ = server.Serve(ln) }()
	return "http://" + ln.Addr().String() + "/hook", func() { _ = server.Close() }, nil
}

// crowd sends triggers over many connections until all have arrived and their outcomes are stored.
func (b *bench) crowd(ctx context.Context, heard *arrivals, url, key string, total int, body func(n int, name string) []byte) (load, error) {
	heard.again(total)
	began := time.Now()
	_, err := post(ctx, url, key, webhookConns, total, func(n int) []byte {
		name := messageName(began, n)
		heard.expect(name)
		return body(n, name)
	})
	if err != nil {
		return load{}, err
	}
	l, err := heard.await(ctx)
	if err != nil {
		return load{}, err
	}
	err = b.settled(ctx)
	l.took = time.Since(began)
	return l, err
}

// paced sends triggers at a steady rate to each of so many recipients.
func (b *bench) paced(heard *arrivals, rate, recipients int, url func(n int) string, key string, body func(n int, name string) []byte) func(context.Context, int) (load, error) {
	caller := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: webhookConns, DisableCompression: true}}
	return func(ctx context.Context, total int) (load, error) {
		heard.again(total)
		l, err := steadily(ctx, heard, recipients, rate, func(n int, name string) error {
			_, err := sendOne(ctx, caller, url(n), request{method: http.MethodPost, path: "", key: key, body: body(n, name)})
			return err
		})
		if err != nil {
			return load{}, err
		}
		return l, b.settled(ctx)
	}
}

// settled waits until nothing is left to do or to send.
func (b *bench) settled(ctx context.Context) error {
	if err := b.drained(ctx); err != nil {
		return err
	}
	return client.Until(ctx, 5*time.Millisecond, func(ctx context.Context) (bool, error) {
		var open bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM messages WHERE due_at IS NOT NULL)`).Scan(&open)
		return !open, err
	})
}

// pushes measures the time from a trigger to the open inbox of its subscriber at a steady rate, beside a floor that commits
// an INSERT and then tells a socket.
func (b *bench) pushes(ctx context.Context) error {
	var rotated struct{ RotateInboxSecret struct{ InboxSecret string } }
	if err := b.api.GraphQL(ctx, `mutation { rotateInboxSecret { inboxSecret } }`, nil, &rotated); err != nil {
		return fmt.Errorf("make an inbox secret: %w", err)
	}
	heard := newArrivals(0)
	listening := func(s *websocket.Conn, err error) (*websocket.Conn, error) {
		if err == nil {
			go heard.listen(s)
		}
		return s, err
	}
	inboxes, err := openAll(ctx, pushInboxes, func(n int) (*websocket.Conn, error) {
		who := fmt.Sprintf("bench-%d", n)
		return listening(b.openInbox(ctx, auth.SubscriberCredential(b.environment, who, auth.SubscriberHash([]byte(rotated.RotateInboxSecret.InboxSecret), who))))
	})
	defer closeAll(inboxes)
	if err != nil {
		return err
	}
	return b.withFloor(ctx, func(floorURL string, pid int) error {
		sockets, err := openAll(ctx, pushInboxes, func(n int) (*websocket.Conn, error) {
			return listening(dial(ctx, fmt.Sprintf("%s/push/%d", floorURL, n)))
		})
		defer closeAll(sockets)
		if err != nil {
			return err
		}
		rate := 2 * b.Rate
		total := steadySecs * rate
		body := func(n int, name string) []byte {
			raw, _ := json.Marshal(map[string]any{"name": "bench-inbox", "to": fmt.Sprintf("bench-%d", n), "transactionId": name, "payload": map[string]any{"text": filler}})
			return raw
		}
		ours, floor, err := b.compare(ctx, total,
			side{[]int{b.server.PID()}, b.paced(heard, rate, pushInboxes, func(int) string { return b.api.URL + "/v1/events/trigger" }, b.api.Key, body)},
			side{[]int{pid}, b.paced(heard, rate, pushInboxes, func(n int) string { return fmt.Sprintf("%s/push/%d", floorURL, n) }, "", body)})
		if err != nil {
			return err
		}
		b.compared(fmt.Sprintf("trigger to open inbox, %d/s", rate), ours, floor, total, true, "2.5 times the floor at most")
		return nil
	})
}
