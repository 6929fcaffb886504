package subprocess

import "syscall"

func signalWhenOrphaned(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }
