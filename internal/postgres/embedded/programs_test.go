package embedded

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// registry is a registry of packages on this machine, and the machine has no npm. It answers the one archive of this
// platform, and remembers what it was asked for.
func registry(t *testing.T, status int, archive []byte) *[]string {
	t.Helper()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.WriteHeader(status)
		_, _ = w.Write(archive)
	}))
	t.Cleanup(server.Close)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("npm_config_registry", server.URL+"/")
	t.Setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:1")
	return &asked
}

// TestDownloadIsAllOrNothing: only the archive with the pinned checksum is unpacked, and what failed leaves nothing behind.
func TestDownloadIsAllOrNothing(t *testing.T) { //nolint:paralleltest // the environment names the registry
	pin, ok := pinned[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		t.Skip("no pinned programs for this system")
	}
	file := pin.name + "-" + pinnedVersion + ".tgz"
	good, err := os.ReadFile(archiveOf(t, entry{name: "package/native/bin/postgres", content: "x", mode: 0o755}, entry{name: noLinks, content: "[]"}))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		status  int
		archive []byte
		want    string
	}{
		"OtherArchive": {http.StatusOK, good, "download PostgreSQL: " + file + " has checksum sha512-"},
		"Empty":        {http.StatusOK, nil, "expected sha512-" + pin.sha512},
		"Missing":      {http.StatusNotFound, nil, file + " answers 404 Not Found"},
		"Broken":       {http.StatusBadGateway, []byte("<html>"), "answers 502 Bad Gateway"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := registry(t, c.status, c.archive)
			cache := t.TempDir()
			s := &search{root: cache}
			err := s.download(t.Context(), cache, slog.New(slog.DiscardHandler))
			require.ErrorContains(t, err, c.want)
			require.Equal(t, []string{"/@embedded-postgres/" + pin.name + "/-/" + file}, *asked)
			left, err := os.ReadDir(cache)
			require.NoError(t, err)
			require.Empty(t, left, "also of what was downloaded")

			_, err = obtain(t.Context(), ObtainPinned, cache, s, slog.New(slog.DiscardHandler))
			require.ErrorContains(t, err, c.want)
			_, found := s.obtained(t.Context(), cache)
			require.False(t, found)
		})
	}
	asked := registry(t, http.StatusOK, good)
	err = (&search{want: pinnedMajor - 1}).download(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	require.EqualError(t, err, "the pinned download is PostgreSQL 17")
	require.Empty(t, *asked, "nothing is downloaded that could not be used")
}

// TestUnpackRefusesDamage: an archive that ends early, or in the middle of its compression, is no archive.
func TestUnpackRefusesDamage(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(archiveOf(t,
		entry{name: "package/native/bin/postgres", content: string(bytes.Repeat([]byte("program "), 4096)), mode: 0o755}, entry{name: noLinks, content: "[]"}))
	require.NoError(t, err)
	for _, length := range []int{0, 5, len(whole) / 3, len(whole) / 2} {
		cut := filepath.Join(t.TempDir(), "cut.tgz")
		require.NoError(t, os.WriteFile(cut, whole[:length], 0o600))
		require.Error(t, unpack(cut, filepath.Join(t.TempDir(), "out")), "%d of %d bytes", length, len(whole))
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0xff
	damaged := filepath.Join(t.TempDir(), "damaged.tgz")
	require.NoError(t, os.WriteFile(damaged, flipped, 0o600))
	require.Error(t, unpack(damaged, filepath.Join(t.TempDir(), "out")))
	require.ErrorIs(t, unpack(damaged+".none", filepath.Join(t.TempDir(), "out")), fs.ErrNotExist)
}

// TestUnpackStaysInside: names of an archive that lead elsewhere are left out or refused, and links lead nowhere else.
func TestUnpackStaysInside(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"/etc/evil", "package/../../evil", "package/native/../../../evil", "../package/native/evil", "native/evil", "package/evil", "package/nativeevil",
	} {
		base := t.TempDir()
		require.NoError(t, unpack(archiveOf(t, entry{name: name, content: "x"}, entry{name: noLinks, content: "[]"}), filepath.Join(base, "out")), name)
		var found []string
		require.NoError(t, filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				found = append(found, filepath.Base(path))
			}
			return err
		}))
		require.Equal(t, []string{"pg-symlinks.json"}, found, name)
	}
	for _, kind := range []entry{
		{name: "package/native/hard", content: "/etc/passwd", kind: '1'}, {name: "package/native/device", kind: '3'}, {name: "package/native/pipe", kind: '6'},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		require.NoError(t, unpack(archiveOf(t, kind, entry{name: noLinks, content: "[]"}), dir))
		_, err := os.Lstat(filepath.Join(dir, "native", filepath.Base(kind.name)))
		require.ErrorIs(t, err, fs.ErrNotExist, kind.name)
	}
}

// programs makes a directory with a postgres that says so and an initdb.
func programs(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"postgres", "initdb"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700)) //nolint:gosec // a program
	}
	return dir
}

// TestWhichProgramsServe: both are there, run, and are of a version that Carillon and the cluster take. Each refusal is said.
func TestWhichProgramsServe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		want   int // the cluster's version
		major  int // 0: refused
		text   string
	}{
		"Newer":      {"echo 'postgres (PostgreSQL) 18.1'", 0, 18, ""},
		"Oldest":     {"echo 'postgres (PostgreSQL) 14.0 (Debian 14.0-1)'", 0, 14, ""},
		"TooOld":     {"echo 'postgres (PostgreSQL) 13.9'", 0, 0, "postgres is PostgreSQL 13; Carillon needs 14 or newer"},
		"TheCluster": {"echo 'postgres (PostgreSQL) 15.2'", 15, 15, ""},
		"Another":    {"echo 'postgres (PostgreSQL) 16.2'", 15, 0, "postgres is PostgreSQL 16"},
		"Broken":     {"echo 'missing library' >&2; exit 127", 0, 0, "--version: exit status 127: missing library"},
		"Silent":     {"", 0, 0, `"" names no version of PostgreSQL`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := programs(t, c.script)
			s := &search{root: t.TempDir(), want: c.want}
			found, ok := s.try(t.Context(), dir)
			require.Equal(t, c.major != 0, ok)
			if ok {
				require.Equal(t, binaries{postgres: filepath.Join(dir, "postgres"), initdb: filepath.Join(dir, "initdb"), major: c.major}, found)
				require.Empty(t, s.refused)
				return
			}
			require.ErrorContains(t, errors.Join(s.refused...), c.text)
		})
	}
	for _, missing := range []string{"postgres", "initdb"} {
		dir := programs(t, "echo 'postgres (PostgreSQL) 17.0'")
		require.NoError(t, os.Remove(filepath.Join(dir, missing)))
		require.NoError(t, os.Mkdir(filepath.Join(dir, missing), 0o700))
		s := &search{root: dir}
		_, ok := s.try(t.Context(), dir)
		require.False(t, ok)
		require.EqualError(t, errors.Join(s.refused...), filepath.Join(dir, missing)+" is missing", "a directory is no program")
	}
}

// TestFailureNamesTheCure: an unreachable directory before all else, then the cluster's version, then what to install.
func TestFailureNamesTheCure(t *testing.T) {
	t.Parallel()
	blocked := &UnreachableError{Path: "/root/data", Blocker: "/root", Account: "user postgres", Setting: "CARILLON_DATA_DIR"}
	old := errors.New("/old/postgres is PostgreSQL 13; Carillon needs 14 or newer")
	require.Equal(t, blocked, (&search{want: 15, refused: []error{old, blocked}}).failure("/data", "last"))
	require.Equal(t, &VersionError{Cluster: "/data", Major: 15, Reason: "last\n" + old.Error()}, (&search{want: 15, refused: []error{old}}).failure("/data", "last"))
	require.Equal(t, &VersionError{Cluster: "/data", Major: 15, Reason: "last"}, (&search{want: 15}).failure("/data", "last"))
	require.Equal(t, &MissingError{Found: old.Error(), Last: "last"}, (&search{refused: []error{old}}).failure("/data", "last"))
}

// TestChosenProgramsAreTheOnlyOnes: a directory that the operator names is taken or refused, and nothing else is tried.
func TestChosenProgramsAreTheOnlyOnes(t *testing.T) {
	t.Parallel()
	at, err := newLayout(t.TempDir())
	require.NoError(t, err)
	chosen := programs(t, "echo 'postgres (PostgreSQL) 16.1'")
	log := slog.New(slog.DiscardHandler)
	found, err := locate(t.Context(), Config{BinDir: chosen}, at, account{}, log)
	require.NoError(t, err)
	require.Equal(t, 16, found.major)
	require.NoError(t, os.Mkdir(at.cluster, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(at.cluster, "PG_VERSION"), []byte("15\n"), 0o600))
	_, err = locate(t.Context(), Config{BinDir: chosen, Obtain: ObtainAny}, at, account{}, log)
	var version *VersionError
	require.ErrorAs(t, err, &version)
	require.Equal(t, []any{15, at.cluster}, []any{version.Major, version.Cluster})
	require.ErrorContains(t, err, "CARILLON_POSTGRES_BIN is "+chosen)
	require.ErrorContains(t, err, filepath.Join(chosen, "postgres")+" is PostgreSQL 16")
}
