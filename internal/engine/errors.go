package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
)

// recoverPanic turns a panic into an error, so that one row cannot end the process.
func recoverPanic(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}

// isInfrastructureError tells errors that say nothing about the row: the database is not there, or we are stopping.
func isInfrastructureError(ctx context.Context, err error) bool {
	return ctx.Err() != nil || fault.KindOf(postgres.Translate(err)) == fault.Unavailable
}

// asProviderError is err as adapters promise it. A panic may have happened after the request left, so that is unknown.
func asProviderError(err error) *provider.Error {
	if err == nil {
		return nil
	}
	var known *provider.Error
	if errors.As(err, &known) {
		return known
	}
	return provider.Failf(provider.Unknown, "the adapter broke down")
}
