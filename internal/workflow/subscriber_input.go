package workflow

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/carillon/carillon/internal/jsonnum"
)

// Differs reports whether a given field has another value than the stored profile and data. Callers often repeat an address or a
// name with each trigger, and a row that stays as it is need not be locked and written. Channel settings are always merged.
func (s *SubscriberInput) Differs(stored *Profile[*string], data []byte) bool {
	if s.Bare() {
		return false
	}
	kept := stored.Texts()
	for i, text := range s.Texts() {
		if given := text.Value; given.Set && !sameText(given.Ptr(), *kept[i].Value) {
			return true
		}
	}
	return len(s.Channels) > 0 || s.Data.Set && !sameData(s.Data.Ptr(), data)
}

// sameText reports whether both are nil or have the same value.
func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// sameData reports whether stored JSON has the values of data; a number in another spelling counts as another value.
func sameData(data *map[string]any, stored []byte) bool {
	if data == nil || stored == nil {
		return data == nil && stored == nil
	}
	given, err := json.Marshal(*data)
	if err != nil {
		return false
	}
	var a, b any
	return jsonnum.Unmarshal(given, &a) == nil && jsonnum.Unmarshal(stored, &b) == nil && reflect.DeepEqual(a, b)
}

// MergeChannels merges mentions of one provider and integration: fields that are given overwrite, tokens unite.
func MergeChannels(channels []ChannelInput) []ChannelInput {
	var out []ChannelInput
	for _, c := range channels {
		i := slices.IndexFunc(out, func(o ChannelInput) bool {
			return o.ProviderID == c.ProviderID && o.IntegrationIdentifier == c.IntegrationIdentifier
		})
		if i < 0 {
			c.Credentials.DeviceTokens = distinctTokens(c.Credentials.DeviceTokens)
			out = append(out, c)
			continue
		}
		into, from := &out[i].Credentials, c.Credentials
		into.WebhookURL = cmp.Or(from.WebhookURL, into.WebhookURL)
		into.Channel = cmp.Or(from.Channel, into.Channel)
		into.AlertUID = cmp.Or(from.AlertUID, into.AlertUID)
		into.Title = cmp.Or(from.Title, into.Title)
		into.ImageURL = cmp.Or(from.ImageURL, into.ImageURL)
		into.State = cmp.Or(from.State, into.State)
		into.ExternalURL = cmp.Or(from.ExternalURL, into.ExternalURL)
		into.DeviceTokens = distinctTokens(append(slices.Clone(into.DeviceTokens), from.DeviceTokens...))
	}
	return out
}

func distinctTokens(tokens []string) []string {
	var out []string
	for _, t := range tokens {
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if extra := len(out) - MaxDeviceTokens; extra > 0 {
		out = out[extra:] // the newest stay
	}
	return out
}
