package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// sessionPrefix distinguishes the tokens of users from those of subscribers.
const sessionPrefix = "crs_"

// NewSessionToken makes the token of a log-in. It is shown once; only its hash (HashKey) is kept.
func NewSessionToken(cell Cell) string { return cell.begin(sessionPrefix) + rand.Text() + rand.Text() }

// HashPassword is what is stored of a password.
func HashPassword(password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword(condensed(password), passwordCost)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return string(hash), nil
}

// unknownUserHash is compared with when there is no such user, so that an answer's time does not reveal who exists.
var unknownUserHash = fmt.Sprintf("$2a$%02d$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW", passwordCost)

// PasswordMatches compares a password with a stored hash; an empty hash matches nothing, and takes as long.
func PasswordMatches(hash, password string) bool {
	known := hash != ""
	if !known {
		hash = unknownUserHash
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), condensed(password)) == nil && known
}

// condensed keeps every character of a long password: bcrypt itself takes the first 72 bytes only.
func condensed(password string) []byte {
	sum := sha256.Sum256([]byte(password))
	return []byte(base64.RawStdEncoding.EncodeToString(sum[:]))
}

// bySession is the viewer of a user's log-in: Authorization: Bearer <token>.
func (a *Authenticator) bySession(ctx context.Context, token string) (viewer.Viewer, error) {
	access, found, err := pgaccess.FindSession(ctx, a.db, HashKey(token))
	switch {
	case err != nil:
		return viewer.Viewer{}, err
	case !found, access.RevokedAt != nil, !a.now().Before(access.ExpiresAt):
		return viewer.Viewer{}, a.cell.misrouted(token, fault.Unauthenticatedf("The log-in has ended. Log in again."))
	}
	if err := access.Standing.Err(); err != nil {
		return viewer.Viewer{}, err
	}
	return viewer.Viewer{
		Scope: access.Scope, Role: viewer.Role(access.Role), UserID: access.UserID, SessionID: access.SessionID, Name: access.Email,
		Enrolling: access.Enrolling,
	}, nil
}

func isSession(scheme, credential string) bool {
	return strings.EqualFold(scheme, "Bearer") && strings.HasPrefix(credential, sessionPrefix)
}
