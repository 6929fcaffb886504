package notify

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// BootstrapInput tells what an empty database starts with.
type BootstrapInput struct {
	// APIKey is the first environment's key; "" makes one.
	APIKey string
}

// BootstrapResult is what Bootstrap made. Without Created the database had an organization already and the rest is empty.
type BootstrapResult struct {
	Created      bool
	Organization *ent.Organization
	Environment  *ent.Environment
	Key          string // plaintext, which nobody can read again
}

// Bootstrap makes the first organization, environment and API key of an empty database. Several processes may do it at
// once and any number of times: the first one makes them, the others find them.
func (s *Services) Bootstrap(ctx context.Context, in BootstrapInput) (*BootstrapResult, error) {
	if len(in.APIKey) > maxNameLength || strings.ContainsFunc(in.APIKey, unicode.IsSpace) {
		return nil, fault.Invalidf("apiKey", "must have at most %d characters and no blanks", maxNameLength)
	}
	ctx = viewer.SystemContext(ctx)
	result := &BootstrapResult{}
	err := s.db.InTx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		if err := postgres.LockBootstrap(ctx, tx); err != nil {
			return err
		}
		some, err := tx.Ent.Organization.Query().Exist(ctx)
		if err != nil || some {
			return err
		}
		result, err = s.firstRecords(ctx, tx.Ent, in.APIKey)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bootstrap: %w", err)
	}
	return result, nil
}

func (s *Services) firstRecords(ctx context.Context, db *ent.Client, key string) (*BootstrapResult, error) {
	organization, err := db.Organization.Create().SetName("Carillon").Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create the organization: %w", err)
	}
	ctx = viewer.InScope(ctx, viewer.Scope{OrganizationID: organization.ID})
	name := "Development"
	environment, err := s.Environments.Create(ctx, CreateEnvironmentInput{Identifier: "development", Name: &name})
	if err != nil {
		return nil, fmt.Errorf("create the environment: %w", err)
	}
	if key == "" {
		key = auth.NewKey()
	}
	if _, err := storeKey(inside(ctx, environment), db, key, "First key", nil); err != nil {
		return nil, fmt.Errorf("create the API key: %w", err)
	}
	return &BootstrapResult{Created: true, Organization: organization, Environment: environment, Key: key}, nil
}
