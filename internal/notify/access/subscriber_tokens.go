package access

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// SubscriberTokens are the use cases of what lets a front end act as one subscriber: tokens that a back end asks for, and
// hashes of the subscriberId under the environment's inbox secret.
type SubscriberTokens struct {
	usecase.Deps
	secrets       *secret.Keeper
	refuseUnknown bool
}

// The bounds of a token's life.
const (
	DefaultTokenTTL = 15 * time.Minute
	MaxTokenTTL     = 24 * time.Hour
)

// CreateSubscriberTokenInput asks for a token.
type CreateSubscriberTokenInput struct {
	SubscriberID string   // external
	ContextKeys  []string // the one context set that it is bound to; nil: any
	TTLSeconds   *int     // nil: DefaultTokenTTL
}

// CreateSubscriberTokenPayload is a new token, which cannot be read again.
type CreateSubscriberTokenPayload struct {
	Token      string
	ExpiresAt  time.Time
	Subscriber *ent.Subscriber
}

// Create makes a token for a subscriber. One that is not known yet is made, unless the operator forbids it: whoever logs in
// before the first trigger has an inbox.
func (s *SubscriberTokens) Create(ctx context.Context, in CreateSubscriberTokenInput) (*CreateSubscriberTokenPayload, error) {
	ttl := DefaultTokenTTL
	if in.TTLSeconds != nil {
		ttl = time.Duration(*in.TTLSeconds) * time.Second
	}
	var p fault.Problems
	if ttl < time.Second || ttl > MaxTokenTTL {
		p.Add("ttlSeconds", *in.TTLSeconds, "must be between 1 and %d", int(MaxTokenTTL.Seconds()))
	}
	set := workflow.NewContextSet(in.ContextKeys...)
	if !set.Valid() || len(set) > workflow.MaxContexts {
		p.Add("contextKeys", nil, "must hold at most %d keys of the form type:id", workflow.MaxContexts)
	}
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Read(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*CreateSubscriberTokenPayload, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, in.SubscriberID)
		if fault.KindOf(err) == fault.NotFound && !s.refuseUnknown {
			owner, err = s.meet(ctx, in.SubscriberID)
		}
		if err != nil {
			return nil, err
		}
		now := s.Now().UTC()
		t := auth.SubscriberToken{EnvironmentID: owner.EnvironmentID, SubscriberID: owner.ID, IssuedAt: now, ExpiresAt: now.Add(ttl)}
		if in.ContextKeys != nil {
			scopeKey := set.Scope()
			t.ContextScope = &scopeKey
		}
		text, err := t.Seal(s.secrets, s.Cell)
		return &CreateSubscriberTokenPayload{Token: text, ExpiresAt: t.ExpiresAt, Subscriber: owner}, err
	})
}

// meet makes a subscriber of whom the viewer's server knows no more than the identifier. Of several calls at once one does.
func (s *SubscriberTokens) meet(ctx context.Context, given string) (owner *ent.Subscriber, err error) {
	subscriberID, ok := workflow.ParseSubscriberID(given)
	if !ok {
		return nil, fault.Invalidf("subscriberId", "%s", audience.WrongSubscriberID)
	}
	v, _ := viewer.FromContext(ctx)
	err = s.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		made, err := pgaccess.MakeSubscriber(ctx, tx.Pgx, pgaccess.NewSubscriber{
			ID: s.NewID(), EnvironmentID: v.EnvironmentID, SubscriberID: subscriberID, Returning: true,
		})
		if err != nil {
			return err
		}
		if owner, err = usecase.LivingSubscriber(ctx, tx.Ent, subscriberID); err != nil || !made {
			return err
		}
		return usecase.Audit(ctx, tx.Ent, "create", owner, map[string]any{"subscriberId": subscriberID})
	})
	return owner, err
}

// Revoke ends every token that a subscriber was given so far, also on connections that are open.
func (s *SubscriberTokens) Revoke(ctx context.Context, subscriberID string) (*ent.Subscriber, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, subscriberID)
		if err != nil {
			return nil, err
		}
		// Tokens carry finer times than the database keeps; rounded up, the moment lies behind all that were made before it.
		updated, err := db.Subscriber.UpdateOne(owner).SetTokensValidAfter(s.Stamp().Add(time.Microsecond)).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("revoke subscriber tokens: %w", err)
		}
		s.AccessChanged(ctx)
		return updated, usecase.Audit(ctx, db, "revoke_tokens", updated, nil)
	})
}

// RotateInboxSecret gives the environment a new inbox secret and answers it, this once. Hashes under the old one end.
func (s *SubscriberTokens) RotateInboxSecret(ctx context.Context) (string, error) {
	return usecase.Write(ctx, s.Deps, usecase.ManageSecrets, func(ctx context.Context, db *ent.Client) (string, error) {
		v, _ := viewer.FromContext(ctx)
		plain := rand.Text() + rand.Text()
		sealed, err := s.secrets.Seal([]byte(plain), auth.InboxSecretPurpose(v.EnvironmentID))
		if err != nil {
			return "", err
		}
		env, err := db.Environment.UpdateOneID(v.EnvironmentID).SetInboxSecret(sealed).Save(ctx)
		if err != nil {
			return "", usecase.NotFound(err, "The environment was not found.")
		}
		s.AccessChanged(ctx)
		return plain, usecase.Audit(ctx, db, "rotate_inbox_secret", env, nil)
	})
}
