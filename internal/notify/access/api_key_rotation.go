package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// maxOverlap is how long a key stays valid at most after it was replaced.
const maxOverlap = 30 * 24 * time.Hour

// Rotate replaces a key by a new one with the same name, scopes and lifetime, and answers the new one's plaintext, this
// once. The replaced key stays valid for the overlap, an ISO 8601 duration, unless it ends before.
func (k *APIKeys) Rotate(ctx context.Context, environmentID *string, globalID, overlap string) (*CreateAPIKeyPayload, error) {
	now := k.Stamp()
	end, err := overlapEnd(overlap, now)
	if err != nil {
		return nil, err
	}
	var made *CreateAPIKeyPayload
	_, err = k.change(ctx, environmentID, globalID, func(ctx context.Context, db *ent.Client, found *ent.APIKey) (*ent.APIKey, error) {
		life := keyLife{found.CreatedAt, found.ExpiresAt, found.RevokedAt, found.SuccessorID}
		if err := life.rotatable(now); err != nil {
			return nil, err
		}
		var err error
		if made, err = newKey(ctx, db, k.Cell, found.Name, viewer.GrantsOf(found.Scopes...), life.renewed(now)); err != nil {
			return nil, err
		}
		end := life.endBy(end)
		replaced, err := found.Update().SetSuccessorID(made.APIKey.ID).SetExpiresAt(end).Save(ctx)
		if err != nil {
			return nil, err
		}
		return replaced, usecase.Audit(ctx, db, "rotate", replaced, map[string]any{
			"name": found.Name, "hint": found.Hint, "expiresAt": end, "successorId": made.APIKey.ID,
		})
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// overlapEnd returns when a key ends that is replaced now, by an ISO 8601 duration.
func overlapEnd(overlap string, now time.Time) (time.Time, error) {
	period, err := calendar.ParsePeriod(overlap)
	if err != nil {
		return time.Time{}, fault.Invalidf("overlap", "%s", err.Error())
	}
	end := period.After(now).UTC()
	if end.Sub(now) > maxOverlap {
		return time.Time{}, fault.Invalidf("overlap", "must be at most P30D")
	}
	return end, nil
}

// keyLife is what a key's replacement follows from, of an environment's as of an organization's.
type keyLife struct {
	createdAt            time.Time
	expiresAt, revokedAt *time.Time
	successorID          *string
}

// rotatable refuses to replace a key that has ended, or has a successor already.
func (l keyLife) rotatable(now time.Time) error {
	switch {
	case l.revokedAt != nil, l.expiresAt != nil && !l.expiresAt.After(now):
		return fault.Conflictf("API_KEY_ENDED", "This key has ended; create another one.")
	case l.successorID != nil:
		return fault.Conflictf("API_KEY_REPLACED", "This key was replaced already, by %s; rotate that one.", *l.successorID)
	}
	return nil
}

// renewed returns when the successor of a key ends: it lives as long as the key was made to.
func (l keyLife) renewed(now time.Time) *time.Time {
	if l.expiresAt == nil {
		return nil
	}
	return new(now.Add(l.expiresAt.Sub(l.createdAt)))
}

// endBy returns when a replaced key ends, which is not later than it would have.
func (l keyLife) endBy(end time.Time) time.Time {
	if l.expiresAt != nil && l.expiresAt.Before(end) {
		return *l.expiresAt
	}
	return end
}
