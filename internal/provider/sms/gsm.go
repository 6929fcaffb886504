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

// parts is how many texts the content takes on the air. A character that takes two places is not divided between two texts.
func parts(content string) int {
	whole, each, places := 70, 67, utf16.RuneLen
	if isGSM7(content) {
		whole, each, places = 160, 153, gsmPlaces
	}
	length, texts, left := 0, 1, each
	for _, r := range content {
		n := max(1, places(r))
		if length += n; n > left {
			texts, left = texts+1, each
		}
		left -= n
	}
	if length <= whole {
		return 1
	}
	return texts
}

// gsmPlaces is how many places a character of the GSM alphabet takes.
func gsmPlaces(r rune) int {
	if strings.ContainsRune(gsmExtended, r) {
		return 2
	}
	return 1
}

// whenUnicode gives value for a text outside the GSM alphabet, else "".
func whenUnicode(content, value string) string {
	if isGSM7(content) {
		return ""
	}
	return value
}
