package email

import (
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
)

// transact offers one mail. Its sender, its recipients and the wish to send the content go out together where the server
// takes that (RFC 2920), which halves the round trips. The warning names recipients that were refused beside others that
// were taken.
func (s *session) transact(env *envelope, data []byte) outcome {
	s.reusable = false
	recipients := env.recipients()
	if offered, _ := s.client.Extension("SMTPUTF8"); env.utf8 && !offered {
		s.reusable = true
		return outcome{err: provider.Failf(provider.Permanent, "the server takes no addresses outside ASCII")}
	}
	if strings.ContainsAny(env.from.Address+strings.Join(recipients, ""), "\r\n") {
		s.reusable = true
		return outcome{err: provider.Failf(provider.Permanent, "an address holds a line break")}
	}
	sender := s.ask(250, s.times.Command, "MAIL FROM:<%s>%s", env.from.Address, s.parameters(env))
	answers := make([]func() *provider.Error, len(recipients))
	for i, r := range recipients {
		answers[i] = s.ask(25, s.times.Command, "RCPT TO:<%s>", r)
	}
	ready := s.ask(354, s.times.Data, "DATA")
	if err := s.client.Text.W.Flush(); err != nil {
		return outcome{err: replyError(err), stale: true}
	}
	refusedSender := sender()
	if refusedSender != nil && lost(refusedSender) {
		return outcome{err: refusedSender, stale: true}
	}
	refused, taken := judge(recipients, answers)
	if taken == 0 && lost(refused[0].reason) {
		return outcome{err: refused[0].reason}
	}
	failure, unready := refusedSender, ready()
	switch {
	case failure != nil:
	case taken == 0:
		failure = worst(refused)
	case unready != nil:
		failure = unready
	default:
		if failure, whole := s.content(data); failure != nil && whole {
			return outcome{err: s.after(failure)}
		} else if failure != nil {
			return outcome{err: failure} // the rest of the content is awaited still
		}
		s.reusable = true
		return outcome{warning: describe(refused)}
	}
	if unready == nil { // it waits for a content that nobody is to get: it refuses an empty one
		if refusal := s.ask(250, s.times.Command, ".")(); refusal != nil && lost(refusal) {
			return outcome{err: failure}
		}
	}
	return outcome{err: s.after(failure)}
}

func (s *session) parameters(env *envelope) (text string) {
	if offered, _ := s.client.Extension("8BITMIME"); offered {
		text += " BODY=8BITMIME"
	}
	if env.utf8 {
		text += " SMTPUTF8"
	}
	return text
}

// ask writes a command and gives what waits for its reply: nil when that is the expected one. A server that does not take
// commands together is waited for at once.
func (s *session) ask(code int, limit time.Duration, format string, args ...any) (reply func() *provider.Error) {
	text := s.client.Text
	_, err := fmt.Fprintf(text.W, format+"\r\n", args...)
	read := func() *provider.Error {
		if err == nil {
			err = text.W.Flush()
		}
		if err == nil {
			s.conn.await(limit)
			_, _, err = text.ReadResponse(code)
		}
		if err == nil {
			return nil
		}
		return replyError(err)
	}
	if together, _ := s.client.Extension("PIPELINING"); together {
		return read
	}
	failure := read()
	return func() *provider.Error { return failure }
}

// judge reads what became of the recipients. When the connection is gone nobody was or will be served.
func judge(recipients []string, answers []func() *provider.Error) (refused []refusal, taken int) {
	for i, answer := range answers {
		failure := answer()
		switch {
		case failure == nil:
			taken++
		case lost(failure):
			return []refusal{{recipients[i], failure}}, 0
		default:
			refused = append(refused, refusal{recipients[i], failure})
		}
	}
	return refused, taken
}

type refusal struct {
	address string
	reason  *provider.Error
}

// lost says that the server is gone.
func lost(failure *provider.Error) bool { return failure.Status == 0 || failure.Status == 421 }

// content sends what the server waits for; whole says that its end was written. From then on only the reply tells what
// became of it: without one the mail may be on its way.
func (s *session) content(data []byte) (failure *provider.Error, whole bool) {
	w := s.client.Text.DotWriter()
	if _, err := w.Write(data); err != nil {
		return s.interrupted(err), false
	}
	err := w.Close()
	if err == nil {
		s.conn.last(s.times.End)
		_, _, err = s.client.Text.ReadResponse(250)
	}
	if err == nil {
		return nil, true
	}
	failure = replyError(err)
	if failure.Status == 0 {
		failure.Class = provider.Unknown
	}
	return failure, true
}

// farewellTime is how long a server that took no more of a mail may need to say why.
const farewellTime = 5 * time.Second

// interrupted is the failure of a mail whose content did not get through. A server that does not want it, because it is too
// large for example, may have said so before it hung up.
func (s *session) interrupted(err error) *provider.Error {
	failure := replyError(err)
	s.conn.await(farewellTime)
	if _, _, said := s.client.Text.ReadResponse(250); said != nil {
		if refusal := replyError(said); refusal.Status >= 400 {
			return refusal
		}
	}
	return failure
}

// after readies the connection for the next mail when the server still talks, and gives the failure back.
func (s *session) after(failure *provider.Error) error {
	s.reusable = false
	if !lost(failure) {
		s.conn.await(s.times.Command)
		s.reusable = s.client.Reset() == nil
	}
	return failure
}

// worst is the outcome of a mail whose recipients were all refused: worth another try only when every reply said so.
func worst(refused []refusal) *provider.Error {
	for _, r := range refused {
		if r.reason.Class != provider.Transient {
			return r.reason
		}
	}
	return refused[0].reason
}

func describe(refused []refusal) string {
	var parts []string
	for _, r := range refused {
		parts = append(parts, fmt.Sprintf("%s refused: %d %s", r.address, r.reason.Status, r.reason.Text))
	}
	return strings.Join(parts, "; ")
}
