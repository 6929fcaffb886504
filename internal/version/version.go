// Package version says which build of Carillon this is.
package version

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// number is set by release builds: -ldflags "-X github.com/carillon/carillon/internal/version.number=1.2.3".
var number string

// Version returns the version of the build: that of a release, else that of the module or of the commit it was built
// from, with "+dirty" when files had changed, else "dev".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(number, "dev")
	}
	return cmp.Or(number, ofModule(info), ofCommit(info), "dev")
}

func ofModule(info *debug.BuildInfo) string {
	if info.Main.Version == "(devel)" {
		return ""
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

func ofCommit(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if len(revision) > 12 {
		revision = revision[:12]
	}
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += "+dirty"
	}
	return revision
}
