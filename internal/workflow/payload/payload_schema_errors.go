package payload

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// schemaError is why a payload schema cannot be compiled, for its author: where in the schema, and what must be there.
func schemaError(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var violation *jsonschema.ValidationError
	var outside *jsonschema.LoadURLError
	var missing *jsonschema.JSONPointerNotFoundError
	var pattern *jsonschema.InvalidRegexError
	switch {
	case errors.As(err, &invalid) && errors.As(invalid.Err, &violation):
		choice := false
		for len(violation.Causes) > 0 { // inner nodes only say that a part failed
			_, choice = violation.ErrorKind.(*kind.AnyOf)
			violation = violation.Causes[len(violation.Causes)-1]
		}
		place := "the schema itself"
		if len(violation.InstanceLocation) > 0 {
			place = strings.Join(violation.InstanceLocation, ".")
		}
		if format, ok := violation.ErrorKind.(*kind.Format); ok && errors.Is(format.Err, errPattern) {
			return fmt.Errorf("payload schema: %s: %w", place, errPattern)
		}
		if at := violation.InstanceLocation; choice && len(at) > 0 && at[len(at)-1] == "type" { // its last cause says what a list would have to be
			return fmt.Errorf("payload schema: %s must be array, boolean, integer, null, number, object, string or a list of these", place)
		}
		return fmt.Errorf("payload schema: %s %s", place, faultText(violation.ErrorKind))
	case errors.As(err, &outside):
		return fmt.Errorf("payload schema: %w", outside.Err)
	case errors.As(err, &missing):
		return fmt.Errorf("payload schema: %s names no part of the schema", strings.TrimPrefix(missing.URL, schemaURL))
	case errors.As(err, &pattern):
		return fmt.Errorf("payload schema: %q is not a regular expression", pattern.Regex)
	}
	return fmt.Errorf("payload schema: %s", strings.ReplaceAll(err.Error(), schemaURL, ""))
}
