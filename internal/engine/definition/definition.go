// Package definition keeps published versions of workflows with what planning and rendering want to know of them.
package definition

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// Published is a published version with what planning and rendering want to know of it.
type Published struct {
	pgrun.VersionRow
	Personal       bool            // some text or condition looks at the subscriber
	Shared         map[string]bool // steps whose content is the same for every recipient of an event, layouts aside
	Settings       bool            // has chat or push steps
	Chat           bool            // has chat steps
	HasSharedSteps bool            // has digest or throttle steps
	Sends          bool            // has steps whose messages go out through providers
	Independent    bool            // its runs depend on no rows that they share with others, and start no other workflow
}

// personalText finds what makes a text differ between the recipients of one event: their data, the results of their
// earlier steps, and what filters write in their language, by their locale or in their time zone, which snippets may hold.
var personalText = regexp.MustCompile(`subscriber|\bsteps?\b|\|\s*(?:` + strings.Join(render.ReadersFilters(), "|") + `)\b|\brender\s*["']`)

// IsPersonal reports whether a text may differ between the recipients of one event.
func IsPersonal(text string) bool { return personalText.MatchString(text) }

// New looks a version through.
func New(v pgrun.VersionRow) *Published {
	v.Definition = v.Definition.WithFeeds(feedsOf(&v))
	d := &Published{VersionRow: v, Shared: map[string]bool{}, Independent: isIndependent(v.Definition)}
	text, _ := json.Marshal(v.Definition) // decoded from JSON, so it encodes
	d.Personal = strings.Contains(string(text), "subscriber")
	for i := range v.Definition.Steps {
		s := &v.Definition.Steps[i]
		personal := func(c workflow.ControlText) bool { return IsPersonal(c.Text) }
		d.Shared[s.StepID] = len(s.Variants) == 0 && !slices.ContainsFunc(s.Texts(), personal)
		d.Chat = d.Chat || s.Type == workflow.StepChat
		d.Settings = d.Settings || s.Type == workflow.StepChat || s.Type == workflow.StepPush
		if c, isChannel := s.Type.Channel(); isChannel && c != workflow.ChannelInApp {
			d.Sends = true
		}
		d.HasSharedSteps = d.HasSharedSteps || s.Type == workflow.StepDigest || s.Type == workflow.StepThrottle
	}
	return d
}

// feedsOf are the internal ids of a version's feeds by what names them: an id, a global id, or an identifier.
func feedsOf(v *pgrun.VersionRow) map[string]string {
	ids := map[string]string{}
	for _, ref := range v.Definition.Feeds() {
		if typ, record, global := id.ParseGlobal(ref); global && typ == "Feed" {
			ids[ref] = record
		} else if id.Valid(ref) {
			ids[ref] = ref
		}
	}
	maps.Copy(ids, v.Feeds)
	return ids
}

// Cache keeps the versions used last; versions never change, so none is ever outdated.
type Cache struct {
	byID *lru.Cache[string, *Published]
}

const maxKept = 2_000

// NewCache returns an empty Cache.
func NewCache() Cache {
	byID, _ := lru.New[string, *Published](maxKept) // fails for a size below 1 only
	return Cache{byID}
}

// Get returns nil for a version that is not kept.
func (c Cache) Get(version string) *Published {
	d, _ := c.byID.Get(version)
	return d
}

// Missing are those of ids that are not kept yet. The others count as used, so that they are not the ones to go for these.
func (c Cache) Missing(ids []string) (missing []string) {
	for _, version := range ids {
		if c.Get(version) == nil {
			missing = append(missing, version)
		}
	}
	return missing
}

// Put keeps versions.
func (c Cache) Put(versions []pgrun.VersionRow) {
	for _, v := range versions {
		c.byID.Add(v.ID, New(v))
	}
}

// isIndependent reports whether runs of a definition depend on no rows that they share with others and start no other workflow.
func isIndependent(d *workflow.Definition) bool {
	for i := range d.Steps {
		switch d.Steps[i].Type {
		case workflow.StepDigest, workflow.StepThrottle, workflow.StepTrigger, workflow.StepCustom:
			return false
		}
	}
	return true
}

// PersonKey names what runs of the version want to know of a recipient of an event, by its external id.
func (d *Published) PersonKey(ev *pgfanout.EventRow, subscriberID string) pgrun.PersonKey {
	return pgrun.PersonKey{
		EnvironmentID: ev.EnvironmentID, SubscriberID: subscriberID, Scope: ev.Scope, WorkflowID: cmp.Or(ev.WorkflowID, d.WorkflowID),
		Preferences: !d.Definition.Critical, Settings: d.Settings, Endpoints: d.Chat,
	}
}

// AddPersonal adds what runs of the version for a subscriber want to know of it.
func (d *Published) AddPersonal(want *pgrun.PersonalQuery, ev *pgfanout.EventRow, subscriber string) {
	want.Environments = append(want.Environments, ev.EnvironmentID)
	want.Subscribers = append(want.Subscribers, subscriber)
	want.Scopes = append(want.Scopes, ev.Scope)
	want.Workflows = append(want.Workflows, cmp.Or(ev.WorkflowID, d.WorkflowID)) // before the event is stored only the definition names it
	want.Preferences = want.Preferences || !d.Definition.Critical
	want.Settings = want.Settings || d.Settings
	want.Endpoints = want.Endpoints || d.Chat
}
