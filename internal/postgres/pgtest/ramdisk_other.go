//go:build !linux

package pgtest

// ramDisk knows none here.
func ramDisk() []string { return nil }
