package chat

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var discord = provider.Definition{
	ID: "discord", Name: "Discord", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return discordAdapter{&hook{
			client: d.Client(), query: url.Values{"wait": {"true"}}, // else the answer holds no message
			body: func(m *provider.Message) map[string]any {
				return map[string]any{"content": m.Content.Body, "allowed_mentions": noMentions()}
			},
			read: readDiscord,
		}}, nil
	},
}

// discordAdapter posts through a webhook, which may delete what it has posted.
type discordAdapter struct{ *hook }

// Recall deletes a message of the webhook; one in a thread is found by the thread that the webhook's address names.
func (d discordAdapter) Recall(ctx context.Context, m *provider.Message, data map[string]string) error {
	target, err := webhookURL(m)
	if err != nil {
		return err
	}
	u, err := url.Parse(target)
	if err != nil {
		return provider.Failf(provider.Permanent, "the webhook URL of the target cannot be read")
	}
	thread := u.Query().Get("thread_id")
	u = u.JoinPath("messages", data["id"])
	u.RawQuery = ""
	if thread != "" {
		u.RawQuery = url.Values{"thread_id": {thread}}.Encode()
	}
	ans, err := d.client.Do(ctx, &provider.Request{Method: http.MethodDelete, URL: u.String(), Origin: provider.OriginTarget})
	if err != nil {
		return err
	}
	if ans.OK() || ans.Status == http.StatusNotFound && ans.At("code") == discordUnknownMessage {
		return nil
	}
	_, failure := readDiscord(ans)
	return failure
}

// discordUnknownMessage is the code of a message that is gone; other codes of status 404 say that the webhook is.
const discordUnknownMessage = "10008"

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
	if receipt.ID != "" {
		receipt.Data = map[string]string{"id": receipt.ID}
	}
	if at, err := time.Parse(time.RFC3339, ans.At("timestamp")); err == nil {
		receipt.Date = at.UTC()
	}
	return receipt, nil
}

// discordLongestPause bounds what the vendor may ask for, in seconds.
const discordLongestPause = 3600
