package graph

import (
	"context"
	"io"
	"log/slog"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/transport"
)

// What the tests of errors need from inside.
var (
	ErrTimeout = transport.ErrTimeout
	WriteError = transport.WriteError
)

// Present shows an error as an operation would, logging to log.
func Present(ctx context.Context, log io.Writer, err error) *gqlerror.Error {
	return presenter{slog.New(slog.NewJSONHandler(log, nil))}.present(ctx, err)
}
