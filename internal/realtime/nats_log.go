package realtime

import (
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// troubleEvery bounds how often trouble is logged: the client tries four times a second, for as long as the server is away.
const troubleEvery = time.Minute

// natsLog writes what happens to the connection. Without it the client writes errors to standard error by itself, not as JSON,
// and says nothing while it has never been connected.
type natsLog struct {
	logger *slog.Logger

	mu   sync.Mutex
	said time.Time // when trouble was logged since the connection was made
}

func (l *natsLog) options() []nats.Option {
	return []nats.Option{
		nats.ConnectHandler(l.connected), nats.ReconnectHandler(l.connected),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				l.logger.Warn("the connection to NATS was lost; live events of other processes come at the next look", "error", err.Error())
			}
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && l.mayComplain() {
				l.logger.Warn("NATS is not reached, and tried again; live events of other processes come at the next look", "error", err.Error())
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if err != nil && l.mayComplain() {
				l.logger.Warn("NATS reports an error", "error", err.Error())
			}
		}),
	}
}

func (l *natsLog) connected(conn *nats.Conn) {
	l.mu.Lock()
	l.said = time.Time{}
	l.mu.Unlock()
	l.logger.Info("connected to NATS", "server", conn.ConnectedAddr())
}

// mayComplain reports whether trouble is to be logged now.
func (l *natsLog) mayComplain() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.said) < troubleEvery {
		return false
	}
	l.said = time.Now()
	return true
}
