package smtp

import (
	"bufio"
	"context"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scripted is a server that answers each command as it is told. In the place of an answer silence says nothing more, drip
// says a character now and then and never ends, and hangUp and reset end the connection.
type scripted struct {
	greeting, ehlo, helo, mail, rcpt, data, end string

	refused map[string]string // replies to single recipients

	heard chan string // commands, and "." for the whole content
	count *atomic.Int64
}

const (
	silence = "(silence)"
	drip    = "(drip)"
	hangUp  = "(hang up)"
	reset   = "(reset)"
)

func obliging() scripted {
	return scripted{
		greeting: "220 hello", ehlo: "250-here\r\n250 PIPELINING", mail: "250 ok", rcpt: "250 ok", data: "354 go on", end: "250 taken",
		heard: make(chan string, 1000), count: &atomic.Int64{},
	}
}

func (s scripted) dial(t *testing.T) func(context.Context, string, string) (net.Conn, error) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			go s.serve(conn.(*net.TCPConn))
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
	}
}

// connected is how often a client connected.
func (s scripted) connected() int { return int(s.count.Load()) }

func (s scripted) serve(conn *net.TCPConn) {
	s.count.Add(1)
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	say := func(text string) bool {
		switch text {
		case silence:
			return false
		case drip:
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for range tick.C {
				if _, err := conn.Write([]byte{'2'}); err != nil {
					return false
				}
			}
		case reset:
			_ = conn.SetLinger(0)
			fallthrough
		case hangUp:
			_ = conn.Close()
			return false
		}
		_, err := conn.Write([]byte(text + "\r\n"))
		return err == nil
	}
	if !say(s.greeting) {
		return
	}
	inside := false
	for lines.Scan() {
		line := lines.Text()
		word, _, _ := strings.Cut(strings.ToUpper(line), " ")
		answer := map[string]string{"EHLO": s.ehlo, "HELO": s.helo, "MAIL": s.mail, "RCPT": s.rcpt, "DATA": s.data, "RSET": "250 ok", "QUIT": "221 bye"}[word]
		if address, ok := strings.CutPrefix(line, "RCPT TO:"); ok && s.refused[strings.Trim(address, "<>")] != "" {
			answer = s.refused[strings.Trim(address, "<>")]
		}
		if inside {
			if line != "." {
				continue
			}
			word, answer = ".", s.end
		}
		s.heard <- strings.TrimSuffix(word+" "+strings.TrimPrefix(line, word), " .")
		if !say(answer) {
			return
		}
		inside = word == "DATA" && strings.HasPrefix(answer, "354")
	}
}

// open returns a client that talks to s.
func (s scripted) open(t *testing.T, change func(*Config)) *Client {
	t.Helper()
	c := Config{Host: "mail.example.com", Port: "25", Security: Unencrypted, Hello: "client.example", Dial: s.dial(t)}
	if change != nil {
		change(&c)
	}
	client := New(c)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

var (
	envelope = Envelope{From: "shop@example.com", To: []string{"ada@example.com", "cc@example.com", "bcc@example.com"}}
	content  = []byte("Subject: x\r\n\r\nhello\r\n")
)

// fails sends one mail through c and returns the failure.
func fails(t *testing.T, c *Client) *Error {
	t.Helper()
	_, err := c.Send(t.Context(), envelope, content)
	var failure *Error
	require.ErrorAs(t, err, &failure)
	return failure
}
