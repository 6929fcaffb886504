package shape

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/fault"
)

// Values are the parameters of a query string, and what is wrong with them (decisions.md §4).
type Values struct {
	Problems fault.Problems
	given    map[string][]string
	refusal  error // of the request as a whole; problems of fields come before it
}

// arrayKey is what clients put behind the name of an array: k[]=a, k[0]=a.
var arrayKey = regexp.MustCompile(`\[[0-9]*\]$`)

func parse(rawQuery string) *Values {
	v := &Values{given: map[string][]string{}}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		key := arrayKey.ReplaceAllString(unescaped(name), "")
		v.given[key] = append(v.given[key], unescaped(value))
	}
	return v
}

// unescaped is a text of a query string; one that is not encoded rightly is taken as it is.
func unescaped(raw string) string {
	if text, err := url.QueryUnescape(raw); err == nil {
		return text
	}
	return raw
}

// Refuse refuses the request as a whole, unless one of its parameters is wrong.
func (v *Values) Refuse(err error) { v.refusal = err }

// err is every problem that was found.
func (v *Values) err() error {
	if err := v.Problems.Err(); err != nil {
		return err
	}
	return v.refusal
}

// last is a parameter's value as it was sent, of several the last.
func (v *Values) last(name string) (value string, given bool) {
	all := v.given[name]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}

// texts are all values of a parameter, which the database can hold.
func (v *Values) texts(name string) (all []string, given bool) {
	all = v.given[name]
	for _, value := range all {
		if !Storable(value) {
			v.Problems.Add(name, nil, "must be UTF-8 without the character U+0000")
			return nil, false
		}
	}
	return all, len(all) > 0
}

// joined are all values of a parameter that also takes one comma-joined value.
func (v *Values) joined(name string) (all []string, given bool) {
	if v.given[name] == nil {
		return nil, false
	}
	return strings.Split(strings.Join(v.given[name], ","), ","), true
}

func (v *Values) text(name string) (value string, given bool) {
	all, given := v.texts(name)
	if !given {
		return "", false
	}
	return all[len(all)-1], true
}

// Kind reads the values of a parameter as a V and documents them.
type Kind[V any] struct {
	schema func(*Document) Schema
	read   func(v *Values, name string) (V, bool)
}

// As returns the kind documented by a schema of its own.
func (k Kind[V]) As(s func(*Document) Schema) Kind[V] {
	k.schema = s
	return k
}

// Word is a text; of several the last counts.
func Word() Kind[string] {
	return Kind[string]{func(*Document) Schema { return Schema{"type": "string"} }, (*Values).text}
}

// Words are the texts of a parameter that may be given several times.
func Words() Kind[[]string] {
	return Kind[[]string]{func(*Document) Schema { return ArrayOf(Schema{"type": "string"}) }, (*Values).texts}
}

// JoinedWords are Words that may also be one comma-joined value. Empty ones are left out.
func JoinedWords() Kind[[]string] {
	return Kind[[]string]{func(*Document) Schema { return ArrayOf(Schema{"type": "string"}) }, func(v *Values, name string) ([]string, bool) {
		all, given := v.joined(name)
		return slices.DeleteFunc(all, func(word string) bool { return word == "" }), given
	}}
}

// Switch is on for the value true only.
func Switch() Kind[bool] {
	return Kind[bool]{func(*Document) Schema { return Schema{"type": "boolean"} }, func(v *Values, name string) (bool, bool) {
		value, given := v.text(name)
		return value == "true", given
	}}
}

// Cursor is the internal id of a record that valid takes, else the request is refused; an empty one is none. What cannot be
// stored is a cursor that is not valid.
func Cursor(valid func(string) bool, refusal error) Kind[string] {
	return Kind[string]{func(*Document) Schema { return Schema{"type": "string"} }, func(v *Values, name string) (string, bool) {
		value, given := v.last(name)
		if given && value != "" && !valid(value) {
			v.Refuse(refusal)
		}
		return value, value != ""
	}}
}

var decimal = regexp.MustCompile(`^-?[0-9]+$`)

// Whole is a decimal integer within bounds that have a least; fallback when it is absent. One that no int holds comes as the
// nearest.
func Whole(fallback int, bounds Bounds) Kind[int] {
	return Kind[int]{
		func(*Document) Schema {
			return Schema{"type": "integer", "default": fallback}.bound("minimum", "maximum", []Bounds{bounds})
		},
		func(v *Values, name string) (int, bool) {
			text, ok := v.text(name)
			switch {
			case !ok:
				return fallback, true
			case !decimal.MatchString(text):
				v.Problems.Add(name, text, "must be an integer")
				return fallback, true
			}
			n, err := strconv.Atoi(text) // out of range: the nearest
			given := any(n)
			if err != nil {
				given = text
			}
			switch {
			case bounds.most == nil && n < *bounds.least:
				v.Problems.Add(name, given, "must be at least %d", *bounds.least)
			case bounds.most != nil && (n < *bounds.least || n > *bounds.most):
				v.Problems.Add(name, given, "must be between %d and %d", *bounds.least, *bounds.most)
			}
			return n, true
		},
	}
}

// Choice is one of some values; fallback, when it is not empty, when it is absent.
func Choice[V ~string](fallback V, values ...V) Kind[V] {
	return Kind[V]{
		func(*Document) Schema {
			s := Schema{"type": "string", "enum": values}
			if fallback != "" {
				s["default"] = fallback
			}
			return s
		},
		func(v *Values, name string) (V, bool) {
			value, given := v.text(name)
			if !given {
				return fallback, fallback != ""
			}
			return V(value), chosen(v, name, value, values)
		},
	}
}

// Choices are several of some values, given several times or joined by commas. Wrong ones are left out.
func Choices[V ~string](values ...V) Kind[[]V] {
	return Kind[[]V]{
		func(*Document) Schema { return ArrayOf(Schema{"type": "string", "enum": values}) },
		func(v *Values, name string) (all []V, given bool) {
			words, given := v.joined(name)
			for _, word := range words {
				if chosen(v, name, word, values) {
					all = append(all, V(word))
				}
			}
			return all, given
		},
	}
}

func chosen[V ~string](v *Values, name, value string, values []V) bool {
	if slices.Contains(values, V(value)) {
		return true
	}
	v.Problems.Add(name, value, "must be one of %s", joined(values))
	return false
}

// Parameter is a parameter of query strings that are read as a T.
type Parameter[T any] struct {
	name, description string
	schema            func(*Document) Schema
	read              func(into *T, v *Values)
}

// Param declares a parameter. set takes what was read, or the fallback of one that is absent; without any it is not called.
func Param[T, V any](name string, k Kind[V], description string, set func(*T, V)) Parameter[T] {
	return Parameter[T]{name, description, k.schema, func(into *T, v *Values) {
		if value, given := k.read(v, name); given {
			set(into, value)
		}
	}}
}

// Query declares the parameters of a query string. Others are ignored.
type Query[T any] []Parameter[T]

// Read reads a query string and then asks the use case for its own problems; all are reported together. check may be nil.
func (q Query[T]) Read(rawQuery string, check func(*T, *fault.Problems)) (T, error) {
	var into T
	v := parse(rawQuery)
	for _, p := range q {
		p.read(&into, v)
	}
	if check != nil {
		check(&into, &v.Problems)
	}
	return into, v.err()
}

// Parameters returns the parameters as the document has them.
func (q Query[T]) Parameters(d *Document) []Schema {
	parameters := make([]Schema, len(q))
	for i, p := range q {
		s := p.schema(d)
		shown := Schema{"name": p.name, "in": "query", "schema": s}
		if s["$ref"] == nil {
			s.Describe(p.description)
		}
		shown.Describe(p.description)
		if s["type"] == "array" {
			shown["style"], shown["explode"] = "form", true
		}
		parameters[i] = shown
	}
	return parameters
}
