package rest

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
)

// callers remembers how requests with a credential wait, so that past capacity they wait, and are refused, before anything is
// looked up for them. It decides nothing else: the credential is checked when the request's turn has come.
type callers struct {
	mu    sync.Mutex
	calls *simplelru.LRU[string, admission.Request] // by the Authorization header
}

const (
	maxCallers = 4096
	maxHeader  = 512 // of a credential that is remembered
)

func newCallers() *callers {
	calls, err := simplelru.NewLRU[string, admission.Request](maxCallers, nil)
	if err != nil {
		panic(err) // its size is positive
	}
	return &callers{calls: calls}
}

func (c *callers) get(header string) (admission.Request, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls.Get(header)
}

func (c *callers) set(header string, call admission.Request, good bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if good && len(header) <= maxHeader {
		c.calls.Add(header, call)
	} else {
		c.calls.Remove(header)
	}
}

// enter admits a request and waits for its turn, which ends with leave. The body is read before: a slow sender
// delays no other request.
func (s *server) enter(r *request) (leave func(), err error) {
	header := r.Header.Get("Authorization")
	call, known := s.callers.get(header)
	if !known {
		if err := s.admit(r); err != nil {
			return nil, err
		}
		call = admission.RequestOf(r.viewer)
		s.callers.set(header, call, true)
	}
	intake.Own(r.Context(), call.Environment)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		r.body, r.bodyErr = readBody(r)
		if k := fault.KindOf(r.bodyErr); r.bodyErr != nil && (k == fault.TooSlow || k == fault.Unavailable) {
			return nil, r.bodyErr // nothing more can be done for it
		}
	}
	call.Accepts, call.Urgent = r.route.accepts(), s.urgent(r, call.Environment)
	leave, err = s.Gates.Enter(r.Context(), call)
	if err != nil || !known {
		return leave, err //nolint:wrapcheck // classified
	}
	if err := s.admit(r); err != nil {
		leave()
		s.callers.set(header, call, false)
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
