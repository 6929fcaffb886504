package workflow_test

import "slices"

// providers is a small registry.
var providers = knownProviders{
	all:      []string{"sendgrid", "ses", "mailgun", "fcm", "slack", "grafana-on-call", "push-webhook"},
	settings: []string{"fcm", "slack", "grafana-on-call"},
}

type knownProviders struct{ all, settings []string }

func (k knownProviders) Has(id string) bool           { return slices.Contains(k.all, id) }
func (k knownProviders) TakesSettings(id string) bool { return slices.Contains(k.settings, id) }
