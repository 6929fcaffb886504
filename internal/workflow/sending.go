package workflow

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// BreakerState reports whether an integration is called.
type BreakerState string

// The states. Open: no calls. Half open: one call at a time, to see whether it is well again.
const (
	BreakerClosed   BreakerState = "closed"
	BreakerOpen     BreakerState = "open"
	BreakerHalfOpen BreakerState = "half_open"
)

// Values makes BreakerState an ent enum.
func (BreakerState) Values() []string { return []string{"closed", "open", "half_open"} }

// SuppressionReason is why nothing is sent to an address any more.
type SuppressionReason string

// The reasons.
const (
	SuppressionBounce    SuppressionReason = "bounce"    // the provider reported it as gone for good
	SuppressionComplaint SuppressionReason = "complaint" // its owner reported a message as unwanted
	SuppressionManual    SuppressionReason = "manual"    // added on request
)

// Values makes SuppressionReason an ent enum.
func (SuppressionReason) Values() []string { return []string{"bounce", "complaint", "manual"} }

// SuppressedAddress is an address in the form in which suppressions name it, and in which providers report on it.
func SuppressedAddress(c Channel, address string) string {
	address = strings.TrimSpace(address)
	if c == ChannelEmail {
		ascii, _ := ASCIIDomain(address)
		return strings.ToLower(ascii)
	}
	return address
}

// ASCIIDomain is an e-mail address with its domain in the form in which mail travels (RFC 5891). ok is false, and the
// address as it was, when the domain has no such form. A name beside the address stays.
func ASCIIDomain(address string) (ascii string, ok bool) {
	bare, bracket := strings.CutSuffix(address, ">")
	domain := bare[strings.LastIndexByte(bare, '@')+1:]
	if !strings.ContainsFunc(domain, func(r rune) bool { return r > unicode.MaxASCII }) {
		return address, true
	}
	encoded, err := idna.Lookup.ToASCII(domain)
	if err != nil || len(domain) == len(bare) {
		return address, false
	}
	ascii = strings.TrimSuffix(bare, domain) + encoded
	if bracket {
		ascii += ">"
	}
	return ascii, true
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
