// Package scalar maps GraphQL values to Go values where the two spell them differently: enumerations are upper case
// outside and lower case inside, and an empty Go text is null outside.
package scalar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/internal/workflow"
)

// MarshalLower shows a lower-case text as an enumeration's value; "" is null.
func MarshalLower(v string) graphql.Marshaler { return upper(v) }

// UnmarshalLower is the inverse of MarshalLower.
func UnmarshalLower(v any) (string, error) { return lower[string](v) }

// MarshalSame shows a text as an enumeration's value that is spelled alike; "" is null.
func MarshalSame(v string) graphql.Marshaler {
	if v == "" {
		return graphql.Null
	}
	return graphql.MarshalString(v)
}

// UnmarshalSame is the inverse of MarshalSame.
func UnmarshalSame(v any) (string, error) { return graphql.UnmarshalString(v) }

// MarshalUnit shows a unit of time; an unset one is null.
func MarshalUnit(v workflow.Unit) graphql.Marshaler { return upper(v) }

// UnmarshalUnit is the inverse of MarshalUnit.
func UnmarshalUnit(v any) (workflow.Unit, error) { return lower[workflow.Unit](v) }

// MarshalOrigin shows how a workflow came to be.
func MarshalOrigin(v workflow.Origin) graphql.Marshaler {
	return upper(strings.ReplaceAll(string(v), "-", "_"))
}

// UnmarshalOrigin is the inverse of MarshalOrigin.
func UnmarshalOrigin(v any) (workflow.Origin, error) {
	text, err := lower[string](v)
	return workflow.Origin(strings.ReplaceAll(text, "_", "-")), err
}

// ordinals are the values of DigestOrdinal in GraphQL, whose names cannot begin with a digit.
var ordinals = map[string]string{"FIRST": "1", "SECOND": "2", "THIRD": "3", "FOURTH": "4", "FIFTH": "5", "LAST": "last"}

// MarshalOrdinal shows "1" as FIRST and so on; "" is null.
func MarshalOrdinal(v string) graphql.Marshaler {
	for name, inside := range ordinals {
		if inside == v {
			return graphql.MarshalString(name)
		}
	}
	return graphql.Null
}

// UnmarshalOrdinal is the inverse of MarshalOrdinal.
func UnmarshalOrdinal(v any) (string, error) {
	name, err := graphql.UnmarshalString(v)
	inside, ok := ordinals[name]
	if err == nil && name != "" && !ok {
		err = fmt.Errorf("%s is no ordinal", name)
	}
	return inside, err
}

// MarshalStringMap shows an object whose values are texts.
func MarshalStringMap(v map[string]string) graphql.Marshaler {
	if v == nil {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		_ = json.NewEncoder(w).Encode(v) // strings always encode, and the writer keeps its own error
	})
}

// UnmarshalStringMap is the inverse of MarshalStringMap.
func UnmarshalStringMap(v any) (map[string]string, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("must be an object whose values are texts")
	}
	out := make(map[string]string, len(object))
	for name, value := range object {
		text, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("the value of %s must be a text", name)
		}
		out[name] = text
	}
	return out, nil
}

func upper[T ~string](v T) graphql.Marshaler {
	if v == "" {
		return graphql.Null
	}
	return graphql.MarshalString(strings.ToUpper(string(v)))
}

func lower[T ~string](v any) (T, error) {
	text, err := graphql.UnmarshalString(v)
	return T(strings.ToLower(text)), err
}
