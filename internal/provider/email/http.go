package email

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"html"
	"maps"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
)

// httpAdapter is the adapter of a vendor that takes one mail with one HTTP request. The vendor's file writes the request
// and reads the answer; what is the same for all of them happens here.
type httpAdapter struct {
	client           *provider.Client
	from, senderName string
	style            provider.Style

	request func(ctx context.Context, m *provider.Message, l *letter) (*provider.Request, error)
	read    func(ans *provider.Answer) reply
	// interpreted are the overrides that request reads itself.
	interpreted []string
	// overridden: request has laid all overrides but the pass-through over its body.
	overridden bool
	// finish authenticates the finished request, when that takes more than a header known beforehand.
	finish func(ctx context.Context, req *provider.Request)
	// do makes the call; nil: the client does.
	do func(ctx context.Context, req *provider.Request) (*provider.Answer, error)
	// codes and statuses are those of the vendor whose class is not the default one. A code says more than a status.
	codes    map[string]provider.Class
	statuses map[int]provider.Class
	// pause is how long a vendor that says so in a header of its own wants to be left alone; nil: none does.
	pause func(ans *provider.Answer) time.Duration
}

// reply is what a vendor's answer says.
type reply struct {
	id      string
	date    time.Time
	warning string

	failed     bool // the body says no, although the status says yes
	accepted   bool // the body says yes, although the status says no
	code, text string
	status     int // the HTTP status that the body names for the mail, 0 without
}

// open completes a with what every adapter takes from the integration.
func (a httpAdapter) open(d provider.Deps, c provider.Credentials) *httpAdapter {
	a.client, a.from, a.senderName = d.Client(), c.String("from"), c.String("senderName")
	if a.do == nil {
		a.do = a.client.Do
	}
	return &a
}

// Send posts one mail with all its recipients.
func (a *httpAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	l, err := compose(m, a.from, a.senderName)
	if err != nil {
		return nil, err
	}
	if err := l.requireVendorAddresses(); err != nil {
		return nil, err
	}
	req, err := a.request(ctx, m, l)
	if err != nil {
		return nil, err
	}
	if a.overridden {
		req.PassThrough(m)
	} else {
		req.Apply(m, a.style, a.interpreted...)
	}
	if a.finish != nil {
		a.finish(ctx, req)
	}
	ans, err := a.do(ctx, req)
	if err != nil {
		return nil, err
	}
	r := a.read(ans)
	if !r.accepted && (r.failed || !ans.OK()) {
		return nil, a.failure(ans, r)
	}
	receipt := ans.Accepted(ctx, m, r.id)
	receipt.Date, receipt.Warning = r.date, joined(l.warning, r.warning, l.leftOut())
	return receipt, nil
}

func joined(warnings ...string) string {
	return strings.Join(slices.DeleteFunc(warnings, func(w string) bool { return w == "" }), "; ")
}

func (a *httpAdapter) failure(ans *provider.Answer, r reply) *provider.Error {
	failure := ans.Failure(r.code, r.text)
	if ans.OK() && r.status >= 400 {
		failure.Class = provider.ClassOfStatus(r.status, provider.OriginVendor)
	}
	if class, known := a.statuses[ans.Status]; known {
		failure.Class = class
	}
	if class, known := a.codes[r.code]; known {
		failure.Class = class
	}
	if failure.RetryAfter == 0 && ans.Status == 429 && a.pause != nil {
		failure.RetryAfter = a.pause(ans)
	}
	return failure
}

// classes turns lists of codes into the table that an adapter takes.
func classes(faults, transients, permanents []string) map[string]provider.Class {
	out := map[string]provider.Class{}
	for class, codes := range map[provider.Class][]string{
		provider.Fault: faults, provider.Transient: transients, provider.Permanent: permanents,
	} {
		for _, code := range codes {
			out[code] = class
		}
	}
	return out
}

// base is the vendor's address, or the one in the credentials, and who chose it.
func base(c provider.Credentials, vendor string) (address string, origin provider.Origin) {
	if c.String("baseUrl") != "" {
		origin = provider.OriginCredentials
	}
	return c.URL("baseUrl", vendor), origin
}

// jsonBody is a JSON body without what is empty.
func jsonBody(fields map[string]any) *provider.JSON {
	return &provider.JSON{Root: provider.Present(fields)}
}

// named is "Name <addr>", or the bare address without a name.
func named(name, address string) string {
	if name == "" || address == "" {
		return address
	}
	if parsed, err := mail.ParseAddress(address); err == nil {
		address = parsed.Address // without its own quotes, which come back
	}
	return (&mail.Address{Name: name, Address: address}).String()
}

// person is an address with its name as most vendors write it; nil without an address, so that it is left out.
func person(address, name string) any {
	if address == "" {
		return nil
	}
	return provider.Present(map[string]any{"email": address, "name": name})
}

// replyPerson is the address for replies as most vendors write it; nil without one.
func (l *letter) replyPerson() any {
	address, name := l.replier()
	return person(address, name)
}

func people(list []string) []any {
	var out []any
	for _, recipient := range list {
		out = append(out, person(apart(recipient)))
	}
	return out
}

// apart takes the name that may be beside a recipient's address from it, for vendors that want the two in members of their own.
func apart(recipient string) (address, name string) {
	if !strings.HasSuffix(strings.TrimSpace(recipient), ">") {
		return recipient, ""
	}
	address, name, _ = provider.SplitSender(recipient)
	return address, name
}

// distinct returns all addresses of the lists, each once, whatever its case.
func distinct(lists ...[]string) []string {
	var out []string
	for _, address := range slices.Concat(lists...) {
		if !slices.ContainsFunc(out, func(seen string) bool { return strings.EqualFold(seen, address) }) {
			out = append(out, address)
		}
	}
	return out
}

// extraHeaders are the custom headers without those that a mail has once and the vendor writes from the mail's fields.
func (l *letter) extraHeaders() map[string]any {
	out := map[string]any{}
	for name, value := range l.headers {
		if !slices.Contains(ownHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			out[name] = value
		}
	}
	return out
}

// headerList are the custom headers, sorted by name, for vendors that take a list; wordName and wordValue are its keys.
func (l *letter) headerList(wordName, wordValue string) []any {
	var out []any
	headers := l.extraHeaders()
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out = append(out, map[string]any{wordName: name, wordValue: headers[name]})
	}
	return out
}

// leaveHeaders warns of headers for which the vendor has no place. Those to unsubscribe are none of the trigger's, and every mail may carry
// them.
func (l *letter) leaveHeaders(why string, names []string) {
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(unsubscribeHeaders, textproto.CanonicalMIMEHeaderKey(name))
	})
	if len(names) > 0 {
		l.warning = joined(l.warning, why+", left out: "+strings.Join(names, ", "))
	}
}

// unsubscribeHeaders are those that Carillon adds.
var unsubscribeHeaders = []string{"List-Unsubscribe", "List-Unsubscribe-Post"}

// page is the HTML, or the text as HTML for vendors that take nothing else.
func (l *letter) page() string {
	if l.html != "" {
		return l.html
	}
	return "<html><body><p>" + strings.ReplaceAll(html.EscapeString(l.text), "\n", "<br>") + "</p></body></html>"
}

// metadata is the custom data as texts: what is no text goes in as JSON.
func (l *letter) metadata() map[string]any {
	out := map[string]any{}
	for name, v := range l.customData {
		if text := provider.Text(v); text != "" || v == "" {
			out[name] = text
		} else if data, err := json.Marshal(v); err == nil {
			out[name] = string(data)
		}
	}
	return out
}

// metadataText is the custom data as one JSON text; "" without any.
func (l *letter) metadataText() string {
	if len(l.customData) == 0 {
		return ""
	}
	data, err := provider.EncodeJSON(l.customData)
	if err != nil {
		return ""
	}
	return string(data)
}

// files describes the attachments as the vendor wants it.
func (l *letter) files(describe func(a provider.Attachment) map[string]any) []any {
	var out []any
	for _, a := range l.attachments {
		out = append(out, provider.Present(describe(a)))
	}
	return out
}

// split parts the attachments into files and images inside the HTML.
func (l *letter) split() (files, images *letter) {
	files, images = &letter{}, &letter{}
	for _, a := range l.attachments {
		if inline(a) {
			images.attachments = append(images.attachments, a)
		} else {
			files.attachments = append(files.attachments, a)
		}
	}
	return files, images
}

// fileName is never empty: some vendors drop a file without a name, others refuse it.
func fileName(a provider.Attachment) string { return first(a.Name, "attachment") }

// contentID is what the HTML calls an image by.
func contentID(a provider.Attachment) string { return cmp.Or(strings.Trim(a.CID, "<>"), fileName(a)) }

func disposition(a provider.Attachment) string {
	if inline(a) {
		return "inline"
	}
	return "attachment"
}

func encoded(a provider.Attachment) string { return base64.StdEncoding.EncodeToString(a.File) }

// form is a multipart body without empty fields. Its boundary comes from the message id, so that every try is the same
// request.
func form(l *letter, fields map[string][]string, fileField, imageField string) *provider.Multipart {
	for name, values := range fields {
		if len(values) == 0 || len(values) == 1 && values[0] == "" {
			delete(fields, name)
		}
	}
	body := &provider.Multipart{Fields: fields, Boundary: "carillon-" + l.id}
	for _, a := range l.attachments {
		part := provider.FilePart{Field: fileField, Name: fileName(a), MIME: mimeType(a), Data: a.File}
		if inline(a) {
			part.Field, part.Name = imageField, contentID(a) // by which the HTML calls it: cid:<file name>
		}
		body.Files = append(body.Files, part)
	}
	return body
}
