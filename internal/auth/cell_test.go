package auth

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/secret"
)

// TestCredentialsNameTheirCell: each kind does, with or without a cell, and a proxy reads it from what follows the kind.
func TestCredentialsNameTheirCell(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	says := SubscriberToken{EnvironmentID: "e", SubscriberID: "s", ExpiresAt: time.Now()}
	for _, cell := range []Cell{"", "eu", "cell12345678"} {
		token, err := says.Seal(keeper, cell)
		require.NoError(t, err)
		for kind, credential := range map[string]string{"crl_": NewKey(cell), "crs_": NewSessionToken(cell), "cst_": token} {
			require.Equal(t, cell, cellOf(credential), credential)
			require.Regexp(t, "^"+cell.begin(kind), credential)
		}
		opened, err := openToken(keeper, token)
		require.NoError(t, err)
		require.Equal(t, says.SubscriberID, opened.SubscriberID)
	}
	for _, other := range []string{"", "crl", "crl_", "crl_.x", "crl_E.x", "crl_e.x", "crl_thirteenchars.x", "my key", NewKey("")} {
		require.Empty(t, cellOf(other), other)
	}
}

func TestMisrouted(t *testing.T) {
	t.Parallel()
	invalid := fault.Unauthenticatedf("The API key is not valid.")
	for name, c := range map[string]struct {
		here       Cell
		credential string
		want       string
	}{
		"another cell": {"eu", NewKey("us"), "The credential belongs to cell us, and this is cell eu. Send it to its own cell."},
		"this cell":    {"eu", NewKey("eu"), "The API key is not valid."},
		"no cell":      {"eu", NewKey(""), "The API key is not valid."},
		"no cells":     {"", NewKey("us"), "The API key is not valid."},
	} {
		err := c.here.misrouted(c.credential, invalid)
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err), name)
		require.ErrorContains(t, err, c.want, name)
	}
}
