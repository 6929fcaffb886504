package audience

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
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

// Masked is a stored webhook URL of the viewer's environment as workflow.MaskedURL shows it.
func (w *WebhookURLs) Masked(ctx context.Context, stored string) string {
	v, _ := viewer.FromContext(ctx)
	return workflow.MaskedURL(w.Open(v.Scope.EnvironmentID, stored))
}

// Overrides are the stored overrides of an event as they are shown: each webhook URL as workflow.MaskedURL.
func (w *WebhookURLs) Overrides(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.OverrideURLs)
}

// OpenOverrides are stored overrides with their webhook URLs in clear.
func (w *WebhookURLs) OpenOverrides(environmentID string, stored map[string]any) (map[string]any, error) {
	return changedURLs(stored, func(v any) (any, error) { return w.secrets.OpenURLs(environmentID, v, secret.OverrideURLs) })
}

// SealOverrides are overrides in clear as they are stored: their webhook URLs sealed.
func (w *WebhookURLs) SealOverrides(environmentID string, given map[string]any) (map[string]any, error) {
	return changedURLs(given, func(v any) (any, error) { return w.secrets.SealGivenURLs(environmentID, v, secret.OverrideURLs) })
}

func changedURLs(object map[string]any, change func(any) (any, error)) (map[string]any, error) {
	if object == nil {
		return nil, nil
	}
	v, err := change(object)
	changed, _ := v.(map[string]any)
	return changed, err
}

// KeepMasked are overrides that a caller gave for those that are opened: where a webhook URL is what Overrides shows of the one at the same
// place, that one stays.
func KeepMasked(given, opened map[string]any) map[string]any {
	kept, _ := keepMasked(given, maskedAt(opened, secret.OverrideURLs, workflow.MaskedURL), opened).(map[string]any)
	return kept
}

func keepMasked(given, shown, opened any) any {
	switch given := given.(type) {
	case string:
		if given == shown {
			return opened
		}
	case map[string]any:
		shown, _ := shown.(map[string]any)
		opened, _ := opened.(map[string]any)
		out := maps.Clone(given)
		for name := range shown {
			if v, is := given[name]; is {
				out[name] = keepMasked(v, shown[name], opened[name])
			}
		}
		return out
	case []any:
		shown, _ := shown.([]any)
		opened, _ := opened.([]any)
		out := slices.Clone(given)
		for i := range min(len(given), len(shown)) {
			out[i] = keepMasked(given[i], shown[i], opened[i])
		}
		return out
	}
	return given
}

// IsMasked reports whether a webhook URL in overrides is as Overrides shows one.
func IsMasked(overrides map[string]any) (masked bool) {
	maskedAt(overrides, secret.OverrideURLs, func(url string) string {
		masked = masked || workflow.IsMaskedURL(url)
		return url
	})
	return masked
}

// Recipients are the stored recipients of an event as they are shown: each webhook URL as workflow.MaskedURL.
func (w *WebhookURLs) Recipients(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.RecipientURLs)
}

// Actor is the stored actor of an event as it is shown: each webhook URL as workflow.MaskedURL.
func (w *WebhookURLs) Actor(environmentID string, stored map[string]any) map[string]any {
	return w.shown(environmentID, stored, secret.ActorURLs)
}

// shown masks what SealAccepted seals, at the same places: no door has a URL in clear that it could forget to mask.
func (w *WebhookURLs) shown(environmentID string, stored map[string]any, places secret.URLPlaces) map[string]any {
	return maskedAt(stored, places, func(text string) string { return workflow.MaskedURL(w.Open(environmentID, text)) })
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
