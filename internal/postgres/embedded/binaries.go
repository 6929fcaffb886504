package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// minMajor is the oldest major version that Carillon's SQL and River run on.
const minMajor = 14

// binaries are the two programs we need, side by side and of one version.
type binaries struct {
	postgres, initdb string
	major            int
}

// locate finds binaries that fit the cluster of at (any supported version when there is none yet): installed ones, those
// obtained earlier, and where cfg permits it new ones.
func locate(ctx context.Context, cfg Config, at layout, who account, log *slog.Logger) (binaries, error) {
	want, err := clusterMajor(at.cluster)
	if err != nil {
		return binaries{}, err
	}
	search := &search{who: who, root: at.root, want: want}
	if cfg.BinDir != "" {
		if b, ok := search.try(ctx, cfg.BinDir); ok {
			return b, nil
		}
		return binaries{}, search.failure(at.cluster, "CARILLON_POSTGRES_BIN is "+cfg.BinDir+".")
	}
	if b, ok := search.installed(ctx); ok {
		return b, nil
	}
	cache, err := cacheDir(cfg.CacheDir)
	if err != nil {
		return binaries{}, err
	}
	if b, ok := search.obtained(ctx, cache); ok {
		return b, nil
	}
	if cfg.Obtain == ObtainNothing {
		return binaries{}, search.failure(at.cluster, "Nothing was installed.")
	}
	b, err := obtain(ctx, cfg.Obtain, cache, search, log)
	if err != nil {
		return binaries{}, search.failure(at.cluster, err.Error())
	}
	return b, nil
}

// search tries directories and remembers why it refused them.
type search struct {
	who  account
	root string // a directory the database must be able to use: the data directory
	want int    // the only acceptable major version; 0: any

	refused []error
}

// installed looks where systems keep Postgres.
func (s *search) installed(ctx context.Context) (binaries, bool) {
	for _, dir := range candidates(ctx) {
		if b, ok := s.try(ctx, dir); ok {
			return b, true
		}
	}
	return binaries{}, false
}

// try accepts dir when it holds both programs, of a usable version, and the database's user can run them.
func (s *search) try(ctx context.Context, dir string) (binaries, bool) {
	b := binaries{postgres: filepath.Join(dir, "postgres"), initdb: filepath.Join(dir, "initdb")}
	for _, program := range []string{b.postgres, b.initdb} {
		if info, err := os.Stat(program); err != nil || info.IsDir() {
			s.refused = append(s.refused, fmt.Errorf("%s is missing", program))
			return b, false
		}
	}
	major, err := probe(ctx, s.who, s.root, b.postgres)
	b.major = major
	switch {
	case err != nil:
		s.refused = append(s.refused, s.explain(err, b.postgres))
	case major < minMajor:
		s.refused = append(s.refused, fmt.Errorf("%s is PostgreSQL %d; Carillon needs %d or newer", b.postgres, major, minMajor))
	case s.want != 0 && major != s.want:
		s.refused = append(s.refused, fmt.Errorf("%s is PostgreSQL %d", b.postgres, major))
	default:
		return b, true
	}
	return b, false
}

// explain turns the kernel's bare "permission denied" into the directory that caused it.
func (s *search) explain(err error, program string) error {
	if !s.who.switched || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if dir := s.who.blocked(s.root); dir != "" {
		return &UnreachableError{Path: s.root, Blocker: dir, Account: s.who.name, Setting: "CARILLON_DATA_DIR"}
	}
	if dir := s.who.blocked(filepath.Dir(program)); dir != "" {
		return &UnreachableError{Path: program, Blocker: dir, Account: s.who.name, Setting: "CARILLON_POSTGRES_BIN"}
	}
	return err
}

// failure says what was found and what to do. An unreachable data directory comes first: no binaries would cure it.
func (s *search) failure(cluster, last string) error {
	refused := errors.Join(s.refused...)
	var unreachable *UnreachableError
	if errors.As(refused, &unreachable) {
		return unreachable
	}
	if s.want != 0 {
		return &VersionError{Cluster: cluster, Major: s.want, Reason: strings.TrimSpace(last + "\n" + errorText(refused))}
	}
	return &MissingError{Found: errorText(refused), Last: last}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// MissingError says that there are no programs for the embedded database.
type MissingError struct {
	Found string // the programs that were found and why they do not serve; "" when there are none
	Last  string // what was done about it, and what came of it
}

// Error says what was found and names the ways out.
func (e *MissingError) Error() string {
	found := "neither in the PATH nor where systems keep it"
	if e.Found != "" {
		found = "only this, which does not serve:\n  " + strings.ReplaceAll(e.Found, "\n", "\n  ")
	}
	pin := fmt.Sprintf("PostgreSQL %d (pinned version, checksum verified, about 24 MB)", pinnedMajor)
	return fmt.Sprintf(`Carillon needs PostgreSQL %d or newer for its embedded database and found %s
%s Do one of these:
  - let Carillon download %s into its cache directory: add --obtain-postgres, or set CARILLON_OBTAIN_POSTGRES=true
  - install it (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; Alpine: apk add postgresql; macOS: brew install postgresql)
  - name the directory of its programs postgres and initdb: CARILLON_POSTGRES_BIN
  - use a server of yours: CARILLON_DATABASE_URL`, minMajor, found, e.Last, pin)
}

// VersionError says that the cluster was made by a major version whose binaries are not here. Nothing was changed.
type VersionError struct {
	Cluster string // the cluster's directory
	Major   int    // its major version
	Reason  string // what was found instead
}

// Error names the cures.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the embedded database in %s was made by PostgreSQL %d, whose programs were not found; it was left as it is. "+
		"Install PostgreSQL %d or set CARILLON_POSTGRES_BIN to its programs; or dump the data with version %d and restore it into a new data directory.\n%s",
		e.Cluster, e.Major, e.Major, e.Major, e.Reason)
}

// clusterMajor is the major version of an existing cluster, 0 when there is none.
func clusterMajor(cluster string) (int, error) {
	text, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the embedded database's version: %w", err)
	}
	return parseMajor(string(text))
}

var majorVersion = regexp.MustCompile(`(?:^|\s)(\d+)(?:\D|$)`)

// parseMajor reads "postgres (PostgreSQL) 15.18 (Debian …)" and "15".
func parseMajor(text string) (int, error) {
	m := majorVersion.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q names no version of PostgreSQL", strings.TrimSpace(text))
	}
	return strconv.Atoi(m[1])
}

// candidates are the directories that may hold the programs, best first: what the system's pg_config names, Debian's
// and Red Hat's per-version directories with the newest first, the PATH behind its links, then the usual places.
func candidates(ctx context.Context) []string {
	var dirs []string
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/lib64/pgsql-*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
		"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		dirs = append(dirs, newestFirst(pattern)...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(target))
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	dirs = append(dirs, "/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin")
	return existing(dirs)
}

func newestFirst(pattern string) []string {
	dirs, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	number := func(dir string) int {
		n, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(strings.TrimPrefix(dir, "/usr/lib64")))
		return n
	}
	slices.SortFunc(dirs, func(a, b string) int { return number(b) - number(a) })
	return dirs
}

// existing drops repetitions and directories without a postgres, so that refusals name only what is worth naming.
func existing(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}
