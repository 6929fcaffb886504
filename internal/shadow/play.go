package shadow

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/client"
)

// route says how a documented route is played.
type route struct {
	method, pattern string
	// play plays a call and returns the status and the body that Carillon answers.
	play func(ctx context.Context, s *Shadow, c *call, body []byte) (status int, answer any, err error)
}

// routes are those that are played: the documented ones, except those that name records by the deployment's own ids. Triggers
// are explained, which runs the whole way of an event in a transaction that cannot write: nothing is stored, sent or called.
// The other writes are carried out: they send nothing.
var routes = []route{
	{"GET", "/v1/channel-endpoints", forward},
	{"GET", "/v1/channel-endpoints/{identifier}", forward},
	{"GET", "/v2/subscribers/{subscriberId}/subscriptions", forward},
	{"PATCH", "/v2/topics/{topicKey}/subscriptions/{identifier}", forward},
	{"POST", "/v2/topics/{topicKey}/subscriptions", forward},
	{"DELETE", "/v2/topics/{topicKey}/subscriptions", forward},
	{"PATCH", "/v2/subscribers/{subscriberId}/preferences/bulk", forward},
	{"GET", "/v2/subscribers/{subscriberId}/preferences", forward},
	{"GET", "/v2/workflows", forward},
	{"POST", "/v1/events/trigger", explainOne(false, http.StatusCreated)},
	{"POST", "/v1/events/trigger/broadcast", explainOne(true, http.StatusOK)},
	{"POST", "/v1/events/trigger/bulk", explainBulk},
}

// routeOf is the route of a call.
func routeOf(c *call) *route {
	for i := range routes {
		if routes[i].method == c.method && matches(routes[i].pattern, c.path) {
			return &routes[i]
		}
	}
	return nil
}

func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(strings.TrimSuffix(path, "/"), "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

// play plays a call and compares the answers.
func (s *Shadow) play(ctx context.Context, c *call) {
	r := routeOf(c)
	switch {
	case r == nil:
		s.results.skip("not documented, or it names records by the deployment's own ids")
		return
	case c.query.Has("after") || c.query.Has("before"):
		s.results.skip("its cursor is an id of the deployment")
		return
	case c.status == http.StatusTooManyRequests || c.status == http.StatusUnauthorized || c.status >= http.StatusInternalServerError:
		s.results.skip("the deployment was limited, refused the key, or failed")
		return
	}
	body, err := c.body.content()
	var raw []byte
	if err == nil {
		raw, err = c.unpacked(s.cfg.MaxBody)
	}
	if err != nil {
		s.results.skip("a body is too large or cannot be read")
		return
	}
	status, answer, err := r.play(ctx, s, c, body)
	if err != nil {
		s.results.fail(r, err)
		return
	}
	s.results.compare(s.cfg.Log, r, c, raw, status, answer)
}

// unpacked is the body of the deployment's answer.
func (c *call) unpacked(most int64) ([]byte, error) {
	raw, err := c.answered.content()
	if err != nil || c.header.Get("Content-Encoding") != "gzip" {
		return raw, err
	}
	in, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("unpack the answer: %w", err)
	}
	if raw, err = io.ReadAll(io.LimitReader(in, most+1)); err == nil && int64(len(raw)) > most {
		err = errors.New("the unpacked answer is too large")
	}
	return raw, err
}

// forward sends a call to the same route of Carillon.
func forward(ctx context.Context, s *Shadow, c *call, body []byte) (status int, answer any, err error) {
	target := c.path
	if len(c.query) > 0 {
		target += "?" + c.query.Encode()
	}
	var given any
	if len(body) > 0 {
		given = json.RawMessage(body)
		if !json.Valid(body) {
			return 0, nil, errors.New("the body is no JSON")
		}
	}
	status, err = s.cfg.Here.Do(ctx, c.method, target, given, &answer)
	if status == 0 || status >= http.StatusInternalServerError {
		return 0, nil, err
	}
	return status, answer, nil // any other status is an answer, to compare
}

// explainOne plays a trigger or a broadcast.
func explainOne(broadcast bool, success int) func(context.Context, *Shadow, *call, []byte) (int, any, error) {
	return func(ctx context.Context, s *Shadow, c *call, body []byte) (int, any, error) {
		event, err := decodeObject(body)
		if err != nil {
			return 0, nil, err
		}
		answer, refused, err := s.explain(ctx, c, event, broadcast)
		if refused != 0 {
			return refused, answer, nil
		}
		return success, answer, err
	}
}

func explainBulk(ctx context.Context, s *Shadow, c *call, body []byte) (int, any, error) {
	all, err := decodeObject(body)
	if err != nil {
		return 0, nil, err
	}
	events, _ := all["events"].([]any)
	answers := []any{}
	for _, e := range events {
		event, _ := e.(map[string]any)
		answer, refused, err := s.explain(ctx, c, event, false)
		if err != nil {
			return 0, nil, err
		}
		if refused != 0 { // a wrong event of a bulk call is one of its results
			answer = map[string]any{"acknowledged": true, "status": "error", "error": []any{answer["message"]}}
		}
		if answer["status"] == "error" {
			answer["transactionId"] = event["transactionId"] // that of the caller, or none (decisions.md §12)
		}
		answers = append(answers, answer)
	}
	return http.StatusCreated, answers, nil
}

func decodeObject(body []byte) (object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	return object, nil
}

// refusals are the statuses of the REST API by the code of GraphQL.
var refusals = map[string]int{"VALIDATION": http.StatusUnprocessableEntity, "BAD_REQUEST": http.StatusBadRequest, "TOO_LARGE": http.StatusRequestEntityTooLarge}

// explain asks what a trigger would answer here. refused is the status of a call that would be refused, and answer says why.
func (s *Shadow) explain(ctx context.Context, c *call, event map[string]any, broadcast bool) (answer map[string]any, refused int, err error) {
	field, kind := "explain", "TriggerEventInput"
	if broadcast {
		field, kind = "explainBroadcast", "BroadcastEventInput"
	}
	query := fmt.Sprintf(`query($in: %s!) { found: %s(input: $in) { status error recipients { subscriberId created reached steps { decision channel } } } }`, kind, field)
	var out struct {
		Found struct {
			Status     string
			Error      []string
			Recipients []explained
		}
	}
	input := client.EventInput(event, broadcast)
	err = s.cfg.Here.GraphQL(ctx, query, map[string]any{"in": input}, &out)
	var wrong *client.Error
	if errors.As(err, &wrong) {
		if status := refusals[wrong.Code]; status != 0 {
			return map[string]any{"message": wrong.Error()}, status, nil
		}
	}
	if err != nil {
		return nil, 0, err
	}
	c.held = append(c.held, heldBy(out.Found.Recipients)...)
	if c.status/100 == 2 {
		if err := s.addRecipients(ctx, input, out.Found.Recipients); err != nil {
			return nil, 0, err
		}
	}
	answer = map[string]any{"acknowledged": true, "status": strings.ToLower(out.Found.Status), "transactionId": ""}
	if len(out.Found.Error) > 0 {
		answer["error"] = out.Found.Error
	}
	return answer, 0, nil
}

// explained is what would happen to one recipient.
type explained struct {
	SubscriberID     string
	Created, Reached bool
	Steps            []struct {
		Decision string
		Channel  *string
	}
}

// receiver is who would have received messages, on which channels.
type receiver struct {
	SubscriberID string   `json:"subscriberId"`
	Channels     []string `json:"channels"`
}

// heldBy are the messages that an event would have sent.
func heldBy(recipients []explained) (list []receiver) {
	for _, r := range recipients {
		one := receiver{SubscriberID: r.SubscriberID}
		for _, step := range r.Steps {
			if step.Decision == "SEND" && step.Channel != nil {
				one.Channels = append(one.Channels, strings.ToLower(*step.Channel))
			}
		}
		if one.Channels != nil {
			list = append(list, one)
		}
	}
	return list
}

// addRecipients creates the subscribers whom the event created there: explaining creates none, and later calls name them.
func (s *Shadow) addRecipients(ctx context.Context, input map[string]any, recipients []explained) error {
	profiles := map[any]map[string]any{}
	to, _ := input["to"].([]any)
	for _, one := range to {
		recipient, _ := one.(map[string]any)
		if profile, ok := recipient["subscriber"].(map[string]any); ok {
			profiles[profile["subscriberId"]] = profile
		}
	}
	for _, r := range recipients {
		if !r.Created {
			continue
		}
		in := map[string]any{"subscriberId": r.SubscriberID}
		maps.Copy(in, profiles[r.SubscriberID])
		delete(in, "channels") // no call that is played shows them
		err := s.cfg.Here.GraphQL(ctx, `mutation($in: CreateSubscriberInput!) { createSubscriber(input: $in) { subscriber { id } } }`, map[string]any{"in": in}, nil)
		var refused *client.Error
		if errors.As(err, &refused) && refused.Code == "ALREADY_EXISTS" {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}
