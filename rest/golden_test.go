package rest_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A golden file holds questions and answers:
//
//	POST /v1/events/trigger
//	Header: value
//
//	{body}
//	---
//	201
//	Header: value
//
//	{body}
//	===
//	the next question
//
// The questions of one file meet one database, in order: those of golden/ one with workflows, those of world/ one with
// records of every noun.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if filepath.Base(filepath.Dir(file)) == "world" {
				b.world(t)
			} else {
				b.workflows(t)
			}
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			var out []string
			for pair := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\n"), "\n===\n") {
				question, _, _ := strings.Cut(pair, "\n---\n")
				out = append(out, question+"\n---\n"+b.answer(t, question))
			}
			got := strings.Join(out, "\n===\n") + "\n"
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
				return
			}
			require.Equal(t, string(raw), got)
		})
	}
}

// What differs from run to run.
var (
	generatedID = regexp.MustCompile(`txn_[0-9a-f]{24}`)
	errorID     = regexp.MustCompile(`"errorId":"[0-9a-f-]{36}"`)
	recordID    = regexp.MustCompile(`\b[1-9a-f][0-9a-f]{23}\b`)
	instant     = regexp.MustCompile(`"20(2[6-9]|[3-9][0-9])-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z"`)
)

// shownHeaders are those that golden files show.
var shownHeaders = []string{"Allow", "Content-Type", "Retry-After", "WWW-Authenticate"}

// answer asks the question and prints the answer.
func (b *bundle) answer(t *testing.T, question string) string {
	t.Helper()
	scanner := bufio.NewScanner(strings.NewReader(question))
	scanner.Buffer(nil, 1<<20)
	require.True(t, scanner.Scan())
	method, target, found := strings.Cut(scanner.Text(), " ")
	require.True(t, found, question)
	var headers []string
	for scanner.Scan() && scanner.Text() != "" {
		name, value, _ := strings.Cut(scanner.Text(), ":")
		headers = append(headers, name, strings.TrimSpace(value))
	}
	var body strings.Builder
	for scanner.Scan() {
		body.WriteString(scanner.Text() + "\n")
	}
	w := b.ask(method, target, strings.TrimSuffix(body.String(), "\n"), headers...)
	lines := []string{fmt.Sprint(w.Code)}
	for _, name := range shownHeaders {
		if value := w.Header().Get(name); value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	sort.Strings(lines[1:])
	text := generatedID.ReplaceAllString(w.Body.String(), "txn_<generated>")
	text = errorID.ReplaceAllString(text, `"errorId":"<generated>"`)
	text = strings.NewReplacer(b.scope.EnvironmentID, "<environment>", b.scope.OrganizationID, "<organization>").Replace(text)
	text = recordID.ReplaceAllString(text, "<id>")
	text = instant.ReplaceAllString(text, `"<time>"`)
	return strings.Join(lines, "\n") + "\n\n" + text
}
