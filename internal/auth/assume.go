package auth

import (
	"context"
	"errors"
	"strings"

	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// Assumption is the viewer that an API key named before, for a request that is worked on before it is known whether the key still names
// it. Nothing may be stored or answered for the request before Confirm has returned nil. It is one request's, and not for
// concurrent use.
type Assumption struct {
	Viewer viewer.Viewer

	by        *Authenticator
	key       string
	check     pgaccess.KeyCheck
	confirmed bool
	err       error // why not
}

// ErrOtherRights says that a key names another viewer than it did before, such as one with other scopes.
var ErrOtherRights = errors.New("the API key has other rights than it had before")

// Assume returns the assumption that an Authorization header still names the viewer that it named before; nil for a header that
// has no API key.
func (a *Authenticator) Assume(header string, before viewer.Viewer) *Assumption {
	scheme, key := credentialOf(header)
	if !strings.EqualFold(scheme, "ApiKey") || before.APIKeyID == "" {
		return nil
	}
	return &Assumption{Viewer: before, by: a, key: key, check: pgaccess.KeyCheck{Hash: HashKey(key)}}
}

// Check is the key, which Confirm does not read by itself when it was read with other facts.
func (s *Assumption) Check() *pgaccess.KeyCheck { return &s.check }

// Confirm returns why the viewer is not the one that was assumed: the errors of Authenticate, or ErrOtherRights.
func (s *Assumption) Confirm(ctx context.Context) error {
	if !s.confirmed {
		s.err = s.confirm(ctx)
		s.confirmed = true
	}
	return s.err
}

// Reset lets Confirm judge anew, by a key that is read again.
func (s *Assumption) Reset() {
	s.check.Reset()
	s.confirmed, s.err = false, nil
}

func (s *Assumption) confirm(ctx context.Context) error {
	v, err := s.named(ctx)
	if err == nil && v != s.Viewer {
		return ErrOtherRights
	}
	return err
}

// named is the viewer that the key names now.
func (s *Assumption) named(ctx context.Context) (viewer.Viewer, error) {
	if found := s.check.Found(); found != nil {
		return s.by.named(s.key, found) //nolint:contextcheck // see Authenticator.named
	}
	return s.by.byKey(ctx, s.key)
}
