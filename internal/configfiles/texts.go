package configfiles

import (
	"path"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// texts are the templates that go to files of their own.
type texts struct {
	dir   string
	files map[string]string // by path
}

// endings are the ends of the names of files, by the member that they hold.
var endings = map[string]string{"html": ".html", "text": ".txt", "content": ".html", "body": ".liquid"}

// moveOut puts the long texts of an object into files whose names begin with a name.
func (t *texts) moveOut(value any, name string) any {
	object, ok := value.(yaml.MapSlice)
	if !ok {
		return value
	}
	out := make(yaml.MapSlice, len(object))
	for i, item := range object {
		out[i] = item
		member, _ := item.Key.(string)
		text, isText := item.Value.(string)
		ending, moves := endings[member]
		if !isText || !moves || member == "body" && !strings.Contains(text, "\n") {
			continue
		}
		file := t.free(name, ending)
		t.files[path.Join(t.dir, file)] = text
		out[i] = yaml.MapItem{Key: member + "@", Value: file}
	}
	return out
}

// free is a name that no other text has.
func (t *texts) free(name, ending string) string {
	file := name + ending
	for n := 2; ; n++ {
		if _, taken := t.files[path.Join(t.dir, file)]; !taken {
			return file
		}
		file = name + "-" + strconv.Itoa(n) + ending
	}
}

// ofSteps moves out the texts of a workflow's steps and their variants.
func (t *texts) ofSteps(workflow any) any {
	return within(workflow, "steps", "stepId", "", func(step yaml.MapSlice, name string) any {
		return within(t.controls(step, name), "variants", "name", name+".", func(variant yaml.MapSlice, name string) any {
			return t.controls(variant, name)
		})
	})
}

// controls moves out the texts of what a step sends.
func (t *texts) controls(step yaml.MapSlice, name string) yaml.MapSlice {
	out := make(yaml.MapSlice, len(step))
	for i, item := range step {
		out[i] = item
		switch item.Key {
		case "email", "inApp", "sms", "chat", "push", "custom":
			out[i].Value = t.moveOut(item.Value, name)
		}
	}
	return out
}

// within replaces the objects of a list by what fn makes of them and of the name that a member gives them.
func within(value any, list, nameMember, prefix string, fn func(object yaml.MapSlice, name string) any) any {
	object, ok := value.(yaml.MapSlice)
	if !ok {
		return value
	}
	for i, item := range object {
		items, isList := item.Value.([]any)
		if item.Key != list || !isList {
			continue
		}
		for j := range items {
			one, isObject := items[j].(yaml.MapSlice)
			if !isObject {
				continue
			}
			name, _ := one.ToMap()[nameMember].(string)
			items[j] = fn(one, prefix+fileName(strings.ReplaceAll(name, " ", "-")))
		}
		object[i].Value = items
	}
	return object
}
