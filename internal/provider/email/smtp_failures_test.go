package email

import (
	"context"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/workflow"
)

// fails sends one mail and gives the failure.
func (b *bundle) fails(t *testing.T, m *provider.Message) *provider.Error {
	t.Helper()
	_, err := b.open(t).Send(t.Context(), m)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "MARKER")
	return provider.AsError(err)
}

func TestSMTPRefusals(t *testing.T) {
	t.Parallel()
	refuse := func(replies map[string]int) func(*bundle) {
		return func(b *bundle) {
			b.sink.Recipient = func(a string) error {
				if code := replies[a]; code != 0 {
					return smtpsink.Refuse(code, [3]int{code / 100, 1, 1}, "no")
				}
				return nil
			}
		}
	}
	t.Run("SomeRecipients", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, refuse(map[string]int{"cc@example.com": 550, "bcc@example.com": 451}))
		receipt, err := b.open(t).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
		require.Equal(t, "cc@example.com refused: 550 no; bcc@example.com refused: 451 no", receipt.Warning)
		require.Equal(t, []string{"ada@example.com"}, (<-b.mails).To)
	})
	for name, c := range map[string]struct {
		codes [3]int
		want  provider.Class
	}{
		"AllForNow":       {[3]int{450, 451, 452}, provider.Transient},
		"OneForGood":      {[3]int{450, 550, 451}, provider.Permanent},
		"AllForGood":      {[3]int{550, 551, 553}, provider.Permanent},
		"LoginIsRequired": {[3]int{530, 530, 530}, provider.Fault},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, false, refuse(map[string]int{
				"ada@example.com": c.codes[0], "cc@example.com": c.codes[1], "bcc@example.com": c.codes[2],
			}))
			failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
			require.Equal(t, c.want, failure.Class)
			require.Equal(t, c.want != provider.Fault, failure.OfTarget)
		})
	}
	for code, want := range map[int]provider.Class{
		421: provider.Transient, 451: provider.Transient, 452: provider.Transient, 550: provider.Permanent,
		552: provider.Permanent, 554: provider.Permanent,
	} {
		t.Run("Content"+strconv.Itoa(code), func(t *testing.T) {
			t.Parallel()
			b := serve(t, false, func(b *bundle) {
				b.sink.Deliver = func(smtpsink.Mail) error {
					return smtpsink.Refuse(code, [3]int{code / 100, 3, 4}, "too MARKER-PASSWORD big")
				}
			})
			failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
			require.Equal(t, want, failure.Class)
			require.Equal(t, code, failure.Status)
			require.False(t, failure.OfTarget)
			require.Equal(t, strconv.Itoa(code/100)+".3.4", failure.Code)
			require.Equal(t, "too *** big", failure.Text)
		})
	}
}

func TestSMTPLostConnection(t *testing.T) {
	t.Parallel()
	t.Run("BeforeTheContent", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(own *bundle) {
			own.sink.Recipient = func(string) error { return (<-own.connections).Close() }
		})
		require.Equal(t, provider.Transient, b.fails(t, providertest.Message(workflow.ChannelEmail)).Class)
	})
	t.Run("AfterTheContent", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(own *bundle) {
			own.sink.Deliver = func(smtpsink.Mail) error { return (<-own.connections).Close() }
		})
		require.Equal(t, provider.Unknown, b.fails(t, providertest.Message(workflow.ChannelEmail)).Class)
	})
	t.Run("NobodyListens", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(own *bundle) { own.creds["port"] = 1 })
		failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
		require.Equal(t, provider.Transient, failure.Class)
		require.Equal(t, "connection refused", failure.Text)
	})
	t.Run("Silent", func(t *testing.T) {
		t.Parallel()
		b := serve(t, false, func(own *bundle) {
			own.deps.SMTP.Greeting = 50 * time.Millisecond
			own.deps.Dial = func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				t.Cleanup(func() { _ = far.Close() })
				return near, nil
			}
		})
		failure := b.fails(t, providertest.Message(workflow.ChannelEmail))
		require.Equal(t, provider.Transient, failure.Class)
		require.Equal(t, "no answer within the time limit", failure.Text)
	})
}
