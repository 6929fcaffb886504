package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// presenter gives every error its one shape: a message for the caller, its place, and extensions.code; with
// extensions.fields when fields are at fault, and extensions.errorId when the log has details.
type presenter struct{ logger *slog.Logger }

func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	shown := *graphql.DefaultErrorPresenter(ctx, err) // a copy: one failure may be shown in several places
	if code, ok := shown.Extensions["code"].(string); ok && code != "" {
		return &shown
	}
	var known *fault.Error
	classified := errors.As(err, &known) && known.Kind != fault.Internal
	if !classified && postgres.Stopped(ctx, err) {
		known, classified = &fault.Error{Kind: fault.Unavailable, Message: "The request ended before its answer.", Cause: err}, true
	}
	switch {
	case errors.Is(context.Cause(ctx), transport.ErrTimeout) && (!classified || known.Kind == fault.Unavailable):
		shown.Message, shown.Extensions = "The operation took too long and was stopped.", map[string]any{"code": transport.CodeTimeout}
		if late := (transport.TimedOut{}); errors.As(context.Cause(ctx), &late) {
			shown.Extensions["limit"] = late.Limit.Seconds()
		}
	case classified:
		known = withPlace(ctx, known)
		shown.Message, shown.Extensions = transport.MessageOf(known), transport.ExtensionsOf(known)
		if known.Kind == fault.Unavailable {
			shown.Extensions["errorId"] = p.log(ctx, &shown, err)
		}
	case isArgument(ctx): // a value of a scalar or an enumeration that inputs let pass
		wrong := &fault.Error{Kind: fault.Invalid, Message: fault.ValidationMessage, Fields: []fault.Field{{Path: inputPath(ctx, shown.Path), Message: "does not fit its type"}}}
		shown.Message, shown.Extensions = transport.MessageOf(wrong), transport.ExtensionsOf(wrong)
	default:
		id := p.log(ctx, &shown, err)
		shown.Message = "Internal server error. Quote the errorId when asking for help."
		shown.Extensions = map[string]any{"code": fault.Internal.String(), "errorId": id}
	}
	shown.Err = nil
	return &shown
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
	placed.Fields = []fault.Field{{Path: document.WithoutInput(path), Message: postgres.UnstorableText}}
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
			if found := unstorableIn(document.JoinPath(path, strconv.Itoa(i)), item); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !storable(name) {
				return path
			}
			if found := unstorableIn(strings.TrimPrefix(document.JoinPath(path, name), "."), v[name]); found != "" {
				return found
			}
		}
	}
	return ""
}

// isArgument reports whether the error arose while the arguments of a field were read, before its resolver ran.
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
	return document.WithoutInput(strings.Join(parts, "."))
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
	if postgres.Stopped(ctx, err) { // the client closed the connection, as it may as often as it likes
		level = slog.LevelDebug
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
