package state

import (
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Envelope is what sending needs beside the row's columns.
type Envelope struct {
	To             []string                    `json:"to,omitempty"`
	Copies         []string                    `json:"copies,omitempty"` // addresses of the mail's copies that To lacks, as receipts name them
	Mail           MailParts                   `json:"mail,omitzero"`
	Phone          string                      `json:"phone,omitempty"`
	DeviceToken    string                      `json:"deviceToken,omitempty"`
	RegisteredAt   time.Time                   `json:"registeredAt,omitzero"`
	SettingID      string                      `json:"settingId,omitempty"`
	EndpointType   workflow.EndpointType       `json:"endpointType,omitempty"`
	Endpoint       workflow.EndpointData       `json:"endpoint,omitzero"`
	EndpointID     string                      `json:"endpointId,omitempty"`
	ConnectionID   string                      `json:"connectionId,omitempty"`
	Setting        workflow.ChannelCredentials `json:"setting,omitzero"`
	Data           map[string]any              `json:"data,omitempty"`
	Step           map[string]any              `json:"step,omitempty"`         // push-webhook: the digest before it
	Channels       []any                       `json:"channels,omitempty"`     // push-webhook: the subscriber's channel settings
	Alternatives   []string                    `json:"alternatives,omitempty"` // integrations to fail over to
	Since          int                         `json:"since,omitempty"`        // attempts made before the present integration
	Again          time.Time                   `json:"again,omitzero"`         // from when on tries count: sent again by hand, or held by a pause until then
	Waited         bool                        `json:"waited,omitempty"`       // the run had waited before this step, so its time counts from then
	Unknown        workflow.UnknownPolicy      `json:"unknown,omitempty"`
	AllowDuplicate bool                        `json:"allowDuplicate,omitempty"`
	Uncertain      bool                        `json:"uncertain,omitempty"` // an attempt's outcome is unknown: it must not move on
	Slot           *Slot                       `json:"slot,omitempty"`
	Receipt        map[string]string           `json:"receipt,omitempty"` // what the provider needs to delete the message (provider.Receipt.Data)
	Recall         *Recall                     `json:"recall,omitempty"`  // the provider is to delete the message, or was asked to
}

// Recall is how far a provider has come with deleting a message (semantics.md §13.5).
type Recall struct {
	At    time.Time `json:"at"` // when it was asked for, by the environment's clock
	Tries int       `json:"tries,omitempty"`
	Done  time.Time `json:"done,omitzero"` // when the provider had deleted it; zero: not yet, or it was given up when nothing is due
}

// MailParts are the parts of an e-mail that message rows have no column for.
type MailParts struct {
	From       string `json:"from,omitempty"`
	SenderName string `json:"senderName,omitempty"`
	ReplyTo    string `json:"replyTo,omitempty"`
}

// Slot is a message's place in the line of an integration.
type Slot struct {
	IntegrationID string    `json:"integrationId"`
	At            time.Time `json:"at"` // by the environment's clock
}

// ReportedAddress is a recipient of a message, whose name may be beside the address, in the form in which suppressions name it, and in
// which receipts are kept.
func ReportedAddress(c workflow.Channel, to string) string {
	if c == workflow.ChannelEmail && strings.HasSuffix(to, ">") {
		to, _, _ = provider.SplitSender(to)
	}
	return workflow.SuppressedAddress(c, to)
}

// CopiesOf are the addresses of a mail's copies, as receipts name them, without those that the mail goes to anyway.
func CopiesOf(over *workflow.EmailOverrides, to []string) (copies []string) {
	if over == nil || len(over.CC)+len(over.BCC) == 0 {
		return nil
	}
	own := make([]string, len(to))
	for i := range to {
		own[i] = ReportedAddress(workflow.ChannelEmail, to[i])
	}
	for _, list := range [][]string{over.CC, over.BCC} {
		for _, address := range list {
			if address = ReportedAddress(workflow.ChannelEmail, address); !slices.Contains(own, address) {
				copies = AddNew(copies, address)
			}
		}
	}
	return copies
}
