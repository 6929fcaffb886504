package viewer

import (
	"context"
	"net"
	"net/http"
)

type addressKey struct{}

// FromAddress carries the network address that a request came from: that of a proxy where there is one.
func FromAddress(r *http.Request) *http.Request {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return r.WithContext(context.WithValue(r.Context(), addressKey{}, host))
}

// Address is the network address that the request being answered came from; "" when nobody noted it.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}
