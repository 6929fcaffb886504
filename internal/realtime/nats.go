package realtime

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// subject is where all processes of one installation publish.
const subject = "carillon.live"

// maxUnheard bounds the payloads that wait to be heard.
const maxUnheard = 1024

// pingEvery is how often a NATS server is asked for a sign of life. One that is silent three times, because it hangs or the network to it is
// cut, is left for another one, or connected to again; the client's own two minutes would keep live events away for six.
const pingEvery = 10 * time.Second

// ViaNATS carries signals through a NATS server or cluster.
type ViaNATS struct{ conn *nats.Conn }

// ConnectNATS connects to one of the servers of url, a comma-separated list, or keeps trying in the background: a broker
// that is away, or refuses the log-in until its operator has corrected that, must not keep Carillon from starting or hearing later.
func ConnectNATS(url string, logger *slog.Logger) (*ViaNATS, error) {
	log := &natsLog{logger: logger}
	conn, err := nats.Connect(url, append(log.options(), nats.Name("carillon"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true),
		nats.IgnoreAuthErrorAbort(), nats.ReconnectWait(250*time.Millisecond), nats.ReconnectBufSize(-1),
		nats.PingInterval(pingEvery))...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return &ViaNATS{conn}, nil
}

// Close ends the connection.
func (n *ViaNATS) Close() { n.conn.Close() }

// Publish is part of Broker.
func (n *ViaNATS) Publish(_ context.Context, from string, topics []Topic) error {
	for _, payload := range pack(from, topics) {
		if err := n.conn.Publish(subject, []byte(payload)); err != nil {
			return fmt.Errorf("publish to NATS: %w", err)
		}
	}
	return nil
}

// Listen is part of Broker. After each reconnect everything counts as possibly missed: what the others said, and what was
// said to them, since a server that goes away takes along what it had not passed on. The same holds for signals that came
// faster than they were heard.
func (n *ViaNATS) Listen(ctx context.Context, connected func(), hear func(string, []Topic)) error {
	messages := make(chan *nats.Msg, maxUnheard)
	sub, err := n.conn.ChanSubscribe(subject, messages)
	if err != nil {
		return fmt.Errorf("listen to NATS: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	states := n.conn.StatusChanged(nats.CONNECTED)
	defer n.conn.RemoveStatusListener(states)
	if n.conn.IsConnected() {
		if err := n.flush(ctx); err != nil {
			return fmt.Errorf("listen to NATS: %w", err)
		}
		connected()
	}
	lost := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-messages:
			hear(unpack(string(m.Data)))
		case <-states:
			connected()
			if err := n.Publish(ctx, "", []Topic{Everything}); err != nil {
				return err
			}
		}
		if dropped, err := sub.Dropped(); err == nil && dropped > lost {
			lost = dropped
			connected()
		}
	}
}

const flushTime = 10 * time.Second

// flush returns when the server has taken all that it was sent. The client refuses a context without a deadline.
func (n *ViaNATS) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	return n.conn.FlushWithContext(ctx) //nolint:wrapcheck // by the caller
}
