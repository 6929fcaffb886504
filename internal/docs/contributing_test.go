package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A road names a file as `path` and, in parentheses behind it, the symbols to look for.
var (
	roadFile   = regexp.MustCompile("`([A-Za-z][\\w.-]*(?:/[\\w.-]+)+)`(?:\\s+\\(((?:`\\w+`(?:,\\s+)?)+)\\))?")
	roadSymbol = regexp.MustCompile("`(\\w+)`")
)

// TestContributingNamesWhatExists checks each file and symbol that CONTRIBUTING.md names.
func TestContributingNamesWhatExists(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	guide, err := os.ReadFile(filepath.Join(root, ".github", "CONTRIBUTING.md"))
	require.NoError(t, err)
	files, symbols := 0, 0
	for _, m := range roadFile.FindAllStringSubmatch(string(guide), -1) {
		files++
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m[1])))
		require.NoError(t, err)
		for _, symbol := range roadSymbol.FindAllStringSubmatch(m[2], -1) {
			symbols++
			require.True(t, regexp.MustCompile(`\b`+symbol[1]+`\b`).Match(content), "%s in %s", symbol[1], m[1])
		}
	}
	require.Greater(t, files, 25)
	require.Greater(t, symbols, 15)
}

// TestRoadsNameEveryFile checks that no hand-written file lists what a road adds to, unless the road names it: a file that
// holds all the words of the examples is such a list. It also bounds how many files a road leads through.
func TestRoadsNameEveryFile(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	guide, err := os.ReadFile(filepath.Join(root, ".github", "CONTRIBUTING.md"))
	require.NoError(t, err)
	written := handWritten(t, root)
	for heading, c := range map[string]struct {
		examples    []string
		least, most int // files, of which the dashboard's texts are two
	}{
		"Add a provider":             {[]string{`(?i)plivo`}, 1, 2},
		"Add a column to Subscriber": {[]string{`(?i)first_?name`, `(?i)last_?name`, `(?i)avatar`, `(?i)timezone`}, 5, 11},
		"Add a step type":            {[]string{`(?i)digest`, `(?i)delay`, `(?i)throttle`, `(?i)custom`}, 5, 10},
		"Add a REST route":           {[]string{`/messages/mark-as\b`}, 2, 3},
	} {
		_, road, found := strings.Cut(string(guide), "\n## "+heading+"\n")
		require.True(t, found, heading)
		road, _, _ = strings.Cut(road, "\n## ")
		var named, listing []string
		for _, m := range roadFile.FindAllStringSubmatch(road, -1) {
			named = append(named, m[1])
		}
		examples := make([]*regexp.Regexp, len(c.examples))
		for i, example := range c.examples {
			examples[i] = regexp.MustCompile(example)
		}
		for path, content := range written {
			if !slices.ContainsFunc(examples, func(word *regexp.Regexp) bool { return !word.Match(content) }) {
				listing = append(listing, path)
			}
		}
		require.Subset(t, named, listing, "%s: a file that its road does not name", heading)
		require.GreaterOrEqual(t, len(listing), c.least, "%s: the examples find the lists", heading)
		require.LessOrEqual(t, len(listing), c.most, "%s: files that its examples are listed in: %s", heading, listing)
	}
}

var (
	roadSources   = []string{".go", ".graphqls", ".graphql", ".ts", ".tsx"}
	testFile      = regexp.MustCompile(`_test\.go$|\.test\.tsx?$`)
	generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT`)
	roadSkips     = []string{"schema.graphql", "testdata", "dist", "node_modules", "generated", "demo", "bench", "prove"} // with .git and its like
)

// handWritten returns the sources that people write, without tests, by their paths.
func handWritten(t *testing.T, root string) map[string][]byte {
	t.Helper()
	written := map[string][]byte{}
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(roadSkips, name) || name != "." && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case entry.IsDir(), slices.Contains(roadSkips, name), !slices.Contains(roadSources, filepath.Ext(name)), testFile.MatchString(name):
			return nil
		}
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err == nil && !generatedMark.Match(content) {
			written[path] = content
		}
		return err
	}))
	return written
}
