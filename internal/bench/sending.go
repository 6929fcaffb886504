package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
		if err := b.wayOut(ctx, way.name, way.step, way.in); err != nil {
			return err
		}
		rounds := max(1, b.Requests/sendPeople)
		// A short run first, so that cold caches and new connections do not count.
		if _, err := b.broadcast(ctx, s, way.name, sendPeople, 1); err != nil {
			return err
		}
		ours, err := b.broadcast(ctx, s, way.name, sendPeople, rounds)
		if err != nil {
			return err
		}
		plain, ledger, err := b.floors(ctx, rounds*sendPeople, way.floor(s))
		if err != nil {
			return err
		}
		b.row("messages through "+way.name+", beside a plain client", ours.String(), fmt.Sprintf("%.0f/s", plain), ratio(ours.rate, plain), "")
		b.row("messages through "+way.name+", beside a client with a ledger", fmt.Sprintf("%.0f/s", ours.rate), fmt.Sprintf("%.0f/s", ledger), ratio(ours.rate, ledger), "1.0 at least")
		if way.name != "nodemailer" {
			continue
		}
		if err := b.people(ctx, sendPeople, sendBroadcast); err != nil {
			return err
		}
		before, _, err := b.server.Memory()
		if err != nil {
			return err
		}
		large, err := b.broadcast(ctx, s, way.name, sendBroadcast, 1)
		if err != nil {
			return err
		}
		_, peak, err := b.server.Memory()
		b.row(fmt.Sprintf("broadcast of %d mails", sendBroadcast), large.String(), fmt.Sprintf("%.0f/s", plain), ratio(large.rate, plain), "0.4 at least")
		b.row("memory before and at most", mebibytes(before)+", "+mebibytes(peak), "", "", "")
		if err != nil {
			return err
		}
	}
	return nil
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
func (b *bench) wayOut(ctx context.Context, provider, channel string, credentials map[string]any) error {
	in := map[string]any{"providerId": provider, "identifier": "bench-" + provider, "credentials": credentials}
	step := map[string]any{"stepId": "step", "type": channel}
	if channel == "EMAIL" {
		in["primary"] = true
		step["email"] = map[string]any{"subject": "Order {{ payload.order }}", "html": "<p>Hello {{ subscriber.subscriberId }}, your parcel left our warehouse this morning.</p>"}
	} else {
		step["chat"] = map[string]any{"body": "Hello {{ subscriber.subscriberId }}, your parcel left our warehouse this morning."}
	}
	if err := b.api.GraphQL(ctx, `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }`, map[string]any{"input": in}, nil); err != nil {
		return fmt.Errorf("create integration %s: %w", provider, err)
	}
	err := b.api.GraphQL(ctx, createWorkflow, map[string]any{"input": map[string]any{
		"identifier": "bench-send-" + provider, "name": provider, "definition": map[string]any{"steps": []any{step}},
	}}, nil)
	if err != nil || channel != "CHAT" {
		return err
	}
	for n := range sendPeople {
		err := b.api.GraphQL(ctx, `mutation ($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { id } }`, map[string]any{"input": map[string]any{
			"subscriberId": fmt.Sprintf("send-%d", n), "providerId": provider, "integrationIdentifier": "bench-" + provider,
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

// String is the figure of the table.
func (s sent) String() string {
	return fmt.Sprintf("%.0f/s, CPU of 1,000: %d ms", s.rate, s.cpu.Milliseconds())
}

// broadcast sends to everybody, rounds times, until each message is received and its outcome is recorded.
func (b *bench) broadcast(ctx context.Context, s *sink, way string, people, rounds int) (sent, error) {
	s.received.Store(0)
	before, err := b.cpu()
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
	after, err := b.cpu()
	return sent{rate: float64(total) / took.Seconds(), cpu: (after - before) * 1000 / time.Duration(total)}, err
}

// cpu is the time that Carillon and its database have computed so far.
func (b *bench) cpu() (all time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join(b.dir, "postgres", "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("find the database: %w", err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, fmt.Errorf("look at processes: %w", err)
	}
	for _, name := range stats {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it ended
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		fields := strings.Fields(rest)
		pid := filepath.Base(filepath.Dir(name))
		if len(fields) < 15 || pid != first && fields[1] != first && pid != strconv.Itoa(b.server.PID()) {
			continue
		}
		for _, at := range []int{11, 12, 13, 14} { // user, system, and those of children that ended
			ticks, _ := strconv.ParseInt(fields[at], 10, 64)
			all += time.Duration(ticks) * (time.Second / 100)
		}
	}
	return all, nil
}
