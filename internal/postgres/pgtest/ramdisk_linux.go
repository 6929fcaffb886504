package pgtest

import "syscall"

// roomy is what a RAM disk must have free before the tests' server goes there. Containers often have 64 MB.
const roomy = 2 << 30

// ramDisk is a place in memory, where a clone of the template, some thousand small files, is made several times faster
// than on a disk; nil when there is none of use.
func ramDisk() []string {
	const shm = "/dev/shm"
	var fs syscall.Statfs_t
	if syscall.Statfs(shm, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < roomy { // block sizes are positive
		return nil
	}
	return []string{shm}
}
