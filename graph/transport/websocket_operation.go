package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
)

// wsOperation is one operation of a connection.
type wsOperation struct {
	conn    *wsConn
	id      string
	held    *intake.Account
	seat    *admission.Seat
	ctx     context.Context //nolint:containedctx // of the operation
	cancel  context.CancelFunc
	respond graphql.ResponseHandler
	begun   chan struct{} // closed when it has begun, or ended without that
	stream  bool
	turns   turns
	finish  func(bytes int) error // of the answer to a query or mutation, see finish
}

// run runs the operation to its end, or leaves a subscription to its turns.
func (op *wsOperation) run(params *graphql.RawParams) {
	begun := sync.OnceFunc(func() { close(op.begun) })
	defer begun()
	defer op.recovered()
	start := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: start, End: start}
	ctx, exec := graphql.StartOperationTrace(op.ctx), op.conn.exec
	operation, problems := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, operation)
	if len(problems) > 0 {
		op.fail(exec.DispatchError(ctx, problems).Errors)
		return
	}
	operation.RawQuery = operation.Operation.Position.Src.Input // the same text, kept once for all connections
	if op.stream = operation.Operation.Operation == ast.Subscription; op.stream {
		ctx = context.WithValue(ctx, turnsKey{}, &op.turns)
	} else {
		limited, cancel := context.WithTimeoutCause(ctx, op.conn.timeout, TimedOut{op.conn.timeout})
		defer cancel()
		ctx = limited
	}
	leave, err := op.conn.entrance.enter(ctx, http.Header{}, operation)
	if err != nil {
		op.fail(exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}).Errors)
		return
	}
	defer leave()
	op.finish = func(bytes int) error { return finish(operation, leave, op.held.Answer(bytes)) }
	op.respond, op.ctx = exec.DispatchOperation(ctx, operation)
	if op.stream {
		leave()
		begun()
	}
	if op.turns.takes(op.next) {
		return
	}
	for goOn := true; goOn; {
		goOn = op.next()
	}
}

// next sends the next response; false after the last. A query or mutation has one.
func (op *wsOperation) next() (goOn bool) {
	defer op.recovered()
	response := op.respond(op.ctx)
	switch {
	case response == nil:
		op.complete()
		return false
	case op.stream && response.Data == nil:
		op.fail(response.Errors)
		return false
	}
	payload, err := json.Marshal(response)
	if err != nil {
		panic(err) // a scalar that wrote something other than JSON
	}
	if !op.stream {
		if err := op.finish(len(payload)); err != nil {
			op.fail(op.conn.exec.DispatchError(op.ctx, gqlerror.List{gqlerror.Wrap(err)}).Errors)
			return false
		}
	}
	op.conn.send(wsFrame{ID: op.id, Type: "next", Payload: payload})
	if !op.stream {
		op.complete()
	}
	return op.stream
}

func (op *wsOperation) complete() {
	if op.end() && !op.conn.ending() {
		op.conn.send(wsFrame{ID: op.id, Type: "complete"})
	}
}

func (op *wsOperation) recovered() {
	if p := recover(); p != nil {
		op.conn.logger.Error("an operation panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		op.fail(gqlerror.List{Refuse(fault.Internal.String(), nil, "Internal server error.")})
	}
}

func (op *wsOperation) fail(errs gqlerror.List) {
	if op.end() && !op.conn.ending() {
		op.conn.fail(op.id, errs)
	}
}

// end stops the operation and frees its id; false when that has happened already.
func (op *wsOperation) end() bool {
	op.conn.mu.Lock()
	mine := op.conn.operations[op.id] == op
	if mine {
		delete(op.conn.operations, op.id)
	}
	op.conn.mu.Unlock()
	op.cancel()
	op.release()
	return mine
}

// release gives back what the operation holds. A second call does nothing.
func (op *wsOperation) release() {
	op.held.Close()
	op.seat.Leave()
}
