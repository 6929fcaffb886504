package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// The codes of extensions.code that are not fault kinds. The rest are fault.Kind.String, the codes that a fault names
// itself, and GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, PERSISTED_QUERY_NOT_FOUND.
const (
	codeTimeout         = "TIMEOUT"
	codeDepthLimit      = "DEPTH_LIMIT_EXCEEDED"
	codeComplexityLimit = "COMPLEXITY_LIMIT_EXCEEDED"
	codeDocumentLimit   = "DOCUMENT_LIMIT_EXCEEDED"
	codeUnauthenticated = "UNAUTHENTICATED"
	codeAliasLimit      = "ALIAS_LIMIT_EXCEEDED"
	codeBatchLimit      = "BATCH_LIMIT_EXCEEDED"
	codeOperationLimit  = "OPERATION_LIMIT_EXCEEDED"
	codeIntrospection   = "INTROSPECTION_OFF"
	codeNotAllowed      = "PERSISTED_QUERY_NOT_ALLOWED"
)

// maxShownValue bounds what of an offending value is sent back, as REST does (decisions.md §14).
const maxShownValue = 1024

// errTimeout is the cause of a context that ended because the operation took too long.
var errTimeout = errors.New("the operation took too long")

// timedOut is errTimeout with the limit that was passed.
type timedOut struct{ limit time.Duration }

// Error never reaches a caller.
func (timedOut) Error() string { return errTimeout.Error() }

// Is makes it an errTimeout.
func (timedOut) Is(target error) bool { return target == errTimeout }

// presenter gives every error its one shape: a message for the caller, its place, and extensions.code; with
// extensions.fields when fields are at fault, and extensions.errorId when the log tells more.
type presenter struct{ logger *slog.Logger }

func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	shown := *graphql.DefaultErrorPresenter(ctx, err) // a copy: one failure may be shown in several places
	if code, ok := shown.Extensions["code"].(string); ok && code != "" {
		return &shown
	}
	var known *fault.Error
	classified := errors.As(err, &known) && known.Kind != fault.Internal
	switch {
	case errors.Is(context.Cause(ctx), errTimeout) && (!classified || known.Kind == fault.Unavailable):
		shown.Message, shown.Extensions = "The operation took too long and was stopped.", map[string]any{"code": codeTimeout}
		if late := (timedOut{}); errors.As(context.Cause(ctx), &late) {
			shown.Extensions["limit"] = late.limit.Seconds()
		}
	case classified:
		known = withPlace(ctx, known)
		shown.Message, shown.Extensions = messageOf(known), extensionsOf(known)
		if known.Kind == fault.Unavailable {
			shown.Extensions["errorId"] = p.log(ctx, &shown, err)
		}
	case isArgument(ctx): // a value of a scalar or an enumeration that inputs let pass
		wrong := &fault.Error{Kind: fault.Invalid, Message: fault.ValidationMessage, Fields: []fault.Field{{Path: inputPath(ctx, shown.Path), Message: "does not fit its type"}}}
		shown.Message, shown.Extensions = messageOf(wrong), extensionsOf(wrong)
	default:
		id := p.log(ctx, &shown, err)
		shown.Message = "Internal server error. Quote the errorId when asking for help."
		shown.Extensions = map[string]any{"code": fault.Internal.String(), "errorId": id}
	}
	shown.Err = nil
	return &shown
}

// messageOf names the fields in the message too, for clients that show nothing else.
func messageOf(f *fault.Error) string {
	if len(f.Fields) == 0 {
		return f.Message
	}
	parts := make([]string, len(f.Fields))
	for i, field := range f.Fields {
		parts[i] = field.Path + ": " + field.Message
	}
	return f.Message + ": " + strings.Join(parts, "; ")
}

func extensionsOf(f *fault.Error) map[string]any {
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

// withPlace is a refusal of the database with the path of the argument that holds the character which it cannot store; other
// failures stay as they are.
func withPlace(ctx context.Context, f *fault.Error) *fault.Error {
	field := graphql.GetFieldContext(ctx)
	if len(f.Fields) != 1 || f.Fields[0].Message != postgres.UnstorableText || field == nil || !graphql.HasOperationContext(ctx) {
		return f
	}
	path := unstorableIn("", field.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables))
	if path == "" {
		return f
	}
	placed := *f
	placed.Fields = []fault.Field{{Path: withoutInput(path), Message: postgres.UnstorableText}}
	return &placed
}

// unstorableIn is the path of the first text within a value that the database cannot hold, or of the object that has it for a
// key; "" without one.
func unstorableIn(path string, value any) string {
	storable := func(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }
	switch v := value.(type) {
	case string:
		if !storable(v) {
			return path
		}
	case []any:
		for i, item := range v {
			if found := unstorableIn(joined(path, strconv.Itoa(i)), item); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !storable(name) {
				return path
			}
			if found := unstorableIn(strings.TrimPrefix(joined(path, name), "."), v[name]); found != "" {
				return found
			}
		}
	}
	return ""
}

// shownValue is an offending value as it is sent back, unless it is long, or a number that no reader could decode.
func shownValue(value any) (text []byte, ok bool) {
	text, err := json.Marshal(value)
	return text, value != nil && err == nil && len(text) <= maxShownValue && json.Unmarshal(text, new(any)) == nil
}

// isArgument tells that the error arose while the arguments of a field were read, before its resolver ran.
func isArgument(ctx context.Context) bool {
	field := graphql.GetFieldContext(ctx)
	return field != nil && field.Args == nil && field.Field.Field != nil && len(field.Field.Arguments) > 0
}

// inputPath is the part of an error's path that lies within the arguments of its field.
func inputPath(ctx context.Context, path ast.Path) string {
	within := path[min(len(path), len(graphql.GetFieldContext(ctx).Path())):]
	if len(within) == 0 {
		return "general"
	}
	parts := make([]string, len(within))
	for i, element := range within {
		parts[i] = fmt.Sprint(element)
	}
	return withoutInput(strings.Join(parts, "."))
}

// log writes the cause once, under an id that the caller can quote.
func (p presenter) log(ctx context.Context, shown *gqlerror.Error, err error) (id string) {
	id = uuid.NewString()
	attrs := []any{slog.String("error_id", id), slog.String("path", shown.Path.String()), slog.String("error", err.Error())}
	var panicked *panicError
	if errors.As(err, &panicked) {
		attrs = append(attrs, slog.String("stack", panicked.stack))
	}
	level := slog.LevelError
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		level = slog.LevelInfo // the client left; nothing is wrong here
	}
	p.logger.Log(ctx, level, "graphql field failed", attrs...)
	return id
}

// panicError is a panic of a resolver, as an error that the presenter logs.
type panicError struct {
	value any
	stack string
}

// Error never reaches a caller.
func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

func recovered(_ context.Context, value any) error {
	return &panicError{value, string(debug.Stack())}
}
