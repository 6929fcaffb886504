package docs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/docs"
)

// TestClientsQuoteWhatRuns holds each block of the page about clients against the file that its fence names: Go's are
// examples that tests run, the others are programs and pages that .ci/clients and .ci/inbox run.
func TestClientsQuoteWhatRuns(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	quoted := 0
	for _, d := range all {
		if d.Name != "clients" {
			continue
		}
		for _, code := range d.Code() {
			file := code.Attributes["file"]
			require.NotEmpty(t, file, "clients.md:%d", code.Line)
			text, err := os.ReadFile(filepath.Join("..", "..", file))
			require.NoError(t, err)
			require.Contains(t, string(text), code.Text, "clients.md:%d", code.Line)
			quoted++
		}
	}
	require.Greater(t, quoted, 10)
}
