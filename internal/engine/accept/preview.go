package accept

import (
	"context"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
)

// Preview decides items by the rules of accepting, for those who write the events themselves or not at all.
type Preview struct {
	validator
	versions map[string]*version
}

// Preview loads what the outcomes of items depend on.
func (c *VersionCache) Preview(ctx context.Context, q postgres.Querier, items []Acceptance, usedSince time.Time) (*Preview, error) {
	facts, err := pgaccept.ReadAcceptFacts(ctx, q, acceptQuery([]*queuedRequest{{Request: Request{Items: items}}}, usedSince))
	if err != nil {
		return nil, err //nolint:wrapcheck // says what it did
	}
	versions, err := c.loadHeads(ctx, q, facts.Workflows)
	if err != nil {
		return nil, err
	}
	return &Preview{validator: validator{facts: facts, created: map[pgaccept.EnvKey]bool{}}, versions: versions}, nil
}

// Decide returns the outcome of an item, which is zero when its event is to be written, and its payload completed with the
// defaults of the schema.
func (p *Preview) Decide(ctx context.Context, item *Acceptance) (outcome Outcome, payload []byte) {
	head := p.facts.Workflows[item.workflowKey()]
	given := prepared{version: p.versions[head.VersionID]}
	if given.version != nil {
		given.payload, given.err = given.version.fill(ctx, item.EnvironmentID, item.Payload)
	}
	return p.outcome(item, head, given), given.payload
}

// Event returns the event of an item whose payload is complete. It has no id.
func (p *Preview) Event(item *Acceptance) pgaccept.AcceptedEvent {
	head := p.facts.Workflows[item.workflowKey()]
	return acceptedEvent(item, head, prepared{version: p.versions[head.VersionID], payload: item.Payload})
}
