package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"
)

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 20

var errTimeout = errors.New("provider: time limit of the call")

// Request is one request to a vendor in the making.
type Request struct {
	Method string // POST when empty
	URL    string
	Origin Origin
	Header http.Header // may be changed by a pass-through
	Secure http.Header // authentication: never changed by a pass-through
	Query  url.Values  // added to the query of URL
	Body   Body
	// Sign is called with the exact bytes of the body and returns headers that nothing changes afterwards.
	Sign func(body []byte) http.Header
	// SecureOfTarget says that Secure comes from the message or its target: the integration is not at fault when it cannot be sent.
	SecureOfTarget bool
}

// Apply lays the overrides of m over the request, in the vendor's spelling, then the pass-through. interpreted are keys
// that the adapter has read itself. A GET has its fields in the query, so they go there.
func (r *Request) Apply(m *Message, style Style, interpreted ...string) {
	switch {
	case r.Body != nil:
		r.Body.merge(Extra(m, style, interpreted...))
	case r.Method == http.MethodGet && r.Query != nil:
		mergeFields(r.Query, Extra(m, style, interpreted...))
	}
	r.PassThrough(m)
}

// PassThrough lays only the pass-through of m over the request.
func (r *Request) PassThrough(m *Message) {
	for _, p := range passthroughs(m) {
		if body, ok := p["body"].(map[string]any); ok && r.Body != nil {
			r.Body.merge(body)
		}
		if headers, ok := p["headers"].(map[string]any); ok {
			r.passHeaders(headers)
		}
		if query, ok := p["query"].(map[string]any); ok {
			if r.Query == nil {
				r.Query = url.Values{}
			}
			mergeFields(r.Query, query)
		}
	}
}

// connectionHeaders describe the connection or the bytes, not the message.
var connectionHeaders = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Trailer", "Te",
	"Proxy-Authorization", "Proxy-Connection", "Expect",
}

func (r *Request) passHeaders(headers map[string]any) {
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for _, k := range slices.Sorted(maps.Keys(headers)) { // sorted: two spellings of one name must not race
		if text := Text(headers[k]); text != "" {
			r.Header.Set(k, text)
		}
	}
	for _, k := range connectionHeaders {
		r.Header.Del(k)
	}
	if r.Sign != nil {
		r.Header.Del("Content-Type")
	}
}

// build encodes the request. Whatever is wrong here is wrong with the message or its overrides, except for a credential that no
// header can hold.
func (r *Request) build(ctx context.Context, agent string) (*http.Request, error) {
	var buf bytes.Buffer
	var contentType string
	if r.Body != nil {
		var err error
		if contentType, err = r.Body.encode(&buf); err != nil {
			return nil, err
		}
	}
	data := buf.Bytes()
	method := r.Method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, r.URL, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if len(r.Query) > 0 {
		q := req.URL.Query()
		maps.Copy(q, r.Query)
		req.URL.RawQuery = q.Encode()
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if strings.HasPrefix(contentType, "application/json") {
		req.Header.Set("Accept", "application/json")
	}
	req.Header.Set("User-Agent", agent)
	if refused := unsendable(r.Header); refused != "" {
		return nil, Failf(Permanent, "%s", refused)
	}
	secure := http.Header{}
	overlay(secure, r.Secure)
	if r.Sign != nil {
		overlay(secure, r.Sign(data))
	}
	if unsendable(secure) != "" { // not told which: the name may come from the credentials as well
		class := Fault
		if r.SecureOfTarget {
			class = Permanent
		}
		return nil, Failf(class, "a credential cannot be sent in a header: it holds a line break or another character that is not allowed there")
	}
	overlay(req.Header, r.Header)
	overlay(req.Header, secure)
	onceOnly(req)
	return req, nil
}

// unsendable says which header cannot be sent, "" when all can. net/http finds that out too, but only when it sends the request,
// and then it looks like a connection that failed. The text has the name, never a value, which may hold a secret variable.
func unsendable(h http.Header) string {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return fmt.Sprintf("%q cannot be sent as the name of a header", cut(name))
		case slices.ContainsFunc(h[name], func(v string) bool { return !httpguts.ValidHeaderFieldValue(v) }):
			return "the value of the header " + cut(name) + " cannot be sent: it holds a line break or another control character"
		}
	}
	return ""
}

// onceOnly keeps the transport from repeating a request by itself when its connection is lost, which it does with every GET and where it
// finds an idempotency key: a request that may have arrived is ours to repeat, with an attempt of its own. It looks for the usual
// spelling of the names; elsewhere they are the same in all cases. A GET it repeats unless there is a body that it cannot read again.
func onceOnly(r *http.Request) {
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if key, ok := r.Header[name]; ok {
			delete(r.Header, name)
			r.Header[strings.ToLower(name)] = key
		}
	}
	if r.Method == http.MethodGet {
		r.Body, r.GetBody = io.NopCloser(r.Body), nil
	}
}

func overlay(h, over http.Header) {
	for k, v := range over {
		h[http.CanonicalHeaderKey(k)] = v
	}
}

// Bearer is the header of that authentication.
func Bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// Scheme is an Authorization header of a scheme of the vendor's own.
func Scheme(name, credential string) http.Header {
	return http.Header{"Authorization": {name + " " + credential}}
}

// Basic is the header of that authentication.
func Basic(user, password string) http.Header {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(user, password)
	return r.Header
}

// Client puts the requests of one adapter on the wire.
type Client struct {
	vendor, chosen http.RoundTripper
	agent          string
	log            *slog.Logger
	now            func() time.Time // by which an answer's dates are read
}

// Client builds the HTTP client that every adapter uses.
func (d Deps) Client() *Client {
	d = d.withDefaults()
	return &Client{
		vendor: d.Vendor, chosen: d.Chosen,
		agent: "Carillon/" + d.Version, log: d.Log, now: d.Clock,
	}
}

// Do makes the call. The error is an *Error and means that there is no answer; every status is an answer. A redirect is one too: a signed
// or secret-bearing request must not be carried elsewhere. http.Client would want to know where it leads even so, and fails when that
// cannot be read.
func (c *Client) Do(ctx context.Context, r *Request) (*Answer, error) {
	var written atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(i httptrace.WroteRequestInfo) { written.Store(i.Err == nil) },
	})
	req, err := r.build(ctx, c.agent)
	if failure := AsError(err); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, Failf(Permanent, "the request could not be built")
	}
	way := c.vendor
	if r.Origin != OriginVendor {
		way = c.chosen
	}
	res, err := way.RoundTrip(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, ClassifyNet(err, written.Load(), r.Origin)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	a := &Answer{Status: res.StatusCode, Header: res.Header, Body: body, origin: r.Origin, secure: r.Secure, client: c}
	a.Broken = err != nil || len(body) > maxAnswer
	return a, nil
}

// Answer is what a vendor said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Broken bool // the body was cut off or too long

	origin Origin
	secure http.Header // of the request
	client *Client
	parsed any
	tried  bool
}

// OK reports whether the status is 2xx.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// byteOrderMark is what some servers put before their JSON.
const byteOrderMark = "\ufeff"

// JSON is the decoded body, numbers as json.Number; nil when the body is no JSON.
func (a *Answer) JSON() any {
	if !a.tried && !a.Broken {
		dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(a.Body, []byte(byteOrderMark))))
		dec.UseNumber()
		if dec.Decode(&a.parsed) != nil {
			a.parsed = nil
		}
	}
	a.tried = true
	return a.parsed
}

// At walks dotted paths (errors.0.message) through the JSON body and gives the first one that leads to a scalar, as text.
func (a *Answer) At(paths ...string) string {
	for _, p := range paths {
		if s := Text(walk(a.JSON(), p)); s != "" {
			return s
		}
	}
	return ""
}

// Value walks one dotted path through the JSON body; nil when it leads nowhere.
func (a *Answer) Value(path string) any { return walk(a.JSON(), path) }

func walk(v any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

// Failure is the error of an answer: its class by the default rules, the vendor's own code and words. Without words the
// usual places of an answer are searched, then its plain text.
func (a *Answer) Failure(code, text string) *Error {
	if text == "" {
		text = a.At("message", "error.message", "errors.0.message", "error", "errors.0", "detail", "description")
	}
	if text == "" {
		text = a.plainText()
	}
	hide := Redactor(a.tokens())
	return &Error{
		Class: ClassOfStatus(a.Status, a.origin), Status: a.Status, Code: hide(code), Text: hide(Storable(text)),
		RetryAfter: min(RetryAfter(a.Header, a.client.now()), longestPause), OfTarget: a.origin == OriginTarget,
	}
}

// tokens are what the request authenticated itself with. Access tokens are none of the integration's credentials, which are hidden
// where the adapter was opened.
func (a *Answer) tokens() (sent []string) {
	for _, values := range a.secure {
		for _, value := range values {
			if _, token, ok := strings.Cut(value, " "); ok {
				value = token // behind the scheme
			}
			if len(value) >= shortestToken {
				sent = append(sent, value)
			}
		}
	}
	return sent
}

// shortestToken: shorter values of such headers are names and versions, which an error may repeat.
const shortestToken = 12

// plainText is the body when a person can read it, else the name of the status. Of a redirect it is what to do about it: it is the answer
// to an address that was entered with http, or without its last part. Where it leads to may hold a secret.
func (a *Answer) plainText() string {
	if a.Status >= 300 && a.Status < 400 {
		return cmp.Or(strings.ToLower(http.StatusText(a.Status)), "redirect") + "; redirects are not followed: an address that you entered has to be the final one"
	}
	body := strings.TrimSpace(strings.ToValidUTF8(string(a.Body), ""))
	readable := body != "" && !a.Broken && !strings.HasPrefix(body, "<") && a.JSON() == nil
	if readable {
		return body
	}
	switch name := http.StatusText(a.Status); {
	case a.OK(): // its name would read as if all was well
		return fmt.Sprintf("the answer is of status %d, but says that the message was not taken", a.Status)
	case name != "":
		return strings.ToLower(name)
	}
	return "unexpected status"
}

// Accepted is the receipt of an answer that means yes. A missing id is noted in the log and never a reason to send again.
func (a *Answer) Accepted(ctx context.Context, m *Message, id string) *Receipt {
	if id == "" {
		a.client.log.WarnContext(ctx, "provider accepted a message without naming an id",
			slog.String("message_id", m.ID), slog.Int("status", a.Status), slog.Bool("answer_broken", a.Broken))
	}
	return &Receipt{ID: id}
}
