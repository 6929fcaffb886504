package egress

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// fallingSilent is an HTTP/2 server that answers the first request and then nothing more, not even whether it lives.
func fallingSilent(conn net.Conn, asked chan<- struct{}) error {
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return err
	}
	framer := http2.NewFramer(conn, conn)
	if err := framer.WriteSettings(); err != nil {
		return err
	}
	for requests := 0; ; {
		frame, err := framer.ReadFrame()
		if err != nil {
			return err // the client has dropped the connection
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				err = framer.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if requests < 2 {
				err = framer.WritePing(true, f.Data)
				break
			}
			select {
			case asked <- struct{}{}:
			default:
			}
		case *http2.HeadersFrame:
			if requests++; requests == 1 {
				var head bytes.Buffer
				if err = hpack.NewEncoder(&head).WriteField(hpack.HeaderField{Name: ":status", Value: "204"}); err == nil {
					err = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: f.StreamID, BlockFragment: head.Bytes(), EndHeaders: true, EndStream: true})
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

// TestSilentHTTP2ConnectionIsDropped: a call into a connection whose other end has gone is not left waiting.
func TestSilentHTTP2ConnectionIsDropped(t *testing.T) {
	t.Parallel()
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	defer certificate.Close()
	roots := x509.NewCertPool()
	roots.AddCert(certificate.Certificate())
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listener := tls.NewListener(inner, &tls.Config{Certificates: certificate.TLS.Certificates, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
	defer func() { _ = listener.Close() }()
	asked, dropped := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			err = fallingSilent(conn, asked)
		}
		dropped <- err
	}()

	way := transport(&net.Dialer{}, roots, nil)
	require.Equal(t, 15*time.Second, way.HTTP2.SendPingTimeout)
	require.Equal(t, 15*time.Second, way.HTTP2.PingTimeout)
	way.HTTP2.SendPingTimeout, way.HTTP2.PingTimeout = 50*time.Millisecond, 50*time.Millisecond
	defer way.CloseIdleConnections()
	post := func() (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+listener.Addr().String(), http.NoBody)
		require.NoError(t, err)
		return way.RoundTrip(req)
	}
	answer, err := post()
	require.NoError(t, err)
	require.Equal(t, 2, answer.ProtoMajor)
	require.NoError(t, answer.Body.Close())
	answer, err = post()
	if err == nil {
		_ = answer.Body.Close()
	}
	require.Error(t, err)
	<-asked
	require.Error(t, <-dropped)
}
