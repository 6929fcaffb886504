package main_test

import (
	"debug/buildinfo"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLicenses holds the printed notices against the modules that the program was built from.
func TestLicenses(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), binary(t), "licenses").Output()
	require.NoError(t, err)
	info, err := buildinfo.ReadFile(binary(t))
	require.NoError(t, err)
	require.NotEmpty(t, info.Deps)
	for _, module := range info.Deps {
		require.Contains(t, string(out), module.Path+" "+module.Version, "make generate writes the notices anew")
	}
	for _, other := range []string{"react 19", "The Go standard library", "GraphiQL"} {
		require.Contains(t, string(out), other)
	}
}
