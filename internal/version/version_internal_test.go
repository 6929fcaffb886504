package version

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOfModule(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{"v1.2.3": "1.2.3", "v0.0.0-20260101000000-abcdef": "0.0.0-20260101000000-abcdef", "(devel)": "", "": ""} {
		require.Equal(t, want, ofModule(&debug.BuildInfo{Main: debug.Module{Version: of}}), of)
	}
}

func TestOfCommit(t *testing.T) {
	t.Parallel()
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for want, settings := range map[string]map[string]string{
		"":                   {"vcs.modified": "true"}, // files had changed, but of what is unknown
		"0123456789ab":       {"vcs.revision": revision, "vcs.modified": "false"},
		"0123456789ab+dirty": {"vcs.revision": revision, "vcs.modified": "true"},
		"abc":                {"vcs.revision": "abc", "vcs.time": "2026-01-01T00:00:00Z"},
	} {
		info := &debug.BuildInfo{}
		for key, value := range settings {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
		}
		require.Equal(t, want, ofCommit(info))
	}
}

// TestReleaseNumberComesFirst sets what release builds set; no other test calls Version.
func TestReleaseNumberComesFirst(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, Version(), "a build without a number still has a name")
	number = "9.8.7"
	defer func() { number = "" }()
	require.Equal(t, "9.8.7", Version())
}
