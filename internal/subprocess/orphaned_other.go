//go:build !linux

package subprocess

import "syscall"

// signalWhenOrphaned does nothing: only Linux sends such a signal.
func signalWhenOrphaned(*syscall.SysProcAttr, syscall.Signal) {}
