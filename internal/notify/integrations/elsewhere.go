package integrations

import (
	"context"

	"github.com/carillon/carillon/ent"
	entenvironment "github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
)

// Elsewhere is the failure of a public address whose organization has moved to another cell. The same path does it there.
type Elsewhere struct{ URL string }

// Error names the cell's address.
func (e *Elsewhere) Error() string { return "the address leads to " + e.URL + " now" }

// elsewhere is an *Elsewhere when an organization has moved, and the operator said whereto.
func elsewhere(owner *ent.Organization) error {
	if owner.Move != organization.MoveMoved || owner.MovedURL == "" {
		return nil
	}
	return &Elsewhere{URL: owner.MovedURL}
}

// orElsewhere returns an *Elsewhere when the organization of an environment has moved, and otherwise err.
func (r *Receipts) orElsewhere(ctx context.Context, environmentID string, err error) error {
	environment, missing := r.DB.Client(ctx).Environment.Query().Where(entenvironment.ID(environmentID)).WithOrganization().Only(ctx)
	if missing != nil {
		return postgres.Translate(usecase.NotFound(missing, "This address receives nothing."))
	}
	if moved := elsewhere(environment.Edges.Organization); moved != nil {
		return moved
	}
	return err
}
