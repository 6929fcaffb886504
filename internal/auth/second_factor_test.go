package auth_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/secret"
)

func codeAt(t *testing.T, f auth.SecondFactor, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(f.Secret, at)
	require.NoError(t, err)
	return code
}

func TestSecondFactorCodes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 15, 0, time.UTC)
	f, shown, err := auth.NewSecondFactor("ada@example.org")
	require.NoError(t, err)
	require.Equal(t, f.Secret, shown.Secret)
	require.True(t, strings.HasPrefix(shown.URI, "otpauth://totp/Carillon:ada@example.org?"), shown.URI)
	picture, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(shown.QRCode, "data:image/png;base64,"))
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(picture[:4]))

	for offset, counts := range map[time.Duration]bool{-60 * time.Second: false, -30 * time.Second: true, 0: true, 30 * time.Second: true, 60 * time.Second: false} {
		fresh := f
		require.Equal(t, counts, fresh.AcceptCode(codeAt(t, f, now.Add(offset)), now), offset)
	}
	used := f
	code := codeAt(t, f, now)
	require.True(t, used.AcceptCode(code[:3]+" "+code[3:], now), "as people copy it")
	require.False(t, used.AcceptCode(code, now), "no code counts twice")
	require.False(t, used.AcceptCode(code, now.Add(30*time.Second)))
	require.False(t, used.AcceptCode(codeAt(t, f, now.Add(-30*time.Second)), now), "nor one from before it")
	require.True(t, used.AcceptCode(codeAt(t, f, now.Add(30*time.Second)), now))
	for _, wrong := range []string{"", "12345", "1234567", "abcdef", code + "0"} {
		fresh := f
		require.False(t, fresh.AcceptCode(wrong, now), wrong)
	}
}

// TestSecondFactorVectors are those of RFC 6238, appendix B, cut to six digits.
func TestSecondFactorVectors(t *testing.T) {
	t.Parallel()
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037"} {
		f := auth.SecondFactor{Secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}
		require.True(t, f.AcceptCode(code, time.Unix(at, 0)), at)
	}
}

func TestRecoveryCodesCountOnce(t *testing.T) {
	t.Parallel()
	var f auth.SecondFactor
	codes := f.NewRecoveryCodes()
	require.Len(t, codes, 10)
	for _, code := range codes {
		require.True(t, auth.IsRecoveryCode(code))
		for _, hash := range f.Recovery {
			require.NotContains(t, string(hash), code)
		}
	}
	require.False(t, f.AcceptRecoveryCode("aaaa-bbbb-cccc-dddd"))
	require.True(t, f.AcceptRecoveryCode(strings.ToUpper(codes[3])), "in either case")
	require.False(t, f.AcceptRecoveryCode(codes[3]))
	require.True(t, f.AcceptRecoveryCode(strings.ReplaceAll(codes[4], "-", "")))
	require.Len(t, f.Recovery, 8)
	f.NewRecoveryCodes()
	require.False(t, f.AcceptRecoveryCode(codes[5]), "a new set ends the old one")
	require.False(t, auth.IsRecoveryCode("123456"))
}

func TestSecondFactorIsSealedForItsPerson(t *testing.T) {
	t.Parallel()
	keeper := newKeeper(t)
	f, _, err := auth.NewSecondFactor("ada@example.org")
	require.NoError(t, err)
	sealed, err := f.Seal(keeper, "ada")
	require.NoError(t, err)
	require.NotContains(t, string(sealed), f.Secret)
	opened, err := auth.OpenSecondFactor(keeper, "ada", sealed)
	require.NoError(t, err)
	require.Equal(t, f, opened)
	_, err = auth.OpenSecondFactor(keeper, "eve", sealed)
	require.ErrorIs(t, err, secret.ErrBroken)
}

func newKeeper(t *testing.T) *secret.Keeper {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	return keeper
}
