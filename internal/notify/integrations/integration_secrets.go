package integrations

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/variable"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	inboundWebhookEnabled    = "inboundWebhookEnabled"
	inboundWebhookSigningKey = "inboundWebhookSigningKey"
)

// clearCredentials are shown as they are; every other text is a secret (decisions.md §6).
var clearCredentials = []string{
	"from", "senderName", "domain", "host", "port", "region", "user", "accountSid", "applicationId", "clientId",
	"projectName", "messageProfileId", "senderId", "channelId", "ipPoolName", "baseUrl", "redirectUrl", "idPath", "datePath",
}

// booleanCredentials are the switches among the documented credentials.
var booleanCredentials = []string{"secure", "requireTls", "ignoreTls", "hmac", "authenticateByToken"}

// hiddenCredential is never shown, not even masked: it holds keys and certificates in unknown places.
const hiddenCredential = "tlsOptions"

// UsableCredentials decrypts the credentials of an integration and puts the values of variables in the place of their names,
// for those who call its provider. They are never shown. A variable that there is not is an error.
func (i *Integrations) UsableCredentials(ctx context.Context, found *ent.Integration) (provider.Credentials, error) {
	credentials, err := i.OpenCredentials(found)
	if err != nil {
		return nil, err
	}
	return withVariables(viewer.SystemContext(ctx), i.DB.Client(ctx), i.secrets, found.EnvironmentID, credentials)
}

// withVariables puts the values of an environment's variables in the place of their names. Cost: one query, none when
// credentials name no variable.
func withVariables(ctx context.Context, db *ent.Client, secrets *secret.Keeper, environmentID id.ID, credentials provider.Credentials) (provider.Credentials, error) {
	named := credentials.Variables()
	if len(named) == 0 {
		return credentials, nil
	}
	rows, err := db.Variable.Query().Where(variable.EnvironmentID(environmentID), variable.NameIn(named...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the variables of credentials: %w", err)
	}
	values := make(map[string]string, len(rows))
	for _, row := range rows {
		switch {
		case row.Value != nil:
			values[row.Name] = *row.Value
		default:
			if values[row.Name], err = provider.OpenVariable(secrets, row.ID, row.Sealed); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range named {
		if _, set := values[name]; !set {
			return nil, fault.Invalidf("credentials", "name the variable %s, which the environment does not have", name)
		}
	}
	return credentials.WithVariables(values), nil
}

// withVariablesOfViewer is withVariables of the environment that the viewer works in.
func (i *Integrations) withVariablesOfViewer(ctx context.Context, credentials provider.Credentials) (provider.Credentials, error) {
	v, err := usecase.Require(ctx, usecase.WriteIntegrations)
	if err != nil {
		return nil, err
	}
	return withVariables(ctx, i.DB.Client(ctx), i.secrets, v.EnvironmentID, credentials)
}

// OpenCredentials decrypts the credentials of an integration as they are stored. They are never shown.
func (i *Integrations) OpenCredentials(found *ent.Integration) (provider.Credentials, error) {
	return provider.OpenCredentials(i.secrets, found.ID, found.Credentials)
}

// ShownCredentials are the credentials of an integration as every door shows them: secrets masked, switches as
// booleans, everything else as text.
func (i *Integrations) ShownCredentials(ctx context.Context, found *ent.Integration) (map[string]any, error) {
	if _, err := usecase.Require(ctx, usecase.ReadIntegrations); err != nil {
		return nil, err
	}
	credentials, err := i.OpenCredentials(found)
	if err != nil {
		return nil, err
	}
	return maskedCredentials(credentials), nil
}

func maskedCredentials(credentials provider.Credentials) map[string]any {
	shown := make(map[string]any, len(credentials))
	for name := range credentials {
		switch {
		case name == hiddenCredential:
		case slices.Contains(booleanCredentials, name):
			shown[name] = credentials.Bool(name)
		case masked(name) || keyFile(credentials.String(name)):
			shown[name] = usecase.Mask
		default:
			shown[name] = credentials.String(name)
		}
	}
	return shown
}

// masked reports whether no value of a credential is shown, be it a secret of its provider or not.
func masked(name string) bool {
	return !slices.Contains(booleanCredentials, name) && !slices.Contains(clearCredentials, name)
}

// keyFile distinguishes a JSON document from a name: "user" is an older place of a service account with its private key
// (push-chat.md, fcm). A reference to a variable begins with two braces, as no document does.
func keyFile(text string) bool { return strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "{{") }

// ShownConfigurations are the configurations of an integration with the signing key masked; nil when nothing is set.
func (i *Integrations) ShownConfigurations(ctx context.Context, found *ent.Integration) (*IntegrationConfigurations, error) {
	if _, err := usecase.Require(ctx, usecase.ReadIntegrations); err != nil {
		return nil, err
	}
	stored, err := provider.OpenConfigurations(i.secrets, found.ID, found.Configurations)
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	shown := &IntegrationConfigurations{}
	if enabled, ok := stored[inboundWebhookEnabled].(bool); ok {
		shown.InboundWebhookEnabled = &enabled
	}
	if _, ok := stored[inboundWebhookSigningKey]; ok {
		mask := usecase.Mask
		shown.InboundWebhookSigningKey = &mask
	}
	return shown, nil
}

// CompareCredentials lays given credentials over those of an integration and returns both as ShownCredentials would show them.
// Whether a secret changes can be seen, not what it is or becomes.
func (i *Integrations) CompareCredentials(ctx context.Context, found *ent.Integration, given map[string]any) (before, after map[string]any, err error) {
	if _, err := usecase.Require(ctx, usecase.WriteIntegrations); err != nil {
		return nil, nil, err
	}
	stored, err := i.OpenCredentials(found)
	if err != nil {
		return nil, nil, err
	}
	wanted := merged(stored, given)
	before, after = maskedCredentials(stored), maskedCredentials(wanted)
	for name := range given {
		if before[name] == after[name] && !usecase.SameJSON(stored[name], wanted[name]) {
			after[name] = usecase.Mask + " (changed)"
		}
	}
	return before, after, nil
}

// WithoutSecrets is shown credentials without those that are masked.
func WithoutSecrets(shown map[string]any) map[string]any {
	out := maps.Clone(shown)
	maps.DeleteFunc(out, func(_ string, value any) bool { return value == usecase.Mask })
	return out
}
