package auth

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/carillon/carillon/internal/viewer"
)

const (
	forwardedFor = "X-Forwarded-For"
	realIP       = "X-Real-IP"
	forwarded    = "Forwarded"
)

// ClientAddress returns a middleware that notes the network address that each request came from. That is the other end of
// its connection, unless that is one of the trusted proxies: then it is the last hop that is none of them, as the proxy's
// headers name it (X-Forwarded-For, X-Real-IP or RFC 7239's Forwarded).
//
// A proxy may pass on headers that it does not set itself, and with them what its caller invented. So they have to agree:
// when two of them name different callers, or one of them cannot be read, the proxy's own address counts.
func ClientAddress(trusted []netip.Prefix) func(http.Handler) http.Handler {
	proxies := make([]string, len(trusted))
	for i, p := range trusted {
		proxies[i] = p.String()
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			address := noted(middleware.ClientIPFromRemoteAddr, r)
			if len(proxies) > 0 && address.IsValid() {
				address = behind(proxies, address, r)
			}
			text := r.RemoteAddr
			if address.IsValid() {
				text = address.String()
			}
			next.ServeHTTP(w, r.WithContext(viewer.WithAddress(r.Context(), text)))
		})
	}
}

// behind returns the caller whom the headers of a request name; peer, the other end of its connection, when they name none.
func behind(proxies []string, peer netip.Addr, r *http.Request) netip.Addr {
	list, fields, single := hopsOf(r.Header.Values(forwardedFor)), forsOf(r.Header.Values(forwarded)), hopsOf(r.Header.Values(realIP))
	if len(single) > 0 && (endsWith(list, single) || endsWith(fields, single)) {
		single = nil // the proxy that wrote the list wrote it as well: its own caller, which may be another proxy
	}
	client := netip.Addr{}
	for _, hops := range [][]string{list, fields, single} {
		if len(hops) == 0 {
			continue
		}
		found := noted(middleware.ClientIPFromXFF(proxies...), &http.Request{RemoteAddr: r.RemoteAddr, Header: http.Header{forwardedFor: hops}})
		if !found.IsValid() || client.IsValid() && found != client {
			return peer
		}
		client = found
	}
	if !client.IsValid() {
		return peer
	}
	return client
}

func endsWith(hops, last []string) bool {
	return len(hops) > 0 && hops[len(hops)-1] == last[len(last)-1]
}

// noted returns the address that one of chi's middlewares finds for a request; it is invalid when there is none.
func noted(find func(http.Handler) http.Handler, r *http.Request) (address netip.Addr) {
	find(http.HandlerFunc(func(_ http.ResponseWriter, found *http.Request) {
		address = middleware.GetClientIPAddr(found.Context())
	})).ServeHTTP(nil, r)
	return address
}

// hopsOf returns the hops that the values of a header list, in their order.
func hopsOf(values []string) (hops []string) {
	if len(values) == 0 {
		return nil
	}
	for hop := range strings.SplitSeq(strings.Join(values, ","), ",") {
		hops = append(hops, strings.TrimSpace(hop))
	}
	return hops
}

// forsOf returns the hops that Forwarded headers name, in their order (RFC 7239). A hop without a readable address stays as
// a text that is none.
func forsOf(values []string) []string {
	hops := hopsOf(values)
	for i, element := range hops {
		hops[i] = "unknown"
		for pair := range strings.SplitSeq(element, ";") {
			name, node, _ := strings.Cut(pair, "=")
			if strings.EqualFold(strings.TrimSpace(name), "for") {
				hops[i] = hostOf(strings.Trim(strings.TrimSpace(node), `"`))
			}
		}
	}
	return hops
}

// hostOf takes the brackets and the port from a node of a Forwarded header.
func hostOf(node string) string {
	if rest, bracketed := strings.CutPrefix(node, "["); bracketed {
		host, _, _ := strings.Cut(rest, "]")
		return host
	}
	host, _, _ := strings.Cut(node, ":")
	return host
}
