package auth

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"github.com/carillon/carillon/internal/secret"
)

// SecondFactor is a person's second factor as it is kept, sealed: the secret of a TOTP application (RFC 6238) and the hashes
// of the recovery codes that are left.
type SecondFactor struct {
	Secret   string   `json:"secret"`             // base32
	Step     int64    `json:"step"`               // the last time step whose code was accepted; none up to it counts again
	Recovery [][]byte `json:"recovery,omitempty"` // each code counts once
}

const (
	codePeriod    = 30 // seconds, what every application uses
	codeWindow    = 1  // steps that a clock may be off, each way
	secretBytes   = 20 // RFC 4226, section 4
	recoveryCodes = 10
	recoveryChars = 16 // of base32: 80 bits, too many to guess
	qrPixels      = 240
	issuer        = "Carillon"
)

var codeFormat = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

// Enrolment is the secret for an authenticator application, in the three forms in which one takes it.
type Enrolment struct {
	Secret string // typed by hand
	URI    string // otpauth://
	QRCode string // the URI as a picture: a data: URI of a PNG
}

// NewSecondFactor makes a secret, and the forms in which the person's application takes it. account is what the application
// shows it as.
func NewSecondFactor(account string) (SecondFactor, Enrolment, error) {
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: issuer, AccountName: account, Period: codePeriod, SecretSize: secretBytes, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
	})
	if err != nil {
		return SecondFactor{}, Enrolment{}, fmt.Errorf("make a second factor: %w", err)
	}
	image, err := key.Image(qrPixels, qrPixels)
	if err != nil {
		return SecondFactor{}, Enrolment{}, fmt.Errorf("draw a second factor: %w", err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image); err != nil {
		return SecondFactor{}, Enrolment{}, fmt.Errorf("draw a second factor: %w", err)
	}
	return SecondFactor{Secret: key.Secret()}, Enrolment{
		Secret: key.Secret(), URI: key.URL(), QRCode: "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.Bytes()),
	}, nil
}

// AcceptCode reports whether code is the application's code of now or of the steps beside it, and was not accepted before.
// It changes f, which must be stored then.
func (f *SecondFactor) AcceptCode(code string, now time.Time) bool {
	code = withoutGaps(code)
	present := now.Unix() / codePeriod
	for step := present - codeWindow; step <= present+codeWindow; step++ {
		if step <= f.Step {
			continue
		}
		if ok, err := hotp.ValidateCustom(code, uint64(step), f.Secret, codeFormat); err == nil && ok { //nolint:gosec // after 1970
			f.Step = step
			return true
		}
	}
	return false
}

// AcceptRecoveryCode reports whether code is a recovery code that is left. It changes f, which must be stored then.
func (f *SecondFactor) AcceptRecoveryCode(code string) bool {
	hash := HashKey(strings.ToUpper(withoutGaps(code)))
	at := slices.IndexFunc(f.Recovery, func(kept []byte) bool { return bytes.Equal(kept, hash) })
	if at < 0 {
		return false
	}
	f.Recovery = slices.Delete(f.Recovery, at, at+1)
	return true
}

// IsRecoveryCode reports whether a text has the length of a recovery code, which cannot be guessed, rather than of one of an
// application's codes.
func IsRecoveryCode(code string) bool { return len(withoutGaps(code)) == recoveryChars }

// NewRecoveryCodes replaces the recovery codes and returns them. Only their hashes are kept.
func (f *SecondFactor) NewRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	f.Recovery = make([][]byte, recoveryCodes)
	for i := range codes {
		text := rand.Text()[:recoveryChars]
		f.Recovery[i] = HashKey(text)
		codes[i] = strings.ToLower(text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:])
	}
	return codes
}

func withoutGaps(code string) string { return strings.NewReplacer(" ", "", "-", "").Replace(code) }

// secondFactorPurpose binds a sealed second factor to its person.
func secondFactorPurpose(userID string) string { return "second factor of user " + userID }

// Seal returns the second factor as it is stored.
func (f SecondFactor) Seal(keeper *secret.Keeper, userID string) ([]byte, error) {
	raw, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("seal a second factor: %w", err)
	}
	return keeper.Seal(raw, secondFactorPurpose(userID))
}

// OpenSecondFactor reads what Seal made for the same person.
func OpenSecondFactor(keeper *secret.Keeper, userID string, sealed []byte) (f SecondFactor, err error) {
	raw, err := keeper.Open(sealed, secondFactorPurpose(userID))
	if err != nil {
		return f, fmt.Errorf("open the second factor of user %s: %w", userID, err)
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("read the second factor of user %s: %w", userID, err)
	}
	return f, nil
}
