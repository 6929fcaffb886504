package notify

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

// checkGivenName is checkName for a name that may be left out.
func checkGivenName(problems *fault.Problems, path string, name *string) {
	if name != nil {
		checkName(problems, path, *name)
	}
}

// Mask stands in every answer where a secret is stored. Sent back, it keeps the stored value (decisions.md §17).
const Mask = "********"

// checkIdentifier reports an opaque identifier that is given but unusable.
func checkIdentifier(problems *fault.Problems, identifier *string) {
	if identifier != nil && !workflow.ValidOpaqueIdentifier(*identifier) {
		problems.Add("identifier", *identifier, "must have 1 to %d characters", workflow.MaxIdentifier)
	}
}

// givenOrFree is the identifier asked for, else one made from a name.
func givenOrFree(given *string, name, fallback string, now time.Time, exists func(string) (bool, error)) (string, error) {
	if given != nil {
		return *given, nil
	}
	return freeIdentifier(name, fallback, now, exists)
}

// decode reads JSON with numbers as they were written, so that what is stored is what was sent.
func decode(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(into)
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// slugged lowers a name and joins its words with hyphens; "" when nothing is left.
func slugged(name string) string {
	s := strings.Trim(notName.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.Trim(s[:min(len(s), 200)], "-")
}

// freeIdentifier is a name as identifier, with a random end when that is taken.
func freeIdentifier(name, fallback string, now time.Time, exists func(string) (bool, error)) (string, error) {
	candidate := slugged(name)
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

// text is the text or "".
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
