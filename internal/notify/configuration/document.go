// Package configuration owns the use cases of what a team keeps as files beside its code: workflows, layouts, snippets, translations,
// topics, integrations without their secrets, and the feeds and notification groups that workflows name. An environment's
// configuration is read as one document, compared with another, and applied in one transaction.
package configuration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// Document is the configuration of an environment, or a part of it. Every resource is under the name
// by which its author knows it; ids and times of records are not in it, so it means the same in every environment.
type Document struct {
	Variables          map[string]Variable          `json:"variables,omitempty"`          // by name
	NotificationGroups map[string]NotificationGroup `json:"notificationGroups,omitempty"` // by identifier
	Feeds              map[string]Feed              `json:"feeds,omitempty"`              // by identifier
	Snippets           map[string]Snippet           `json:"snippets,omitempty"`           // by identifier
	Layouts            map[string]Layout            `json:"layouts,omitempty"`            // by identifier
	Translations       map[string]Translation       `json:"translations,omitempty"`       // by locale
	Integrations       map[string]Integration       `json:"integrations,omitempty"`       // by identifier
	Topics             map[string]Topic             `json:"topics,omitempty"`             // by key
	Workflows          map[string]Workflow          `json:"workflows,omitempty"`          // by trigger identifier
}

// Variable is a named text of an environment. The value of a secret one is in no configuration.
type Variable struct {
	Value  string `json:"value,omitempty"`
	Secret bool   `json:"secret,omitempty"`
}

// NotificationGroup sorts workflows.
type NotificationGroup struct {
	Name   string `json:"name"`
	Parent string `json:"parent,omitempty"` // identifier of the group above
}

// Feed is a named stream of in-app messages.
type Feed struct {
	Name string `json:"name"`
}

// Layout is the frame around e-mails.
type Layout struct {
	Name    string `json:"name"`
	Default bool   `json:"default,omitempty"` // of all e-mails that name no layout
	Content string `json:"content"`           // Liquid, HTML; the step's output is its variable content
}

// Snippet is a part of templates that several of them render.
type Snippet struct {
	Name    string `json:"name"`
	Content string `json:"content"` // Liquid; its variables are env and the arguments of the tag that renders it
}

// Translation is the texts of one locale: key → text, Liquid.
type Translation map[string]string

// Topic is a named set of subscribers. Its subscriptions are not part of a configuration.
type Topic struct {
	Name string `json:"name,omitempty"`
}

// Integration is a provider with its settings. A secret credential that is left out stays as it is stored.
type Integration struct {
	ProviderID  string                 `json:"providerId"`
	Name        string                 `json:"name,omitempty"`        // left out: as it is, the provider's name for a new one
	Active      *bool                  `json:"active,omitempty"`      // true when left out
	Primary     *bool                  `json:"primary,omitempty"`     // true takes the place of the present primary; left out: as it is
	Credentials map[string]any         `json:"credentials,omitempty"` // null removes one
	Conditions  []condition.StepFilter `json:"conditions,omitempty"`
	RateLimit   *float64               `json:"rateLimit,omitempty"` // calls per second; no limit when left out
	Simulation  *workflow.Simulation   `json:"simulation,omitempty"`
}

// Workflow is a workflow's draft with its settings.
type Workflow struct {
	Name              string `json:"name"`
	Description       string `json:"description,omitempty"`
	Active            *bool  `json:"active,omitempty"`            // true when left out
	Published         *bool  `json:"published,omitempty"`         // whether triggers use this definition; true when left out
	NotificationGroup string `json:"notificationGroup,omitempty"` // identifier
	workflow.Definition
}

// Kind is a kind of resource of a document.
type Kind string

// The kinds.
const (
	KindVariable          Kind = "VARIABLE"
	KindNotificationGroup Kind = "NOTIFICATION_GROUP"
	KindFeed              Kind = "FEED"
	KindSnippet           Kind = "SNIPPET"
	KindLayout            Kind = "LAYOUT"
	KindTranslation       Kind = "TRANSLATION"
	KindIntegration       Kind = "INTEGRATION"
	KindTopic             Kind = "TOPIC"
	KindWorkflow          Kind = "WORKFLOW"
)

// MaxResources bounds the resources of one kind in a document.
const MaxResources = 1000

// section is the member of a document that holds the resources of a kind.
type section struct {
	kind     Kind
	name     string
	resource reflect.Type
	names    func(*Document) []string            // of its resources, sorted
	get      func(*Document, string) (any, bool) // one of them
	given    func(*Document) bool                // reports whether the document has the section, be it empty
	add      func(*Document)                     // an empty section
	read     func(*Document, string, []byte) error
}

func sectionOf[T any](kind Kind, name string, of func(*Document) *map[string]T) section {
	return section{
		kind, name, reflect.TypeFor[T](),
		func(d *Document) []string { return slices.Sorted(maps.Keys(*of(d))) },
		func(d *Document, name string) (any, bool) { v, ok := (*of(d))[name]; return v, ok },
		func(d *Document) bool { return *of(d) != nil },
		func(d *Document) { *of(d) = map[string]T{} },
		func(d *Document, name string, raw []byte) error {
			var one T
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			decoder.UseNumber()
			err := decoder.Decode(&one)
			(*of(d))[name] = one
			return err
		},
	}
}

// groupSection has the names of groups below those of the groups that they are in, so that a group is made, or moved, before
// another one goes into it.
func groupSection() section {
	s := sectionOf(KindNotificationGroup, "notificationGroups", func(d *Document) *map[string]NotificationGroup { return &d.NotificationGroups })
	byName := s.names
	s.names = func(d *Document) []string {
		names := byName(d)
		slices.SortStableFunc(names, func(a, b string) int { return groupDepth(d, a) - groupDepth(d, b) })
		return names
	}
	return s
}

// groupDepth counts the groups of the document above a group. Groups that lie in a circle have some finite depth.
func groupDepth(d *Document, name string) (depth int) {
	for ; depth < len(d.NotificationGroups); depth++ {
		above := d.NotificationGroups[name].Parent
		if _, known := d.NotificationGroups[above]; !known {
			return depth
		}
		name = above
	}
	return depth
}

// snippetSection has the names of snippets below those of the snippets that they render, so that each is made after those.
func snippetSection() section {
	s := sectionOf(KindSnippet, "snippets", func(d *Document) *map[string]Snippet { return &d.Snippets })
	byName := s.names
	s.names = func(d *Document) []string {
		names, depths := byName(d), snippetGraph(d).Depths()
		slices.SortStableFunc(names, func(a, b string) int { return depths[a] - depths[b] })
		return names
	}
	return s
}

func snippetGraph(d *Document) authoring.SnippetGraph {
	graph := authoring.SnippetGraph{}
	for name, snippet := range d.Snippets {
		graph[name] = render.SnippetsOf(snippet.Content)
	}
	return graph
}

// sections are in the order in which they are applied: what others refer to comes first.
var sections = []section{
	sectionOf(KindVariable, "variables", func(d *Document) *map[string]Variable { return &d.Variables }),
	groupSection(),
	sectionOf(KindFeed, "feeds", func(d *Document) *map[string]Feed { return &d.Feeds }),
	snippetSection(),
	sectionOf(KindLayout, "layouts", func(d *Document) *map[string]Layout { return &d.Layouts }),
	sectionOf(KindTranslation, "translations", func(d *Document) *map[string]Translation { return &d.Translations }),
	sectionOf(KindIntegration, "integrations", func(d *Document) *map[string]Integration { return &d.Integrations }),
	sectionOf(KindTopic, "topics", func(d *Document) *map[string]Topic { return &d.Topics }),
	sectionOf(KindWorkflow, "workflows", func(d *Document) *map[string]Workflow { return &d.Workflows }),
}

// sectionOfKind is the member of a document that holds the resources of a kind.
func sectionOfKind(k Kind) string {
	i := slices.IndexFunc(sections, func(s section) bool { return s.kind == k })
	return sections[i].name
}

// Kinds lists the kinds in the order in which they are applied.
func Kinds() []Kind {
	out := make([]Kind, len(sections))
	for i := range sections {
		out[i] = sections[i].kind
	}
	return out
}

// decode reads a document as strangers send it: members that there are not are refused by name, and steps are active unless
// they say otherwise. What is wrong is reported of all resources together.
func decode(document map[string]any) (*Document, error) {
	copied, err := treeOf(document)
	if err != nil {
		return nil, err
	}
	tree, _ := copied.(map[string]any)
	activeSteps(tree)
	d := &Document{}
	var problems fault.Problems
	for _, name := range jsonvalue.SortedKeys(tree) {
		path := "document." + name
		i := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		resources, isObject := tree[name].(map[string]any)
		switch {
		case i < 0:
			problems.Add(path, nil, "is no section of a configuration")
		case tree[name] == nil: // as if it were left out
		case !isObject:
			problems.Add(path, nil, "must map names to resources")
		case len(resources) > MaxResources:
			problems.Add(path, nil, "holds %d resources; %d are allowed", len(resources), MaxResources)
		default:
			if err := decodeSection(d, sections[i], resources, &problems); err != nil {
				return nil, err
			}
		}
	}
	return d, problems.Err()
}

func decodeSection(d *Document, s section, resources map[string]any, problems *fault.Problems) error {
	s.add(d)
	for _, name := range jsonvalue.SortedKeys(resources) {
		raw, err := json.Marshal(resources[name])
		if err != nil {
			return fmt.Errorf("encode a configuration: %w", err)
		}
		if err := s.read(d, name, raw); err != nil {
			var misfits fault.Problems
			addMisfits(&misfits, "document."+s.name+"."+name, resources[name], s.resource)
			if !misfits.Any() { // what only the decoder refuses
				misfits.Add("document."+s.name+"."+name, nil, "%s", strings.TrimPrefix(err.Error(), "json: "))
			}
			if err := problems.Merge("", misfits.Err()); err != nil {
				return err
			}
		}
	}
	return nil
}

// treeOf is a value as JSON's objects, lists and plain values, numbers with all their digits.
func treeOf(v any) (tree any, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a configuration: %w", err)
	}
	if err := jsonnum.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("read a configuration: %w", err)
	}
	return tree, nil
}
