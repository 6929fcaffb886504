package notifytest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
)

// RequireKind fails the test unless err is a failure of a kind.
func RequireKind(t *testing.T, kind fault.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, fault.KindOf(err), err.Error())
}

// Paths returns the fields that a validation failure names.
func Paths(t *testing.T, err error) []string {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, fault.Invalid, f.Kind, f.Error())
	out := make([]string, len(f.Fields))
	for i, field := range f.Fields {
		out[i] = field.Path
	}
	return out
}

// Code returns the code of a failure, "" when it has none.
func Code(err error) string {
	var known *fault.Error
	if !errors.As(err, &known) {
		return ""
	}
	return known.Code
}

// NodeIDs returns the ids of records.
func NodeIDs[T any](nodes []*T) []string {
	ids := make([]string, len(nodes))
	for i, node := range nodes {
		ids[i], _ = any(node).(ent.Node).OrderKey("id").(string)
	}
	return ids
}

// Yes returns a pointer to true.
func Yes() *bool { return new(true) }

// No returns a pointer to false.
func No() *bool { return new(false) }

// Err returns the failure of a call whose answer does not matter.
func Err[T any](_ T, err error) error { return err }
