package configuration

import (
	"reflect"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/workflow"
)

// Normal is a document in the form in which Read returns it: two documents that mean the same have the same normal form.
func Normal(document map[string]any) (map[string]any, error) {
	d, err := decode(document)
	if err != nil {
		return nil, err
	}
	for name, w := range d.Workflows {
		complete(&w)
		d.Workflows[name] = w
	}
	return short(d)
}

// complete sets what a workflow leaves to its default.
func complete(w *Workflow) {
	authoring.Complete(&w.Definition, nil, func() id.ID { return "" })
	w.Definition = *withoutIDs(&w.Definition)
	w.Active, w.Published = orTrue(w.Active), orTrue(w.Published)
}

// short is a document as JSON without the values that it would have as well if they were left out.
func short(d *Document) (map[string]any, error) {
	tree, err := treeOf(d)
	if err != nil {
		return nil, err
	}
	document, _ := tree.(map[string]any)
	each(document["integrations"], func(i map[string]any) { drop(i, map[string]any{"active": true}) })
	each(document["workflows"], func(w map[string]any) {
		drop(w, workflowDefaults)
		if tags, ok := w["tags"].([]any); ok && len(tags) == 0 {
			delete(w, "tags")
		}
		steps, _ := w["steps"].([]any)
		for _, step := range steps {
			if s, ok := step.(map[string]any); ok {
				drop(s, stepDefaults)
				drop(s, map[string]any{"name": s["stepId"]})
			}
		}
	})
	return document, nil
}

var (
	workflowDefaults = map[string]any{
		"active": true, "published": true, "validatePayload": false, "strictVariables": false, "critical": false, "drain": false, "holdUntilOpen": false,
		"translations": false, "severity": string(workflow.SeverityNone), "versioning": string(workflow.VersionPinned),
		"description": "",
	}
	stepDefaults = map[string]any{"active": true, "shouldStopOnFail": false, "unknownOutcome": string(workflow.UnknownRetry)}
)

func each(section any, fn func(map[string]any)) {
	resources, _ := section.(map[string]any)
	for _, resource := range resources {
		if object, ok := resource.(map[string]any); ok {
			fn(object)
		}
	}
}

func drop(object, defaults map[string]any) {
	for name, value := range defaults {
		if stored, given := object[name]; given && reflect.DeepEqual(stored, value) {
			delete(object, name)
		}
	}
}

// activeSteps makes steps active that do not say otherwise.
func activeSteps(document map[string]any) {
	each(document["workflows"], func(w map[string]any) {
		steps, _ := w["steps"].([]any)
		for _, step := range steps {
			if s, ok := step.(map[string]any); ok && s["active"] == nil {
				s["active"] = true
			}
		}
	})
}
