//go:build !linux

package embedded

// RAMDisk is the places in memory that can take a throw-away cluster; this system has none of a fixed name.
func RAMDisk() []string { return nil }

var inMemory []string
