// Package provider owns the contract between the engine and the vendors: what a message, a target, a receipt and a
// failure are, the registry of providers as data, and what adapters share: requests and answers, access tokens, and the
// verification of reports. One package per channel holds one file per provider, with the adapter and the reader of its
// receipts; make generate lists them.
package provider

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Credentials are the decrypted settings of one integration, by the names of api.md (Credentials).
type Credentials map[string]any

// Message is one rendered message for one target, ready to be put on the wire.
type Message struct {
	ID            string // our message id: correlation and idempotency
	TransactionID string
	Workflow      string // trigger identifier
	StepID        string
	Attempt       int
	Channel       workflow.Channel
	Target        Target
	Content       Content
	Email         *Email         // set for e-mail
	Payload       map[string]any // the trigger's payload
	Subscriber    map[string]any // the subscriber as templates see it
	Step          map[string]any // the digest view: digest, events, total_count
	Overrides     map[string]any // overrides[providerId]: interpreted by the adapter
	Merge         map[string]any // overrides.providers[id] and .steps[..].providers[id], merged: deep-merged into the vendor's request
	SenderFrom    string         // sms: overridden sender
	CustomData    map[string]any
}

// Target is where one message goes. Which fields are set depends on the channel.
type Target struct {
	Email       string // e-mail address
	Phone       string // sms, whatsapp
	DeviceToken string // push
	// Chat: an endpoint, or a channel setting seen as an endpoint of type webhook (push-chat.md §0.3).
	EndpointType       workflow.EndpointType
	Endpoint           workflow.EndpointData
	EndpointIdentifier string
	ConnectionToken    string // decrypted access token of the linked connection
	Workspace          string // workspace id of the linked connection
	// Setting is the subscriber's channel setting that the target came from; empty for an endpoint.
	Setting workflow.ChannelCredentials
}

// Content is the rendered text. Title is the subject of in-app, push and e-mail.
type Content struct {
	Title string
	Body  string
	HTML  string
	Text  string
}

// Email holds what only e-mail has (email.md §0.2).
type Email struct {
	From, SenderName string
	To, CC, BCC      []string
	ReplyTo          string
	Headers          map[string]string
	Attachments      []Attachment
	IPPoolName       string
}

// Attachment is a file of an e-mail.
type Attachment struct {
	Name, MIME, CID, Disposition string
	File                         []byte
}

// Receipt is the provider's word that it took the message.
type Receipt struct {
	ID      string // the vendor's message id, as returned; its first 256 bytes are kept
	Date    time.Time
	Warning string // a complaint that did not stop it; the message's status becomes "warning"
	// Data holds what Recaller needs to delete the message, such as Slack's "ts"; nil: the vendor does not take it back. Never a secret.
	Data map[string]string
}

// Class says what a failed call means for the message.
type Class uint8

// The classes (semantics.md §9.1, email.md §0.5).
const (
	Permanent Class = iota // another try changes nothing
	Transient              // a later try may succeed
	Unknown                // the request may have been taken
	Fault                  // the integration itself is at fault (credentials, configuration): fail over, alert
)

// String names the class for logs and traces.
func (c Class) String() string { return [...]string{"permanent", "transient", "unknown", "fault"}[c] }

// Error is a failed call. Text is shown in traces: never a credential, never a full webhook URL.
type Error struct {
	Class      Class
	Status     int    // HTTP status or SMTP reply, 0 without one
	Code       string // the vendor's own code
	Text       string // the vendor's words, at most 500 characters
	RetryAfter time.Duration
	DropToken  bool // remove the device token from the subscriber
	// GoneSince is when the vendor saw the token to drop as dead; one that was given later is not meant. Zero: any is.
	GoneSince time.Time
	// OfTarget says that the failure lies with the message's target or its server, and shows nothing of the integration for others.
	OfTarget bool
	// BrokenConnection says that the access token of the linked channel connection no longer works.
	BrokenConnection bool
}

// ClassName names the class of a failed call; "" for none.
func (e *Error) ClassName() string {
	if e == nil {
		return ""
	}
	return e.Class.String()
}

// Adapter sends messages through one vendor with one integration's credentials. It is safe for concurrent use and makes
// exactly one attempt per call. The error is always an *Error.
type Adapter interface {
	Send(ctx context.Context, m *Message) (*Receipt, error)
}

// Recaller is an adapter of a vendor that deletes messages after it has delivered them.
type Recaller interface {
	// Recall deletes what m became; data is that of its receipt. One that is gone already is no error, so a call may be repeated.
	// The error is always an *Error.
	Recall(ctx context.Context, m *Message, data map[string]string) error
}

// Namer is an adapter that makes the id of a receipt out of the message's own, so that it is known before the call. Others take one of the
// provider's.
type Namer interface {
	// ReceiptID is the id of the receipt for a message, unless an override of the message changes it. Empty: not known.
	ReceiptID(messageID string) string
}

// TimeLimited is an adapter whose calls may take another time than Deps.Timeout.
type TimeLimited interface {
	// TimeLimit is how long the attempt for m may take in all.
	TimeLimit(m *Message) time.Duration
}
