package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/client"
)

// verify compares what the other side received with what was sent. What is on its way is waited for.
func (s *stage) verify(ctx context.Context, began time.Time) error {
	var got []delivery
	// A notification is final only once every provider has answered, so everything is there at the first look; a mail's
	// line may still be in the pipe.
	patience, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := client.Until(patience, pollEvery, func(ctx context.Context) (done bool, err error) {
		now, err := s.received(ctx)
		if err != nil {
			return false, err
		}
		got = now
		missing, _ := compare(s.wanted, got)
		return len(missing) == 0, nil
	})
	if err != nil && patience.Err() == nil {
		return err
	}
	missing, surplus := compare(s.wanted, got)
	s.table(got, missing)
	for _, d := range missing {
		s.print.line("missing     %-7s %s %q", d.channel, d.to, d.text)
	}
	for _, d := range surplus {
		s.print.line("unexpected  %-7s %s %q", d.channel, d.to, d.text)
	}
	if len(missing)+len(surplus) > 0 {
		return ErrIncomplete
	}
	s.print.title(fmt.Sprintf("Everything arrived: %d messages on five channels, %s from the first trigger.", len(got), short(time.Since(began))))
	return nil
}

// received is what arrived at the SMTP server, the webhooks and the inboxes.
func (s *stage) received(ctx context.Context) (all []delivery, err error) {
	for _, m := range s.sink.Mails() {
		for _, to := range m.To {
			all = append(all, delivery{"email", to, m.Subject})
		}
	}
	for _, c := range s.hooks.Calls() {
		if c.Genuine {
			all = append(all, delivery{c.Channel, c.to(), c.Text()})
		}
	}
	for _, p := range cast() {
		var answer struct {
			Messages struct {
				Nodes []struct{ Content struct{ Text string } }
			}
		}
		if err := s.client.GraphQL(ctx, readInbox, object{"subscriber": p.id}, &answer); err != nil {
			return nil, fmt.Errorf("read the inbox of %s: %w", p.id, err)
		}
		for _, m := range answer.Messages.Nodes {
			all = append(all, delivery{"in-app", p.id, m.Content.Text})
		}
	}
	return all, nil
}

// to is what the call says of its recipient.
func (c Call) to() string {
	switch c.Channel {
	case "sms":
		to, _ := c.Body["to"].(string)
		return to
	case "push":
		if tokens, _ := c.Body["target"].([]any); len(tokens) == 1 {
			token, _ := tokens[0].(string)
			return token
		}
	}
	return ""
}

// compare finds what is wanted and not there, and what is there and not wanted, each as often as it occurs.
func compare(wanted, got []delivery) (missing, surplus []delivery) {
	open := map[delivery]int{}
	for _, d := range wanted {
		open[d]++
	}
	for _, d := range got {
		if open[d]--; open[d] < 0 {
			surplus = append(surplus, d)
		}
	}
	for _, d := range wanted {
		if open[d] > 0 {
			open[d]--
			missing = append(missing, d)
		}
	}
	return missing, surplus
}

func (s *stage) table(got, missing []delivery) {
	count := func(list []delivery, channel string) (n int) {
		for _, d := range list {
			if d.channel == channel {
				n++
			}
		}
		return n
	}
	s.print.title("What the other side received")
	s.print.line("%-7s  %8s  %8s", "channel", "expected", "received")
	for _, c := range [][2]string{
		{"in-app", "read back through GraphQL"},
		{"email", "by a real SMTP server"},
		{"sms", "by webhook"},
		{"chat", "by webhook, signature verified"},
		{"push", "by webhook, signature verified"},
	} {
		mark := "✓"
		if count(got, c[0]) != count(s.wanted, c[0]) || count(missing, c[0]) > 0 {
			mark = "✗"
		}
		s.print.line("%-7s  %8d  %8d  %s  %s", c[0], count(s.wanted, c[0]), count(got, c[0]), mark, c[1])
	}
}
