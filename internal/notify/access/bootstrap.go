package access

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/apikey"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/viewer"
)

// BootstrapInput says what an installation starts with.
type BootstrapInput struct {
	// APIKey is the first environment's key; "" makes one.
	APIKey string
	// OrganizationKey is a key of the organization; "": none is made.
	OrganizationKey string
}

// BootstrapResult is what Bootstrap made. Without Created the installation was served before and the rest is empty.
type BootstrapResult struct {
	Created      bool
	Organization *ent.Organization
	Environment  *ent.Environment
	Key          string // plaintext, which cannot be read again; "" when a key was in use already
}

// Installation is the use cases of a database that is not served yet.
type Installation struct {
	usecase.Deps
	environments *Environments
}

// Bootstrap prepares an installation that is served for the first time: its organization, environment and first API key,
// whatever other commands made of them before. Several processes may do it at once and any number of times: the first one
// does it, the others find it done.
func (s *Installation) Bootstrap(ctx context.Context, in BootstrapInput) (*BootstrapResult, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	ctx = viewer.SystemContext(ctx)
	result := &BootstrapResult{}
	err := s.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		if err := pgaccess.LockBootstrap(ctx, tx); err != nil {
			return err
		}
		first, err := pgupkeep.MarkServed(ctx, tx)
		if err != nil || !first {
			return err
		}
		if result.Organization, result.Environment, err = s.firstEnvironment(ctx, tx.Ent); err != nil {
			return err
		}
		result.Created = true
		if err := s.firstOrganizationKey(ctx, tx.Ent, result.Organization, in.OrganizationKey); err != nil {
			return err
		}
		result.Key, err = s.firstKey(ctx, tx.Ent, result.Environment, in.APIKey)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bootstrap: %w", err)
	}
	return result, nil
}

func (in BootstrapInput) validate() error {
	var problems fault.Problems
	for name, key := range map[string]string{"apiKey": in.APIKey, "organizationKey": in.OrganizationKey} {
		if len(key) > usecase.MaxNameLength || strings.ContainsFunc(key, unicode.IsSpace) {
			problems.Add(name, nil, "must have at most %d characters and no blanks", usecase.MaxNameLength)
		}
	}
	if in.OrganizationKey != "" && in.OrganizationKey == in.APIKey {
		problems.Add("organizationKey", nil, "must be another key than that of the environment")
	}
	return problems.Err()
}

// firstOrganizationKey stores the organization's key that the operator chose, if one was.
func (s *Installation) firstOrganizationKey(ctx context.Context, db *ent.Client, owner *ent.Organization, chosen string) error {
	if chosen == "" {
		return nil
	}
	ctx = viewer.InScope(ctx, viewer.Scope{OrganizationID: owner.ID})
	_, err := storeOrganizationKey(ctx, db, chosen, CreateOrganizationKeyInput{
		Name: "First organization key", Scopes: viewer.OrganizationGrants(), ExpiresAt: s.Stamp().Add(maxOrganizationKeyLife),
	})
	if err != nil {
		return fmt.Errorf("make the organization key: %w", err)
	}
	return nil
}

// Install makes the organization and the environment of an empty database, for commands that run before the first serve.
// The key waits for that, which shows it.
func (s *Installation) Install(ctx context.Context) error {
	err := s.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		if err := pgaccess.LockBootstrap(ctx, tx); err != nil {
			return err
		}
		_, _, err := s.firstEnvironment(ctx, tx.Ent)
		return err
	})
	if err != nil {
		return fmt.Errorf("install: %w", err)
	}
	return nil
}

// firstEnvironment is the oldest environment of the oldest organization; both are made when there are none.
func (s *Installation) firstEnvironment(ctx context.Context, db *ent.Client) (*ent.Organization, *ent.Environment, error) {
	owner, err := db.Organization.Query().Order(organization.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		owner, err = db.Organization.Create().SetName("Carillon").Save(ctx)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("make the organization: %w", err)
	}
	ctx = viewer.InScope(ctx, viewer.Scope{OrganizationID: owner.ID})
	first, err := db.Environment.Query().Order(environment.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		name := "Development"
		first, err = s.environments.Create(ctx, CreateEnvironmentInput{Identifier: "development", Name: &name})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("make the environment: %w", err)
	}
	return owner, first, nil
}

// firstKey stores the key that the operator chose, or a new one when no key of the environment has been used: one that
// another command printed may have been lost.
func (s *Installation) firstKey(ctx context.Context, db *ent.Client, env *ent.Environment, chosen string) (string, error) {
	ctx = inside(viewer.InScope(ctx, viewer.Scope{OrganizationID: env.OrganizationID}), env)
	key := chosen
	if chosen == "" {
		used, err := db.APIKey.Query().Where(apikey.LastUsedAtNotNil(), apikey.RevokedAtIsNil()).Exist(ctx)
		if err != nil || used {
			return "", err
		}
		key = auth.NewKey(s.Cell)
	}
	known, err := db.APIKey.Query().Where(apikey.Hash(auth.HashKey(key))).Exist(ctx)
	if err != nil || known {
		return key, err
	}
	if _, err := storeKey(ctx, db, key, "First key", viewer.FullGrants, nil); err != nil {
		return "", fmt.Errorf("make the API key: %w", err)
	}
	return key, nil
}
