package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// version is what accepting needs to know of a published version. Versions never change, so it is kept.
type version struct {
	id            string
	steps, active int
	severity      workflow.Severity
	critical      bool
	schema        *workflow.PayloadSchema
	validate      bool
}

func newVersion(versionID string, d *workflow.Definition) (*version, error) {
	schema, err := workflow.CompileSchema(d.PayloadSchema)
	if err != nil {
		return nil, fmt.Errorf("workflow version %s: %w", versionID, err)
	}
	v := &version{id: versionID, steps: len(d.Steps), severity: d.Severity, critical: d.Critical, schema: schema, validate: d.Validate}
	for _, step := range d.Steps {
		if step.Active {
			v.active++
		}
	}
	return v, nil
}

// fill lays the schema's defaults under the payload and judges it.
func (v *version) fill(payload []byte) ([]byte, error) {
	if v.schema == nil {
		return payload, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber() // numbers are stored as they were given
	var decoded map[string]any
	if err := decoder.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("read a payload: %w", err)
	}
	filled, err := v.schema.Apply(decoded, v.validate)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault for the caller
	}
	return json.Marshal(filled)
}

// preparedPayload is a payload judged by a version before its turn to be written.
type preparedPayload struct {
	version string
	payload []byte
	err     error
}

// versionCache keeps versions, and which one a workflow last had. The latter is only a guess that lets a request judge
// its payload on its own time; the writer asks the database which version counts.
type versionCache struct {
	sync.RWMutex
	byID   map[string]*version
	latest map[postgres.EnvKey]*version
}

// maxVersions bounds the cache; beyond, it starts anew.
const maxVersions = 10_000

func (c *versionCache) prepare(items []Acceptance) []preparedPayload {
	out := make([]preparedPayload, len(items))
	for i := range items {
		c.RLock()
		v := c.latest[items[i].workflowKey()]
		c.RUnlock()
		if v != nil {
			out[i].version = v.id
			out[i].payload, out[i].err = v.fill(items[i].Payload)
		}
	}
	return out
}

// load makes sure that the published versions of all heads are known; one that cannot be is missing from the result.
func (c *versionCache) load(ctx context.Context, q postgres.Querier, heads map[postgres.EnvKey]postgres.WorkflowHead) (map[string]*version, error) {
	known := make(map[string]*version, len(heads))
	var missing []string
	c.RLock()
	for key, head := range heads {
		v := c.byID[head.VersionID]
		switch {
		case v != nil && c.latest[key] == v:
			known[head.VersionID] = v
		case head.VersionID != "":
			missing = append(missing, head.VersionID)
		}
	}
	c.RUnlock()
	if len(missing) == 0 {
		return known, nil
	}
	definitions, err := postgres.ReadDefinitions(ctx, q, missing)
	if err != nil {
		return nil, err
	}
	c.Lock()
	defer c.Unlock()
	if c.byID == nil || len(c.byID) > maxVersions {
		c.byID, c.latest = map[string]*version{}, map[postgres.EnvKey]*version{}
	}
	for key, head := range heads {
		d := definitions[head.VersionID]
		if d == nil {
			continue
		}
		v, err := newVersion(head.VersionID, d)
		if err != nil {
			continue // said by outcome: the version is missing
		}
		c.byID[v.id], c.latest[key], known[v.id] = v, v, v
	}
	return known, nil
}

// judgement decides the outcome rows of a set of calls (decisions.md §12, Outcome), given the facts.
type judgement struct {
	facts    postgres.AcceptFacts
	versions map[string]*version
	// created are the tenants that accepted events of this set will create.
	created map[postgres.EnvKey]bool
}

// item is an event whose write decides its outcome.
type item struct {
	call  *call
	index int
	event postgres.AcceptedEvent
}

// judge sets the outcomes that need no write and returns the events to write, with their ids in the order given.
func (j *judgement) judge(calls []*call, now time.Time) []item {
	var items []item
	for _, c := range calls {
		for i := range c.Items {
			in := &c.Items[i]
			head := j.facts.Workflows[in.workflowKey()]
			payload, outcome := j.outcome(in, head, c.prepared[i])
			c.outcomes[i] = outcome
			if outcome != (Outcome{}) {
				continue
			}
			if in.Tenant != nil {
				j.created[postgres.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}] = true
			}
			items = append(items, item{c, i, j.event(in, head, payload)})
		}
	}
	for i, eventID := range id.Batch(now, len(items)) {
		items[i].event.ID = eventID
	}
	return items
}

// outcome is rows 2 to 9; zero when the event is to be written.
func (j *judgement) outcome(in *Acceptance, head postgres.WorkflowHead, prepared preparedPayload) ([]byte, Outcome) {
	if head.ID == "" {
		return nil, Outcome{Status: workflow.TriggerError, Error: CodeWorkflowNotFound}
	}
	v := j.versions[head.VersionID]
	if v == nil && head.VersionID != "" {
		return nil, Outcome{Err: fmt.Errorf("workflow %s: published version %s cannot be read", head.ID, head.VersionID)}
	}
	payload := in.Payload
	if v != nil {
		if prepared.version != v.id {
			prepared.payload, prepared.err = v.fill(payload)
		}
		if prepared.err != nil {
			return nil, Outcome{Err: prepared.err}
		}
		payload = prepared.payload
	}
	on, known := j.tenant(in)
	switch {
	case j.facts.Used[in.claimKey()]:
		return nil, Outcome{Status: workflow.TriggerProcessed}
	case !known:
		return nil, Outcome{Status: workflow.TriggerNoTenant}
	case !head.Active || v == nil || !on: // a workflow that was never published is not active yet
		return nil, Outcome{Status: workflow.TriggerNotActive}
	case v.steps == 0:
		return nil, Outcome{Status: workflow.TriggerNoSteps}
	case v.active == 0:
		return nil, Outcome{Status: workflow.TriggerNoActiveSteps}
	case !in.Reachable:
		return nil, Outcome{Status: workflow.TriggerInvalidRecipients}
	}
	return payload, Outcome{}
}

// tenant tells whether the workflow is on for the event's tenant, and whether that tenant is known or will be.
func (j *judgement) tenant(in *Acceptance) (on, known bool) {
	if in.Tenant == nil {
		return true, true
	}
	on, stored := j.facts.Tenants[postgres.TenantUse{EnvironmentID: in.EnvironmentID, Tenant: in.Tenant.Identifier, Workflow: in.Workflow}]
	if stored {
		return on, true
	}
	return true, in.Tenant.Inline || j.created[postgres.EnvKey{EnvironmentID: in.EnvironmentID, Key: in.Tenant.Identifier}]
}

func (j *judgement) event(in *Acceptance, head postgres.WorkflowHead, payload []byte) postgres.AcceptedEvent {
	return postgres.AcceptedEvent{
		EnvironmentID: in.EnvironmentID, TransactionID: in.TransactionID,
		WorkflowID: head.ID, VersionID: head.VersionID,
		Kind: string(in.Kind), Lane: string(laneOf(in, j.versions[head.VersionID])),
		Payload: string(payload), Overrides: string(in.Overrides), Recipients: string(in.Recipients), Actor: string(in.Actor),
		Tenant: in.Tenant, Contexts: in.Contexts, RequestID: in.RequestID, TraceParent: in.TraceParent,
	}
}

// laneOf puts whatever may reach many subscribers into the bulk lane first, because an urgent one that holds a million
// of them would starve a login code.
func laneOf(in *Acceptance, v *version) event.Lane {
	severity := v.severity
	if in.Severity != "" {
		severity = in.Severity
	}
	switch {
	case in.Kind == event.KindBroadcast || in.Topics:
		return event.LaneBulk
	case v.critical || severity == workflow.SeverityHigh:
		return event.LaneUrgent
	}
	return event.LaneNormal
}
