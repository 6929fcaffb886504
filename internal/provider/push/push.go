// Package push holds the push providers, one file each. A message has one device token as its target.
package push

import "github.com/carillon/carillon/internal/provider"

// Providers lists the push providers.
func Providers() []provider.Definition {
	return []provider.Definition{webhook}
}
