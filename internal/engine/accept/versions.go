package accept

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// version is what accepting needs to know of a published version.
type version struct {
	id            string
	steps, active int
	severity      workflow.Severity
	critical      bool
	schema        *payload.PayloadSchema
	unusable      error // why payloads cannot be checked by the schema
	validate      bool
	costly        *admission.Gate // of payloads that take long to check; nil: they begin at once
}

func newVersion(versionID string, d *workflow.Definition) *version {
	v := &version{id: versionID, steps: len(d.Steps), severity: d.Severity, critical: d.Critical, validate: d.Validate}
	for _, step := range d.Steps {
		if step.Active {
			v.active++
		}
	}
	var err error
	if v.schema, err = payload.CompileSchema(d.PayloadSchema); err != nil { // stored when more was allowed
		v.unusable = &fault.Error{
			Kind: fault.Invalid, Code: payload.CodeSchemaCost, Message: fault.ValidationMessage, Cause: err,
			Fields: []fault.Field{{Path: "payload", Message: "cannot be checked: the author of the workflow must change its payload schema and publish it. " + err.Error()}},
		}
	}
	return v
}

// fill lays the schema's defaults under the payload and validates it. What that costs is the client's choice, within bounds:
// it is never done while others wait. Payloads that take long to check are checked in turn.
func (v *version) fill(ctx context.Context, environmentID string, payload []byte) ([]byte, error) {
	switch {
	case v.unusable != nil:
		return nil, v.unusable
	case v.schema == nil:
		return payload, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber() // numbers are stored as they were given
	var decoded map[string]any
	if err := decoder.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("read a payload: %w", err)
	}
	filled, steps, err := v.schema.Fill(decoded, v.validate)
	if err == nil && v.validate {
		err = v.check(ctx, environmentID, filled, steps)
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault for the client
	}
	return json.Marshal(filled)
}

func (v *version) check(ctx context.Context, environmentID string, filled map[string]any, steps int) error {
	if steps > costlySteps {
		leave, err := v.costly.Enter(ctx, admission.Request{Environment: environmentID, Urgent: v.critical})
		if err != nil {
			return err //nolint:wrapcheck // classified
		}
		defer leave()
	}
	return v.schema.Check(filled) //nolint:wrapcheck // a fault for the client
}

const (
	// costlySteps is the number of steps from which payloads are checked in turn: about 20 milliseconds.
	costlySteps = 20_000
	// costlyWait is how long a payload waits for its turn before its request is refused; those of critical workflows four times
	// as long.
	costlyWait = 2 * time.Second
	// costlyQueue bounds how many wait. It is a part of what the doors let in at once, so that an environment whose payloads
	// all wait does not keep others out.
	costlyQueue = 32
)

// newCostlyGate leaves half of the cores to everything else. Environments take turns.
func newCostlyGate() *admission.Gate {
	slots := max(1, runtime.GOMAXPROCS(0)/2)
	return admission.New(admission.Config{Wait: costlyWait, Least: slots, Most: slots, Queue: costlyQueue})
}

const (
	maxVersions = 2_000  // of which a process keeps the compiled schema
	maxLatest   = 10_000 // workflows of which it knows the version
)

// VersionCache keeps published versions, which never change, and how each workflow was last found. The latter is a guess that
// lets a request prepare its payload before its turn; the writer has the database verify it.
type VersionCache struct {
	byID    *lru.Cache[string, *version]
	latest  *lru.Cache[pgaccept.EnvKey, pgaccept.WorkflowHead] // of workflows that have a published version
	compile singleflight.Group
	costly  *admission.Gate // see version
}

// NewVersionCache returns an empty VersionCache.
func NewVersionCache() *VersionCache {
	byID, _ := lru.New[string, *version](maxVersions) // fails for a size below 1 only
	latest, _ := lru.New[pgaccept.EnvKey, pgaccept.WorkflowHead](maxLatest)
	return &VersionCache{byID: byID, latest: latest}
}

// InTurns makes payloads that take long to check wait for their turn, for a cache that serves requests; it returns c.
func (c *VersionCache) InTurns() *VersionCache {
	c.costly = newCostlyGate()
	return c
}

// load returns published versions by their ids, read and compiled if need be: each once, however many ask for it, and
// without holding up those that ask for others. One that does not exist is missing from the result.
func (c *VersionCache) load(ctx context.Context, q postgres.Querier, ids []string) (map[string]*version, error) {
	known := make(map[string]*version, len(ids))
	var missing []string
	for _, versionID := range ids {
		if v, ok := c.byID.Get(versionID); ok {
			known[versionID] = v
		} else {
			missing = append(missing, versionID)
		}
	}
	if len(missing) == 0 {
		return known, nil
	}
	definitions, err := pgaccept.ReadDefinitions(ctx, q, missing)
	if err != nil {
		return nil, err
	}
	for versionID, d := range definitions {
		made, _, _ := c.compile.Do(versionID, func() (any, error) {
			if v, ok := c.byID.Get(versionID); ok {
				return v, nil
			}
			v := newVersion(versionID, d)
			v.costly = c.costly
			c.byID.Add(versionID, v)
			return v, nil
		})
		known[versionID], _ = made.(*version)
	}
	return known, nil
}

// loadHeads is load for the published versions of workflows.
func (c *VersionCache) loadHeads(ctx context.Context, q postgres.Querier, heads map[pgaccept.EnvKey]pgaccept.WorkflowHead) (map[string]*version, error) {
	var ids []string
	for _, head := range heads {
		if head.VersionID != "" {
			ids = append(ids, head.VersionID)
		}
	}
	return c.load(ctx, q, ids)
}

// prepared is what an item costs its client before its turn to be written: its payload validated by a version, and its other
// JSON encoded.
type prepared struct {
	version *version // nil: none is known of the workflow
	payload []byte
	err     error
	plan    Plan // nil: the event is fanned out once it is stored

	tenant   *string   // data of the tenant, if it is given as an object
	contexts []*string // data of the contexts
}

func (p *prepared) encode(in *Acceptance) {
	if in.Tenant != nil {
		p.tenant = encoded(in.Tenant.Data)
	}
	if len(in.Contexts) > 0 {
		p.contexts = make([]*string, len(in.Contexts))
		for i := range in.Contexts {
			p.contexts[i] = encoded(in.Contexts[i].Data)
		}
	}
}

func encoded(data map[string]any) *string {
	if data == nil {
		return nil
	}
	return new(string(state.AsJSON(data)))
}

// size is how many bytes the item brings to the database.
func (p *prepared) size(in *Acceptance) int {
	size := len(p.payload) + len(in.Overrides) + len(in.Recipients) + len(in.Actor) + len(state.Deref(p.tenant))
	for _, context := range p.contexts {
		size += len(state.Deref(context))
	}
	return size
}

// prepare validates the payloads of items by the versions that their workflows had last. It runs on the request's own time.
func (c *VersionCache) prepare(ctx context.Context, q postgres.Querier, items []Acceptance) ([]prepared, error) {
	wanted := make([]string, len(items))
	var ids []string
	for i := range items {
		if head, ok := c.latest.Get(items[i].workflowKey()); ok {
			wanted[i] = head.VersionID
			ids = state.AddNew(ids, head.VersionID)
		}
	}
	versions, err := c.load(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	out := make([]prepared, len(items))
	for i := range items {
		v := versions[wanted[i]]
		if v == nil && wanted[i] != "" {
			v = &version{id: wanted[i], unusable: fmt.Errorf("workflow %s: published version %s cannot be read", items[i].Workflow, wanted[i])}
		}
		if v != nil {
			out[i].version = v
			out[i].payload, out[i].err = v.fill(ctx, items[i].EnvironmentID, items[i].Payload)
			if fault.KindOf(out[i].err) == fault.Unavailable {
				return nil, out[i].err // says nothing about the payload
			}
		}
		out[i].encode(&items[i])
	}
	return out, nil
}

// renew records how the workflows that were looked for were found.
func (c *VersionCache) renew(keys []pgaccept.EnvKey, found map[pgaccept.EnvKey]pgaccept.WorkflowHead) {
	for _, key := range keys {
		if head := found[key]; head.VersionID != "" {
			c.latest.Add(key, head)
		} else {
			c.latest.Remove(key)
		}
	}
}
