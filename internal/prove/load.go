package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/client"
)

type object = map[string]any

const (
	people   = 8   // subscribers
	arrivals = 200 // subscribers whom an event names first
	bulkSize = 5
	callers  = 4 // that trigger at once
	// patience bounds every wait for what must come.
	patience = 3 * time.Minute
	topic    = "all"
	inApp    = "in_app"
)

func subscriber(n int) string { return fmt.Sprintf("person-%d", n) }

// newcomer is one who may be named for the first time.
func newcomer(r *rand.Rand) string { return fmt.Sprintf("newcomer-%d", r.IntN(arrivals)) }

func everybody() []string {
	all := make([]string, people)
	for n := range all {
		all[n] = subscriber(n)
	}
	return all
}

var allChannels = []string{inApp, "email", "sms", "chat", "push"}

// load triggers events at a rate, each again and again until it is acknowledged.
type load struct {
	api    *client.Client
	seed   uint64
	rate   int
	stop   chan struct{} // no new events once it is closed
	group  sync.WaitGroup
	next   atomic.Int64
	mu     sync.Mutex
	acked  []Acknowledged
	last   time.Time     // of the last acknowledgement
	pause  time.Duration // the longest time between two of them
	repeat atomic.Int64  // calls that were not acknowledged and sent again
	failed error
}

func startLoad(ctx context.Context, api *client.Client, seed uint64, rate int) *load {
	l := &load{api: api, seed: seed, rate: rate, stop: make(chan struct{}), last: time.Now()}
	for range callers {
		l.group.Go(func() { l.call(ctx) })
	}
	return l
}

// finish waits until every event that was begun is acknowledged.
func (l *load) finish() ([]Acknowledged, error) {
	close(l.stop)
	l.group.Wait()
	return l.acked, l.failed
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acked)
}

func (l *load) call(ctx context.Context) {
	pace := time.NewTicker(callers * time.Second / time.Duration(l.rate))
	defer pace.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-ctx.Done():
			return
		case <-pace.C:
		}
		n := int(l.next.Add(1))
		acked, err := l.insist(ctx, l.choose(n))
		l.mu.Lock()
		l.acked = append(l.acked, acked...)
		now := time.Now()
		l.last, l.pause = now, max(l.pause, now.Sub(l.last))
		l.failed = errors.Join(l.failed, err)
		l.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shot is one call of the API, and the events that it is for.
type shot struct {
	path  string
	key   string // Idempotency-Key; "": the events have a transactionId
	body  object
	heard []Acknowledged // nothing: the call changes an inbox, or a workflow
}

// choose is the n-th call, by the seed.
func (l *load) choose(n int) shot {
	r := rand.New(rand.NewPCG(l.seed, uint64(n))) //nolint:gosec // repeatable on purpose
	text, who := fmt.Sprintf("p-%d", n), subscriber(r.IntN(people))
	one := func(workflow string) shot { return single(workflow, text, who) }
	switch p := r.IntN(100); {
	case p < 30:
		return one("everything")
	case p < 42:
		return one("waiting")
	case p < 55:
		return one("digested")
	case p < 62:
		return one("throttled")
	case p < 68:
		return single("greeted", text, newcomer(r))
	case p < 76:
		s := one("everything")
		delete(s.body, "transactionId")
		s.key = "key-" + text
		return s
	case p < 84:
		return l.bulk(text, r)
	case p < 90:
		s := one("news")
		s.body["to"] = object{"type": "Topic", "topicKey": topic}
		s.heard[0].Subscribers = everybody()
		return s
	case p < 91:
		s := one("news")
		delete(s.body, "to")
		s.path += "/broadcast"
		s.heard[0].Subscribers = everybody()
		return s
	case p < 95:
		return republish(workflows()[r.IntN(len(workflows()))], text)
	}
	action := []string{"READ", "SEEN", "ARCHIVE"}[r.IntN(3)]
	return shot{path: "/graphql", body: object{
		"query":     `mutation($input: MarkAllMessagesInput!) { markAllMessages(input: $input) { markedCount } }`,
		"variables": object{"input": object{"subscriberId": who, "action": action}},
	}}
}

// republish publishes another version of a workflow, which does the same.
func republish(w object, text string) shot {
	return shot{path: "/graphql", body: object{
		"query":     `mutation($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { workflow { id } } }`,
		"variables": object{"input": object{"id": w["identifier"], "description": text, "definition": w["definition"], "publish": true}},
	}}
}

// single is a call with one event for one subscriber. Who is greeted gets the address to which the mail goes with the event.
func single(workflow, text, who string) shot {
	a := Acknowledged{Text: text, Workflow: workflow, Subscribers: []string{who}, Channels: []string{inApp}}
	switch workflow {
	case "everything", "waiting":
		a.Channels = allChannels
	case "digested":
		a.Digest = true
	case "throttled":
		a.Throttled = true
	}
	var to any = who
	if workflow == "greeted" {
		a.Channels = []string{inApp, "email"}
		to = object{"subscriberId": who, "firstName": text, "email": who + "@customers.example"}
	}
	return shot{path: "/v1/events/trigger", heard: []Acknowledged{a}, body: object{
		"name": workflow, "to": to, "transactionId": "t-" + text, "payload": object{"text": text},
	}}
}

// bulk is a call with several events.
func (l *load) bulk(text string, r *rand.Rand) shot {
	all := shot{path: "/v1/events/trigger/bulk"}
	var events []object
	for i := range bulkSize {
		workflow, who := []string{"everything", "digested", "greeted"}[r.IntN(3)], subscriber(r.IntN(people))
		if workflow == "greeted" {
			who = newcomer(r)
		}
		one := single(workflow, fmt.Sprintf("%s-%d", text, i), who)
		events, all.heard = append(events, one.body), append(all.heard, one.heard...)
	}
	all.body = object{"events": events}
	return all
}

// insist sends a call until it is acknowledged.
func (l *load) insist(ctx context.Context, s shot) ([]Acknowledged, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("it was not acknowledged"))
	defer cancel()
	var last error
	err := client.Until(ctx, 50*time.Millisecond, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		retry, err := l.send(ctx, s)
		if retry {
			l.repeat.Add(1)
			last, err = err, nil
		}
		return !retry, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, errors.Join(err, last))
	}
	return s.heard, nil
}

// send sends a call once; err says why it is not acknowledged, and retry that it is to be sent again.
func (l *load) send(ctx context.Context, s shot) (retry bool, err error) {
	raw, err := json.Marshal(s.body)
	if err != nil {
		return false, fmt.Errorf("encode a call: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.api.URL+s.path, bytes.NewReader(raw))
	if err != nil {
		return false, fmt.Errorf("make a call: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "ApiKey "+l.api.Key)
	if s.key != "" {
		req.Header.Set("Idempotency-Key", s.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return true, err //nolint:wrapcheck // names the address
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return true, fmt.Errorf("read an answer: %w", err)
	}
	err = fmt.Errorf("status %d: %s", resp.StatusCode, answer)
	switch {
	case resp.StatusCode >= 500, resp.StatusCode == http.StatusConflict, resp.StatusCode == http.StatusTooManyRequests:
		return true, err
	case resp.StatusCode/100 != 2:
		return false, err
	case !processed(answer, len(s.heard)):
		return true, err
	}
	return false, nil
}

// processed reports whether an answer says that so many events were accepted.
func processed(answer []byte, events int) bool {
	type result struct{ Status string }
	var one struct {
		result
		Errors []any
	}
	if events == 0 {
		return json.Unmarshal(answer, &one) == nil && len(one.Errors) == 0
	}
	var several []result
	if json.Unmarshal(answer, &several) != nil {
		if json.Unmarshal(answer, &one) != nil {
			return false
		}
		several = []result{one.result}
	}
	for _, r := range several {
		if r.Status != "processed" {
			return false
		}
	}
	return len(several) == events
}
