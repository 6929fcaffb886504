package usecase

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/workflow"
)

// CheckGivenName is checkName for a name that may be left out.
func CheckGivenName(problems *fault.Problems, path string, name *string) {
	if name != nil {
		CheckName(problems, path, *name)
	}
}

// Mask is workflow.Mask.
const Mask = workflow.Mask

// CheckIdentifier reports an opaque identifier that is given but unusable.
func CheckIdentifier(problems *fault.Problems, identifier *string) {
	if identifier != nil && !workflow.ValidOpaqueIdentifier(*identifier) {
		problems.Add("identifier", *identifier, "must have 1 to %d characters", workflow.MaxIdentifier)
	}
}

// CheckAddressable reports an identifier that is given and that no URL can address.
func CheckAddressable(problems *fault.Problems, path string, identifier *string) {
	if identifier != nil && !workflow.Addressable(*identifier) {
		problems.Add(path, *identifier, "must be neither . nor .., which no URL can address")
	}
}

// GivenOrFree is the identifier asked for, else one made from a name.
func GivenOrFree(given *string, name, fallback string, now time.Time, exists func(string) (bool, error)) (string, error) {
	if given != nil {
		return *given, nil
	}
	return FreeIdentifier(name, fallback, now, exists)
}

// DecodeJSON reads JSON with numbers as they were written, so that what is stored is what was sent.
func DecodeJSON(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(into)
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// Slug lowers a name and joins its words with hyphens; "" when nothing is left.
func Slug(name string) string {
	s := strings.Trim(notName.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.Trim(s[:min(len(s), 200)], "-")
}

// FreeIdentifier is a name as identifier, with a random end when that is taken.
func FreeIdentifier(name, fallback string, now time.Time, exists func(string) (bool, error)) (string, error) {
	candidate := Slug(name)
	if candidate == "" {
		candidate = fallback
	}
	used, err := exists(candidate)
	if err != nil {
		return "", fmt.Errorf("look for a free identifier: %w", err)
	}
	if used {
		fresh := id.New(now)
		candidate += "-" + fresh[len(fresh)-6:]
	}
	return candidate, nil
}

// Text is the text or "".
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
