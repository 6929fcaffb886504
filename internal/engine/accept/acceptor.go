// Package accept admits events: it validates them, groups concurrent requests and commits each group at once.
package accept

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/workflow"
)

// Acceptance is one event to accept, its fields valid. JSON fields hold JSON text; nil is absent.
type Acceptance struct {
	EnvironmentID string
	Kind          event.Kind
	Workflow      string // trigger identifier
	TransactionID string
	Generated     bool // the transactionId is ours and new, so it need not be looked for
	Payload       []byte
	Overrides     []byte
	Severity      workflow.Severity // of the overrides; "" leaves the workflow's
	Recipients    []byte            // workflow.Recipients; nil for a broadcast
	Reachable     bool              // a valid recipient is named, or it is a broadcast
	Topics        bool              // topics are among the recipients
	Actor         []byte            // workflow.SubscriberInput
	Tenant        *workflow.TenantInput
	Contexts      []workflow.ContextRef
	RequestID     string
	TraceParent   string
	PerSecond     *int // notifications that are made per second where there are topics, or it is a broadcast; nil: as many as possible
}

func (a *Acceptance) workflowKey() pgaccept.EnvKey {
	return pgaccept.EnvKey{EnvironmentID: a.EnvironmentID, Key: a.Workflow}
}

func (a *Acceptance) claimKey() pgaccept.EnvKey {
	return pgaccept.EnvKey{EnvironmentID: a.EnvironmentID, Key: a.TransactionID}
}

// mayRepeatGenerated reports whether the caller may name the event of another request by the transactionId that was generated for it. No
// claim shows that to the commit.
func (a *Acceptance) mayRepeatGenerated() bool {
	return !a.Generated && workflow.MayBeGenerated(a.TransactionID)
}

// Outcome is what became of one event (decisions.md §12, Outcome).
type Outcome struct {
	Status  workflow.TriggerStatus
	Error   string // code of a status error, such as workflow_not_found
	EventID string // of the event written; "" when none was
	// Err is set instead of Status when the payload violates the workflow's schema, or when this event alone failed.
	Err error
}

// CodeWorkflowNotFound is the error of a trigger that names no workflow; clients compare it.
const CodeWorkflowNotFound = "workflow_not_found"

// Request is the events of one request. They share one commit, though each has its own outcome.
type Request struct {
	Items []Acceptance
	// Key is the idempotency key of the request; nil: none.
	Key *Key
	// Credential is that of a request of which it is not known yet whether it may be carried out; nil: it is known.
	Credential Credential
}

// Credential is an API key that is taken to name the viewer that it named before. Nothing is stored before that is confirmed.
type Credential interface {
	// Check is the key, to be read together with what else the request depends on.
	Check() *pgaccess.KeyCheck
	// Confirm returns why the request may not be carried out. It reads the key unless that has been done.
	Confirm(ctx context.Context) error
	// Reset lets Confirm judge anew, by a key that is read again: what it was assumed to be was not verified.
	Reset()
}

// Key is an idempotency key that a request takes in the transaction of its events, which also stores the reply under it: all
// of that happens or nothing.
type Key struct {
	Claim pgaccept.KeyClaim
	// Reply makes the reply from the outcomes; nil stores none. It runs again with others when a first try was
	// rolled back. An error undoes the request.
	Reply func(outcomes []Outcome) (*pgaccept.KeyReply, error)
	// State is what Accept found. Unless it is Taken or Off the request did not happen, and ErrKeyInUse is the error.
	State pgaccept.KeyState
}

// name tells keys apart.
func (k *Key) name() [2]string { return [2]string{k.Claim.OrganizationID, k.Claim.Key} }

// ErrKeyInUse says that a request was not accepted because its idempotency key is another request's; Key.State says what became of that one.
var ErrKeyInUse = errors.New("the idempotency key is another request's")

// Config is what an Acceptor works with.
type Config struct {
	DB     *postgres.DB
	Queue  *queue.Queue     // is handed the events that were accepted
	Now    func() time.Time // real time
	Logger *slog.Logger
	// Retention is how long a transactionId counts as used; 0: 30 days.
	Retention time.Duration
	// Observe is told of each commit: the writer, the requests that shared it and the time it took; nil: nothing is.
	Observe func(writer string, requests int, took time.Duration)
	// Writers is how many commits may be under way at once; 0: 1, which makes the largest groups and so costs least.
	Writers int
}

// DefaultRetention is how long a transactionId counts as used unless the operator says otherwise.
const DefaultRetention = 30 * 24 * time.Hour

const (
	defaultWriters = 1
	// heavyBytes is the size above which a request goes to the writer of heavy ones.
	heavyBytes = 1 << 20
	// Grace is how long this process has to take an event up before any other may.
	Grace = 3 * time.Second
	// triggeredEvery is how often lastTriggeredAt moves; it may lag, so that accepting does not lock workflows.
	triggeredEvery = 5 * time.Second
	// triggeredTimeout bounds one such move.
	triggeredTimeout = 20 * time.Second
)

// Acceptor writes events. Concurrent requests share a commit: a writer takes everything that queued while the last commit
// ran, and never waits for more.
type Acceptor struct {
	Config
	versions *VersionCache
	planning *planning // nil: events are fanned out once they are stored
	recent   recentTriggers
	pressure pressure
	repeats  atomic.Int64 // until when clients count as repeating triggers, in nanoseconds

	light      *writer // of nearly all requests
	heavy      *writer // of requests that take the database long to store, so that only their like waits for them
	start      sync.Once
	ticking    sync.WaitGroup
	publishing sync.WaitGroup // of what was stored with events
	cancel     context.CancelFunc
}

// queuedRequest is a Request that waits for its commit, with what becomes of it.
type queuedRequest struct {
	Request
	outcomes []Outcome
	prepared []prepared
	size     int  // in bytes
	stale    bool // prepared by another version than is published; the request did not happen then
	key      pgaccept.KeyState
	err      error
	// assumedKey is what the request's API key is assumed to be, which the commit verifies; nil: it was read.
	assumedKey *pgaccess.FoundKey
}

// NewAcceptor makes an Acceptor, which accepts from now on.
func NewAcceptor(cfg Config) *Acceptor {
	cfg.Retention = cmp.Or(cfg.Retention, DefaultRetention)
	cfg.Writers = cmp.Or(cfg.Writers, defaultWriters)
	if cfg.Observe == nil {
		cfg.Observe = func(string, int, time.Duration) {}
	}
	a := &Acceptor{Config: cfg, versions: NewVersionCache().InTurns()}
	a.light, a.heavy = a.newWriter(cfg.Writers), a.newWriter(1)
	return a
}

// Start begins to watch the writers and to move lastTriggeredAt. It outlives ctx, which only carries values; Stop ends it.
func (a *Acceptor) Start(ctx context.Context) error {
	a.start.Do(func() {
		ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
		a.ticking.Go(func() { a.moveLastTriggered(ctx) })
		a.ticking.Go(func() { a.watchWriters(ctx) })
	})
	return nil
}

// Stop refuses new requests and returns when everything queued is committed, or ctx ends.
func (a *Acceptor) Stop(ctx context.Context) error {
	drained := make(chan struct{})
	go func() {
		var writers sync.WaitGroup
		writers.Go(a.light.requests.Close)
		writers.Go(a.heavy.requests.Close)
		writers.Wait()
		a.publishing.Wait()
		if a.cancel != nil {
			a.cancel()
		}
		a.ticking.Wait()
		close(drained)
	}()
	select {
	case <-drained:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop accepting: %w", context.Cause(ctx))
	}
}

// Accept returns one outcome per item once they are committed. When ctx ends before, the request is committed all the same
// if its commit had begun.
//
// Whatever a client can make expensive happens here, on the request's own time, before its turn: the writer only compares
// the versions that payloads were validated by with those that are published, and sends a request back for another round when
// they differ, as at a workflow's first trigger and often at the first after it was published.
func (a *Acceptor) Accept(ctx context.Context, r Request) ([]Outcome, error) {
	for round := range maxRounds {
		queued := &queuedRequest{Request: r, outcomes: make([]Outcome, len(r.Items))}
		var err error
		if queued.prepared, err = a.versions.prepare(ctx, a.DB.Pool, r.Items); err != nil {
			return nil, err
		}
		if round < plannedRounds {
			a.plan(ctx, r, queued.prepared)
		}
		for i := range r.Items {
			queued.size += queued.prepared[i].size(&r.Items[i])
			if plan := queued.prepared[i].plan; plan != nil {
				queued.size += plan.Profiles() * profileBytes
			}
		}
		if again, err := a.confirm(ctx, queued); again || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		err = a.writerOf(queued).write(ctx, queued)
		if queued.assumedKey != nil && (err != nil || queued.stale || queued.err != nil) {
			r.Credential.Reset() // no commit has verified it
		}
		if err != nil {
			return nil, err
		}
		if queued.stale && queued.err == nil {
			continue
		}
		if r.Key != nil {
			r.Key.State = queued.key
		}
		return queued.outcomes, queued.err
	}
	return nil, fault.Unavailablef(errRounds, "The workflow is being published again and again. Retry later.")
}

const (
	// maxRounds bounds how often a request is prepared anew because a workflow was published meanwhile.
	maxRounds = 10
	// plannedRounds bounds in how many of them its events are planned: where what plans rest on changes again and again, they are left
	// to the fan-out.
	plannedRounds = 4
)

var errRounds = errors.New("published versions changed in every round")

func (a *Acceptor) writerOf(r *queuedRequest) *writer {
	if r.size > heavyBytes {
		return a.heavy
	}
	return a.light
}

// recentTriggers remembers when workflows were last triggered until the next move.
type recentTriggers struct {
	sync.Mutex
	latest map[pgaccept.EnvKey]time.Time
}

func (r *recentTriggers) add(at time.Time, events []pgaccept.AcceptedEvent) {
	r.Lock()
	defer r.Unlock()
	if r.latest == nil {
		r.latest = map[pgaccept.EnvKey]time.Time{}
	}
	for _, e := range events {
		key := pgaccept.EnvKey{EnvironmentID: e.EnvironmentID, Key: e.WorkflowID}
		if r.latest[key].Before(at) {
			r.latest[key] = at
		}
	}
}

func (r *recentTriggers) take() map[pgaccept.EnvKey]time.Time {
	r.Lock()
	defer r.Unlock()
	taken := r.latest
	r.latest = nil
	return taken
}

// moveLastTriggered writes what was recorded, every few seconds and once more at the end.
func (a *Acceptor) moveLastTriggered(ctx context.Context) {
	tick := time.NewTicker(triggeredEvery)
	defer tick.Stop()
	for more := true; more; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			more = false
		}
		if latest := a.recent.take(); len(latest) > 0 {
			a.saveLastTriggered(context.WithoutCancel(ctx), latest)
		}
	}
}

// saveLastTriggered gives up on an error: the next trigger of the workflow moves it.
func (a *Acceptor) saveLastTriggered(ctx context.Context, latest map[pgaccept.EnvKey]time.Time) {
	ctx, cancel := context.WithTimeout(ctx, triggeredTimeout)
	defer cancel()
	if err := pgaccept.MoveLastTriggered(ctx, a.DB, latest); err != nil {
		a.Logger.WarnContext(ctx, "lastTriggeredAt not moved", slog.Int("workflows", len(latest)), slog.Any("error", err))
	}
}
