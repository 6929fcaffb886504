package run

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// definition is a published version with what planning and rendering want to know of it.
type definition struct {
	pgrun.VersionRow
	personal       bool            // some text or condition looks at the subscriber
	shared         map[string]bool // steps whose content is the same for every recipient of an event
	settings       bool            // has chat or push steps
	chat           bool
	email          bool
	snippets       bool // some text renders a snippet
	hasSharedSteps bool // has digest or throttle steps
	independent    bool // see isIndependent
}

// personalText finds what makes a text differ between the recipients of one event: their data, the results of their
// earlier steps, and translations into their language, which snippets may hold.
var personalText = regexp.MustCompile(`subscriber|\bsteps?\b|\|\s*t\b|{%-?\s*render\b`)

func newDefinition(v pgrun.VersionRow) *definition {
	v.Definition = v.Definition.WithFeeds(feedsOf(&v))
	d := &definition{VersionRow: v, shared: map[string]bool{}, independent: isIndependent(v.Definition)}
	whole, _ := json.Marshal(v.Definition) // decoded from JSON, so it encodes
	d.personal = strings.Contains(string(whole), "subscriber")
	for i := range v.Definition.Steps {
		s := &v.Definition.Steps[i]
		text, _ := json.Marshal(s)
		d.shared[s.StepID] = !personalText.Match(text) && len(s.Variants) == 0
		d.chat = d.chat || s.Type == workflow.StepChat
		d.settings = d.settings || s.Type == workflow.StepChat || s.Type == workflow.StepPush
		d.hasSharedSteps = d.hasSharedSteps || s.Type == workflow.StepDigest || s.Type == workflow.StepThrottle
		d.email = d.email || s.Type == workflow.StepEmail
		d.snippets = d.snippets || slices.ContainsFunc(s.Texts(), func(t workflow.ControlText) bool { return len(render.SnippetsOf(t.Text)) > 0 })
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

// definitionCache keeps definitions; versions never change, so entries never expire.
type definitionCache struct {
	mu   sync.RWMutex
	byID map[string]*definition
}

const maxDefinitions = 2_000

func (c *definitionCache) get(version string) *definition {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.byID[version]
}

// missing are those of ids that are not kept yet.
func (c *definitionCache) missing(ids []string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []string
	for _, version := range ids {
		if c.byID[version] == nil {
			out = append(out, version)
		}
	}
	return out
}

// haveEmail reports whether one of the versions that are kept has e-mail steps.
func (c *definitionCache) haveEmail(ids []string) bool {
	return c.have(ids, func(d *definition) bool { return d.email })
}

// haveSnippets reports whether texts of one of the versions that are kept may render snippets; those of e-mails may by
// their layouts.
func (c *definitionCache) haveSnippets(ids []string) bool {
	return c.have(ids, func(d *definition) bool { return d.email || d.snippets })
}

func (c *definitionCache) have(ids []string, what func(*definition) bool) bool {
	return slices.ContainsFunc(ids, func(version string) bool {
		d := c.get(version)
		return d != nil && what(d)
	})
}

func (c *definitionCache) put(versions []pgrun.VersionRow) {
	if len(versions) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID)+len(versions) > maxDefinitions {
		c.byID = map[string]*definition{} // a rare, full refill is cheaper than bookkeeping on every read
	}
	for _, v := range versions {
		c.byID[v.ID] = newDefinition(v)
	}
}
