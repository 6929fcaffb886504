package notify

import "net/url"

// MaskedURL is a webhook's URL as far as it may be shown where the API document does not ask for it: where it leads, not
// what opens the door there.
func MaskedURL(webhook string) string {
	if webhook == "" {
		return ""
	}
	u, err := url.Parse(webhook)
	if err != nil || u.Host == "" {
		return Mask
	}
	return u.Scheme + "://" + u.Host + "/" + Mask
}

// MaskedURLs is a JSON object in which every webhook URL is masked, however deep; what is stored stays as it is.
func MaskedURLs(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	out := make(map[string]any, len(object))
	for name, member := range object {
		if text, ok := member.(string); ok && name == "webhookUrl" {
			out[name] = MaskedURL(text)
			continue
		}
		out[name] = withMaskedURLs(member)
	}
	return out
}

func withMaskedURLs(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return MaskedURLs(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withMaskedURLs(item)
		}
		return out
	}
	return v
}
