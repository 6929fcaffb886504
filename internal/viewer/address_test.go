package viewer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/viewer"
)

func TestNetworks(t *testing.T) {
	t.Parallel()
	for address, network := range map[string]string{
		"203.0.113.7": "203.0.113.0/24", "203.0.113.255": "203.0.113.0/24", "203.0.114.7": "203.0.114.0/24",
		"::ffff:203.0.113.7": "203.0.113.0/24", "2001:db8:1:2::3": "2001:db8:1::/48", "2001:db8:1:ffff::3": "2001:db8:1::/48",
		"2001:db8:2::1": "2001:db8:2::/48", "fe80::1%eth0": "fe80::/48", "": "", "pipe": "pipe",
	} {
		require.Equal(t, network, viewer.Network(viewer.WithAddress(t.Context(), address)), address)
	}
	require.Len(t, viewer.Network(viewer.WithAddress(t.Context(), strings.Repeat("x", 500))), 64)
	require.Empty(t, viewer.Network(t.Context()))
}

// With one address of IPv6 a caller has the others of its network; an address of IPv4 may be that of many callers already.
func TestCallers(t *testing.T) {
	t.Parallel()
	for address, caller := range map[string]string{
		"203.0.113.7": "203.0.113.7", "203.0.113.8": "203.0.113.8", "::ffff:203.0.113.7": "203.0.113.7",
		"2001:db8:1:2::3": "2001:db8:1::/48", "2001:db8:1:ffff::3": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48", "": "", "pipe": "pipe",
	} {
		require.Equal(t, caller, viewer.Caller(address), address)
	}
}
