package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	osuser "os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// account is the user the database runs as.
type account struct {
	name     string
	uid, gid uint32
	groups   []uint32
	switched bool // it is not the user of this process
}

// chooseAccount is the present user, except for root, as whom Postgres refuses to run: then the owner of the cluster,
// else "postgres", else "nobody".
func chooseAccount(cluster string) (account, error) {
	if os.Geteuid() != 0 {
		return account{name: "uid " + strconv.Itoa(os.Geteuid()), uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}, nil // ids are 32 bit
	}
	if info, err := os.Stat(cluster); err == nil {
		if st := info.Sys().(*syscall.Stat_t); st.Uid != 0 { // always so on Unix
			return account{name: "uid " + strconv.Itoa(int(st.Uid)), uid: st.Uid, gid: st.Gid, switched: true}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := osuser.Lookup(name); err == nil {
			return accountOf(u)
		}
	}
	return account{}, errors.New("postgres does not run as root, and this system has neither a user postgres nor nobody: " +
		"create one of them, or run Carillon as an ordinary user")
}

func accountOf(u *osuser.User) (account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user %s: %w", u.Username, err)
	}
	return account{name: "user " + u.Username, uid: uint32(uid), gid: uint32(gid), switched: true}, nil
}

// own gives path to the account.
func (a account) own(path string) error {
	if !a.switched {
		return nil
	}
	if err := os.Chown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("give %s to the database's %s: %w", path, a.name, err)
	}
	return nil
}

// command is a command run as the account from inside dir. Settings for Postgres's clients (PGPORT and the like) that
// are set in our environment are meant for another server and kept away from ours.
func (a account) command(ctx context.Context, dir, path string, args ...string) *exec.Cmd {
	// The server's end is ours to decide (Stop); a start that is given up ends through Stop, too.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, args...)
	cmd.Dir = dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "PG") && !strings.HasPrefix(kv, "LC_") && !strings.HasPrefix(kv, "LANG") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "TZ=UTC")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if a.switched {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: a.groups}
	}
	return cmd
}

// blocked names the first directory of path that the account may not enter by its permission bits; "" when there is
// none. It only explains a failure that has already happened: access lists can allow what the bits do not.
func (a account) blocked(path string) string {
	var parents []string
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		parents = append(parents, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range slices.Backward(parents) {
		info, err := os.Stat(dir)
		if err != nil {
			return dir
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode().Perm()&a.executeBit(st) == 0 {
			return dir
		}
	}
	return ""
}

func (a account) executeBit(st *syscall.Stat_t) os.FileMode {
	switch {
	case st.Uid == a.uid:
		return 0o100
	case st.Gid == a.gid:
		return 0o010
	default:
		return 0o001
	}
}

// UnreachableError says that the database's user cannot enter a directory that it needs.
type UnreachableError struct {
	Path    string // what is needed
	Blocker string // the directory on the way that refuses
	Account string // who is refused
	Setting string // the setting that moves Path elsewhere
}

// Error names the directory and both cures.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the embedded database runs as %s, who may not enter %s (needed for %s): allow it with `chmod o+x %s`, or set %s to a directory that every user can reach",
		e.Account, e.Blocker, e.Path, e.Blocker, e.Setting)
}

// makePassable creates dir so that another user can pass through it, which does not let him list it.
func makePassable(dir string) error {
	if dir == "" {
		return errors.New("the embedded database needs a data directory")
	}
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // parents like /var/lib are everybody's
		return fmt.Errorf("create the data directory: %w", err)
	}
	if err := os.Chmod(dir, 0o711); err != nil { // see above
		return fmt.Errorf("create the data directory: %w", err)
	}
	return nil
}
