package provider_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/provider/providertest"
)

// TestClassOfStatus is the table of sms.md §0.5: what another try can change, and whose fault a refusal is.
func TestClassOfStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]provider.Class{
		400: provider.Permanent, 401: provider.Fault, 402: provider.Fault, 403: provider.Fault, 404: provider.Permanent,
		405: provider.Permanent, 408: provider.Transient, 409: provider.Permanent, 410: provider.Permanent,
		413: provider.Permanent, 422: provider.Permanent, 425: provider.Transient, 429: provider.Transient,
		301: provider.Permanent, 304: provider.Permanent,
		500: provider.Transient, 501: provider.Transient, 502: provider.Transient, 503: provider.Transient, 599: provider.Transient,
	} {
		require.Equal(t, want, provider.ClassOfStatus(status, provider.OriginVendor), status)
		require.Equal(t, want, provider.ClassOfStatus(status, provider.OriginCredentials), status)
		if want == provider.Fault {
			want = provider.Permanent // another subscriber's address may be all right
		}
		require.Equal(t, want, provider.ClassOfStatus(status, provider.OriginTarget), status)
	}
}

func TestRetryAfterHeader(t *testing.T) {
	t.Parallel()
	now := providertest.Now
	for value, want := range map[string]time.Duration{
		"": 0, "  ": 0, "0": 0, "-5": 0, "soon": 0, "NaN": 0, "12": 12 * time.Second, " 12 ": 12 * time.Second,
		"0.25": 250 * time.Millisecond, "1e3": 1000 * time.Second, "86399": 86399 * time.Second,
		"86400": 24 * time.Hour, "86401": 24 * time.Hour, "1e300": 24 * time.Hour, "Inf": 24 * time.Hour,
		now.Add(time.Minute).Format(http.TimeFormat):  time.Minute,
		now.Add(-time.Minute).Format(http.TimeFormat): 0,
		now.Add(time.Minute).Format(time.RFC850):      time.Minute,
		now.Add(time.Minute).Format(time.ANSIC):       time.Minute,
	} {
		require.Equal(t, want, provider.RetryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
	require.Zero(t, provider.RetryAfter(http.Header{}, now))
}

func TestResetAtHeader(t *testing.T) {
	t.Parallel()
	const name = "X-RateLimit-Reset"
	now := providertest.Now
	reset := func(value string) time.Duration {
		h := http.Header{}
		h.Set(name, value)
		return provider.ResetAt(h, name, now)
	}
	in := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	require.Equal(t, time.Minute, reset(in(time.Minute)))
	require.Equal(t, time.Minute, reset(" "+in(time.Minute)+" "))
	require.Equal(t, 24*time.Hour, reset(in(1000*time.Hour)), "a broken clock parks no message for years")
	for _, value := range []string{in(-time.Minute), in(0), "", "soon", "1.5", "-7"} {
		require.Zero(t, reset(value), value)
	}
	require.Zero(t, provider.ResetAt(http.Header{}, name, now))
}

type slow struct{}

func (slow) Error() string   { return "read tcp 10.0.0.1:443: i/o timeout" }
func (slow) Timeout() bool   { return true }
func (slow) Temporary() bool { return true }

// TestClassifyNet: a request that may have arrived is in doubt, one that did not is tried again, and the words are ours.
func TestClassifyNet(t *testing.T) {
	t.Parallel()
	const address = "vendor.internal:443"
	for want, list := range map[string][]error{
		"interrupted":                         {context.Canceled, fmt.Errorf("post %s: %w", address, context.Canceled)},
		"the host name could not be resolved": {&net.DNSError{Name: address, Err: "no such host"}, &net.OpError{Op: "dial", Err: &net.DNSError{Name: address}}},
		"the certificate is not trusted": {
			&tls.CertificateVerificationError{Err: errors.New(address)},
			x509.UnknownAuthorityError{},
			x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign},
		},
		"the certificate has expired, or is not valid yet by the clock of this machine": {
			&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired, Detail: address}},
		},
		"the certificate is for another host name": {
			x509.HostnameError{Certificate: &x509.Certificate{}, Host: address},
			&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: address}},
		},
		"the other side does not speak TLS": {tls.RecordHeaderError{Msg: address}},
		"connection refused":                {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}},
		"connection reset":                  {&net.OpError{Op: "read", Err: syscall.ECONNRESET}, syscall.EPIPE},
		"no answer within the time limit":   {context.DeadlineExceeded, slow{}, &net.OpError{Op: "read", Err: slow{}}},
		"connection failed":                 {errors.New("dial " + address), net.ErrClosed},
	} {
		for _, err := range list {
			require.Equal(t, &provider.Error{Class: provider.Transient, Text: want}, provider.ClassifyNet(err, false, provider.OriginVendor), "%v", err)
			require.Equal(t, &provider.Error{Class: provider.Unknown, Text: want}, provider.ClassifyNet(err, true, provider.OriginCredentials), "%v", err)
			ofTarget := &provider.Error{Class: provider.Transient, Text: want, OfTarget: true}
			require.Equal(t, ofTarget, provider.ClassifyNet(err, false, provider.OriginTarget), "%v", err)
		}
	}
}

// TestRefusedAddress: who chose the address is told what they chose, not where it led, and a refused one is never in doubt.
func TestRefusedAddress(t *testing.T) {
	t.Parallel()
	way, err := egress.New(egress.Config{})
	require.NoError(t, err)
	_, private := way.DialContext(t.Context(), "tcp", "db.internal:25")
	res, form := way.Guarded().RoundTrip(&http.Request{URL: &url.URL{Scheme: "https", User: url.User("secret"), Host: "shop.example.com"}}) //nolint:bodyclose // refused: there is no answer
	require.Error(t, form)
	require.Nil(t, res)
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"Private": {private, "db.internal leads to none; its operator can permit it with CARILLON_EGRESS_ALLOW"},
		"Wrapped": {fmt.Errorf("post: %w", private), "db.internal leads to none"},
		"Form":    {form, "give http or https, a host, and no user or password"},
		"NoWay":   {egress.ErrRefused, "the address is not one that this server may call"},
	} {
		for origin, class := range map[provider.Origin]provider.Class{
			provider.OriginVendor: provider.Fault, provider.OriginCredentials: provider.Fault, provider.OriginTarget: provider.Permanent,
		} {
			for _, written := range []bool{false, true} {
				got := provider.ClassifyNet(c.err, written, origin)
				require.Equal(t, class, got.Class, name)
				require.Equal(t, "EGRESS_REFUSED", got.Code, name)
				require.Equal(t, origin == provider.OriginTarget, got.OfTarget, name)
				require.Contains(t, got.Text, c.says, name)
			}
		}
	}
	_, long := way.DialContext(t.Context(), "tcp", strings.Repeat("a", 10_000)+".internal:25")
	require.Less(t, len(provider.ClassifyNet(long, false, provider.OriginTarget).Text), 700, "a chosen name is quoted in part")
}

// TestUnknownBecomesTransient where a call only prepares the message.
func TestUnknownBecomesTransient(t *testing.T) {
	t.Parallel()
	doubt := &provider.Error{Class: provider.Unknown, Text: "no answer"}
	got := provider.BeforeSending(doubt)
	require.Equal(t, &provider.Error{Class: provider.Transient, Text: "no answer"}, provider.AsError(got))
	require.Equal(t, provider.Unknown, doubt.Class, "the original is not changed")
	for _, other := range []error{
		&provider.Error{Class: provider.Fault}, &provider.Error{Class: provider.Permanent}, &provider.Error{Class: provider.Transient}, net.ErrClosed,
	} {
		require.Equal(t, other, provider.BeforeSending(other))
	}
}
