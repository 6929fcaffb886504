package integrations

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
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

// OpenCredentials decrypts the credentials of an integration, for those who call its provider. They are never shown.
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
		case slices.Contains(clearCredentials, name) && !keyFile(credentials.String(name)):
			shown[name] = credentials.String(name)
		default:
			shown[name] = usecase.Mask
		}
	}
	return shown
}

// keyFile distinguishes a JSON document from a name: "user" is an older place of a service account with its private key
// (push-chat.md, fcm).
func keyFile(text string) bool { return strings.HasPrefix(text, "{") }

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
