package shape

import (
	"bytes"
	"encoding/json"

	"github.com/carillon/carillon/internal/fault"
)

// RawObject is an object that is kept as the JSON that it was given in. Only ReadMembers can read one.
func RawObject() Type[json.RawMessage] {
	t := Type[json.RawMessage]{schema: Free().schema, null: isRequired, raw: true}
	t.read = func(at *place, value any) (json.RawMessage, bool) {
		raw, _ := value.(json.RawMessage)
		if raw[0] != '{' {
			at.add(decoded(raw), notObject)
			return nil, false
		}
		return raw, true
	}
	return t
}

// ReadMembers reads an object whose members are known as JSON, valid and without blanks around it. Only those that are
// declared are decoded.
func (o ObjectType[T]) ReadMembers(into *T, lists Lists, p *fault.Problems, members map[string]json.RawMessage) {
	at := newPlace(lists, p, "")
	for i := range o.members {
		m := &o.members[i]
		raw, given := members[m.name]
		switch {
		case !given || string(raw) == "null":
			m.take(into, at, nil, given)
		case m.raw:
			m.take(into, at, raw, given)
		default:
			m.take(into, at, decoded(raw), given)
		}
	}
}

// decoded returns what valid JSON holds, its numbers as they were given.
func decoded(raw []byte) (value any) {
	if raw[0] == '"' { // most members are texts, which need no decoder
		_ = json.Unmarshal(raw, &value)
		return value
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	_ = decoder.Decode(&value)
	return value
}
