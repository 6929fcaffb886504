package chat

import (
	"net/url"
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var discord = provider.Definition{
	ID: "discord", Name: "Discord", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return &hook{
			client: d.Client(), query: url.Values{"wait": {"true"}}, // else the answer holds no message
			body: func(m *provider.Message) map[string]any {
				return map[string]any{"content": m.Content.Body, "allowed_mentions": noMentions()}
			},
			read: readDiscord,
		}, nil
	},
}

// noMentions keeps names in the text, such as @everyone, from notifying people: the text may come from a payload. An
// override of the same name lets mentions through.
func noMentions() map[string]any { return map[string]any{"parse": []any{}} }

func readDiscord(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
	if !ans.OK() {
		failure := ans.Failure(ans.At("code"), ans.At("message"))
		if secs, err := strconv.ParseFloat(ans.At("retry_after"), 64); err == nil && failure.RetryAfter == 0 {
			failure.RetryAfter = time.Duration(min(max(0, secs), discordLongestPause) * float64(time.Second))
		}
		return nil, failure
	}
	receipt := &provider.Receipt{ID: ans.At("id")}
	if at, err := time.Parse(time.RFC3339, ans.At("timestamp")); err == nil {
		receipt.Date = at.UTC()
	}
	return receipt, nil
}

// discordLongestPause bounds what the vendor may ask for, in seconds.
const discordLongestPause = 3600
