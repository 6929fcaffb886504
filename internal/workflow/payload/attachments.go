package payload

import (
	"encoding/base64"
	"strings"
)

// File decodes the file of an attachment: base64 with the standard alphabet or that for URLs, with padding or without, and with blanks
// as encoders for mails put them in (decisions.md §12).
func File(text string) ([]byte, error) {
	digits := strings.TrimRight(plainBase64.Replace(text), "=")
	return base64.RawStdEncoding.DecodeString(digits) //nolint:wrapcheck // says where the text is no base64
}

var plainBase64 = strings.NewReplacer("-", "+", "_", "/", " ", "", "\t", "", "\r", "", "\n", "")
