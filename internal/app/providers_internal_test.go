package app

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/provider"
)

// TestHelloName is the operator's, else the public host name, else the machine's.
func TestHelloName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ setting, public, want string }{
		{"mail.example.com", "https://notify.example.com", "mail.example.com"},
		{"", "https://notify.example.com:8443/x", "notify.example.com"},
		{"", "https://nötify.example", "xn--ntify-jua.example"},
		{"", "http://192.0.2.1:8080", "[192.0.2.1]"},
		{"", "http://[2001:db8::1]", "[IPv6:2001:db8::1]"},
	} {
		cfg := &config.Config{}
		cfg.SMTPName, cfg.PublicURL = c.setting, c.public
		require.Equal(t, c.want, helloName(cfg))
	}
	machine, err := os.Hostname()
	require.NoError(t, err)
	if provider.CheckHello(machine) == "" {
		require.Equal(t, machine, helloName(&config.Config{}))
	}
}
