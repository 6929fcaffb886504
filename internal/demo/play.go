package demo

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// scene is one call to the API and what must come of it.
type scene struct {
	title, route  string
	body          any
	notifications int
	deliveries    []delivery
}

// delivery is one message as its recipient sees it. to is what the other side knows of the recipient: an address, a
// phone number, a device token, a subscriberId; chat knows no recipients.
type delivery struct{ channel, to, text string }

func scenes() []scene {
	const shipped, news = "Order 1042 is on its way", "We are closed on Monday"
	comment := func(author, name, text string) object {
		return object{
			"name": "comment-posted", "to": []object{{"type": "Topic", "topicKey": topic}},
			"actor":   author,
			"payload": object{"author": name, "text": text, "order": 1042},
		}
	}
	return []scene{
		{
			title: "An order leaves the house: ada hears of it on all five channels", route: "/v1/events/trigger",
			body: object{
				"name": "order-shipped", "to": "ada",
				"payload": object{"order": 1042, "items": 3, "carrier": "Pigeon Post"},
			},
			notifications: 1,
			deliveries: []delivery{
				{"in-app", "ada", "3 items, with Pigeon Post"},
				{"email", "ada@customers.example", shipped},
				{"sms", "+4930901820", shipped},
				{"chat", "", shipped},
				{"push", "ada-phone-1", shipped},
			},
		},
		{
			title: "Ada and ben comment on it: the followers hear of it, but not the author", route: "/v1/events/trigger/bulk",
			body: object{"events": []object{
				comment("ada", "Ada", "Where is it?"), comment("ben", "Ben", "In the attic."),
			}},
			notifications: 4,
			deliveries: []delivery{
				{"in-app", "ben", "Ada: Where is it?"},
				{"in-app", "cleo", "Ada: Where is it?"},
				{"in-app", "ada", "Ben: In the attic."},
				{"in-app", "cleo", "Ben: In the attic."},
				{"email", "ben@shop.example", "Ada wrote about order 1042"},
				{"email", "cleo@shop.example", "Ada wrote about order 1042"},
				{"email", "ada@customers.example", "Ben wrote about order 1042"},
				{"email", "cleo@shop.example", "Ben wrote about order 1042"},
			},
		},
		{
			title: "The shop notifies all customers", route: "/v1/events/trigger/broadcast",
			body:          object{"name": "announcement", "payload": object{"text": news}},
			notifications: 3,
			deliveries:    []delivery{{"in-app", "ada", news}, {"in-app", "ben", news}, {"in-app", "cleo", news}},
		},
	}
}

// play performs all scenes, one after another.
func (s *stage) play(ctx context.Context) error {
	script := scenes()
	for _, scene := range script {
		s.wanted = append(s.wanted, scene.deliveries...)
	}
	for _, scene := range script {
		s.print.title(scene.title)
		began := time.Now()
		transactions, err := s.trigger(ctx, scene)
		if err != nil {
			return err
		}
		s.print.line("%8s  POST %s is acknowledged", since(began, time.Now()), scene.route)
		if err := s.watch(ctx, scene, transactions, began); err != nil {
			return err
		}
	}
	return nil
}

type accepted struct {
	Status        string   `json:"status"`
	TransactionID string   `json:"transactionId"`
	Error         []string `json:"error"`
}

// trigger makes the call and returns the transactions that it began.
func (s *stage) trigger(ctx context.Context, scene scene) (transactions []string, err error) {
	var all []accepted
	if scene.route == "/v1/events/trigger/bulk" {
		_, err = s.client.Do(ctx, http.MethodPost, scene.route, scene.body, &all)
	} else {
		all = make([]accepted, 1)
		_, err = s.client.Do(ctx, http.MethodPost, scene.route, scene.body, &all[0])
	}
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.Status != "processed" {
			return nil, fmt.Errorf("POST %s: %s %v", scene.route, a.Status, a.Error)
		}
		transactions = append(transactions, a.TransactionID)
	}
	return transactions, nil
}
