// Package run fans accepted events out to runs, one per recipient, and takes runs through the steps of their workflow.
package run

import (
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/configuration"
	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/engine/state"
)

// Executor takes runs through their steps.
type Executor struct {
	*state.Shared
	definitions    definition.Cache
	configurations *configuration.Cache
	sender         Sender               // nil: every message is claimed
	versions       *accept.VersionCache // of workflows that trigger steps start
	waiting        *waitingProfiles
}

// NewExecutor returns an Executor.
func NewExecutor(s *state.Shared) *Executor {
	return &Executor{
		Shared: s, definitions: definition.NewCache(), configurations: configuration.NewCache(), versions: accept.NewVersionCache(),
		waiting: newWaitingProfiles(),
	}
}

// Versions returns the published versions of the workflows that trigger steps start.
func (e *Executor) Versions() *accept.VersionCache { return e.versions }
