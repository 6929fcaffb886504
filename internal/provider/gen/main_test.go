package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrite: what a package defines is listed, new providers behind those that clients have seen, and removed ones are not.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "fax")
	require.NoError(t, os.Mkdir(dir, 0o700))
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	list := func() []string {
		t.Helper()
		require.NoError(t, write(dir))
		names, err := listed(filepath.Join(dir, listFile))
		require.NoError(t, err)
		return names
	}
	put("fax.go", "package fax\n\nvar limit = 3\n")
	require.Empty(t, list())
	require.NoFileExists(t, filepath.Join(dir, listFile))

	put("zulu.go", "package fax\n\nvar zulu = provider.Definition{ID: \"zulu\"}\n")
	put("zulu_test.go", "package fax\n\nvar trial = provider.Definition{ID: \"trial\"}\n")
	require.Equal(t, []string{"zulu"}, list())
	put("more.go", "package fax\n\nvar (\n\tmike = provider.Definition{}\n\talpha = provider.Definition{}\n)\n")
	require.Equal(t, []string{"zulu", "alpha", "mike"}, list())
	require.NoError(t, os.Remove(filepath.Join(dir, "zulu.go")))
	require.Equal(t, []string{"alpha", "mike"}, list())
}
