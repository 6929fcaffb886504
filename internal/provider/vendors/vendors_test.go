package vendors_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/vendors"
)

// TestDestinations: every credential that can decide the server of a provider says so, because its secrets are given anew when it changes.
// The addresses of webhooks get signatures only, and those of redirects are opened by browsers.
func TestDestinations(t *testing.T) {
	t.Parallel()
	signed := []string{"webhookUrl", "redirectUrl"}
	registry, err := vendors.Registry()
	require.NoError(t, err)
	n := 0
	for _, d := range registry.All() {
		for _, f := range d.Credentials {
			decides := f.Kind == provider.KindURL && !slices.Contains(signed, f.Name) || f.Name == "host" || f.Name == "port"
			require.Equal(t, decides, f.Destination, "%s: %s", d.ID, f.Name)
			if f.Destination {
				n++
			}
			require.False(t, f.Local && !f.Secret, "%s: %s", d.ID, f.Name)
		}
	}
	require.Greater(t, n, 20)
}
