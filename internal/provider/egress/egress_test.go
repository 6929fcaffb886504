package egress

import (
	"bufio"
	"context"
	"encoding/pem"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

func client(t *testing.T, c Config) *Client {
	t.Helper()
	e, err := New(c)
	require.NoError(t, err)
	t.Cleanup(e.CloseIdleConnections)
	return e
}

func get(t *testing.T, rt http.RoundTripper, target string) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	require.NoError(t, err)
	res, err := rt.RoundTrip(req)
	if err == nil {
		t.Cleanup(func() { _ = res.Body.Close() })
	}
	return res, err
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func TestJudge(t *testing.T) {
	t.Parallel()
	e := client(t, Config{})
	for _, refused := range []string{
		"127.0.0.1", "127.255.0.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254",
		"100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.88.99.1",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fe80::1%eth0",
		"2606:4700::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
		"2002:0a00:0001::", "64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "64:ff9b:1::1.1.1.1", "2001::1", "2001:db8::1",
		"3fff::1", "100::1", "5f00::1",
	} {
		require.ErrorIs(t, e.Check(netip.MustParseAddr(refused)), ErrRefused, refused)
	}
	for _, allowed := range []string{
		"1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2a00:1450::1",
		"64:ff9b::8.8.8.8", "2002:0808:0808::1",
	} {
		require.NoError(t, e.Check(netip.MustParseAddr(allowed)), allowed)
	}
	require.ErrorIs(t, e.Check(netip.Addr{}), ErrRefused)
}

func TestAllow(t *testing.T) {
	t.Parallel()
	allow, err := ParseAllow([]string{" 10.0.0.0/8", "192.168.7.7", "", "fd00::/8"})
	require.NoError(t, err)
	e := client(t, Config{Allow: allow})
	for _, a := range []string{"10.9.9.9", "::ffff:10.9.9.9", "192.168.7.7", "fd00::1"} {
		require.NoError(t, e.Check(netip.MustParseAddr(a)), a)
	}
	for _, a := range []string{"192.168.7.8", "127.0.0.1", "fd00::1%eth0"} {
		require.Error(t, e.Check(netip.MustParseAddr(a)), a)
	}
	_, err = ParseAllow([]string{"10.0.0.0/33"})
	require.Error(t, err)
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "hooks.example.com", "ftp://example.com", "file:///etc/passwd", "gopher://example.com", "http://", "http:///x",
		"https://user@example.com", "https://user:pw@example.com/", "http://2130706433/", "http://127.1/", "http://0x7f.1/",
		"http://0x7f000001/", "http://0177.0.0.1.08/", "http://[fe80::1%25eth0]/", "http:example.com", "http://exa mple.com/",
		"://", "http://%zz/", "http://[::1", "http://example.com.1./",
		"http://127.0.0.1./", "http://①②⑦.①/", "http://２１３０７０６４３３/", "http://127%2e0.0.1/",
		"http://example.com:65536/", "http://example.com:0/", "http://example.com:99999999999999999999/",
	} {
		_, err := CheckURL(bad)
		require.ErrorIs(t, err, ErrRefused, bad)
		if bad != "" {
			require.NotContains(t, err.Error(), bad)
		}
	}
	for _, good := range []string{
		"https://example.com", "HTTP://Example.com:8080/x?y#z", "http://10.0.0.1/", "http://[::1]:80/", "https://例え.jp/",
		"http://localhost:3000/hook", "https://1.example.com", "https://0x.example", "http://example.com./",
		"http://example.com:/", "http://example.com:65535/", "http://example.com:0080/",
	} {
		_, err := CheckURL(good)
		require.NoError(t, err, good)
	}
}

func TestGuardRefusesAtConnectTime(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "inside") }))
	t.Cleanup(server.Close)
	port := server.Listener.Addr().(*net.TCPAddr).Port
	var log strings.Builder
	e := client(t, Config{Resolver: resolver(t, map[string][]string{"rebound.example.": {"127.0.0.1"}}), Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, target := range []string{
		server.URL, "http://localhost:" + itoa(port), "http://[::ffff:127.0.0.1]:" + itoa(port),
		"http://rebound.example:" + itoa(port),
	} {
		_, err := get(t, e.Guarded(), target) //nolint:bodyclose // refused: there is no answer
		require.ErrorIs(t, err, ErrRefused, target)
		require.NotContains(t, err.Error(), "inside")
		u, failed := url.Parse(target)
		require.NoError(t, failed)
		var named *RefusedError
		require.ErrorAs(t, err, &named, target)
		require.Equal(t, RefusedError{Host: u.Hostname(), Private: true, cause: named.cause}, *named)
	}
	require.Contains(t, log.String(), "127.0.0.1:", "the operator sees what names resolved to")
	_, err := e.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.ErrorIs(t, err, ErrRefused)
	_, err = e.DialContext(t.Context(), "tcp", "127.1:25")
	require.ErrorIs(t, err, ErrRefused)

	open := client(t, Config{Allow: loopback})
	res, err := get(t, open.Guarded(), server.URL) //nolint:bodyclose // closed by get
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	conn, err := open.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	res, err = get(t, e.Vendor(), server.URL) //nolint:bodyclose // closed by get; a vendor's address is not judged
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
}

// A chosen name that does not exist fails as one that leads inside does, so that nobody learns which names exist there.
func TestMissingNamesFailAsInnerOnes(t *testing.T) {
	t.Parallel()
	e := client(t, Config{Resolver: resolver(t, map[string][]string{"db.corp.example.": {"10.0.0.7"}, "db.internal.": {"10.0.0.7"}})})
	failure := func(host string) RefusedError {
		_, err := get(t, e.Guarded(), "http://"+host+":81/") //nolint:bodyclose // refused: there is no answer
		var named *RefusedError
		require.ErrorAs(t, err, &named, host)
		_, err = e.DialContext(t.Context(), "tcp", host+":25")
		require.ErrorAs(t, err, new(*RefusedError), host)
		require.Equal(t, host, named.Host)
		return RefusedError{Private: named.Private}
	}
	for _, host := range []string{"db.corp.example", "db.internal", "missing.corp.example", "missing.internal", "missing"} {
		require.Equal(t, RefusedError{Private: true}, failure(host), host)
	}
}

func itoa(n int) string { return (&net.TCPAddr{Port: n}).String()[1:] }

// resolver answers from a table and says NXDOMAIN for everything else.
func resolver(t *testing.T, table map[string][]string) *net.Resolver {
	t.Helper()
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go answer(far, table)
		return near, nil
	}}
}

// answer speaks DNS over a stream: two bytes of length before each message.
func answer(conn net.Conn, table map[string][]string) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	for {
		var size [2]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return
		}
		query := make([]byte, int(size[0])<<8|int(size[1]))
		if _, err := io.ReadFull(r, query); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(query) != nil {
			return
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		found, known := table[m.Questions[0].Name.String()]
		if !known {
			m.RCode = dnsmessage.RCodeNameError
		}
		for _, text := range found {
			if a := netip.MustParseAddr(text); a.Is4() && m.Questions[0].Type == dnsmessage.TypeA {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET, TTL: 1},
					Body:   &dnsmessage.AResource{A: a.As4()},
				})
			}
		}
		out, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
			return
		}
	}
}

// proxy records what it was asked to reach and answers itself.
func proxy(t *testing.T) (address string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var list []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, r.Method+" "+r.RequestURI)
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string { mu.Lock(); defer mu.Unlock(); return list }
}

func TestProxy(t *testing.T) {
	t.Parallel()
	address, asked := proxy(t) // on loopback, where no chosen target may be: the proxy itself is not judged
	e := client(t, Config{
		HTTPProxy: address, HTTPSProxy: address, NoProxy: "direct.example",
		Resolver: resolver(t, map[string][]string{
			"public.example.": {"93.184.215.14"}, "private.example.": {"10.0.0.1"},
			"mixed.example.": {"93.184.215.14", "127.0.0.1"}, "direct.example.": {"127.0.0.1"},
		}),
	})
	res, err := get(t, e.Guarded(), "http://public.example/x") //nolint:bodyclose // closed by get
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, res.StatusCode)
	_, err = get(t, e.Guarded(), "http://unknown-here.example/y") //nolint:bodyclose // closed by get
	require.NoError(t, err)
	_, err = get(t, e.Vendor(), "http://10.0.0.1/vendor") //nolint:bodyclose // closed by get
	require.NoError(t, err)
	_, err = get(t, e.Guarded(), "https://public.example/z") //nolint:bodyclose // refused by the proxy
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrRefused)
	for _, target := range []string{
		"http://private.example/", "https://private.example/", "http://mixed.example/", "http://169.254.169.254/",
		"http://①②⑦.⓪.⓪.①/", "https://１６９。２５４。１６９。２５４/", "http://①⓪.⓪.⓪.①/", "http://api.default.svc/", "http://printer.home.arpa/",
		"http://[::ffff:10.0.0.1]/", "http://metadata.google.internal/", "http://intranet/", "http://direct.example/",
		"http://localhost/", "https://user@public.example/",
	} {
		_, err := get(t, e.Guarded(), target) //nolint:bodyclose // refused: there is no answer
		require.ErrorIs(t, err, ErrRefused, target)
	}
	require.Equal(t, []string{
		"GET http://public.example/x", "GET http://unknown-here.example/y", "GET http://10.0.0.1/vendor",
		"CONNECT public.example:443",
	}, asked())
}

func TestCertificatesAndHTTP2(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(file, ca, 0o600))

	_, err := get(t, client(t, Config{Allow: loopback}).Guarded(), server.URL) //nolint:bodyclose // not trusted
	require.Error(t, err)
	e := client(t, Config{Allow: loopback, CertFile: file})
	require.NotNil(t, e.Roots())
	for _, rt := range []http.RoundTripper{e.Guarded(), e.Vendor()} {
		res, err := get(t, rt, server.URL) //nolint:bodyclose // closed by get
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, "HTTP/2.0", string(body))
	}
	_, err = New(Config{CertFile: filepath.Join(t.TempDir(), "none.pem")})
	require.Error(t, err)
	_, err = New(Config{HTTPProxy: "http://user:MARKER@%zz"})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "MARKER")
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/x", "http://127.0.0.1", "http://[::ffff:7f00:1]/", "http://0x7f.1", "https://a@b", "http://[fe80::1%25a]/",
	} {
		f.Add(seed)
	}
	e, err := New(Config{})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := CheckURL(raw)
		if err != nil {
			return
		}
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		require.NotEmpty(t, u.Hostname())
		again, err := url.Parse(u.String())
		require.NoError(t, err)
		require.Equal(t, u.Hostname(), again.Hostname())
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && (a.Unmap().IsLoopback() || a.Unmap().IsPrivate() || a.Unmap().IsLinkLocalUnicast()) {
			require.ErrorIs(t, e.Check(a), ErrRefused)
		}
	})
}

func FuzzJudge(f *testing.F) {
	for _, seed := range []string{"127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::1.1.1.1", "2002:7f00:1::", "fe80::1%eth0"} {
		f.Add(seed)
	}
	e, err := New(Config{})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		a, err := netip.ParseAddr(text)
		if err != nil || e.Check(a) != nil {
			return
		}
		u := a.Unmap()
		require.False(t, u.IsLoopback() || u.IsPrivate() || u.IsLinkLocalUnicast() || u.IsMulticast() || u.IsUnspecified())
		require.Empty(t, u.Zone())
		require.False(t, strings.HasPrefix(u.String(), "169.254."))
	})
}
