package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
)

// Inspection is what a start in a data directory would find.
type Inspection struct {
	Account  string // who the server runs as
	Cluster  bool   // a database is there already
	Programs string // path of the postgres program; "" when one must be obtained first
	Major    int    // its major version
}

// HasCluster reports whether a start in dataDir would find a database, without starting it.
func HasCluster(dataDir string) (bool, error) {
	at, err := newLayout(dataDir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	major, err := clusterMajor(at.cluster)
	return major != 0, err
}

// Ensure obtains programs as cfg permits, unless there are some: a start with the same CacheDir and BinDir then finds them.
func Ensure(ctx context.Context, cfg Config) error {
	at, err := newLayout(cfg.DataDir)
	if err != nil {
		return err
	}
	who, err := chooseAccount(at.cluster)
	if err != nil {
		return err
	}
	_, err = locate(ctx, cfg, at, who, cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler)))
	return err
}

// Inspect looks at what Start would use, and changes nothing. The data directory must exist. The error says what would
// keep a start from working, and its cure; a missing program is none when Start can obtain it.
func Inspect(ctx context.Context, cfg Config) (Inspection, error) {
	at, err := newLayout(cfg.DataDir)
	if err != nil {
		return Inspection{}, err
	}
	who, err := chooseAccount(at.cluster)
	if err != nil {
		return Inspection{}, err
	}
	found := Inspection{Account: who.name}
	major, err := clusterMajor(at.cluster)
	if err != nil {
		return found, err
	}
	found.Cluster = major != 0
	if err := at.writable(ctx, who, found.Cluster); err != nil {
		return found, err
	}
	s := &search{who: who, root: at.root, want: major}
	b, err := s.present(ctx, cfg, at.cluster)
	if err != nil {
		return found, err
	}
	found.Programs, found.Major = b.postgres, b.major
	return found, nil
}

// present is what is installed or was obtained earlier; zero when it would have to be obtained.
func (s *search) present(ctx context.Context, cfg Config, cluster string) (binaries, error) {
	if cfg.BinDir != "" {
		return locate(ctx, cfg, layout{root: s.root, cluster: cluster}, s.who, slog.New(slog.DiscardHandler))
	}
	if b, ok := s.installed(ctx); ok {
		return b, nil
	}
	if cache, err := cacheDir(cfg.CacheDir); err == nil {
		if b, ok := s.obtained(ctx, cache); ok {
			return b, nil
		}
	}
	var unreachable *UnreachableError
	if errors.As(errors.Join(s.refused...), &unreachable) {
		return binaries{}, unreachable
	}
	if s.want != 0 && s.want != pinnedMajor {
		return binaries{}, s.failure(cluster, fmt.Sprintf("the pinned download is PostgreSQL %d", pinnedMajor))
	}
	return binaries{}, nil
}

// writable reports whether this process may write the data directory, and the database's user the cluster.
func (l layout) writable(ctx context.Context, who account, exists bool) error {
	const writeAndSearch = 0o3 // access(2): W_OK|X_OK
	if err := syscall.Access(l.root, writeAndSearch); err != nil {
		return fmt.Errorf("%s cannot be written: %w; give it to the user who runs Carillon, or set CARILLON_DATA_DIR", l.root, err)
	}
	if dir := who.blocked(l.root); who.switched && dir != "" {
		return &UnreachableError{Path: l.root, Blocker: dir, Account: who.name, Setting: "CARILLON_DATA_DIR"}
	}
	if !exists {
		return nil
	}
	out, err := who.command(ctx, l.root, "sh", "-c", `test -w "$1" && test -r "$1"/PG_VERSION`, "sh", l.cluster).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s, as whom the database runs, cannot write %s: chown -R it to that user (%w) %s",
			who.name, l.cluster, err, strings.TrimSpace(string(out)))
	}
	return nil
}
