// Package vendors is the registry of all providers. It is a package of its own because it imports every channel: only the
// wiring and tests do.
package vendors

import (
	"slices"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/chat"
	"github.com/carillon/carillon/internal/provider/email"
	"github.com/carillon/carillon/internal/provider/inapp"
	"github.com/carillon/carillon/internal/provider/push"
	"github.com/carillon/carillon/internal/provider/sms"
)

// Registry returns the registry of all providers.
func Registry() (*provider.Registry, error) {
	return provider.NewRegistry(slices.Concat(
		email.Providers(), sms.Providers(), push.Providers(), inapp.Providers(), chat.Providers())...)
}
