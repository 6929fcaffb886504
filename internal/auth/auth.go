// Package auth turns credentials into viewers. No answer is kept for the next request, or counts before it is confirmed (Assumption): a
// revoked key ends at once, in every process.
package auth

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what the Authenticator needs.
type Config struct {
	DB     *postgres.DB
	Now    func() time.Time // real time
	Logger *slog.Logger
	// Secrets opens what subscribers' front ends show; nil: only API keys are taken.
	Secrets *secret.Keeper
	// Cell is this installation's; a credential that names another is refused with that reason.
	Cell Cell
	// RefuseUnknown keeps a subscriber hash from making a subscriber that is not known yet.
	RefuseUnknown bool
}

// Authenticator identifies the sender of a request.
type Authenticator struct {
	db      *postgres.DB
	now     func() time.Time
	secrets *secret.Keeper
	cell    Cell
	refuse  bool // unknown subscribers
	keys    *lookups
	uses    *uses
}

// New builds an Authenticator. Close it, so that the last uses of keys are recorded.
func New(cfg Config) *Authenticator {
	return &Authenticator{
		db:      cfg.DB,
		now:     cfg.Now,
		secrets: cfg.Secrets,
		cell:    cfg.Cell,
		refuse:  cfg.RefuseUnknown,
		keys:    newLookups(cfg.DB),
		uses: &uses{record: func(ctx context.Context, used map[string]time.Time) error {
			return pgaccess.RecordKeyUse(ctx, cfg.DB, used)
		}, logger: cfg.Logger},
	}
}

const howTo = "Send an API key: Authorization: ApiKey <key>."

// Authenticate returns the viewer that an Authorization header names (decisions.md §13). Errors are
// fault.Unauthenticated, fault.Forbidden for a good key of something suspended, and fault.Unavailable, also while the organization is
// moved to another cell.
func (a *Authenticator) Authenticate(ctx context.Context, header string) (viewer.Viewer, error) {
	scheme, credential := credentialOf(header)
	switch {
	case scheme == "":
		return viewer.Viewer{}, fault.Unauthenticatedf(howTo)
	case isSession(scheme, credential):
		return a.bySession(ctx, credential)
	case strings.EqualFold(scheme, "Bearer"):
		return viewer.Viewer{}, fault.Unauthenticatedf("The token is not that of a user's log-in. " + howTo)
	case !strings.EqualFold(scheme, "ApiKey"):
		return viewer.Viewer{}, fault.Unauthenticatedf("This kind of credential is not accepted. " + howTo)
	case credential == "":
		return viewer.Viewer{}, fault.Unauthenticatedf("The API key is empty. " + howTo)
	}
	return a.byKey(ctx, credential)
}

// credentialOf is the scheme of an Authorization header and the credential behind it.
func credentialOf(header string) (scheme, credential string) {
	scheme, credential, _ = strings.Cut(strings.TrimSpace(header), " ")
	return scheme, strings.TrimSpace(credential)
}

func (a *Authenticator) byKey(ctx context.Context, key string) (viewer.Viewer, error) {
	found, err := a.keys.get(ctx, HashKey(key))
	if err != nil {
		return viewer.Viewer{}, err
	}
	return a.named(key, found) //nolint:contextcheck // see named
}

// named is the viewer that a key names, by what it was found to give access to. The use that it notes is written on no request's time.
func (a *Authenticator) named(key string, found *pgaccess.FoundKey) (viewer.Viewer, error) {
	now := a.now()
	v, err := viewerOf(found.KeyAccess, found.OK, now)
	if !found.OK {
		return v, a.cell.misrouted(key, err)
	}
	if err == nil {
		a.uses.note(found.KeyID, now)
	}
	return v, err
}

// KeyViewer returns the viewer that an API key names, for a request that another credential authenticates. Errors are those
// of Authenticate.
func KeyViewer(ctx context.Context, db *postgres.DB, key string, now time.Time) (viewer.Viewer, error) {
	rows, err := pgaccess.FindKeys(ctx, db, [][]byte{HashKey(key)})
	if err != nil {
		return viewer.Viewer{}, err
	}
	if len(rows) == 0 {
		return viewerOf(pgaccess.KeyAccess{}, false, now)
	}
	return viewerOf(rows[0], true, now)
}

func viewerOf(access pgaccess.KeyAccess, found bool, now time.Time) (viewer.Viewer, error) {
	switch {
	case !found, access.RevokedAt != nil:
		return viewer.Viewer{}, fault.Unauthenticatedf("The API key is not valid.")
	case access.ExpiresAt != nil && !now.Before(*access.ExpiresAt):
		return viewer.Viewer{}, fault.Unauthenticatedf("The API key has expired.")
	}
	if err := access.Standing.Err(); err != nil {
		return viewer.Viewer{}, err
	}
	v := viewer.Viewer{Scope: access.Scope, Role: viewer.RoleKey, Grants: access.Grants, APIKeyID: access.KeyID, UserID: access.UserID, Name: access.Name}
	if access.EnvironmentID == "" {
		v.Role, v.APIKeyID, v.OrganizationKeyID = viewer.RoleOrganizationKey, "", access.KeyID
	}
	return v, nil
}

// Close records the last uses of keys. It is safe to call twice.
func (a *Authenticator) Close(ctx context.Context) error { return a.uses.flush(ctx) }

// flushEvery is how often uses are recorded, so that a key's use costs no write of its own.
const flushEvery = time.Minute

// uses gathers when keys were last used.
type uses struct {
	record func(context.Context, map[string]time.Time) error
	logger *slog.Logger

	mu        sync.Mutex
	pending   map[string]time.Time
	flushedAt time.Time
	writing   sync.WaitGroup
}

// note remembers a use, and starts recording what is pending once a minute.
func (u *uses) note(keyID string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pending == nil {
		u.pending = map[string]time.Time{}
	}
	if at.After(u.pending[keyID]) {
		u.pending[keyID] = at
	}
	if at.Sub(u.flushedAt) < flushEvery {
		return
	}
	batch := u.pending
	u.pending, u.flushedAt = nil, at
	u.writing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // no request's time
		defer cancel()
		if err := u.record(ctx, batch); err != nil {
			u.logger.WarnContext(ctx, "uses of API keys not recorded", "error", err.Error())
		}
	})
}

func (u *uses) flush(ctx context.Context) error {
	u.writing.Wait()
	u.mu.Lock()
	batch := u.pending
	u.pending = nil
	u.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	return u.record(ctx, batch)
}
