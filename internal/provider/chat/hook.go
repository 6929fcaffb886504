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
