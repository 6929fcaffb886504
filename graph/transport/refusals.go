package transport

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/fault"
)

// The codes of extensions.code that are not fault kinds. The rest are fault.Kind.String, the codes that a fault names
// itself, and GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, PERSISTED_QUERY_NOT_FOUND.
const (
	CodeTimeout         = "TIMEOUT"
	CodeDepthLimit      = "DEPTH_LIMIT_EXCEEDED"
	CodeComplexityLimit = "COMPLEXITY_LIMIT_EXCEEDED"
	CodeDocumentLimit   = "DOCUMENT_LIMIT_EXCEEDED"
	CodeUnauthenticated = "UNAUTHENTICATED"
	CodeAliasLimit      = "ALIAS_LIMIT_EXCEEDED"
	CodeBatchLimit      = "BATCH_LIMIT_EXCEEDED"
	CodeOperationLimit  = "OPERATION_LIMIT_EXCEEDED"
	CodeIntrospection   = "INTROSPECTION_OFF"
	CodeNotAllowed      = "PERSISTED_QUERY_NOT_ALLOWED"
)

// maxShownValue bounds what of an offending value is sent back, as REST does (decisions.md §14).
const maxShownValue = 1024

// ErrTimeout is the cause of a context that ended because the operation took too long.
var ErrTimeout = errors.New("the operation took too long")

// TimedOut is ErrTimeout with the limit that was passed.
type TimedOut struct{ Limit time.Duration }

// Error never reaches a caller.
func (TimedOut) Error() string { return ErrTimeout.Error() }

// Is makes it an ErrTimeout.
func (TimedOut) Is(target error) bool { return target == ErrTimeout }

// Refuse returns an error with its code, and with what else its extensions carry.
func Refuse(code string, extensions map[string]any, format string, args ...any) *gqlerror.Error {
	err := gqlerror.Errorf(format, args...)
	err.Extensions = extensions
	errcode.Set(err, code)
	return err
}

// Exceeded is what the refusal of a limit carries for programs.
func Exceeded(limit, actual int) map[string]any {
	return map[string]any{"limit": limit, "actual": actual}
}

// MessageOf returns the message of a failure with its fields named, for clients that show nothing else.
func MessageOf(f *fault.Error) string {
	if len(f.Fields) == 0 || f.Kind != fault.Invalid { // the message of another kind says itself what is wrong
		return f.Message
	}
	parts := make([]string, len(f.Fields))
	for i, field := range f.Fields {
		parts[i] = field.Path + ": " + field.Message
	}
	return f.Message + ": " + strings.Join(parts, "; ")
}

// ExtensionsOf returns what the extensions of a failure carry: its code, its details and the problems of its fields.
func ExtensionsOf(f *fault.Error) map[string]any {
	extensions := make(map[string]any, len(f.Details)+2)
	maps.Copy(extensions, f.Details)
	extensions["code"] = f.PublicCode()
	if len(f.Fields) > 0 {
		fields := make([]map[string]any, len(f.Fields))
		for i, field := range f.Fields {
			fields[i] = map[string]any{"path": field.Path, "message": field.Message}
			if text, ok := shownValue(field.Value); ok {
				fields[i]["value"] = json.RawMessage(text)
			}
		}
		extensions["fields"] = fields
	}
	return extensions
}

// shownValue is an offending value as it is sent back, unless it is long, or a number that no reader could decode.
func shownValue(value any) (text []byte, ok bool) {
	text, err := json.Marshal(value)
	return text, value != nil && err == nil && len(text) <= maxShownValue && json.Unmarshal(text, new(any)) == nil
}
