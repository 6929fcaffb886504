// Package email holds the e-mail providers, one file each, and what they share: the composed mail and the fields of the
// credentials that all of them have.
//
// It writes mails itself (mime.go, parts.go, header.go): go-mail puts images beside the plain text as well as the HTML that
// shows them, begins long headers on an empty line and lets lines grow past 998 bytes, go-message cuts long values where
// they have no space and writes lines of encoded words longer than 76, and both encode the names of files against RFC 2231.
// TestMailOfLibraries holds them to that.
package email

import (
	"fmt"
	"maps"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var (
	fieldFrom       = provider.Field{Name: "from", Label: "From address", Kind: provider.KindString, Required: true, Check: provider.CheckEmail}
	fieldSenderName = provider.Field{Name: "senderName", Label: "Sender name", Kind: provider.KindString}
	fieldAPIKey     = provider.Field{Name: "apiKey", Label: "API key", Kind: provider.KindString, Required: true, Secret: true}
	fieldBaseURL    = provider.Field{Name: "baseUrl", Label: "Base address in place of the vendor's", Kind: provider.KindURL, Destination: true}
)

// letter is one composed mail: the message's values, and the credentials' where it has none (email.md §0.2).
type letter struct {
	id, from, senderName        string
	to, cc, bcc                 []string
	replyTo                     string
	subject, html, text         string
	attachments                 []provider.Attachment
	headers                     map[string]string
	customData                  map[string]any
	transaction, workflow, user string

	warning string // what the vendor cannot do for this mail
}

// compose gathers the mail of m. from and senderName are the integration's own.
func compose(m *provider.Message, from, senderName string) (*letter, error) {
	e := m.Email
	if e == nil {
		e = &provider.Email{}
	}
	l := &letter{
		id: m.ID, senderName: senderName,
		to: e.To, cc: e.CC, bcc: e.BCC, replyTo: strings.TrimSpace(first(e.ReplyTo, workflow.ReplyHeader(e.Headers))),
		subject: m.Content.Title, html: m.Content.HTML, text: m.Content.Text, // the body is one of them
		attachments: e.Attachments, headers: e.Headers, customData: m.CustomData,
		transaction: m.TransactionID, workflow: m.Workflow,
	}
	l.user, _ = m.Subscriber["subscriberId"].(string)
	if len(l.to)+len(l.cc)+len(l.bcc) == 0 && m.Target.Email != "" {
		l.to = []string{m.Target.Email}
	}
	l.sendAs(first(e.From, from), e.SenderName)
	return l, l.check()
}

// sendAs sets the sender, whose name may be part of the address or apart from it.
func (l *letter) sendAs(from, name string) {
	address, beside, _ := provider.SplitSender(from)
	l.from, l.senderName = address, first(name, beside, l.senderName)
}

func first(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

// check refuses line breaks wherever they could start a header of the sender's choosing, and brings the addresses into the
// form in which they travel.
func (l *letter) check() error {
	lines := map[string][]string{
		"from": {l.from}, "sender name": {l.senderName}, "reply-to": {l.replyTo}, "subject": {l.subject},
		"to": l.to, "cc": l.cc, "bcc": l.bcc,
		"headers": slices.Concat(slices.Collect(maps.Keys(l.headers)), slices.Collect(maps.Values(l.headers))),
	}
	for _, a := range l.attachments {
		lines["attachments"] = append(lines["attachments"], a.Name, a.MIME, a.CID)
	}
	for _, where := range slices.Sorted(maps.Keys(lines)) {
		for _, line := range lines[where] {
			if strings.ContainsAny(line, "\r\n\x00") {
				return provider.Failf(provider.Permanent, "line break in %s", where)
			}
		}
	}
	if _, _, ok := provider.SplitSender(l.from); l.from != "" && !ok {
		return provider.Failf(provider.Permanent, "from must be an address such as shop@example.com; a name belongs into the sender's name")
	}
	return l.encodeDomains()
}

// encodeDomains writes domains in ASCII, which every vendor and server takes.
func (l *letter) encodeDomains() error {
	l.to, l.cc, l.bcc = slices.Clone(l.to), slices.Clone(l.cc), slices.Clone(l.bcc)
	for where, list := range l.addresses() {
		for _, address := range list {
			ascii, ok := workflow.ASCIIDomain(*address)
			if !ok {
				return provider.Failf(provider.Permanent, "%s: the domain of an address is not a domain", where)
			}
			*address = ascii
		}
	}
	return nil
}

// addresses are all addresses of the mail, by their header.
func (l *letter) addresses() map[string][]*string {
	all := map[string][]*string{"from": {&l.from}, "reply-to": {&l.replyTo}}
	for where, list := range map[string][]string{"to": l.to, "cc": l.cc, "bcc": l.bcc} {
		for i := range list {
			all[where] = append(all[where], &list[i])
		}
	}
	return all
}

// makeLiteral leaves nothing in the mail that a vendor would evaluate, unless overrides hold the vendor's values for templates: then the
// author writes for its language.
func (l *letter) makeLiteral(m *provider.Message, values ...string) {
	for _, name := range values {
		if m.Overrides[name] != nil || m.Merge[name] != nil {
			return
		}
	}
	l.html = provider.LiteralHTML(l.html)
	l.subject, l.text, l.senderName = provider.LiteralText(l.subject), provider.LiteralText(l.text), provider.LiteralText(l.senderName)
}

// replier is the address for replies, and the name that may be beside it.
func (l *letter) replier() (address, name string) {
	address, name, _ = provider.SplitSender(l.replyTo)
	return address, name
}

// replyLine is the address for replies as one text, with the name that may be beside it.
func (l *letter) replyLine() string {
	address, name := l.replier()
	return named(name, address)
}

// leftOut is a complaint about headers that the mail has of its own; "" when none was given. Reply-To is none of these: it counts as
// the address for replies.
func (l *letter) leftOut() string {
	var left []string
	for _, name := range slices.Sorted(maps.Keys(l.headers)) {
		if own := textproto.CanonicalMIMEHeaderKey(name); own != "Reply-To" && slices.Contains(ownHeaders, own) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "sent without these headers, of which the mail has its own: " + strings.Join(left, ", ")
}

// requireASCII is for vendors, none of which takes letters outside ASCII before the @: only a mail server may (SMTPUTF8).
func (l *letter) requireASCII() error {
	all := l.addresses()
	for _, where := range slices.Sorted(maps.Keys(all)) {
		for _, address := range all[where] {
			bare := *address
			if parsed, err := mail.ParseAddress(bare); err == nil {
				bare = parsed.Address
			}
			if !ascii(bare) {
				return provider.Failf(provider.Permanent,
					"%s: this provider takes no address with letters outside ASCII before the @; a mail server with SMTPUTF8 does", where)
			}
		}
	}
	return nil
}

// requireRecipient is for every provider that needs a to address.
func (l *letter) requireRecipient() error {
	if len(l.to) == 0 {
		return provider.Failf(provider.Permanent, "the mail has no recipient")
	}
	return nil
}

// requireVendorAddresses is for providers with an HTTP API of their own.
func (l *letter) requireVendorAddresses() error {
	if err := l.requireRecipient(); err != nil {
		return err
	}
	return l.requireASCII()
}

// inline reports whether the file is shown inside the HTML.
func inline(a provider.Attachment) bool { return a.CID != "" || a.Disposition == "inline" }

func mimeType(a provider.Attachment) string { return first(a.MIME, "application/octet-stream") }

// inputNames are the overrides that change the mail itself where it does not reach the vendor field by field.
var inputNames = []string{"from", "senderName", "replyTo", "subject", "html", "text", "to", "cc", "bcc", "headers"}

// override changes the input where a provider has no request body that overrides could meet (email.md §0.3).
func (l *letter) override(over map[string]any) error {
	texts := map[string]*string{
		"senderName": &l.senderName, "replyTo": &l.replyTo, "subject": &l.subject,
		"html": &l.html, "text": &l.text,
	}
	lists := map[string]*[]string{"to": &l.to, "cc": &l.cc, "bcc": &l.bcc}
	for name, v := range over {
		if target, ok := texts[name]; ok {
			if s, isText := v.(string); isText {
				*target = s
			}
		} else if s, isText := v.(string); isText && name == "from" {
			name, _ := over["senderName"].(string)
			l.sendAs(s, name)
		} else if target, ok := lists[name]; ok {
			*target = addresses(v)
		} else if h, isObject := v.(map[string]any); isObject && name == "headers" {
			l.headers = maps.Clone(l.headers)
			if l.headers == nil {
				l.headers = map[string]string{}
			}
			given := map[string]string{}
			for k, value := range h {
				given[k] = fmt.Sprint(value)
			}
			maps.Copy(l.headers, given)
			if over["replyTo"] == nil {
				l.replyTo = first(workflow.ReplyHeader(given), l.replyTo)
			}
		}
	}
	return l.check()
}

func addresses(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	default:
		return nil
	}
}
