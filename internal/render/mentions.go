package render

import (
	"regexp"
	"slices"
	"strings"
)

// massMention is what notifies all of a chat, or all of a group: `<!channel>` and its like in Slack, `@all` and its
// like in Mattermost and Rocket.Chat, `@**all**` and groups as `@*support*` in Zulip. Behind a letter or a digit, as in an address, an @
// mentions nothing. Mattermost takes underlines off both ends of a mention, and reads character references first: those of the sign and
// of letters, of which mentions consist, count as what they spell.
var massMention = regexp.MustCompile(`(?i)(<)(!(?:channel|here|everyone|group|subteam)\b)` +
	`|((?:^|\W)_*@)((?:_?\*\*)?(?:all|channel|everyone|here|stream|topic)_*\b)` +
	`|((?:^|\W)_*@)(\*[^*\s])` +
	`|(&)((?:commat|#0*(?:6[4-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2])|#x0*(?:4[\da-f]|5[\da]|6[1-9a-f]|7[\da]));)`)

// zulipGroup is the sign of a group in massMention.
const zulipGroup = 5

// withoutMentions puts a zero-width space into mass mentions, which reads the same and notifies no one.
func withoutMentions(s string) string {
	if !strings.ContainsAny(s, "@&") && !strings.Contains(s, "<!") {
		return s
	}
	return massMention.ReplaceAllString(s, "$1$3$5$7\u200b$2$4$6$8")
}

// markup in angle brackets of Slack and Discord: mentions of people, roles and channels, times, and links whose text hides where they lead.
var bracketed = regexp.MustCompile(`(?i)(<)(?:([@#])[!&]?[a-z0-9]|(!)date\^|[a-z][a-z0-9+.-]*:[^<>|]*(\|))`)

// withoutMarkup puts a zero-width space into the bracketed markup of a text, which then reads as it is written.
func withoutMarkup(s string) string {
	return bracketed.ReplaceAllStringFunc(s, func(m string) string { return "<\u200b" + m[1:] })
}

// joint stands where a value begins or ends in a chat text that is being rendered: a character that no text means anything by.
const joint = "\ufdd0"

// joined is a value in a chat text. It mentions no one by itself, but its surroundings may complete a mention.
func joined(s string) string {
	return joint + withoutMentions(strings.ReplaceAll(s, joint, "")) + joint
}

// settleChat takes the joints out of a chat text. It puts a zero-width space into the mass mentions that have one inside, those of which a
// value is a part, as in `@{{ payload.name }}`, and into bracketed markup of which a sign is a value's: in `<@{{ payload.id }}>` none is.
// A text that begins with a value's brace begins with that space, since Teams takes a text that is a JSON object for a card. What the
// template has by itself counts.
func settleChat(s string) string {
	pieces := strings.Split(s, joint)
	if len(pieces) == 1 {
		return s
	}
	text := strings.Join(pieces, "")
	joints := make([]int, 0, len(pieces)-1) // where in text; a value lies between each two
	at := 0
	for _, p := range pieces[:len(pieces)-1] {
		at += len(p)
		joints = append(joints, at)
	}
	ofValue := func(at int) bool {
		before, _ := slices.BinarySearch(joints, at+1)
		return at >= 0 && before%2 == 1
	}
	var spaces []int
	if first := len(text) - len(strings.TrimLeft(text, " \t\r\n")); strings.HasPrefix(text[first:], "{") && ofValue(first) {
		spaces = append(spaces, first)
	}
	for _, m := range massMention.FindAllStringSubmatchIndex(text, -1) {
		behindSign, end := max(m[3], m[7], m[11], m[15]), m[1] // all but one are -1
		if m[2*zulipGroup] >= 0 {
			end = behindSign + len("*") // the template may mention a group that a value names
		}
		if next, _ := slices.BinarySearch(joints, behindSign); next < len(joints) && joints[next] < end {
			spaces = append(spaces, behindSign)
		}
	}
	for _, m := range bracketed.FindAllStringSubmatchIndex(text, -1) {
		if ofValue(m[2]) || ofValue(m[4]) || ofValue(m[6]) || ofValue(m[8]) {
			spaces = append(spaces, m[3])
		}
	}
	slices.Sort(spaces)
	var b strings.Builder
	from := 0
	for _, at := range slices.Compact(spaces) {
		b.WriteString(text[from:at] + "\u200b")
		from = at
	}
	return b.String() + text[from:]
}
