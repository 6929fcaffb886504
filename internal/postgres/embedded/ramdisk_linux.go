package embedded

import "syscall"

// roomy is what a RAM disk must have free before a throw-away server goes there. Containers often have 64 MB.
const roomy = 2 << 30

// inMemory is where directories in memory are made.
var inMemory = []string{"/dev/shm"}

// RAMDisk is the places in memory that can take a throw-away cluster (see TempDir), none when there is no room. A
// database is a thousand small files; they are made many times faster there than on a disk.
func RAMDisk() []string {
	var fs syscall.Statfs_t
	if syscall.Statfs(inMemory[0], &fs) != nil || fs.Bavail*uint64(fs.Bsize) < roomy { // block sizes are positive
		return nil
	}
	return inMemory
}
