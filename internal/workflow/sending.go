package workflow

import "strings"

// BreakerState tells whether an integration is called.
type BreakerState string

// The states. Open: no calls. Half open: one call at a time, to see whether it is well again.
const (
	BreakerClosed   BreakerState = "closed"
	BreakerOpen     BreakerState = "open"
	BreakerHalfOpen BreakerState = "half_open"
)

// Values makes BreakerState an ent enum.
func (BreakerState) Values() []string { return []string{"closed", "open", "half_open"} }

// ReceiptKind is what a provider reported about a message that it had taken.
type ReceiptKind string

// The kinds, in the order in which they move a message forward; one that stands earlier never undoes a later one.
const (
	ReceiptDelivered  ReceiptKind = "delivered"
	ReceiptOpened     ReceiptKind = "opened"
	ReceiptClicked    ReceiptKind = "clicked"
	ReceiptFailed     ReceiptKind = "failed"
	ReceiptBounced    ReceiptKind = "bounced"
	ReceiptComplained ReceiptKind = "complained"
)

// Values makes ReceiptKind an ent enum.
func (ReceiptKind) Values() []string {
	return []string{"delivered", "opened", "clicked", "failed", "bounced", "complained"}
}

// SuppressionReason is why nothing is sent to an address any more.
type SuppressionReason string

// The reasons.
const (
	SuppressionBounce    SuppressionReason = "bounce"    // the provider reported it as gone for good
	SuppressionComplaint SuppressionReason = "complaint" // its owner reported a message as unwanted
	SuppressionManual    SuppressionReason = "manual"    // somebody asked for it
)

// Values makes SuppressionReason an ent enum.
func (SuppressionReason) Values() []string { return []string{"bounce", "complaint", "manual"} }

// SuppressedAddress is an address in the form in which suppressions name it.
func SuppressedAddress(c Channel, address string) string {
	address = strings.TrimSpace(address)
	if c == ChannelEmail {
		return strings.ToLower(address)
	}
	return address
}

// Simulation makes an integration of a non-production environment answer by itself instead of calling its provider.
// Rates are shares of calls between 0 and 1.
type Simulation struct {
	LatencyMs         int           `json:"latencyMs,omitempty"`
	JitterMs          int           `json:"jitterMs,omitempty"` // added at random to the latency
	RejectRate        float64       `json:"rejectRate,omitempty"`
	TransientRate     float64       `json:"transientRate,omitempty"`
	RetryAfterSeconds int           `json:"retryAfterSeconds,omitempty"` // named by transient failures
	HangRate          float64       `json:"hangRate,omitempty"`          // taken, but the answer never comes: outcome unknown
	RatePerSecond     float64       `json:"ratePerSecond,omitempty"`     // more calls are refused with 429; 0: no limit
	Receipts          []ReceiptKind `json:"receipts,omitempty"`          // reported after the message was taken, in this order
	ReceiptDelayMs    int           `json:"receiptDelayMs,omitempty"`    // before the first and between two of them
}
