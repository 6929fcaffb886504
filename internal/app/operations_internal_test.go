package app

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhoReadsMetrics(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		peer, token string
		own         bool
		headers     []string
		may         bool
	}{
		"this machine":               {peer: "127.0.0.1:1", may: true},
		"this machine, by IPv6":      {peer: "[::1]:1", may: true},
		"another machine":            {peer: "192.0.2.1:1"},
		"a proxy on this machine":    {peer: "127.0.0.1:1", headers: []string{"X-Forwarded-For", "192.0.2.1"}},
		"a proxy that says so":       {peer: "127.0.0.1:1", headers: []string{"Forwarded", "for=127.0.0.1"}},
		"the token":                  {peer: "192.0.2.1:1", token: "t", headers: []string{"Authorization", "Bearer t"}, may: true},
		"the token, through a proxy": {peer: "127.0.0.1:1", token: "t", headers: []string{"Authorization", "bearer t", "Via", "x"}, may: true},
		"another token":              {peer: "192.0.2.1:1", token: "t", headers: []string{"Authorization", "Bearer u"}},
		"no token is set":            {peer: "192.0.2.1:1", headers: []string{"Authorization", "Bearer "}},
		"a listener of its own":      {peer: "192.0.2.1:1", own: true, may: true},
		"both":                       {peer: "192.0.2.1:1", own: true, token: "t"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.RemoteAddr = c.peer
		for i := 0; i+1 < len(c.headers); i += 2 {
			r.Header.Set(c.headers[i], c.headers[i+1])
		}
		require.Equal(t, c.may, mayReadMetrics(r, c.token, c.own), name)
	}
}
