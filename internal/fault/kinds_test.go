package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
)

// TestConstructors: each makes its kind, shows what it was given and its code.
func TestConstructors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err        error
		kind       fault.Kind
		code, text string
	}{
		{fault.BadRequestf("INVALID_CURSOR", "cursor %q", "x"), fault.BadRequest, "INVALID_CURSOR", `cursor "x"`},
		{fault.Conflictf("EXISTS", "%d of them", 2), fault.Conflict, "EXISTS", "2 of them"},
		{fault.Forbiddenf("not %s", "you"), fault.Forbidden, "FORBIDDEN", "not you"},
		{fault.Unauthenticatedf("who?"), fault.Unauthenticated, "UNAUTHENTICATED", "who?"},
		{fault.NotFoundf("no %s", "topic"), fault.NotFound, "NOT_FOUND", "no topic"},
		{fault.Invalidf("a.b", "is %d", 1), fault.Invalid, "VALIDATION", "Validation Error: a.b: is 1"},
		{fault.Unavailablef(io.EOF, "away"), fault.Unavailable, "UNAVAILABLE", "away: EOF"},
	} {
		var f *fault.Error
		require.ErrorAs(t, fmt.Errorf("deeper: %w", c.err), &f)
		require.Equal(t, c.kind, fault.KindOf(fmt.Errorf("deeper: %w", c.err)))
		require.Equal(t, c.code, f.PublicCode())
		require.EqualError(t, c.err, c.text)
	}
}

// TestRetrySeconds: only a whole number under the one name counts, however deep the error lies.
func TestRetrySeconds(t *testing.T) {
	t.Parallel()
	for want, err := range map[int]error{
		7: fmt.Errorf("deeper: %w", &fault.Error{Details: map[string]any{fault.RetryAfter: 7}}),
		0: &fault.Error{Details: map[string]any{fault.RetryAfter: "7"}},
	} {
		require.Equal(t, want, fault.RetrySeconds(err))
	}
	for _, err := range []error{nil, io.EOF, &fault.Error{}, &fault.Error{Details: map[string]any{"after": 7}}} {
		require.Zero(t, fault.RetrySeconds(err))
	}
}

// TestProblemsOfParts: what is wrong with a part is told under its path, and what is no validation goes its own way.
func TestProblemsOfParts(t *testing.T) {
	t.Parallel()
	var p fault.Problems
	require.False(t, p.Any())
	conflict := fault.Conflictf("EXISTS", "taken")
	require.Equal(t, conflict, p.Merge("a", conflict))
	require.False(t, p.Any(), "another kind of failure is no problem of a field")
	require.NoError(t, p.Merge("", fault.Invalidf("name", "is empty")))
	require.NoError(t, p.Merge("steps.1", fmt.Errorf("deeper: %w", fault.Invalidf("body", "is long"))))
	p.Add("to", 7, "must be %s", "a text")
	for path, want := range map[string]bool{"name": true, "steps.1.body": true, "to": true, "body": false, "steps.1": false, "": false} {
		require.Equal(t, want, p.At(path), path)
	}
	var f *fault.Error
	require.True(t, errors.As(p.Err(), &f))
	require.Equal(t, []fault.Field{
		{Path: "name", Message: "is empty"}, {Path: "steps.1.body", Message: "is long"}, {Path: "to", Message: "must be a text", Value: 7},
	}, f.Fields, "in the order found")
}
