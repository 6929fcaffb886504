package egress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// ErrRefused says that the guard does not let a chosen address pass. Texts around it never quote the address.
var ErrRefused = errors.New("egress: address refused")

// errPrivate says that a chosen address lies inside a network that the operator has not opened.
var errPrivate = fmt.Errorf("%w: not a public address", ErrRefused)

// RefusedError is a refusal of one chosen target. It is ErrRefused.
type RefusedError struct {
	Host    string // as it was chosen; never what it resolved to, which would reveal the network inside
	Private bool   // CARILLON_EGRESS_ALLOW can permit it; else its form is at fault
	cause   error
}

// Error is the cause's text, which quotes no address.
func (e *RefusedError) Error() string { return e.cause.Error() }

// Unwrap gives the cause.
func (e *RefusedError) Unwrap() error { return e.cause }

// special are the IPv4 ranges that are not the public Internet (IANA's special-purpose registry), and one public address
// at which a cloud answers its own machines with their secrets.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
)

// special6 are the ranges inside 2000::/3 that are not the public Internet.
var special6 = prefixes("2001::/23", "2001:db8::/32", "3fff::/20")

var (
	global6 = netip.MustParsePrefix("2000::/3")
	sixTo4  = netip.MustParsePrefix("2002::/16")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// ParseAllow reads CARILLON_EGRESS_ALLOW's list of CIDRs; a single address counts as a range of one.
func ParseAllow(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range list {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if a, err := netip.ParseAddr(s); err == nil {
			out = append(out, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("egress: %q is no CIDR", s)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

// Check reports whether a chosen target may have this address: nil, or an error that is ErrRefused.
func (e *Client) Check(a netip.Addr) error {
	if a.Zone() != "" {
		return fmt.Errorf("%w: zone", ErrRefused)
	}
	a = a.Unmap()
	for _, p := range e.allow {
		if p.Contains(a) {
			return nil
		}
	}
	if !public(a) {
		return errPrivate
	}
	return nil
}

// public reports whether a belongs to the public Internet. IPv6 forms that carry an IPv4 address are checked by it.
func public(a netip.Addr) bool {
	a = a.Unmap()
	b := a.As16()
	switch {
	case !a.IsValid():
		return false
	case a.Is4():
		return !within(a, special)
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	case sixTo4.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	default:
		return global6.Contains(a) && !within(a, special6)
	}
}

func within(a netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// CheckURL parses an address that a user chose and refuses what needs no look-up to refuse: other schemes than http and
// https, user info, no host, and spellings of addresses that only some programs take for addresses.
func CheckURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: malformed URL", ErrRefused) // url.Parse's own text quotes the URL
	}
	return u, checkURL(u)
}

func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: scheme", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: user info", ErrRefused)
	case u.Opaque != "" || u.Hostname() == "":
		return fmt.Errorf("%w: no host", ErrRefused)
	}
	if port, err := strconv.ParseUint(cmp.Or(u.Port(), "1"), 10, 16); err != nil || port == 0 {
		return fmt.Errorf("%w: port", ErrRefused)
	}
	host, err := asciiHost(u.Hostname())
	if err != nil {
		return err
	}
	return checkHost(host)
}

// asciiHost is a host as it is connected to: net/http turns other letters and digits into these before it does (RFC 5891),
// so that ①②⑦.⓪.⓪.① is an address like any other.
func asciiHost(host string) (string, error) {
	if strings.IndexFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return host, nil
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", fmt.Errorf("%w: malformed host", ErrRefused)
	}
	return ascii, nil
}

// checkHost refuses zones and hosts that end in a number without being an address (127.1, 0x7f000001, 2130706433):
// resolvers and proxies disagree on what they mean.
func checkHost(host string) error {
	if strings.ContainsAny(host, "%\x00 \t\r\n") {
		return fmt.Errorf("%w: malformed host", ErrRefused)
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	label := strings.ToLower(strings.TrimSuffix(host, "."))
	label = label[strings.LastIndexByte(label, '.')+1:]
	hex, isHex := strings.CutPrefix(label, "0x")
	if label == "" || strings.Trim(label, "0123456789") == "" || isHex && strings.Trim(hex, "0123456789abcdef") == "" {
		return fmt.Errorf("%w: malformed host", ErrRefused)
	}
	return nil
}

// inside are endings of names that only an internal resolver resolves.
var inside = []string{"localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "svc", "arpa"}

// checkName looks a host up and checks every address it has, before the operator's proxy is asked to reach it. A public
// name that cannot be resolved here is left to the proxy: behind one there is often no outer DNS at all, and the proxy
// is the operator's own guard. Names of internal kinds are refused then.
func (e *Client) checkName(ctx context.Context, host string) error {
	host, err := asciiHost(host)
	if err != nil {
		return err
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return e.Check(a)
	}
	found, err := e.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return internalName(host)
	}
	for _, a := range found {
		if err := e.Check(a); err != nil {
			return err
		}
	}
	return nil
}

func internalName(host string) error {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	dot := strings.LastIndexByte(host, '.')
	if dot < 0 {
		return errPrivate
	}
	if slices.Contains(inside, host[dot+1:]) {
		return errPrivate
	}
	return nil
}
