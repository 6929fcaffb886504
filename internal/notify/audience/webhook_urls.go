package audience

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// WebhookURLs opens the webhook URLs of subscribers, which are sealed where they are stored, for those who may see them.
type WebhookURLs struct{ secrets *secret.Keeper }

// NewWebhookURLs returns the use cases for URLs sealed with secrets.
func NewWebhookURLs(secrets *secret.Keeper) *WebhookURLs { return &WebhookURLs{secrets} }

// Open is a stored webhook URL of an environment in clear; Mask when it cannot be opened.
func (w *WebhookURLs) Open(environmentID, stored string) string {
	opened, err := w.secrets.OpenURL(environmentID, stored)
	if err != nil {
		return usecase.Mask
	}
	return opened
}

// Masked is a stored webhook URL of the viewer's environment as MaskedURL shows it.
func (w *WebhookURLs) Masked(ctx context.Context, stored string) string {
	v, _ := viewer.FromContext(ctx)
	return MaskedURL(w.Open(v.Scope.EnvironmentID, stored))
}

// Overrides are the stored overrides of an event as they are shown: each webhook URL as MaskedURL.
func (w *WebhookURLs) Overrides(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.OverrideURLs)
}

// Recipients are the stored recipients of an event as they are shown: each webhook URL as MaskedURL.
func (w *WebhookURLs) Recipients(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.RecipientURLs)
}

// Actor is the stored actor of an event as it is shown: each webhook URL as MaskedURL.
func (w *WebhookURLs) Actor(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.ActorURLs)
}

// shown masks what SealAccepted seals, at the same places: no door has a URL in clear that it could forget to mask.
func (w *WebhookURLs) shown(environmentID string, stored map[string]any, places secret.URLPlaces) map[string]any {
	return maskedAt(stored, places, func(text string) string { return MaskedURL(w.Open(environmentID, text)) })
}

func maskedAt(stored map[string]any, places secret.URLPlaces, mask func(string) string) map[string]any {
	if stored == nil {
		return nil
	}
	object, _ := places.Replace(stored, mask).(map[string]any)
	return object
}

// SealAccepted seals the webhook URLs of an event that is about to be stored.
func (w *WebhookURLs) SealAccepted(a *accept.Acceptance) (err error) {
	if a.Recipients, err = w.sealJSON(a.EnvironmentID, a.Recipients, secret.RecipientURLs); err != nil {
		return err
	}
	if a.Actor, err = w.sealJSON(a.EnvironmentID, a.Actor, secret.ActorURLs); err != nil {
		return err
	}
	a.Overrides, err = w.sealJSON(a.EnvironmentID, a.Overrides, secret.OverrideURLs)
	return err
}

// sealJSON decodes only what may hold a URL: nearly no trigger brings one along.
func (w *WebhookURLs) sealJSON(environmentID string, raw []byte, places secret.URLPlaces) ([]byte, error) {
	if !bytes.Contains(raw, []byte("webhookUrl")) && !bytes.Contains(raw, []byte(`"endpoint"`)) && !bytes.Contains(raw, []byte(`\u`)) {
		return raw, nil
	}
	var v any
	if err := usecase.DecodeJSON(raw, &v); err != nil {
		return nil, err
	}
	sealed, err := w.secrets.SealGivenURLs(environmentID, v, places)
	if err != nil {
		return nil, err
	}
	return json.Marshal(sealed)
}

// MaskedURL is a webhook's URL as far as it may be shown where the API document does not ask for it: where it leads, not
// what opens the door there.
func MaskedURL(webhook string) string {
	if webhook == "" {
		return ""
	}
	u, err := url.Parse(webhook)
	if err != nil || u.Host == "" {
		return usecase.Mask
	}
	return u.Scheme + "://" + u.Host + "/" + usecase.Mask
}
