package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

const (
	sendPeople    = 1000 // subscribers of the measured runs
	sendBroadcast = 20_000
	sendParallel  = 64 // calls at once, of Carillon's integration as of the floors
)

// sink is the other side: it takes whatever it is sent, counts, and keeps one of each for the floors to repeat.
type sink struct {
	url, smtp string
	received  atomic.Int64
	mu        sync.Mutex
	request   *http.Request // the last, with its body
	body      []byte
	mail      smtpsink.Mail
}

func (s *sink) hear(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.request, s.body = r, body
	s.mu.Unlock()
	s.received.Add(1)
	_, _ = io.WriteString(w, "{}")
}

// sending measures messages per second through each way out, beside what plain clients need for the same bytes to the same
// sink.
func (b *bench) sending(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &sink{}
	var lc net.ListenConfig
	web, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(s.hear), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(web) }()
	defer func() { _ = server.Close() }()
	mails, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	go func() {
		_ = smtpsink.Serve(ctx, mails, func(m smtpsink.Mail) {
			s.mu.Lock()
			s.mail = m
			s.mu.Unlock()
			s.received.Add(1)
		})
	}()
	s.url, s.smtp = "http://"+web.Addr().String()+"/hook", mails.Addr().String()
	b.hook = s.url

	if err := b.people(ctx, 0, sendPeople); err != nil {
		return err
	}
	host, port, _ := net.SplitHostPort(s.smtp)
	for _, way := range []struct {
		name, step string
		in         map[string]any
		floor      func(*sink) func(context.Context) func(context.Context) error
	}{
		{"email-webhook", "EMAIL", map[string]any{"webhookUrl": s.url, "secretKey": "k", "from": "a@shop.example"}, (*sink).poster},
		{"chat-webhook", "CHAT", map[string]any{"secretKey": "k"}, (*sink).poster},
		{"nodemailer", "EMAIL", map[string]any{"host": host, "port": port, "from": "a@shop.example", "ignoreTls": true}, (*sink).mailer},
	} {
		fmt.Fprintf(b.Progress, "  through %s\n", way.name)
		if err := b.wayOut(ctx, way.name, way.name, way.step, way.in); err != nil {
			return err
		}
		if err := b.oneWay(ctx, s, way.name, way.floor(s)); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.Progress, "  a broadcast of %d mails\n", sendBroadcast)
	return b.campaign(ctx, s, "nodemailer", s.mailer())
}

// oneWay measures messages through one way out, and clients that send the same.
func (b *bench) oneWay(ctx context.Context, s *sink, way string, worker func(context.Context) func(context.Context) error) error {
	repeats := max(1, b.Requests/sendPeople)
	// A short run first, so that cold caches and new connections do not count.
	if _, err := b.broadcast(ctx, s, way, sendPeople, 1); err != nil {
		return err
	}
	var plain, ledger []pair
	var cpu []time.Duration
	for range rounds {
		ours, err := b.broadcast(ctx, s, way, sendPeople, repeats)
		if err != nil {
			return err
		}
		alone, written, err := b.floors(ctx, repeats*sendPeople, worker)
		if err != nil {
			return err
		}
		plain, ledger, cpu = append(plain, pair{ours.rate, alone}), append(ledger, pair{ours.rate, written}), append(cpu, ours.cpu)
	}
	b.pairs("messages through "+way+", beside a plain client", plain, "")
	b.pairs("messages through "+way+", beside a client with a ledger", ledger, "1.0 at least")
	b.row("  CPU of 1,000", fmt.Sprintf("%d ms", medianOf(cpu, time.Duration.Milliseconds)), "", "", "")
	return nil
}

// campaign measures one large broadcast of mails beside a client that pipelines the same mails.
func (b *bench) campaign(ctx context.Context, s *sink, way string, worker func(context.Context) func(context.Context) error) error {
	if err := b.people(ctx, sendPeople, sendBroadcast); err != nil {
		return err
	}
	before, _, err := b.server.Memory()
	if err != nil {
		return err
	}
	var rates []pair
	var cpu []time.Duration
	for range rounds {
		large, err := b.broadcast(ctx, s, way, sendBroadcast, 1)
		if err != nil {
			return err
		}
		plain, err := parallel(ctx, sendBroadcast, worker)
		if err != nil {
			return err
		}
		rates, cpu = append(rates, pair{large.rate, plain}), append(cpu, large.cpu)
	}
	b.pairs(fmt.Sprintf("broadcast of %d mails", sendBroadcast), rates, "0.5 at least")
	b.row("  CPU of 1,000", fmt.Sprintf("%d ms", medianOf(cpu, time.Duration.Milliseconds)), "", "", "")
	_, peak, err := b.server.Memory()
	b.row("  memory before and at most", mebibytes(before)+", "+mebibytes(peak), "", "", "150 MiB at most")
	return err
}

// people makes subscribers with every address that the runs send to.
func (b *bench) people(ctx context.Context, from, to int) error {
	const chunk = 100
	for ; from < to; from += chunk {
		var list []any
		for n := from; n < min(from+chunk, to); n++ {
			list = append(list, map[string]any{"subscriberId": fmt.Sprintf("send-%d", n), "email": fmt.Sprintf("send-%d@customers.example", n)})
		}
		if _, err := b.api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{"name": "hello", "to": list, "payload": map[string]any{}}, nil); err != nil {
			return err
		}
	}
	return b.drained(ctx)
}

// wayOut makes one integration the only way of its channel, and a workflow through it.
func (b *bench) wayOut(ctx context.Context, name, provider, channel string, credentials map[string]any) error {
	in := map[string]any{"providerId": provider, "identifier": "bench-" + name, "credentials": credentials}
	step := map[string]any{"stepId": "step", "type": channel}
	if channel == "EMAIL" {
		in["primary"] = true
		step["email"] = map[string]any{"subject": "Order {{ payload.order }}", "html": "<p>Hello {{ subscriber.subscriberId }}, your parcel left our warehouse this morning.</p>"}
	} else {
		step["chat"] = map[string]any{"body": "Hello {{ subscriber.subscriberId }}, your parcel left our warehouse this morning."}
	}
	if err := b.api.GraphQL(ctx, `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, map[string]any{"input": in}, nil); err != nil {
		return fmt.Errorf("create integration %s: %w", provider, err)
	}
	err := b.api.GraphQL(ctx, createWorkflow, map[string]any{"input": map[string]any{
		"identifier": "bench-send-" + name, "name": name, "definition": map[string]any{"steps": []any{step}},
	}}, nil)
	if err != nil || channel != "CHAT" {
		return err
	}
	for n := range sendPeople {
		err := b.api.GraphQL(ctx, `mutation ($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`, map[string]any{"input": map[string]any{
			"subscriberId": fmt.Sprintf("send-%d", n), "providerId": provider, "integrationIdentifier": "bench-" + name,
			"credentials": map[string]any{"webhookUrl": b.hook},
		}}, nil)
		if err != nil {
			return fmt.Errorf("set a chat address: %w", err)
		}
	}
	return nil
}

// sent is what a run of sends came to.
type sent struct {
	rate float64
	cpu  time.Duration // of 1,000 messages, Carillon and its database
}

// broadcast sends to everybody, rounds times, until each message is received and its outcome is recorded.
func (b *bench) broadcast(ctx context.Context, s *sink, way string, people, rounds int) (sent, error) {
	s.received.Store(0)
	before, err := b.cpu(b.server.PID())
	if err != nil {
		return sent{}, err
	}
	began := time.Now()
	for range rounds {
		_, err := b.api.Do(ctx, "POST", "/v1/events/trigger/broadcast", map[string]any{"name": "bench-send-" + way, "payload": map[string]any{"order": 1}}, nil)
		if err != nil {
			return sent{}, err
		}
	}
	total := rounds * people
	err = client.Until(ctx, 5*time.Millisecond, func(ctx context.Context) (bool, error) {
		if int(s.received.Load()) < total {
			return false, nil
		}
		var open bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM messages WHERE due_at IS NOT NULL)`).Scan(&open)
		return !open, err
	})
	took := time.Since(began)
	if err != nil {
		return sent{}, fmt.Errorf("%d of %d messages arrived: %w", s.received.Load(), total, err)
	}
	after, err := b.cpu(b.server.PID())
	return sent{rate: float64(total) / took.Seconds(), cpu: (after - before) * 1000 / time.Duration(total)}, err
}
