package state

import (
	"cmp"
	"slices"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// Suppressible are the addresses of a message that a suppression can name, as the message has them.
func (e *Envelope) Suppressible(c workflow.Channel) []string {
	switch {
	case c == workflow.ChannelEmail:
		return e.To
	case c == workflow.ChannelSMS && e.Phone != "":
		return []string{e.Phone}
	}
	return nil
}

// AddressOf is a recipient of a message, whose name may be beside the address, as suppressions name it.
func AddressOf(environmentID string, c workflow.Channel, to string) pgmessage.Address {
	return pgmessage.Address{EnvironmentID: environmentID, Channel: c, Address: ReportedAddress(c, to)}
}

// Unsuppressed are the addresses of a message to which it may be sent, and why it may not be sent to another; why is "" when there is no
// such address.
func (e *Envelope) Unsuppressed(environmentID string, c workflow.Channel, suppressed map[pgmessage.Address]workflow.SuppressionReason) (left []string, why workflow.SuppressionReason) {
	left = slices.DeleteFunc(slices.Clone(e.Suppressible(c)), func(to string) bool {
		reason, found := suppressed[AddressOf(environmentID, c, to)]
		why = cmp.Or(reason, why)
		return found
	})
	return left, why
}
