package child

import "syscall"

// endWithParent makes the kernel ask the child to end when this process is killed.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
