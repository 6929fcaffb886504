package app

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify/access"
)

func TestGreet(t *testing.T) {
	t.Parallel()
	greeting := func(chosen string, listens string, first *access.BootstrapResult) string {
		var out strings.Builder
		addr, err := net.ResolveTCPAddr("tcp", listens)
		require.NoError(t, err)
		greet(&out, &config.Config{BootstrapAPIKey: chosen}, addr, first)
		return out.String()
	}
	env := &ent.Environment{Identifier: "development"}

	text := greeting("", "127.0.0.1:8080", &access.BootstrapResult{})
	require.Contains(t, text, "http://127.0.0.1:8080/dashboard")
	require.Contains(t, text, "carillon users create")
	require.NotContains(t, text, "curl")

	text = greeting("", "0.0.0.0:8080", &access.BootstrapResult{Created: true, Environment: env, Key: "made"})
	require.Contains(t, text, "curl -X POST http://localhost:8080/v1/events/trigger")
	require.Equal(t, 2, strings.Count(text, "made\n")+strings.Count(text, "ApiKey made\""), text)

	text = greeting("chosen-by-the-operator", "[::]:8080", &access.BootstrapResult{Created: true, Environment: env, Key: "chosen-by-the-operator"})
	require.NotContains(t, text, "chosen-by-the-operator")
	require.Contains(t, text, `"Authorization: ApiKey $CARILLON_BOOTSTRAP_API_KEY"`)

	text = greeting("", "127.0.0.1:8080", &access.BootstrapResult{Created: true, Environment: env})
	require.Contains(t, text, `"Authorization: ApiKey $KEY"`)
}
