//go:build !linux

package app

// unmapProgram does nothing: what is mapped of the program's file counts little elsewhere.
func unmapProgram() error { return nil }
