package render

import (
	"regexp"
	"strings"
)

// massMention is what notifies everybody of a chat, or everybody of a group: `<!channel>` and its like in Slack, `@all` and its
// like in Mattermost and Rocket.Chat, `@**all**` in Zulip. Behind a letter or a digit, as in an address, an @ mentions nothing.
var massMention = regexp.MustCompile(`(?i)(<)(!(?:channel|here|everyone|group|subteam)\b)|((?:^|\W)@)((?:_?\*\*)?(?:all|channel|everyone|here|stream|topic)\b)`)

// withoutMentions puts a zero-width space into mass mentions, which reads the same and notifies no one.
func withoutMentions(s string) string {
	if !strings.Contains(s, "@") && !strings.Contains(s, "<!") {
		return s
	}
	return massMention.ReplaceAllString(s, "$1$3\u200b$2$4")
}
