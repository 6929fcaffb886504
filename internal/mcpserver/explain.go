package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

var explainNotification = readOnly("explain_notification", "Explain a notification",
	"Says why a notification was sent, waits, was skipped or failed: every decision of its run with the reason, and the messages with each attempt's outcome and error. Pass notificationId, or the transactionId of the trigger with the subscriberId.")

type explainNotificationArguments struct {
	NotificationID string `json:"notificationId,omitempty" jsonschema:"id of the notification, as list_notifications returns it"`
	TransactionID  string `json:"transactionId,omitempty" jsonschema:"transactionId of the trigger; with subscriberId, in place of notificationId"`
	SubscriberID   string `json:"subscriberId,omitempty" jsonschema:"the operator's identifier of the subscriber; with transactionId"`
}

const notificationFields = `fragment explained on Notification {
	id transactionId status dueAt finishedAt failures createdAt workflow { identifier name } subscriber { subscriberId }
	trace { at count stepId channel reason reasons detail attempt until integration { identifier } }
	messages(first: 20) { pageInfo { hasNextPage } nodes { id stepId channel status providerId integration { identifier } subject email phone
		errorId errorText receipt receiptAt attemptCount dueAt createdAt
		attempts(last: 5) { nodes { number outcome finishedAt httpStatus code errorText class duplicatePossible } }
		receipts(last: 5) { nodes { kind occurredAt permanent recipient detail } } } } }`

// explainedNotification is what a notification's text is made from.
type explainedNotification struct {
	ID, TransactionID, Status string
	CreatedAt                 time.Time
	DueAt                     *time.Time
	Workflow                  *struct{ Identifier string }
	Subscriber                *struct{ SubscriberID string }
	Trace                     []traceEntry
	TraceLeftOut              int
	Messages                  struct {
		PageInfo struct{ HasNextPage bool }
		Nodes    []explainedMessage
	}
}

type traceEntry struct {
	At              time.Time
	Count           int
	StepID, Channel *string
	Reason          string
	Reasons         []string
	Detail          *string
	Attempt         *int
	Until           *time.Time
	Integration     *struct{ Identifier string }
}

type explainedMessage struct {
	StepID, Channel, Status     string
	ProviderID, Email, Phone    *string
	ErrorID, ErrorText, Receipt *string
	DueAt                       *time.Time
	Integration                 *struct{ Identifier string }
	Attempts                    struct{ Nodes []explainedAttempt }
	Receipts                    struct {
		Nodes []struct{ Kind, Recipient, Detail string }
	}
}

type explainedAttempt struct {
	Number                 int
	Outcome                string
	FinishedAt             *time.Time
	HTTPStatus             *int
	Code, ErrorText, Class *string
	DuplicatePossible      bool
}

func (s *service) explainNotification(ctx context.Context, in explainNotificationArguments) (*result, error) {
	found, err := s.findNotification(ctx, in)
	if err != nil {
		return nil, err
	}
	for {
		raw, err := json.Marshal(found)
		if err != nil {
			return nil, fmt.Errorf("read the notification: %w", err)
		}
		var n explainedNotification
		if err := json.Unmarshal(raw, &n); err != nil {
			return nil, fmt.Errorf("read the notification: %w", err)
		}
		text := n.text()
		if len(raw)+len(text) <= maxResult || !halve(found) {
			return &result{data: found, text: text}, nil
		}
	}
}

// halve leaves out half of what fills most of a notification that is too long to return: its last messages or the beginning of
// its trace. It reports whether there was any left to leave out.
func halve(found object) bool {
	trace, _ := found["trace"].([]any)
	connection, _ := found["messages"].(object)
	nodes, _ := connection["nodes"].([]any)
	switch {
	case len(nodes) > 1 && jsonSize(nodes) >= jsonSize(trace):
		connection["nodes"] = nodes[:len(nodes)/2]
		connection["pageInfo"] = object{"hasNextPage": true}
	case len(trace) > 1:
		left, _ := found["traceLeftOut"].(int)
		found["traceLeftOut"] = left + len(trace)/2
		found["trace"] = trace[len(trace)/2:]
	default:
		return false
	}
	return true
}

// jsonSize is how long a value is as JSON.
func jsonSize(value any) int {
	raw, _ := json.Marshal(value) //nolint:errchkjson // it came as JSON
	return len(raw)
}

func (s *service) findNotification(ctx context.Context, in explainNotificationArguments) (object, error) {
	if in.NotificationID != "" {
		data, err := s.ask(ctx, `query($id: ID!) { notification(id: $id) { ...explained } } `+notificationFields, object{"id": in.NotificationID})
		found, _ := data["notification"].(object)
		return found, err
	}
	if in.TransactionID == "" || in.SubscriberID == "" {
		return nil, errors.New("notificationId: is missing; pass it, or transactionId and subscriberId")
	}
	data, err := s.ask(ctx, `query($filter: NotificationFilter) { notifications(first: 1, filter: $filter) { nodes { ...explained } } } `+notificationFields,
		object{"filter": object{"transactionId": in.TransactionID, "subscriberId": in.SubscriberID}})
	if err != nil {
		return nil, err
	}
	if nodes, _ := page(data["notifications"])["items"].([]any); len(nodes) > 0 {
		found, _ := nodes[0].(object)
		return found, nil
	}
	return nil, fmt.Errorf("transactionId: subscriber %s has no notification of it. list_notifications with the transactionId shows whom it reached; explain_trigger says why a subscriber is not reached", in.SubscriberID)
}

// text is a notification for people: its state, its trace, and its messages with their attempts.
func (n *explainedNotification) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Notification %s is %s", n.ID, n.Status)
	if n.Workflow != nil {
		fmt.Fprintf(&b, ", workflow %s", n.Workflow.Identifier)
	}
	if n.Subscriber != nil {
		fmt.Fprintf(&b, ", subscriber %s", n.Subscriber.SubscriberID)
	}
	fmt.Fprintf(&b, ", transactionId %s, created %s", n.TransactionID, n.CreatedAt.Format(time.RFC3339))
	if n.DueAt != nil {
		fmt.Fprintf(&b, ", continues %s", n.DueAt.Format(time.RFC3339))
	}
	b.WriteString("\n\nTrace:\n")
	if n.TraceLeftOut > 0 {
		fmt.Fprintf(&b, "  %d earlier decisions are left out\n", n.TraceLeftOut)
	}
	for i := range n.Trace {
		n.Trace[i].print(&b)
	}
	b.WriteString("\nMessages:\n")
	for i := range n.Messages.Nodes {
		n.Messages.Nodes[i].print(&b)
	}
	switch {
	case len(n.Messages.Nodes) == 0:
		b.WriteString("  none\n")
	case n.Messages.PageInfo.HasNextPage:
		b.WriteString("  and more: list_messages with the notificationId\n")
	}
	return b.String()
}

func (e *traceEntry) print(b *strings.Builder) {
	step := "run"
	if e.StepID != nil {
		step = *e.StepID
	}
	reasons := e.Reason
	if len(e.Reasons) > 0 {
		reasons = strings.Join(e.Reasons, ", ")
	}
	fmt.Fprintf(b, "  %s %s: %s", e.At.Format(time.RFC3339), step, reasons)
	if e.Channel != nil {
		fmt.Fprintf(b, ", channel %s", *e.Channel)
	}
	if e.Integration != nil {
		fmt.Fprintf(b, ", integration %s", e.Integration.Identifier)
	}
	if e.Attempt != nil {
		fmt.Fprintf(b, ", attempt %d", *e.Attempt)
	}
	if e.Until != nil {
		fmt.Fprintf(b, ", until %s", e.Until.Format(time.RFC3339))
	}
	if e.Count > 1 {
		fmt.Fprintf(b, ", %d times", e.Count)
	}
	if e.Detail != nil && *e.Detail != "" {
		fmt.Fprintf(b, ": %s", *e.Detail)
	}
	b.WriteString("\n")
}

func (m *explainedMessage) print(b *strings.Builder) {
	fmt.Fprintf(b, "  %s %s: %s", m.StepID, m.Channel, m.Status)
	if m.Integration != nil {
		fmt.Fprintf(b, " through %s", m.Integration.Identifier)
	}
	for _, address := range []*string{m.Email, m.Phone} {
		if address != nil && *address != "" {
			fmt.Fprintf(b, " to %s", *address)
		}
	}
	for _, text := range []*string{m.ErrorID, m.ErrorText, m.Receipt} {
		if text != nil && *text != "" {
			fmt.Fprintf(b, ", %s", *text)
		}
	}
	if m.DueAt != nil {
		fmt.Fprintf(b, ", next attempt %s", m.DueAt.Format(time.RFC3339))
	}
	b.WriteString("\n")
	for i := range m.Attempts.Nodes {
		m.Attempts.Nodes[i].print(b)
	}
	for _, r := range m.Receipts.Nodes {
		b.WriteString("    receipt " + r.Kind)
		if r.Recipient != "" {
			b.WriteString(" of " + r.Recipient) // a copy's, perhaps, which says nothing of the message
		}
		fmt.Fprintf(b, " %s\n", r.Detail)
	}
}

func (a *explainedAttempt) print(b *strings.Builder) {
	fmt.Fprintf(b, "    attempt %d %s", a.Number, a.Outcome)
	if a.FinishedAt != nil {
		fmt.Fprintf(b, " at %s", a.FinishedAt.Format(time.RFC3339))
	}
	if a.HTTPStatus != nil {
		fmt.Fprintf(b, ", status %d", *a.HTTPStatus)
	}
	for _, text := range []*string{a.Class, a.Code, a.ErrorText} {
		if text != nil && *text != "" {
			fmt.Fprintf(b, ", %s", *text)
		}
	}
	if a.DuplicatePossible {
		b.WriteString(", may have arrived twice")
	}
	b.WriteString("\n")
}
