package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/client"
)

// run is a notification as GraphQL shows it.
type run struct {
	ID         string
	Status     string
	Subscriber struct{ SubscriberID string }
	Trace      []entry
}

// entry is one decision on a notification.
type entry struct {
	At      time.Time
	StepID  string
	Channel string
	Reason  string
	Detail  string
	Attempt int

	who string
}

// after is what follows the first n entries. Their order is kept where clocks of two processes contradict it.
func (r run) after(n int) []entry {
	list := r.Trace[min(n, len(r.Trace)):]
	for i := range list {
		list[i].who = r.Subscriber.SubscriberID
		if i > 0 && list[i].At.Before(list[i-1].At) {
			list[i].At = list[i-1].At
		}
	}
	return list
}

func (r run) final() bool { return r.Status != "PENDING" && r.Status != "WAITING" }

const pollEvery = 20 * time.Millisecond

// watch prints what happens to the transactions' notifications while it happens, until all of them are final.
func (s *stage) watch(ctx context.Context, scene scene, transactions []string, began time.Time) error {
	shown := map[string]int{} // entries by notification
	done := 0
	err := client.Until(ctx, pollEvery, func(ctx context.Context) (bool, error) {
		runs, err := s.runs(ctx, transactions)
		if err != nil {
			return false, err
		}
		done = 0
		var fresh []entry
		for _, r := range runs {
			fresh = append(fresh, r.after(shown[r.ID])...)
			shown[r.ID] = len(r.Trace)
			if r.final() {
				done++
			}
		}
		slices.SortStableFunc(fresh, func(a, b entry) int { return a.At.Compare(b.At) })
		for _, e := range fresh {
			s.print.entry(e, began)
		}
		return done == scene.notifications, nil
	})
	if err != nil {
		return fmt.Errorf("%d of %d notifications are done: %w", done, scene.notifications, err)
	}
	return nil
}

func (s *stage) runs(ctx context.Context, transactions []string) (all []run, err error) {
	for _, transaction := range transactions {
		var answer struct{ Notifications struct{ Nodes []run } }
		if err := s.client.GraphQL(ctx, readTraces, object{"transaction": transaction}, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Notifications.Nodes...)
	}
	return all, nil
}

// entry prints one decision: when, for whom, at which step, what, and why.
func (p *printer) entry(e entry, began time.Time) {
	text := words(e.Reason)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Attempt > 1 {
		text += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	p.line("%8s  %-5s %-7s  %s", since(began, e.At), e.who, cmp.Or(words(e.Channel), e.StepID, "·"), text)
}

// words is an enumeration's value as people read it.
func words(value string) string {
	if value == "IN_APP" {
		return "in-app"
	}
	return strings.ReplaceAll(strings.ToLower(value), "_", " ")
}

func since(began, at time.Time) string {
	return fmt.Sprintf("+%d ms", max(at.Sub(began).Milliseconds(), 0))
}
