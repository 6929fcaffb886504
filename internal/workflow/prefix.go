package workflow

import "strings"

// OwnPrefix is how the configurable prefix of the service's own providers and origins is written inside (decisions.md
// §1). The doors write the configured one and read both.
const OwnPrefix = "svc"

// ProviderIDOut is a provider id as clients of a service with the given prefix see it.
func ProviderIDOut(prefix, id string) string {
	if prefix == "" || !ownProvider(id) {
		return id
	}
	return prefix + strings.TrimPrefix(id, OwnPrefix)
}

// ProviderIDIn is the inside form of a provider id that a client sent; ids that are none of ours come back as they are.
func ProviderIDIn(prefix, id string) string {
	rest, cut := strings.CutPrefix(id, prefix)
	if own := OwnPrefix + rest; cut && prefix != "" && ownProvider(own) {
		return own
	}
	return id
}

func ownProvider(id string) bool {
	switch id {
	case OwnPrefix, OwnPrefix + "-email", OwnPrefix + "-sms", OwnPrefix + "-slack":
		return true
	}
	return false
}

// DemoSender reports whether a provider is a built-in demo sender: it needs no credentials, and keeps what it would send unless
// the operator lends it an account. All but the inbox of the service's own providers are.
func DemoSender(providerID string) bool { return ownProvider(providerID) && providerID != OwnPrefix }

// OriginOut is a workflow's origin as clients of a service with the given prefix see it.
func OriginOut(prefix string, o Origin) string {
	if o == OriginExternal {
		return string(o)
	}
	if prefix == "" {
		prefix = OwnPrefix
	}
	return prefix + "-" + string(o)
}

// KnownProviders answers which providers there are. The registry does, which this package does not import.
type KnownProviders interface {
	// Has reports whether there is a provider of this id.
	Has(id string) bool
	// TakesSettings reports whether a subscriber's channel settings may name the provider.
	TakesSettings(id string) bool
}
