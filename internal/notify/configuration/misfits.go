package configuration

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// addMisfits adds every place of a value, below path, that no value of a type can hold: members that the type does not have and
// values of another kind. The decoder would report the first alone, without the index of the list that it is in.
func addMisfits(problems *fault.Problems, path string, value any, of reflect.Type) {
	if value == nil || of.Implements(unmarshaler) || reflect.PointerTo(of).Implements(unmarshaler) {
		return
	}
	misfit := func(wanted string) { problems.Add(path, nil, "must be %s, not %s", wanted, kindName(value)) }
	switch of.Kind() { //nolint:exhaustive // an any holds everything, and resources have no others
	case reflect.Pointer:
		addMisfits(problems, path, value, of.Elem())
	case reflect.Struct, reflect.Map:
		members, isObject := value.(map[string]any)
		if !isObject {
			misfit("an object")
			return
		}
		for _, name := range jsonvalue.SortedKeys(members) {
			if member := memberType(of, name); member == nil {
				problems.Add(path+"."+name, nil, "unknown field %q", name)
			} else {
				addMisfits(problems, path+"."+name, members[name], member)
			}
		}
	case reflect.Slice:
		items, isList := value.([]any)
		if !isList {
			misfit("a list")
			return
		}
		for i, item := range items {
			addMisfits(problems, path+"."+strconv.Itoa(i), item, of.Elem())
		}
	case reflect.String:
		if _, isText := value.(string); !isText {
			misfit("a text")
		}
	case reflect.Bool:
		if _, isBool := value.(bool); !isBool {
			misfit("true or false")
		}
	case reflect.Float64, reflect.Int, reflect.Int32, reflect.Int64:
		if kindName(value) != "a number" {
			misfit("a number")
			return
		}
		number := fmt.Sprint(value)
		if raw, err := json.Marshal(value); err == nil {
			number = string(raw)
		}
		if _, err := strconv.ParseInt(number, 10, of.Bits()); err != nil && of.Kind() != reflect.Float64 {
			problems.Add(path, nil, "must be a whole number, not %s", number)
		}
	}
}

// memberType is the type of a member of a struct or map, found as the decoder finds it: nil when there is none.
func memberType(of reflect.Type, name string) reflect.Type {
	if of.Kind() == reflect.Map {
		return of.Elem()
	}
	for _, field := range reflect.VisibleFields(of) {
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.Anonymous && tag != "-" && strings.EqualFold(cmp.Or(tag, field.Name), name) {
			return field.Type
		}
	}
	return nil
}

// kindName is what an author calls a value of JSON.
func kindName(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a text"
	case bool:
		return "true or false"
	}
	return "a number"
}
