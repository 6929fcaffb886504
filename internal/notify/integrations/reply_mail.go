package integrations

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // mails are written in every charset
	"github.com/emersion/go-message/mail"
)

// MaxReply bounds a mail that is received as a reply, in bytes.
const MaxReply = 10 << 20

// Bounds of what is taken out of a mail.
const (
	maxMailParts     = 100
	maxMailAddresses = 100
	maxMailHeader    = 1_000
)

// errMail says that a mail cannot be read.
var errMail = errors.New("the mail cannot be read")

// replyMail is a received mail as it is posted to a callback.
type replyMail struct {
	From          []mailAddress    `json:"from"`
	To            []mailAddress    `json:"to"`
	CC            []mailAddress    `json:"cc"`
	Subject       string           `json:"subject"`
	Text          string           `json:"text"`
	HTML          string           `json:"html"`
	MessageID     string           `json:"messageId"`
	InReplyTo     string           `json:"inReplyTo"`
	AutoSubmitted string           `json:"autoSubmitted"` // RFC 3834; empty: a person wrote it
	Date          *time.Time       `json:"date"`
	Attachments   []mailAttachment `json:"attachments"`
}

type mailAddress struct {
	Name    string `json:"name"`
	Address string `json:"address"`
}

type mailAttachment struct {
	Name string `json:"name"`
	MIME string `json:"mime"`
	CID  string `json:"cid"`
	Size int    `json:"size"`
	File string `json:"file"` // base64
}

// readMail takes a mail apart. What is malformed inside it is left out, because mails of the world often are.
func readMail(raw []byte) (*replyMail, error) {
	reader, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil && (reader == nil || !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err)) {
		return nil, errMail
	}
	defer func() { _ = reader.Close() }()
	m := &replyMail{
		From: addressList(&reader.Header, "From"), To: addressList(&reader.Header, "To"), CC: addressList(&reader.Header, "Cc"),
		AutoSubmitted: headerText(reader.Header.Get("Auto-Submitted")), Attachments: []mailAttachment{},
	}
	subject, _ := reader.Header.Subject()
	m.Subject = headerText(subject)
	id, _ := reader.Header.MessageID()
	m.MessageID = headerText(id)
	if before, _ := reader.Header.MsgIDList("In-Reply-To"); len(before) > 0 {
		m.InReplyTo = headerText(before[0])
	}
	if at, err := reader.Header.Date(); err == nil && !at.IsZero() {
		m.Date = new(at.UTC())
	}
	for range maxMailParts {
		part, err := reader.NextPart()
		if err != nil && (part == nil || !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err)) {
			break // the end, or a part that cannot be read and hides those behind it
		}
		m.add(part)
	}
	return m, nil
}

// add keeps a part. One that is cut off is left out.
func (m *replyMail) add(part *mail.Part) {
	content, err := io.ReadAll(io.LimitReader(part.Body, MaxReply))
	if err != nil {
		return
	}
	inline, isInline := part.Header.(*mail.InlineHeader)
	if isInline {
		kind, _, _ := inline.ContentType()
		switch {
		case kind == "text/plain" && m.Text == "" || kind == "" && m.Text == "":
			m.Text = storableText(string(content))
			return
		case kind == "text/html" && m.HTML == "":
			m.HTML = storableText(string(content))
			return
		}
		named := mail.AttachmentHeader{Header: inline.Header} // a file shown between the lines has a name, too
		name, _ := named.Filename()
		m.Attachments = append(m.Attachments, attachmentOf(name, kind, inline.Get("Content-Id"), content))
		return
	}
	if attached, ok := part.Header.(*mail.AttachmentHeader); ok {
		kind, _, _ := attached.ContentType()
		name, _ := attached.Filename()
		m.Attachments = append(m.Attachments, attachmentOf(name, kind, attached.Get("Content-Id"), content))
	}
}

func attachmentOf(name, kind, cid string, content []byte) mailAttachment {
	return mailAttachment{
		Name: headerText(name), MIME: headerText(kind), CID: headerText(strings.Trim(cid, "<> ")), Size: len(content),
		File: base64.StdEncoding.EncodeToString(content),
	}
}

func addressList(h *mail.Header, name string) []mailAddress {
	list, _ := h.AddressList(name)
	out := make([]mailAddress, 0, len(list))
	for _, a := range slices.Clip(list[:min(len(list), maxMailAddresses)]) {
		out = append(out, mailAddress{Name: headerText(a.Name), Address: headerText(a.Address)})
	}
	return out
}

func headerText(s string) string {
	s = storableText(s)
	if len(s) > maxMailHeader {
		return strings.ToValidUTF8(s[:maxMailHeader], "")
	}
	return s
}

// storableText is text as JSON columns take it.
func storableText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
