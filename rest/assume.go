package rest

import (
	"errors"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// assume takes the credential of a request for one that still names the viewer that it named before, and reports whether it may: the
// request accepts events, which waits for the credential before it stores them and does nothing else before. The credential is read
// together with what the events depend on, which saves a round trip.
func (s *server) assume(r *request, before viewer.Viewer) bool {
	if !r.route.accepts() || r.Header.Get(intake.HeaderKey) != "" {
		return false
	}
	r.assumed = s.Auth.Assume(r.Header.Get("Authorization"), before)
	return r.assumed != nil
}

// confirmed runs an operation for the viewer that is assumed. What comes of it counts only when the credential still names that viewer.
func (s *server) confirmed(r *request, operate func() (*Reply, error)) (*Reply, error) {
	assumed, before := r.assumed, r.Request
	r.Request = r.WithContext(viewer.NewContext(r.Context(), assumed.Viewer))
	reply, err := call(func() (*Reply, error) {
		if err := s.permit(r, assumed.Viewer); err != nil {
			return nil, err
		}
		return operate()
	})
	failed := assumed.Confirm(before.Context())
	if failed == nil {
		return reply, err
	}
	s.callers.forget(r.Header.Get("Authorization"))
	r.viewer, r.Request, r.assumed = viewer.Viewer{}, before, nil
	if !errors.Is(failed, auth.ErrOtherRights) {
		return nil, failed //nolint:wrapcheck // classified
	}
	if err := s.admit(r); err != nil {
		return nil, err
	}
	return operate()
}
