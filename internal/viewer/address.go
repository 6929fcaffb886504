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
func Network(ctx context.Context) string {
	address := Address(ctx)
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address[:min(len(address), 64)]
	}
	ip = ip.Unmap().WithZone("")
	bits := networkBits6
	if ip.Is4() {
		bits = networkBits4
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return ip.String()
	}
	return network.String()
}
