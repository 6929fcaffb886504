package transport

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/viewer"
)

// entrance is what an operation that was read and found valid passes before it runs: the rate limits, and the queue of those
// that wait for their turn. Every transport passes it.
type entrance struct {
	limiter admission.Limiter // nil: none
	gates   admission.Gates
	urgent  func(environmentID, workflow string) bool
}

// accepting are the mutations that accept events, and what each counts (decisions.md §16).
var accepting = map[string]int{"triggerEvent": 1, "broadcastEvent": admission.BulkCost, "bulkTriggerEvents": admission.BulkCost}

// enter waits until an operation may run, which ends with leave. A subscription leaves as soon as it has begun: then it does
// little at a time.
func (e entrance) enter(ctx context.Context, header http.Header, op *graphql.OperationContext) (leave func(), err error) {
	v, known := viewer.FromContext(ctx)
	call, cost := admission.RequestOf(v), 0
	if !known {
		call = admission.StrangersRequest(ctx)
	}
	for _, f := range rootFieldsOf(op.Operation.SelectionSet) {
		each := accepting[f.Name]
		if cost += each; each > 0 && op.Operation.Operation == ast.Mutation {
			call.Accepts = true
			call.Urgent = call.Urgent || f.Name == "triggerEvent" && e.isUrgent(v, f, op)
		}
	}
	if known && e.limiter != nil {
		category := admission.CategoryConfiguration
		if call.Accepts {
			category = admission.CategoryTrigger
		}
		if err := e.limiter.Limit(ctx, header, v, category, max(cost, 1)); err != nil {
			return nil, err //nolint:wrapcheck // classified
		}
	}
	call.Begins = op.Operation.Operation == ast.Subscription
	return e.gates.Enter(ctx, call) //nolint:wrapcheck // classified
}

// finish is what follows the work of a query or mutation. Its turn ends before its answer is sent: a caller who reads slowly, or not at
// all, would keep it from all others. room says whether there is memory for the answer meanwhile. Where there is none a query is refused; a
// mutation has happened, and keeps its turn until its answer is sent.
func finish(op *graphql.OperationContext, leave func(), room error) (refused error) {
	if room != nil && op.Operation.Operation == ast.Mutation {
		return nil
	}
	leave()
	return room
}

func (e entrance) isUrgent(v viewer.Viewer, f *ast.Field, op *graphql.OperationContext) bool {
	input, _ := f.ArgumentMap(op.Variables)["input"].(map[string]any)
	name, _ := input["name"].(string)
	return e.urgent(v.EnvironmentID, name)
}

// rootFieldsOf are the fields of an operation's root, those of fragments included.
func rootFieldsOf(set ast.SelectionSet) (fields []*ast.Field) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			fields = append(fields, s)
		case *ast.FragmentSpread:
			fields = append(fields, rootFieldsOf(s.Definition.SelectionSet)...)
		case *ast.InlineFragment:
			fields = append(fields, rootFieldsOf(s.SelectionSet)...)
		}
	}
	return fields
}
