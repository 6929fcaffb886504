package notify

import (
	"bytes"
	"context"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Limits of idempotency keys (api.md, Limits).
const (
	MaxIdempotencyKey = 255 // characters
	keptReply         = 24 * time.Hour
	keptClaim         = 5 * time.Minute
	// MaxRun is how long a request may run under a key. It ends well before another request may take the key over.
	MaxRun = time.Minute
	// shownKey is how much of a key that is too long an error quotes.
	shownKey = 32
)

// StoredReply is the reply of a request as it was sent.
type StoredReply struct {
	Status int
	Body   []byte
}

// KeyUse is a request that holds an idempotency key.
type KeyUse struct {
	records *IdempotencyRecords
	scope   viewer.Scope
	id      string
	stored  *StoredReply
}

// Take takes a key of the viewer's organization for a request, which hash tells apart from others. use is nil when the
// organization does without keys, and when the reply of an earlier, equal request stands ready. Errors are
// fault.Conflict while that request runs, fault.Invalid when it was another one, and fault.BadRequest for a long key.
func (i *IdempotencyRecords) Take(ctx context.Context, key string, hash []byte) (use *KeyUse, replay *StoredReply, err error) {
	v, err := allowed(ctx, viewer.RoleViewer)
	if err != nil {
		return nil, nil, err
	}
	if utf8.RuneCountInString(key) > MaxIdempotencyKey {
		return nil, nil, i.tooLong(ctx, v, key)
	}
	now := i.now()
	claim := postgres.KeyClaim{
		ID: id.New(now), OrganizationID: v.OrganizationID, Key: key, RequestHash: hash, Now: now, ExpiresAt: now.Add(keptClaim),
	}
	state, err := i.keys.Get(ctx, claim)
	switch {
	case err != nil:
		return nil, nil, err
	case state.Off:
		return nil, nil, nil
	case state.Taken:
		return &KeyUse{records: i, scope: v.Scope, id: claim.ID}, nil, nil
	case state.StatusCode == nil:
		return nil, nil, fault.Conflictf("IDEMPOTENCY_KEY_IN_USE", "The request with key %q is still being processed. Retry after 1 second.", key)
	case !bytes.Equal(state.RequestHash, hash):
		return nil, nil, &fault.Error{Kind: fault.Invalid, Message: "The key \"" + key + "\" was used before for a different request body."}
	}
	return nil, &StoredReply{*state.StatusCode, state.Body}, nil
}

func (i *IdempotencyRecords) tooLong(ctx context.Context, v viewer.Viewer, key string) error {
	organization, err := i.db.Client(ctx).Organization.Get(ctx, v.OrganizationID)
	if err != nil || !organization.Idempotency {
		return postgres.Translate(err)
	}
	return fault.BadRequestf("IDEMPOTENCY_KEY_TOO_LONG", "The key %q… exceeds the maximum length of %d characters.",
		string([]rune(key)[:shownKey]), MaxIdempotencyKey)
}

func (u *KeyUse) reply(r StoredReply) postgres.KeyReply {
	now := u.records.now()
	return postgres.KeyReply{ID: u.id, StatusCode: r.Status, Body: r.Body, Now: now, ExpiresAt: now.Add(keptReply)}
}

// Run runs a write and stores its reply, both in one transaction. When write fails nothing of it happens, nor is
// anything stored.
func (u *KeyUse) Run(ctx context.Context, write func(context.Context) (StoredReply, error)) (reply StoredReply, err error) {
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		return u.records.db.InTx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			if reply, err = write(ctx); err != nil {
				return err
			}
			postgres.QueueOwnReply(&tx.Last, u.scope, u.reply(reply))
			return nil
		})
	})
	if postgres.KeyLost(err) {
		return reply, fault.Unavailablef(err, "The request took too long.")
	}
	return reply, postgres.Translate(err)
}

// Keep stores the reply of a write that changed nothing.
func (u *KeyUse) Keep(ctx context.Context, reply StoredReply) error {
	_, err := u.Run(ctx, func(context.Context) (StoredReply, error) { return reply, nil })
	return err
}

// Release gives the key back. A reply that was stored stays.
func (u *KeyUse) Release(ctx context.Context) error {
	return u.records.db.ReleaseKey(ctx, u.scope, u.id)
}

// Stored is the reply that was stored with accepted events; nil when none was.
func (u *KeyUse) Stored() *StoredReply { return u.stored }

type settleKey struct{}

// settle is a KeyUse on its way to the acceptance of events.
type settle struct {
	use    *KeyUse
	render func([]*TriggerResult) (StoredReply, error)
}

// Accepting lets the events that are triggered with the returned context commit together with their reply: render makes
// it within that commit, which they share with other requests and which may be tried again.
func (u *KeyUse) Accepting(ctx context.Context, render func([]*TriggerResult) (StoredReply, error)) context.Context {
	return context.WithValue(ctx, settleKey{}, &settle{u, render})
}

// inTx is what commits with the events of a call; nil when its request holds no key. results are those of all its events.
func inTx(ctx context.Context, results func([]engine.Outcome) []*TriggerResult) func(*pgx.Batch, []engine.Outcome) error {
	s, ok := ctx.Value(settleKey{}).(*settle)
	if !ok {
		return nil
	}
	return func(batch *pgx.Batch, outcomes []engine.Outcome) error {
		settled := results(outcomes)
		if settled == nil { // it failed, which is not told here
			return nil
		}
		reply, err := s.render(settled)
		if err != nil {
			return err
		}
		postgres.QueueReply(batch, s.use.scope, s.use.reply(reply))
		s.use.stored = &reply
		return nil
	}
}
