package triggers

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
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
	claim   pgaccept.KeyClaim
	plain   []byte       // the hash of the request where the claim has its signature; of Once
	off     bool         // the organization does without keys, as the request's events found
	stored  *StoredReply // with the request's events
	did     atomic.Bool  // something was committed; of Once
	events  atomic.Int64 // that were given transactionIds; of Once
}

// ReplayError says that another request has the idempotency key.
type ReplayError struct {
	// Reply is what an earlier, equal request was answered with; nil when this one may have none.
	Reply *StoredReply
	// Reason says why there is no reply: fault.Conflict while that request runs, fault.Invalid when it was another one.
	Reason error
}

// Error names the reason.
func (e *ReplayError) Error() string {
	if e.Reason != nil {
		return e.Reason.Error()
	}
	return "an earlier, equal request was answered"
}

// Unwrap gives the reason.
func (e *ReplayError) Unwrap() error { return e.Reason }

// Claim is the claim of a request, which hash distinguishes from others, to a key of the viewer's organization. A key that is
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
	return &KeyUse{records: i, scope: v.Scope, claim: pgaccept.KeyClaim{
		ID: id.New(now), OrganizationID: v.OrganizationID, EnvironmentID: v.EnvironmentID, Key: key, RequestHash: hash, Now: now,
		ExpiresAt: now.Add(keptClaim),
	}}, nil
}

// Take takes the key. held is false when the organization does without keys. A key that another request has is a
// *ReplayError.
func (u *KeyUse) Take(ctx context.Context) (held bool, err error) {
	state, err := u.records.keys.Get(ctx, u.claim)
	if err != nil {
		return false, err
	}
	if !state.Off && !state.Taken {
		return false, u.met(state)
	}
	return state.Taken, nil
}

// met is what the key of another request has to say to the one that claims it.
func (u *KeyUse) met(state pgaccept.KeyState) *ReplayError {
	switch {
	case state.StatusCode == nil && u.isLost(state):
		return &ReplayError{Reason: u.replyLost()}
	case state.StatusCode == nil:
		return &ReplayError{Reason: fault.Conflictf(fault.CodeKeyInUse, "The request with key %q is still being processed. Retry after 1 second.", u.claim.Key)}
	case !u.repeats(state.RequestHash):
		return &ReplayError{Reason: &fault.Error{Kind: fault.Invalid, Message: "The key \"" + u.claim.Key + "\" was used before for a different request body."}}
	}
	return &ReplayError{Reply: &StoredReply{*state.StatusCode, state.Body}}
}

// repeats reports whether the request is equal to the one whose hash is stored.
func (u *KeyUse) repeats(stored []byte) bool {
	if u.plain == nil {
		return bytes.Equal(stored, u.claim.RequestHash)
	}
	return u.records.secrets.Signed(signedRequest, string(u.plain), string(stored))
}

// isLost reports whether a request that committed something is over without a reply.
func (u *KeyUse) isLost(state pgaccept.KeyState) bool {
	return state.Since != nil && state.ExpiresAt.Sub(*state.Since) > keptClaim && u.claim.Now.Sub(*state.Since) > MaxRun
}

func (i *IdempotencyRecords) tooLong(ctx context.Context, v viewer.Viewer, key string) error {
	organization, err := i.DB.Client(ctx).Organization.Get(viewer.SystemContext(ctx), v.OrganizationID)
	if err != nil || !organization.Idempotency {
		return postgres.Translate(err)
	}
	return fault.BadRequestf("IDEMPOTENCY_KEY_TOO_LONG", "The key %q… exceeds the maximum length of %d characters.",
		string([]rune(key)[:shownKey]), MaxIdempotencyKey)
}

func (u *KeyUse) reply(r StoredReply) pgaccept.KeyReply {
	now := u.records.Now()
	return pgaccept.KeyReply{ID: u.claim.ID, StatusCode: r.Status, Body: r.Body, Now: now, ExpiresAt: now.Add(keptReply)}
}

// Run runs a write and stores its reply, both in one transaction. When write fails nothing of it happens, nor is
// anything stored.
func (u *KeyUse) Run(ctx context.Context, write func(context.Context) (StoredReply, error)) (reply StoredReply, err error) {
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		return u.records.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			if reply, err = write(ctx); err != nil {
				return err
			}
			pgaccept.QueueOwnReply(&tx.Last, u.scope, u.reply(reply))
			return nil
		})
	})
	if pgaccept.Overtaken(err) {
		return reply, fault.Unavailablef(err, "The request took too long.")
	}
	return reply, postgres.Translate(err)
}

// Keep stores the reply of a write that changed nothing.
func (u *KeyUse) Keep(ctx context.Context, reply StoredReply) error {
	_, err := u.Run(ctx, func(context.Context) (StoredReply, error) { return reply, nil })
	return err
}

// Release gives the key back. A reply that was stored stays, and so does the key of a write that committed something (Once).
func (u *KeyUse) Release(ctx context.Context) error {
	return pgaccept.ReleaseKey(ctx, u.records.DB, u.scope, u.claim.ID, u.claim.ExpiresAt)
}

// Stored returns the reply that was stored together with the request's events; nil when none was.
func (u *KeyUse) Stored() *StoredReply { return u.stored }

// Off reports whether the request's events found that the organization does without keys.
func (u *KeyUse) Off() bool { return u.off }

// TriggerOption changes how events are accepted.
type TriggerOption func(*accepting)

// accepting is how events are accepted.
type accepting struct {
	use        *KeyUse // the idempotency key that they are accepted under; nil: none
	render     func([]*TriggerResult) (StoredReply, error)
	credential accept.Credential // that is still to be confirmed; nil: none
}

// WithCredential accepts events once the credential of their request is confirmed.
func WithCredential(c accept.Credential) TriggerOption {
	return func(o *accepting) { o.credential = c }
}

// WithIdempotency lets events take the key of their request and commit together with its reply: render makes it within that
// commit, which they share with other requests and which may be tried again. When another request has the key nothing is
// accepted and the error is a *ReplayError. Events that are wrong in themselves ask for no key.
func WithIdempotency(use *KeyUse, render func([]*TriggerResult) (StoredReply, error)) TriggerOption {
	return func(o *accepting) { o.use, o.render = use, render }
}

// accepted accepts a call, under its request's idempotency key if it has one. results are those of all events of the request.
func (t *Triggers) accepted(ctx context.Context, call accept.Request, options []TriggerOption, results func([]accept.Outcome) []*TriggerResult) ([]accept.Outcome, error) {
	var key accepting
	for _, option := range options {
		option(&key)
	}
	call.Credential = key.credential
	if key.use == nil {
		return t.accept.Accept(ctx, call)
	}
	var rendered *StoredReply
	call.Key = &accept.Key{Claim: key.use.claim, Reply: func(outcomes []accept.Outcome) (*pgaccept.KeyReply, error) {
		rendered = nil
		settled := results(outcomes)
		if settled == nil { // it failed, which is not reported here
			return nil, nil
		}
		reply, err := key.render(settled)
		if err != nil {
			return nil, err
		}
		rendered = &reply
		stored := key.use.reply(reply)
		return &stored, nil
	}}
	outcomes, err := t.accept.Accept(ctx, call)
	switch {
	case err == nil:
		key.use.stored, key.use.off = rendered, call.Key.State.Off
	case errors.Is(err, accept.ErrKeyInUse):
		return nil, key.use.met(call.Key.State)
	}
	return outcomes, err
}
