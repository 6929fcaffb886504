package provider

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Inbound is a request of a vendor to the receiving address of an integration.
type Inbound struct {
	URLs        []string // as the vendor may have written it: some sign it
	Header      http.Header
	Query       url.Values
	Body        []byte
	Key         string // inboundWebhookSigningKey
	Credentials Credentials
	Now         time.Time
	// Fetch reads a certificate of the vendor.
	Fetch func(address string) ([]byte, error)
	Roots *x509.CertPool // that a vendor's certificate must lead to; nil: the system's
}

// Reported is one receipt, as the vendor wrote it.
type Reported struct {
	EventID   string // unique among the integration's receipts
	Kind      workflow.ReceiptKind
	MessageID string // as the vendor named it in the answer to the send
	OwnID     string // id of the message here, where the vendor gives it back and names each recipient's mail by an id of its own
	Recipient string
	At        time.Time
	Permanent bool // a bounce that will not heal
	Detail    string
}

// Reports is what a request says.
type Reports struct {
	List    []Reported
	Confirm string // address to call once, with which the vendor makes sure that the receiver is willing
	// Proven reports that the vendor wrote it. Otherwise only the receiving address is a secret, which others may have learned.
	Proven bool
	// Token counts once, until Expires: the vendor signs it instead of the report.
	Token   string
	Expires time.Time
}

// The failures of reading receipts.
var (
	ErrNoReceipts = errors.New("the provider sends no receipts")
	ErrSignature  = errors.New("the signature is missing or wrong")
	ErrMalformed  = errors.New("the report cannot be read")
)

// ReceiptReader reads what one vendor reports about messages that it accepted.
type ReceiptReader struct {
	// Verify checks the proof of a request over the bytes as they came.
	Verify func(*Inbound) error
	// Parse reads a request that passed Verify. It is pure.
	Parse func(*Inbound) (Reports, error)
	// Signed reports that Verify proves the vendor by a signature, without a password of the operator's choosing.
	Signed bool
	// AnyAccount reports that the vendor signs for whoever has an account: only a key shows whose report it is.
	AnyAccount bool
	// OneTimeToken returns what the signature covers in place of the report; nil: it covers the report.
	OneTimeToken func(*Inbound) (token string, expires time.Time)
}

// Read verifies a request and, only then, parses it.
func (r *ReceiptReader) Read(in *Inbound) (Reports, error) {
	if err := r.Verify(in); err != nil {
		return Reports{}, err
	}
	reports, err := r.Parse(in)
	if err != nil {
		return Reports{}, err
	}
	reports.Proven = r.Signed && !r.AnyAccount || in.Key != ""
	if r.OneTimeToken != nil {
		reports.Token, reports.Expires = r.OneTimeToken(in)
	}
	for i := range reports.List {
		reports.List[i].tidy(in.Now)
	}
	return reports, nil
}

// ReadsReceipts reports whether receipts of a provider are understood.
func (r *Registry) ReadsReceipts(providerID string) bool { return r.byID[providerID].Receipts != nil }

// SignsReceipts reports whether a provider proves its receipts by a signature. One that does not may be given a password,
// which is part of the address that it is given, or a header of its own.
func (r *Registry) SignsReceipts(providerID string) bool {
	reader := r.byID[providerID].Receipts
	return reader != nil && reader.Signed
}

// ReadReceipts verifies and reads a request of a provider; ErrNoReceipts when it sends none.
func (r *Registry) ReadReceipts(providerID string, in *Inbound) (Reports, error) {
	reader := r.byID[providerID].Receipts
	if reader == nil {
		return Reports{}, ErrNoReceipts
	}
	return reader.Read(in)
}

// Bounds of what is kept of a receipt.
const (
	maxReceiptName   = 256
	maxReceiptDetail = 500
)

func (r *Reported) tidy(now time.Time) {
	if r.At.Unix() <= 0 || r.At.After(now.Add(24*time.Hour)) {
		r.At = now
	}
	r.At = r.At.UTC()
	if r.EventID = Storable(r.EventID); len(r.EventID) > maxReceiptName {
		r.EventID = Digest([]byte(r.EventID))
	}
	r.MessageID, r.Recipient = bounded(r.MessageID, maxReceiptName), bounded(r.Recipient, maxReceiptName)
	r.OwnID = bounded(r.OwnID, maxReceiptName)
	r.Detail = bounded(r.Detail, maxReceiptDetail)
}

func bounded(s string, n int) string {
	s = Storable(s)
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// Digest returns the SHA-256 of b in hexadecimal.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
