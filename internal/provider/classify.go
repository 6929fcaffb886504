package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/provider/egress"
)

// Origin says who chose the address of a request. It decides whether the egress guard checks it and whose fault a
// refusal is.
type Origin uint8

// The origins.
const (
	OriginVendor      Origin = iota // fixed by the vendor: no guard
	OriginCredentials               // set in the integration's credentials: guarded, a refusal is the integration's fault
	OriginTarget                    // set by a subscriber or a trigger: guarded, a failure concerns this target alone
)

// ClassOfStatus is the default class of an HTTP answer outside 2xx (email.md §0.5, sms.md §0.5, push-chat.md §0.1).
func ClassOfStatus(status int, origin Origin) Class {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return Transient
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired:
		if origin != OriginTarget {
			return Fault
		}
	}
	if status >= 500 {
		return Transient
	}
	return Permanent
}

// RetryAfter reads the header of that name, seconds or an HTTP date. Zero without one, and for a date in the past.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if secs, err := strconv.ParseFloat(v, 64); err == nil {
		return seconds(secs)
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// ResetAt reads a header that holds the epoch second at which a rate limit ends, as several vendors send.
func ResetAt(h http.Header, name string, now time.Time) time.Duration {
	secs, err := strconv.ParseInt(strings.TrimSpace(h.Get(name)), 10, 64)
	if err != nil {
		return 0
	}
	return min(max(0, time.Unix(secs, 0).Sub(now)), longestPause)
}

// longestPause bounds what a vendor may ask for: a broken clock at the other end must not park a message for years.
const longestPause = 24 * time.Hour

func seconds(s float64) time.Duration {
	if s <= 0 || s != s {
		return 0
	}
	if s >= longestPause.Seconds() {
		return longestPause
	}
	return time.Duration(s * float64(time.Second))
}

// ClassifyNet turns a failure to exchange bytes into an Error. written reports whether the request may have reached the
// vendor in full: then its outcome is unknown. Whose address it was decides whether others are concerned. The text is of our own
// making, because the texts of the network packages quote addresses.
func ClassifyNet(err error, written bool, origin Origin) *Error {
	if errors.Is(err, egress.ErrRefused) {
		class := Fault
		if origin == OriginTarget {
			class = Permanent
		}
		return &Error{Class: class, Code: "EGRESS_REFUSED", Text: refusal(err), OfTarget: origin == OriginTarget}
	}
	class := Transient
	if written {
		class = Unknown
	}
	return &Error{Class: class, Text: netText(err), OfTarget: origin == OriginTarget}
}

// refusal says which chosen host may not be called and what would permit it. It names what the user wrote, and not what that
// resolved to: a name that leads inside must not reveal where.
func refusal(err error) string {
	var r *egress.RefusedError
	switch {
	case !errors.As(err, &r):
		return "the address is not one that this server may call"
	case r.Private:
		return "this server calls public addresses only, and " + cut(r.Host) + " leads to none; its operator can permit it with CARILLON_EGRESS_ALLOW"
	default:
		return "the address has a form that this server does not call: give http or https, a host, and no user or password"
	}
}

// Untrusted reports whether a call failed because the server's certificate is not one to trust.
func Untrusted(err error) bool { return untrusted(err) != "" }

// untrusted says why a certificate is not trusted; "" when that is not what failed.
func untrusted(err error) string {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired, or is not valid yet by the clock of this machine"
	case errors.As(err, &name):
		return "the certificate is for another host name"
	case errors.As(err, &verification), errors.As(err, &authority), errors.As(err, &invalid):
		return "the certificate is not trusted"
	default:
		return ""
	}
}

// netText describes a network failure without naming an address.
func netText(err error) string {
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.Is(err, errTimeout):
		return "no answer within the time limit"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &dns):
		return "the host name could not be resolved"
	case Untrusted(err):
		return untrusted(err)
	case errors.As(err, &record):
		return "the other side does not speak TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer within the time limit"
	default:
		return "connection failed"
	}
}
