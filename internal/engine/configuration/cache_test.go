package configuration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
)

// snapshotOf has environments with a version and, in their one layout, a text.
func snapshotOf(version, text string, environments ...string) *pgrun.Snapshot {
	s := &pgrun.Snapshot{Environments: map[string]*pgrun.EnvironmentRow{}}
	for _, environmentID := range environments {
		c := pgrun.Configuration{Version: version}
		if text != "" {
			c.Layouts = []pgrun.LayoutRow{{Content: text}}
		}
		s.Environments[environmentID] = &pgrun.EnvironmentRow{ID: environmentID, Configuration: c}
	}
	return s
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := newCache(maxBytes)
	both := []string{"a", "b"}
	require.Equal(t, both, c.Missing(both))
	c.put(snapshotOf("1", "first", "a"), both)
	require.Equal(t, []string{"b"}, c.Missing(both))

	found := snapshotOf("1", "", both...)
	require.Equal(t, []string{"b"}, c.fill(found, append(both, "gone")), "which nothing is kept of")
	require.Equal(t, "first", found.Environments["a"].Layouts[0].Content)
	found = snapshotOf("2", "", "a")
	require.Equal(t, []string{"a"}, c.fill(found, []string{"a"}), "it has another version")
	require.Empty(t, found.Environments["a"].Layouts)

	c.put(snapshotOf("2", "second", "a"), []string{"a"})
	require.Empty(t, c.fill(found, []string{"a"}))
	require.Equal(t, "second", found.Environments["a"].Layouts[0].Content)

	recalled := snapshotOf("2", "", "a")
	require.True(t, c.Recall(recalled))
	require.Equal(t, "second", recalled.Environments["a"].Layouts[0].Content)
	require.False(t, c.Recall(snapshotOf("1", "", "a")))
	require.False(t, c.Recall(snapshotOf("2", "", both...)))
}

// TestCacheIsBounded: what was used longest ago goes first, and what is larger than all is not kept.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 10_000)
	one := snapshotOf("1", text, "a").Environments["a"].Configuration
	c := newCache(2 * bytesOf(&one))
	for _, environmentID := range []string{"a", "b"} {
		c.put(snapshotOf("1", text, environmentID), []string{environmentID})
	}
	require.Empty(t, c.fill(snapshotOf("1", "", "a"), []string{"a"}))
	c.put(snapshotOf("1", text, "c"), []string{"c"})
	require.Equal(t, []string{"b"}, c.Missing([]string{"a", "b", "c"}))
	c.put(snapshotOf("2", text, "c"), []string{"c"})
	require.Equal(t, []string{"b"}, c.Missing([]string{"a", "b", "c"}), "a new version takes the place of the old one")
	c.put(snapshotOf("1", strings.Repeat(text, 3), "d"), []string{"d"})
	require.Equal(t, []string{"b", "d"}, c.Missing([]string{"a", "b", "c", "d"}))
	require.Equal(t, 2*bytesOf(&one), c.bytes)
}
