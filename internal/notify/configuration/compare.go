package configuration

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Action is what happens to a resource.
type Action string

// The actions.
const (
	ActionCreate Action = "CREATE"
	ActionUpdate Action = "UPDATE"
	ActionDelete Action = "DELETE"
)

// Change is what differs of one resource.
type Change struct {
	Kind   Kind
	Name   string
	Action Action
	Fields []FieldChange // of an update, in the order of their paths
}

// FieldChange is one field that differs. Steps and variants are in the path under their names: steps[mail].email.subject.
type FieldChange struct {
	Path   string
	Before *string // a text as it is, any other value as JSON; nil: absent
	After  *string
}

// compare lists what has to happen so that an environment that holds found holds wanted. Resources that wanted does not
// name stay, unless their kind is among pruned and wanted has a section for it.
func compare(found, wanted *Document, pruned []Kind) ([]Change, error) {
	var changes []Change
	for _, s := range sections {
		for _, name := range s.names(wanted) {
			after, _ := s.get(wanted, name)
			before, exists := s.get(found, name)
			if !exists {
				changes = append(changes, Change{Kind: s.kind, Name: name, Action: ActionCreate})
				continue
			}
			fields, err := fieldChanges(before, after)
			if err != nil {
				return nil, err
			}
			if len(fields) > 0 {
				changes = append(changes, Change{s.kind, name, ActionUpdate, fields})
			}
		}
	}
	for _, s := range slices.Backward(sections) {
		if !slices.Contains(pruned, s.kind) {
			continue
		}
		for _, name := range slices.Backward(s.names(found)) { // what others refer to goes last
			if _, kept := s.get(wanted, name); !kept {
				changes = append(changes, Change{Kind: s.kind, Name: name, Action: ActionDelete})
			}
		}
	}
	return changes, nil
}

func fieldChanges(before, after any) (fields []FieldChange, err error) {
	x, err := treeOf(before)
	if err != nil {
		return nil, err
	}
	y, err := treeOf(after)
	if err != nil {
		return nil, err
	}
	diff("", x, y, func(f FieldChange) { fields = append(fields, f) })
	return fields, nil
}

func diff(path string, before, after any, report func(FieldChange)) {
	x, isObject := before.(map[string]any)
	y, areObjects := after.(map[string]any)
	if isObject && areObjects {
		diffObjects(path, x, y, report)
		return
	}
	if a, b, named := namedItems(before, after); named {
		diffNamed(path, a, b, report)
		return
	}
	if !reflect.DeepEqual(before, after) {
		report(FieldChange{path, shown(before), shown(after)})
	}
}

func diffObjects(path string, before, after map[string]any, report func(FieldChange)) {
	union := maps.Clone(before)
	maps.Copy(union, after)
	for _, name := range slices.Sorted(maps.Keys(union)) {
		below := name
		if path != "" {
			below = path + "." + name
		}
		diff(below, before[name], after[name], report)
	}
}

// namedList is a list of objects that have names of their own, such as the steps of a workflow.
type namedList struct {
	names []string
	items map[string]any
}

// namedItems reads two lists whose items are known by a member of theirs; named is false for other lists.
func namedItems(before, after any) (x, y namedList, named bool) {
	a, isList := before.([]any)
	b, areLists := after.([]any)
	if !isList || !areLists {
		return x, y, false
	}
	for _, member := range []string{"stepId", "name"} {
		x, isList = namedBy(a, member)
		y, areLists = namedBy(b, member)
		if isList && areLists {
			return x, y, true
		}
	}
	return x, y, false
}

func namedBy(list []any, member string) (out namedList, ok bool) {
	out.items = make(map[string]any, len(list))
	for _, item := range list {
		object, _ := item.(map[string]any)
		name, isText := object[member].(string)
		if _, twice := out.items[name]; !isText || twice {
			return out, false
		}
		out.names = append(out.names, name)
		out.items[name] = item
	}
	return out, true
}

func diffNamed(path string, before, after namedList, report func(FieldChange)) {
	for _, name := range before.names {
		diff(path+"["+name+"]", before.items[name], after.items[name], report) // against nothing when it goes
	}
	for _, name := range after.names {
		if _, known := before.items[name]; !known {
			report(FieldChange{path + "[" + name + "]", nil, shown(after.items[name])})
		}
	}
	kept := func(list, other namedList) []string {
		return slices.DeleteFunc(slices.Clone(list.names), func(name string) bool { _, both := other.items[name]; return !both })
	}
	if a, b := kept(before, after), kept(after, before); !slices.Equal(a, b) {
		report(FieldChange{path + ".order", shown(a), shown(b)})
	}
}

// shown is a value as people read it.
func shown(v any) *string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return &v
	}
	var raw strings.Builder
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false) // people read it
	if err := encoder.Encode(v); err != nil {
		fmt.Fprint(&raw, v)
	}
	text := strings.TrimSuffix(raw.String(), "\n")
	return &text
}

// fingerprint identifies the state of a document. Documents of equal resources have equal fingerprints.
func fingerprint(d *Document) (string, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("encode a configuration: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]) + "-" + strconv.Itoa(len(raw)), nil
}
