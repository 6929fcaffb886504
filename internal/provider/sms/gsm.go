package sms

import (
	"strings"
	"unicode/utf16"
)

// The alphabet of GSM 03.38: its table, and those characters that take two places.
const (
	gsmBasic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "\f^{}\\[~]|€"
)

// isGSM7 reports whether a text stays in the GSM alphabet; otherwise it travels as UCS-2, which some vendors want said.
func isGSM7(content string) bool {
	for _, r := range content {
		if !strings.ContainsRune(gsmBasic, r) && !strings.ContainsRune(gsmExtended, r) {
			return false
		}
	}
	return true
}

// parts is how many texts the content takes on the air.
func parts(content string) int {
	length, whole, each := len(utf16.Encode([]rune(content))), 70, 67
	if isGSM7(content) {
		length, whole, each = 0, 160, 153
		for _, r := range content {
			length++
			if strings.ContainsRune(gsmExtended, r) {
				length++
			}
		}
	}
	if length <= whole {
		return 1
	}
	return (length + each - 1) / each
}

// whenUnicode gives value for a text outside the GSM alphabet, else "".
func whenUnicode(content, value string) string {
	if isGSM7(content) {
		return ""
	}
	return value
}
