package document

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	schematype "github.com/99designs/gqlgen/graphql/introspection"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/time/rate"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/fault"
)

// introspection answers questions about the schema. They are measured by what the schema holds; answers are kept, since the
// schema never changes and tools all ask the same; and large ones that are not kept are answered one at a time, and not often.
type introspection struct {
	sizes map[string]float64 // how long lists of the schema are, by field of a type of introspection
	line  chan struct{}      // those who wait, and the one whose turn it is
	turn  chan struct{}
	large *rate.Limiter

	mu   sync.Mutex
	kept *simplelru.LRU[string, *graphql.Response]
	size int
}

const (
	// maxIntrospected is how many values of the schema one question may ask for; tools ask for 52,000. Each takes some 500 bytes.
	maxIntrospected = 75_000
	// largeIntrospection is from where on a question counts as large, and what several together may ask for.
	largeIntrospection = 8_000
	// keptIntrospection is how many bytes of answers are kept.
	keptIntrospection = 4 << 20
	// maxInLine bounds how many questions wait: they work, as far as others can tell, and would take the turns of all calls.
	maxInLine = 16
)

func newIntrospection(schema *ast.Schema) *introspection {
	i := &introspection{sizes: listSizes(schema), line: make(chan struct{}, maxInLine), turn: make(chan struct{}, 1), large: rate.NewLimiter(rate.Every(10*time.Second), 10)}
	kept, err := simplelru.NewLRU(1<<10, func(text string, r *graphql.Response) { i.size -= len(text) + len(r.Data) })
	if err != nil {
		panic(err) // its size is positive
	}
	i.kept = kept
	return i
}

// listSizes are the lengths of the schema's lists: of those below a type the mean, since most questions are about all types.
func listSizes(schema *ast.Schema) map[string]float64 {
	var types, fields, args, inputs, values, possible float64
	for _, t := range schema.Types {
		types++
		values += float64(len(t.EnumValues))
		possible += float64(len(schema.PossibleTypes[t.Name]))
		if t.Kind == ast.InputObject {
			inputs += float64(len(t.Fields))
			continue
		}
		fields += float64(len(t.Fields))
		args += arguments(t)
	}
	return map[string]float64{
		"__Schema.types": types, "__Schema.directives": float64(len(schema.Directives)),
		"__Type.fields": fields / types, "__Type.inputFields": inputs / types, "__Type.enumValues": values / types,
		"__Type.interfaces": 1, "__Type.possibleTypes": possible / types, "__Field.args": args / fields,
		"__Directive.args": 2, "__Directive.locations": 3,
		"__Type.ofType": 0.5, // most types are the end of that chain
		// The largest type, against the mean.
		"Query.__type": (float64(len(schema.Query.Fields)) + arguments(schema.Query)) / ((fields + args) / types),
	}
}

func arguments(t *ast.Definition) (n float64) {
	for _, f := range t.Fields {
		n += float64(len(f.Arguments))
	}
	return n
}

// values is how many values the fields of a selection ask for, if they are about the schema.
func (i *introspection) values(set ast.SelectionSet, visits *int) (sum float64) {
	for _, selection := range set {
		if *visits++; *visits > maxVisits {
			return maxIntrospected + 1
		}
		switch s := selection.(type) {
		case *ast.Field:
			times, list := i.sizes[s.ObjectDefinition.Name+"."+s.Name]
			if !list {
				times = 1
			}
			sum += times * (1 + i.values(s.SelectionSet, visits))
		case *ast.InlineFragment:
			sum += i.values(s.SelectionSet, visits)
		case *ast.FragmentSpread:
			sum += i.values(s.Definition.SelectionSet, visits)
		}
	}
	return sum
}

// ExtensionName names it among gqlgen's extensions.
func (*introspection) ExtensionName() string { return "BoundIntrospection" }

// Validate has nothing to check.
func (*introspection) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses to list too much of the schema in one answer.
func (i *introspection) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	visits, about := 0, rootsOf(op.Operation.SelectionSet).about
	sum := int(i.values(about, &visits)) // fragments have no cycles: the operation is valid
	limit := maxIntrospected
	if len(about) > 1 {
		limit = largeIntrospection
	}
	if sum > limit {
		return transport.Refuse(transport.CodeComplexityLimit, transport.Exceeded(limit, sum), "The operation asks for about %d values of the schema, at most %d are allowed; /graphql/schema.graphql is all of it.", sum, limit)
	}
	return nil
}

// roots are what an operation asks for, by the fields at its root.
type roots struct {
	about  ast.SelectionSet // the schema
	others bool             // and something else
}

// rootsOf looks into each fragment once: named again it answers nothing more, and following it again would double the time with
// each level of fragments. It has no bound of its own, and is asked before the operation is measured.
func rootsOf(set ast.SelectionSet) (found roots) {
	seen := map[string]bool{}
	var collect func(ast.SelectionSet)
	collect = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if strings.HasPrefix(s.Name, "__") && s.Name != "__typename" {
					found.about = append(found.about, s)
				} else {
					found.others = true
				}
			case *ast.FragmentSpread:
				if !seen[s.Name] {
					seen[s.Name] = true
					collect(s.Definition.SelectionSet)
				}
			case *ast.InlineFragment:
				collect(s.SelectionSet)
			}
		}
	}
	collect(set)
	return found
}

// InterceptResponse answers an operation that is about nothing but the schema from what is kept.
func (i *introspection) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if !graphql.HasOperationContext(ctx) {
		return next(ctx)
	}
	op := graphql.GetOperationContext(ctx)
	if op.Operation == nil || op.Operation.Operation != ast.Query {
		return next(ctx)
	}
	asked := rootsOf(op.Operation.SelectionSet)
	if len(asked.about) == 0 {
		return next(ctx)
	}
	key := op.OperationName + "\n" + op.RawQuery
	keeps := len(op.Variables) == 0 && !asked.others // the same for all callers
	if kept := i.get(key); keeps && kept != nil {
		return kept
	}
	select {
	case i.line <- struct{}{}:
		defer func() { <-i.line }()
	default:
		return askedTooMuch()
	}
	select {
	case i.turn <- struct{}{}:
		defer func() { <-i.turn }()
	case <-ctx.Done():
		return graphql.ErrorResponse(ctx, "The operation took too long and was stopped.")
	}
	if kept := i.get(key); keeps && kept != nil {
		return kept
	}
	visits := 0
	if i.values(asked.about, &visits) > largeIntrospection && !i.large.Allow() {
		return askedTooMuch()
	}
	response := next(ctx)
	if keeps && response != nil && len(response.Errors) == 0 {
		i.keep(key, response)
	}
	return response
}

func askedTooMuch() *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{transport.Refuse(fault.RateLimited.String(), nil,
		"The schema was asked for in too many ways. Ask again in 10 seconds, or read /graphql/schema.graphql.")}}
}

// ofKinds are the fields of __Type that only some kinds of types have.
var ofKinds = map[string][]string{
	"fields": {"OBJECT", "INTERFACE"}, "interfaces": {"OBJECT", "INTERFACE"}, "possibleTypes": {"INTERFACE", "UNION"},
	"enumValues": {"ENUM"}, "inputFields": {"INPUT_OBJECT"}, "isOneOf": {"INPUT_OBJECT"},
}

// InterceptField answers null for what other kinds of types do not have, as GraphQL's specification has it: gqlgen answers empty lists,
// which programs take for the lists of a type that has them.
func (*introspection) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if field := graphql.GetFieldContext(ctx); field.Object == "__Type" {
		of, _ := field.Parent.Result.(*schematype.Type)
		kinds, some := ofKinds[field.Field.Name]
		if some && of != nil && !slices.Contains(kinds, of.Kind()) {
			return nil, nil
		}
	}
	return next(ctx)
}

func (i *introspection) get(key string) *graphql.Response {
	i.mu.Lock()
	defer i.mu.Unlock()
	kept, _ := i.kept.Get(key)
	if kept == nil {
		return nil
	}
	return &graphql.Response{Data: kept.Data}
}

func (i *introspection) keep(key string, response *graphql.Response) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.kept.Contains(key) {
		return
	}
	i.size += len(key) + len(response.Data)
	i.kept.Add(key, &graphql.Response{Data: response.Data})
	for i.size > keptIntrospection {
		i.kept.RemoveOldest()
	}
}
