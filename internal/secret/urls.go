package secret

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SealedPrefix begins the text of a sealed URL. No URL begins with it, so texts that were stored before URLs were sealed
// are recognized.
const SealedPrefix = "sealed:"

// sealedURL binds URLs to their environment, not to a record: a trigger's URL moves on to channel settings and messages.
const sealedURL = "webhook_url:"

// URLPlaces are the places of webhook URLs in decoded JSON: "*" is every item of a list, "**" any depth.
type URLPlaces [][]string

// The JSON that holds webhook URLs of subscribers.
var (
	SettingURLs   = URLPlaces{{"webhookUrl"}}
	EndpointURLs  = URLPlaces{{"url"}}
	SettingsURLs  = URLPlaces{{"*", "credentials", "webhookUrl"}}
	ActorURLs     = URLPlaces{{"channels", "*", "credentials", "webhookUrl"}}
	RecipientURLs = URLPlaces{{"direct", "*", "channels", "*", "credentials", "webhookUrl"}}
	EnvelopeURLs  = URLPlaces{{"endpoint", "url"}, {"channels", "*", "credentials", "webhookUrl"}}
	OverrideURLs  = URLPlaces{{"**", "webhookUrl"}, {"**", "endpoint", "url"}}
)

var errNoKey = errors.New("there is no secret key")

// SealURL encrypts a webhook URL for the records of an environment. What is sealed already stays as it is, and "" too.
func (k *Keeper) SealURL(environmentID, url string) (string, error) {
	if strings.HasPrefix(url, SealedPrefix) {
		return url, nil
	}
	return k.sealGiven(environmentID, url)
}

// sealGiven encrypts a text that a caller gave, which may look like a sealed one.
func (k *Keeper) sealGiven(environmentID, url string) (string, error) {
	switch {
	case url == "":
		return "", nil
	case k == nil:
		return "", fmt.Errorf("seal a webhook URL: %w", errNoKey)
	}
	sealed, err := k.Seal([]byte(url), sealedURL+environmentID)
	if err != nil {
		return "", err
	}
	return SealedPrefix + base64.RawURLEncoding.EncodeToString(sealed), nil
}

// OpenURL decrypts what SealURL made for the same environment; a text that is not sealed comes back as it is.
func (k *Keeper) OpenURL(environmentID, text string) (string, error) {
	encoded, isSealed := strings.CutPrefix(text, SealedPrefix)
	switch {
	case !isSealed:
		return text, nil
	case k == nil:
		return "", fmt.Errorf("open a webhook URL: %w", errNoKey)
	}
	sealed, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return "", fmt.Errorf("open a webhook URL: %w", ErrBroken)
	}
	url, err := k.Open(sealed, sealedURL+environmentID)
	if err != nil {
		return "", fmt.Errorf("open a webhook URL: %w", err)
	}
	return string(url), nil
}

// SealGivenURLs is decoded JSON of a caller with the URLs at the places sealed, whatever they look like; v itself stays as
// it is.
func (k *Keeper) SealGivenURLs(environmentID string, v any, places URLPlaces) (any, error) {
	return places.replace(v, func(url string) (string, error) { return k.sealGiven(environmentID, url) })
}

// RenewURL seals a stored URL under the present key when it is in clear, or sealed under an older key. One under a key that
// is not known any more stays as it is.
func (k *Keeper) RenewURL(environmentID, text string) (string, error) {
	if k != nil && strings.HasPrefix(text, k.URLPrefix()) {
		return text, nil
	}
	url, err := k.OpenURL(environmentID, text)
	switch {
	case errors.Is(err, ErrKey), errors.Is(err, ErrBroken):
		return text, nil
	case err != nil:
		return "", err
	}
	return k.sealGiven(environmentID, url)
}

// RenewURLs is RenewURL for the places in stored JSON, decoded; v itself stays as it is.
func (k *Keeper) RenewURLs(environmentID string, v any, places URLPlaces) (any, error) {
	return places.replace(v, func(text string) (string, error) { return k.RenewURL(environmentID, text) })
}

// URLPrefix begins every URL that is sealed under the present key: SealedPrefix, and what base64 makes of the header.
func (k *Keeper) URLPrefix() string {
	header := append([]byte{version}, k.keys[0].id...)
	return SealedPrefix + base64.RawURLEncoding.EncodeToString(header)[:headerBytes*8/6]
}

// OpenURLs is decoded JSON with the URLs at the places opened; v itself stays as it is.
func (k *Keeper) OpenURLs(environmentID string, v any, places URLPlaces) (any, error) {
	return places.replace(v, func(text string) (string, error) { return k.OpenURL(environmentID, text) })
}

func (p URLPlaces) replace(v any, change func(string) (string, error)) (any, error) {
	var failed error
	keep := func(text string) string {
		changed, err := change(text)
		failed = errors.Join(failed, err)
		return changed
	}
	v = p.Replace(v, keep)
	return v, failed
}

// Replace is decoded JSON with the texts at the places changed; v itself stays as it is.
func (p URLPlaces) Replace(v any, change func(string) string) any {
	for _, place := range p {
		v = replaced(v, place, change)
	}
	return v
}

// replaced is v with the texts at a place changed. Only what holds one is copied.
func replaced(v any, place []string, change func(string) string) any {
	if len(place) == 0 {
		if text, ok := v.(string); ok {
			return change(text)
		}
		return v
	}
	anywhere := place[0] == "**"
	if anywhere {
		v = replaced(v, place[1:], change)
	}
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for name, member := range v {
			switch {
			case anywhere:
				out[name] = replaced(member, place, change)
			case name == place[0]:
				out[name] = replaced(member, place[1:], change)
			}
		}
		return out
	case []any:
		if !anywhere && place[0] != "*" {
			return v
		}
		rest := place
		if !anywhere {
			rest = place[1:]
		}
		out := slices.Clone(v)
		for i, item := range v {
			out[i] = replaced(item, rest, change)
		}
		return out
	}
	return v
}
