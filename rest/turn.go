package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// callers remembers who sent requests with a credential, so that past capacity they wait, and are refused, before anything is looked up
// for them, and that a trigger can be planned while its credential is (see assume). It lets no request through: each credential
// is looked up when the request's turn has come.
type callers struct {
	mu      sync.Mutex
	viewers *simplelru.LRU[string, viewer.Viewer] // by the Authorization header
}

const (
	maxCallers = 4096
	maxHeader  = 512 // of a credential that is remembered
)

func newCallers() *callers {
	viewers, err := simplelru.NewLRU[string, viewer.Viewer](maxCallers, nil)
	if err != nil {
		panic(err) // its size is positive
	}
	return &callers{viewers: viewers}
}

func (c *callers) get(header string) (viewer.Viewer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.viewers.Get(header)
}

func (c *callers) set(header string, v viewer.Viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(header) <= maxHeader {
		c.viewers.Add(header, v)
	}
}

func (c *callers) forget(header string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.viewers.Remove(header)
}

// enter admits a request and waits for its turn, which ends with leave. The body is read before: a slow sender
// delays no other request.
func (s *server) enter(r *request) (leave func(), err error) {
	header := r.Header.Get("Authorization")
	last, known := s.callers.get(header)
	if !known {
		if err := s.admit(r); err != nil {
			return nil, err
		}
		last = r.viewer
	}
	call := admission.RequestOf(last)
	intake.Own(r.Context(), call.Environment)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		r.body, r.bodyErr = readBody(r)
		if k := fault.KindOf(r.bodyErr); r.bodyErr != nil && (k == fault.TooSlow || k == fault.Unavailable) {
			return nil, r.bodyErr // nothing more can be done for it
		}
		if r.bodyErr != nil {
			// Who breaks off may have closed the connection, which ends the context, and may read the answer all the same. What is
			// left to do is to look the credential up.
			r.Request = r.WithContext(context.WithoutCancel(r.Context()))
		}
	}
	call.Accepts = r.route.accepts()
	call.Judge = func() bool { return s.urgent(r, call.Environment) }
	leave, err = s.Gates.Enter(r.Context(), call)
	switch {
	case err != nil || !known:
		return leave, err //nolint:wrapcheck // classified
	case s.assume(r, last):
		return leave, nil
	}
	if err := s.admit(r); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// maxPeeked is the length up to which a body is read for the workflow that it names, before its turn has come.
const maxPeeked = 64 << 10

// urgent reports whether a request triggers a workflow that is known to be urgent.
func (s *server) urgent(r *request, environmentID string) bool {
	if r.route.Pattern != triggerPattern || len(r.body) > maxPeeked {
		return false
	}
	var named struct{ Name string }
	return json.Unmarshal(r.body, &named) == nil && s.Resolvers.Services.Triggers.Urgent(environmentID, named.Name)
}
