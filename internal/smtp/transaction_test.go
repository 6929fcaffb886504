package smtp

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// counted counts what a client writes, and can hide that the server takes commands together.
type counted struct {
	net.Conn
	writes *atomic.Int64
	hide   bool
}

func (c counted) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.hide {
		copy(b, bytes.Replace(b[:n], []byte("PIPELINING"), []byte("XPIPELININ"), 1))
	}
	return n, err
}

// TestPipelining: commands go together where the server takes that, and one by one where it does not; the outcome is the
// same.
func TestPipelining(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hide   bool
		writes int64 // of the second mail: its commands, its content
	}{"Together": {writes: 2}, "OneByOne": {hide: true, writes: 6}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var writes atomic.Int64
			s := obliging()
			s.refused = map[string]string{"cc@example.com": "550 5.1.1 no"}
			client := s.open(t, func(own *Config) {
				dial := own.Dial
				own.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := dial(ctx, network, address)
					return counted{conn, &writes, c.hide}, err
				}
			})
			for range 2 {
				writes.Store(0)
				refused, err := client.Send(t.Context(), envelope, content)
				require.NoError(t, err)
				require.Equal(t, []Refusal{{"cc@example.com", &Error{Code: 550, Enhanced: "5.1.1", Text: "no", OfRecipient: true}}}, refused)
			}
			require.Equal(t, c.writes, writes.Load())
		})
	}
}

// TestWithoutAReplyToTheWholeContent leaves the mail in doubt, however the connection ends.
func TestWithoutAReplyToTheWholeContent(t *testing.T) {
	t.Parallel()
	for end, want := range map[string]Error{
		hangUp: {InDoubt: true}, reset: {InDoubt: true}, "what?": {InDoubt: true},
		"451 later": {Code: 451, Text: "later"}, "421 going down": {Code: 421, Text: "going down"}, "554 no": {Code: 554, Text: "no"},
	} {
		s := obliging()
		s.end = end
		failure := fails(t, s.open(t, nil))
		require.Equal(t, want.InDoubt, failure.Err != nil, end)
		got := *failure
		got.Err = nil
		require.Equal(t, want, got, end)
	}
	for _, end := range []string{hangUp, reset} {
		s := obliging()
		s.data = end
		require.False(t, fails(t, s.open(t, nil)).InDoubt, "before the content")
	}
}

// TestRecipientsAllRefused: the mail is worth another attempt only when every reply asked for one.
func TestRecipientsAllRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		replies [3]string
		want    Error
	}{
		{[3]string{"450 a", "451 b", "452 c"}, Error{Code: 450, Text: "a", OfRecipient: true}},
		{[3]string{"450 a", "550 b", "451 c"}, Error{Code: 550, Text: "b", OfRecipient: true}},
		{[3]string{"451 4.3.0 a", "451 4.3.0 b", "451 4.3.0 c"}, Error{Code: 451, Enhanced: "4.3.0", Text: "a"}},
		{[3]string{"530 a", "550 b", "451 c"}, Error{Code: 530, Text: "a", Misconfigured: true}},
	} {
		s := obliging()
		s.refused = map[string]string{}
		for i, address := range envelope.To {
			s.refused[address] = c.replies[i]
		}
		client := s.open(t, nil)
		for range 2 { // the connection is ready for the next mail
			require.Equal(t, &c.want, fails(t, client))
		}
		require.Equal(t, 1, s.connected(), "the session was recovered")
	}
}

// TestRefusedBeforeTheServerIsAsked: what would break the protocol never reaches the server, and costs no connection.
func TestRefusedBeforeTheServerIsAsked(t *testing.T) {
	t.Parallel()
	s := obliging()
	client := s.open(t, nil)
	for want, env := range map[string]Envelope{
		"an address holds a line break":               {From: "a@b.c", To: []string{"x@y.z>\r\nDATA"}},
		"the server takes no addresses outside ASCII": {From: "a@b.c", To: []string{"ü@y.z"}, UTF8: true},
	} {
		_, err := client.Send(t.Context(), env, content)
		require.Equal(t, &Error{Text: want}, err)
	}
	_, err := client.Send(t.Context(), envelope, content)
	require.NoError(t, err)
	require.Equal(t, 1, s.connected())
}
