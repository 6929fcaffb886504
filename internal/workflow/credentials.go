package workflow

import "slices"

// Merge lays given over the stored settings of the same provider and integration: texts that are given replace, device
// tokens are united in the order of their first registration (decisions.md §12). Beyond MaxDeviceTokens the oldest
// tokens leave, because the newest device is the one in use.
func (c ChannelCredentials) Merge(given ChannelCredentials) ChannelCredentials {
	merged := c
	texts := merged.texts()
	for i, text := range given.texts() {
		if *text != "" {
			*texts[i] = *text
		}
	}
	merged.DeviceTokens = slices.Clone(c.DeviceTokens)
	for _, token := range given.DeviceTokens {
		if !slices.Contains(merged.DeviceTokens, token) {
			merged.DeviceTokens = append(merged.DeviceTokens, token)
		}
	}
	if excess := len(merged.DeviceTokens) - MaxDeviceTokens; excess > 0 {
		merged.DeviceTokens = merged.DeviceTokens[excess:]
	}
	return merged
}

// Without leaves device tokens out.
func (c ChannelCredentials) Without(tokens []string) ChannelCredentials {
	c.DeviceTokens = slices.DeleteFunc(slices.Clone(c.DeviceTokens), func(t string) bool { return slices.Contains(tokens, t) })
	return c
}

func (c *ChannelCredentials) texts() []*string {
	return []*string{&c.WebhookURL, &c.Channel, &c.AlertUID, &c.Title, &c.ImageURL, &c.State, &c.ExternalURL}
}
