package state

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
)

// RecoverPanic turns a panic into an error, so that one row cannot end the process.
func RecoverPanic(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}

// IsInfrastructure reports whether err says nothing about the row: the database is unreachable, or the process is stopping.
func IsInfrastructure(ctx context.Context, err error) bool {
	return ctx.Err() != nil || fault.KindOf(postgres.Translate(err)) == fault.Unavailable
}

// AsProviderError is err as adapters promise it. A panic may have happened after the request left, so that is unknown.
func AsProviderError(err error) *provider.Error {
	if err == nil {
		return nil
	}
	var known *provider.Error
	if errors.As(err, &known) {
		return known
	}
	return provider.Failf(provider.Unknown, "the adapter broke down")
}
