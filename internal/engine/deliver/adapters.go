package deliver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgintegration"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
)

// maxAdapters bounds the adapters that a process keeps open.
const maxAdapters = 5_000

// adapterCache keeps the adapters used last, one per integration, as long as the integration stays as it is. Each is opened
// once, however many ask for it, and without holding up those that ask for others.
type adapterCache struct {
	byID    *lru.Cache[string, *openAdapter] // closes what it drops
	opening singleflight.Group
	replace sync.Mutex // makes removing one and adding its successor one step; never held while an adapter is opened
}

func newAdapterCache(size int) *adapterCache {
	byID, _ := lru.NewWithEvict(size, func(_ string, old *openAdapter) { old.close() }) // fails for a size below 1 only
	return &adapterCache{byID: byID}
}

// get returns the adapter of an integration as it was last changed at updatedAt, opened by open if need be.
func (c *adapterCache) get(integrationID string, updatedAt time.Time, open func() (*openAdapter, error)) (*openAdapter, error) {
	if kept, ok := c.byID.Get(integrationID); ok && kept.updatedAt.Equal(updatedAt) {
		return kept, nil
	}
	version := integrationID + " " + updatedAt.UTC().Format(time.RFC3339Nano)
	made, err, _ := c.opening.Do(version, func() (any, error) {
		if kept, ok := c.byID.Get(integrationID); ok && kept.updatedAt.Equal(updatedAt) {
			return kept, nil
		}
		opened, err := open()
		if err != nil {
			return nil, err
		}
		c.replace.Lock()
		defer c.replace.Unlock()
		c.byID.Remove(integrationID)
		c.byID.Add(integrationID, opened)
		return opened, nil
	})
	adapter, _ := made.(*openAdapter)
	return adapter, err
}

// drop closes the adapters of these integrations.
func (c *adapterCache) drop(integrationIDs []string) {
	for _, integrationID := range integrationIDs {
		c.byID.Remove(integrationID)
	}
}

func (c *adapterCache) close() { c.byID.Purge() }

// adapters opens the adapters of integrations and keeps them.
type adapters struct {
	*state.Shared
	cache   *adapterCache
	lacking sync.Once // a secret key; the keys of a process stay as they are
}

func newAdapters(s *state.Shared) *adapters {
	return &adapters{Shared: s, cache: newAdapterCache(maxAdapters)}
}

func (a *adapters) close() { a.cache.close() }

// dropGone closes the adapters of integrations that were deleted: no message asks for them any more.
func (a *adapters) dropGone(ctx context.Context) error {
	open := a.cache.byID.Keys()
	if len(open) == 0 {
		return nil
	}
	gone, err := pgintegration.GoneIntegrations(ctx, a.DB, open)
	a.cache.drop(gone)
	return err
}

// openAdapter is an adapter with the tokens that bound the attempts through its integration.
type openAdapter struct {
	provider.Adapter
	updatedAt  time.Time
	attempts   *tokens
	repeatable bool // takes an idempotency key
	reports    bool // sends receipts
	rate       rateMeter
	unhealthy  atomic.Bool // an attempt failed since the last one that worked
	crowd                  // without attempts that take long at servers of targets
	servers    servers
}

// receiptID is the id of a receipt that is known before the call; nil: none is. Stored with the intent it is not written again with the
// outcome, which then touches no index.
func (a *openAdapter) receiptID(messageID string) *string {
	if namer, ok := a.Adapter.(provider.Namer); ok {
		return state.NotEmpty(namer.ReceiptID(messageID))
	}
	return nil
}

// close drops the connections that the adapter keeps; attempts under way end on their own.
func (a *openAdapter) close() {
	if closer, ok := a.Adapter.(io.Closer); ok {
		_ = closer.Close() // only idle connections are at stake
	}
}

// get returns the adapter of an integration. Its error is a *provider.Error of class Fault: credentials that cannot be
// read or used are the integration's own fault, so that its messages fail over. While the database is away, and of credentials under a
// key that this process lacks, it is of class Transient.
func (a *adapters) get(ctx context.Context, row *pgrun.IntegrationRow) (*openAdapter, error) {
	return a.cache.get(row.ID, row.UpdatedAt, func() (*openAdapter, error) { return a.open(context.WithoutCancel(ctx), row) })
}

func (a *adapters) open(ctx context.Context, row *pgrun.IntegrationRow) (*openAdapter, error) {
	credentials, err := a.Credentials(ctx, *row)
	if fault.KindOf(postgres.Translate(err)) == fault.Unavailable { // they may name variables, which are read
		return nil, &provider.Error{Class: provider.Transient, OfTarget: true, Text: "the credentials of the integration could not be read"}
	}
	if errors.Is(err, secret.ErrKey) {
		a.lacking.Do(func() {
			a.Logger.ErrorContext(ctx, "credentials of an integration cannot be read, and its messages wait: they are sealed under a secret key that this process does "+
				"not have; add the key to its CARILLON_SECRET_KEY and restart it",
				slog.String("integration_id", row.ID), slog.String("environment_id", row.EnvironmentID))
		})
	}
	if err != nil {
		return nil, unopened(err, "the credentials of the integration", provider.Fault)
	}
	deps := a.Deps
	environmentID := row.EnvironmentID
	deps.Clock = func() time.Time { return a.Clocks.Now(environmentID) }
	if a.Receipts != nil {
		if deps.Receipts, err = a.Receipts(*row); err != nil {
			return nil, unopened(err, "the configurations of the integration", provider.Fault)
		}
	}
	var adapter provider.Adapter
	if err := state.RecoverPanic(func() (err error) {
		adapter, err = a.Providers.Open(deps, row.ProviderID, credentials)
		return err
	}); err != nil {
		return nil, &provider.Error{Class: provider.Fault, Code: "BAD_CREDENTIALS", Text: publicText(err)}
	}
	definition, _ := a.Providers.Lookup(row.ProviderID)
	open := &openAdapter{
		Adapter: adapter, updatedAt: row.UpdatedAt, attempts: newTokens(a.AttemptsPerIntegration),
		repeatable: definition.Capabilities.IdempotencyKey, reports: definition.Capabilities.Receipts || row.Simulation != nil,
	}
	if row.Simulation != nil {
		open.Adapter = provider.Simulated(adapter, row.Simulation, deps.Clock, a.simulatedReceipt(row)) //nolint:contextcheck // receipts come after the attempt
	}
	return open, nil
}

// publicText is what a classified error may show; it names fields, never values.
func publicText(err error) string {
	var known *fault.Error
	if !errors.As(err, &known) {
		return "the integration cannot be used"
	}
	var text strings.Builder
	text.WriteString(known.Message)
	for _, f := range known.Fields {
		text.WriteString("; " + f.Path + ": " + f.Message)
	}
	return text.String()
}

// take waits for a token of the integration and a place of the process. Waiting for the integration comes first, so that a
// slow provider holds none of the process's places while it queues. An attempt that takes long at a server of its target's own gives both
// back: that server must not keep the integration from serving others.
func (w *Worker) take(ctx context.Context, d *Delivery) (release func(), err error) {
	a := d.adapter
	own, err := a.attempts.take(ctx, d.Lane)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	place, err := w.sends.take(ctx, a, d.Lane)
	if err != nil {
		own()
		return nil, err
	}
	giveOwn := func() {
		own()
		a.learn(time.Since(began))
	}
	if d.toServer == nil {
		slot := newAttemptSlot(w.slow, &a.long, place)
		return func() { slot.release(); giveOwn() }, nil
	}
	slot := newAttemptSlot(w.slow, &d.toServer.long, func() { place(); giveOwn(); d.leaveProvider() })
	return func() { slot.release(); d.toServer.learn(time.Since(began)) }, nil
}

// tokens bound the attempts under way through one integration. Each lane may hold what those more urgent leave it.
type tokens struct{ lanes [3]chan struct{} }

func newTokens(n int) *tokens {
	var t tokens
	for rank, share := range shares(n) {
		t.lanes[rank] = make(chan struct{}, share)
	}
	return &t
}

// take waits for the lane's own share and then for those of the lanes before it, the last of which all share.
func (t *tokens) take(ctx context.Context, lane string) (release func(), err error) {
	own := max(rank(lane), 0)
	for at := own; at >= 0; at-- {
		select {
		case t.lanes[at] <- struct{}{}:
		case <-ctx.Done():
			t.give(at+1, own)
			return nil, context.Cause(ctx)
		}
	}
	return func() { t.give(0, own) }, nil
}

func (t *tokens) give(from, to int) {
	for at := from; at <= to; at++ {
		<-t.lanes[at]
	}
}
