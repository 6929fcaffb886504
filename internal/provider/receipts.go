package provider

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
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
	Recipient string
	At        time.Time
	Permanent bool // a bounce that will not heal
	Detail    string
}

// Reports is what a request says.
type Reports struct {
	List    []Reported
	Confirm string // address to call once, with which the vendor makes sure that the receiver is willing
	// Proven says that the vendor wrote it. Otherwise only the receiving address is a secret, which others may have learned.
	Proven bool
	// Token counts once, until Expires: the vendor signs it instead of the report.
	Token   string
	Expires time.Time
}

// The failures of ReadReceipts.
var (
	ErrNoReceipts = errors.New("this provider reports nothing here")
	ErrSignature  = errors.New("the signature is missing or wrong")
	ErrMalformed  = errors.New("the report cannot be read")
)

// receiver is one vendor's way to report: check judges the signature over the bytes as they came, read is pure.
type receiver struct {
	check func(*Inbound) error
	read  func(*Inbound) (Reports, error)
	// signs says that check proves the vendor without a password of the operator's choosing.
	signs bool
	// forAll says that the vendor signs for whoever has an account: which account's report it is shows only against a key.
	forAll bool
	// once is what the signature covers when that is not the report; nil: it covers the report.
	once func(*Inbound) (token string, expires time.Time)
}

// receivers are the vendors that report. What their documents leave open, or was not seen in working clients, is marked
// unverified beside it.
var receivers = map[string]receiver{
	"sendgrid":    {check: checkSendGrid, read: readSendGrid, signs: true},
	"mailgun":     {check: checkMailgun, read: readMailgun, signs: true, once: mailgunToken},
	"postmark":    {check: checkPassword, read: readPostmark},
	"ses":         {check: checkSNS, read: readSES, signs: true, forAll: true},
	"resend":      {check: checkSvix, read: readResend, signs: true},
	"mailjet":     {check: checkPassword, read: readMailjet},
	"sparkpost":   {check: checkPassword, read: readSparkPost},
	"sendinblue":  {check: checkPassword, read: readBrevo},
	"mailersend":  {check: checkMailerSend, read: readMailerSend, signs: true},
	"twilio":      {check: checkTwilio, read: readTwilio, signs: true},
	"nexmo":       {check: checkPassword, read: readNexmo},
	"plivo":       {check: checkPassword, read: readPlivo},
	"messagebird": {check: checkPassword, read: readMessageBird},
	"telnyx":      {check: checkTelnyx, read: readTelnyx, signs: true},
}

// ReadsReceipts reports whether receipts of a provider are understood.
func ReadsReceipts(providerID string) bool { _, ok := receivers[providerID]; return ok }

// SignsReceipts reports whether a provider proves its receipts by a signature. One that does not may be given a password,
// which is part of the address that it is told, or a header of its own.
func SignsReceipts(providerID string) bool { return receivers[providerID].signs }

// ReadReceipts checks the request's signature and, only then, reads it.
func ReadReceipts(providerID string, in *Inbound) (Reports, error) {
	r, ok := receivers[providerID]
	if !ok {
		return Reports{}, ErrNoReceipts
	}
	if err := r.check(in); err != nil {
		return Reports{}, err
	}
	reports, err := r.read(in)
	if err != nil {
		return Reports{}, err
	}
	reports.Proven = r.signs && !r.forAll || in.Key != ""
	if r.once != nil {
		reports.Token, reports.Expires = r.once(in)
	}
	for i := range reports.List {
		reports.List[i].tidy(in.Now)
	}
	return reports, nil
}

// Bounds of what is kept of a receipt.
const (
	maxReceiptName   = 256
	maxReceiptDetail = 500
)

func (r *Reported) tidy(now time.Time) {
	if r.At.IsZero() || r.At.After(now.Add(24*time.Hour)) {
		r.At = now
	}
	r.At = r.At.UTC()
	if r.EventID = storable(r.EventID); len(r.EventID) > maxReceiptName {
		r.EventID = digest([]byte(r.EventID))
	}
	r.MessageID, r.Recipient = bounded(r.MessageID, maxReceiptName), bounded(r.Recipient, maxReceiptName)
	r.Detail = bounded(r.Detail, maxReceiptDetail)
}

func bounded(s string, n int) string {
	s = storable(s)
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// checkPassword is for vendors that sign nothing: the receiving address is itself a secret. A signing key that was set
// all the same is the password, or user:password, of basic authentication in the address that the vendor was given, or
// what the vendor was told to send in a header, as a bearer token or bare.
func checkPassword(in *Inbound) error {
	if in.Key == "" {
		return nil
	}
	r := http.Request{Header: in.Header}
	if user, password, ok := r.BasicAuth(); ok && (same(password, in.Key) || same(user+":"+password, in.Key)) {
		return nil
	}
	for _, values := range in.Header {
		for _, v := range values {
			if same(v, in.Key) || same(v, "Bearer "+in.Key) {
				return nil
			}
		}
	}
	return ErrSignature
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// entry is one JSON object of a report.
type entry map[string]any

// entries reads a JSON object or array of objects.
func entries(body []byte) ([]entry, error) {
	var list []entry
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		if decode(trimmed, &list) != nil {
			return nil, ErrMalformed
		}
		return list, nil
	}
	var one entry
	if decode(body, &one) != nil || one == nil {
		return nil, ErrMalformed
	}
	return []entry{one}, nil
}

func decode(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(v)
}

// at is the value under a path of names, nil when there is none; of a list the first item counts.
func (e entry) at(path ...string) any {
	var v any = map[string]any(e)
	for _, name := range path {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return v
}

// text is a value as text; numbers as they were written.
func (e entry) text(path ...string) string {
	switch v := e.at(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// when reads seconds since 1970, also with a fraction, or one of the usual forms of a date.
func when(s string) time.Time {
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		if seconds > 1e11 { // milliseconds
			seconds /= 1000
		}
		return time.UnixMicro(int64(seconds * 1e6))
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999Z0700", "2006-01-02 15:04:05", time.RFC1123Z, time.RFC1123} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// hashed names an entry that the vendor gave no id: repeated, it is the same again.
func hashed(e entry) string {
	raw, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return digest(raw)
}

// kinds are a vendor's words for what happened.
type kinds map[string]outcomeOf

type outcomeOf struct {
	kind      workflow.ReceiptKind
	permanent bool
}

var (
	wasDelivered  = outcomeOf{kind: workflow.ReceiptDelivered}
	wasOpened     = outcomeOf{kind: workflow.ReceiptOpened}
	wasClicked    = outcomeOf{kind: workflow.ReceiptClicked}
	wasFailed     = outcomeOf{kind: workflow.ReceiptFailed}
	hardBounce    = outcomeOf{kind: workflow.ReceiptBounced, permanent: true}
	softBounce    = outcomeOf{kind: workflow.ReceiptBounced}
	wasComplained = outcomeOf{kind: workflow.ReceiptComplained}
)

// fields are the parameters of a report that is a form or a query.
func (in *Inbound) fields() (url.Values, error) {
	values := url.Values{}
	maps.Copy(values, in.Query)
	if len(in.Body) == 0 {
		return values, nil
	}
	if strings.HasPrefix(in.Header.Get("Content-Type"), "application/json") {
		list, err := entries(in.Body)
		if err != nil || len(list) == 0 {
			return nil, ErrMalformed
		}
		for name := range list[0] {
			values.Set(name, list[0].text(name))
		}
		return values, nil
	}
	form, err := url.ParseQuery(string(in.Body))
	if err != nil {
		return nil, ErrMalformed
	}
	maps.Copy(values, form)
	return values, nil
}

// status reads a report of one SMS whose state stands in one parameter.
func (in *Inbound) status(words kinds, message, state, recipient, at string, details ...string) (Reports, error) {
	values, err := in.fields()
	if err != nil {
		return Reports{}, err
	}
	messageID, word := values.Get(message), strings.ToLower(values.Get(state))
	if messageID == "" || word == "" {
		return Reports{}, ErrMalformed
	}
	out, known := words[word]
	if !known {
		return Reports{}, nil
	}
	var detail []string
	for _, name := range details {
		if v := values.Get(name); v != "" && v != "0" {
			detail = append(detail, name+" "+v)
		}
	}
	return Reports{List: []Reported{{
		EventID: messageID + ":" + word, Kind: out.kind, MessageID: messageID, Recipient: values.Get(recipient),
		At: when(values.Get(at)), Detail: strings.Join(append([]string{word}, detail...), ", "),
	}}}, nil
}
