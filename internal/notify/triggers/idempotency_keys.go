package triggers

import (
	"bytes"
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
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

// KeyUse is a request that claims an idempotency key and then, unless another has it, holds it.
type KeyUse struct {
	records *IdempotencyRecords
	scope   viewer.Scope
	claim   postgres.KeyClaim
	render  func([]*TriggerResult) (StoredReply, error)
	events  *accept.Key // what became of the claim on the way of the request's events; nil: none came so far
	stored  *StoredReply
}

// Claim is the claim of a request, which hash tells apart from others, to a key of the viewer's organization. A key that is
// too long is a fault.BadRequest.
func (i *IdempotencyRecords) Claim(ctx context.Context, key string, hash []byte) (*KeyUse, error) {
	v, err := usecase.Require(ctx, usecase.ReadReferences)
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(key) > MaxIdempotencyKey {
		if err := i.tooLong(ctx, v, key); err != nil {
			return nil, err
		}
	}
	now := i.Now()
	return &KeyUse{records: i, scope: v.Scope, claim: postgres.KeyClaim{
		ID: id.New(now), OrganizationID: v.OrganizationID, EnvironmentID: v.EnvironmentID, Key: key, RequestHash: hash, Now: now,
		ExpiresAt: now.Add(keptClaim),
	}}, nil
}

// Take takes the key. held is false when the organization does without keys, and when the reply of an earlier, equal
// request stands ready. Errors are fault.Conflict while that request runs and fault.Invalid when it was another one.
func (u *KeyUse) Take(ctx context.Context) (held bool, replay *StoredReply, err error) {
	state, err := u.records.keys.Get(ctx, u.claim)
	if err != nil {
		return false, nil, err
	}
	replay, err = u.met(state)
	return state.Taken, replay, err
}

// met is what a key in a state has to say to the request that claims it: nothing if it is the request's or there are no keys.
func (u *KeyUse) met(state postgres.KeyState) (replay *StoredReply, err error) {
	switch {
	case state.Off, state.Taken:
		return nil, nil
	case state.StatusCode == nil:
		return nil, fault.Conflictf("IDEMPOTENCY_KEY_IN_USE", "The request with key %q is still being processed. Retry after 1 second.", u.claim.Key)
	case !bytes.Equal(state.RequestHash, u.claim.RequestHash):
		return nil, &fault.Error{Kind: fault.Invalid, Message: "The key \"" + u.claim.Key + "\" was used before for a different request body."}
	}
	return &StoredReply{*state.StatusCode, state.Body}, nil
}

func (i *IdempotencyRecords) tooLong(ctx context.Context, v viewer.Viewer, key string) error {
	organization, err := i.DB.Client(ctx).Organization.Get(viewer.SystemContext(ctx), v.OrganizationID)
	if err != nil || !organization.Idempotency {
		return postgres.Translate(err)
	}
	return fault.BadRequestf("IDEMPOTENCY_KEY_TOO_LONG", "The key %q… exceeds the maximum length of %d characters.",
		string([]rune(key)[:shownKey]), MaxIdempotencyKey)
}

func (u *KeyUse) reply(r StoredReply) postgres.KeyReply {
	now := u.records.Now()
	return postgres.KeyReply{ID: u.claim.ID, StatusCode: r.Status, Body: r.Body, Now: now, ExpiresAt: now.Add(keptReply)}
}

// Run runs a write and stores its reply, both in one transaction. When write fails nothing of it happens, nor is
// anything stored.
func (u *KeyUse) Run(ctx context.Context, write func(context.Context) (StoredReply, error)) (reply StoredReply, err error) {
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		return u.records.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
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
	return u.records.DB.ReleaseKey(ctx, u.scope, u.claim.ID)
}

type settleKey struct{}

// Accepting lets the events that are triggered with the returned context take the key and commit together with their reply:
// render makes it within that commit, which they share with other requests and which may be tried again. Settled tells how
// it went.
func (u *KeyUse) Accepting(ctx context.Context, render func([]*TriggerResult) (StoredReply, error)) context.Context {
	u.render = render
	return context.WithValue(ctx, settleKey{}, u)
}

// Settled tells what the request's events found: done is false when none came so far as to ask for the key, or they left
// nothing behind. Of reply, replay and err one is set, as with Take, unless the organization does without keys.
func (u *KeyUse) Settled() (done bool, reply, replay *StoredReply, err error) {
	switch {
	case u.events == nil:
		return false, nil, nil, nil
	case u.stored != nil:
		return true, u.stored, nil, nil
	}
	replay, err = u.met(u.events.State)
	return !u.events.State.Taken, nil, replay, err
}

// accepted accepts a call, under the key that ctx claims if it does. results are those of all events of the request.
func (t *Triggers) accepted(ctx context.Context, call accept.Request, results func([]accept.Outcome) []*TriggerResult) ([]accept.Outcome, error) {
	use, ok := ctx.Value(settleKey{}).(*KeyUse)
	if !ok {
		return t.accept.Accept(ctx, call)
	}
	var rendered *StoredReply
	call.Key = &accept.Key{Claim: use.claim, Reply: func(outcomes []accept.Outcome) (*postgres.KeyReply, error) {
		rendered = nil
		settled := results(outcomes)
		if settled == nil { // it failed, which is not told here
			return nil, nil
		}
		reply, err := use.render(settled)
		if err != nil {
			return nil, err
		}
		rendered = &reply
		stored := use.reply(reply)
		return &stored, nil
	}}
	outcomes, err := t.accept.Accept(ctx, call)
	if err == nil {
		use.events, use.stored = call.Key, rendered
	}
	if errors.Is(err, accept.ErrKeyInUse) {
		use.events = call.Key
	}
	return outcomes, err
}
