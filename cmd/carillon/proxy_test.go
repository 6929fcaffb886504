package main_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// interceptor is an operator's egress proxy that answers in every vendor's stead. It speaks HTTP/2 inside its tunnels, as
// vendors do, with certificates of an authority of its own.
type interceptor struct {
	URL      string
	CertFile string
	answer   func(*http.Request) (status int, body string)

	authority tls.Certificate
	inside    *http.Server
	tunnels   *tunnels

	mu       sync.Mutex
	requests []intercepted
}

// intercepted is one request that a vendor would have got.
type intercepted struct {
	Method, Host, Path, Query, Proto string
	Header                           http.Header
	Body                             []byte
}

func newInterceptor(t *testing.T, answer func(*http.Request) (int, string)) *interceptor {
	t.Helper()
	p := &interceptor{answer: answer, authority: newAuthority(t), tunnels: newTunnels()}
	p.CertFile = filepath.Join(t.TempDir(), "authority.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.authority.Certificate[0]})
	require.NoError(t, os.WriteFile(p.CertFile, block, 0o600))

	p.inside = &http.Server{
		Handler: http.HandlerFunc(p.vendor), ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{GetCertificate: p.certificate, MinVersion: tls.VersionTLS12},
	}
	go func() { _ = p.inside.ServeTLS(p.tunnels, "", "") }()
	outside := httptest.NewServer(http.HandlerFunc(p.connect))
	p.URL = outside.URL
	t.Cleanup(func() {
		_ = p.inside.Close()
		outside.Close()
	})
	return p
}

// certificateOfThisMachine is one of 127.0.0.1, for the authority's own key.
func (p *interceptor) certificateOfThisMachine(t *testing.T) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, p.authority.Leaf, p.authority.Leaf.PublicKey, p.authority.PrivateKey)
	require.NoError(t, err)
	return raw
}

// files are that certificate and its key.
func (p *interceptor) files(t *testing.T) (certificate, key string) {
	t.Helper()
	write := func(name, kind string, raw []byte) string {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600))
		return file
	}
	raw, err := x509.MarshalPKCS8PrivateKey(p.authority.PrivateKey)
	require.NoError(t, err)
	return write("certificate.pem", "CERTIFICATE", p.certificateOfThisMachine(t)), write("key.pem", "PRIVATE KEY", raw)
}

// take gives the requests since the last call.
func (p *interceptor) take() []intercepted {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.requests
	p.requests = nil
	return all
}

// connect opens a tunnel, or forwards nothing: a plain request is answered as if it had come through one.
func (p *interceptor) connect(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		p.vendor(w, r)
		return
	}
	conn, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
	p.tunnels.offer(tunnel{conn, buffered.Reader})
}

func (p *interceptor) vendor(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	p.mu.Lock()
	p.requests = append(p.requests, intercepted{r.Method, r.Host, r.URL.EscapedPath(), r.URL.RawQuery, r.Proto, r.Header.Clone(), body})
	p.mu.Unlock()
	status, answer := p.answer(r)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Message-Id", reported)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

func newAuthority(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Operator's proxy"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}
}

// certificate is one for whatever host the tunnel leads to.
func (p *interceptor) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: []string{hello.ServerName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	key := p.authority.PrivateKey.(*ecdsa.PrivateKey)
	raw, err := x509.CreateCertificate(rand.Reader, template, p.authority.Leaf, key.Public(), key)
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, err
}

// tunnels is a listener whose connections are the proxy's tunnels.
type tunnels struct {
	waiting chan net.Conn
	closed  context.Context
	close   context.CancelFunc
}

func newTunnels() *tunnels {
	ctx, cancel := context.WithCancel(context.Background())
	return &tunnels{waiting: make(chan net.Conn), closed: ctx, close: cancel}
}

func (t *tunnels) offer(c net.Conn) {
	select {
	case t.waiting <- c:
	case <-t.closed.Done():
		_ = c.Close()
	}
}

// Accept is part of net.Listener.
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.waiting:
		return c, nil
	case <-t.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close is part of net.Listener.
func (t *tunnels) Close() error { t.close(); return nil }

// Addr is part of net.Listener.
func (t *tunnels) Addr() net.Addr { return &net.TCPAddr{} }

// tunnel is a connection whose first bytes may have been read already.
type tunnel struct {
	net.Conn
	first *bufio.Reader
}

// Read is part of net.Conn.
func (t tunnel) Read(b []byte) (int, error) { return t.first.Read(b) }
