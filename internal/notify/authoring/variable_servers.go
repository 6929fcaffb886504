package authoring

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
)

type givenCredentials struct{}

// WithCredentials carries the credentials that a document gives, by the identifiers of integrations: a variable of the same document may
// then lead these integrations to another server.
func WithCredentials(ctx context.Context, given map[string]map[string]any) context.Context {
	return context.WithValue(ctx, givenCredentials{}, given)
}

// keepServers refuses a value of a variable that decides the server of an integration whose secrets are stored: they would be sent to the
// new one, where whoever set the value could read them.
func (v *Variables) keepServers(ctx context.Context, db *ent.Client, name string, using []*ent.Integration) error {
	all, _ := ctx.Value(givenCredentials{}).(map[string]map[string]any)
	problems := fault.Problems{}
	for _, i := range using {
		credentials, err := provider.OpenCredentials(v.secrets, i.ID, i.Credentials)
		if err != nil {
			return err
		}
		definition, known := v.providers.Lookup(i.ProviderID)
		if !known || !definition.ServerOf(credentials, name) {
			continue
		}
		kept := slices.DeleteFunc(definition.Sent(credentials), func(secret string) bool {
			value, given := all[i.Identifier][secret]
			return given && value != usecase.Mask
		})
		connected, err := usecase.HoldsTokens(ctx, db, i.ID)
		if err != nil {
			return err
		}
		if connected {
			kept = append(kept, "tokens of connected workspaces")
		}
		if len(kept) > 0 {
			problems.Add("value", nil, "decides the server of the integration %s, which its stored %s would be sent to: write the address into the integration, together with these",
				i.Identifier, strings.Join(kept, " and "))
		}
	}
	return problems.Err()
}

// holds reports whether a variable has a value already.
func (v *Variables) holds(found *ent.Variable, value string) (bool, error) {
	if !found.Secret {
		return found.Value != nil && *found.Value == value, nil
	}
	stored, err := provider.OpenVariable(v.secrets, found.ID, found.Sealed)
	return stored == value, err
}
