package smtp

import (
	"fmt"
	"strings"
	"time"
)

// transact offers one mail. Its sender, its recipients and the wish to send the content go out together where the server
// takes that (RFC 2920), which halves the round trips.
func (s *session) transact(env Envelope, content []byte) outcome {
	s.reusable = false
	if offered, _ := s.client.Extension("SMTPUTF8"); env.UTF8 && !offered {
		s.reusable = true
		return outcome{err: &Error{Text: "the server takes no addresses outside ASCII"}}
	}
	if strings.ContainsAny(env.From+strings.Join(env.To, ""), "\r\n") {
		s.reusable = true
		return outcome{err: &Error{Text: "an address holds a line break"}}
	}
	sender := s.command(250, s.times.Command, "MAIL FROM:<%s>%s", env.From, s.parameters(env))
	replies := make([]func() *Error, len(env.To))
	for i, address := range env.To {
		replies[i] = s.command(25, s.times.Command, "RCPT TO:<%s>", address)
	}
	ready := s.command(354, s.times.Data, "DATA")
	if err := s.client.Text.W.Flush(); err != nil {
		return outcome{err: replyError(err), stale: true}
	}
	refusedSender := sender()
	if refusedSender != nil && refusedSender.disconnected() {
		return outcome{err: refusedSender, stale: true}
	}
	refused, accepted := recipients(env.To, replies)
	if accepted == 0 && refused[0].Reason.disconnected() {
		return outcome{err: refused[0].Reason}
	}
	failure, unready := refusedSender, ready()
	switch {
	case failure != nil:
	case accepted == 0:
		failure = mostFinal(refused)
	case unready != nil:
		failure = unready
	default:
		if failure, whole := s.content(content); failure != nil && whole {
			return outcome{err: s.recover(failure)}
		} else if failure != nil {
			return outcome{err: failure} // the server still waits for the rest of the content
		}
		s.reusable = true
		return outcome{refused: refused}
	}
	if unready == nil { // it waits for a content that has no recipient: it refuses an empty one
		if refusal := s.command(250, s.times.Command, ".")(); refusal != nil && refusal.disconnected() {
			return outcome{err: failure}
		}
	}
	return outcome{err: s.recover(failure)}
}

func (s *session) parameters(env Envelope) (text string) {
	if offered, _ := s.client.Extension("8BITMIME"); offered {
		text += " BODY=8BITMIME"
	}
	if env.UTF8 {
		text += " SMTPUTF8"
	}
	return text
}

// command writes a command and returns what reads its reply: nil when that is the expected one. With a server that does
// not take commands together the reply is read at once.
func (s *session) command(expect int, limit time.Duration, format string, args ...any) (reply func() *Error) {
	text := s.client.Text
	_, err := fmt.Fprintf(text.W, format+"\r\n", args...)
	read := func() *Error {
		if err == nil {
			err = text.W.Flush()
		}
		if err == nil {
			s.conn.await(limit)
			_, _, err = text.ReadResponse(expect)
		}
		if err == nil {
			return nil
		}
		return replyError(err)
	}
	if pipelining, _ := s.client.Extension("PIPELINING"); pipelining {
		return read
	}
	failure := read()
	return func() *Error { return failure }
}

// ofMailSystem begins the enhanced codes of a server that is in trouble itself, such as one without storage (RFC 3463).
const ofMailSystem = "4.3."

// recipients reads the replies to the recipients. When the connection is gone none was or will be served.
func recipients(addresses []string, replies []func() *Error) (refused []Refusal, accepted int) {
	for i, reply := range replies {
		failure := reply()
		switch {
		case failure == nil:
			accepted++
		case failure.disconnected():
			return []Refusal{{addresses[i], failure}}, 0
		default:
			failure.OfRecipient = !failure.Misconfigured && !strings.HasPrefix(failure.Enhanced, ofMailSystem)
			refused = append(refused, Refusal{addresses[i], failure})
		}
	}
	return refused, accepted
}

// content sends what the server waits for; whole reports that its end was written. From then on only the reply decides
// what became of it: without one the mail may be on its way.
func (s *session) content(data []byte) (failure *Error, whole bool) {
	w := s.client.Text.DotWriter()
	if _, err := w.Write(data); err != nil {
		return s.contentRefused(err), false
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
	failure.InDoubt = failure.Code == 0
	return failure, true
}

// lastWords is how long a server that accepts no more of a mail may need to say why.
const lastWords = 5 * time.Second

// contentRefused is the failure of a mail whose content did not get through. A server that does not want it, because it
// is too large for example, may have said so before it hung up.
func (s *session) contentRefused(err error) *Error {
	failure := replyError(err)
	s.conn.await(lastWords)
	if _, _, said := s.client.Text.ReadResponse(250); said != nil {
		if refusal := replyError(said); refusal.Code >= 400 {
			return refusal
		}
	}
	return failure
}

// recover readies the connection for the next mail when the server still answers, and returns the failure.
func (s *session) recover(failure *Error) error {
	s.reusable = false
	if !failure.disconnected() {
		s.conn.await(s.times.Command)
		s.reusable = s.client.Reset() == nil
	}
	return failure
}

// mostFinal is the outcome of a mail whose recipients were all refused: temporary only when every reply was.
func mostFinal(refused []Refusal) *Error {
	for _, r := range refused {
		if !r.Reason.Temporary() {
			return r.Reason
		}
	}
	return refused[0].Reason
}
