// Package workflowtest is what tests of workflows and their parts share: JSON, instants, a small registry of providers, and
// the fields that a failure names.
package workflowtest

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Decode returns the value of a JSON text.
func Decode(tb testing.TB, raw string) any {
	tb.Helper()
	var v any
	require.NoError(tb, json.Unmarshal([]byte(raw), &v))
	return v
}

// Object returns the object of a JSON text.
func Object(tb testing.TB, raw string) map[string]any {
	tb.Helper()
	return Decode(tb, raw).(map[string]any)
}

// Paths returns the fields that a validation failure names, in order; nil without one.
func Paths(tb testing.TB, err error) []string {
	tb.Helper()
	if err == nil {
		return nil
	}
	var e *fault.Error
	require.ErrorAs(tb, err, &e)
	require.Equal(tb, fault.Invalid, e.Kind)
	out := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		out[i] = f.Path
	}
	return out
}

// Zone returns a time zone.
func Zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, ok := workflow.Location(name)
	require.True(tb, ok, name)
	return loc
}

// Instant returns the instant that a text names in a time zone.
func Instant(tb testing.TB, s string, loc *time.Location) time.Time {
	tb.Helper()
	at, ok := condition.ParseInstant(s, loc)
	require.True(tb, ok, s)
	return at
}

// Providers is a small registry.
var Providers = KnownProviders{
	all:      []string{"sendgrid", "ses", "mailgun", "fcm", "slack", "svc-slack", "grafana-on-call", "push-webhook"},
	settings: []string{"fcm", "slack", "svc-slack", "grafana-on-call"},
}

// KnownProviders are providers, some of which take a subscriber's own settings.
type KnownProviders struct{ all, settings []string }

// Has reports whether a provider is known.
func (k KnownProviders) Has(id string) bool { return slices.Contains(k.all, id) }

// TakesSettings reports whether a provider takes a subscriber's own settings.
func (k KnownProviders) TakesSettings(id string) bool { return slices.Contains(k.settings, id) }
