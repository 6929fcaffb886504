package email

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // tells ids apart
	"encoding/hex"
	"maps"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// envelope holds the addresses of one mail, parsed.
type envelope struct {
	from        *mail.Address
	to, cc, bcc []*mail.Address
	replyTo     *mail.Address
	utf8        bool // some address needs SMTPUTF8
}

func newEnvelope(l *letter) (*envelope, error) {
	e := &envelope{}
	from, err := e.parse("from", []string{l.from})
	if err != nil {
		return nil, err
	}
	e.from = from[0]
	e.from.Name = l.senderName
	if e.to, err = e.parse("to", l.to); err != nil {
		return nil, err
	}
	if e.cc, err = e.parse("cc", l.cc); err != nil {
		return nil, err
	}
	if e.bcc, err = e.parse("bcc", l.bcc); err != nil {
		return nil, err
	}
	if l.replyTo != "" {
		reply, err := e.parse("reply-to", []string{l.replyTo})
		if err != nil {
			return nil, err
		}
		e.replyTo = reply[0]
	}
	if len(e.recipients()) == 0 {
		return nil, provider.Failf(provider.Permanent, "the mail has no recipient")
	}
	return e, nil
}

// parse reads bare addresses. A domain in other letters travels in its ASCII form; only a local part of other letters
// needs the server's SMTPUTF8.
func (e *envelope) parse(where string, list []string) ([]*mail.Address, error) {
	var out []*mail.Address
	for _, raw := range list {
		a, err := mail.ParseAddress(raw)
		if err != nil {
			return nil, provider.Failf(provider.Permanent, "%s holds no valid address", where)
		}
		a.Address, _ = workflow.ASCIIDomain(a.Address)
		e.utf8 = e.utf8 || !ascii(a.Address)
		out = append(out, a)
	}
	return out, nil
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

// recipients are all addresses, each once.
func (e *envelope) recipients() []string {
	var out []string
	for _, address := range bare(slices.Concat(e.to, e.cc, e.bcc)) {
		if !slices.Contains(out, address) {
			out = append(out, address)
		}
	}
	return out
}

func bare(list []*mail.Address) []string {
	var out []string
	for _, a := range list {
		out = append(out, path(a))
	}
	return out
}

// path is an address as it is written alone. Parsing takes quotes off what is before the @, which may be words with blanks or brackets:
// in the commands of a mail server these would be something else.
func path(a *mail.Address) string {
	return strings.Trim((&mail.Address{Address: a.Address}).String(), "<>")
}

// messageSpace makes the Message-ID a function of our message id: a repeated mail carries the same one, by which mailboxes
// recognise a repetition.
var messageSpace = uuid.MustParse("6f1d5b3e-0c1e-4c56-9a63-2f6f0b7b9a11")

// timeOfID is how many bytes of our message id say when it was made.
const timeOfID = 6

// messageID is the Message-ID of a message from an address, with its brackets: a UUID of version 8 (RFC 9562 §5.8) that begins with the
// time of our id, so that those of one broadcast are side by side in the index of attempts.
func messageID(id, from string) string {
	sum := sha1.Sum(append(messageSpace[:], id...))
	made := uuid.UUID(sum[:16])
	_, _ = hex.Decode(made[:timeOfID], []byte(id[:min(2*timeOfID, len(id))])) // ours are hex
	made[6], made[8] = 8<<4|made[6]&0x0f, 2<<6|made[8]&0x3f
	return "<" + made.String() + from[strings.LastIndexByte(from, '@'):] + ">"
}

// ownHeaders are written from the message itself; a custom header of that name would contradict it or reveal a bcc.
var ownHeaders = []string{
	"From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-Id", "Mime-Version", "Content-Type",
	"Content-Transfer-Encoding", "Dkim-Signature", "Return-Path",
}

// signedHeaders are those under the DKIM signature. One-click unsubscribing is trusted only when its headers are among
// them (RFC 8058 §4); a header that a mail does not have is signed as missing.
var signedHeaders = []string{
	"From", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "List-Unsubscribe", "List-Unsubscribe-Post",
}

// render writes the mail, signed when a DKIM key is set, and returns its Message-ID with its brackets.
func (a *smtpAdapter) render(l *letter, e *envelope) (data []byte, id string, err error) {
	var buf bytes.Buffer
	buf.Grow(l.size())
	writeHeader(&buf, "From", e.from.String())
	if len(e.to) > 0 {
		writeHeader(&buf, "To", together(e.to))
	} else {
		writeHeader(&buf, "To", "undisclosed-recipients:;")
	}
	if len(e.cc) > 0 {
		writeHeader(&buf, "Cc", together(e.cc))
	}
	if e.replyTo != nil {
		writeHeader(&buf, "Reply-To", e.replyTo.String())
	}
	writeText(&buf, "Subject", l.subject)
	writeHeader(&buf, "Date", a.now().Format(time.RFC1123Z))
	id = messageID(l.id, e.from.Address)
	writeHeader(&buf, "Message-ID", id)
	for _, name := range slices.Sorted(maps.Keys(l.headers)) { // their names as given
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) {
			return nil, "", provider.Failf(provider.Permanent, "malformed header name")
		}
		if !slices.Contains(ownHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			writeText(&buf, name, l.headers[name])
		}
	}
	writeHeader(&buf, "MIME-Version", "1.0")
	if err := l.parts().write(&buf); err != nil {
		return nil, "", provider.Failf(provider.Permanent, "the mail could not be written")
	}
	if data, err = a.sign(buf.Bytes()); err != nil {
		return nil, "", err
	}
	return data, id, nil
}

func together(list []*mail.Address) string {
	texts := make([]string, len(list))
	for i, a := range list {
		texts[i] = a.String()
	}
	return strings.Join(texts, ", ")
}

// sign puts a DKIM signature above the mail when a key is set.
func (a *smtpAdapter) sign(data []byte) ([]byte, error) {
	if a.dkim == nil {
		return data, nil
	}
	var signed bytes.Buffer
	err := dkim.Sign(&signed, bytes.NewReader(data), &dkim.SignOptions{
		Domain: a.creds.String("domain"), Selector: a.creds.String("accountSid"), Signer: a.dkim, HeaderKeys: signedHeaders,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, provider.Failf(provider.Fault, "the mail could not be signed with the DKIM key")
	}
	return signed.Bytes(), nil
}
