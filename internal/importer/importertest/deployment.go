// Package importertest is a deployment of the documented API in memory, written from the API document, for the tests of what
// reads one or is a proxy in front of one.
package importertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Object is a JSON object.
type Object = map[string]any

// Deployment answers the documented routes that read, trigger and subscribe.
type Deployment struct {
	Key           string
	Workflows     []Object            // list items
	Endpoints     []Object            // channel endpoints
	Subscriptions map[string][]Object // list form, by subscriber
	Preferences   map[string]Object   // read response, by subscriber
	// Before may answer a request itself, or break it off by a panic with http.ErrAbortHandler; it reports whether it did.
	Before func(number int, w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	requests atomic.Int64
	mux      *http.ServeMux
	once     sync.Once
}

// New returns a deployment in which every one of people subscribes to the topic news, every tenth to sport as well, the second
// has preferences, and the first a channel endpoint of the integration team-chat. Another endpoint belongs to a subscriber who
// has nothing else and to an integration that is nowhere named.
func New(key string, people int) *Deployment {
	d := &Deployment{Key: key, Subscriptions: map[string][]Object{}, Preferences: map[string]Object{}}
	for _, name := range []string{"hello", "shipped", "lost"} {
		d.Workflows = append(d.Workflows, Object{"workflowId": name, "name": name, "status": "ACTIVE", "steps": []Object{}})
	}
	for i := range people {
		id := Person(i)
		d.Subscriptions[id] = []Object{Subscription("news", id)}
		if i%10 == 0 {
			d.Subscriptions[id] = append(d.Subscriptions[id], Subscription("sport", id))
		}
	}
	d.Endpoints = []Object{
		{"identifier": "slack-1", "subscriberId": Person(0), "integrationIdentifier": "team-chat", "channel": "chat", "providerId": "slack", "connectionIdentifier": nil, "contextKeys": []string{}, "type": "webhook", "endpoint": Object{"url": "https://hooks.slack.com/services/T1/B1/x"}},
		{"identifier": "slack-2", "subscriberId": "only-endpoint", "integrationIdentifier": "none-such", "channel": "chat", "providerId": "slack", "connectionIdentifier": nil, "contextKeys": []string{}, "type": "slack_user", "endpoint": Object{"userId": "U1"}},
	}
	channels := Object{"email": false, "sms": true, "in_app": true, "chat": true, "push": true}
	d.Preferences[Person(1)] = Object{
		"global": Object{"enabled": true, "channels": Object{"email": true, "sms": false, "in_app": true, "chat": true, "push": true}},
		"workflows": []Object{
			{"enabled": true, "channels": channels, "overrides": []Object{{"channel": "email", "source": "subscriber"}, {"channel": "chat", "source": "template"}, {"channel": "push", "source": "subscriber"}}, "workflow": Object{"identifier": "shipped"}},
			{"enabled": true, "channels": channels, "overrides": []Object{{"channel": "email", "source": "subscriber"}}, "workflow": Object{"identifier": "lost"}},
		},
	}
	return d
}

// Person is the subscriberId of the nth of a deployment's people, from 0.
func Person(n int) string { return fmt.Sprintf("u%03d", n) }

// Requests is how many requests came so far.
func (d *Deployment) Requests() int { return int(d.requests.Load()) }

// ServeHTTP answers a request.
func (d *Deployment) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.once.Do(d.routes)
	number := int(d.requests.Add(1))
	if d.Before != nil && d.Before(number, w, r) {
		return
	}
	if r.Header.Get("Authorization") != "ApiKey "+d.Key {
		answer(w, http.StatusUnauthorized, Object{"statusCode": http.StatusUnauthorized, "message": "Unauthorized"})
		return
	}
	d.mux.ServeHTTP(w, r)
}

func (d *Deployment) routes() {
	d.mux = http.NewServeMux()
	d.mux.HandleFunc("GET /v2/workflows", d.listWorkflows)
	d.mux.HandleFunc("GET /v1/channel-endpoints", func(w http.ResponseWriter, r *http.Request) { answerPage(w, r, d.Endpoints, "identifier") })
	d.mux.HandleFunc("GET /v2/subscribers/{subscriberId}/subscriptions", d.listSubscriptions)
	d.mux.HandleFunc("GET /v2/subscribers/{subscriberId}/preferences", d.readPreferences)
	d.mux.HandleFunc("POST /v1/events/trigger", d.trigger)
	d.mux.HandleFunc("POST /v1/events/trigger/broadcast", d.trigger)
	d.mux.HandleFunc("POST /v1/events/trigger/bulk", d.bulk)
	d.mux.HandleFunc("POST /v2/topics/{topicKey}/subscriptions", d.subscribe)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func number(r *http.Request, name string, otherwise int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

func (d *Deployment) listWorkflows(w http.ResponseWriter, r *http.Request) {
	from := min(number(r, "offset", 0), len(d.Workflows))
	to := min(from+number(r, "limit", 10), len(d.Workflows))
	answer(w, http.StatusOK, Object{"workflows": d.Workflows[from:to], "totalCount": len(d.Workflows)})
}

// answerPage answers with a page by cursor; the member by is the cursor of an item.
func answerPage(w http.ResponseWriter, r *http.Request, all []Object, by string) {
	from := 0
	if after := r.URL.Query().Get("after"); after != "" {
		from = slices.IndexFunc(all, func(o Object) bool { return o[by] == after }) + 1
	}
	to := min(from+min(number(r, "limit", 10), 100), len(all))
	page := Object{"data": append([]Object{}, all[from:to]...), "next": nil, "previous": nil, "totalCount": len(all), "totalCountCapped": false}
	if to < len(all) {
		page["next"] = all[to-1][by]
	}
	answer(w, http.StatusOK, page)
}

func (d *Deployment) listSubscriptions(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	list, known := d.Subscriptions[r.PathValue("subscriberId")]
	d.mu.Unlock()
	if !known {
		answer(w, http.StatusNotFound, Object{"statusCode": http.StatusNotFound, "message": "Subscriber not found"})
		return
	}
	answerPage(w, r, list, "identifier")
}

func (d *Deployment) readPreferences(w http.ResponseWriter, r *http.Request) {
	found, known := d.Preferences[r.PathValue("subscriberId")]
	if !known {
		on := Object{"email": true, "sms": true, "in_app": true, "chat": true, "push": true}
		found = Object{"global": Object{"enabled": true, "channels": on}, "workflows": []Object{}}
	}
	answer(w, http.StatusOK, found)
}

func (d *Deployment) outcome(event Object) Object {
	known := slices.ContainsFunc(d.Workflows, func(w Object) bool { return w["workflowId"] == event["name"] })
	if !known {
		return Object{"acknowledged": true, "status": "error", "error": []string{"workflow_not_found"}}
	}
	id := event["transactionId"]
	if id == nil {
		id = fmt.Sprintf("txn-%d", d.requests.Load())
	}
	return Object{"acknowledged": true, "status": "processed", "transactionId": id}
}

func (d *Deployment) trigger(w http.ResponseWriter, r *http.Request) {
	var event Object
	if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
		answer(w, http.StatusBadRequest, Object{"statusCode": http.StatusBadRequest, "message": "Bad Request"})
		return
	}
	answer(w, http.StatusCreated, d.outcome(event))
}

func (d *Deployment) bulk(w http.ResponseWriter, r *http.Request) {
	var body struct{ Events []Object }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		answer(w, http.StatusBadRequest, Object{"statusCode": http.StatusBadRequest, "message": "Bad Request"})
		return
	}
	outcomes := []Object{}
	for _, e := range body.Events {
		outcomes = append(outcomes, d.outcome(e))
	}
	answer(w, http.StatusCreated, outcomes)
}

func (d *Deployment) subscribe(w http.ResponseWriter, r *http.Request) {
	var body struct{ Subscriptions []string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		answer(w, http.StatusBadRequest, Object{"statusCode": http.StatusBadRequest, "message": "Bad Request"})
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	made := []Object{}
	for _, id := range body.Subscriptions {
		s := Subscription(r.PathValue("topicKey"), id)
		if d.Subscriptions == nil {
			d.Subscriptions = map[string][]Object{}
		}
		d.Subscriptions[id] = append(d.Subscriptions[id], s)
		full := Object{"updatedAt": s["createdAt"]}
		maps.Copy(full, s)
		made = append(made, full)
	}
	answer(w, http.StatusCreated, Object{"data": made, "meta": Object{"totalCount": len(made), "successful": len(made), "failed": 0}})
}

// Subscription is a subscription in the documented list form.
func Subscription(topic, subscriberID string) Object {
	return Object{
		"_id": "s-" + subscriberID, "identifier": "tk=" + topic + ":si=" + subscriberID,
		"topic":      Object{"_id": "t-" + topic, "key": topic, "name": "Topic " + topic},
		"subscriber": Object{"_id": "u-" + subscriberID, "subscriberId": subscriberID},
		"createdAt":  "2025-01-01T00:00:00.000Z",
	}
}
