package importer_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/importer"
)

// TestHold: one run at a time works with a state, and the next one when it has ended.
func TestHold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	release, err := importer.Hold(dir)
	require.NoError(t, err)
	_, err = importer.Hold(dir)
	require.ErrorIs(t, err, importer.ErrHeld)
	require.ErrorContains(t, err, dir)
	other, err := importer.Hold(filepath.Join(dir, "other"))
	require.NoError(t, err)
	other()
	release()
	release, err = importer.Hold(dir)
	require.NoError(t, err)
	release()
}
