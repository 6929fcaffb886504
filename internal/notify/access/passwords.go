package access

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// The bounds of passwords and addresses, in characters.
const (
	minPassword = 10
	maxPassword = 200
	maxEmail    = 320 // RFC 5321: 64 + @ + 255
)

// checkPassword checks the field password of an input.
func checkPassword(problems *fault.Problems, password string) {
	if n := len([]rune(password)); n < minPassword || n > maxPassword {
		problems.Add("password", nil, "must have %d to %d characters", minPassword, maxPassword)
	}
}

// CheckPassword reports what is wrong with a new password, if anything is.
func CheckPassword(password string) error {
	var problems fault.Problems
	checkPassword(&problems, password)
	return problems.Err()
}

// SetPasswordInput changes one's own password.
type SetPasswordInput struct {
	Password        string
	CurrentPassword string
}

// SetPassword changes one's own password; all of one's log-ins end.
func (s *Sessions) SetPassword(ctx context.Context, in SetPasswordInput) (*ent.User, error) {
	var problems fault.Problems
	checkPassword(&problems, in.Password)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	person, err := s.self(ctx, usecase.ManageOwnLogIn)
	if err != nil {
		return nil, err
	}
	if err := s.ownPassword(ctx, person, "currentPassword", &in.CurrentPassword); err != nil {
		return nil, err
	}
	hash, err := s.hash(ctx, in.Password)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, s.Deps, usecase.ManageOwnLogIn, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		tx, _ := postgres.TxFromContext(ctx)
		found, err := lockPerson(viewer.SystemContext(ctx), tx, user.ID(person.ID), user.PasswordHash(person.PasswordHash))
		if err != nil {
			return nil, usecase.NotFound(err, "The password was changed meanwhile. Log in again.")
		}
		links, err := readResetLinks(found)
		if err != nil {
			return nil, err
		}
		updated, err := s.replacePassword(ctx, db, found, hash, links) // whoever set the one before may have set this one
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "set_password", updated, nil)
	})
}

// self is the person who is logged in.
func (s *Sessions) self(ctx context.Context, need usecase.Need) (*ent.User, error) {
	return usecase.Read(ctx, s.Deps, need, func(ctx context.Context, db *ent.Client) (*ent.User, error) {
		v, _ := viewer.FromContext(ctx)
		if v.SessionID == "" {
			return nil, fault.Forbiddenf("Only a person who is logged in can do this, for themselves.")
		}
		found, err := db.User.Query().Where(user.ID(v.UserID)).Only(ctx)
		return found, usecase.NotFound(err, "The user was not found.")
	})
}

// lockPerson is a person who changes only after the transaction; ctx is Carillon's own.
func lockPerson(ctx context.Context, tx *postgres.Tx, is ...predicate.User) (*ent.User, error) {
	return tx.Ent.User.Query().Where(is...).ForUpdate().Only(ctx)
}

// replacePassword ends what rested on the old password: log-ins and links that set a new one. Who may is decided before.
func (s *Sessions) replacePassword(ctx context.Context, db *ent.Client, person *ent.User, hash string, links resetLinks) (*ent.User, error) {
	if err := s.endAll(ctx, db, person.ID); err != nil {
		return nil, err
	}
	kept, err := links.withoutLinks()
	if err != nil {
		return nil, err
	}
	return db.User.UpdateOneID(person.ID).SetPasswordHash(hash).SetPasswordReset(kept).Save(viewer.SystemContext(ctx))
}

// withoutLinks is what stays stored when the links have ended.
func (l resetLinks) withoutLinks() ([]byte, error) {
	raw, err := json.Marshal(resetLinks{SetByShown: l.SetByShown})
	if err != nil {
		return nil, fmt.Errorf("keep how a password was set: %w", err)
	}
	return raw, nil
}

// forgetShownPassword ends a password that another member may know, and the log-ins by it, when the person, verified by an OpenID
// Connect issuer, becomes a member of a further organization: it would let that other member in there. Whoever logged in by the
// password has it from the link themselves.
func (s *Sessions) forgetShownPassword(ctx context.Context, db *ent.Client, v viewer.Viewer, person *ent.User) error {
	links, err := readResetLinks(person)
	if err != nil || !links.SetByShown {
		return err
	}
	if elsewhere, err := verifiedElsewhere(ctx, db, v); err != nil || !elsewhere {
		return err
	}
	if err := s.AccessOfChanged(ctx, db, person.ID); err != nil {
		return err
	}
	err = db.Session.Update().Where(session.UserID(person.ID), session.VerifiedElsewhere(false), session.RevokedAtIsNil()).
		SetRevokedAt(s.Stamp()).Exec(ctx)
	if err != nil {
		return err
	}
	if err := db.User.UpdateOneID(person.ID).ClearPasswordHash().ClearPasswordReset().Exec(ctx); err != nil {
		return err
	}
	return s.auditPerson(ctx, db, person, "end_password")
}

// resetLinks are the links by which a person may set a new password, as they are stored. The shown one was made by another member
// of an organization and depends on their rank; the mailed one went to the person's own address and depends on that.
type resetLinks struct {
	Shown  *resetLink `json:"shown,omitempty"`
	Mailed *resetLink `json:"mailed,omitempty"`
	// SetByShown says that the present password was set by a link that another member had seen, who may know it.
	SetByShown bool `json:"setByShown,omitempty"`
}

type resetLink struct {
	Hash           []byte      `json:"hash"`
	MadeAt         time.Time   `json:"madeAt"`
	OrganizationID string      `json:"organizationId,omitempty"` // of the shown one
	MadeBy         string      `json:"madeBy,omitempty"`         // the person who made the shown one; empty: a key or the operator
	Rank           viewer.Role `json:"rank,omitempty"`           // up to which its maker reached
}

func (l *resetLink) is(token string, now time.Time) bool {
	return l != nil && now.Before(l.MadeAt.Add(linkTTL)) && subtle.ConstantTimeCompare(l.Hash, auth.HashKey(token)) == 1
}

// newResetToken names its person, so that one row is looked at.
func newResetToken(userID string) string { return newLinkToken(resetPrefix + userID) }

func resetPerson(token string) (userID string, ok bool) {
	rest, ok := strings.CutPrefix(token, resetPrefix)
	if !ok || len(rest) < idLength || len(token) > maxLinkToken {
		return "", false
	}
	return rest[:idLength], id.Valid(rest[:idLength])
}

const (
	idLength     = 24
	maxLinkToken = 200
)

func readResetLinks(person *ent.User) (l resetLinks, err error) {
	if len(person.PasswordReset) == 0 {
		return l, nil
	}
	if err := json.Unmarshal(person.PasswordReset, &l); err != nil {
		return l, fmt.Errorf("read the links of user %s: %w", person.ID, err)
	}
	return l, nil
}

func storeResetLinks(ctx context.Context, person *ent.User, l resetLinks) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("keep the links of user %s: %w", person.ID, err)
	}
	return person.Update().SetPasswordReset(raw).Exec(viewer.SystemContext(ctx))
}

// CreatePasswordResetPayload is a new link. Its token cannot be read again.
type CreatePasswordResetPayload struct {
	User      *ent.User
	Token     string
	URL       string
	ExpiresAt time.Time
	Mailed    bool // whether a link is on its way to the person as well
}

// CreateReset makes a link by which another member sets a new password; earlier ones of that person end. It is worth
// nothing for a person who is also a member of another organization, whose people it would let in there: they use the link
// that is mailed to them.
func (s *Sessions) CreateReset(ctx context.Context, userID string) (*CreatePasswordResetPayload, error) {
	var mailed string
	out, err := usecase.Write(ctx, s.Deps, usecase.ChangePeople, func(ctx context.Context, db *ent.Client) (*CreatePasswordResetPayload, error) {
		ctx, err := lockMembers(ctx, db)
		if err != nil {
			return nil, err
		}
		found, err := s.members.ByUser(ctx, userID)
		if err != nil {
			return nil, err
		}
		v, _ := viewer.FromContext(ctx)
		if isOwn(v, found) {
			return nil, fault.Forbiddenf("Change your own password with the present one.")
		}
		if err := mayGovern(ctx, db, found, &found.Role); err != nil {
			return nil, err
		}
		tx, _ := postgres.TxFromContext(ctx)
		person, err := lockPerson(viewer.SystemContext(ctx), tx, user.ID(found.UserID))
		if err != nil {
			return nil, err
		}
		before, err := readResetLinks(person)
		if err != nil {
			return nil, err
		}
		now := s.Stamp()
		out := &CreatePasswordResetPayload{User: person, Token: newResetToken(person.ID), ExpiresAt: now.Add(linkTTL), Mailed: s.letters.able()}
		links := resetLinks{
			Shown:      &resetLink{Hash: auth.HashKey(out.Token), MadeAt: now, OrganizationID: found.OrganizationID, Rank: v.Role},
			SetByShown: before.SetByShown,
		}
		if v.SessionID != "" {
			links.Shown.MadeBy = v.UserID
		}
		if out.Mailed {
			mailed = newResetToken(person.ID)
			links.Mailed = &resetLink{Hash: auth.HashKey(mailed), MadeAt: now}
		}
		if err := storeResetLinks(ctx, person, links); err != nil {
			return nil, err
		}
		return out, usecase.Audit(ctx, db, "create_password_reset", person, nil)
	})
	if err != nil {
		return nil, err
	}
	out.URL = s.letters.link(resetPath, out.Token)
	if out.Mailed {
		out.Mailed = s.letters.later(ctx, func(ctx context.Context) error { return s.mailReset(ctx, out.User.Email, mailed) }) == nil
	}
	return out, nil
}

func (s *Sessions) mailReset(ctx context.Context, email, token string) error {
	return s.letters.send(ctx, usecase.Mail{
		To: email, Subject: "Set a new password",
		Text: "Set a new password for your log-in to Carillon within 24 hours:\n" + s.letters.link(resetPath, token) +
			"\n\nIf you did not ask for this, do nothing: your password stays as it is.\n",
	})
}

// CanMail reports whether people get links by mail.
func (s *Sessions) CanMail() bool { return s.letters.able() }

// mailPause keeps strangers from filling a person's mailbox, or from ending the link of the mail before.
const mailPause = 5 * time.Minute

// RequestReset mails a link to an address, if it is that of a person. It needs no viewer, and answers alike whether there is
// such a person or not: everything that depends on it happens behind the answer.
func (s *Sessions) RequestReset(ctx context.Context, email string) (bool, error) {
	email = normalEmail(email)
	if len(email) > maxEmail {
		return false, fault.Invalidf("email", "must be an e-mail address")
	}
	if !s.letters.able() {
		return false, fault.BadRequestf("NO_MAIL_SENDER", "This server sends no mails. Ask an administrator of your organization for a link.")
	}
	if err := s.try(ctx, tryKey("reset", email, viewer.Network(ctx)), resetTries); err != nil {
		return false, err
	}
	err := s.letters.later(ctx, func(ctx context.Context) error { return s.mailOwnReset(ctx, email) })
	return err == nil, err
}

func (s *Sessions) mailOwnReset(ctx context.Context, email string) error {
	token := ""
	err := s.DB.Tx(viewer.SystemContext(ctx), func(ctx context.Context, tx *postgres.Tx) error {
		person, err := lockPerson(ctx, tx, user.Email(email))
		if ent.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		links, err := readResetLinks(person)
		now := s.Stamp()
		if err != nil || links.Mailed != nil && now.Before(links.Mailed.MadeAt.Add(mailPause)) {
			return err
		}
		token = newResetToken(person.ID)
		links.Mailed = &resetLink{Hash: auth.HashKey(token), MadeAt: now} // strangers cannot end the shown one
		return storeResetLinks(ctx, person, links)
	})
	if err != nil || token == "" {
		return err
	}
	return s.mailReset(ctx, email, token)
}

// ResetPasswordInput sets a new password by a link.
type ResetPasswordInput struct {
	Token    string
	Password string
}

const resetGone = "This link does not count: it was used or replaced, or it is older than 24 hours. Ask for a new one."

// Reset sets a new password by a link, once; all of the person's log-ins end. It needs no viewer, and answers with the
// address to log in with.
func (s *Sessions) Reset(ctx context.Context, in ResetPasswordInput) (string, error) {
	var problems fault.Problems
	checkPassword(&problems, in.Password)
	if err := problems.Err(); err != nil {
		return "", err
	}
	userID, ok := resetPerson(in.Token)
	if !ok {
		return "", fault.NotFoundf(resetGone)
	}
	// The link is checked before the password is hashed, which costs more, and again under the lock.
	system := viewer.SystemContext(ctx)
	found, err := s.DB.Client(system).User.Get(system, userID)
	if err == nil {
		err = s.checkReset(system, s.DB.Client(system), found, in.Token)
	}
	if err != nil {
		return "", postgres.Translate(usecase.NotFound(err, "%s", resetGone))
	}
	hash, err := s.hash(ctx, in.Password)
	if err != nil {
		return "", err
	}
	err = s.DB.Tx(system, func(ctx context.Context, tx *postgres.Tx) error {
		person, err := lockPerson(ctx, tx, user.ID(userID))
		if err != nil {
			return usecase.NotFound(err, "%s", resetGone)
		}
		if err := s.checkReset(ctx, tx.Ent, person, in.Token); err != nil {
			return err
		}
		links, err := readResetLinks(person)
		if err != nil {
			return err
		}
		links.SetByShown = !links.Mailed.is(in.Token, s.Stamp())
		if _, err := s.replacePassword(ctx, tx.Ent, person, hash, links); err != nil {
			return err
		}
		return s.auditPerson(ctx, tx.Ent, person, "reset_password")
	})
	if err == nil {
		err = s.forgetTries(ctx, found.Email)
	}
	return found.Email, postgres.Translate(err)
}

// checkReset refuses a token that is none of the person's links, and a shown link that reaches further than whoever made it:
// to another organization, or above their rank. ctx is Carillon's own.
func (s *Sessions) checkReset(ctx context.Context, db *ent.Client, person *ent.User, token string) error {
	links, err := readResetLinks(person)
	if err != nil {
		return err
	}
	now := s.Stamp()
	if links.Mailed.is(token, now) {
		return nil
	}
	if !links.Shown.is(token, now) {
		return fault.NotFoundf(resetGone)
	}
	memberships, err := db.Member.Query().Where(member.UserID(person.ID)).All(ctx)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if m.OrganizationID != links.Shown.OrganizationID {
			return fault.Forbiddenf("This link cannot be used for your account. Ask for one by mail where you log in, or ask the server's operator.")
		}
		counts, err := stillReaches(ctx, db, m.OrganizationID, links.Shown.MadeBy, m.Role)
		if err != nil {
			return err
		}
		if !counts || !(viewer.Viewer{Role: links.Shown.Rank}).At(viewer.Role(m.Role)) {
			return fault.NotFoundf(resetGone)
		}
	}
	return nil
}

// auditPerson records what a person did without a log-in, in each of their organizations.
func (s *Sessions) auditPerson(ctx context.Context, db *ent.Client, person *ent.User, action string) error {
	memberships, err := db.Member.Query().Where(member.UserID(person.ID)).All(viewer.SystemContext(ctx))
	if err != nil {
		return err
	}
	for _, m := range memberships {
		env, err := oldestEnvironment(ctx, db, m.OrganizationID)
		if err != nil {
			return err
		}
		if err := usecase.Audit(asPerson(ctx, person, m.OrganizationID, env), db, action, person, nil); err != nil {
			return err
		}
	}
	return nil
}
