package auth_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/viewer"
)

// TestClientAddress: headers count when a trusted proxy sent them, up to the last hop that is no proxy.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:aaaa::/48")}
	for name, c := range map[string]struct {
		peer    string
		headers [][2]string
		trusted []netip.Prefix
		want    string
	}{
		"NoProxy":               {"203.0.113.7:1000", nil, proxies, "203.0.113.7"},
		"MappedPeer":            {"[::ffff:203.0.113.7]:1", nil, nil, "203.0.113.7"},
		"NoneTrusted":           {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}}, nil, "10.0.0.1"},
		"UntrustedPeer":         {"198.51.100.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}}, proxies, "198.51.100.1"},
		"UntrustedPeerRealIP":   {"198.51.100.1:1", [][2]string{{"X-Real-IP", "10.0.0.5"}}, proxies, "198.51.100.1"},
		"UntrustedPeerAll":      {"198.51.100.1:1", [][2]string{{"Forwarded", "for=203.0.113.7"}, {"X-Real-IP", "203.0.113.7"}}, proxies, "198.51.100.1"},
		"XFF":                   {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}}, proxies, "203.0.113.7"},
		"XFFInvented":           {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66, 203.0.113.7"}}, proxies, "203.0.113.7"},
		"XFFInventedProxy":      {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66, 10.9.9.9, 203.0.113.7"}}, proxies, "203.0.113.7"},
		"XFFThroughTwoProxies":  {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66, 203.0.113.7, 10.0.0.2"}}, proxies, "203.0.113.7"},
		"XFFTwice":              {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66"}, {"X-Forwarded-For", "203.0.113.7"}}, proxies, "203.0.113.7"},
		"XFFMapped":             {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "::ffff:10.0.0.2"}}, proxies, "10.0.0.1"},
		"XFFUnreadable":         {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7, garbage"}}, proxies, "10.0.0.1"},
		"XFFEmpty":              {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", ""}}, proxies, "10.0.0.1"},
		"OnlyProxies":           {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "10.0.0.3"}}, proxies, "10.0.0.1"},
		"RealIP":                {"10.0.0.1:1", [][2]string{{"X-Real-IP", "203.0.113.7"}}, proxies, "203.0.113.7"},
		"RealIPTwice":           {"10.0.0.1:1", [][2]string{{"X-Real-IP", "192.0.2.66"}, {"X-Real-IP", "203.0.113.7"}}, proxies, "203.0.113.7"},
		"Forwarded":             {"10.0.0.1:1", [][2]string{{"Forwarded", `for=192.0.2.66, For="203.0.113.7:4711";proto=https;by=10.0.0.1`}}, proxies, "203.0.113.7"},
		"Forwarded6":            {"[2001:db8:aaaa::1]:1", [][2]string{{"Forwarded", `for="[2001:db8:cafe::17]:4711"`}}, proxies, "2001:db8:cafe::17"},
		"ForwardedHidden":       {"10.0.0.1:1", [][2]string{{"Forwarded", `for=203.0.113.7, for=_hidden`}}, proxies, "10.0.0.1"},
		"ForwardedWithoutFor":   {"10.0.0.1:1", [][2]string{{"Forwarded", `for=203.0.113.7, proto=https`}}, proxies, "10.0.0.1"},
		"AllAgree":              {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66, 203.0.113.7"}, {"X-Real-IP", "203.0.113.7"}, {"Forwarded", "for=203.0.113.7"}}, proxies, "203.0.113.7"},
		"BehindAnotherProxy":    {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7, 10.0.0.2"}, {"X-Real-IP", "10.0.0.2"}}, proxies, "203.0.113.7"},
		"InventedInFrontOfIt":   {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}, {"X-Real-IP", "10.0.0.2"}}, proxies, "10.0.0.1"},
		"PassedOnRealIP":        {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}, {"X-Real-IP", "192.0.2.66"}}, proxies, "10.0.0.1"},
		"PassedOnForwarded":     {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "203.0.113.7"}, {"Forwarded", "for=192.0.2.66"}}, proxies, "10.0.0.1"},
		"PassedOnXFF":           {"10.0.0.1:1", [][2]string{{"X-Forwarded-For", "192.0.2.66"}, {"X-Real-IP", "203.0.113.7"}}, proxies, "10.0.0.1"},
		"NoAddressAtAll":        {"@", nil, proxies, "@"},
		"NoAddressWithAHeader":  {"@", [][2]string{{"X-Forwarded-For", "203.0.113.7"}}, proxies, "@"},
		"TrustedSingleAddress6": {"[2001:db8:aaaa:1::9]:443", [][2]string{{"X-Forwarded-For", "2001:db8:aaaa::2"}}, proxies, "2001:db8:aaaa:1::9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", nil)
			r.RemoteAddr = c.peer
			for _, h := range c.headers {
				r.Header.Add(h[0], h[1])
			}
			got := ""
			auth.ClientAddress(c.trusted)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = viewer.Address(r.Context())
			})).ServeHTTP(httptest.NewRecorder(), r)
			require.Equal(t, c.want, got)
		})
	}
}
