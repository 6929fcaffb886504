package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/carillon/carillon/internal/client"
)

// trigger is the body of the n-th measured trigger: a payload of about 250 bytes for one recipient.
func trigger(workflow string, n int) []byte {
	body, _ := json.Marshal(map[string]any{
		"name": workflow,
		"to":   fmt.Sprintf("bench-%d", n%1000),
		"payload": map[string]any{
			"order": map[string]any{"id": n, "total": "129.90", "currency": "EUR"},
			"text":  "Your parcel left our warehouse this morning and should be with you within two working days. Thank you for shopping with us.",
			"url":   "https://shop.example/orders/" + fmt.Sprint(n),
		},
	})
	return body
}

// withFloor runs the floor's server as a process of its own, as Carillon is one, and gives its address and process id.
func (b *bench) withFloor(ctx context.Context, run func(url string, pid int) error) error {
	dsn := b.db.Config().ConnString()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	floor := exec.CommandContext(ctx, b.Binary, "bench-floor")
	floor.Env = append(os.Environ(), "CARILLON_BENCH_DSN="+dsn)
	address, err := floor.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	if err := floor.Start(); err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	defer func() { _ = floor.Wait() }()
	defer cancel()
	var url string
	if _, err := fmt.Fscanln(address, &url); err != nil {
		return fmt.Errorf("start the floor: %w", err)
	}
	return run(url, floor.Process.Pid)
}

// accept measures triggers and their in-app messages at one and at 64 connections, beside a floor that commits one INSERT of
// each request. A run ends when every message is stored.
func (b *bench) accept(ctx context.Context) error {
	return b.withFloor(ctx, func(floorURL string, pid int) error {
		body := func(i int) []byte { return trigger("bench-inbox", i) }
		for _, conns := range []int{1, 64} {
			accepted := measured{}
			total, goal := b.Requests, "1.5 at least; p99 of the floor at most"
			if conns == 1 {
				total, goal = total/8, ""
			}
			ours, floor, err := b.compare(ctx, total,
				side{[]int{b.server.PID()}, func(ctx context.Context, total int) (load, error) {
					began := time.Now()
					l, err := post(ctx, b.api.URL+"/v1/events/trigger", b.api.Key, conns, total, body)
					if err != nil {
						return load{}, err
					}
					accepted.loads = append(accepted.loads, l)
					err = b.drained(ctx)
					l.took = time.Since(began)
					return l, err
				}},
				side{[]int{pid}, func(ctx context.Context, total int) (load, error) {
					return post(ctx, floorURL, "", conns, total, body)
				}})
			if err != nil {
				return err
			}
			accepted.loads = accepted.loads[1:] // the first one was short
			b.row(fmt.Sprintf("triggers accepted, %d connections", conns), fmt.Sprintf("%.0f/s", accepted.perSecond()), fmt.Sprintf("%.0f/s", floor.perSecond()), medianRatio(accepted.loads, floor.loads), goal)
			b.compared("  until each is in its inbox", ours, floor, total, false, "")
		}
		var messages, events int
		err := b.db.QueryRow(ctx, `SELECT (SELECT count(*) FROM messages WHERE workflow_identifier = 'bench-inbox' AND status = 'sent'), (SELECT count(*) FROM events e JOIN workflows w ON w.id = e.workflow_id WHERE w.identifier = 'bench-inbox')`).Scan(&messages, &events)
		if err == nil && messages != events {
			err = fmt.Errorf("%d messages of %d events are stored", messages, events)
		}
		return err
	})
}

func rate(l load) string {
	return fmt.Sprintf("%.0f/s, p50 %.1f ms, p99 %.1f ms", l.perSecond(), milliseconds(l.p50), milliseconds(l.p99))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// drained waits until nothing is left to do.
func (b *bench) drained(ctx context.Context) error {
	return client.Until(ctx, 5*time.Millisecond, func(ctx context.Context) (bool, error) {
		var busy bool
		err := b.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM events WHERE due_at IS NOT NULL) OR EXISTS (SELECT FROM notifications WHERE due_at IS NOT NULL)`).Scan(&busy)
		return !busy, err
	})
}

// stored waits until nothing is left to do, and makes sure that a workflow has n messages in the inboxes.
func (b *bench) stored(ctx context.Context, workflow string, n int) error {
	if err := b.drained(ctx); err != nil {
		return err
	}
	var have int
	err := b.db.QueryRow(ctx, `SELECT count(*) FROM messages WHERE workflow_identifier = $1 AND status = 'sent'`, workflow).Scan(&have)
	if err == nil && have != n {
		err = fmt.Errorf("%d messages of %s are stored, not %d", have, workflow, n)
	}
	return err
}

// fanOut measures triggers to a topic until every message is stored, each beside COPY of the very same rows, without and with the
// indexes that Carillon's lists read.
func (b *bench) fanOut(ctx context.Context) error {
	var plain, alike []pair
	for n := range rounds + 1 {
		ours, floors, err := b.oneFanOut(ctx, n+1)
		if err != nil {
			return err
		}
		if n > 0 { // the first one fills caches
			plain, alike = append(plain, pair{ours, floors[keyed]}), append(alike, pair{ours, floors[indexed]})
		}
	}
	b.pairs(fmt.Sprintf("fan-out to %d of a topic, messages", b.Topic), plain, "0.7 at least")
	b.pairs("  beside COPY into the same indexes", alike, "")
	return nil
}

// oneFanOut measures the n-th fan-out and its floors in messages per second.
func (b *bench) oneFanOut(ctx context.Context, n int) (ours float64, floors map[twinOf]float64, err error) {
	began := time.Now()
	var answer struct {
		TransactionID string `json:"transactionId"`
	}
	_, err = b.api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{
		"name": "bench-topic", "to": map[string]any{"type": "Topic", "topicKey": "bench"}, "payload": map[string]any{"text": "hello"},
	}, &answer)
	if err != nil {
		return 0, nil, err
	}
	if err := b.stored(ctx, "bench-topic", n*b.Topic); err != nil {
		return 0, nil, err
	}
	ours, floors = float64(b.Topic)/time.Since(began).Seconds(), map[twinOf]float64{}
	for _, twins := range []twinOf{keyed, indexed} {
		_, took, err := copyFloor(ctx, b.db, twins, map[string]string{
			"notifications": "transaction_id = '" + answer.TransactionID + "'",
			"messages":      "transaction_id = '" + answer.TransactionID + "'",
			"inbox_states":  "subscriber_id IN (SELECT subscriber_id FROM messages WHERE transaction_id = '" + answer.TransactionID + "')",
		})
		if err != nil {
			return 0, nil, err
		}
		floors[twins] = float64(b.Topic) / took.Seconds()
	}
	return ours, floors, nil
}
