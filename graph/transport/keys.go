package transport

import (
	"context"
	"errors"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// Once runs a mutation at most once for an idempotency key, and gives its reply to each repetition. failed says that the reply
// reports an error; held, that the key counts; replayed, that the reply is that of an earlier, equal request.
type Once func(ctx context.Context, key string, hash []byte, run func(context.Context) (reply []byte, failed bool)) (reply []byte, held, replayed bool, err error)

// idempotencyKey is the key of a request to which keys apply, which are mutations in an environment with one of its API keys or by a person
// who is logged in (decisions.md §15); "" when it has none or none applies.
func (t httpTransport) idempotencyKey(r *http.Request, op *graphql.OperationContext) string {
	v, known := viewer.FromContext(r.Context())
	if !known || v.EnvironmentID == "" || credential(v) == "" || op.Operation.Operation != ast.Mutation || t.once == nil {
		return ""
	}
	return intake.IdempotencyKey(r.Header)
}

// credential is what a repetition has to be sent with: the same API key, or any log-in of the same person. It is "" of viewers without
// either, and of a person who has to set up a second factor first, who may do nothing else.
func credential(v viewer.Viewer) string {
	switch {
	case v.Enrolling:
		return ""
	case v.SessionID != "":
		return "person " + v.UserID
	}
	return v.APIKeyID
}

// underKey answers a mutation that has an idempotency key.
func (t httpTransport) underKey(
	ctx context.Context, w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, op *graphql.OperationContext, key string, leave func(),
) {
	v, _ := viewer.FromContext(ctx)
	// Of the credential, because the answer may hold what another one may not see.
	hash := intake.Fingerprint("POST", "/graphql", v.EnvironmentID, credential(v), op.RawQuery, op.OperationName, op.Variables)
	reply, held, replayed, err := t.once(ctx, key, hash, func(ctx context.Context) ([]byte, bool) {
		ctx, cancel := context.WithTimeoutCause(ctx, t.timeout, TimedOut{t.timeout})
		defer cancel()
		response := t.dispatch(ctx, w.Header(), exec, op)
		body, ok := encoded(response)
		return body, !ok || len(response.Errors) > 0
	})
	if held {
		w.Header().Set(intake.HeaderKey, intake.SentKey(r.Header))
	}
	var known *fault.Error
	if errors.As(err, &known) && known.Code == fault.CodeKeyInUse {
		w.Header().Set("Retry-After", "1")
	}
	if err != nil {
		WriteError(w, r, err)
		return
	}
	if replayed {
		w.Header().Set(intake.HeaderReplay, "true")
	}
	_ = finish(op, leave, intake.Answer(ctx, len(reply))) // it refuses no mutation
	send(w, r, http.StatusOK, reply)
}
