package app

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// evictProgram drops pages of the program's file from the kernel's cache, from where they are read again when they are used. A file that
// was just linked lies there in large pages, and each is mapped whole for a touch, up to 2 MiB: an idle process held 25 to 36 MiB more.
// What is read anew comes in small ones. It needs the right to write to the file; pages that other processes have mapped stay.
func evictProgram() error { return adviseProgram(unix.MADV_NOHUGEPAGE, unix.MADV_PAGEOUT) }

// unmapProgram gives back pages of the program's file, which are mapped when they are first touched. The kernel keeps them in its
// cache and maps them again when they are used, so that costs some hundred minor faults; without it a process would hold them until it
// ends: after its start, the migrations and broadcasts of mails 75 MiB, of which broadcasts alone use 43.
func unmapProgram() error { return adviseProgram(unix.MADV_DONTNEED) }

// adviseProgram gives the kernel advice (madvise(2)) about what is mapped of the program's file. A kernel that does not know one is given
// the others.
func adviseProgram(advice ...uintptr) error {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("find the program's file: %w", err)
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return fmt.Errorf("read what is mapped: %w", err)
	}
	defer func() { _ = maps.Close() }()
	parts, err := unwritten(maps, program)
	if err != nil {
		return fmt.Errorf("read what is mapped: %w", err)
	}
	for _, p := range parts {
		for _, a := range advice {
			if _, _, failed := syscall.Syscall(syscall.SYS_MADVISE, p.from, p.to-p.from, a); failed != 0 {
				err = fmt.Errorf("release the program's pages: %w", failed)
			}
		}
	}
	return err
}

// mapped is a range of addresses.
type mapped struct{ from, to uintptr }

// unwritten returns the parts of the program's file that are mapped and that nothing has written to, so that their pages are those of the
// file, by /proc/self/smaps (proc(5)): what is read-only, with no anonymous pages in memory or swapped out. The loader has written to
// read-only data of a program that it relocates (PIE).
func unwritten(smaps io.Reader, program string) (parts []mapped, err error) {
	lines := bufio.NewScanner(smaps)
	var part *mapped // that the lines are about, if it may be one
	without := 0     // anonymous pages: how many lines say so
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0:
		case !strings.HasSuffix(fields[0], ":"): // a mapping begins
			if part, without = nil, 0; len(fields) >= 6 && !strings.Contains(fields[1], "w") && strings.HasSuffix(lines.Text(), " "+program) {
				part = &mapped{}
				if _, err := fmt.Sscanf(fields[0], "%x-%x", &part.from, &part.to); err != nil || part.from >= part.to {
					part = nil
				}
			}
		case part != nil && (fields[0] == "Anonymous:" || fields[0] == "Swap:") && len(fields) > 1 && fields[1] == "0":
			if without++; without == 2 {
				parts = append(parts, *part)
			}
		}
	}
	return parts, lines.Err()
}
