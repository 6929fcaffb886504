package accept

import "context"

// LookAfterWriters is what the watchdog does every second.
func (a *Acceptor) LookAfterWriters(ctx context.Context) { a.lookAfterWriters(ctx) }
