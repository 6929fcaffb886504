package triggers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// maxOnceReply bounds what is kept of a write for a day. A repetition of one with a longer reply learns that it was carried out.
const maxOnceReply = 1 << 20

// signedRequest is the purpose of what is stored of a write's request: its hash alone would let whoever reads the database try passwords
// that the request may hold.
const signedRequest = "request under an idempotency key"

type onceKey struct{}

// Once runs a write at most once for an idempotency key of the viewer's organization, and gives its reply to each repetition.
//
// Unlike a request of the REST API such a write makes its reply after its commits. Each of these keeps the key for as long as a
// reply is kept, so that the write does not run again when its process dies before the reply is stored; events that it accepts
// have transactionIds that a repetition would give them again. failed says that the reply reports an error: the key is free
// again if nothing was committed.
//
// held is false when the organization does without keys: the write ran, and nothing is stored. A key that another request has
// and cannot answer for is a fault.Conflict or a fault.Invalid.
func (i *IdempotencyRecords) Once(
	ctx context.Context, key string, hash []byte, write func(context.Context) (reply []byte, failed bool),
) (reply []byte, held, replayed bool, err error) {
	use, err := i.Claim(ctx, key, hash)
	if err != nil {
		return nil, false, false, err
	}
	use.plain, use.claim.RequestHash = hash, []byte(i.secrets.Sign(signedRequest, string(hash)))
	// The caller may leave: the write is finished all the same, so that a repetition finds its reply.
	kept, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), MaxRun, fmt.Errorf("not done within %s", MaxRun))
	defer cancel()
	held, err = use.Take(kept)
	var replay *ReplayError
	switch {
	case errors.As(err, &replay) && replay.Reply == nil:
		return nil, true, false, replay.Reason
	case errors.As(err, &replay):
		reply, err = i.secrets.Open(replay.Reply.Body, use.purpose())
		if err != nil { // the secret key was changed
			i.log.WarnContext(ctx, "stored reply of an idempotency key not readable", slog.Any("error", err))
			return nil, true, false, use.replyLost()
		}
		return reply, true, true, nil
	case err != nil:
		return nil, false, false, err
	case !held:
		reply, _ = write(ctx)
		return reply, false, false, nil
	}
	reply, failed := write(use.keeping(kept))
	if failed && !use.did.Load() {
		err = use.Release(kept)
	} else {
		err = use.keepSealed(kept, reply)
	}
	if err != nil { // what was done stays done, and the key taken
		i.log.WarnContext(ctx, "reply not stored under its idempotency key", slog.Any("error", err))
	}
	return reply, true, false, nil
}

// keepSealed stores the reply of a write that makes it after its commits.
func (u *KeyUse) keepSealed(ctx context.Context, reply []byte) error {
	if len(reply) > maxOnceReply {
		return fmt.Errorf("the reply has more than %d bytes", maxOnceReply)
	}
	sealed, err := u.records.secrets.Seal(reply, u.purpose())
	if err != nil {
		return fmt.Errorf("seal a reply: %w", err)
	}
	return u.Keep(ctx, StoredReply{http.StatusOK, sealed})
}

// keeping is a context whose transactions keep the key, and whose events have transactionIds of the key's.
func (u *KeyUse) keeping(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, onceKey{}, u)
	return postgres.WithCommits(ctx, func(tx *postgres.Tx) {
		pgaccept.QueueKeptKey(&tx.Last, u.scope, u.claim.ID, u.records.Now().Add(keptReply))
		tx.AfterCommit(func() { u.did.Store(true) })
	})
}

// purpose binds the sealed reply to its key.
func (u *KeyUse) purpose() string {
	return "reply " + u.claim.OrganizationID + " " + u.claim.Key
}

// replyLost is the failure of a repetition whose first request was carried out and has no reply.
func (u *KeyUse) replyLost() error {
	return fault.Conflictf("IDEMPOTENCY_REPLY_LOST", "The request with key %q was carried out, but its answer was lost. Look at what it changed before you send it under another key.", u.claim.Key)
}

// transactionID is that of the next event of the write that runs in ctx under an idempotency key; ok is false in others.
func transactionID(ctx context.Context) (made string, ok bool) {
	u, ok := ctx.Value(onceKey{}).(*KeyUse)
	if !ok {
		return "", false
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %x %d", u.claim.OrganizationID, u.claim.Key, u.plain, u.events.Add(1)))
	return workflow.GeneratedPrefix + hex.EncodeToString(sum[:12]), true // in the form of every generated one (decisions.md §1)
}
