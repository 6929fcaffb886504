package render

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A filter that the analysis does not know would be reported as missing although it works.
func TestSignaturesAreTheFilters(t *testing.T) {
	t.Parallel()
	for _, config := range New(DefaultLimits()).configs {
		var names []string
		for _, name := range reflect.ValueOf(config).FieldByName("filters").MapKeys() {
			if !strings.HasPrefix(name.String(), "_") {
				names = append(names, name.String())
			}
		}
		require.ElementsMatch(t, slices.Collect(maps.Keys(signatures)), names)
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache(2, 10)
	for _, s := range []string{"a", "b", "c"} {
		c.put(cacheKey{s, textMode}, &template{})
	}
	_, hit := c.get(cacheKey{"a", textMode})
	require.False(t, hit)
	c.put(cacheKey{"123456789", textMode}, &template{})
	require.LessOrEqual(t, c.bytes, 10)
	require.Equal(t, len(c.entries), c.order.Len())

	c = newCache(100, 10_000) // bytes of the compiled templates, not of sources, which are a fortieth of them
	for i := range 10 {
		c.put(cacheKey{strings.Repeat("{{a}}{%b%}", 5) + strconv.Itoa(i), textMode}, &template{})
	}
	require.Len(t, c.entries, 1)

	c = newCache(100, 10_000) // each line of the tag liquid is one
	for i := range 10 {
		c.put(cacheKey{"{% liquid " + strings.Repeat("\nb", 15) + strconv.Itoa(i) + " %}", textMode}, &template{})
	}
	require.Len(t, c.entries, 1)
}

// FuzzPlainText: any HTML becomes a text.
func FuzzPlainText(f *testing.F) {
	for _, s := range []string{"<p>a<br>b</p>", "<a href='x'>y</a>", "<ul><li>1<li>2</ul>", "<", "&", "&#;", "<a href=", "<!--", "</p></p>", "&#99999999999;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		require.NotPanics(t, func() { plainText(body) })
	})
}
