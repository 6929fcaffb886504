//go:build !linux

package app

// evictProgram does nothing, as unmapProgram.
func evictProgram() error { return nil }

// unmapProgram does nothing: what is mapped of the program's file counts little elsewhere.
func unmapProgram() error { return nil }
