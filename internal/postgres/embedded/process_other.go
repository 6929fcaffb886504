//go:build !linux

package embedded

import (
	"bytes"
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// serversIn reads the cluster's pid file and believes it when that process is a Postgres started on this cluster.
func serversIn(cluster string) []int {
	pid := pidInFile(cluster)
	if pid == 0 || syscall.Kill(pid, 0) != nil {
		return nil
	}
	line, err := exec.CommandContext(context.Background(), "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || !bytes.Contains(line, []byte(cluster)) {
		return nil
	}
	return []int{pid}
}
