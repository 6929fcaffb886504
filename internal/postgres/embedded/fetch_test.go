package embedded

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// entry is a file of an archive.
type entry struct {
	name, content string
	mode          int64
	kind          byte // 0: a regular file
}

func archiveOf(t *testing.T, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		kind := e.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.content)), Typeflag: kind}
		if kind != tar.TypeReg {
			h.Size, h.Linkname = 0, e.content
		}
		require.NoError(t, w.WriteHeader(h))
		if kind == tar.TypeReg {
			_, err := w.Write([]byte(e.content))
			require.NoError(t, err)
		}
	}
	require.NoError(t, errors.Join(w.Close(), zipped.Close()))
	file := filepath.Join(t.TempDir(), "a.tgz")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

const noLinks = "package/native/pg-symlinks.json"

func TestUnpack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, unpack(archiveOf(t,
		entry{name: "package/package.json", content: "{}", mode: 0o644},
		entry{name: "package/native/bin/postgres", content: "program", mode: 0o700},
		entry{name: "package/native/share/text", content: "text", mode: 0o600},
		entry{name: "package/native/lib/libpq.so.5.15", content: "library", mode: 0o644},
		entry{name: "package/native/evil", content: "/etc/passwd", kind: tar.TypeSymlink},
		entry{name: noLinks, content: `[{"source": "native/lib/libpq.so.5.15", "target": "native/lib/libpq.so.5"}]`, mode: 0o644},
	), dir))
	mode := func(name string) os.FileMode {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	require.Equal(t, []os.FileMode{0o755, 0o644}, []os.FileMode{mode("native/bin/postgres"), mode("native/share/text")}, "everybody may read, and run what the owner may")
	linked, err := os.ReadFile(filepath.Join(dir, "native/lib/libpq.so.5"))
	require.NoError(t, err)
	require.Equal(t, "library", string(linked))
	for _, name := range []string{"package.json", "native/evil"} {
		_, err := os.Lstat(filepath.Join(dir, name))
		require.ErrorIs(t, err, os.ErrNotExist, "%s is not unpacked", name)
	}
}

func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	for name, entries := range map[string][]entry{
		"a name outside":    {{name: "package/native/../../../evil", content: "x"}, {name: noLinks, content: `[{"source": "native/a", "target": "../evil"}]`}},
		"a link outside":    {{name: noLinks, content: `[{"source": "native/a", "target": "../evil"}]`}},
		"no list of links":  {{name: "package/native/a", content: "x"}},
		"a list of nothing": {{name: noLinks, content: `nothing`}},
		"a file twice":      {{name: "package/native/a", content: "x"}, {name: "package/native/a", content: "y"}, {name: noLinks, content: `[]`}},
	} {
		base := t.TempDir()
		require.Error(t, unpack(archiveOf(t, entries...), filepath.Join(base, "out")), name)
		left, err := os.ReadDir(base)
		require.NoError(t, err)
		require.Len(t, left, 1, "%s: nothing is written beside the directory", name)
	}
	notZipped := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(notZipped, []byte("plain"), 0o600))
	require.Error(t, unpack(notZipped, filepath.Join(t.TempDir(), "out")))
	require.ErrorIs(t, unpack(notZipped, t.TempDir()), os.ErrExist, "an existing directory is left alone")
}

func TestGetAndVerify(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/pkg" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("content"))
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "pkg")
	require.NoError(t, get(t.Context(), server.URL+"/pkg", file))
	sum := sha512.Sum512([]byte("content"))
	require.NoError(t, verify(file, base64.StdEncoding.EncodeToString(sum[:])))
	require.ErrorContains(t, verify(file, "other"), "expected sha512-other")
	require.Error(t, verify(file+".none", "other"))
	require.ErrorContains(t, get(t.Context(), server.URL+"/none", file), "404")
	require.Error(t, get(t.Context(), "http://127.0.0.1:1/pkg", file))
	require.Error(t, get(t.Context(), server.URL+"/pkg", filepath.Join(file, "below a file")))
}

// TestWaitLock shows that a second process waits until the first has fetched the programs.
func TestWaitLock(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lock")
	unlock, err := waitLock(t.Context(), file)
	require.NoError(t, err)
	ctx, stop := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errors.New("waited enough"))
	defer stop()
	_, err = waitLock(ctx, file)
	require.ErrorContains(t, err, "waited enough")
	unlock()
	again, err := waitLock(t.Context(), file)
	require.NoError(t, err)
	again()
	_, err = waitLock(t.Context(), filepath.Join(file, "below a file"))
	require.ErrorContains(t, err, "lock the cache directory")
}

func TestCacheDir(t *testing.T) {
	t.Parallel()
	chosen, err := cacheDir("/chosen")
	require.NoError(t, err)
	require.Equal(t, "/chosen", chosen)
	usual, err := cacheDir("")
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(usual, "/carillon"), usual)
	require.Equal(t, filepath.Join("/chosen", "postgres-"+pinnedVersion), pinnedDir("/chosen"))
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		require.NoError(t, makeCache(dir))
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}

// TestBoundedLog keeps two files of the bound and the end of what was written.
func TestBoundedLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	l := &boundedLog{path: path}
	chunk := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // 1 MiB
	for range 20 {
		n, err := l.Write(chunk)
		require.NoError(t, err)
		require.Equal(t, len(chunk), n)
	}
	_, err := l.Write([]byte("the end\n"))
	require.NoError(t, err)
	l.close()
	l.close()
	for _, name := range []string{path, path + ".1"} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(maxLog+len(chunk)), name)
	}
	require.True(t, strings.HasSuffix(l.tail(), "the end"))
	require.LessOrEqual(t, len(l.tail()), 4096)
	again := &boundedLog{path: path}
	before, err := os.Stat(path)
	require.NoError(t, err)
	_, err = again.Write([]byte("more\n"))
	require.NoError(t, err)
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, before.Size()+5, after.Size(), "the next start continues in the same file")
	lost := &boundedLog{path: filepath.Join(path, "below a file")}
	n, err := lost.Write([]byte("kept in memory"))
	require.NoError(t, err, "a log that cannot be written stops nothing")
	require.Equal(t, []any{14, "kept in memory"}, []any{n, lost.tail()})
}

func TestLockOfTheDataDirectory(t *testing.T) {
	t.Parallel()
	at, err := newLayout(t.TempDir())
	require.NoError(t, err)
	held, err := acquire(at)
	require.NoError(t, err)
	_, err = acquire(at)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, "process "+strconv.Itoa(os.Getpid()))
	require.NoError(t, held.Close())
	held, err = acquire(at)
	require.NoError(t, err)
	require.NoError(t, held.Close())
	at.lock = filepath.Join(at.lock, "below a file")
	_, err = acquire(at)
	require.ErrorContains(t, err, "lock the data directory")
}

func TestLayout(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(dir, link))
	at, err := newLayout(link)
	require.NoError(t, err)
	require.Equal(t, []string{dir, filepath.Join(dir, "postgres")}, []string{at.root, at.cluster}, "without links")
	require.Contains(t, at.dsn("a b"), "postgres:///a%20b?")
	_, err = newLayout(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "CARILLON_DATA_DIR")
	found, err := HasCluster(filepath.Join(dir, "none"))
	require.NoError(t, err)
	require.False(t, found)
	found, err = HasCluster(dir)
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, os.Mkdir(at.cluster, 0o700))
	version := filepath.Join(at.cluster, "PG_VERSION")
	for text, want := range map[string]bool{"15\n": true, "odd\n": false} {
		require.NoError(t, os.WriteFile(version, []byte(text), 0o600))
		found, err = HasCluster(dir)
		require.Equal(t, want, found, text)
		require.Equal(t, want, err == nil, text)
	}
	settings := mergeSettings(map[string]string{"fsync": "off", "own": "x"})
	require.Equal(t, []string{"off", "x", ""}, []string{settings["fsync"], settings["own"], settings["listen_addresses"]})
}

func TestParseMajor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"15": 15, "16\n": 16, "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)": 15, "postgres (PostgreSQL) 17beta1": 17, "": 0, "PostgreSQL": 0,
	} {
		major, err := parseMajor(text)
		require.Equal(t, want, major, text)
		require.Equal(t, want == 0, err != nil, text)
	}
}

func TestProgramsAreLookedForNewestFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binaries := func(name string) string {
		bin := filepath.Join(dir, name, "bin")
		require.NoError(t, os.MkdirAll(bin, 0o755))
		return bin
	}
	old, newest, mid := binaries("9"), binaries("17"), binaries("15")
	found := newestFirst(filepath.Join(dir, "*", "bin"))
	require.ElementsMatch(t, []string{old, mid, newest}, found)
	require.NoError(t, os.WriteFile(filepath.Join(mid, "postgres"), nil, 0o700))
	require.Equal(t, []string{mid}, existing([]string{newest, mid, mid, "/none"}), "once, and only where a program is")
	missing := &MissingError{Found: "/a: too old\n/b: broken", Last: "Nothing was downloaded."}
	for _, part := range []string{"/a: too old\n  /b: broken", "Nothing was downloaded.", "--obtain-postgres", "CARILLON_POSTGRES_BIN"} {
		require.Contains(t, missing.Error(), part)
	}
	require.Contains(t, (&MissingError{}).Error(), "neither in the PATH")
	require.Contains(t, (&VersionError{Cluster: "/data", Major: 14, Reason: "only 15"}).Error(), "made by PostgreSQL 14")
	require.Equal(t, "last", lastLine([]byte("first\n\nlast\n")))
}
