package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// serversIn lists the living Postgres processes whose working directory is the cluster. That says more than the pid file,
// which may name a process that is long gone or another program.
func serversIn(cluster string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd")); err != nil || cwd != cluster {
			continue
		}
		if comm, err := os.ReadFile(filepath.Join("/proc", e.Name(), "comm")); err == nil && strings.HasPrefix(string(comm), "postgres") {
			pids = append(pids, pid)
		}
	}
	return pids
}
