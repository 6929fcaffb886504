package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"
)

const (
	routeConns  = 64
	routeRounds = 5
	bulkEvents  = 10
	manyItems   = 10 // subscriptions of a call that creates or deletes some
)

// route is one documented route under load.
type route struct {
	name  string
	write bool
	each  int // requests of a round
	// nth makes the n-th request; Carillon and the floor never get the same one.
	nth func(n int) request
	// restore is SQL that undoes what a round did; "": nothing needs it.
	restore string
}

func (r *route) goal() string {
	if r.write {
		return "0.6 at least"
	}
	return "0.7 at least"
}

func get(path string, args ...any) request {
	return request{method: http.MethodGet, path: fmt.Sprintf(path, args...)}
}

func call(method string, body any, path string, args ...any) request {
	raw, _ := json.Marshal(body)
	return request{method: method, path: fmt.Sprintf(path, args...), body: raw}
}

type object = map[string]any

// subscriberOf is the number of the subscriber that the n-th request is about, spread over all of them.
func (z routeSize) subscriberOf(n int) int { return n*7919%z.subscribers + 1 }

// routes are all fourteen, with a second form of the list that is most often narrowed.
func (b *bench) routes() []route {
	return []route{
		{name: "list channel endpoints of a subscriber", each: 1000, nth: func(n int) request {
			return get("/v1/channel-endpoints?subscriberId=s%d", b.size.subscriberOf(n))
		}},
		{name: "list channel endpoints of all", each: 150, nth: func(int) request { return get("/v1/channel-endpoints") }},
		{name: "retrieve a channel endpoint", each: 1200, nth: func(n int) request { return get("/v1/channel-endpoints/e%d", b.size.subscriberOf(n)) }},
		{name: "list subscriptions", each: 600, nth: func(n int) request { return get("/v2/subscribers/s%d/subscriptions", b.size.subscriberOf(n)) }},
		{name: "delete an integration", write: true, each: b.size.others * b.size.deleted, nth: func(n int) request {
			o := b.others[n%b.size.others]
			return request{method: http.MethodDelete, path: "/v1/integrations/" + o.integrations[n/b.size.others%b.size.deleted], key: o.key}
		}, restore: `UPDATE integrations SET deleted = false, active = true, deleted_at = NULL WHERE deleted`},
		{name: "update a subscription", write: true, each: 300, nth: func(n int) request {
			s := b.size.subscriberOf(n)
			return call(http.MethodPatch, object{"name": fmt.Sprintf("n%d", n), "preferences": []string{"route-1", "route-2"}},
				"/v2/topics/t%d/subscriptions/tk=t%[1]d:si=s%d", (s-1)%b.size.topics+1, s)
		}},
		{name: fmt.Sprintf("create %d subscriptions", manyItems), write: true, each: 300, nth: func(n int) request {
			items := make([]object, manyItems)
			for i := range items {
				items[i] = object{"subscriberId": fmt.Sprintf("s%d", b.size.subscriberOf(n*manyItems+i)), "identifier": fmt.Sprintf("bench-%d-%d", n, i)}
			}
			return call(http.MethodPost, object{"subscriptions": items}, "/v2/topics/t%d/subscriptions", n%b.size.topics+1)
		}},
		{name: fmt.Sprintf("delete %d subscriptions", manyItems), write: true, each: 300, nth: func(n int) request {
			subscribers := make([]string, manyItems) // those whose first subscription is of this topic
			for i := range subscribers {
				subscribers[i] = fmt.Sprintf("s%d", n%b.size.topics+b.size.topics*(i+n/b.size.topics%2*manyItems)+1)
			}
			return call(http.MethodDelete, object{"subscriptions": subscribers}, "/v2/topics/t%d/subscriptions", n%b.size.topics+1)
		}, restore: b.size.loadSubscriptions() + ` AND i % ` + fmt.Sprint(b.size.each) + ` = 0 ON CONFLICT DO NOTHING`},
		{name: "update 3 preferences", write: true, each: 300, nth: func(n int) request {
			wishes := make([]object, 3)
			for i := range wishes {
				wishes[i] = object{"workflowId": fmt.Sprintf("route-%d", i+1), "channels": object{"email": n%2 == 0}}
			}
			return call(http.MethodPatch, object{"preferences": wishes}, "/v2/subscribers/s%d/preferences/bulk", b.size.subscriberOf(n))
		}},
		{name: fmt.Sprintf("mark %d messages", b.size.each), write: true, each: 300, nth: func(n int) request {
			s := b.size.subscriberOf(n)
			ids := make([]string, b.size.each)
			for i := range ids {
				ids[i] = fmt.Sprintf("%x%016x", 1_700_000_000+kindMessage, (s-1)*b.size.each+i)
			}
			return call(http.MethodPost, object{"messageId": ids, "markAs": []string{"read", "unread"}[n/b.size.subscribers%2]}, "/v1/subscribers/s%d/messages/mark-as", s)
		}},
		{name: fmt.Sprintf("read preferences, %d workflows", b.size.workflows), each: 250, nth: func(n int) request {
			return get("/v2/subscribers/s%d/preferences", b.size.subscriberOf(n))
		}},
		{name: "list 50 workflows", each: 250, nth: func(int) request { return get("/v2/workflows") }},
		{name: "trigger", write: true, each: 1000, nth: func(n int) request {
			return request{method: http.MethodPost, path: "/v1/events/trigger", body: trigger("bench-quiet", n)}
		}},
		{name: "broadcast", write: true, each: 1000, nth: func(n int) request {
			return request{method: http.MethodPost, path: "/v1/events/trigger/broadcast", body: trigger("bench-quiet", n), key: b.others[0].key}
		}},
		{name: fmt.Sprintf("bulk of %d triggers", bulkEvents), write: true, each: 200, nth: func(n int) request {
			events := make([]json.RawMessage, bulkEvents)
			for i := range events {
				events[i] = trigger("bench-quiet", n*bulkEvents+i)
			}
			return call(http.MethodPost, object{"events": events}, "/v1/events/trigger/bulk")
		}},
	}
}

// documented measures every documented route beside its floor: the one best query for it behind a plain handler. Short
// rounds of both take turns, because other work on the machine would else be blamed on one of them; the ratio is the
// median of theirs.
func (b *bench) documented(ctx context.Context) error {
	if err := b.createRouteWorkflows(ctx); err != nil {
		return err
	}
	if err := b.createOthers(ctx); err != nil {
		return err
	}
	if err := b.loadRoutes(ctx); err != nil {
		return err
	}
	return b.withFloor(ctx, func(floorURL string, _ int) error {
		for _, r := range b.routes() {
			if b.Route != "" && !strings.Contains(r.name, b.Route) {
				continue
			}
			fmt.Fprintf(b.Progress, "  %s\n", r.name)
			if err := b.route(ctx, floorURL, &r); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
		return nil
	})
}

func (b *bench) route(ctx context.Context, floorURL string, r *route) error {
	if !r.write {
		if err := b.sameAnswer(ctx, floorURL, r.nth(0)); err != nil {
			return err
		}
	}
	var ours, floors []load
	n := 0
	run := func(url string, each int) (load, error) {
		if r.restore != "" {
			if _, err := b.db.Exec(ctx, r.restore); err != nil {
				return load{}, fmt.Errorf("restore: %w", err)
			}
		}
		from := n
		n += each
		l, err := send(ctx, url, routeConns, each, func(i int) request {
			req := r.nth(from + i)
			if req.key == "" {
				req.key = b.api.Key
			}
			return req
		})
		if err != nil {
			return l, err
		}
		return l, b.drained(ctx)
	}
	for round := range routeRounds + 1 {
		each := r.each
		if round == 0 { // neither shall pay for cold caches and new plans
			each = r.each/3 + 1
		}
		floor, err := run(floorURL, each)
		if err != nil {
			return err
		}
		our, err := run(b.api.URL, each)
		if err != nil {
			return err
		}
		if round > 0 {
			ours, floors = append(ours, our), append(floors, floor)
		}
	}
	b.row(r.name, rate(together(ours)), rate(together(floors)), medianRatio(ours, floors), r.goal())
	return nil
}

// medianRatio is the median of the rounds' ratios.
func medianRatio(ours, floors []load) string {
	all := make([]pair, len(ours))
	for i := range ours {
		all[i] = pair{ours[i].perSecond(), floors[i].perSecond()}
	}
	return fmt.Sprintf("%.2f", medianOf(all, func(p pair) float64 { return p.ours / p.floor }))
}

// sameAnswer makes sure that the floor of a read does the whole work.
func (b *bench) sameAnswer(ctx context.Context, floorURL string, r request) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r.key = b.api.Key
	var answers [2]any
	for i, url := range []string{b.api.URL, floorURL} {
		raw, err := sendOne(ctx, http.DefaultClient, url, r)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &answers[i]); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
	}
	if !reflect.DeepEqual(answers[0], answers[1]) {
		ours, _ := json.Marshal(answers[0])
		floor, _ := json.Marshal(answers[1])
		return fmt.Errorf("the floor answers otherwise:\n%s\n%s", ours, floor)
	}
	return nil
}
