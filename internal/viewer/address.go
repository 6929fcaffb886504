package viewer

import (
	"context"
	"net/netip"
)

type addressKey struct{}

// WithAddress carries the network address that a request came from.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// Address returns the network address that the request being answered came from; "" when there is no request.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// The bits of an address that name a network: what a provider gives to one customer.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// Network returns the network that the request being answered came from, by which guesses and turns are counted: a caller
// with one address of it can have the others too.
func Network(ctx context.Context) string { return within(Address(ctx), networkBits4, networkBits6) }

// Caller returns what a network address counts as where one caller may have no more than a part: many callers who have
// nothing in common share the networks of IPv4, so that there it is the address alone, but with one address of IPv6 anyone has
// all others of its network.
func Caller(address string) string { return within(address, 32, networkBits6) }

// within is the network of an address, by so many bits of IPv4 and of IPv6; a text that is no address, up to a length.
func within(address string, bits4, bits6 int) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address[:min(len(address), 64)]
	}
	ip = ip.Unmap().WithZone("")
	bits := bits6
	if ip.Is4() {
		bits = bits4
	}
	network, err := ip.Prefix(bits)
	if err != nil || network.IsSingleIP() {
		return ip.String()
	}
	return network.String()
}
