//go:build !linux

package app

import "runtime/debug"

// giveBack gives back heap that is free again.
func giveBack() error {
	debug.FreeOSMemory()
	return nil
}
