package document

import (
	"context"
	"errors"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/viewer"
)

// reader reads the texts of operations for gqlgen's executor, which would validate whatever it is sent, at any cost: a text
// is scanned before it is parsed, measured before it is validated, and validation ends when too much is wrong. It keeps
// what was valid. Every transport passes it.
type reader struct {
	limits    Limits
	secretive bool // keeps the names of the schema out of errors
	schema    *ast.Schema
	kept      *cache
}

// ExtensionName names it among gqlgen's extensions.
func (*reader) ExtensionName() string { return "Documents" }

// Validate learns the schema.
func (d *reader) Validate(schema graphql.ExecutableSchema) error {
	d.schema = schema.Schema()
	return nil
}

// MutateOperationParameters hands the executor a valid document. What does not parse, or is invalid at few places, the
// executor reads once more, to report all that is wrong with it.
func (d *reader) MutateOperationParameters(ctx context.Context, request *graphql.RawParams) *gqlerror.Error {
	_, known := viewer.FromContext(ctx)
	op := graphql.GetOperationContext(ctx)
	if known {
		if doc, kept := d.kept.get(request.Query); kept {
			return d.hand(op, doc, request)
		}
	}
	bounds := d.limits.Document
	if !known {
		bounds = Stranger
	}
	if err := bounds.Scan(request.Query); err != nil {
		return err
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: request.Query}, bounds.Tokens)
	if err != nil || len(doc.Operations) == 0 {
		return nil //nolint:nilerr // reported by the executor
	}
	if !known && !public(doc) {
		return transport.Refuse(transport.CodeUnauthenticated, nil, "Send an API key: Authorization: ApiKey <key>.")
	}
	if err := MeasureWork(doc); err != nil {
		return err
	}
	problems := d.validate(doc)
	if err := d.refuseLiterals(doc, problems); err != nil {
		return err
	}
	switch {
	case len(problems) > 0 && d.secretive: // the texts of problems name fields, types and arguments
		refusal := transport.Refuse(errcode.ValidationFailed, nil, "The document does not fit the schema, by the rule %s.", problems[0].Rule)
		refusal.Locations = problems[0].Locations
		return refusal
	case len(problems) > maxProblems:
		return transport.Refuse(errcode.ValidationFailed, nil, "%s The text has more than %d mistakes.", problems[0].Message, maxProblems)
	case len(problems) == 0:
		if known {
			d.kept.add(request.Query, doc)
		}
		return d.hand(op, doc, request)
	}
	return nil
}

// hand gives the executor a valid document, unless the variables do not fit the operation.
func (d *reader) hand(op *graphql.OperationContext, doc *ast.QueryDocument, request *graphql.RawParams) *gqlerror.Error {
	op.Doc = doc
	operation := doc.Operations.ForName(request.OperationName)
	switch {
	case operation != nil:
		return d.refuseVariables(operation, request.Variables)
	case request.OperationName == "":
		return transport.Refuse(errcode.ValidationFailed, nil, "The text has %d operations: choose one by operationName.", len(doc.Operations))
	}
	return transport.Refuse(errcode.ValidationFailed, nil, "The text has no operation of the name %q.", request.OperationName)
}

// Get is the document that MutateOperationParameters found valid.
func (d *reader) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	doc := graphql.GetOperationContext(ctx).Doc
	return doc, doc != nil
}

// Add keeps nothing: a valid document is kept already.
func (*reader) Add(context.Context, string, *ast.QueryDocument) {}

// maxProblems is how many problems of one document are reported. Finding each takes a comparison with many names.
const maxProblems = 20

var errProblems = errors.New("too many problems")

// validate returns the problems of a document, the first of them when there are more than maxProblems.
func (d *reader) validate(doc *ast.QueryDocument) (problems gqlerror.List) {
	defer func() {
		if p := recover(); p != nil && p != any(errProblems) {
			panic(p)
		}
	}()
	counted := &rules.Rules{}
	for name, rule := range rules.NewDefaultRules().GetInner() {
		counted.AddRule(name, func(observers *core.Events, _ core.AddErrFunc) {
			rule(observers, func(options ...core.ErrorOption) {
				problem := &gqlerror.Error{Rule: name}
				for _, option := range options {
					option(problem)
				}
				if problems = append(problems, problem); len(problems) > maxProblems {
					panic(errProblems) // the rules know no other way to end
				}
			})
		})
	}
	_ = validator.ValidateWithRules(d.schema, doc, counted) // collected above
	return problems
}

// cache keeps parsed documents by their text, up to keptText bytes of texts: a document takes a hundred times the
// memory of its text.
type cache struct {
	mu    sync.Mutex
	texts simplelru.LRU[string, *ast.QueryDocument]
	size  int
}

const (
	keptText    = 512 << 10
	maxKeptText = 16 << 10 // of one document: what is larger carries data, and does not come twice
)

func newCache() *cache {
	c := &cache{}
	texts, err := simplelru.NewLRU(1<<20, func(text string, _ *ast.QueryDocument) { c.size -= len(text) })
	if err != nil {
		panic(err) // its size is positive
	}
	c.texts = *texts
	return c
}

func (c *cache) get(text string) (*ast.QueryDocument, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts.Get(text)
}

func (c *cache) add(text string, doc *ast.QueryDocument) {
	if len(text) > maxKeptText {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.texts.Contains(text) {
		c.size += len(text)
	}
	c.texts.Add(text, doc)
	for c.size > keptText {
		c.texts.RemoveOldest()
	}
}
