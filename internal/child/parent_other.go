//go:build !linux

package child

import "syscall"

// endWithParent does nothing: only Linux knows the signal.
func endWithParent(*syscall.SysProcAttr) {}
