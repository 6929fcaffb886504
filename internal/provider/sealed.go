package provider

import (
	"encoding/json"
	"fmt"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/secret"
)

// The kinds of sealed texts; each is bound to its record under its own name, so that none can be moved.
const (
	sealedCredentials    = "integration.credentials:"
	sealedConfigurations = "integration.configurations:"
	sealedToken          = "channel_connection.access_token:"
	sealedVariable       = "variable.value:"
	sealedWebhookSecret  = "webhook_endpoint.secret:"
)

// SealCredentials encrypts the credentials of an integration for storage; nil when there are none.
func SealCredentials(k *secret.Keeper, integrationID id.ID, c Credentials) ([]byte, error) {
	return sealObject(k, sealedCredentials+integrationID, c)
}

// OpenCredentials decrypts what SealCredentials made; empty credentials when nothing is stored.
func OpenCredentials(k *secret.Keeper, integrationID id.ID, sealed []byte) (Credentials, error) {
	return openObject(k, sealedCredentials+integrationID, sealed)
}

// SealConfigurations encrypts the configurations of an integration for storage; nil when there are none.
func SealConfigurations(k *secret.Keeper, integrationID id.ID, c map[string]any) ([]byte, error) {
	return sealObject(k, sealedConfigurations+integrationID, c)
}

// OpenConfigurations decrypts what SealConfigurations made; an empty object when nothing is stored.
func OpenConfigurations(k *secret.Keeper, integrationID id.ID, sealed []byte) (map[string]any, error) {
	return openObject(k, sealedConfigurations+integrationID, sealed)
}

// SealToken encrypts the access token of a channel connection for storage; nil for an empty token.
func SealToken(k *secret.Keeper, connectionID id.ID, token string) ([]byte, error) {
	if token == "" {
		return nil, nil
	}
	return k.Seal([]byte(token), sealedToken+connectionID)
}

// OpenToken decrypts what SealToken made; "" when nothing is stored.
func OpenToken(k *secret.Keeper, connectionID id.ID, sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	token, err := k.Open(sealed, sealedToken+connectionID)
	if err != nil {
		return "", fmt.Errorf("access token of channel connection %s: %w", connectionID, err)
	}
	return string(token), nil
}

func sealObject(k *secret.Keeper, name string, object map[string]any) ([]byte, error) {
	if len(object) == 0 {
		return nil, nil
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", name, err)
	}
	return k.Seal(raw, name)
}

func openObject(k *secret.Keeper, name string, sealed []byte) (map[string]any, error) {
	object := map[string]any{}
	if len(sealed) == 0 {
		return object, nil
	}
	raw, err := k.Open(sealed, name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return object, nil
}
