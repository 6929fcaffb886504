package auth

import "net/netip"

// The parts of an address that name a network: what one customer of a provider has, and more is not told apart.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// Network returns the network that an address belongs to, by which guesses are counted: whoever has one address of it has
// the others too.
func Network(address string) string {
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
