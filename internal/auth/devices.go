package auth

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/secret"
)

// A device token marks a browser or program in which a person logged in before. It opens nothing: it only keeps other
// people's wrong guesses from delaying a log-in there. It ends with the password.

const (
	devicePrefix  = "crd_"
	devicePurpose = "log-in device"
	// DeviceTTL is how long a device is known after its last log-in.
	DeviceTTL = 180 * 24 * time.Hour
)

// NewDeviceToken makes the token of the device in which a person logs in; "" without a keeper.
func NewDeviceToken(keeper *secret.Keeper, userID, passwordHash string, now time.Time) string {
	if keeper == nil {
		return ""
	}
	text := strconv.FormatInt(now.Unix(), 36) + "." + rand.Text()
	return devicePrefix + text + "." + keeper.Sign(devicePurpose, deviceText(userID, passwordHash, text))
}

// KnownDevice returns what names a person's device, "" when the token is none of this person's, or too old.
func KnownDevice(keeper *secret.Keeper, token, userID, passwordHash string, now time.Time) string {
	rest, ok := strings.CutPrefix(token, devicePrefix)
	at := strings.LastIndexByte(rest, '.')
	if keeper == nil || !ok || at < 0 || len(token) > maxCredential {
		return ""
	}
	text, signature := rest[:at], rest[at+1:]
	if !keeper.Signed(devicePurpose, deviceText(userID, passwordHash, text), signature) {
		return ""
	}
	made, _, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(made, 36, 64)
	if age := now.Sub(time.Unix(seconds, 0)); err != nil || age < -time.Minute || age > DeviceTTL {
		return ""
	}
	return text
}

// deviceText is what the signature covers: the token, its person, and the password that it was made under.
func deviceText(userID, passwordHash, text string) string {
	return userID + "\x00" + string(HashKey(passwordHash)) + "\x00" + text
}
