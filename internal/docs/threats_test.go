package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	citedTest    = regexp.MustCompile("`(\\w+)\\.(Test\\w+)`")
	declaredTest = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// TestThreatsNameTests checks that every threat of the page names tests, and that each of them exists.
func TestThreatsNameTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("threats.md")
	require.NoError(t, err)
	root, declared := filepath.Join("..", ".."), map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range declaredTest.FindAllSubmatch(source, -1) {
			declared[filepath.Base(filepath.Dir(path))+"."+string(m[1])] = true
		}
		return err
	}))
	cited := 0
	for _, m := range citedTest.FindAllStringSubmatch(string(text), -1) {
		cited++
		require.True(t, declared[m[1]+"."+m[2]], "%s.%s", m[1], m[2])
	}
	require.Greater(t, cited, 50)
	_, defended, _ := strings.Cut(string(text), "\n## 3 ")
	defended, _, found := strings.Cut(defended, "\n## 8 ")
	require.True(t, found)
	for line := range strings.Lines(defended) {
		if row := strings.Split(line, " | "); strings.HasPrefix(line, "| ") && row[0] != "| Threat" {
			require.Len(t, row, 3, line)
			require.Regexp(t, "`(\\w+\\.Test\\w+|mail\\.test\\.ts)`|^none: ", row[2], line)
		}
	}
	_, err = os.Stat(filepath.Join(root, "internal/dashboard/web/src/mail.test.ts"))
	require.NoError(t, err)
}
