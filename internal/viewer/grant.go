package viewer

import (
	"fmt"
	"slices"
	"strings"
)

// Grant is one thing that a key may do. Callers know it as a scope of the key (decisions.md §13); the Go word differs
// because Scope names tenancy. A grant that ends with ":read" covers reading only and is part of the one without.
type Grant string

// The grants of an environment's keys.
const (
	GrantTrigger          Grant = "trigger"           // trigger, broadcast, cancel
	GrantAudience         Grant = "audience"          // subscribers, topics, subscriptions, preferences, contexts, tenants, endpoints, inboxes
	GrantAudienceRead     Grant = "audience:read"     //
	GrantContent          Grant = "content"           // workflows, layouts, snippets, images, notification groups, feeds, translations
	GrantContentRead      Grant = "content:read"      //
	GrantIntegrations     Grant = "integrations"      // integrations and their credentials
	GrantIntegrationsRead Grant = "integrations:read" //
	GrantActivity         Grant = "activity"          // the audit log, idempotency records, the environment's clock, and what is read
	GrantActivityRead     Grant = "activity:read"     // events, notifications, messages, attempts, digests, receipts, replies, statistics
	GrantKeys             Grant = "keys"              // API keys and the environment's other secrets; also one of organization keys
)

// The grants of an organization's keys, beside GrantKeys.
const (
	GrantEnvironments Grant = "environments" // make, change and delete environments
	GrantMembers      Grant = "members"      // members and the people behind them
	GrantSettings     Grant = "settings"     // the organization's own settings
)

const reading = ":read"

// grants is every grant; its order is that in which they are shown, and the place of each the bit that Grants keeps.
var grants = []Grant{
	GrantTrigger, GrantAudience, GrantAudienceRead, GrantContent, GrantContentRead, GrantIntegrations, GrantIntegrationsRead,
	GrantActivity, GrantActivityRead, GrantKeys, GrantEnvironments, GrantMembers, GrantSettings,
}

// EnvironmentGrants returns the grants that an environment's key may have.
func EnvironmentGrants() []Grant { return slices.Clone(grants[:10]) }

// OrganizationGrants returns the grants that an organization's key may have.
func OrganizationGrants() []Grant { return slices.Clone(grants[9:]) }

// The sets of grants that have a name.
var (
	// FullGrants is all of an environment.
	FullGrants = GrantsOf(EnvironmentGrants()...)
	// ServerGrants is what an application's own server needs.
	ServerGrants = GrantsOf(GrantTrigger, GrantAudience, GrantContentRead, GrantActivityRead)
)

// Preset is the name of a set of grants.
type Preset string

// The presets.
const (
	PresetServer Preset = "server"
	PresetFull   Preset = "full"
)

// Grants returns the grants of a preset; none for a name that is unknown.
func (p Preset) Grants() Grants {
	switch p {
	case PresetServer:
		return ServerGrants
	case PresetFull:
		return FullGrants
	default:
		return Grants{}
	}
}

// Grants is a set of grants. The zero set grants nothing.
type Grants struct{ bits uint32 }

// GrantsOf returns the set of the given grants; one that is unknown adds nothing.
func GrantsOf(list ...Grant) (s Grants) {
	for _, g := range list {
		if at := slices.Index(grants, g); at >= 0 {
			s.bits |= 1 << at
		}
		if at := slices.Index(grants, g+reading); at >= 0 {
			s.bits |= 1 << at
		}
	}
	return s
}

// Has reports whether the set covers a grant. One that is unknown is in no set.
func (s Grants) Has(g Grant) bool {
	asked := GrantsOf(g)
	return asked != Grants{} && s.Covers(asked)
}

// Covers reports whether the set has every grant of another one.
func (s Grants) Covers(other Grants) bool { return other.bits&^s.bits == 0 }

// List returns the grants of the set, without the reading forms of those that are had in full.
func (s Grants) List() []Grant {
	list := []Grant{}
	for at, g := range grants {
		full, isReading := strings.CutSuffix(string(g), reading)
		if s.bits&(1<<at) != 0 && (!isReading || !s.Has(Grant(full))) {
			list = append(list, g)
		}
	}
	return list
}

// String lists the grants of the set for people.
func (s Grants) String() string { return joined(s.List()) }

func joined(list []Grant) string {
	names := make([]string, len(list))
	for i, g := range list {
		names[i] = string(g)
	}
	return strings.Join(names, ", ")
}

// ParseGrants returns the grants with the given names, each of which must be among those that are allowed.
func ParseGrants(names []string, among []Grant) ([]Grant, error) {
	list := make([]Grant, len(names))
	for i, name := range names {
		if list[i] = Grant(name); !slices.Contains(among, list[i]) {
			return nil, fmt.Errorf("%q is no scope; there are: %s", name, joined(among))
		}
	}
	return list, nil
}
