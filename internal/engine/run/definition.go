package run

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// definition is a published version with what planning and rendering want to know of it.
type definition struct {
	pgrun.VersionRow
	personal       bool            // some text or condition looks at the subscriber
	shared         map[string]bool // steps whose content is the same for every recipient of an event, layouts aside
	settings       bool            // has chat or push steps
	chat           bool
	hasSharedSteps bool // has digest or throttle steps
	independent    bool // see isIndependent
}

// personalText finds what makes a text differ between the recipients of one event: their data, the results of their
// earlier steps, and translations into their language, which snippets may hold.
var personalText = regexp.MustCompile(`subscriber|\bsteps?\b|\|\s*t\b|{%-?\s*render\b`)

func newDefinition(v pgrun.VersionRow) *definition {
	v.Definition = v.Definition.WithFeeds(feedsOf(&v))
	d := &definition{VersionRow: v, shared: map[string]bool{}, independent: isIndependent(v.Definition)}
	text, _ := json.Marshal(v.Definition) // decoded from JSON, so it encodes
	d.personal = strings.Contains(string(text), "subscriber")
	for i := range v.Definition.Steps {
		s := &v.Definition.Steps[i]
		personal := func(c workflow.ControlText) bool { return personalText.MatchString(c.Text) }
		d.shared[s.StepID] = len(s.Variants) == 0 && !slices.ContainsFunc(s.Texts(), personal)
		d.chat = d.chat || s.Type == workflow.StepChat
		d.settings = d.settings || s.Type == workflow.StepChat || s.Type == workflow.StepPush
		d.hasSharedSteps = d.hasSharedSteps || s.Type == workflow.StepDigest || s.Type == workflow.StepThrottle
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

// definitionCache keeps the definitions used last; versions never change, so none is ever outdated.
type definitionCache struct {
	byID *lru.Cache[string, *definition]
}

const maxDefinitions = 2_000

func newDefinitionCache() definitionCache {
	byID, _ := lru.New[string, *definition](maxDefinitions) // fails for a size below 1 only
	return definitionCache{byID}
}

// get returns nil for a version that is not kept.
func (c definitionCache) get(version string) *definition {
	d, _ := c.byID.Get(version)
	return d
}

// missing are those of ids that are not kept yet. The others count as used, so that they are not the ones to go for these.
func (c definitionCache) missing(ids []string) (missing []string) {
	for _, version := range ids {
		if c.get(version) == nil {
			missing = append(missing, version)
		}
	}
	return missing
}

func (c definitionCache) put(versions []pgrun.VersionRow) {
	for _, v := range versions {
		c.byID.Add(v.ID, newDefinition(v))
	}
}
