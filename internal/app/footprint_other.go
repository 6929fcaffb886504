//go:build !linux

package app

import "runtime/debug"

// releaseStartup gives back heap that only starting needed.
func releaseStartup() error {
	debug.FreeOSMemory()
	return nil
}
