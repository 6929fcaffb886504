package workflow

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// OptOut is what the unsubscribe link of one e-mail does: its subscriber wants no more e-mails of its workflow, in its
// context set. It names the records by their internal ids, so that the link works as long as they live.
type OptOut struct {
	EnvironmentID, SubscriberID, WorkflowID string
	MessageID                               string // the mail that carries the link
	ContextKeys                             []string
}

const (
	optOutIDs     = 4
	optOutIDBytes = 12
)

// Text is the inverse of ParseOptOut, fit for a URL.
func (o OptOut) Text() string {
	raw := make([]byte, 0, optOutIDs*optOutIDBytes)
	for _, id := range []string{o.EnvironmentID, o.SubscriberID, o.WorkflowID, o.MessageID} {
		raw, _ = hex.AppendDecode(raw, []byte(id)) // ids are hex digits
	}
	return base64.RawURLEncoding.EncodeToString(append(raw, NewContextSet(o.ContextKeys...).Scope()...))
}

// ParseOptOut reads what Text wrote.
func ParseOptOut(text string) (o OptOut, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < optOutIDs*optOutIDBytes {
		return OptOut{}, false
	}
	for _, id := range []*string{&o.EnvironmentID, &o.SubscriberID, &o.WorkflowID, &o.MessageID} {
		*id, raw = hex.EncodeToString(raw[:optOutIDBytes]), raw[optOutIDBytes:]
	}
	o.ContextKeys = ParseScope(strings.ToValidUTF8(string(raw), ""))
	return o, true
}
