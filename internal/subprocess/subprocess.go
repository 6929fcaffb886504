// Package subprocess starts programs that end with the process that has started them.
package subprocess

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Start starts cmd in a process group of its own, so that a terminal's ^C reaches this process alone, which stops the program. ended is
// called once it has ended, with what cmd.Wait says. On Linux the program is sent the signal orphaned when this process is killed.
//
// The kernel takes the end of the thread that has started a program for that of its parent, so start and wait happen on one locked
// thread. It is given back afterwards, because its end would end what else was started on it.
func Start(cmd *exec.Cmd, orphaned syscall.Signal, ended func(error)) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	signalWhenOrphaned(cmd.SysProcAttr, orphaned)
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended(cmd.Wait())
		}
	}()
	return <-started
}
