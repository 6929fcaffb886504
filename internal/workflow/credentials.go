package workflow

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

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

// MaxAddress bounds a URL or a device token, in bytes.
const MaxAddress = 4096

// Validate reports addresses that nothing could ever be sent to, or that no client may open. An empty text is none.
func (c ChannelCredentials) Validate(p *fault.Problems, path string) {
	checkWebhookURL(p, jsonvalue.Join(path, "webhookUrl"), c.WebhookURL)
	checkLink(p, jsonvalue.Join(path, "imageUrl"), c.ImageURL)
	checkLink(p, jsonvalue.Join(path, "externalUrl"), c.ExternalURL)
	for i, token := range c.DeviceTokens {
		checkDeviceToken(p, jsonvalue.JoinIndex(jsonvalue.Join(path, "deviceTokens"), i), token)
	}
}

func checkWebhookURL(p *fault.Problems, path, url string) {
	if url != "" && !IsMaskedURL(url) && (len(url) > MaxAddress || !webAddress(url)) {
		p.Add(path, nil, "must be an http or https URL without user name and password")
	}
}

// Mask is shown instead of a stored secret. Sent back, it keeps the stored value (decisions.md §17).
const Mask = "********"

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

// IsMaskedURL reports whether a webhook's URL is as MaskedURL shows one.
func IsMaskedURL(webhook string) bool { return strings.HasSuffix(webhook, Mask) }

// DropMasked takes a webhook's URL out that is as MaskedURL shows one, so that the stored one stays.
func (c *ChannelCredentials) DropMasked() {
	if IsMaskedURL(c.WebhookURL) {
		c.WebhookURL = ""
	}
}

func checkLink(p *fault.Problems, path, link string) {
	if len(link) > MaxAddress || !SafeLink(link) {
		p.Add(path, nil, linkMessage)
	}
}

func checkDeviceToken(p *fault.Problems, path, token string) {
	if token == "" || len(token) > MaxAddress || strings.ContainsFunc(token, unicode.IsControl) {
		p.Add(path, nil, "must be 1 to %d bytes without control characters", MaxAddress)
	}
}

// Without leaves device tokens out.
func (c ChannelCredentials) Without(tokens []string) ChannelCredentials {
	c.DeviceTokens = slices.DeleteFunc(slices.Clone(c.DeviceTokens), func(t string) bool { return slices.Contains(tokens, t) })
	return c
}

// Registered holds when each device token was given last, in real time.
type Registered map[string]time.Time

// With notes tokens that were given at an instant; of those that the setting does not hold nothing is kept.
func (r Registered) With(held, given []string, at time.Time) Registered {
	out := Registered{}
	for _, token := range held {
		switch before, known := r[token]; {
		case slices.Contains(given, token):
			out[token] = at
		case known:
			out[token] = before
		}
	}
	return out
}

func (c *ChannelCredentials) texts() []*string {
	return []*string{&c.WebhookURL, &c.Channel, &c.AlertUID, &c.Title, &c.ImageURL, &c.State, &c.ExternalURL}
}
