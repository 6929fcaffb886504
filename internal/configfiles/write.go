package configfiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/carillon/carillon/internal/jsonnum"
)

// Written is what Write did, as paths.
type Written struct {
	Changed []string // made or changed
	Removed []string
}

// Write makes a directory hold the sections of a document. Files of resources that are the same already, compared by same,
// stay as they are, comments and all; files of resources that are gone are removed. Other files are left alone.
func Write(dir string, document map[string]any, same func(a, b any) bool) (*Written, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // source text, for everybody to read
		return nil, fmt.Errorf("make the directory: %w", err)
	}
	present, err := Read(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory: %w", err)
	}
	defer func() { _ = root.Close() }()
	w := &writer{root: root, present: present, same: same, out: &Written{}}
	for _, p := range places {
		if section, given := document[p.section].(map[string]any); given {
			if err := w.section(p, section); err != nil {
				return nil, err
			}
		}
	}
	if err := w.writeSchemas(); err != nil {
		return nil, err
	}
	slices.Sort(w.out.Changed)
	slices.Sort(w.out.Removed)
	return w.out, nil
}

type writer struct {
	root    *os.Root
	present *Directory
	same    func(a, b any) bool
	out     *Written
}

func (w *writer) section(p place, resources map[string]any) error {
	before, _ := w.present.Document[p.section].(map[string]any)
	if p.file != "" {
		if len(resources) > 0 && !w.same(before, resources) {
			return w.file(p, p.file, ordered(resources))
		}
		if len(resources) == 0 && before != nil {
			return w.remove(p.file)
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		files := w.present.Files[p.section+"."+name]
		if was, there := before[name]; there && w.same(was, resources[name]) {
			continue
		}
		written, err := w.resource(p, name, resources[name])
		if err != nil {
			return err
		}
		for _, file := range files {
			if !slices.Contains(written, file) {
				if err := w.remove(file); err != nil {
					return err
				}
			}
		}
	}
	for name := range before {
		if _, stays := resources[name]; stays {
			continue
		}
		for _, file := range w.present.Files[p.section+"."+name] {
			if err := w.remove(file); err != nil {
				return err
			}
		}
		if p.own {
			_ = w.root.Remove(path.Join(p.dir, fileName(name))) // it fails, and stays, while there are other files in it
		}
	}
	return nil
}

func (w *writer) resource(p place, name string, resource any) (files []string, err error) {
	file := p.path(name)
	texts := texts{dir: path.Dir(file), files: map[string]string{}}
	tree := ordered(resource)
	switch p.section {
	case "layouts":
		tree = texts.moveOut(tree, fileName(name))
	case "workflows":
		tree = texts.ofSteps(tree)
	}
	if err := w.file(p, file, tree); err != nil {
		return nil, err
	}
	files = append(files, file)
	for _, name := range slices.Sorted(maps.Keys(texts.files)) {
		if err := w.write(name, []byte(texts.files[name])); err != nil {
			return nil, err
		}
		files = append(files, name)
	}
	return files, nil
}

// file writes a value as YAML. What would not be read back as it is, is written in quotes.
func (w *writer) file(p place, name string, value any) error {
	head := p.head(name)
	for _, literal := range []bool{true, false} {
		raw, err := yaml.MarshalWithOptions(value, yaml.Indent(2), yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(literal))
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		if readsAs(raw, value) {
			return w.write(name, append([]byte(head), raw...))
		}
	}
	raw, err := yaml.MarshalWithOptions(value, yaml.JSON())
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return w.write(name, append([]byte(head), raw...))
}

// readsAs reports whether YAML is read as the value that it was made of.
func readsAs(raw []byte, value any) bool {
	var back, want any
	if yaml.Unmarshal(raw, &back) != nil {
		return false
	}
	x, errX := json.Marshal(back)
	plain, errPlain := yaml.MarshalWithOptions(value, yaml.JSON())
	if errX != nil || errPlain != nil || yaml.Unmarshal(plain, &want) != nil {
		return false
	}
	y, errY := json.Marshal(want)
	return errY == nil && bytes.Equal(x, y)
}

func (w *writer) write(name string, raw []byte) error {
	if present, err := w.root.ReadFile(name); err == nil && bytes.Equal(present, raw) {
		return nil
	}
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := w.root.WriteFile(name, raw, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	w.out.Changed = append(w.out.Changed, name)
	return nil
}

func (w *writer) remove(name string) error {
	if err := w.root.Remove(name); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	w.out.Removed = append(w.out.Removed, name)
	return nil
}

// first are the members with which a resource begins, in this order; the others follow by name.
var first = []string{
	"name", "description", "stepId", "type", "providerId", "default", "active", "published", "notificationGroup", "tags", "subject", "filters",
}

// last are the members with which a resource ends: the long ones.
var last = []string{"conditions", "payloadSchema", "html", "blocks", "body", "text", "email", "inApp", "sms", "chat", "push", "variants", "steps", "content"}

// ordered is a value with the members of its objects in the order in which people read them.
func ordered(value any) any {
	switch v := value.(type) {
	case map[string]any:
		names := slices.SortedFunc(maps.Keys(v), func(a, b string) int {
			if x, y := rank(a), rank(b); x != y {
				return x - y
			}
			return strings.Compare(a, b)
		})
		out := make(yaml.MapSlice, len(names))
		for i, name := range names {
			out[i] = yaml.MapItem{Key: name, Value: ordered(v[name])}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = ordered(v[i])
		}
		return out
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}

func rank(name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i - len(first)
	}
	return slices.Index(last, name) + 1
}

// Same compares values by what they are as JSON.
func Same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	var left, right any
	if errX != nil || errY != nil || jsonnum.Unmarshal(x, &left) != nil || jsonnum.Unmarshal(y, &right) != nil {
		return false
	}
	return reflect.DeepEqual(left, right)
}
