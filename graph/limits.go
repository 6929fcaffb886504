package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/carillon/carillon/internal/notify"
)

// Limits bound what one operation may ask for. A zero field means the default.
type Limits struct {
	// Depth is how many fields may lie within each other. Default 15.
	Depth int
	// Complexity is how many values may be asked for, a list counted by its page size. Default 25,000.
	Complexity int
	// Aliases is how many fields may be renamed, which is what allows to ask for one field many times. Default 100.
	Aliases int
	// Tokens is how many words and signs the text may have. Default 20,000.
	Tokens int
	// BodyBytes is the size of a request. Default 20 MiB and some: a trigger carries its attachments.
	BodyBytes int64
	// Timeout ends an operation, subscriptions excepted. Default 30 seconds.
	Timeout time.Duration
	// InitTimeout bounds the wait for a WebSocket's credential. Default 10 seconds.
	InitTimeout time.Duration
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Depth:      cmp.Or(l.Depth, 15),
		Complexity: cmp.Or(l.Complexity, 25_000),
		Aliases:    cmp.Or(l.Aliases, 100),
		Tokens:     cmp.Or(l.Tokens, 20_000),
		BodyBytes:  cmp.Or(l.BodyBytes, 21<<20),
		Timeout:    cmp.Or(l.Timeout, 30*time.Second),

		InitTimeout: cmp.Or(l.InitTimeout, 10*time.Second),
	}
}

const (
	// embeddedList stands for the length of a list without page size: such lists are part of their record.
	embeddedList = 5
	// countCost stands for the work of a total, which reads up to notify.CountCap index entries.
	countCost = 25
	// maxVisits bounds the measuring itself, since fragments let a short text name very many fields.
	maxVisits = 20_000
)

// ExtensionName names the limits among gqlgen's extensions.
func (Limits) ExtensionName() string { return "Limits" }

// Validate has nothing to check: every schema can be measured.
func (Limits) Validate(graphql.ExecutableSchema) error { return nil }

const (
	// maxSameName bounds how often one name may be asked for in a text: every two of them are held against each other.
	maxSameName = 500
	// shortText holds less than that.
	shortText = 2 * maxSameName
)

// MutateOperationParameters refuses a text that repeats a name too often, before it is validated: validation takes time by the
// square of it, asks for no credential, and does not end with its request.
func (l Limits) MutateOperationParameters(_ context.Context, request *graphql.RawParams) *gqlerror.Error {
	if len(request.Query) <= shortText {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: request.Query}, l.withDefaults().Tokens)
	if err != nil || doc == nil {
		return nil //nolint:nilerr // told by whoever parses it to run it
	}
	names := map[string]int{}
	for _, op := range doc.Operations {
		countNames(names, op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		countNames(names, fragment.SelectionSet)
	}
	for name, times := range names {
		if times > maxSameName {
			return refuse(codeComplexityLimit, bound(maxSameName, times), "The text names %s %d times, at most %d are allowed.", name, times, maxSameName)
		}
	}
	return nil
}

// countNames counts by the names under which fields are answered.
func countNames(names map[string]int, set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			names[s.Alias]++
			countNames(names, s.SelectionSet)
		case *ast.InlineFragment:
			countNames(names, s.SelectionSet)
		}
	}
}

// MutateOperationContext refuses an operation that asks for too much, before any of it runs.
func (l Limits) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	m := measure{variables: op.Variables}
	complexity := m.set(op.Operation.SelectionSet, 1, 0)
	switch {
	case m.depth > l.Depth:
		return refuse(codeDepthLimit, bound(l.Depth, m.depth), "The operation is %d levels deep, at most %d are allowed.", m.depth, l.Depth)
	case m.aliases > l.Aliases:
		return refuse(codeAliasLimit, bound(l.Aliases, m.aliases), "The operation has %d aliases, at most %d are allowed.", m.aliases, l.Aliases)
	case m.visits > maxVisits:
		return refuse(codeComplexityLimit, map[string]any{"limit": maxVisits}, "The operation names more than %d fields.", maxVisits)
	case complexity > l.Complexity:
		return refuse(codeComplexityLimit, bound(l.Complexity, complexity), "The operation asks for up to %d values, at most %d are allowed; ask for smaller pages.", complexity, l.Complexity)
	}
	return nil
}

// bound is what the error of a limit tells programs.
func bound(limit, actual int) map[string]any {
	return map[string]any{"limit": limit, "actual": actual}
}

// refuse is an error with its code, and with what else its extensions tell.
func refuse(code string, extensions map[string]any, format string, args ...any) *gqlerror.Error {
	err := gqlerror.Errorf(format, args...)
	err.Extensions = extensions
	errcode.Set(err, code)
	return err
}

// measure walks the fields of one operation.
type measure struct {
	variables              map[string]any
	depth, aliases, visits int
}

// set is the complexity of a selection set. page is the page size of the connection it belongs to, 0 for none.
func (m *measure) set(set ast.SelectionSet, depth, page int) (complexity int) {
	for _, selection := range set {
		if m.visits++; m.visits > maxVisits {
			return complexity
		}
		switch s := selection.(type) {
		case *ast.Field:
			complexity = add(complexity, m.field(s, depth, page))
		case *ast.FragmentSpread:
			complexity = add(complexity, m.set(s.Definition.SelectionSet, depth, page))
		case *ast.InlineFragment:
			complexity = add(complexity, m.set(s.SelectionSet, depth, page))
		}
	}
	return complexity
}

func (m *measure) field(f *ast.Field, depth, page int) int {
	if f.Alias != f.Name {
		m.aliases++
	}
	switch f.Name {
	case "__schema", "__type": // gqlparser bounds introspection itself
		return 1
	case "totalCount", "totalCountCapped":
		return countCost
	}
	m.depth = max(m.depth, depth)
	if len(f.SelectionSet) == 0 {
		return 1
	}
	if name := f.Definition.Type.Name(); strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Slice") {
		return add(1, m.set(f.SelectionSet, depth+1, m.pageSize(f)))
	}
	each := add(1, m.set(f.SelectionSet, depth+1, 0))
	switch {
	case f.Definition.Type.Elem == nil:
		return each
	case page > 0:
		return multiply(each, page)
	case f.Definition.Arguments.ForName("first") != nil:
		return multiply(each, m.pageSize(f))
	}
	return multiply(each, embeddedList)
}

// pageSize is how many items a field may answer with. Sizes out of range count as the largest; its resolver refuses them.
func (m *measure) pageSize(f *ast.Field) int {
	args := f.ArgumentMap(m.variables)
	for _, name := range []string{"first", "last", "limit"} {
		value, largest := args[name], notify.MaxPage
		if value == nil {
			continue
		}
		if name == "limit" {
			largest = notify.MaxSlice
		}
		text, err := json.Marshal(value) // an int64 of the text, or a number as the client's JSON had it
		var size int
		if err != nil || json.Unmarshal(text, &size) != nil || size < 1 || size > largest {
			return largest
		}
		return size
	}
	return notify.DefaultPage
}

func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func multiply(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
