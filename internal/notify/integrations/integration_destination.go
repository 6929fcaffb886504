package integrations

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
)

// checkDestination refuses a change that would send a stored secret to another server, where whoever made the change could read it: the
// secret is given in the same change, or is not sent. Tokens of connected workspaces cannot be given there.
func (i *Integrations) checkDestination(
	ctx context.Context, problems *fault.Problems, found *ent.Integration, given map[string]any, wanted provider.Credentials,
) error {
	definition, known := i.providers.Lookup(found.ProviderID)
	if !known || len(given) == 0 {
		return nil
	}
	stored, err := i.OpenCredentials(found)
	if err != nil {
		return err
	}
	moved := definition.Moved(stored, wanted)
	if moved == "" {
		return nil
	}
	for _, name := range definition.Sent(stored) {
		_, stays := wanted[name]
		if value := plain(given[name]); stays && (value == nil || value == usecase.Mask) {
			problems.Add("credentials."+name, nil, "must be given again, since %s changes the server that it is sent to", moved)
		}
	}
	connected, err := usecase.HoldsTokens(ctx, i.DB.Client(ctx), found.ID)
	if connected {
		problems.Add("credentials."+moved, nil,
			"leads to another server, to which the tokens of connected workspaces would be sent: remove these, or make another integration")
	}
	return err
}
