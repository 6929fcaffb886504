package dashboard_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// firstLoad is what a browser may load, compressed, before the dashboard shows its first page.
const firstLoad = 200_000

var (
	linked   = regexp.MustCompile(`(?:src|href)="/dashboard/assets/([^"]+\.(?:js|css))"`)
	imported = regexp.MustCompile("(?:from|import)\\s*[\"`']\\./([^\"`']+\\.js)[\"`']")
	opened   = regexp.MustCompile("import\\(\\s*[\"`']\\./([^\"`']+\\.js)[\"`']")
)

// TestBudget: the dashboard's frame with its largest page is small enough for slow connections; other pages load when they
// are opened, and what a page loads later, such as the editors of code, is by itself no larger.
func TestBudget(t *testing.T) {
	t.Parallel()
	assets := os.DirFS("dist/assets")
	index, err := os.ReadFile("dist/index.html")
	require.NoError(t, err)
	frame := map[string]int{}
	for _, link := range linked.FindAllStringSubmatch(string(index), -1) {
		load(t, assets, link[1], frame)
	}
	require.NotEmpty(t, frame)

	pages := map[string]bool{}
	for script := range frame {
		for _, page := range opens(t, assets, script) {
			pages[page] = true
		}
	}
	require.Greater(t, len(pages), 10)
	scripts, err := fs.Glob(assets, "*.js")
	require.NoError(t, err)
	for _, script := range scripts {
		loaded := maps.Clone(frame)
		load(t, assets, script, loaded)
		total := 0
		for name, size := range loaded {
			if _, before := frame[name]; pages[script] || !before {
				total += size
			}
		}
		require.LessOrEqual(t, total, firstLoad, "%s with what it needs: %v", script, slices.Sorted(maps.Keys(loaded)))
	}
}

// opens are the scripts that a script loads when they are wanted.
func opens(t *testing.T, assets fs.FS, name string) (scripts []string) {
	t.Helper()
	if !strings.HasSuffix(name, ".js") {
		return nil
	}
	content, err := fs.ReadFile(assets, name)
	require.NoError(t, err)
	for _, script := range opened.FindAllStringSubmatch(string(content), -1) {
		scripts = append(scripts, script[1])
	}
	return scripts
}

// load adds the compressed size of an asset, and of everything that it needs at once.
func load(t *testing.T, assets fs.FS, name string, loaded map[string]int) {
	t.Helper()
	if _, known := loaded[name]; known {
		return
	}
	content, err := fs.ReadFile(assets, name)
	require.NoError(t, err)
	var size counter
	z, err := gzip.NewWriterLevel(&size, gzip.BestCompression)
	require.NoError(t, err)
	_, err = z.Write(content)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	loaded[name] = int(size)
	if strings.HasSuffix(name, ".js") {
		for _, other := range imported.FindAllStringSubmatch(string(content), -1) {
			load(t, assets, other[1], loaded)
		}
	}
}

// counter counts what is written to it.
type counter int

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
