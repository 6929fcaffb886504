package email

import (
	"bytes"
	"mime"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/google/uuid"
	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"

	"github.com/carillon/carillon/internal/provider"
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
		at := strings.LastIndexByte(a.Address, '@')
		if domain, err := idna.Lookup.ToASCII(a.Address[at+1:]); err == nil {
			a.Address = a.Address[:at+1] + domain
		}
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
	for _, a := range slices.Concat(e.to, e.cc, e.bcc) {
		if !slices.Contains(out, a.Address) {
			out = append(out, a.Address)
		}
	}
	return out
}

// messageSpace makes the Message-ID a function of our message id: a repeated mail carries the same one, by which mailboxes
// can tell that it is a repetition.
var messageSpace = uuid.MustParse("6f1d5b3e-0c1e-4c56-9a63-2f6f0b7b9a11")

func messageID(l *letter, e *envelope) string {
	return uuid.NewSHA1(messageSpace, []byte(l.id)).String() + e.from.Address[strings.LastIndexByte(e.from.Address, '@'):]
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

// render writes the mail, signed when a DKIM key is set, and tells its Message-ID with its brackets.
func (a *smtpAdapter) render(l *letter, e *envelope) (data []byte, id string, err error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.SetAddrHeaderFromMailAddress(gomail.HeaderFrom, e.from)
	if len(e.to) > 0 {
		msg.SetAddrHeaderFromMailAddress(gomail.HeaderTo, e.to...)
	} else {
		msg.SetGenHeader("To", "undisclosed-recipients:;")
	}
	if len(e.cc) > 0 {
		msg.SetAddrHeaderFromMailAddress(gomail.HeaderCc, e.cc...)
	}
	if e.replyTo != nil {
		msg.SetAddrHeaderFromMailAddress(gomail.HeaderReplyTo, e.replyTo)
	}
	msg.Subject(l.subject)
	msg.SetDateWithValue(a.now())
	id = messageID(l, e)
	msg.SetMessageIDWithValue(id)
	if err := setHeaders(msg, l.headers); err != nil {
		return nil, "", err
	}
	if err := setParts(msg, l); err != nil {
		return nil, "", err
	}
	var buf bytes.Buffer
	if _, err := msg.WriteTo(&buf); err != nil {
		return nil, "", provider.Failf(provider.Permanent, "the mail could not be written")
	}
	if data, err = a.sign(buf.Bytes()); err != nil {
		return nil, "", err
	}
	return data, "<" + id + ">", nil
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

// setHeaders writes the custom headers, their names as given.
func setHeaders(msg *gomail.Msg, headers map[string]string) error {
	for name, value := range headers {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) {
			return provider.Failf(provider.Permanent, "malformed header name")
		}
		if !slices.Contains(ownHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			msg.SetGenHeader(gomail.Header(name), value)
		}
	}
	return nil
}

// setParts puts plain text before HTML, inline images beside them, and files around all.
func setParts(msg *gomail.Msg, l *letter) error {
	switch {
	case l.text != "" && l.html != "":
		msg.SetBodyString(gomail.TypeTextPlain, l.text)
		msg.AddAlternativeString(gomail.TypeTextHTML, l.html)
	case l.html != "":
		msg.SetBodyString(gomail.TypeTextHTML, l.html)
	default:
		msg.SetBodyString(gomail.TypeTextPlain, l.text)
	}
	for _, f := range l.attachments {
		var err error
		if inline(f) {
			err = msg.EmbedReader(fileName(f), bytes.NewReader(f.File), described(f), gomail.WithFileContentID("<"+contentID(f)+">"))
		} else {
			err = msg.AttachReader(fileName(f), bytes.NewReader(f.File), described(f))
		}
		if err != nil {
			return provider.Failf(provider.Permanent, "an attachment could not be read")
		}
	}
	return nil
}

// described names a file in the parameters of its headers, in which other letters are written by RFC 2231: the encoded
// words of RFC 2047 have no place there.
func described(f provider.Attachment) gomail.FileOption {
	return func(file *gomail.File) {
		kind, params, err := mime.ParseMediaType(mimeType(f))
		if err != nil {
			kind, params = "application/octet-stream", map[string]string{}
		}
		params["name"] = fileName(f)
		file.Header.Set("Content-Type", mime.FormatMediaType(kind, params))
		file.Header.Set("Content-Disposition", mime.FormatMediaType(disposition(f), map[string]string{"filename": fileName(f)}))
	}
}
