package workflow

import (
	"encoding/json"
	"errors"
	"net/mail"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"

	"github.com/carillon/carillon/internal/id"
)

// MaxIdentifier is the longest identifier of any kind, in characters (decisions.md §1).
const MaxIdentifier = 255

// MaxName is the longest name that people see, in characters.
const MaxName = 255

// The characters that identifiers hold beside letters and digits of ASCII.
const (
	ofSubscriberID = "-_.:@|+=~/"
	ofTopicKey     = "-_:."
	ofWorkflow     = "-_."
	ofStepID       = "-_"
	ofContextPart  = "-_"
)

// How many digits an E.164 number has behind its plus sign.
const (
	minPhone = 7
	maxPhone = 15
)

// identifier reports whether s has 1 to most characters, each a letter or digit of ASCII or one of others. A regular expression
// with such a count takes milliseconds to compile, which every start of the program would wait for.
func identifier(s, others string, most int) bool {
	if s == "" || len(s) > most {
		return false
	}
	for _, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

// ParseSubscriberID trims surrounding blanks; ok is false when the rest is no subscriberId.
func ParseSubscriberID(s string) (id string, ok bool) {
	id = strings.TrimSpace(s)
	return id, identifier(id, ofSubscriberID, MaxIdentifier)
}

// ParseNewSubscriberID is ParseSubscriberID for a subscriber that may have to be made.
func ParseNewSubscriberID(s string) (id string, ok bool) {
	id, ok = ParseSubscriberID(s)
	return id, ok && Addressable(id)
}

// Addressable reports whether s can be a segment of a URL's path. Clients resolve "." and ".." away before they send, also where
// they are percent-encoded, so that no request would reach what is called so.
func Addressable(s string) bool { return s != "." && s != ".." }

// ParseTenantIdentifier trims surrounding blanks; the format is that of a subscriberId.
func ParseTenantIdentifier(s string) (id string, ok bool) { return ParseSubscriberID(s) }

// ValidTopicKey reports whether a topic of this key may be created: letters, digits, "-_:." or an e-mail address, and Addressable.
func ValidTopicKey(s string) bool {
	return identifier(s, ofTopicKey, MaxIdentifier) && Addressable(s) || len(s) <= MaxIdentifier && ValidEmail(s)
}

// ValidWorkflowIdentifier reports whether s may be a workflow's trigger identifier.
func ValidWorkflowIdentifier(s string) bool { return identifier(s, ofWorkflow, MaxIdentifier) }

// ValidStepID reports whether s may name a step. Steps are keys of overrides and roots of template variables, and the
// last dot of a condition's field ends the step's name, so the format is the trigger identifier's without dots.
func ValidStepID(s string) bool { return identifier(s, ofStepID, MaxIdentifier) }

// MaxSubscriptionIdentifier is the length of the longest subscription identifier that SubscriptionIdentifier makes.
const MaxSubscriptionIdentifier = len(subscriptionTopic+subscriptionSubscriber+subscriptionContext) + 2*MaxIdentifier + maxScope

const (
	subscriptionTopic      = "tk="
	subscriptionSubscriber = ":si="
	subscriptionContext    = ":ctx="
)

// SubscriptionIdentifier names a subscription that was given no identifier of its own (decisions.md §7).
func SubscriptionIdentifier(topicKey, subscriberID string, set ContextSet) string {
	identifier := subscriptionTopic + topicKey + subscriptionSubscriber + subscriberID
	if len(set) > 0 {
		identifier += subscriptionContext + set.Scope()
	}
	return identifier
}

// ValidSubscriptionIdentifier reports whether s may name a subscription: any text of up to 255 characters without control
// characters, and whatever SubscriptionIdentifier makes, which may be longer.
func ValidSubscriptionIdentifier(s string) bool {
	return ValidOpaqueIdentifier(s) && strings.IndexFunc(s, unicode.IsControl) < 0 || madeSubscriptionIdentifier(s)
}

// madeSubscriptionIdentifier reports whether SubscriptionIdentifier can make s. No topic key holds ":si=", and the keys of
// contexts hold no "=".
func madeSubscriptionIdentifier(s string) bool {
	rest, tagged := strings.CutPrefix(s, subscriptionTopic)
	topicKey, rest, found := strings.Cut(rest, subscriptionSubscriber)
	if !tagged || !found || len(s) > MaxSubscriptionIdentifier || !ValidTopicKey(topicKey) {
		return false
	}
	if at := strings.LastIndex(rest, subscriptionContext); at >= 0 {
		set := ParseScope(rest[at+len(subscriptionContext):])
		if len(set) > 0 && len(set) <= MaxContexts && set.Valid() {
			rest = rest[:at]
		}
	}
	return identifier(rest, ofSubscriberID, MaxIdentifier)
}

// ValidOpaqueIdentifier reports whether s is a usable opaque identifier (channel endpoints, integrations, transactionId):
// 1 to 255 characters, valid UTF-8, no NUL because Postgres text holds none.
func ValidOpaqueIdentifier(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxIdentifier && !strings.Contains(s, "\x00")
}

// ValidTransactionID reports whether a caller may use s as transactionId.
func ValidTransactionID(s string) bool { return ValidOpaqueIdentifier(s) }

// GeneratedPrefix begins the transactionIds that are generated; a record identifier follows.
const GeneratedPrefix = "txn_"

// MayBeGenerated reports whether a transactionId has the form of those that are generated.
func MayBeGenerated(transactionID string) bool {
	made, ok := strings.CutPrefix(transactionID, GeneratedPrefix)
	return ok && id.Valid(made)
}

// ValidContextPart reports whether s may be a context's type or id.
func ValidContextPart(s string) bool { return identifier(s, ofContextPart, maxContextPart) }

// ValidPhone reports whether s is an E.164 number that its country's numbering plan can hold. Assigned ranges are not
// checked: they change faster than any release of ours, and a wrong refusal loses a message.
func ValidPhone(s string) bool {
	number, international := strings.CutPrefix(s, "+")
	if !international || len(number) < minPhone || len(number) > maxPhone || number[0] == '0' || strings.Trim(number, "0123456789") != "" {
		return false
	}
	n, err := phonenumbers.Parse(s, "")
	return err == nil && phonenumbers.IsPossibleNumber(n)
}

// PlainPhone removes what people put between digits and turns a leading 00 into +. It never guesses a country. Phones are stored as
// they were given, and sent to in this form (sms.md).
func PlainPhone(s string) string {
	s = betweenDigits.Replace(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(s, "00"); ok {
		return "+" + rest
	}
	return s
}

var betweenDigits = strings.NewReplacer(" ", "", "-", "", ".", "", "(", "", ")", "", "[", "", "]", "")

// ValidEmail reports whether s is one bare address, without display name or comment.
func ValidEmail(s string) bool {
	if len(s) > 320 || strings.ContainsFunc(s, unicode.IsControl) {
		return false
	}
	a, err := mail.ParseAddress(s)
	return err == nil && a.Name == "" && a.Address == s
}

// ValidLocale reports whether s is a well-formed language tag; underscores pass for hyphens.
func ValidLocale(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	_, err := language.Parse(s)
	var unregistered language.ValueError // well-formed, only not in the registry that this build knows
	return err == nil || errors.As(err, &unregistered)
}

// zones keeps what time.LoadLocation reads from disk; the names that load are a finite list.
var zones sync.Map

// Location is the IANA time zone of that name; ok is false for unknown names, "" and "Local".
func Location(name string) (loc *time.Location, ok bool) {
	if name == "" || name == "Local" {
		return nil, false
	}
	if v, hit := zones.Load(name); hit {
		return v.(*time.Location), true
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	zones.Store(name, loc)
	return loc, true
}

// LocationOrUTC is the zone of that name, UTC when it is unset or unknown (semantics.md §7.1).
func LocationOrUTC(name string) *time.Location {
	if loc, ok := Location(name); ok {
		return loc
	}
	return time.UTC
}

// FitsJSON reports whether a value takes at most so many bytes as compact JSON, in which no character is escaped without need.
func FitsJSON(v any, bytes int) bool {
	var out counter
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v) == nil && int(out)-len("\n") <= bytes
}

// counter counts what is written to it.
type counter int

// Write counts text.
func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}
