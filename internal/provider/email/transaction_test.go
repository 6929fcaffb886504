package email

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider/email/smtpsink"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
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

// TestSMTPCommandsGoTogether where the server takes that, and one by one where it does not; the outcome is the same.
func TestSMTPCommandsGoTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hide   bool
		writes int64 // of the second mail: its commands, its content
	}{"Together": {writes: 2}, "OneByOne": {hide: true, writes: 6}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var writes atomic.Int64
			b := serve(t, false, func(own *bundle) {
				own.sink.TLS, own.sink.InsecureLogin = nil, true
				own.creds["ignoreTls"] = true
				own.sink.Recipient = func(a string) error {
					if a == "cc@example.com" {
						return smtpsink.Refuse(550, [3]int{5, 1, 1}, "no")
					}
					return nil
				}
				own.deps.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
					return counted{conn, &writes, c.hide}, err
				}
			})
			adapter := b.open(t)
			for range 2 {
				writes.Store(0)
				receipt, err := adapter.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
				require.NoError(t, err)
				require.Equal(t, "cc@example.com refused: 550 no", receipt.Warning)
				require.Equal(t, []string{"ada@example.com", "bcc@example.com"}, (<-b.mails).To)
			}
			require.Equal(t, c.writes, writes.Load())
		})
	}
}
