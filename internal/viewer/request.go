package viewer

import "context"

type requestKey struct{}

// WithRequestID carries the id of the request that is being answered, which events keep and log lines show.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID is the id of the request being answered; "" outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
