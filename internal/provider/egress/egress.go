// Package egress is the way out: the HTTP transports and the dialer that reach the world outside. It honours the
// operator's proxy and certificates, and it keeps addresses that a user chose away from the operator's own network.
package egress

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Config holds the operator's settings.
type Config struct {
	HTTPProxy, HTTPSProxy, NoProxy string // as the environment variables of these names
	CertFile                       string // PEM file of further trusted certificates (SSL_CERT_FILE)
	Allow                          []netip.Prefix
	// Resolver looks names up; net.DefaultResolver when nil.
	Resolver *net.Resolver
	// Log is the operator's: it gets what refused names resolved to. nil: that is not logged.
	Log *slog.Logger
}

// Client is the way out for one process. Its transports keep connections and are meant to live as long as the process.
type Client struct {
	allow    []netip.Prefix
	resolver *net.Resolver
	log      *slog.Logger
	proxy    func(*url.URL) (*url.URL, error)
	vendor   *http.Transport // through the proxy where one applies, unchecked
	direct   *http.Transport // never through a proxy, checked at connect time
	dialer   *net.Dialer     // checked at connect time
	roots    *x509.CertPool
}

// New builds the way out. It fails when the certificate file cannot be read or a proxy address is malformed.
func New(c Config) (*Client, error) {
	roots, err := pool(c.CertFile)
	if err != nil {
		return nil, err
	}
	for _, p := range []string{c.HTTPProxy, c.HTTPSProxy} {
		if _, err := url.Parse(p); err != nil {
			return nil, errors.New("egress: malformed proxy address")
		}
	}
	e := &Client{
		allow:    c.Allow,
		resolver: c.Resolver,
		log:      cmp.Or(c.Log, slog.New(slog.DiscardHandler)),
		roots:    roots,
		proxy: (&httpproxy.Config{
			HTTPProxy: c.HTTPProxy, HTTPSProxy: c.HTTPSProxy, NoProxy: c.NoProxy,
		}).ProxyFunc(),
	}
	if e.resolver == nil {
		e.resolver = net.DefaultResolver
	}
	plain := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Resolver: c.Resolver}
	e.dialer = &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Resolver: c.Resolver, ControlContext: e.control}
	e.vendor = transport(plain, roots, func(r *http.Request) (*url.URL, error) { return e.proxy(r.URL) })
	e.direct = transport(e.dialer, roots, nil)
	return e, nil
}

// dialTimeout is that of an SMTP connection; calls over HTTP end sooner as a whole.
const dialTimeout = 30 * time.Second

// A connection over HTTP/2 on which nothing comes for pingAfter is asked whether it is alive, and dropped when that is not
// answered within pingTimeout: without that, calls continue into a connection whose other end has gone silently for as long as
// the kernel repeats its packets, which is a quarter of an hour.
const (
	pingAfter   = 15 * time.Second
	pingTimeout = 15 * time.Second
)

// transport speaks HTTP/1.1 and HTTP/2. ForceAttemptHTTP2 is needed because a dialer of our own switches HTTP/2 off.
func transport(d *net.Dialer, roots *x509.CertPool, proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            d.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout, WriteByteTimeout: pingAfter},
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    64,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// pool is nil (the system's certificates) without a file.
func pool(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("egress: certificates: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("egress: certificates: %s holds none", file)
	}
	return roots, nil
}

// Vendor is the transport to addresses that a vendor fixed.
func (e *Client) Vendor() http.RoundTripper { return e.vendor }

// Guarded is the transport to addresses that a user chose.
func (e *Client) Guarded() http.RoundTripper { return guarded{e} }

// Roots are the trusted certificates; nil means the system's.
func (e *Client) Roots() *x509.CertPool { return e.roots }

// DialContext connects to a host that a user chose, for protocols other than HTTP. No proxy is used.
func (e *Client) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w: malformed address", ErrRefused)
	}
	if err := checkHost(host); err != nil {
		return nil, refused(host, err)
	}
	conn, err := e.dialer.DialContext(ctx, network, address)
	return conn, refused(host, unresolved(host, err))
}

// refused names the host of a refusal; other errors, and none, stay as they are.
func refused(host string, err error) error {
	if !errors.Is(err, ErrRefused) {
		return err
	}
	return &RefusedError{Host: host, Private: errors.Is(err, errPrivate), cause: err}
}

// unresolved makes a refusal of the failure to resolve a name that does not exist, or that only an internal resolver could
// know: whoever chooses the name must not learn which names exist inside. Other failures of a resolver may pass.
func unresolved(host string, err error) error {
	var dns *net.DNSError
	if errors.As(err, &dns) && !errors.Is(err, context.Canceled) && (dns.IsNotFound || internalName(host) != nil) {
		return errPrivate
	}
	return err
}

// CloseIdleConnections drops the connections that wait for reuse.
func (e *Client) CloseIdleConnections() {
	e.vendor.CloseIdleConnections()
	e.direct.CloseIdleConnections()
}

// control checks the address that is about to be connected to, after the name was resolved: a name that changes its
// answer between check and connect therefore gains nothing.
func (e *Client) control(ctx context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: network %s", ErrRefused, network)
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: malformed address", ErrRefused)
	}
	err = e.Check(at.Addr())
	if err != nil {
		e.log.InfoContext(ctx, "egress refused", "address", address, "setting", "CARILLON_EGRESS_ALLOW")
	}
	return err
}

// guarded is the transport to chosen addresses.
type guarded struct{ e *Client }

// RoundTrip connects directly behind the guard, or checks the target and hands it to the operator's proxy.
func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	refuse := func(err error) (*http.Response, error) {
		if r.Body != nil {
			_ = r.Body.Close() // a RoundTripper closes the body whatever happens
		}
		return nil, refused(r.URL.Hostname(), err)
	}
	if err := checkURL(r.URL); err != nil {
		return refuse(err)
	}
	via, err := g.e.proxy(r.URL)
	if err != nil {
		return refuse(errors.New("egress: malformed proxy address"))
	}
	if via == nil {
		res, err := g.e.direct.RoundTrip(r)
		return res, refused(r.URL.Hostname(), unresolved(r.URL.Hostname(), err))
	}
	if err := g.e.checkName(r.Context(), r.URL.Hostname()); err != nil {
		return refuse(err)
	}
	return g.e.vendor.RoundTrip(r)
}
