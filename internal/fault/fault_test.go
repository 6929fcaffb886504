package fault_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
)

func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	var p fault.Problems
	for range 100_000 {
		p.Add("to", nil, "is wrong")
	}
	var f *fault.Error
	require.ErrorAs(t, p.Err(), &f)
	require.Len(t, f.Fields, 1001)
	require.Equal(t, "general", f.Fields[1000].Path)
}

func TestKindOf(t *testing.T) {
	t.Parallel()

	require.Equal(t, fault.Internal, fault.KindOf(io.EOF), "an unclassified error never blames the caller")
	require.Equal(t, fault.NotFound, fault.KindOf(fmt.Errorf("load: %w", fault.NotFoundf("Topic a was not found."))))
	require.Equal(t, fault.Unavailable, fault.KindOf(fault.Unavailablef(io.EOF, "The database is away.")))
	require.ErrorIs(t, fault.Unavailablef(io.EOF, "The database is away."), io.EOF)
}

func TestEveryKindHasAName(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for _, kind := range fault.Kinds() {
		require.NotEmpty(t, kind.String())
		require.False(t, seen[kind.String()])
		seen[kind.String()] = true
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()

	var p fault.Problems
	require.NoError(t, p.Err())
	require.NoError(t, p.Merge("x", nil))
	require.ErrorIs(t, p.Merge("x", io.EOF), io.EOF)

	p.Add("to", nil, "is required")
	require.NoError(t, p.Merge("steps.0", fault.Invalidf("email.subject", "is %s", "empty")))

	var err *fault.Error
	require.True(t, errors.As(p.Err(), &err))
	require.Equal(t, fault.ValidationMessage, err.Message)
	require.Equal(t, []fault.Field{{Path: "to", Message: "is required"}, {Path: "steps.0.email.subject", Message: "is empty"}}, err.Fields)
	require.Equal(t, "Validation Error: to: is required; steps.0.email.subject: is empty", err.Error())
}

func TestNotFoundRepeatsSoMuchOnly(t *testing.T) {
	t.Parallel()
	require.EqualError(t, fault.NotFoundf("Topic %s was not found.", "news"), "Topic news was not found.")
	text := fault.NotFoundf("Topic %s was not found.", strings.Repeat("ü", 100_000)).Error()
	require.Less(t, len(text), 10_000)
	require.True(t, utf8.ValidString(text))
}
