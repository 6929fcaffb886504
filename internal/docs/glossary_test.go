package docs_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notNouns are files of the data model's folder that hold no record.
var notNouns = map[string]bool{"mixin": true}

// otherwiseNamed are records whose tables and indexes were named before Relay's rule that reserves Connection for pages.
var otherwiseNamed = map[string]string{"channel connection": "connected workspace"}

// glossaryRow is one line of a table of terms.
var glossaryRow = regexp.MustCompile(`^\| ([^|]+) \| ([^|]+) \|$`)

// terms are the terms of the glossary in small letters, by section.
func terms(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("glossary.md")
	require.NoError(t, err)
	found, section := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		if row := glossaryRow.FindStringSubmatch(strings.TrimSpace(line)); row != nil && row[1] != "Term" && !strings.HasPrefix(row[1], "---") {
			found[section] = append(found[section], strings.ToLower(row[1]))
		}
	}
	return found
}

// TestGlossaryHasEveryNoun holds the glossary against the data model: each record that is stored is explained.
func TestGlossaryHasEveryNoun(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../ent/schema/*.go")
	require.NoError(t, err)
	domain := terms(t)["Domain"]
	nouns := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if notNouns[name] || strings.HasSuffix(name, "_test") {
			continue
		}
		nouns++
		noun := strings.ReplaceAll(name, "_", " ")
		noun = cmp.Or(otherwiseNamed[noun], noun)
		require.True(t, slices.Contains(domain, noun) || slices.Contains(domain, strings.Replace(noun, "log in", "log-in", 1)), "the glossary lacks %q", noun)
	}
	require.Greater(t, nouns, 40, "the walk finds the data model")
}

// TestGlossaryTermsAreUnique: one meaning per term.
func TestGlossaryTermsAreUnique(t *testing.T) {
	t.Parallel()
	for section, list := range terms(t) {
		seen := map[string]bool{}
		for _, term := range list {
			require.False(t, seen[term], "%s: %q is explained twice", section, term)
			seen[term] = true
		}
		require.NotEmpty(t, list, section)
	}
}

// importOrder is the order of packages as documents write it, over one line or two.
var importOrder = regexp.MustCompile("cmd → app[^`.]*?→ fault")

// TestImportOrderIsTheLinters: README and architecture name the order of packages that the linter's settings enforce.
func TestImportOrderIsTheLinters(t *testing.T) {
	t.Parallel()
	order := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		found := importOrder.FindString(string(text))
		require.NotEmpty(t, found, path)
		return strings.Join(strings.Fields(found), " ")
	}
	want := order("../../.golangci.yml")
	require.Equal(t, want, order("../../README.md"))
	require.Equal(t, want, order("architecture.md"))
}
