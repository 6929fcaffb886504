package access

import (
	"context"
	"encoding/base32"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
)

// invitationTokens open the same invitation. Who holds the mailed one reads the mail of the invited address, or is the
// operator; the shown one, which its maker sees, is made of it and leads nowhere back.
type invitationTokens struct{ shown, mailed string }

// mailedInvitationPrefix cannot begin a shown token, whose letters are upper case.
const mailedInvitationPrefix = invitationPrefix + "mail_"

func newInvitationTokens() invitationTokens {
	mailed := newLinkToken(mailedInvitationPrefix)
	return invitationTokens{shown: shownToken(mailed), mailed: mailed}
}

// shownToken is the token of which a hash is stored, for either of the two.
func shownToken(token string) string {
	if !strings.HasPrefix(token, mailedInvitationPrefix) {
		return token
	}
	return invitationPrefix + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(auth.HashKey("shown\x00"+token))
}

// errLogInFirst is the answer to everybody who must log in, whether the address has an account or not.
var errLogInFirst = fault.Conflictf("LOG_IN_FIRST", "Log in with the invited address, and open the invitation again. "+
	"Without an account, open the link in the mail to that address, or ask the operator for an account.")

// logInFirst reports whether an invitation makes no account for who holds the token. Only the address's owner may learn by
// trying whether there is an account already; its maker could try the link they were shown. While the server has no other
// organization, all accounts are the maker's own members, and there is nothing to learn.
func logInFirst(ctx context.Context, db *ent.Client, offered *ent.Invitation, token string) (bool, error) {
	if strings.HasPrefix(token, mailedInvitationPrefix) {
		return false, nil
	}
	return db.Organization.Query().Where(organization.IDNEQ(offered.OrganizationID)).Exist(ctx)
}
