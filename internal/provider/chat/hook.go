package chat

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// hook is the adapter of a chat system that takes messages at an address of the target's own. The system's file writes the
// body and reads the answer; what is the same for all of them happens here.
type hook struct {
	client *provider.Client
	style  provider.Style
	body   func(m *provider.Message) map[string]any
	path   string // behind the target's address, which is a server's then
	query  url.Values
	secure http.Header
	own    []string // overrides that body reads itself
	server string   // the only server that secure is sent to; "": that of each target
	// read is nil where every 2xx is a yes without an id.
	read func(ans *provider.Answer) (*provider.Receipt, *provider.Error)
}

var webhookOnly = []workflow.EndpointType{workflow.EndpointWebhook}

// Send posts one message.
func (h *hook) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	u, err := webhookURL(m)
	if err != nil {
		return nil, err
	}
	if err := h.admits(u); err != nil {
		return nil, err
	}
	if h.path != "" {
		u = strings.TrimRight(u, "/") + h.path
	}
	req := &provider.Request{
		URL: u, Origin: provider.OriginTarget, Query: h.query, Secure: h.secure,
		Body: &provider.JSON{Root: h.body(m)},
	}
	apply(req, m, h.style, append(h.own, interpreted...)...)
	ans, err := h.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	receipt, failure := &provider.Receipt{}, (*provider.Error)(nil)
	if h.read != nil {
		receipt, failure = h.read(ans)
	}
	switch {
	case failure != nil:
		return nil, failure
	case !ans.OK():
		return nil, ans.Failure("", "")
	}
	return receipt, nil
}

// fieldServer keeps the credentials of an integration from servers that whoever triggers an event, or changes a subscriber, chooses.
var fieldServer = provider.Field{
	Name: "baseUrl", Label: "The only server that targets may name, any when empty", Kind: provider.KindURL, Destination: true,
}

// admits fails for a target at another server than the credentials are for.
func (h *hook) admits(target string) error {
	if h.server == "" {
		return nil
	}
	server, err := url.Parse(h.server)
	if err != nil {
		return provider.Failf(provider.Fault, "the credential baseUrl is no address")
	}
	if u, err := url.Parse(target); err != nil || u.Scheme != server.Scheme || !strings.EqualFold(u.Host, server.Host) {
		failure := provider.Failf(provider.Permanent, "the target is at another server than the integration's baseUrl")
		failure.OfTarget = true
		return failure
	}
	return nil
}

// text is a body of one member, which most systems call so.
func text(m *provider.Message) map[string]any { return map[string]any{"text": m.Content.Body} }

// header reads the id from a header of the answer.
func header(name string) func(*provider.Answer) (*provider.Receipt, *provider.Error) {
	return func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
		return &provider.Receipt{ID: ans.Header.Get(name)}, nil
	}
}

// refused is the failure of an answer that says no, whatever its status.
func refused(ans *provider.Answer, code, text string) (*provider.Receipt, *provider.Error) {
	return nil, ans.Failure(code, cmp.Or(text, code))
}
