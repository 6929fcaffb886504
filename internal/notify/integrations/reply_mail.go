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

// Bounds of what one address receives within a day (decisions.md §16): whoever is given a mail has its address.
const (
	replySpan      = 24 * time.Hour
	maxReplies     = 100
	maxReplyVolume = 100 << 20
)

// Bounds of what is taken out of a mail.
const (
	maxMailParts     = 100
	maxMailDepth     = 20 // parts within parts: each level reads again what is below it
	maxMailAddresses = 100
	maxMailHeader    = 1_000
	maxMailIDs       = 16 << 10 // bytes of a field of message ids: reading it takes time with the square of a comment in it
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
	whole, err := message.Read(bytes.NewReader(raw))
	if !readable(whole, err) {
		return nil, errMail
	}
	header := mail.Header{Header: whole.Header}
	m := &replyMail{
		From: addressList(&header, "From"), To: addressList(&header, "To"), CC: addressList(&header, "Cc"),
		AutoSubmitted: headerText(header.Get("Auto-Submitted")), Attachments: []mailAttachment{},
	}
	subject, _ := header.Subject()
	m.Subject = headerText(subject)
	m.MessageID, m.InReplyTo = firstID(&header, "Message-Id"), firstID(&header, "In-Reply-To")
	if at, err := header.Date(); err == nil && !at.IsZero() {
		m.Date = new(at.UTC())
	}
	left := maxMailParts
	m.addAll(whole, maxMailDepth, &left)
	return m, nil
}

// readable reports whether there is a part. That its letters cannot be told is no failure.
func readable(part *message.Entity, err error) bool {
	return err == nil || part != nil && (message.IsUnknownCharset(err) || message.IsUnknownEncoding(err))
}

// addAll keeps a part, or the parts that it consists of down to a depth, and reports whether more may follow.
func (m *replyMail) addAll(part *message.Entity, depth int, left *int) (more bool) {
	parts := part.MultipartReader()
	if parts == nil {
		m.add(part)
		*left--
		return *left > 0
	}
	for depth > 0 {
		below, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if !readable(below, err) || !m.addAll(below, depth-1, left) { // one that cannot be read hides those behind it
			return false
		}
	}
	return true
}

// add keeps a part. One that is cut off is left out.
func (m *replyMail) add(part *message.Entity) {
	content, err := io.ReadAll(io.LimitReader(part.Body, MaxReply))
	if err != nil {
		return
	}
	kind, _, _ := part.Header.ContentType()
	disposition, _, _ := part.Header.ContentDisposition()
	if disposition == "inline" || disposition != "attachment" && strings.HasPrefix(kind, "text/") {
		switch {
		case kind == "text/plain" && m.Text == "" || kind == "" && m.Text == "":
			m.Text = storableText(string(content))
			return
		case kind == "text/html" && m.HTML == "":
			m.HTML = storableText(string(content))
			return
		}
	}
	named := mail.AttachmentHeader{Header: part.Header} // a file shown between the lines has a name, too
	name, _ := named.Filename()
	m.Attachments = append(m.Attachments, attachmentOf(name, kind, part.Header.Get("Content-Id"), content))
}

func attachmentOf(name, kind, cid string, content []byte) mailAttachment {
	return mailAttachment{
		Name: headerText(name), MIME: headerText(kind), CID: headerText(strings.Trim(cid, "<> ")), Size: len(content),
		File: base64.StdEncoding.EncodeToString(content),
	}
}

// firstID is the first message id of a field; "" when there is none, or the field is malformed or too long.
func firstID(h *mail.Header, name string) string {
	if len(h.Get(name)) > maxMailIDs {
		return ""
	}
	ids, _ := h.MsgIDList(name)
	if len(ids) == 0 {
		return ""
	}
	return headerText(ids[0])
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
