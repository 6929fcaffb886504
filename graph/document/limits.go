package document

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Limits bound what one operation may ask for. A zero field means the default.
type Limits struct {
	// Depth is how many fields may lie within each other. Default 15.
	Depth int
	// Complexity is how many values may be asked for, a list counted by its page size. Default 25,000.
	Complexity int
	// Aliases is how many fields may be renamed, which is what allows to ask for one field many times. Default 100.
	Aliases int
	// Document bounds the text.
	Document Bounds
	// BodyBytes is the size of a request. Default 32 MiB: a trigger carries its attachments.
	BodyBytes int64
	// ReadBytes is how many bytes of texts and JSON a query or mutation may read from the database. Default 128 MiB.
	ReadBytes int64
	// Timeout ends an operation, subscriptions excepted. Default 30 seconds.
	Timeout time.Duration
	// InitTimeout bounds the wait for a WebSocket's credential. Default 10 seconds.
	InitTimeout time.Duration
	// ReadTimeout is how long a WebSocket or event stream may leave unread what it is sent. Default 10 seconds.
	ReadTimeout time.Duration
}

// WithDefaults returns the limits with the defaults of those that are zero.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Depth:      cmp.Or(l.Depth, 15),
		Complexity: cmp.Or(l.Complexity, 25_000),
		Aliases:    cmp.Or(l.Aliases, 100),
		Document:   l.Document.WithDefaults(),
		BodyBytes:  cmp.Or(l.BodyBytes, 32<<20),
		ReadBytes:  cmp.Or(l.ReadBytes, 128<<20),
		Timeout:    cmp.Or(l.Timeout, 30*time.Second),

		InitTimeout: cmp.Or(l.InitTimeout, 10*time.Second),
		ReadTimeout: cmp.Or(l.ReadTimeout, 10*time.Second),
	}
}

const (
	// embeddedList is the assumed length of a list without page size: such lists are part of their record.
	embeddedList = 5
	// countCost is the assumed work of a total, which reads up to usecase.CountCap index entries.
	countCost = 25
	// configurationCost is the work of planning or applying a configuration, which saves up to thousands of resources: an
	// operation may do one of it.
	configurationCost = 20_000
	// importCost is the work of an import, which stores up to audience.MaxImportRows rows: an operation may do one of it.
	importCost = 15_000
	// previewCost is the work of an audience's preview, which tries a filter on up to 10,000 subscribers.
	previewCost = 10_000
	// runsCost is the work of computing when a schedule runs.
	runsCost = 50
	// templatesCost is the work of a look at all templates and translations of an environment.
	templatesCost = 2_500
	// bulkCost is the work of a call that writes up to audience.MaxBulkSubscribers subscribers, beside what it answers.
	bulkCost = 2_500
	// maxVisits bounds the measuring itself, since fragments let a short text name very many fields.
	maxVisits = 20_000
)

// ExtensionName names the limits among gqlgen's extensions.
func (Limits) ExtensionName() string { return "Limits" }

// Validate has nothing to check: every schema can be measured.
func (Limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation that asks for too much, before any of it runs.
func (l Limits) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	m := measure{variables: op.Variables}
	complexity := m.set(op.Operation.SelectionSet, 1, 0)
	switch {
	case m.depth > l.Depth:
		return transport.Refuse(transport.CodeDepthLimit, transport.Exceeded(l.Depth, m.depth), "The operation is %d levels deep, at most %d are allowed.", m.depth, l.Depth)
	case m.aliases > l.Aliases:
		return transport.Refuse(transport.CodeAliasLimit, transport.Exceeded(l.Aliases, m.aliases), "The operation has %d aliases, at most %d are allowed.", m.aliases, l.Aliases)
	case m.visits > maxVisits:
		return transport.Refuse(transport.CodeComplexityLimit, map[string]any{"limit": maxVisits}, "The operation names more than %d fields.", maxVisits)
	case complexity > l.Complexity:
		return transport.Refuse(transport.CodeComplexityLimit, transport.Exceeded(l.Complexity, complexity), "The operation asks for up to %d values, at most %d are allowed; ask for smaller pages, or do less at once.", complexity, l.Complexity)
	}
	return nil
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
	case "__schema", "__type": // measured by introspection
		return 1
	case "totalCount", "totalCountCapped":
		return countCost
	}
	m.depth = max(m.depth, depth)
	switch f.Name {
	case "configurationPlan", "applyConfiguration", "promotionPlan", "promote", "undoPromotion":
		return add(configurationCost, m.set(f.SelectionSet, depth+1, 0))
	case "nextRuns", "triggerSchedulePreview":
		return runsCost
	case "audiencePreview":
		return add(previewCost, m.set(f.SelectionSet, depth+1, 0))
	case "importSubscribers":
		return add(importCost, m.set(f.SelectionSet, depth+1, audience.MaxImportRejected))
	case "upsertSubscribers", "deleteSubscribers":
		return add(bulkCost, m.set(f.SelectionSet, depth+1, m.given(f)))
	}
	if len(f.SelectionSet) == 0 {
		return 1
	}
	cost := 1
	if f.Name == "missingTranslations" {
		cost = templatesCost
	}
	if name := f.Definition.Type.Name(); strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Slice") {
		return add(cost, m.set(f.SelectionSet, depth+1, m.pageSize(f)))
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
		value, largest := args[name], usecase.MaxPage
		if value == nil {
			continue
		}
		if name == "limit" {
			largest = authoring.MaxSlice
		}
		text, err := json.Marshal(value) // an int64 of the text, or a number as the client's JSON had it
		var size int
		if err != nil || json.Unmarshal(text, &size) != nil || size < 1 || size > largest {
			return largest
		}
		return size
	}
	return usecase.DefaultPage
}

// given is how many items a call is given in its list, each of which it may answer. Its resolver refuses more than the most.
func (m *measure) given(f *ast.Field) int {
	given := 1 // one value makes a list
	for _, value := range f.ArgumentMap(m.variables) {
		if list := reflect.ValueOf(value); list.Kind() == reflect.Slice {
			given = max(given, list.Len())
		}
	}
	return min(given, audience.MaxBulkSubscribers)
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
