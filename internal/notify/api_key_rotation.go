package notify

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// maxOverlap is how long a key stays valid at most after it was replaced.
const maxOverlap = 30 * 24 * time.Hour

// Rotate replaces a key by a new one with the same name, scopes and lifetime, and answers the new one's plaintext, this
// once. The replaced key stays valid for the overlap, an ISO 8601 duration, unless it ends before.
func (k *APIKeys) Rotate(ctx context.Context, environmentID *string, globalID, overlap string) (*CreateAPIKeyPayload, error) {
	period, err := workflow.ParsePeriod(overlap)
	if err != nil {
		return nil, fault.Invalidf("overlap", "%s", err.Error())
	}
	now := k.stamp()
	end := period.After(now).UTC()
	if end.Sub(now) > maxOverlap {
		return nil, fault.Invalidf("overlap", "must be at most P30D")
	}
	var made *CreateAPIKeyPayload
	_, err = k.change(ctx, environmentID, globalID, func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error) {
		if err := k.rotatable(found, now); err != nil {
			return nil, err
		}
		var err error
		if made, err = newKey(ctx, db, found.Name, viewer.GrantsOf(found.Scopes...), renewed(found, now)); err != nil {
			return nil, err
		}
		if found.ExpiresAt != nil && found.ExpiresAt.Before(end) {
			end = *found.ExpiresAt
		}
		replaced, err := found.Update().SetSuccessorID(made.APIKey.ID).SetExpiresAt(end).Save(ctx)
		if err != nil {
			return nil, err
		}
		return replaced, audit(ctx, db, "rotate", replaced, map[string]any{
			"name": found.Name, "hint": found.Hint, "expiresAt": end, "successorId": made.APIKey.ID,
		})
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// rotatable refuses to replace a key that has ended, or has a successor already.
func (k *APIKeys) rotatable(found *ent.APIKey, now time.Time) error {
	switch {
	case found.RevokedAt != nil, found.ExpiresAt != nil && !found.ExpiresAt.After(now):
		return fault.Conflictf("API_KEY_ENDED", "This API key has ended; create another one.")
	case found.SuccessorID != nil:
		return fault.Conflictf("API_KEY_REPLACED", "This API key was replaced already, by %s; rotate that one.", *found.SuccessorID)
	}
	return nil
}

// renewed is when the successor of a key ends: it lives as long as the key was made to.
func renewed(found *ent.APIKey, now time.Time) *time.Time {
	if found.ExpiresAt == nil {
		return nil
	}
	return new(now.Add(found.ExpiresAt.Sub(found.CreatedAt)))
}
