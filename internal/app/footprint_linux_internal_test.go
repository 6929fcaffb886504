//go:build linux

package app

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only what is mapped from the program's file and cannot be written is released.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	const program = "/usr/bin/carillon"
	for line, want := range map[string][2]uintptr{
		"00400000-02e86000 r-xp 00000000 fe:00 10421236                           /usr/bin/carillon":           {0x400000, 0x2e86000},
		"02e86000-062cd000 r--p 02a86000 fe:00 10421236                           /usr/bin/carillon":           {0x2e86000, 0x62cd000},
		"062cd000-06624000 rw-p 05ecd000 fe:00 10421236                           /usr/bin/carillon":           {},
		"06624000-0867a000 rw-p 00000000 00:00 0 ":                                                             {},
		"7f8b65ef0000-7f8b66400000 r--p 00000000 00:00 0":                                                      {},
		"7f8bacc00000-7f8bacc24000 r-xp 00000000 fe:00 77                         /lib/x86_64/libc.so.6":       {},
		"00400000-02e86000 r-xp 00000000 fe:00 10421236                           /usr/bin/carillon (deleted)": {},
		"": {},
	} {
		from, to, ok := unwritten(line, program)
		require.Equal(t, want != [2]uintptr{}, ok, line)
		if ok {
			require.Equal(t, want, [2]uintptr{from, to}, line)
		}
	}
}

// The program still runs after the release, and has fewer pages of files in memory than before it.
func TestUnmapProgram(t *testing.T) { //nolint:paralleltest // other tests would map pages meanwhile
	before := filePages(t)
	require.NoError(t, unmapProgram())
	require.Less(t, filePages(t), before)
}

func filePages(t *testing.T) (pages int) {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	var size, resident int
	_, err = fmt.Sscan(string(statm), &size, &resident, &pages)
	require.NoError(t, err)
	return pages
}
