package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// SubscriberToken is what a subscriber token says. The token itself is sealed: only Carillon can read or make one.
type SubscriberToken struct {
	EnvironmentID string    `json:"e"`
	SubscriberID  string    `json:"s"`           // internal id
	ContextScope  *string   `json:"c,omitempty"` // the one context set it is bound to (workflow.ContextSet.Scope); nil: any
	IssuedAt      time.Time `json:"i"`
	ExpiresAt     time.Time `json:"x"`
}

const (
	tokenPrefix  = "cst_"
	tokenPurpose = "subscriber token"
	// maxCredential bounds what is decoded of a stranger's header.
	maxCredential = 8 << 10
)

// Seal makes the token's text, which names the cell.
func (t SubscriberToken) Seal(keeper *secret.Keeper, cell Cell) (string, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("make a subscriber token: %w", err)
	}
	sealed, err := keeper.Seal(raw, tokenPurpose)
	if err != nil {
		return "", fmt.Errorf("make a subscriber token: %w", err)
	}
	return cell.begin(tokenPrefix) + base64.RawURLEncoding.EncodeToString(sealed), nil
}

var errToken = errors.New("not a subscriber token")

func openToken(keeper *secret.Keeper, text string) (t SubscriberToken, err error) {
	encoded, ok := strings.CutPrefix(text, cellOf(text).begin(tokenPrefix))
	if !ok || len(text) > maxCredential {
		return t, errToken
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(encoded) // else several texts would be one token
	if err != nil {
		return t, errToken
	}
	raw, err := keeper.Open(sealed, tokenPurpose)
	if err != nil || json.Unmarshal(raw, &t) != nil {
		return t, errToken
	}
	return t, nil
}

// InboxSecretPurpose binds an environment's sealed inbox secret to it.
func InboxSecretPurpose(environmentID string) string {
	return "inbox secret of environment " + environmentID
}

// SubscriberHash is what proves a subscriberId to an inbox: lower-case hex of HMAC-SHA256 under the environment's inbox
// secret (push-chat.md, svc).
func SubscriberHash(inboxSecret []byte, subscriberID string) string {
	mac := hmac.New(sha256.New, inboxSecret)
	mac.Write([]byte(subscriberID))
	return hex.EncodeToString(mac.Sum(nil))
}

// SubscriberCredential is the value of an Authorization header that carries a subscriber hash: the scheme, then the
// environment's internal id, the subscriberId in base64url and the hash, with dots between them.
func SubscriberCredential(environmentID, subscriberID, hash string) string {
	return "Subscriber " + environmentID + "." + base64.RawURLEncoding.EncodeToString([]byte(subscriberID)) + "." + hash
}

// AuthenticateAny also takes what a front end has: Authorization: Bearer <subscriber token>, or Subscriber <environment
// id>.<base64url of the subscriberId>.<subscriber hash>. Such a viewer is one subscriber, see viewer.RoleSubscriber.
func (a *Authenticator) AuthenticateAny(ctx context.Context, header string) (viewer.Viewer, error) {
	scheme, credential, _ := strings.Cut(strings.TrimSpace(header), " ")
	credential = strings.TrimSpace(credential)
	switch {
	case a.secrets == nil:
	case strings.EqualFold(scheme, "Bearer") && !isSession(scheme, credential):
		return a.byToken(ctx, credential)
	case strings.EqualFold(scheme, "Subscriber"):
		return a.byHash(ctx, credential)
	}
	return a.Authenticate(ctx, header)
}

func (a *Authenticator) byToken(ctx context.Context, text string) (viewer.Viewer, error) {
	invalid := fault.Unauthenticatedf("The subscriber token is not valid.")
	t, err := openToken(a.secrets, text)
	if err != nil {
		return viewer.Viewer{}, a.cell.misrouted(text, invalid)
	}
	if !a.now().Before(t.ExpiresAt) {
		return viewer.Viewer{}, fault.Unauthenticatedf("The subscriber token has expired.")
	}
	access, found, err := pgaccess.FindSubscriberAccess(ctx, a.db, t.EnvironmentID, pgaccess.SubscriberRef{InternalID: t.SubscriberID})
	switch {
	case err != nil:
		return viewer.Viewer{}, err
	case access.Move == string(organization.MoveMoved):
		return viewer.Viewer{}, access.Standing.Err()
	case !found, access.TokensValidAfter != nil && !t.IssuedAt.After(*access.TokensValidAfter):
		return viewer.Viewer{}, invalid
	}
	return a.subscriber(ctx, access, t.ContextScope)
}

func (a *Authenticator) byHash(ctx context.Context, credential string) (viewer.Viewer, error) {
	invalid := fault.Unauthenticatedf("The subscriber hash is not valid.")
	environmentID, rest, _ := strings.Cut(credential, ".")
	encoded, hash, _ := strings.Cut(rest, ".")
	subscriberID, err := base64.RawURLEncoding.DecodeString(encoded)
	_, formed := workflow.ParseSubscriberID(string(subscriberID)) // others may hold bytes that the database refuses to compare
	if err != nil || !formed || len(credential) > maxCredential || !id.Valid(environmentID) {
		return viewer.Viewer{}, invalid
	}
	access, found, err := pgaccess.FindSubscriberAccess(ctx, a.db, environmentID, pgaccess.SubscriberRef{ExternalID: string(subscriberID)})
	if err != nil {
		return viewer.Viewer{}, err
	}
	if access.InboxSecret == nil {
		return viewer.Viewer{}, invalid
	}
	key, err := a.secrets.Open(access.InboxSecret, InboxSecretPurpose(environmentID))
	if err != nil {
		return viewer.Viewer{}, fmt.Errorf("open the inbox secret of environment %s: %w", environmentID, err)
	}
	if subtle.ConstantTimeCompare([]byte(SubscriberHash(key, string(subscriberID))), []byte(hash)) != 1 {
		return viewer.Viewer{}, invalid
	}
	if err := access.Standing.Err(); err != nil {
		return viewer.Viewer{}, err
	}
	if !found {
		if access, found, err = a.meet(ctx, access, string(subscriberID)); err != nil {
			return viewer.Viewer{}, err
		}
	}
	if !found {
		return viewer.Viewer{}, invalid
	}
	return a.subscriber(ctx, access, nil)
}

// meet makes a subscriber whom a server that holds the inbox secret has named: whoever logs in before the first trigger
// has an inbox. One that was deleted does not come back by this, since a hash has no end of its own.
func (a *Authenticator) meet(ctx context.Context, env pgaccess.SubscriberAccess, subscriberID string) (access pgaccess.SubscriberAccess, found bool, err error) {
	if parsed, ok := workflow.ParseNewSubscriberID(subscriberID); a.refuse || !ok || parsed != subscriberID {
		return env, false, nil
	}
	err = a.db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		_, err := pgaccess.MakeSubscriber(ctx, tx.Pgx, pgaccess.NewSubscriber{
			ID: id.New(a.now()), EnvironmentID: env.EnvironmentID, SubscriberID: subscriberID,
		})
		return err
	})
	if err != nil {
		return env, false, err
	}
	return pgaccess.FindSubscriberAccess(ctx, a.db, env.EnvironmentID, pgaccess.SubscriberRef{ExternalID: subscriberID})
}

func (a *Authenticator) subscriber(ctx context.Context, access pgaccess.SubscriberAccess, contextScope *string) (viewer.Viewer, error) {
	if err := access.Standing.Err(); err != nil {
		return viewer.Viewer{}, err
	}
	if !access.InboxSeen {
		if err := pgaccess.MarkInboxSeen(ctx, a.db, access.Scope); err != nil {
			return viewer.Viewer{}, err
		}
	}
	return viewer.Viewer{
		Scope: access.Scope, Role: viewer.RoleSubscriber, SubscriberID: access.InternalID, ExternalID: access.ExternalID,
		ContextScope: contextScope,
	}, nil
}
