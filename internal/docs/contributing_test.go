package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
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
