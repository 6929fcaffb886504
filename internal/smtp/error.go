package smtp

import (
	"errors"
	"net/textproto"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Error is a mail that the server did not accept, or a session that did not come about.
type Error struct {
	Code     int    // of the reply; 0 without one
	Enhanced string // the reply's enhanced code (RFC 3463), "" without one
	Text     string // the reply's words, or what is wrong; "" where Err has it
	Err      error  // the failure of the connection; nil where there is a reply or nothing was tried
	// Misconfigured reports that the settings are wrong, not the mail: every mail would fail like this one.
	Misconfigured bool
	// OfRecipient reports that the server refused a recipient, and said nothing that concerns other mails.
	OfRecipient bool
	// InDoubt reports that the whole mail was sent and no reply came: it may be on its way.
	InDoubt bool
}

// Error reads as "smtp: 550 5.1.1 no such user".
func (e *Error) Error() string {
	parts := []string{"smtp:"}
	if e.Code != 0 {
		parts = append(parts, strconv.Itoa(e.Code))
	}
	parts = append(parts, e.Enhanced, e.Text)
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// Unwrap returns the failure of the connection.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the server asked for a later attempt.
func (e *Error) Temporary() bool { return e.Code >= 400 && e.Code < 500 }

// disconnected reports whether the server is gone.
func (e *Error) disconnected() bool { return e.Code == 0 || e.Code == 421 }

// The replies to a log-in that is missing or not accepted.
const (
	replyLoginRequired  = 530
	replyLoginTooWeak   = 534
	replyLoginRefused   = 535
	replyLoginEncrypted = 538
)

var enhancedCode = regexp.MustCompile(`^([245]\.\d{1,3}\.\d{1,3})\s+`)

// replyError is the failure in a reply or, without one, the loss of the connection.
func replyError(err error) *Error {
	var reply *textproto.Error
	if !errors.As(err, &reply) {
		return &Error{Err: err}
	}
	e := &Error{Code: reply.Code, Text: reply.Msg}
	if m := enhancedCode.FindStringSubmatch(reply.Msg); m != nil {
		e.Enhanced, e.Text = m[1], strings.TrimPrefix(reply.Msg, m[0])
	}
	switch reply.Code {
	case replyLoginRequired, replyLoginTooWeak, replyLoginRefused, replyLoginEncrypted:
		e.Misconfigured = true
	}
	return e
}
