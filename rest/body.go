package rest

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/carillon/carillon/internal/fault"
)

// object reads the members of a JSON object and collects every problem under its dotted path. null is absent, and
// members that nobody reads are ignored.
type object struct {
	problems *fault.Problems
	path     string // of the object; "" for the body
	members  map[string]any
}

// object is the body of a request.
func (in *Input) object(p *fault.Problems) object {
	body := object{problems: p}
	decoder := json.NewDecoder(bytes.NewReader(in.Body))
	decoder.UseNumber()               // what is stored is what was sent
	_ = decoder.Decode(&body.members) // an object: readInput saw to it
	return body
}

func (o object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// text is an optional text.
func (o object) text(name string) *string {
	value := o.members[name]
	if value == nil {
		return nil
	}
	text, ok := value.(string)
	switch {
	case !ok:
		o.problems.Add(o.at(name), value, "must be a string")
		return nil
	case !storable(text):
		o.problems.Add(o.at(name), nil, "must not hold the character U+0000")
		return nil
	}
	return &text
}

// required is a text that must be there.
func (o object) required(name string) string {
	text := o.text(name)
	if text == nil {
		if o.members[name] == nil {
			o.problems.Add(o.at(name), nil, "is required")
		}
		return ""
	}
	return *text
}

// flag is an optional boolean.
func (o object) flag(name string) *bool {
	value := o.members[name]
	if value == nil {
		return nil
	}
	flag, ok := value.(bool)
	if !ok {
		o.problems.Add(o.at(name), value, "must be a boolean")
		return nil
	}
	return &flag
}

// plain is an optional object that is taken as it is; nil when it is absent.
func (o object) plain(name string) map[string]any {
	value := o.members[name]
	if value == nil {
		return nil
	}
	members, ok := value.(map[string]any)
	if !ok {
		o.problems.Add(o.at(name), value, "must be an object")
		return nil
	}
	return members
}

// inner is an optional object whose members are read; ok is false when it is absent or none.
func (o object) inner(name string) (inner object, ok bool) {
	members := o.plain(name)
	return object{o.problems, o.at(name), members}, members != nil
}

// list is an optional array; nil when it is absent.
func (o object) list(name string) []any {
	value := o.members[name]
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		o.problems.Add(o.at(name), value, "must be an array")
		return nil
	}
	return list
}

// item is a member of the list of that name, as an object that holds it under its position.
func (o object) item(list string, i int, value any) (in object, position string) {
	position = strconv.Itoa(i)
	return object{o.problems, o.at(list), map[string]any{position: value}}, position
}

// entry is an item of a list that is a text or an object: exactly one of text and members, or neither when it is none of
// both, which is a problem.
func (o object) entry(list string, i int, value any) (text *string, members *object) {
	in, position := o.item(list, i, value)
	switch v := value.(type) {
	case string:
		return in.text(position), nil
	case map[string]any:
		return nil, &object{o.problems, in.at(position), v}
	}
	o.problems.Add(in.at(position), value, "must be a string or an object")
	return nil, nil
}

// texts is an optional array of texts; nil when it is absent.
func (o object) texts(name string) []string {
	list := o.list(name)
	if list == nil {
		return nil
	}
	texts := make([]string, len(list))
	for i, value := range list {
		in, position := o.item(name, i, value)
		texts[i] = in.required(position)
	}
	return texts
}

// ids are the texts of an array of internal ids. A text that is no id names nothing, whatever it holds.
func (o object) ids(name string, list []any) []string {
	ids := make([]string, len(list))
	for i, value := range list {
		if text, ok := value.(string); ok {
			ids[i] = text
			continue
		}
		in, position := o.item(name, i, value)
		in.required(position) // says what it is instead
	}
	return ids
}
