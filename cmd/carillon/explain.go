package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/carillon/carillon/internal/client"
)

type explainCommand struct {
	Event     string `arg:"" optional:"" help:"File with the body of a trigger, as POST /v1/events/trigger takes it; - or nothing: standard input."`
	URL       string `help:"URL of the running service." env:"CARILLON_URL" default:"http://127.0.0.1:8080"`
	Key       string `help:"API key of the environment." env:"CARILLON_API_KEY" required:""`
	Broadcast bool   `help:"Explain it as a broadcast."`
	JSON      bool   `help:"Print JSON."`
}

// Run explains what an event would do and prints it.
func (c explainCommand) Run(ctx context.Context) error {
	input := io.Reader(os.Stdin)
	if c.Event != "" && c.Event != "-" {
		file, err := os.Open(c.Event)
		if err != nil {
			return fmt.Errorf("read the event: %w", err)
		}
		defer func() { _ = file.Close() }()
		input = file
	}
	event, err := client.ReadEvent(input)
	if err != nil {
		return err
	}
	typed := client.EventInput(event, c.Broadcast)
	server := &client.Client{URL: c.URL, Key: c.Key}
	for after := any(nil); ; {
		page, err := askExplanation(ctx, server, typed, c.Broadcast, after)
		if err != nil {
			return err
		}
		if err := c.print(stdout, page, after == nil); err != nil {
			return err
		}
		if page.Next == nil {
			return nil
		}
		after = *page.Next
	}
}

func (c explainCommand) print(out io.Writer, x *explanation, first bool) error {
	if c.JSON {
		raw, err := json.MarshalIndent(x.raw, "", "  ")
		if err != nil {
			return fmt.Errorf("print: %w", err)
		}
		_, err = fmt.Fprintln(out, string(raw))
		return err
	}
	_, err := io.WriteString(out, x.text(first))
	return err
}

// explanation is what the service answers, as far as it is printed.
type explanation struct {
	Status     string
	Error      []string
	Repeated   bool
	Now        string
	Next       *string
	Invalid    []struct{ Path, Reason string }
	Recipients []explainedRecipient

	raw json.RawMessage
}

type explainedRecipient struct {
	SubscriberID     string
	Created, Reached bool
	Topics           []string
	Reason           *string
	Condition        *struct{ Text string }
	Status           string
	Steps            []explainedStep
}

type explainedStep struct {
	StepID, Type, Until, Channel, Detail, Chain, Variant *string
	Decision, At, Reason                                 string
	Reasons                                              []string
	Message                                              *struct {
		IntegrationIdentifier, ProviderID string
		To                                []string
		Subject, Title                    *string
		Content                           *struct{ Text, HTML string }
	}
}

func askExplanation(ctx context.Context, server *client.Client, event map[string]any, broadcast bool, after any) (*explanation, error) {
	field, kind := "explain", "TriggerEventInput"
	if broadcast {
		field, kind = "explainBroadcast", "BroadcastEventInput"
	}
	query := fmt.Sprintf(`query($in: %s!, $after: String) { %s(input: $in, after: $after) {
	status error transactionId repeated workflowId workflowVersionId now next invalid { path reason }
	recipients { subscriberId created topics reached reason condition { text } status
		steps { stepId type decision at until channel reason reasons detail chain variant
			message { integrationId integrationIdentifier providerId target to subject title avatar content { text html } data } } } } }`, kind, field)
	var answer map[string]json.RawMessage
	if err := server.GraphQL(ctx, query, map[string]any{"in": event, "after": after}, &answer); err != nil {
		return nil, err
	}
	x := &explanation{raw: answer[field]}
	if err := json.Unmarshal(x.raw, x); err != nil {
		return nil, fmt.Errorf("read the explanation: %w", err)
	}
	return x, nil
}

// text is the explanation as a tree for people. Only the first page has a head.
func (x *explanation) text(first bool) string {
	var b strings.Builder
	if first {
		fmt.Fprintf(&b, "%s at %s %s\n", x.Status, x.Now, strings.Join(x.Error, "; "))
		if x.Repeated {
			b.WriteString("nothing would happen: the transactionId was used before\n")
		}
		for _, i := range x.Invalid {
			fmt.Fprintf(&b, "dropped: %s: %s\n", i.Path, i.Reason)
		}
	}
	for _, r := range x.Recipients {
		r.print(&b)
	}
	return b.String()
}

func (r *explainedRecipient) print(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s: %s", r.SubscriberID, r.Status)
	if r.Created {
		b.WriteString(", would be created")
	}
	if len(r.Topics) > 0 {
		fmt.Fprintf(b, ", through %s", strings.Join(r.Topics, ", "))
	}
	if !r.Reached {
		fmt.Fprintf(b, ", not reached: %s", shown(r.Reason))
		if r.Condition != nil {
			b.WriteString("\n" + indent(r.Condition.Text, "    "))
		}
	}
	b.WriteString("\n")
	for i := range r.Steps {
		r.Steps[i].print(b)
	}
}

func (s *explainedStep) print(b *strings.Builder) {
	fmt.Fprintf(b, "  %s %s %s: %s", s.At, shown(s.StepID), s.Decision, strings.Join(s.Reasons, ", "))
	if s.Until != nil {
		fmt.Fprintf(b, " until %s", *s.Until)
	}
	if s.Detail != nil {
		fmt.Fprintf(b, " (%s)", *s.Detail)
	}
	b.WriteString("\n")
	if s.Chain != nil {
		b.WriteString(indent(*s.Chain, "      "))
	}
	if m := s.Message; m != nil {
		fmt.Fprintf(b, "      %s through %s (%s) to %s\n", strings.ToLower(shown(s.Channel)), m.IntegrationIdentifier, m.ProviderID, strings.Join(m.To, ", "))
		for _, text := range []*string{m.Subject, m.Title} {
			if text != nil {
				fmt.Fprintf(b, "      %q\n", *text)
			}
		}
		if m.Content != nil {
			b.WriteString(indent(m.Content.Text, "      | "))
		}
	}
}

func shown(s *string) string {
	if s == nil {
		return "run"
	}
	return *s
}

// indent puts a prefix before every line.
func indent(text, prefix string) string {
	if text == "" {
		return ""
	}
	return prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix) + "\n"
}
