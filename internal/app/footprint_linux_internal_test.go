//go:build linux

package app

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestUnwritten: only what is mapped from the program's file and neither can be nor was written to is released.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	const (
		clean     = "Rss:  8 kB\nAnonymous:   0 kB\nSwap:   0 kB\nSwapPss:   0 kB\nVmFlags: rd mr\n"
		relocated = "Rss:  8 kB\nAnonymous:   4 kB\nSwap:   0 kB\nSwapPss:   0 kB\nVmFlags: rd mr\n"
		swapped   = "Rss:  8 kB\nAnonymous:   0 kB\nSwap:   4 kB\nSwapPss:   4 kB\nVmFlags: rd mr\n"
	)
	parts, err := unwritten(strings.NewReader(""+
		"00400000-02e86000 r-xp 00000000 fe:00 10421236                           /usr/bin/carillon\n"+clean+
		"02e86000-062cd000 r--p 02a86000 fe:00 10421236                           /usr/bin/carillon\n"+clean+
		"062cd000-062ed000 r--p 05ecd000 fe:00 10421236                           /usr/bin/carillon\n"+relocated+
		"062ed000-06324000 r--p 05ecd000 fe:00 10421236                           /usr/bin/carillon\n"+swapped+
		"06324000-06624000 rw-p 05fcd000 fe:00 10421236                           /usr/bin/carillon\n"+clean+
		"06624000-0867a000 rw-p 00000000 00:00 0 \n"+clean+
		"7f8b65ef0000-7f8b66400000 r--p 00000000 00:00 0\n"+clean+
		"7f8bacc00000-7f8bacc24000 r-xp 00000000 fe:00 77                         /lib/x86_64/libc.so.6\n"+clean+
		"7f8bacd00000-7f8bacd24000 r-xp 00000000 fe:00 10421236                   /usr/bin/carillon (deleted)\n"+clean+
		"\n"), "/usr/bin/carillon")
	require.NoError(t, err)
	require.Equal(t, []mapped{{0x400000, 0x2e86000}, {0x2e86000, 0x62cd000}}, parts)
}

// The program still runs after the release, and has fewer pages of files in memory than before it.
func TestUnmapProgram(t *testing.T) { //nolint:paralleltest // other tests would map pages meanwhile
	before := filePages(t)
	require.NoError(t, unmapProgram())
	require.Less(t, filePages(t), before)
}

// Where the kernel has huge pages, none of the program is mapped by them: the flag nh of its mappings says so (proc(5)).
func TestProgramWithoutHugePages(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has no huge pages")
	}
	require.NoError(t, evictProgram())
	program, err := os.Executable()
	require.NoError(t, err)
	smaps, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	_, mapping, found := strings.Cut(string(smaps), " r-xp ")
	require.True(t, found)
	lines := strings.SplitN(mapping, "\n", 40)
	require.Contains(t, lines[0], program)
	flags := lines[slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "VmFlags:") })]
	require.Contains(t, flags+" ", " nh ")
}

// The kernel keeps less of the program's file after evictProgram. The file system of shared memory has no other place to keep it.
func TestEvictProgram(t *testing.T) { //nolint:paralleltest // other tests would read pages meanwhile
	program, err := os.Open("/proc/self/exe")
	require.NoError(t, err)
	t.Cleanup(func() { _ = program.Close() })
	var system unix.Statfs_t
	require.NoError(t, unix.Fstatfs(int(program.Fd()), &system))
	if system.Type == unix.TMPFS_MAGIC {
		t.Skip("the program lies in memory")
	}
	require.NoError(t, unix.Fsync(int(program.Fd())))
	before := cached(t, program)
	require.NoError(t, evictProgram())
	require.Less(t, cached(t, program), before)
}

// cached counts the pages of file in the kernel's cache (mincore(2)).
func cached(t *testing.T, file *os.File) (pages int) {
	t.Helper()
	info, err := file.Stat()
	require.NoError(t, err)
	content, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.Munmap(content)) }()
	in := make([]byte, len(content)/os.Getpagesize()+1)
	_, _, failed := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&content[0])), uintptr(len(content)), uintptr(unsafe.Pointer(&in[0])))
	require.Zero(t, failed)
	for _, page := range in {
		pages += int(page & 1)
	}
	return pages
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
