package authoring_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
)

// TestParents holds which group may lie in which: a is in b, b in c; x and y lie in a circle.
func TestParents(t *testing.T) {
	t.Parallel()
	above := func(group string) (string, error) {
		return map[string]string{"a": "b", "b": "c", "x": "y", "y": "x"}[group], nil
	}
	refused := fault.Invalidf("parent", "is the group itself or lies below it")
	for pair, want := range map[[2]string]error{
		{"a", "b"}: nil, {"a", "c"}: nil, {"d", "a"}: nil, {"c", "d"}: nil, {"a", ""}: nil, {"d", "x"}: nil,
		{"a", "a"}: refused, {"c", "a"}: refused, {"c", "b"}: refused, {"b", "a"}: refused, {"x", "y"}: refused,
	} {
		require.Equal(t, want, authoring.CheckParent(pair[0], pair[1], above), pair)
	}
	away := errors.New("no database")
	require.Equal(t, away, authoring.CheckParent("a", "b", func(string) (string, error) { return "", away }))
}
