package providertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

// RunFiles requires a golden file of every provider but those that other tests hold, and runs the whole suite for each one
// whose golden file holds its case: a first line "# " with the credentials, the vendor's answer and the id in it as JSON.
// Below it are the requests, which -update writes.
func RunFiles(t *testing.T, list []provider.Definition, elsewhere ...string) {
	t.Helper()
	for _, d := range list {
		if slices.Contains(elsewhere, d.ID) {
			continue
		}
		files, err := filepath.Glob(filepath.Join("testdata", d.ID+"*.http"))
		require.NoError(t, err)
		require.NotEmpty(t, files, "%s has no case: begin testdata/%s.http with "+
			`# {"credentials": {"apiKey": "MARKER-KEY"}, "status": 200, "body": "{\"id\":\"1\"}", "id": "1"}`, d.ID, d.ID)
		raw, err := os.ReadFile(filepath.Join("testdata", d.ID+".http"))
		if head, _, _ := strings.Cut(string(raw), "\n"); err == nil && strings.HasPrefix(head, "# ") {
			runFile(t, d, head)
		}
	}
}

func runFile(t *testing.T, d provider.Definition, head string) {
	t.Helper()
	var given struct {
		Credentials provider.Credentials
		Status      int
		Body, ID    string
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(head, "# ")), &given), d.ID)
	Run(t, Case{
		Definition: d, Credentials: given.Credentials, Replies: []Reply{{Status: given.Status, Body: given.Body}},
		Receipt: provider.Receipt{ID: given.ID}, NeedsID: given.ID != "", head: head + "\n",
	})
}
