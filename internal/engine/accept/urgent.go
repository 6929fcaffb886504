package accept

import (
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
)

// Urgent reports whether the events of a workflow go into the urgent lane, as far as the last version that was
// triggered here shows. What decides is known only once an event is accepted; this is for who waits before that.
func (a *Acceptor) Urgent(environmentID, trigger string) bool {
	head, _ := a.versions.latest.Get(pgaccept.EnvKey{EnvironmentID: environmentID, Key: trigger})
	v, known := a.versions.byID.Get(head.VersionID)
	return known && (v.critical || v.severity == workflow.SeverityHigh)
}
