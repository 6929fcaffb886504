package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/docs"
)

// A citation names a document, and may name sections by number (decisions.md §3, §16) or one by its title
// (api.md, Limits). Only the names of embedded documents, and of documents that Carillon once had, count.
var (
	citation = regexp.MustCompile(`\b(api|decisions|semantics|email|sms|push-chat|architecture|glossary|design|ground|house|style)\.md` +
		`((?:,? (?:and )?§[0-9][0-9.–-]*)+|, [A-Za-z"][^;:.)"\n]*)?`)
	number = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)*`)
)

// sources are the kinds of files that cite.
var sources = map[string]bool{".go": true, ".ts": true, ".tsx": true, ".graphqls": true, ".sql": true, ".md": true, ".yml": true}

// TestCitations holds every citation in code, comments, settings and texts against the documents.
func TestCitations(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	known := map[string]*docs.Document{}
	for _, d := range all {
		known[d.Name] = d
	}
	var wrong []string
	count := 0
	walkSources(t, func(path, text string) {
		for _, m := range citation.FindAllStringSubmatch(text, -1) {
			count++
			if problem := check(known[m[1]], m[2]); problem != "" {
				wrong = append(wrong, path+": "+strings.TrimSpace(m[0])+": "+problem)
			}
		}
	})
	require.Empty(t, wrong, "citations without a target")
	require.Greater(t, count, 200, "the walk finds the citations of the whole repository")
}

// check says what is wrong with what a citation names; empty when nothing is.
func check(d *docs.Document, target string) string {
	switch {
	case d == nil:
		return "there is no such document"
	case strings.Contains(target, "§"):
		for _, n := range number.FindAllString(target, -1) {
			if !hasNumber(d, n) {
				return "there is no §" + n
			}
		}
	case target != "":
		title := strings.Trim(strings.TrimPrefix(target, ", "), `" `)
		if !hasTitle(d, title) {
			return "there is no section or definition " + title
		}
	}
	return ""
}

func hasNumber(d *docs.Document, number string) bool {
	for _, s := range d.Sections {
		if s.Number == number {
			return true
		}
	}
	return false
}

// hasTitle reports whether a heading begins with the title, or the text defines it: "Name:", "Name (".
func hasTitle(d *docs.Document, title string) bool {
	defined := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(title) + `(:| \()`)
	for _, s := range d.Sections {
		if s.Level > 0 && strings.HasPrefix(strings.ToLower(s.Title), strings.ToLower(title)) || defined.MatchString(s.Text) {
			return true
		}
		if regexp.MustCompile(`(^| )`+regexp.QuoteMeta(title)+`( |$)`).MatchString(s.Text) && strings.Contains(s.Title, "enumerations") {
			return true // a row of the table of enumerations
		}
	}
	return false
}

// walkSources calls fn for each hand-written file of the repository that may cite.
func walkSources(t *testing.T, fn func(path, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if entry.IsDir() {
			switch name := entry.Name(); {
			case name == "node_modules", name == "dist", name == "bin", name == ".git", rel == filepath.Join("internal", "docs"):
				return filepath.SkipDir
			}
			return nil
		}
		if !sources[filepath.Ext(path)] {
			return nil
		}
		content, err := os.ReadFile(path)
		if err == nil {
			fn(rel, string(content))
		}
		return err
	})
	require.NoError(t, err)
}

func TestCheckFindsWhatIsMissing(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	var decisions, api *docs.Document
	for _, d := range all {
		switch d.Name {
		case "decisions":
			decisions = d
		case "api":
			api = d
		}
	}
	require.Empty(t, check(decisions, " §3, §16"))
	require.Empty(t, check(api, ", Limits"))
	require.Empty(t, check(api, ", EmailBlock"))
	require.NotEmpty(t, check(nil, ""))
	require.NotEmpty(t, check(decisions, " §3, §61"))
	require.NotEmpty(t, check(api, ", Limitations"))
}
